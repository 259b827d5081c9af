//! JSON schemas of arguments, as short as possible: an agent pays for every token of them in each conversation (MCP-2).

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The schema of `T` without what no client needs: titles, formats, `null` where leaving out means the same.
pub(crate) fn lean<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(|schema: &mut Schema| trim(schema)).transform(&mut schema);
    // The description of the tool says what it does.
    schema.remove("description");
    schema
}

/// The schema of an answer, for programs that generate a client.
pub(crate) fn answer<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    // The name of the Rust type is of no use to clients.
    schema.remove("title");
    schema.remove("description");
    schema
}

/// Adds the values that a field, or each value of a list, may have.
pub(crate) fn choices(mut schema: Schema, field: &str, choices: &[&str]) -> Schema {
    let property = schema.pointer_mut(&format!("/properties/{field}"));
    if let Some(property) = property {
        let is_list = property["type"] == "array";
        let value = if is_list { &mut property["items"] } else { property };
        value["enum"] = Value::from(choices);
    }
    schema
}

fn trim(schema: &mut Schema) {
    schema.remove("title");
    schema.remove("format");
    if schema.get("default").is_some_and(|value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    }) {
        schema.remove("default");
    }
    let kinds = schema.get("type").and_then(Value::as_array).cloned();
    if let Some([kind]) = kinds
        .map(|kinds| {
            kinds
                .into_iter()
                .filter(|kind| kind != "null")
                .collect::<Vec<_>>()
        })
        .as_deref()
    {
        let kind = kind.clone();
        schema.insert("type".to_owned(), kind);
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
}
