//! Rocket: routes that functions hand on as a list (`fn routes() -> Vec<Route> { routes![show] }`) until one of them is mounted. The
//! function may have another name where it is called (`pub use core::routes as core_routes`).

use std::collections::BTreeSet;

use kitbag_types::{FactKind, Value};

use super::exports::used;
use super::join;
use crate::code::{At, Code, folder_of, last_name};

/// The prefixes that a handler is mounted under; none if that cannot be told.
pub(super) fn prefixes(code: &Code<'_>, handler: At) -> BTreeSet<String> {
    let name = code.fact(handler).name.as_str();
    let is_only = code.functions_named(name).len() == 1;
    let lists = code.calls_named("routes").iter().filter(|at| {
        let lists = |value: &Value| matches!(value, Value::Name(own) if last_name(own) == name);
        (at.file == handler.file || is_only) && code.fact(**at).arguments.iter().any(lists)
    });
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for list in lists {
        above(code, *list, &mut seen, &mut found);
    }
    found
}

fn above(code: &Code<'_>, at: At, seen: &mut BTreeSet<At>, found: &mut BTreeSet<String>) {
    for holder in code.ancestors(at) {
        let fact = code.fact(holder);
        match fact.kind {
            FactKind::Call if fact.name == "mount" => {
                found.extend(
                    fact.arguments
                        .first()
                        .and_then(|value| prefix(code, holder, value)),
                );
                return;
            }
            FactKind::Function => {
                if seen.insert(holder) {
                    for call in calls(code, holder) {
                        above(code, call, seen, found);
                    }
                }
                return;
            }
            _ => {}
        }
    }
}

/// `"/api"`, `[base, "/api"].concat()`: what is known of it.
fn prefix(code: &Code<'_>, at: At, value: &Value) -> Option<String> {
    match value {
        Value::Fact(call) => {
            let call = At {
                file: at.file,
                fact: *call as usize,
            };
            match &code.fact(call).receiver {
                Some(Value::List(parts)) => {
                    let texts = parts.iter().filter_map(|part| match part {
                        Value::Text(text) => Some(text.as_str()),
                        _ => None,
                    });
                    Some(texts.fold(String::new(), |whole, part| join(&whole, part)))
                }
                _ => None,
            }
        }
        value => code.text(at, value),
    }
}

/// The calls of a function by its own name behind that of its module, and by names that it was given elsewhere.
fn calls(code: &Code<'_>, function: At) -> Vec<At> {
    let name = code.fact(function).name.as_str();
    let path = code.source(function).path.as_str();
    let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".rs");
    let module = match stem {
        "mod" | "lib" | "main" => folder_of(path).rsplit('/').next().unwrap_or_default(),
        stem => stem,
    };
    let own = code
        .calls_named(name)
        .iter()
        .copied()
        .filter(|at| match &code.fact(*at).receiver {
            None => at.file == function.file,
            Some(Value::Name(before)) => last_name(before) == module,
            Some(_) => false,
        });
    let mut found: Vec<At> = own.collect();
    for import in code
        .all(FactKind::Import)
        .filter(|at| code.source(*at).language == "rust")
    {
        let annotation = &code.fact(import).annotation;
        if !annotation.contains(" as ") {
            continue;
        }
        for used in used(annotation) {
            let is_it =
                matches!(used.path.as_slice(), [.., before, last] if before == module && last == name);
            if is_it && used.name != name {
                found.extend(code.calls_named(&used.name));
            }
        }
    }
    found
}
