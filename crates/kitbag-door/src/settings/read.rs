//! Reads one `kitbag.toml`: text in; checked values with their places, or all errors, out.
//!
//! It walks the parsed document with spans instead of deserialising into structs: serde stops at the first error, cannot
//! suggest the nearest key, and would spread the list of settings over attributes. If a file has syntax errors, only those
//! are reported: other errors in a half-read document would be noise.

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, Place};
use super::expand::expand;
use super::keys::{self, CHUNKING, KEYS, Key, Kind, SECTIONS};
use super::suggest::nearest;
use super::values::{HIDDEN, Value, checked, shortened};
use crate::env::Variables;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingValue {
    /// Section and name: `indexing.hidden`, `chunking.rust.overlap_percent`.
    pub key: String,
    pub value: Value,
    pub place: Place,
}

/// The values of one file in the order of the document, and its errors by place.
pub fn read(
    path: &Path,
    text: &str,
    variables: &Variables,
    languages: &[&str],
) -> (Vec<SettingValue>, Vec<ConfigError>) {
    let mut reader = Reader {
        path,
        text,
        breaks: text.match_indices('\n').map(|(at, _)| at).collect(),
        variables,
        languages,
        given: Vec::new(),
        errors: Vec::new(),
    };
    let (document, syntax) = DeTable::parse_recoverable(text);
    if syntax.is_empty() {
        reader.table("", document.get_ref());
    }
    for error in syntax {
        reader.error(error.span().unwrap_or(0..0), error.message().to_owned());
    }
    reader.errors.sort_by_key(|error| match error.place {
        Place::File { line, column, .. } => (line, column),
        _ => (0, 0),
    });
    (reader.given, reader.errors)
}

/// The most errors reported per file; a hostile file can have one per byte (SEC-4).
const MOST_ERRORS: usize = 100;

struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    /// The offsets of line breaks, found once: searching them for each error would be quadratic.
    breaks: Vec<usize>,
    variables: &'a Variables,
    languages: &'a [&'a str],
    given: Vec<SettingValue>,
    errors: Vec<ConfigError>,
}

impl Reader<'_> {
    fn table(&mut self, section: &str, table: &DeTable<'_>) {
        for (name, value) in table.iter() {
            let full = if section.is_empty() {
                name.get_ref().to_string()
            } else {
                format!("{section}.{}", name.get_ref())
            };
            match (keys::find(section, name.get_ref()), value.get_ref()) {
                (Some(key), _) => self.value(full, key, value),
                (None, DeValue::Table(inner)) if is_section(&full) => self.table(&full, inner),
                (None, DeValue::Table(inner)) if section == CHUNKING => self.language(name, &full, inner),
                (None, DeValue::Table(_)) => {
                    self.error(name.span(), unknown_section(section, name.get_ref()))
                }
                (None, _) if is_section(&full) => {
                    self.error(
                        name.span(),
                        format!("{full} is a section: write [{full}] above its keys"),
                    );
                }
                (None, _) => self.error(name.span(), unknown_key(section, name.get_ref())),
            }
        }
    }

    fn language(&mut self, name: &Spanned<std::borrow::Cow<'_, str>>, full: &str, table: &DeTable<'_>) {
        let known = self.languages.iter().copied();
        if self.languages.contains(&name.get_ref().as_ref()) {
            return self.table(full, table);
        }
        let hint = nearest(name.get_ref(), known).map_or_else(
            || "`kitbag languages` lists them".to_owned(),
            |near| format!("did you mean [{CHUNKING}.{near}]?"),
        );
        self.error(
            name.span(),
            format!("unknown language in [{}]; {hint}", shortened(full)),
        );
    }

    fn value(&mut self, full: String, key: &Key, value: &Spanned<DeValue<'_>>) {
        let shown = if key.kind.is_secret() {
            HIDDEN.to_owned()
        } else {
            self.shown(value)
        };
        let checked_value = match self.typed(value, key.kind) {
            Err((span, message)) => {
                return self.error(span, format!("{full} = {shown}: {message}"));
            }
            Ok(None) => Err(key.kind.allowed()),
            Ok(Some(typed)) => checked(typed, key.kind),
        };
        match checked_value {
            Ok(value_) => {
                let place = self.place(value.span());
                self.given.push(SettingValue {
                    key: full,
                    value: value_,
                    place,
                });
            }
            // Shows what the user wrote, not what `${VAR}` became: that may be a secret.
            Err(allowed) => self.error(value.span(), format!("{full} = {shown}: expected {allowed}")),
        }
    }

    /// Converts the document's value; `None` if no setting of this kind can have its type.
    fn typed(
        &self,
        value: &Spanned<DeValue<'_>>,
        kind: Kind,
    ) -> Result<Option<Value>, (Range<usize>, String)> {
        Ok(match (kind, value.get_ref()) {
            (_, DeValue::Boolean(on)) => Some(Value::Bool(*on)),
            (_, DeValue::Integer(n)) => u64::from_str_radix(n.as_str(), n.radix()).ok().map(Value::Count),
            (_, DeValue::Float(x)) => x.as_str().parse().ok().map(Value::Ratio),
            (_, DeValue::String(text)) => Some(Value::Text(self.expanded(text, value.span())?)),
            (Kind::List(_), DeValue::Array(items)) => {
                let mut list = Vec::with_capacity(items.len());
                for item in items.iter() {
                    let Some(text) = item.get_ref().as_str() else {
                        return Ok(None);
                    };
                    list.push(self.expanded(text, item.span())?);
                }
                Some(Value::List(list))
            }
            _ => None,
        })
    }

    fn expanded(&self, text: &str, span: Range<usize>) -> Result<String, (Range<usize>, String)> {
        expand(text, self.variables).map_err(|error| {
            // Points at the reference itself if the file has it as in the value, without escapes before it.
            let source = self.text.get(span.clone()).unwrap_or_default();
            let start = span.start + source.find(&error.reference).unwrap_or(0);
            (start..span.end, error.message)
        })
    }

    fn shown(&self, value: &Spanned<DeValue<'_>>) -> String {
        shortened(self.text.get(value.span()).unwrap_or_default())
    }

    fn error(&mut self, span: Range<usize>, message: String) {
        if self.errors.len() >= MOST_ERRORS {
            return;
        }
        let place = self.place(span);
        self.errors.push(ConfigError { place, message });
    }

    fn place(&self, span: Range<usize>) -> Place {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let n_breaks = self.breaks.partition_point(|at| *at < before.len());
        let line_start = n_breaks.checked_sub(1).map_or(0, |last| self.breaks[last] + 1);
        Place::File {
            path: self.path.to_path_buf(),
            line: n_breaks + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// A section of the table, or one that holds such sections (`providers`).
fn is_section(full: &str) -> bool {
    SECTIONS.iter().any(|(section, _)| {
        section
            .strip_prefix(full)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

fn unknown_key(section: &str, name: &str) -> String {
    let full = if section.is_empty() {
        name.to_owned()
    } else {
        format!("{section}.{name}")
    };
    let full = shortened(&full);
    if let Some(near) = nearest(name, keys::names_in(section)) {
        return format!("unknown key {full}; did you mean {near}?");
    }
    if let Some(key) = KEYS.iter().find(|key| key.name == name) {
        return format!("unknown key {full}; {name} belongs in [{}]", key.section);
    }
    let known: Vec<&str> = keys::names_in(section).collect();
    if known.is_empty() {
        return format!(
            "unknown key {full}; keys stand in sections: {}",
            sections().join(", ")
        );
    }
    format!("unknown key {full}; [{section}] has {}", known.join(", "))
}

fn unknown_section(section: &str, name: &str) -> String {
    let full = if section.is_empty() {
        name.to_owned()
    } else {
        format!("{section}.{name}")
    };
    let heads = SECTIONS
        .iter()
        .map(|(known, _)| *known)
        .flat_map(|known| [known, known.split('.').next().unwrap_or(known)]);
    match nearest(&full, heads) {
        Some(near) => format!("unknown section [{}]; did you mean [{near}]?", shortened(&full)),
        None => format!(
            "unknown section [{}]; there are {}",
            shortened(&full),
            sections().join(", ")
        ),
    }
}

fn sections() -> Vec<String> {
    SECTIONS
        .iter()
        .map(|(section, _)| format!("[{section}]"))
        .collect()
}
