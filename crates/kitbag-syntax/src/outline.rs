//! Turns captures into nested definitions, with their lines including comments and attributes, signature, visibility and
//! documentation.
//!
//! A local name is not a definition of the file: a name inside a function, method or macro is dropped unless it is a type. Nesting
//! is decided by byte ranges on an explicit stack, so depth costs nothing.

use std::collections::BTreeMap;
use std::ops::Range;

use kitbag_types::{LineRange, Symbol, SymbolKind, Visibility};

use crate::attach::{Mark, attach_docs, attach_lines, lead_docs, mark_lines};
use crate::broken::{end_before, runs_over};
use crate::captures::{Captures, RawDefinition, RawReference};
use crate::docs::summary;
use crate::item::{Item, is_type};
use crate::languages::{Language, VisibilityRule};
use crate::lines::Lines;
use crate::names::{clip, collapse, container_name, definition_name};

/// Deeper definitions are dropped: their label would be longer than their text.
const MAX_NESTING: usize = 32;
const MAX_SIGNATURE_CHARS: usize = 200;
const MAX_LABEL_HEAD_CHARS: usize = 60;

/// Lines that are not split if possible, and the language they are written in.
pub(crate) struct Keep {
    pub(crate) lines: Range<usize>,
    pub(crate) language: String,
}

pub(crate) struct Outline {
    /// In file order, holders before what they hold.
    pub(crate) items: Vec<Item>,
    /// In file order.
    pub(crate) keeps: Vec<Keep>,
    pub(crate) marks: Vec<Mark>,
    /// Documentation outside all definitions: the file's own.
    pub(crate) file_docs: Vec<Range<usize>>,
}

pub(crate) fn outline(text: &str, lines: &Lines, captures: &Captures, language: &Language) -> Outline {
    let mut marks = mark_lines(text, lines, captures);
    let mut items: Vec<Item> = Vec::with_capacity(captures.definitions.len());
    let mut open: Vec<usize> = Vec::new();
    let mut switches = Switches::new(&captures.switches);
    for raw in &captures.definitions {
        switches.pass(raw.span.start, &items, &mut open);
        // Two names of one node (`let a = 1, b = 2`) are siblings.
        while open.last().is_some_and(|idx| {
            let holder = &items[*idx].bytes;
            raw.span.end > holder.end || raw.span == *holder
        }) {
            open.pop();
        }
        while let Some(idx) = open.last()
            && runs_over(&items[*idx], raw, lines)
        {
            end_before(&mut items[*idx], raw.span.start, lines, &marks);
            open.pop();
        }
        let parent = open.last().copied();
        if open.len() >= MAX_NESTING || is_local(raw, parent, &items) || in_attribute(raw, captures) {
            continue;
        }
        let name = match raw.kind {
            Some(_) => definition_name(&text[raw.name.clone()]),
            // A scope is not a symbol, so nobody searches for its bare name.
            None if !raw.label.is_empty() => {
                format!(
                    "{} {}",
                    label_head(text, raw),
                    definition_name(&text[raw.name.clone()])
                )
            }
            None => container_name(&text[raw.name.clone()]),
        };
        if name.is_empty() {
            continue;
        }
        let mut item = new_item((text, lines), (captures, language), (raw, name), parent, &items);
        let says_private = item.visibility == Visibility::Private
            && matches!(language.member_visibility, VisibilityRule::Unless(_));
        if let Some(visibility) = switches.of(parent).filter(|_| !says_private) {
            item.visibility = visibility;
        }
        let merges = items
            .len()
            .checked_sub(1)
            .filter(|last| continues(&items[*last], &item, language));
        match merges {
            Some(last) => {
                // Opened again, so that what this clause contains is inside it.
                open.push(last);
                continue_item(&mut items[last], item);
            }
            None => {
                open.push(items.len());
                items.push(item);
            }
        }
    }
    attach_lines(&mut items, &marks);
    let mut file_docs = attach_docs(text, lines, captures, language, &marks, &mut items);
    lead_docs(text, lines, captures, &items, &mut marks, &mut file_docs);
    let keeps = captures.keeps.iter().map(|keep| Keep {
        lines: lines.line_of(keep.bytes.start)..lines.last_line_of(&keep.bytes) + 1,
        language: keep
            .language
            .clone()
            .map(|bytes| definition_name(&text[bytes]))
            .unwrap_or_default(),
    });
    let keeps = keeps.collect();
    Outline {
        items,
        keeps,
        marks,
        file_docs,
    }
}

/// The marks (`private:`) so far, by the item that contains them.
struct Switches<'a> {
    ahead: &'a [(usize, Visibility)],
    passed: BTreeMap<Option<usize>, Visibility>,
}

impl<'a> Switches<'a> {
    fn new(ahead: &'a [(usize, Visibility)]) -> Self {
        Self {
            ahead,
            passed: BTreeMap::new(),
        }
    }

    /// Passes the marks before `place`; items that ended before a mark are closed and do not contain it.
    fn pass(&mut self, place: usize, items: &[Item], open: &mut Vec<usize>) {
        while let Some(((at, visibility), rest)) =
            self.ahead.split_first().filter(|(first, _)| first.0 < place)
        {
            while open.last().is_some_and(|idx| items[*idx].bytes.end <= *at) {
                open.pop();
            }
            self.passed.insert(open.last().copied(), *visibility);
            self.ahead = rest;
        }
    }

    fn of(&self, holder: Option<usize>) -> Option<Visibility> {
        self.passed.get(&holder).copied()
    }
}

fn is_local(raw: &RawDefinition, parent: Option<usize>, items: &[Item]) -> bool {
    let in_callable = |idx: usize| items[idx].is_callable();
    parent.is_some_and(in_callable) && !is_type(raw.kind) && holder_of(raw, parent, items) == parent
}

/// A function in the arguments of a decorator is a value, not a member of the decorated definition.
fn in_attribute(raw: &RawDefinition, captures: &Captures) -> bool {
    let at = captures
        .attached
        .partition_point(|attached| attached.start <= raw.span.start);
    captures.attached[..at]
        .last()
        .is_some_and(|attached| attached.start < raw.span.start && raw.span.end <= attached.end)
}

/// The item that a definition belongs to: the one around it, except that a field in the head of a constructor (`__construct(private
/// $x)`) belongs to the type.
fn holder_of(raw: &RawDefinition, parent: Option<usize>, items: &[Item]) -> Option<usize> {
    let method = parent.map(|idx| &items[idx]).filter(|item| item.is_callable());
    let owner = method
        .filter(|_| raw.kind == Some(SymbolKind::Field))
        .and_then(|item| item.parent)
        .filter(|idx| is_type(items[*idx].kind));
    owner.or(parent)
}

fn new_item(
    (text, lines): (&str, &Lines),
    (captures, language): (&Captures, &Language),
    (raw, name): (&RawDefinition, String),
    parent: Option<usize>,
    items: &[Item],
) -> Item {
    let holder = holder_of(raw, parent, items).map(|idx| &items[idx]);
    let mut container = holder.map(Item::path).unwrap_or_default();
    if let Some(qualifier) = &raw.container {
        let qualifier = container_name(&text[qualifier.clone()]);
        if !container.is_empty() && !qualifier.is_empty() {
            container.push_str("::");
        }
        container.push_str(&qualifier);
    }
    let in_type = holder.is_some_and(|holder| is_type(holder.kind));
    let kind = match raw.kind {
        Some(SymbolKind::Function) if in_type => Some(SymbolKind::Method),
        kind => kind,
    };
    let own_line = lines.line_of(raw.span.start);
    let label_head = match raw.kind {
        Some(_) => label_head(text, raw),
        None => String::new(),
    };
    Item {
        kind,
        parent,
        label_head,
        container,
        name_line: lines.line_of(raw.name.start),
        own_line,
        clause_lines: Vec::new(),
        lines: own_line..lines.last_line_of(&raw.span) + 1,
        signature: signature(text, captures, raw),
        has_body: raw.body.is_some(),
        is_broken: raw.is_broken,
        visibility: visibility(text, captures, language, raw, &name, holder),
        docs: String::new(),
        inherits: Vec::new(),
        symbol_idx: None,
        bytes: raw.span.clone(),
        name_bytes: raw.name.clone(),
        node: raw.node.clone(),
        name,
    }
}

fn label_head(text: &str, raw: &RawDefinition) -> String {
    let words: Vec<String> = raw
        .label
        .iter()
        .map(|bytes| definition_name(&text[bytes.clone()]))
        .collect();
    clip(&words.join(" "), MAX_LABEL_HEAD_CHARS)
}

/// The head of the definition: from after its annotations to its body.
fn signature(text: &str, captures: &Captures, raw: &RawDefinition) -> String {
    // A wrapper on the same line (`export`) is part of the head, one on a line above (`template<…>`) is not.
    let wrapped_on_line = !text[raw.span.start..raw.node.start.max(raw.span.start)].contains('\n');
    let mut start = if wrapped_on_line {
        raw.span.start
    } else {
        raw.node.start
    };
    let at = captures
        .attached
        .partition_point(|attached| attached.start < start);
    for attached in captures.attached[at..]
        .iter()
        .take_while(|attached| attached.end <= raw.name.start)
    {
        start = start.max(attached.end);
    }
    // The head of a section is its heading, and its name is on the first line.
    let first_line = || {
        text[raw.name.end..]
            .find('\n')
            .map_or(text.len(), |at| raw.name.end + at)
    };
    let end = match raw.kind {
        Some(SymbolKind::Section) => first_line().min(raw.node.end),
        _ => raw
            .body
            .filter(|body| *body >= raw.name.end)
            .unwrap_or(raw.node.end),
    };
    let head = without_comments(text, captures, start..end);
    let mut head = head.trim();
    for tail in ["\\", "{", "=>", "=", ":", "|", "do", "where", "end", ";", ","] {
        let cut = head.strip_suffix(tail).map(str::trim_end);
        // Only whole words.
        head = cut
            .filter(|cut| !tail.starts_with(char::is_alphabetic) || cut.len() + tail.len() < head.len())
            .unwrap_or(head);
    }
    clip(&collapse(head), MAX_SIGNATURE_CHARS)
}

/// The head without the comments in it (some grammars begin a body after its first comments).
fn without_comments(text: &str, captures: &Captures, range: Range<usize>) -> String {
    // Long bodies are cut before white space is collapsed: a table of constants may have megabytes.
    const MAX_BYTES: usize = 4 * MAX_SIGNATURE_CHARS;
    let mut head = String::new();
    let mut at = range.start;
    let first = captures
        .comments
        .partition_point(|comment| comment.start < range.start);
    let comments = captures.comments[first..]
        .iter()
        .take_while(|comment| comment.start < range.end);
    for bytes in comments.cloned().chain(std::iter::once(range.end..range.end)) {
        let code = text.get(at..bytes.start).unwrap_or_default();
        head.push_str(kitbag_types::prefix(code, MAX_BYTES));
        if head.len() >= MAX_BYTES {
            break;
        }
        at = at.max(bytes.end);
    }
    head
}

fn visibility(
    text: &str,
    captures: &Captures,
    language: &Language,
    raw: &RawDefinition,
    name: &str,
    holder: Option<&Item>,
) -> Visibility {
    // Members of an interface and cases of an enum are as visible as their holder; an implementation is as visible as its
    // interface, which is elsewhere.
    let by_holder = holder.and_then(|holder| match (holder.kind, raw.kind) {
        (Some(SymbolKind::Interface), _) => Some(holder.visibility),
        (Some(SymbolKind::Enum), Some(SymbolKind::Constant)) => Some(holder.visibility),
        (Some(_), _) => None,
        // Where a keyword marks private definitions, it does here too.
        (None, _) if matches!(language.member_visibility, VisibilityRule::Unless(_)) => {
            let says_private = holder.visibility == Visibility::Private
                && matches!(language.visibility, VisibilityRule::Unless(_));
            says_private.then_some(Visibility::Private)
        }
        (None, _) => captures
            .references
            .iter()
            .skip(
                captures
                    .references
                    .partition_point(|(bytes, _)| bytes.start < holder.bytes.start),
            )
            .take_while(|(bytes, _)| bytes.start < raw.span.start)
            .take(8)
            .any(|(_, kind)| *kind == RawReference::Inherit)
            .then_some(Visibility::Public),
    });
    if let Some(visibility) = by_holder {
        return visibility;
    }
    let in_module = holder.is_none_or(|holder| holder.kind == Some(SymbolKind::Module));
    let rule = if !in_module {
        language.member_visibility
    } else {
        language.visibility
    };
    let head = text.get(raw.span.start..raw.name.start).unwrap_or_default();
    let has_word = |words: &[&str]| {
        head.split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| words.contains(&word))
    };
    let is_exported = || {
        captures
            .exports
            .iter()
            .any(|export| &text[export.clone()] == name)
    };
    let public = match rule {
        VisibilityRule::Always => true,
        VisibilityRule::Keyword(words) => has_word(words) || is_exported(),
        VisibilityRule::Listed => {
            let holder_is_public = || holder.is_some_and(|holder| holder.visibility == Visibility::Public);
            captures.exports.is_empty() || is_exported() || holder_is_public()
        }
        VisibilityRule::Unless(words) => !has_word(words) && !name.starts_with('#'),
        VisibilityRule::Capitalised => name.chars().next().is_some_and(char::is_uppercase),
        VisibilityRule::NotUnderscore => {
            !name.starts_with('_') || (name.starts_with("__") && name.ends_with("__"))
        }
    };
    if public {
        Visibility::Public
    } else {
        Visibility::Private
    }
}

/// Whether `next` is another head of the same function: a clause, or the function after its overload signatures.
fn continues(last: &Item, next: &Item, language: &Language) -> bool {
    last.is_callable()
        && next.is_callable()
        && last.name == next.name
        && last.container == next.container
        && last.bytes.end <= next.bytes.start
        && (language.clauses || !last.has_body)
}

fn continue_item(last: &mut Item, next: Item) {
    last.clause_lines.push(next.own_line);
    last.bytes.end = next.bytes.end;
    last.lines.end = next.lines.end.max(last.lines.end);
    last.has_body |= next.has_body;
    // What comes before only announces it (`@spec` before `defp`).
    last.visibility = next.visibility;
}

/// The symbols of the items, and each item's index among them.
pub(crate) fn symbols(items: &mut [Item]) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = Vec::new();
    for item in items {
        let Some(kind) = item.kind else { continue };
        item.symbol_idx = Some(symbols.len() as u32);
        symbols.push(Symbol {
            name: item.name.clone(),
            kind,
            container: item.container.clone(),
            signature: item.signature.clone(),
            visibility: item.visibility,
            doc: summary(&item.docs),
            lines: LineRange::new(
                item.lines.start as u32 + 1,
                item.lines.end.max(item.lines.start + 1) as u32,
            ),
            name_line: item.name_line as u32 + 1,
            declared: String::new(),
        });
    }
    symbols
}
