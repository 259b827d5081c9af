//! Sets, finds and removes one table in a TOML file, and changes no other byte.
//!
//! The parser gives ranges, and edits are splices: `toml_edit` could write the document itself, but turns CRLF into LF. A new table
//! is added at the end of the file after one empty line, unless all servers are in one inline table. Removing it removes the empty
//! line too and restores the bytes from before.

#[cfg(test)]
mod tests;

use std::ops::Range;

use serde_json::Value;
use toml_edit::{Document, InlineTable, Item, Key, Table, TableLike};

use super::entry::Entry;
use super::splice::{Refusal, append, appended, before_newline, line_end, line_start, newline_of, splice};

/// The whole document as a value.
pub(super) fn value(text: &str) -> Result<Option<Value>, Refusal> {
    parse(text)?;
    // Another parser than the one that finds the places, so that each checks the other.
    let table: ::toml::Table = ::toml::from_str(text)
        .map_err(|error| Refusal::new(error.span().map_or(0, |span| span.start), error.message()))?;
    Ok(Some(to_value(&::toml::Value::Table(table))))
}

/// Sets `container.name` to `entry`. Other keys of an existing entry stay.
pub(super) fn set(text: &str, container: &str, name: &str, entry: &Entry) -> Result<String, Refusal> {
    let document = parse(text)?;
    let servers = servers(&document, container)?;
    let Some(found) = servers.and_then(|servers| servers.get(name)) else {
        return Ok(match document.get(container) {
            Some(Item::Value(inline)) => {
                let inline = inline.as_inline_table().expect("`servers` let nothing else pass");
                insert_inline(text, inline, name, &inline_table(entry))
            }
            _ => append(text, &table(container, name, entry, newline_of(text))),
        });
    };
    let anew = || {
        let without = remove(text, container, name)?;
        set(&without, container, name, entry)
    };
    let Some(table) = found.as_table_like() else {
        return anew();
    };
    if entry.is_replaced_by(|key| table.contains_key(key)) {
        return anew();
    }
    for (key, new) in &entry.pairs {
        let new_text = render(new);
        match table.get(key) {
            Some(old) if item_value(old).as_ref() == Some(new) => {}
            Some(old) => match old.span().filter(|_| old.is_value()) {
                Some(span) => {
                    let text = splice(text, vec![(span, new_text)]);
                    return set(&text, container, name, entry);
                }
                None => return anew(),
            },
            None => {
                let line = format!("{key} = {new_text}");
                let text = match found {
                    Item::Table(table) if !table.is_dotted() && !table.is_implicit() => {
                        let header = table.span().map_or(0, |span| span.end);
                        let at = before_newline(text, line_end(text, header));
                        splice(text, vec![(at..at, format!("{}{line}", newline_of(text)))])
                    }
                    Item::Value(value) if value.is_inline_table() => {
                        let inline = value.as_inline_table().expect("it was asked just now");
                        insert_inline(text, inline, key, &new_text)
                    }
                    _ => return anew(),
                };
                return set(&text, container, name, entry);
            }
        }
    }
    Ok(text.to_owned())
}

/// Removes `container.name` and the tables below it.
pub(super) fn remove(text: &str, container: &str, name: &str) -> Result<String, Refusal> {
    let document = parse(text)?;
    let Some(servers) = servers(&document, container)? else {
        return Ok(text.to_owned());
    };
    let Some((key, item)) = servers.get_key_value(name) else {
        return Ok(text.to_owned());
    };
    if let Some(Item::Value(value)) = document.get(container) {
        let inline = value.as_inline_table().expect("`servers` let nothing else pass");
        return Ok(take_out_inline(text, inline, key, item));
    }
    let mut ranges = Vec::new();
    match item {
        Item::Table(table) => blocks(text, table, &mut ranges),
        other => ranges.extend(lines_of(text, key, other)),
    }
    ranges.sort_by_key(|range| (range.start, range.end));
    // If two neighbours are removed, the empty line before the second is only in its range.
    Ok(splice(
        text,
        ranges.into_iter().map(|range| (range, String::new())).collect(),
    ))
}

/// The lines of a table and of everything below it.
fn blocks(text: &str, table: &Table, ranges: &mut Vec<Range<usize>>) {
    let header = table
        .span()
        .filter(|_| !table.is_implicit() && !table.is_dotted());
    match header {
        Some(header) => {
            let end = last_value_end(table).unwrap_or(header.end).max(header.end);
            ranges.push(appended(text, header.start..end));
        }
        None => {
            for (name, item) in table {
                let key = table.key(name).expect("its name was given just now");
                if item.is_value() {
                    ranges.extend(lines_of(text, key, item));
                }
            }
        }
    }
    for (_, item) in table {
        match item {
            Item::Table(below) if header_stands_apart(below) || table.is_dotted() || table.is_implicit() => {
                blocks(text, below, ranges)
            }
            Item::ArrayOfTables(below) => below.iter().for_each(|table| blocks(text, table, ranges)),
            _ => {}
        }
    }
}

/// A dotted table below a header is among the lines of that header; a table with its own header is not.
fn header_stands_apart(table: &Table) -> bool {
    !table.is_dotted()
}

/// The end of the last value among the lines of a header.
fn last_value_end(table: &Table) -> Option<usize> {
    let end_of = |item: &Item| match item {
        Item::Value(value) => value.span().map(|span| span.end),
        Item::Table(below) if below.is_dotted() => last_value_end(below),
        _ => None,
    };
    table.iter().filter_map(|(_, item)| end_of(item)).max()
}

/// The lines of a key and its value.
fn lines_of(text: &str, key: &Key, item: &Item) -> Option<Range<usize>> {
    let (key, value) = (key.span()?, item.span()?);
    Some(line_start(text, key.start)..line_end(text, value.end))
}

/// The entry with a header of its own.
fn table(container: &str, name: &str, entry: &Entry, newline: &str) -> String {
    let header = format!("[{container}.{name}]");
    let line = |(key, value): &(&str, Value)| format!("{key} = {}", render(value));
    let lines = std::iter::once(header).chain(entry.pairs.iter().map(line));
    lines.collect::<Vec<_>>().join(newline)
}

fn insert_inline(text: &str, inline: &InlineTable, key: &str, value: &str) -> String {
    let span = inline.span().expect("a parsed table has its place");
    let end_of = |(_, value): (&str, &toml_edit::Value)| deep_end(value);
    match inline.iter().filter_map(end_of).max() {
        Some(end) => splice(text, vec![(end..end, format!(", {key} = {value}"))]),
        None => splice(
            text,
            vec![(span.start + 1..span.end - 1, format!(" {key} = {value} "))],
        ),
    }
}

/// Dotted keys make tables whose range is that of their key.
fn deep_end(value: &toml_edit::Value) -> Option<usize> {
    let own = value.span().map(|span| span.end);
    let below = value.as_inline_table().filter(|table| table.is_dotted());
    let below = below.and_then(|table| table.iter().filter_map(|(_, value)| deep_end(value)).max());
    own.max(below)
}

/// The reverse of [`insert_inline`].
fn take_out_inline(text: &str, inline: &InlineTable, key: &Key, item: &Item) -> String {
    let (Some(span), Some(key)) = (inline.span(), key.span()) else {
        return text.to_owned();
    };
    let end = item.as_value().and_then(deep_end).unwrap_or(key.end);
    let before = text[..key.start].trim_end();
    let after = text[end..].trim_start();
    let after_at = text.len() - after.len();
    let range = if inline.len() == 1 {
        span.start + 1..span.end - 1
    } else if let Some(rest) = after.strip_prefix(',') {
        key.start..text.len() - rest.trim_start_matches([' ', '\t']).len()
    } else if let Some(rest) = before.strip_suffix(',') {
        rest.len()..end
    } else {
        before.len()..after_at
    };
    splice(text, vec![(range, String::new())])
}

fn parse(text: &str) -> Result<Document<&str>, Refusal> {
    Document::parse(text).map_err(|error| {
        Refusal::new(
            error.span().map_or(0, |span| span.start),
            error.message().replace('\n', ", "),
        )
    })
}

fn servers<'d>(document: &'d Document<&str>, container: &str) -> Result<Option<&'d dyn TableLike>, Refusal> {
    match document.get(container) {
        None => Ok(None),
        Some(item) => match item.as_table_like() {
            Some(table) => Ok(Some(table)),
            None => {
                let at = item.span().map_or(0, |span| span.start);
                Err(Refusal::new(at, format!("{container} is not a table")))
            }
        },
    }
}

fn inline_table(entry: &Entry) -> String {
    let pairs: Vec<String> = entry
        .pairs
        .iter()
        .map(|(key, value)| format!("{key} = {}", render(value)))
        .collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// A JSON string is a valid TOML string: both escape the same characters, except DEL, which no path should contain.
fn render(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(render).collect();
            format!("[{}]", values.join(", "))
        }
        other => other.to_string(),
    }
}

fn item_value(item: &Item) -> Option<Value> {
    fn of(value: &toml_edit::Value) -> Option<Value> {
        match value {
            toml_edit::Value::String(text) => Some(Value::from(text.value().as_str())),
            toml_edit::Value::Boolean(truth) => Some(Value::from(*truth.value())),
            toml_edit::Value::Array(values) => values.iter().map(of).collect(),
            _ => None,
        }
    }
    of(item.as_value()?)
}

/// Numbers and dates as text: they are only compared, never written back.
fn to_value(value: &::toml::Value) -> Value {
    match value {
        ::toml::Value::String(text) => Value::from(text.as_str()),
        ::toml::Value::Boolean(truth) => Value::from(*truth),
        ::toml::Value::Integer(number) => Value::from(*number),
        ::toml::Value::Array(values) => values.iter().map(to_value).collect(),
        ::toml::Value::Table(table) => Value::Object(
            table
                .iter()
                .map(|(key, value)| (key.clone(), to_value(value)))
                .collect(),
        ),
        other => Value::from(other.to_string()),
    }
}
