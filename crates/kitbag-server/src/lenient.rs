//! Accepts arguments as models and scripts write them (MCP-8): `"2000"` is a number, `"rust"` a list of one, `null` a missing
//! value. A value is converted if the operation's schema allows only one meaning; otherwise it is passed on unchanged and
//! refused by name. An unknown field is refused with the nearest known one. All doors use this, so that they accept the same.

use kitbag_types::amount;
use serde_json::{Map, Number, Value};

use super::Operation;
use super::operations::arguments_of;
use kitbag_door::failure::Failure;
use kitbag_door::settings::nearest;

const MAX_TOKENS: &str = "max_tokens";
/// The name that replies have for `max_tokens`.
pub(crate) const BUDGET: &str = "budget";

/// The argument of every operation that names a project.
pub(crate) const PROJECT: &str = "project";

/// Names of arguments in older contracts, where nothing else has that name.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("contextItemId", "items"),
    ("context_item_id", "items"),
    ("files", "cites"),
    ("maxTokens", "max_tokens"),
    ("systemTokens", "system_tokens"),
    ("threadId", "thread"),
    ("thread_id", "thread"),
];

/// Converts and checks the arguments of a call.
pub(crate) fn understood(operation: &Operation, given: Value) -> Result<Map<String, Value>, Failure> {
    let refuse = |message: String| {
        let message = format!("{}: {message}", operation.name);
        Failure::wrong_use("INVALID_ARGUMENTS", message)
    };
    let given = match given {
        Value::Null => Map::new(),
        Value::Object(given) => given,
        // A list would be read as the fields in order, which is not part of the contract.
        _ => return Err(refuse("the arguments must be an object".to_owned())),
    };
    let schema = arguments_of(operation);
    let none = Map::new();
    let known = schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&none);
    let mut understood = Map::new();
    for (name, value) in given {
        let name = match name.as_str() {
            BUDGET if !known.contains_key(BUDGET) && known.contains_key(MAX_TOKENS) => MAX_TOKENS.to_owned(),
            given => {
                let other = OTHER_NAMES.iter().find(|(other, name)| {
                    *other == given && !known.contains_key(given) && known.contains_key(*name)
                });
                other.map_or(given, |(_, name)| name).to_owned()
            }
        };
        if value.is_null() && (name == PROJECT || known.contains_key(&name)) {
            continue;
        }
        let meant = match known.get(&name) {
            Some(schema) => {
                let meant = meant(schema, value);
                in_range(&name, schema, &meant).map_err(|message| {
                    let message = format!("{}: {message}", operation.name);
                    Failure::wrong_use(code_of(&name), message)
                })?;
                meant
            }
            None if name == PROJECT => value,
            None => return Err(refuse(unknown(&name, known))),
        };
        if let Some(other) = understood.get(&name)
            && *other != meant
        {
            let message =
                format!("`{MAX_TOKENS}` and `{BUDGET}` are the same thing; {other} and {meant} were given");
            return Err(refuse(message));
        }
        understood.insert(name, meant);
    }
    Ok(understood)
}

/// Refuses a number outside the range of the schema, whatever the operation would make of it.
fn in_range(name: &str, schema: &Value, value: &Value) -> Result<(), String> {
    let Some(number) = value.as_f64() else {
        return Ok(());
    };
    let bound = |which: &str| schema.get(which).filter(|bound| bound.is_number());
    let (Some(least), Some(most)) = (bound("minimum"), bound("maximum")) else {
        return Ok(());
    };
    let is_in = |bound: &Value, is_met: fn(&f64, &f64) -> bool| {
        bound.as_f64().is_none_or(|bound| is_met(&number, &bound))
    };
    if is_in(least, f64::ge) && is_in(most, f64::le) {
        return Ok(());
    }
    Err(format!("{name} must be between {least} and {most}, not {value}"))
}

/// The code that the command line and the engine give for the same mistake (ERR-1).
fn code_of(name: &str) -> &'static str {
    match name {
        MAX_TOKENS => "BUDGET_ERROR",
        "top" => "INVALID_TOP",
        "limit" => "INVALID_LIMIT",
        "min_score" => "INVALID_SCORE",
        "mmr_lambda" => "INVALID_LAMBDA",
        _ => "INVALID_ARGUMENTS",
    }
}

fn unknown(name: &str, known: &Map<String, Value>) -> String {
    let names = || known.keys().map(String::as_str).chain([PROJECT]);
    let budget = known.contains_key(MAX_TOKENS).then_some(BUDGET);
    match nearest(name, names().chain(budget)) {
        Some(near) => format!("unknown argument `{name}`; did you mean `{near}`?"),
        None => {
            let all: Vec<&str> = names().collect();
            format!("unknown argument `{name}`; known are {}", all.join(", "))
        }
    }
}

/// The value in the type of the schema, if there is exactly one way to convert it.
fn meant(schema: &Value, value: Value) -> Value {
    match (schema["type"].as_str(), &value) {
        (Some("integer"), Value::String(text)) => whole(text.trim()).map_or(value, Value::Number),
        (Some("integer"), Value::Number(number)) => whole(&number.to_string()).map_or(value, Value::Number),
        (Some("number"), Value::String(text)) => text
            .trim()
            .parse::<f64>()
            .ok()
            .and_then(Number::from_f64)
            .map_or(value, Value::Number),
        (Some("boolean"), Value::String(text)) => match text.trim().to_ascii_lowercase().as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => value,
        },
        (Some("array"), Value::String(text)) => match serde_json::from_str(text) {
            // Some models write a list as JSON inside a string.
            Ok(list @ Value::Array(_)) => list,
            _ if schema["items"]["type"] == "string" => Value::Array(vec![value]),
            _ => value,
        },
        (Some("array"), Value::Object(_)) if schema["items"]["type"] == "object" => Value::Array(vec![value]),
        _ => value,
    }
}

/// `2000`, `2000.0`, `2e3`, `2k`, but not `2000.5`.
fn whole(text: &str) -> Option<Number> {
    if let Ok(number) = text.parse::<i64>() {
        return Some(number.into());
    }
    if let Some(number) = amount(text) {
        return Some(number.into());
    }
    let number: f64 = text.parse().ok()?;
    // Every whole number up to this one is exact.
    (number.fract() == 0.0 && number.abs() < 9e15).then(|| (number as i64).into())
}

#[cfg(test)]
mod tests;
