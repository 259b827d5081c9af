//! How many routes a call makes that runs more than once: in a loop, in a function that is called several times. Counted where the
//! values are written down, else unknown.

use kitbag_types::{FactKind, Value};

use crate::code::{At, Code, last_name};

/// Functions that are called by functions are followed this far up.
const MAX_CALLERS: u32 = 4;
/// Calls that run their block for every value of what they are called on.
const EACH: &[&str] = &[
    "each",
    "each_with_index",
    "forEach",
    "map",
    "flatMap",
    "for_each",
    "ForEach",
];

/// How often a place runs. `None`: only the program knows.
pub(super) fn times(code: &Code<'_>, at: At) -> Option<u64> {
    within(code, at, 0)
}

fn within(code: &Code<'_>, at: At, depth: u32) -> Option<u64> {
    let mut times = 1_u64;
    for above in code.ancestors(at) {
        match repeats(code, above) {
            Some(values) => times = times.saturating_mul(length(code, above, values?)?),
            None if code.fact(above).kind == FactKind::Function => {
                return Some(times.saturating_mul(calls(code, above, depth)?));
            }
            None => {}
        }
    }
    Some(times)
}

/// Whether a value is different every time that a place runs: the variable of a loop, or of a block that is run for each value.
pub(super) fn is_varied(code: &Code<'_>, at: At, value: &Value) -> bool {
    let names: Vec<&str> = match value {
        Value::Name(name) => vec![name],
        Value::Joined(parts) => parts
            .iter()
            .filter_map(|part| match part {
                Value::Name(name) => Some(name.as_str()),
                _ => None,
            })
            .collect(),
        _ => return false,
    };
    let is_word = |text: &str, name: &str| {
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.any(|word| word == name.trim_start_matches('$'))
    };
    let first = |name: &&str| name.split(['.', '[', '-']).next().unwrap_or(name).to_owned();
    let names: Vec<String> = names.iter().map(first).collect();
    code.ancestors(at).any(|above| {
        let fact = code.fact(above);
        repeats(code, above).is_some()
            && match fact.kind {
                FactKind::Loop => names.iter().any(|name| is_word(&fact.name, name)),
                // A parameter of the block, or a name of which nothing is known, as parameters in parentheses are.
                _ => names.iter().any(|name| match code.lookup(at, name) {
                    Some(known) => {
                        code.fact(known).kind == FactKind::Parameter && code.parent(known) == Some(above)
                    }
                    None => true,
                }),
            }
    })
}

/// Of what repeats what is in it: the values it goes over, if they are told.
fn repeats<'c>(code: &Code<'c>, at: At) -> Option<Option<&'c Value>> {
    let fact = code.fact(at);
    match fact.kind {
        FactKind::Loop => Some(fact.arguments.first()),
        FactKind::Block => {
            let call = code.fact(code.parent(at)?);
            let is_each = call.kind == FactKind::Call && EACH.contains(&call.name.as_str());
            is_each.then_some(call.receiver.as_ref())
        }
        _ => None,
    }
}

fn length(code: &Code<'_>, at: At, value: &Value) -> Option<u64> {
    match value {
        Value::List(items) => Some(items.len() as u64),
        Value::Name(name) => {
            let bound = code.meaning(at, name)?;
            let fact = code.fact(bound);
            match fact.arguments.first().filter(|_| fact.kind == FactKind::Bind)? {
                Value::List(items) => Some(items.len() as u64),
                _ => None,
            }
        }
        // `Object.entries({…})`, `enumerate([…])`.
        Value::Fact(call) => {
            let call = At {
                file: at.file,
                fact: *call as usize,
            };
            let fact = code.fact(call);
            let is_view = matches!(
                last_name(&fact.name),
                "entries" | "keys" | "values" | "items" | "enumerate"
            );
            match (fact.arguments.first(), &fact.receiver) {
                (Some(value @ (Value::List(_) | Value::Name(_))), _) if is_view => length(code, call, value),
                (None, Some(value @ (Value::List(_) | Value::Name(_)))) if is_view => {
                    length(code, call, value)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// How often a function of its own is called. A method may be called in ways that are not seen.
fn calls(code: &Code<'_>, function: At, depth: u32) -> Option<u64> {
    let fact = code.fact(function);
    if matches!(fact.name.as_str(), "main" | "Main") && fact.parent.is_none() {
        return Some(1);
    }
    let is_free =
        fact.parent.is_none() && fact.receiver.is_none() && code.functions_named(&fact.name).len() == 1;
    let language = &code.source(function).language;
    let own = code.calls_named(&fact.name).iter();
    let callers: Vec<At> = own
        .copied()
        .filter(|at| code.source(*at).language == *language && !code.source(*at).is_test)
        .collect();
    if !is_free || depth >= MAX_CALLERS || callers.is_empty() || callers.len() > 50 {
        return None;
    }
    let times = callers.iter().map(|at| within(code, *at, depth + 1));
    times.sum()
}
