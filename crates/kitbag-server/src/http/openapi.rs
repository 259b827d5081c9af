//! The OpenAPI document, made from the same tables as the routes and the tools, so that it cannot disagree with them.

use std::sync::LazyLock;

use axum::body::Bytes;
use serde_json::{Map, Value, json};

use super::routes::{ROUTES, Route, Verb};
use crate::operations::{arguments_of, find};
use crate::{BUDGET, Operation, PROJECT};

/// The document as it is sent. It is made once: that takes milliseconds, and one connection may ask for it a thousand times.
pub(super) fn text() -> Bytes {
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| document().to_string().into());
    TEXT.clone()
}

fn document() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let verb = match route.verb {
            Verb::Get => "get",
            Verb::Post => "post",
            Verb::Delete => "delete",
        };
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[verb] = described(route, verb);
    }
    let plain = |summary: &str, kind: &str, schema: Value| {
        json!({"get": {
            "summary": summary,
            "responses": {"200": {"description": "It is.", "content": {kind: {"schema": schema}}}, "default": problem()},
        }})
    };
    let object = json!({"type": "object"});
    paths.insert(
        "/health".into(),
        plain(
            "Whether the server runs",
            "application/json",
            json!({
                "type": "object",
                "required": ["status", "version", "indexing", "percent"],
            }),
        ),
    );
    paths.insert(
        "/metrics".into(),
        plain(
            "Metrics in the format of Prometheus",
            "text/plain",
            json!({"type": "string"}),
        ),
    );
    paths.insert(
        "/openapi.json".into(),
        plain("This document", "application/json", object.clone()),
    );
    paths.insert("/rpc".into(), json!({"post": {
        "summary": "JSON-RPC 2.0: every operation under its name; batches of up to 50",
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"oneOf": [
            {"$ref": "#/components/schemas/Call"},
            {"type": "array", "minItems": 1, "maxItems": 50, "items": {"$ref": "#/components/schemas/Call"}},
        ]}}}},
        "responses": {
            "200": {"description": "Results or errors, as JSON-RPC has them.", "content": {"application/json": {"schema": {
                "oneOf": [object.clone(), {"type": "array"}],
            }}}},
            "204": {"description": "Only notifications were sent."},
            "default": problem(),
        },
    }}));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Kitbag",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Context for coding agents, from this machine. MCP is at /mcp.",
        },
        "paths": paths,
        "security": [{}, {"bearer": []}, {"key": []}],
        "components": {
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"},
            },
            "schemas": {
                "Problem": {
                    "type": "object",
                    "required": ["type", "title", "status", "detail", "code"],
                    "properties": {
                        "type": {"type": "string"},
                        "title": {"type": "string"},
                        "status": {"type": "integer"},
                        "detail": {"type": "string"},
                        "code": {"type": "string"},
                        "hint": {"type": "string"},
                    },
                },
                "Call": {
                    "type": "object",
                    "required": ["jsonrpc", "method"],
                    "properties": {
                        "jsonrpc": {"const": "2.0"},
                        "method": {"type": "string"},
                        "params": {"type": "object"},
                        "id": {"type": ["string", "integer", "null"]},
                    },
                },
            },
        },
    })
}

fn described(route: &Route, verb: &str) -> Value {
    let operation = find(route.operation).expect("every route is an operation: there is a test");
    let mut described = json!({
        "operationId": format!("{verb}{}", route.path.replace(['/', '{', '}', '.'], "_")),
        "summary": route.says.unwrap_or(operation.description),
        "responses": {
            "200": {"description": "The answer.", "content": {
                "application/json": {"schema": (operation.reply)()},
                "text/markdown": {"schema": {"type": "string"}},
            }},
            "default": problem(),
        },
    });
    let names = route
        .path
        .split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let in_path: Vec<&str> = names.collect();
    let mut parameters: Vec<Value> = in_path
        .iter()
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}))
        .collect();
    let schema = arguments(operation);
    let properties = schema.get("properties").and_then(Value::as_object);
    if route.verb == Verb::Get {
        let others = properties
            .into_iter()
            .flatten()
            .filter(|(name, _)| !in_path.contains(&name.as_str()));
        parameters
            .extend(others.map(|(name, schema)| json!({"name": name, "in": "query", "schema": schema})));
    }
    if !parameters.is_empty() {
        described["parameters"] = Value::Array(parameters);
    }
    if route.verb == Verb::Post {
        described["requestBody"] = json!({
            "required": true,
            "content": {"application/json": {"schema": widened(schema)}},
        });
    }
    described
}

/// The arguments of the operation, and those of every operation: the project, and the other name of `max_tokens`.
fn arguments(operation: &Operation) -> Value {
    let mut schema = arguments_of(operation).clone().to_value();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        if let Some(mut tokens) = properties.get("max_tokens").cloned() {
            tokens["description"] = json!("The same as max_tokens.");
            properties.insert(BUDGET.to_owned(), tokens);
        }
        let project = json!({"type": "string", "description": "The root of the project, if you want to be sure which one answers."});
        properties.insert(PROJECT.to_owned(), project);
    }
    schema
}

/// The schema of a body with the other accepted forms of a value (MCP-8): a number or boolean as text, a list of one without
/// brackets, `null` for a missing value. `minimum` applies to numbers only, `pattern` to texts.
fn widened(mut schema: Value) -> Value {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required = |name: &str| {
        let mut names = required.as_array().into_iter().flatten();
        names.any(|required| required == name)
    };
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        let kind = property["type"].as_str().unwrap_or_default().to_owned();
        let (more, pattern): (&[&str], Option<&str>) = match kind.as_str() {
            "integer" | "number" => (&["string"], Some(r"^\s*[+-]?[0-9][0-9.eE+-]*\s*$")),
            "boolean" => (
                &["string"],
                Some(r"^\s*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])\s*$"),
            ),
            "array" if property["items"]["type"] == "object" => (&["object", "string"], None),
            "array" => (&["string"], None),
            _ => (&[], None),
        };
        let mut kinds: Vec<&str> = [&[kind.as_str()], more].concat();
        if !is_required(name) {
            kinds.push("null");
            if let Some(Value::Array(values)) = property.get_mut("enum") {
                values.push(Value::Null);
            }
        }
        property["type"] = json!(kinds);
        if let Some(pattern) = pattern {
            property["pattern"] = json!(pattern);
        }
    }
    schema
}

fn problem() -> Value {
    json!({"description": "What is wrong and what to do about it.", "content": {
        "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}},
    }})
}
