//! Which entry points lead to an accessor: calls from the handler on, followed only where it is certain which function is meant.

use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::{FactKind, Value};

use crate::code::{At, Code, last_name};
use crate::entry_points::EntryPoint;

/// Calls from a handler to an accessor.
const MAX_STEPS: usize = 5;
/// Functions that one entry point may lead through.
const MAX_FUNCTIONS: usize = 400;

/// For each accessor the positions of the entry points that lead to it.
pub(super) fn entry_points(
    code: &Code<'_>,
    entries: &[EntryPoint],
    accessors: impl Iterator<Item = At>,
) -> BTreeMap<At, Vec<usize>> {
    let wanted: BTreeSet<At> = accessors.collect();
    let mut by_place: BTreeMap<(&str, u32), At> = BTreeMap::new();
    for kind in [FactKind::Block, FactKind::Bind, FactKind::Function] {
        for at in code.all(kind) {
            by_place.insert((code.source(at).path.as_str(), code.fact(at).line), at);
        }
    }
    let mut calls: BTreeMap<At, Vec<At>> = BTreeMap::new();
    let mut found: BTreeMap<At, Vec<usize>> = BTreeMap::new();
    for (position, entry) in entries.iter().enumerate() {
        let Some(handler) = &entry.handler else { continue };
        let Some(start) = by_place.get(&(handler.path.as_str(), handler.line)) else {
            continue;
        };
        let mut seen: BTreeSet<At> = BTreeSet::from([*start]);
        let mut edge = vec![*start];
        for _ in 0..=MAX_STEPS {
            let mut next = Vec::new();
            for function in edge {
                if wanted.contains(&function) {
                    found.entry(function).or_default().push(position);
                }
                let called = calls.entry(function).or_insert_with(|| called_by(code, function));
                for callee in called {
                    if seen.len() < MAX_FUNCTIONS && seen.insert(*callee) {
                        next.push(*callee);
                    }
                }
            }
            edge = next;
        }
    }
    found
}

/// The functions that a function calls, where that is certain.
fn called_by(code: &Code<'_>, function: At) -> Vec<At> {
    let source = code.source(function);
    let end = code.fact(function).end_line;
    let mut found = Vec::new();
    for (idx, fact) in source.facts.iter().enumerate().skip(function.fact) {
        if fact.line > end {
            break;
        }
        let at = At {
            file: function.file,
            fact: idx,
        };
        if fact.kind == FactKind::Call && code.ancestors(at).any(|above| above == function) {
            found.extend(callee(code, at));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The function that a call means: by its path, or by the type of what it is called on.
fn callee(code: &Code<'_>, call: At) -> Option<At> {
    let fact = code.fact(call);
    let before = match &fact.receiver {
        None => return code.meaning(call, &fact.name).filter(|at| is_function(code, *at)),
        Some(Value::Name(before)) => before.replace("->", "."),
        Some(_) => return None,
    };
    let whole = format!("{before}.{}", fact.name);
    if let Some(at) = code.meaning(call, &whole).filter(|at| is_function(code, *at)) {
        return Some(at);
    }
    let holder = code.meaning(call, &before)?;
    let annotation = code.fact(holder).annotation.as_str();
    let bare = last_name(annotation.split(['<', '?', ' ']).next().unwrap_or(annotation))
        .trim_start_matches(['*', '&']);
    let of_type = |at: &&At| code.type_of(**at).as_deref() == Some(bare);
    let mut methods = code.functions_named(&fact.name).iter().filter(of_type);
    let only = methods.next()?;
    methods.next().is_none().then_some(*only)
}

fn is_function(code: &Code<'_>, at: At) -> bool {
    let fact = code.fact(at);
    fact.kind == FactKind::Function
        || fact.kind == FactKind::Bind && matches!(fact.arguments.first(), Some(Value::Fact(_)))
}
