//! XML becomes a tree of elements with their lines: Maven's `pom.xml`, .NET's projects and `slnx`.
//!
//! Only the five entities that XML itself knows are replaced. What a document type declares is not read, so no entity can
//! grow into gigabytes or name a file. Attributes keep their names as written; a prefix of an element's name is dropped.

#[cfg(test)]
mod tests;

use kitbag_types::Note;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::tree::{Entry, Lines, Node, Value, broken, checked};

const MAX_DEPTH: usize = 128;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Element {
    pub(crate) name: String,
    /// From 1.
    pub(crate) line: u32,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Element>,
    text: String,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let mut found = self
            .attributes
            .iter()
            .filter(|(key, _)| key.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value.as_str())
    }

    pub(crate) fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The text directly inside, without spaces around it.
    pub(crate) fn text(&self) -> &str {
        self.text.trim()
    }

    /// Every element below that has a name, in the order of the file.
    pub(crate) fn below<'a>(&'a self, name: &str) -> Vec<&'a Element> {
        let mut found = Vec::new();
        let mut open: Vec<&Element> = vec![self];
        while let Some(element) = open.pop() {
            if element.name == name {
                found.push(element);
            }
            open.extend(element.children.iter().rev());
        }
        found
    }
}

/// The root element. A text that breaks off gives a note and no tree.
pub(crate) fn xml(text: &str) -> Result<Element, Note> {
    let text = checked(text)?;
    let lines = Lines::new(text);
    let mut reader = Reader::from_str(text);
    let mut open: Vec<Element> = Vec::new();
    loop {
        let line = lines.line(reader.buffer_position() as usize);
        let event = reader.read_event().map_err(|error| {
            broken(
                "XML",
                lines.line(reader.error_position() as usize),
                &error.to_string(),
            )
        })?;
        let closed = match event {
            Event::Start(start) => {
                if open.len() >= MAX_DEPTH {
                    return Err(broken("XML", line, "elements are nested too deep"));
                }
                open.push(element(&start, line));
                continue;
            }
            Event::Empty(start) => Some(element(&start, line)),
            Event::End(_) => open.pop(),
            Event::Text(text) => {
                add_text(&mut open, &text.decode().unwrap_or_default());
                continue;
            }
            Event::CData(text) => {
                add_text(&mut open, &text.decode().unwrap_or_default());
                continue;
            }
            Event::GeneralRef(reference) => {
                add_text(&mut open, entity(&reference.decode().unwrap_or_default()));
                continue;
            }
            Event::Eof => return Err(broken("XML", line, "it ends too early")),
            _ => continue,
        };
        let Some(closed) = closed else { continue };
        match open.last_mut() {
            Some(parent) => parent.children.push(closed),
            None => return Ok(closed),
        }
    }
}

/// The same tree as the other formats have: children and `@attributes` by name, text where there is nothing else.
pub(crate) fn as_tree(element: &Element) -> Node {
    let attributes = element.attributes.iter().map(|(name, value)| Entry {
        key: format!("@{name}"),
        line: element.line,
        node: Node {
            line: element.line,
            value: Value::Text(value.clone()),
        },
    });
    let children = element.children.iter().map(|child| Entry {
        key: child.name.clone(),
        line: child.line,
        node: as_tree(child),
    });
    let entries: Vec<Entry> = attributes.chain(children).collect();
    let value = match (entries.is_empty(), element.text()) {
        (true, "") => Value::Null,
        (true, "true") => Value::Bool(true),
        (true, "false") => Value::Bool(false),
        (true, text) => Value::Text(text.to_owned()),
        (false, _) => Value::Table(entries),
    };
    Node {
        line: element.line,
        value,
    }
}

fn element(start: &BytesStart<'_>, line: u32) -> Element {
    let local = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut attributes = start.attributes();
    let attributes = attributes.with_checks(false).flatten().map(|attribute| {
        let value = attribute.unescape_value().map(|value| value.into_owned());
        let value = value.unwrap_or_else(|_| local(&attribute.value));
        (local(attribute.key.as_ref()), value)
    });
    Element {
        name: local(start.local_name().as_ref()),
        line,
        attributes: attributes.collect(),
        ..Element::default()
    }
}

fn add_text(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}

fn entity(name: &str) -> &str {
    match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => "",
    }
}
