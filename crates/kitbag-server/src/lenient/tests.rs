//! Which arguments are accepted, and which are refused by name (MCP-8).

use kitbag_testkit::fuzz::{Material, fuzz};
use serde_json::json;

use super::*;
use crate::operations::{OPERATIONS, find};

fn take(operation: &str, given: Value) -> Result<Value, String> {
    let operation = find(operation).expect("it is one");
    understood(operation, given)
        .map(Value::Object)
        .map_err(|failure| format!("[{}] {}", failure.code, failure.message))
}

#[track_caller]
fn check(operation: &str, given: Value, expected: Value) {
    assert_eq!(take(operation, given), Ok(expected));
}

#[test]
fn mcp_8_values_are_taken_as_they_are_meant() {
    let search = |given: Value, expected: Value| check("search", given, expected);
    search(
        json!({"query": "x", "top": "20"}),
        json!({"query": "x", "top": 20}),
    );
    search(
        json!({"query": "x", "top": 20.0}),
        json!({"query": "x", "top": 20}),
    );
    search(json!({"min_score": "0.5"}), json!({"min_score": 0.5}));
    search(
        json!({"languages": "typescript"}),
        json!({"languages": ["typescript"]}),
    );
    search(
        json!({"languages": "[\"go\", \"c\"]"}),
        json!({"languages": ["go", "c"]}),
    );
    search(
        json!({"paths": "src/[ab]*.rs"}),
        json!({"paths": ["src/[ab]*.rs"]}),
    );
    search(json!({"paths": null, "top": null}), json!({}));
    let unknown = take("search", json!({"nonsense": null}));
    assert!(unknown.is_err_and(|error| error.contains("unknown argument `nonsense`")));
    search(Value::Null, json!({}));
    check(
        "refresh_context",
        json!({"force": "True"}),
        json!({"force": true}),
    );
    let source = json!({"kind": "message", "content": "x"});
    check("pack", json!({"sources": source}), json!({"sources": [source]}));
}

#[test]
fn mcp_8_what_could_mean_two_things_stays_and_is_refused_later() {
    for given in [
        json!({"top": "many"}),
        json!({"top": "2.5"}),
        json!({"top": ""}),
        json!({"query": 5}),
        json!({"query": ["a"]}),
        json!({"languages": 5}),
    ] {
        check("search", given.clone(), given);
    }
    check("refresh_context", json!({"force": "1"}), json!({"force": "1"}));
}

#[test]
fn mcp_8_a_budget_is_max_tokens() {
    let query = |given: Value| take("query_context", given);
    assert_eq!(query(json!({"budget": "1500"})), Ok(json!({"max_tokens": 1500})));
    assert_eq!(
        query(json!({"budget": "1500", "max_tokens": 1500})),
        Ok(json!({"max_tokens": 1500}))
    );
    assert_eq!(
        query(json!({"budget": 1500, "max_tokens": 2000})),
        Err("[INVALID_ARGUMENTS] query_context: `max_tokens` and `budget` are the same thing; 1500 and 2000 were given".to_owned())
    );
    assert!(take("search", json!({"budget": 5})).is_err(), "it takes none");
}

#[test]
fn mcp_8_an_unknown_field_is_refused_with_the_nearest() {
    let refused = |operation: &str, given: Value| take(operation, given).unwrap_err();
    assert_eq!(
        refused("query_context", json!({"query": "x", "max_token": 5})),
        "[INVALID_ARGUMENTS] query_context: unknown argument `max_token`; did you mean `max_tokens`?"
    );
    assert_eq!(
        refused("locate_symbol", json!({"colour": 1})),
        "[INVALID_ARGUMENTS] locate_symbol: unknown argument `colour`; known are limit, max_tokens, name, package, scope, project"
    );
    assert_eq!(
        refused("locate_symbol", json!([1])),
        "[INVALID_ARGUMENTS] locate_symbol: the arguments must be an object"
    );
    check(
        "locate_symbol",
        json!({"project": "/x"}),
        json!({"project": "/x"}),
    );
}

/// All numbers in all schemas, with operation and name.
fn numbers() -> Vec<(&'static str, String, Value)> {
    let mut found = Vec::new();
    for operation in OPERATIONS {
        let schema = (operation.schema)();
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            if property["type"] == "integer" || property["type"] == "number" {
                found.push((operation.name, name.clone(), property.clone()));
            }
        }
    }
    found
}

#[test]
fn sec_4_every_number_has_a_range_and_others_are_refused_with_it() {
    let numbers = numbers();
    assert!(numbers.len() > 10, "{numbers:?}");
    for (operation, name, property) in numbers {
        let bound = |which: &str| {
            property[which]
                .as_f64()
                .unwrap_or_else(|| panic!("{operation}: {name} has no {which}"))
        };
        let (least, most) = (bound("minimum"), bound("maximum"));
        let is_whole = property["type"] == "integer";
        let step = if is_whole { 1.0 } else { 0.5 };
        let written = |number: f64| match is_whole {
            true => json!(number as i64),
            false => json!(number),
        };
        for number in [least, most] {
            assert!(
                take(operation, json!({&name: written(number)})).is_ok(),
                "{operation}: {name} {number}"
            );
        }
        for number in [least - step, most + step, -9e15, 8e15] {
            let is_outside = number < least || number > most;
            if !is_outside {
                continue;
            }
            for given in [written(number), Value::from(written(number).to_string())] {
                let error = take(operation, json!({&name: given})).unwrap_err();
                let range = format!(
                    "{name} must be between {} and {}",
                    property["minimum"], property["maximum"]
                );
                assert!(error.contains(&range), "{operation}: {error}");
            }
        }
    }
    let error = take("pack", json!({"task": "x", "complexity": 255})).unwrap_err();
    assert_eq!(
        error,
        "[INVALID_ARGUMENTS] pack: complexity must be between 1 and 10, not 255"
    );
}

#[test]
fn sec_6_fuzz_arguments() {
    let names: Vec<String> = OPERATIONS
        .iter()
        .flat_map(|operation| {
            let schema = (operation.schema)();
            let known = schema
                .get("properties")
                .and_then(Value::as_object)
                .cloned()
                .unwrap_or_default();
            known
                .into_iter()
                .map(|(name, _)| format!("\"{name}\":"))
                .collect::<Vec<_>>()
        })
        .collect();
    let mut words = names.clone();
    words.extend(
        [
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"x\"",
            "null",
            "true",
            "\"true\"",
            "-1",
            "1e400",
            "\"20\"",
            "\"[1]\"",
            "\"budget\":",
        ]
        .map(str::to_owned),
    );
    let samples: Vec<String> = names
        .iter()
        .map(|name| format!("{{{name}\"2\",\"query\":\"x\"}}"))
        .collect();
    fuzz("arguments", &Material::new(&samples, &words), |input| {
        let Ok(given) = serde_json::from_slice::<Value>(input) else {
            return;
        };
        for operation in OPERATIONS {
            let _ = understood(operation, given.clone());
        }
    });
}
