//! From what a route names to the definition that handles it: a function, a method of a class, a class with one method per verb.

use kitbag_types::{FactKind, Value};

use super::Handler;
use crate::code::{At, Code, last_name};

const METHODS: [&str; 7] = ["get", "post", "put", "patch", "delete", "head", "options"];

/// The definition that a value names, if that is certain.
pub(super) fn definition(code: &Code<'_>, from: At, value: &Value) -> Option<At> {
    match value {
        Value::Name(name) => by_name(code, from, name),
        Value::Fact(fact) => {
            let at = At {
                file: from.file,
                fact: *fact as usize,
            };
            let fact = code.fact(at);
            match fact.kind {
                FactKind::Block => Some(at),
                // `View.as_view()`, `wrap(handler)`, `Handler::new()`.
                FactKind::Call => {
                    if matches!(fact.name.as_str(), "as_view" | "asView" | "bind" | "with")
                        && let Some(receiver) = &fact.receiver
                    {
                        return definition(code, at, receiver);
                    }
                    let arguments = fact.arguments.iter().rev();
                    let inner = arguments
                        .filter(|value| matches!(value, Value::Name(_) | Value::Fact(_)))
                        .find_map(|value| definition(code, at, value));
                    inner.or_else(|| {
                        let path = match &fact.receiver {
                            Some(Value::Name(before)) => format!("{before}.{}", fact.name),
                            _ => fact.name.clone(),
                        };
                        by_name(code, at, &path)
                    })
                }
                _ => None,
            }
        }
        Value::List(items) => match items.as_slice() {
            // `[UsersController::class, 'show']`.
            [Value::Name(class), Value::Text(method)] => {
                member(code, last_name(class.trim_end_matches("::class")), method)
            }
            items => items.last().and_then(|last| definition(code, from, last)),
        },
        _ => None,
    }
}

fn by_name(code: &Code<'_>, from: At, name: &str) -> Option<At> {
    let bare = name.trim_end_matches("::class");
    let language = code.source(from).language.as_str();
    if let Some(found) = code.meaning(from, bare) {
        return match code.fact(found).kind {
            FactKind::Function | FactKind::Type => Some(found),
            FactKind::Bind => match code.fact(found).arguments.first() {
                Some(Value::Fact(_)) => Some(found),
                Some(Value::Name(other)) if other != name => code.meaning(found, other),
                _ => None,
            },
            _ => None,
        };
    }
    let last = last_name(bare);
    let fits = |at: &&At| code.source(**at).language == language && !code.source(**at).is_test;
    let functions: Vec<At> = code.functions_named(last).iter().filter(fits).copied().collect();
    if let [only] = functions.as_slice() {
        return Some(*only);
    }
    // `this.service.list`, `h.users.list`: the type of what stands before is not known; a type that is called like it may be.
    let before = bare
        .rsplit(['.', ':', '>'])
        .filter(|part| !part.is_empty())
        .nth(1)?;
    let before = before.trim_end_matches('-').to_lowercase();
    let mut near = functions.iter().filter(|at| {
        code.type_of(**at)
            .is_some_and(|holder| holder.to_lowercase().starts_with(before.trim_end_matches('s')))
    });
    let only = near.next()?;
    near.next().is_none().then_some(*only)
}

/// A method of a class by both names.
pub(super) fn member(code: &Code<'_>, class: &str, method: &str) -> Option<At> {
    let of_class = |at: &&At| code.type_of(**at).as_deref() == Some(class);
    let mut found = code.functions_named(method).iter().filter(of_class);
    let first = found.next()?;
    found.next().is_none().then_some(*first)
}

/// A definition as a handler.
pub(super) fn handler_of(code: &Code<'_>, at: At) -> Option<Handler> {
    Some(Handler {
        name: name_of(code, at),
        path: code.source(at).path.clone(),
        line: code.fact(at).line,
    })
}

/// `Type.method`, the name of a function, of the binding of a block; empty for a block alone.
pub(super) fn name_of(code: &Code<'_>, at: At) -> String {
    let fact = code.fact(at);
    match fact.kind {
        FactKind::Function => match code.type_of(at) {
            Some(holder) => format!("{}.{}", last_name(&holder), fact.name),
            None => fact.name.clone(),
        },
        _ => fact.name.clone(),
    }
}

/// The methods that a class handles: its functions that are called like them, else GET.
pub(super) fn class_methods(code: &Code<'_>, class: At) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut left = vec![class];
    let mut seen = 0;
    while let Some(class) = left.pop() {
        seen += 1;
        if seen > 12 {
            break;
        }
        for method in code.methods_of(class) {
            let name = code.fact(method).name.to_lowercase();
            let name = name.strip_prefix("on_").unwrap_or(&name);
            if METHODS.contains(&name) {
                found.push(name.to_uppercase());
            }
        }
        for base in &code.fact(class).arguments {
            if let Value::Name(name) = base
                && let Some(base) = code.meaning(class, name.split(['<', '[', '(']).next().unwrap_or(name))
                && code.fact(base).kind == FactKind::Type
            {
                left.push(base);
            }
        }
    }
    found.sort();
    found.dedup();
    if found.is_empty() {
        found.push("GET".to_owned());
    }
    found
}
