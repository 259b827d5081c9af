//! JSON, TOML and YAML become one small tree, in which every value knows its line.
//!
//! The readers of the managers then ask for keys and need not know which parser it was. The parsers' own value types either
//! have no positions or are three different types. Numbers stay text: no manifest's numbers are computed with.
//! Texts that are too large or nested too deep are refused with a note before or while they are parsed.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use jsonc_parser::ast;
use kitbag_types::{LineRange, Note};
use saphyr_parser::{Event, Parser};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Manifests people write are below 200 kB; a text above this is refused. In bytes.
pub(crate) const MAX_BYTES: usize = 2 << 20;
/// How deep values may be nested.
const MAX_DEPTH: usize = 64;
/// A TOML key of more parts than this is refused: each part is a level of nesting, and the parser does not count them.
const MAX_DOTS: usize = 256;
/// How many values a YAML document may have in all, aliases included.
const MAX_VALUES: usize = 200_000;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// From 1.
    pub(crate) line: u32,
    pub(crate) value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// A string or a number.
    Text(String),
    List(Vec<Node>),
    /// In the order of the file, except for TOML, where it is the order of the keys.
    Table(Vec<Entry>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    /// The line of the key.
    pub(crate) line: u32,
    pub(crate) node: Node,
}

impl Node {
    /// The value of a key, if this is a table that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.entries()
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| &entry.node)
    }

    /// The value at a path of keys.
    pub(crate) fn at(&self, keys: &[&str]) -> Option<&Node> {
        keys.iter().try_fold(self, |node, key| node.get(key))
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }

    pub(crate) fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn is_true(&self) -> bool {
        self.value == Value::Bool(true)
    }
}

/// JSON, also with comments, trailing commas and a byte order mark.
pub(crate) fn json(text: &str) -> Result<Node, Note> {
    let text = checked(text)?;
    let lines = Lines::new(text);
    let parsed = jsonc_parser::parse_to_ast(text, &Default::default(), &Default::default());
    match parsed {
        Ok(result) => match result.value {
            Some(value) => Ok(from_json(&value, &lines)),
            None => Err(broken("JSON", 1, "the file is empty")),
        },
        Err(error) => Err(broken(
            "JSON",
            lines.line(error.range().start),
            &error.kind().to_string(),
        )),
    }
}

pub(crate) fn toml(text: &str) -> Result<Node, Note> {
    let text = checked(text)?;
    let deep = |line: &str| line.bytes().filter(|byte| *byte == b'.').count() > MAX_DOTS;
    if let Some(line_idx) = text.lines().position(deep) {
        return Err(broken("TOML", line_idx as u32 + 1, "a key has too many parts"));
    }
    let lines = Lines::new(text);
    match DeTable::parse(text) {
        Ok(table) => Ok(from_toml_table(table.get_ref(), 1, &lines)),
        Err(error) => {
            let line = error.span().map_or(1, |span| lines.line(span.start));
            Err(broken("TOML", line, error.message()))
        }
    }
}

/// The first document of a YAML text.
pub(crate) fn yaml(text: &str) -> Result<Node, Note> {
    let text = checked(text)?;
    let mut open: Vec<Open> = Vec::new();
    let mut anchors: BTreeMap<usize, Node> = BTreeMap::new();
    let mut n_values = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) =
            event.map_err(|error| broken("YAML", error.marker().line() as u32, error.info()))?;
        let line = (span.start.line() as u32).max(1);
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, _) => {
                let plain = style == saphyr_parser::ScalarStyle::Plain;
                let value = match text.as_ref() {
                    "true" if plain => Value::Bool(true),
                    "false" if plain => Value::Bool(false),
                    "" | "~" | "null" if plain => Value::Null,
                    text => Value::Text(text.to_owned()),
                };
                (Node { line, value }, anchor)
            }
            // An alias is copied only if it is small: a few of them inside each other would fill the memory.
            Event::Alias(anchor) => match anchors.get(&anchor) {
                Some(node) if !matches!(node.value, Value::List(_) | Value::Table(_)) => (node.clone(), 0),
                _ => (
                    Node {
                        line,
                        value: Value::Null,
                    },
                    0,
                ),
            },
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                if open.len() >= MAX_DEPTH {
                    return Err(broken("YAML", line, "values are nested too deep"));
                }
                let value = match event {
                    Event::SequenceStart(..) => Value::List(Vec::new()),
                    _ => Value::Table(Vec::new()),
                };
                open.push(Open {
                    node: Node { line, value },
                    key: None,
                    anchor,
                });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(closed) => (closed.node, closed.anchor),
                None => continue,
            },
            Event::DocumentEnd => break,
            _ => continue,
        };
        n_values += 1;
        if n_values > MAX_VALUES {
            return Err(broken("YAML", line, "there are too many values"));
        }
        if anchor > 0 {
            anchors.insert(anchor, node.clone());
        }
        match open.last_mut() {
            Some(parent) => parent.add(node),
            None => return Ok(node),
        }
    }
    Err(broken("YAML", 1, "the file is empty"))
}

/// A list or table of YAML that is being read.
struct Open {
    node: Node,
    /// The key whose value comes next.
    key: Option<(String, u32)>,
    anchor: usize,
}

impl Open {
    fn add(&mut self, node: Node) {
        match &mut self.node.value {
            Value::List(items) => items.push(node),
            Value::Table(entries) => match self.key.take() {
                Some((key, line)) => entries.push(Entry { key, line, node }),
                None => {
                    let key = node.text().unwrap_or_default().to_owned();
                    self.key = Some((key, node.line));
                }
            },
            _ => {}
        }
    }
}

fn from_json(value: &ast::Value<'_>, lines: &Lines) -> Node {
    let (at, value) = match value {
        ast::Value::StringLit(text) => (text.range.start, Value::Text(text.value.clone().into_owned())),
        ast::Value::NumberLit(number) => (number.range.start, Value::Text(number.value.to_owned())),
        ast::Value::BooleanLit(literal) => (literal.range.start, Value::Bool(literal.value)),
        ast::Value::NullKeyword(null) => (null.range.start, Value::Null),
        ast::Value::Array(array) => {
            let items = array.elements.iter().map(|item| from_json(item, lines));
            (array.range.start, Value::List(items.collect()))
        }
        ast::Value::Object(object) => {
            let entries = object.properties.iter().map(|property| Entry {
                key: property.name.as_str().to_owned(),
                line: lines.line(property.range.start),
                node: from_json(&property.value, lines),
            });
            (object.range.start, Value::Table(entries.collect()))
        }
    };
    Node {
        line: lines.line(at),
        value,
    }
}

fn from_toml_table(table: &DeTable<'_>, line: u32, lines: &Lines) -> Node {
    let entries = table.iter().map(|(key, value)| Entry {
        key: key.get_ref().to_string(),
        line: lines.line(key.span().start),
        node: from_toml(value, lines),
    });
    Node {
        line,
        value: Value::Table(entries.collect()),
    }
}

fn from_toml(value: &Spanned<DeValue<'_>>, lines: &Lines) -> Node {
    let line = lines.line(value.span().start);
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => Value::Text(number.to_string()),
        DeValue::Float(number) => Value::Text(number.to_string()),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Datetime(time) => Value::Text(time.to_string()),
        DeValue::Array(array) => Value::List(array.iter().map(|item| from_toml(item, lines)).collect()),
        DeValue::Table(table) => return from_toml_table(table, line, lines),
    };
    Node { line, value }
}

/// Without its byte order mark, if it is not too large.
pub(crate) fn checked(text: &str) -> Result<&str, Note> {
    if text.len() > MAX_BYTES {
        return Err(Note {
            code: "manifest_too_large",
            lines: None,
            message: format!(
                "the manifest is larger than {} MB and was not read",
                MAX_BYTES >> 20
            ),
        });
    }
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

pub(crate) fn broken(format: &str, line: u32, what: &str) -> Note {
    // The parsers' messages may quote the file; a note holds no text of it (SEC-2).
    let what = what.lines().next().unwrap_or_default();
    let what = match what.split_once(['`', '"', '\'']) {
        Some((before, _)) => before
            .rsplit_once([',', ':'])
            .map_or(before, |(before, _)| before),
        None => what,
    };
    let what = what.trim_end();
    Note {
        code: "manifest_broken",
        lines: Some(LineRange::new(line.max(1), line.max(1))),
        message: format!("the manifest is not valid {format}: {what}"),
    }
}

/// Where lines start.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self(std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect())
    }

    /// The line of a byte, from 1.
    pub(crate) fn line(&self, at: usize) -> u32 {
        self.0.partition_point(|start| *start <= at) as u32
    }
}
