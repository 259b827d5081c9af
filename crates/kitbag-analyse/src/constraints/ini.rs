//! `key = value` files with `[sections]` become the tree that the other formats become: `.editorconfig`, `setup.cfg`, `.flake8`,
//! `mypy.ini`; and the indented `key: value` of NEON (`phpstan.neon`).
//!
//! No parser of a registry keeps lines for these, and their rules are two pages. A value that goes on over indented lines is a list.

use crate::formats::tree::{Entry, Node, Value};

/// Lines before the first section are entries of the root.
pub(super) fn ini(text: &str) -> Node {
    let mut root: Vec<Entry> = Vec::new();
    let mut section: Option<Entry> = None;
    for (line_idx, raw) in text.lines().enumerate() {
        let line = line_idx as u32 + 1;
        let trimmed = raw.trim().trim_start_matches('\u{feff}');
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        let inside = trimmed
            .strip_prefix('[')
            .and_then(|rest| rest.rfind(']').map(|end| &rest[..end]));
        if let Some(name) = inside.filter(|_| !raw.starts_with([' ', '\t'])) {
            root.extend(section.take());
            section = Some(table(name, line));
            continue;
        }
        let entries = match &mut section {
            Some(section) => entries_mut(&mut section.node),
            None => &mut root,
        };
        if raw.starts_with([' ', '\t'])
            && let Some(last) = entries.last_mut()
        {
            go_on(&mut last.node, trimmed, line);
            continue;
        }
        let (key, value) = trimmed.split_once(['=', ':']).unwrap_or((trimmed, "true"));
        entries.push(Entry {
            key: key.trim().to_owned(),
            line,
            node: scalar(value.trim(), line),
        });
    }
    root.extend(section);
    Node {
        line: 1,
        value: Value::Table(root),
    }
}

/// NEON as far as it looks like YAML: keys, values and `- items` by indentation.
pub(super) fn neon(text: &str) -> Node {
    // Sections that are open, with their indentation.
    let mut open: Vec<(usize, Entry)> = vec![(0, table("", 1))];
    for (line_idx, raw) in text.lines().enumerate() {
        let line = line_idx as u32 + 1;
        let trimmed = raw.trim();
        let indent = raw.len() - raw.trim_start().len();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        while open.len() > 1 && open.last().is_some_and(|(at, _)| *at >= indent) {
            close(&mut open);
        }
        if let Some(item) = trimmed.strip_prefix('-') {
            if let Some((_, parent)) = open.last_mut() {
                go_on(&mut parent.node, item.trim(), line);
            }
            continue;
        }
        let Some((key, value)) = trimmed.split_once(':') else {
            continue;
        };
        let entry = table(key.trim(), line);
        match value.trim() {
            "" if open.len() < 32 => open.push((indent, entry)),
            value => {
                let node = scalar(value, line);
                if let Some((_, parent)) = open.last_mut() {
                    entries_mut(&mut parent.node).push(Entry { node, ..entry });
                }
            }
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().map_or_else(|| ini(""), |(_, root)| root.node)
}

fn close(open: &mut Vec<(usize, Entry)>) {
    if let Some((_, done)) = open.pop()
        && let Some((_, parent)) = open.last_mut()
    {
        entries_mut(&mut parent.node).push(done);
    }
}

fn table(key: &str, line: u32) -> Entry {
    Entry {
        key: key.to_owned(),
        line,
        node: Node {
            line,
            value: Value::Table(Vec::new()),
        },
    }
}

/// The entries of a table; whatever else it was becomes an empty one.
fn entries_mut(node: &mut Node) -> &mut Vec<Entry> {
    if !matches!(node.value, Value::Table(_)) {
        node.value = Value::Table(Vec::new());
    }
    match &mut node.value {
        Value::Table(entries) => entries,
        _ => unreachable!("it was made a table above"),
    }
}

fn scalar(text: &str, line: u32) -> Node {
    let text = text.trim_matches(['"', '\'']);
    let value = match text {
        "" => Value::Null,
        "true" | "True" => Value::Bool(true),
        "false" | "False" => Value::Bool(false),
        text => Value::Text(text.to_owned()),
    };
    Node { line, value }
}

/// Another line of a value.
fn go_on(node: &mut Node, text: &str, line: u32) {
    let item = scalar(text, line);
    match &mut node.value {
        Value::List(items) => items.push(item),
        Value::Table(entries) if !entries.is_empty() => {}
        Value::Null | Value::Table(_) => node.value = Value::List(vec![item]),
        _ => {
            let first = node.clone();
            node.value = Value::List(vec![first, item]);
        }
    }
}
