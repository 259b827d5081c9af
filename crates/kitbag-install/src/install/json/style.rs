//! The style of a JSON file, guessed from its text, for writing new values: line ends, indentation, one property per line or all on
//! one. An entry keeps the order of its keys, which `serde_json` would sort.

use serde_json::Value;

use crate::install::entry::Entry;
use crate::install::splice::newline_of;

/// A value to write. An entry keeps the order of its keys, which `serde_json::Value` does not.
pub(super) enum Ordered<'e> {
    Value(&'e Value),
    Entry(&'e Entry),
    Nested(String, Box<Ordered<'e>>),
}

/// The entry inside objects of one key each.
pub(super) fn ordered<'e>(value: &Value, entry: &'e Entry) -> Ordered<'e> {
    match value.as_object().and_then(|object| object.iter().next()) {
        Some((name, inner)) if *value != entry.to_value() => {
            Ordered::Nested(name.clone(), Box::new(ordered(inner, entry)))
        }
        _ => Ordered::Entry(entry),
    }
}

/// The style of a file.
pub(super) struct Style {
    pub(super) newline: &'static str,
    /// One step of indentation.
    pub(super) unit: String,
    /// Between a colon and its value.
    pub(super) space: &'static str,
    /// One property per line.
    pub(super) lines: bool,
}

impl Style {
    pub(super) fn of(text: &str) -> Style {
        let indents = text
            .lines()
            .map(|line| &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]);
        let unit = indents
            .into_iter()
            .find(|indent| !indent.is_empty())
            .unwrap_or("  ");
        // A bare `{}` shows no style; a single line with values was written by a program that minimises.
        let is_one_line = !text.trim().contains('\n') && text.contains(':');
        let is_dense = is_one_line && !text.contains("\": ");
        Style {
            newline: newline_of(text),
            unit: if unit.starts_with('\t') {
                "\t".to_owned()
            } else {
                unit.to_owned()
            },
            space: if is_dense { "" } else { " " },
            lines: !is_one_line,
        }
    }

    pub(super) fn render(&self, value: &Ordered<'_>, indent: &str, lines: bool) -> String {
        let pairs: Vec<(Value, String)> = match value {
            Ordered::Value(value) => return self.inline(value),
            Ordered::Entry(entry) => {
                let pairs = entry.pairs.iter();
                pairs
                    .map(|(key, value)| (Value::from(*key), self.inline(value)))
                    .collect()
            }
            Ordered::Nested(name, inner) => {
                let indent = format!("{indent}{}", self.unit);
                vec![(Value::from(name.as_str()), self.render(inner, &indent, lines))]
            }
        };
        let pairs = pairs
            .into_iter()
            .map(|(key, value)| format!("{key}:{}{value}", self.space));
        if !lines {
            return format!(
                "{{{}}}",
                pairs.collect::<Vec<_>>().join(&format!(",{}", self.space))
            );
        }
        let inside = format!("{}{indent}{}", self.newline, self.unit);
        let pairs: Vec<String> = pairs.map(|pair| format!("{inside}{pair}")).collect();
        format!("{{{}{}{indent}}}", pairs.join(","), self.newline)
    }

    fn inline(&self, value: &Value) -> String {
        match value {
            Value::Array(values) => {
                let values: Vec<String> = values.iter().map(|value| self.inline(value)).collect();
                format!("[{}]", values.join(&format!(",{}", self.space)))
            }
            other => other.to_string(),
        }
    }
}
