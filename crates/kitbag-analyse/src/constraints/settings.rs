//! The few shapes in which settings state constraints, over the tree that every format becomes.
//!
//! A row of the table names a place (`tool.ruff.lint.select`, `*` for any key) and the shape of what stands there. Everything a shape gives
//! has the line of its own key or item.

use super::{Enforcement, Found, shortened};
use crate::formats::tree::{Entry, Node, Value};

/// How deep [`Shape::Settings`] goes below its place.
const MAX_DEPTH: usize = 4;
/// How many constraints one row takes from one file: a list of thousands of words is data, not a rule.
const MAX_FOUND: usize = 400;
/// Characters of a value that are shown.
const MAX_VALUE: usize = 160;

#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// Every `key = value` at and below the place, but for these keys: paths, plug-ins, what is no demand.
    Settings(&'static [&'static str]),
    /// Only these keys.
    Only(&'static [&'static str]),
    /// The value at the place itself.
    Value,
    /// Every item of a list (or name of a table), told with these words.
    Items(&'static str),
    /// Names with a level: `deny`, `error`, `warn`, `2`; what is allowed or off is not told.
    Levels,
    /// What must not be used: names with a message, or items that have both.
    Banned,
}

/// Everything that a shape gives at a place. A first key `*` means every key.
pub(super) fn take(root: &Node, at: &str, shape: Shape, enforcement: Enforcement) -> Vec<Found> {
    let keys: Vec<&str> = at.split('.').filter(|key| !key.is_empty()).collect();
    let mut places: Vec<(Vec<&str>, &Node, u32)> = vec![(Vec::new(), root, root.line)];
    for key in keys {
        let mut next = Vec::new();
        for (names, node, _) in places {
            for entry in node.entries() {
                if key == "*" {
                    let mut names = names.clone();
                    names.push(&entry.key);
                    next.push((names, &entry.node, entry.line));
                } else if entry.key == key {
                    next.push((names.clone(), &entry.node, entry.line));
                }
            }
            if key == "*" {
                let items = node.items().iter();
                next.extend(items.map(|item| (names.clone(), item, item.line)));
            }
        }
        places = next;
    }
    let last = at.rsplit('.').find(|key| *key != "*").unwrap_or_default();
    let mut found = Vec::new();
    for (names, node, line) in places {
        let place = At {
            prefix: names.join("."),
            key: last,
            node,
            line,
        };
        shape.apply(&place, enforcement, &mut found);
        found.truncate(MAX_FOUND);
    }
    found
}

/// A place that a row means: the keys that `*` stood for, its own key, and what is there.
struct At<'n> {
    prefix: String,
    key: &'n str,
    node: &'n Node,
    line: u32,
}

impl Shape {
    fn apply(self, at: &At<'_>, enforcement: Enforcement, found: &mut Vec<Found>) {
        let At {
            prefix,
            key,
            node,
            line,
        } = at;
        let line = *line;
        match self {
            Self::Settings(except) => settings(prefix, node, except, 0, enforcement, found),
            Self::Only(names) => {
                let entries = node.entries().iter();
                for entry in entries.filter(|entry| names.contains(&entry.key.as_str())) {
                    found.extend(setting(prefix, &entry.key, &entry.node, entry.line, enforcement));
                }
            }
            Self::Value => found.extend(setting(prefix, key, node, line, enforcement)),
            Self::Items(words) => {
                let named = node.entries().iter().filter(|entry| !is_off(&entry.node));
                let named = named.map(|entry| (entry.key.clone(), entry.line));
                let listed = node.items().iter().filter_map(item);
                // One text may hold several, by commas.
                let text = node.text().into_iter().flat_map(|text| text.split(','));
                let written = text.map(|item| (item.trim().to_owned(), line));
                let all = named.chain(listed).chain(written);
                found.extend(all.filter(|(item, _)| !item.is_empty()).map(|(item, line)| {
                    let item = shortened(&item, MAX_VALUE);
                    Found {
                        line,
                        guidance: format!("{words} {item}{}", known_as(words, &item)),
                        enforcement,
                        files: None,
                    }
                }));
            }
            Self::Levels => levels(prefix, node, 0, found),
            Self::Banned => banned(node, enforcement, found),
        }
    }
}

fn settings(
    prefix: &str,
    node: &Node,
    except: &[&str],
    depth: usize,
    enforcement: Enforcement,
    found: &mut Vec<Found>,
) {
    for entry in node.entries() {
        if except.contains(&entry.key.as_str()) {
            continue;
        }
        match &entry.node.value {
            Value::Table(_) if depth < MAX_DEPTH => {
                let prefix = joined(prefix, &entry.key);
                settings(&prefix, &entry.node, except, depth + 1, enforcement, found);
            }
            _ => found.extend(setting(prefix, &entry.key, &entry.node, entry.line, enforcement)),
        }
    }
}

fn setting(prefix: &str, key: &str, node: &Node, line: u32, enforcement: Enforcement) -> Option<Found> {
    let value = shown(node)?;
    Some(Found {
        line,
        guidance: format!("{} = {}", joined(prefix, key), shortened(&value, MAX_VALUE)),
        enforcement: weighed(key, &value, enforcement),
        files: None,
    })
}

/// A setting that switches a check off, or only to its weak form, demands less.
fn weighed(key: &str, value: &str, enforcement: Enforcement) -> Enforcement {
    let is_off = matches!(value, "false" | "off" | "none" | "ignore" | "disable");
    let is_weak = matches!(value, "basic" | "warning" | "warn" | "standard");
    let is_default = matches!(
        key,
        "edition" | "newLine" | "end_of_line" | "target" | "lib" | "jsx"
    );
    match enforcement {
        Enforcement::Error if is_off || is_default => Enforcement::Info,
        Enforcement::Error if is_weak => Enforcement::Warning,
        other => other,
    }
}

fn levels(prefix: &str, node: &Node, depth: usize, found: &mut Vec<Found>) {
    for entry in node.entries() {
        let name = joined(prefix, &entry.key);
        let stated = match &entry.node.value {
            Value::List(items) => items.first(),
            Value::Table(_) => entry.node.get("level").or_else(|| entry.node.get("severity")),
            _ => Some(&entry.node),
        };
        let level = stated.and_then(level);
        match (level, &entry.node.value) {
            (Some(Some(enforcement)), _) => {
                let detail = entry.node.items().get(1..).unwrap_or_default();
                let detail: Vec<String> = detail.iter().filter_map(detailed).collect();
                let detail = match detail.is_empty() {
                    true => String::new(),
                    false => format!(" ({})", shortened(&detail.join(", "), MAX_VALUE)),
                };
                found.push(Found {
                    line: entry.line,
                    guidance: format!("{name}: {}{detail}", enforcement.name()),
                    enforcement,
                    files: None,
                });
            }
            (None, Value::Table(_)) if depth < MAX_DEPTH => levels(&name, &entry.node, depth + 1, found),
            _ => {}
        }
    }
}

/// `Some(None)`: it is switched off. `None`: it is no level.
pub(super) fn level(node: &Node) -> Option<Option<Enforcement>> {
    match &node.value {
        Value::Bool(true) => Some(Some(Enforcement::Error)),
        Value::Bool(false) => Some(None),
        Value::Text(text) => level_of(text),
        _ => None,
    }
}

pub(super) fn level_of(text: &str) -> Option<Option<Enforcement>> {
    match text.to_ascii_lowercase().as_str() {
        "error" | "deny" | "forbid" | "2" | "e" | "on" | "fatal" => Some(Some(Enforcement::Error)),
        "warn" | "warning" | "1" | "w" => Some(Some(Enforcement::Warning)),
        "info" | "suggestion" | "hint" => Some(Some(Enforcement::Info)),
        "allow" | "off" | "0" | "none" | "ignore" | "silent" => Some(None),
        _ => None,
    }
}

fn banned(node: &Node, enforcement: Enforcement, found: &mut Vec<Found>) {
    let named = node.entries().iter().map(|entry: &Entry| {
        let why = shown(&entry.node).or_else(|| first(&entry.node, REASONS).map(|(text, _)| text));
        (entry.key.clone(), entry.line, why)
    });
    let listed = node.items().iter().filter_map(|item| match item.text() {
        Some(text) => Some((text.to_owned(), item.line, None)),
        None => {
            let (name, line) = first(item, NAMES)?;
            Some((name, line, first(item, REASONS).map(|(text, _)| text)))
        }
    });
    for (name, line, why) in named.chain(listed) {
        let why = why.filter(|why| !why.is_empty() && why != "true");
        let why = why.map_or(String::new(), |why| format!(": {}", shortened(&why, MAX_VALUE)));
        found.push(Found {
            line,
            guidance: format!("do not use {}{why}", shortened(&name, MAX_VALUE)),
            enforcement,
            files: None,
        });
    }
}

const NAMES: &[&str] = &[
    "name",
    "path",
    "pkg",
    "crate",
    "module",
    "id",
    "pattern",
    "p",
    "from",
    "repo",
    "identifier",
];
const REASONS: &[&str] = &["msg", "message", "reason", "desc", "comment", "replacement"];

fn first(node: &Node, keys: &[&str]) -> Option<(String, u32)> {
    keys.iter().find_map(|key| {
        let node = node.get(key)?;
        Some((node.text()?.to_owned(), node.line))
    })
}

/// An item of a list: a text, or a table with a name and what it is replaced by.
fn item(node: &Node) -> Option<(String, u32)> {
    if let Some(text) = node.text() {
        return Some((text.to_owned(), node.line));
    }
    let (name, line) = first(node, NAMES)?;
    Some(match first(node, &["replacement"]) {
        Some((other, _)) => (format!("{name} → {other}"), line),
        None => (name, line),
    })
}

fn is_off(node: &Node) -> bool {
    node.value == Value::Bool(false)
        || node
            .text()
            .is_some_and(|text| matches!(text, "off" | "false" | "ignore"))
}

/// A value in words; `None` for what has none.
fn shown(node: &Node) -> Option<String> {
    match &node.value {
        Value::Null | Value::Table(_) => None,
        Value::Bool(value) => Some(value.to_string()),
        Value::Text(text) => Some(text.clone()),
        Value::List(items) => {
            let items: Vec<String> = items.iter().filter_map(detailed).collect();
            (!items.is_empty()).then(|| items.join(", "))
        }
    }
}

fn detailed(node: &Node) -> Option<String> {
    match &node.value {
        Value::Table(entries) => {
            let entries = entries
                .iter()
                .filter_map(|entry| Some(format!("{} {}", entry.key, shown(&entry.node)?)));
            Some(entries.collect::<Vec<_>>().join(" "))
        }
        _ => shown(node),
    }
}

fn joined(prefix: &str, key: &str) -> String {
    match prefix {
        "" => key.to_owned(),
        prefix => format!("{prefix}.{key}"),
    }
}

/// What the rules of ruff with a prefix are called.
fn known_as(words: &str, item: &str) -> String {
    let known = (words == super::table::RUFF_RULES).then(|| {
        super::table::RUFF_PREFIXES
            .iter()
            .find(|(prefix, _)| *prefix == item)
    });
    match known.flatten() {
        Some((_, name)) => format!(" ({name})"),
        None => String::new(),
    }
}
