//! Sets, finds and removes one entry in a JSON file, with or without comments, and changes no other byte.
//!
//! The parser gives ranges, and edits are splices. An entry is added at the end of its object in the style of its neighbours: on
//! lines of its own or not, with a trailing comma if the last one had one. Removing is the exact reverse, except for an object that
//! was empty before: the text does not show how its braces were written (`plan.rs` uses the backup).

mod style;

#[cfg(test)]
mod tests;

use std::ops::Range;

use jsonc_parser::ast::{Object, ObjectProp, Value as Node};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

use super::entry::Entry;
use super::splice::{Refusal, before_newline, indent_at, splice};
use style::{Ordered, Style, ordered};

/// JSON as agents read it: comments and trailing commas are allowed, other extensions are errors.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The whole document as a value; `None` if it is empty.
pub(super) fn value(text: &str) -> Result<Option<Value>, Refusal> {
    Ok(parse(text)?.map(|root| to_value(&root)))
}

/// Sets `container.name` to `entry`. Other keys of an existing entry stay.
pub(super) fn set(text: &str, container: &str, name: &str, entry: &Entry) -> Result<String, Refusal> {
    let style = Style::of(text);
    let Some(root) = parse(text)? else {
        let value = Value::Object([(container.to_owned(), whole(name, entry))].into_iter().collect());
        let gap = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            style.newline
        };
        let document = style.render(&ordered(&value, entry), "", true);
        return Ok(format!("{text}{gap}{document}{}", style.newline));
    };
    let root = object(&root, "the document")?;
    let Some(found) = last(root, container) else {
        return Ok(insert(
            text,
            root,
            container,
            &ordered(&whole(name, entry), entry),
            &style,
        ));
    };
    let servers = object(&found.value, container)?;
    let Some(found) = last(servers, name) else {
        return Ok(insert(text, servers, name, &Ordered::Entry(entry), &style));
    };
    match &found.value {
        Node::Object(old) if !entry.is_replaced_by(|key| last(old, key).is_some()) => {
            for (key, new) in &entry.pairs {
                match last(old, key) {
                    Some(prop) if to_value(&prop.value) == *new => {}
                    Some(prop) => {
                        let new = style.render(&Ordered::Value(new), "", false);
                        let text = splice(text, vec![(range(&prop.value), new)]);
                        return set(&text, container, name, entry);
                    }
                    None => {
                        let text = insert(text, old, key, &Ordered::Value(new), &style);
                        return set(&text, container, name, entry);
                    }
                }
            }
            Ok(text.to_owned())
        }
        other => {
            let lines = style.lines && text[range(other)].contains('\n');
            let new = style.render(&Ordered::Entry(entry), indent_at(text, found.range.start), lines);
            Ok(splice(text, vec![(range(other), new)]))
        }
    }
}

/// Removes `container.name`, and `container` too if it becomes empty, unless it is to be kept.
pub(super) fn remove(
    text: &str,
    container: &str,
    name: &str,
    keep_container: bool,
) -> Result<String, Refusal> {
    let Some(root) = parse(text)? else {
        return Ok(text.to_owned());
    };
    let root = object(&root, "the document")?;
    let Some(found) = last(root, container) else {
        return Ok(text.to_owned());
    };
    let servers = object(&found.value, container)?;
    let Some(idx) = servers
        .properties
        .iter()
        .rposition(|prop| prop.name.as_str() == name)
    else {
        return Ok(text.to_owned());
    };
    let without = take_out(text, servers, idx);
    // If there is a comment in the container, more than the braces is left, and the container stays.
    let is_empty = without.len() == text.len() - (servers.range.end - servers.range.start) + "{}".len();
    if servers.properties.len() == 1 && is_empty && !keep_container {
        let idx = root
            .properties
            .iter()
            .rposition(|prop| prop.name.as_str() == container);
        return Ok(take_out(
            text,
            root,
            idx.expect("the container was found just now"),
        ));
    }
    Ok(without)
}

/// The reverse of [`insert`].
fn take_out(text: &str, object: &Object<'_>, idx: usize) -> String {
    let prop = &object.properties[idx];
    let close = object.range.end - 1;
    let blanks = text[..prop.range.start].trim_end_matches([' ', '\t']).len();
    let start = before_newline(text, blanks);
    let mut edits = vec![(start..prop.range.end, String::new())];
    let comma = comma_after(text, prop.range.end, close);
    match (comma, idx.checked_sub(1).map(|idx| &object.properties[idx])) {
        (Some(comma), _) => edits.push((comma..comma + 1, String::new())),
        (None, Some(previous)) => {
            let comma = comma_after(text, previous.range.end, prop.range.start);
            edits.extend(comma.map(|comma| (comma..comma + 1, String::new())));
        }
        (None, None) => {}
    }
    if object.properties.len() == 1 {
        let open = object.range.start + 1;
        let end = comma.map_or(prop.range.end, |comma| comma + 1);
        if text[open..start].trim().is_empty() && text[end..close].trim().is_empty() {
            edits = vec![(open..close, String::new())];
        }
    }
    splice(text, edits)
}

/// Adds a property at the end of an object.
fn insert(text: &str, object: &Object<'_>, name: &str, value: &Ordered<'_>, style: &Style) -> String {
    let (open, close) = (object.range.start + 1, object.range.end - 1);
    let newline = style.newline;
    let property = |indent: &str, lines: bool| {
        let name = Value::String(name.to_owned());
        format!("{name}:{}{}", style.space, style.render(value, indent, lines))
    };
    let (Some(first), Some(last)) = (object.properties.first(), object.properties.last()) else {
        if !style.lines {
            return splice(text, vec![(open..open, property("", false))]);
        }
        let base = indent_at(text, object.range.start);
        let indent = format!("{base}{}", style.unit);
        let property = format!("{newline}{indent}{}", property(&indent, true));
        let inside = &text[open..close];
        if inside.trim().is_empty() {
            return splice(text, vec![(open..close, format!("{property}{newline}{base}"))]);
        }
        let at = past_comments_of_line(text, open, close);
        return splice(text, vec![(at..at, property)]);
    };
    let comma = comma_after(text, last.range.end, close);
    let after = comma.map_or(last.range.end, |comma| comma + 1);
    let ending = if comma.is_some() { "," } else { "" };
    let mut edits = Vec::new();
    if comma.is_none() {
        edits.push((last.range.end..last.range.end, ",".to_owned()));
    }
    if text[open..first.range.start].contains('\n') {
        let indent = indent_at(text, first.range.start);
        let at = past_comments_of_line(text, after, close);
        edits.push((
            at..at,
            format!("{newline}{indent}{}{ending}", property(indent, true)),
        ));
    } else {
        edits.push((
            after..after,
            format!("{}{}{ending}", style.space, property("", false)),
        ));
    }
    splice(text, edits)
}

fn parse(text: &str) -> Result<Option<Node<'_>>, Refusal> {
    match parse_to_ast(text, &CollectOptions::default(), &OPTIONS) {
        Ok(result) => Ok(result.value),
        Err(error) => Err(Refusal::new(error.range().start, error.kind().to_string())),
    }
}

fn object<'a, 'b>(node: &'b Node<'a>, what: &str) -> Result<&'b Object<'a>, Refusal> {
    let refusal = || Refusal::new(node.range().start, format!("{what} is not an object"));
    node.as_object().ok_or_else(refusal)
}

/// The last property of that name wins, as in every JSON parser that agents use.
fn last<'a, 'b>(object: &'b Object<'a>, name: &str) -> Option<&'b ObjectProp<'a>> {
    object.properties.iter().rfind(|prop| prop.name.as_str() == name)
}

fn range(node: &impl jsonc_parser::common::Ranged) -> Range<usize> {
    node.start()..node.end()
}

/// The comma after `from`, behind blanks and comments.
fn comma_after(text: &str, from: usize, to: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += text[at..to].len() - text[at..to].trim_start().len();
        match end_of_comment(text, at, to) {
            Some(end) => at = end,
            None => return text[at..to].starts_with(',').then_some(at),
        }
    }
}

/// Moves `from` behind the comments that begin on its line, so that they stay with what they explain.
fn past_comments_of_line(text: &str, from: usize, to: usize) -> usize {
    let mut at = from;
    loop {
        let rest = &text[at..to];
        let comment = at + rest.len() - rest.trim_start_matches([' ', '\t']).len();
        match end_of_comment(text, comment, to) {
            Some(end) => at = end,
            None => return at,
        }
    }
}

fn end_of_comment(text: &str, at: usize, to: usize) -> Option<usize> {
    let rest = &text[at..to];
    if rest.starts_with("//") {
        Some(at + rest.find(['\n', '\r']).unwrap_or(rest.len()))
    } else if rest.starts_with("/*") {
        Some(at + rest.find("*/").map_or(rest.len(), |end| end + 2))
    } else {
        None
    }
}

fn to_value(node: &Node<'_>) -> Value {
    match node {
        Node::StringLit(text) => Value::String(text.value.to_string()),
        // A number that is too large for serde is compared as text.
        Node::NumberLit(number) => {
            serde_json::from_str(number.value).unwrap_or_else(|_| Value::String(number.value.to_owned()))
        }
        Node::BooleanLit(truth) => Value::Bool(truth.value),
        Node::NullKeyword(_) => Value::Null,
        Node::Array(array) => array.elements.iter().map(to_value).collect(),
        Node::Object(object) => {
            let properties = object.properties.iter();
            Value::Object(
                properties
                    .map(|prop| (prop.name.as_str().to_owned(), to_value(&prop.value)))
                    .collect(),
            )
        }
    }
}

fn whole(name: &str, entry: &Entry) -> Value {
    Value::Object([(name.to_owned(), entry.to_value())].into_iter().collect())
}
