//! Runs the query of a language over its tree and sorts what it caught into plain facts, with byte ranges. One pass.
//!
//! The capture words of a query file:
//! - `@definition.<kind>` with `@name`: a definition; `<kind>` is a `SymbolKind`. Several matches with one name node
//!   are one definition: the first pattern in the file gives its kind, their union its extent.
//! - `@name.sigil`: a name behind one character that is no part of it (`:name`). `@name.path`: a qualified name in one node
//!   (`Shop.Cart`): its last part is the name, the rest is the `@container`.
//! - `@heading` with `@name`: a section that is only its heading in the tree; it goes on to the next definition.
//! - `@scope` with `@name`: a container that is no symbol itself (`impl T`).
//! - `@span` with `@name`: widens the definition of that name (`decorated_definition`, `export_statement`, templates).
//!   With `@import`: the whole import statement, so that its lines are known to be imports.
//! - `@container`: beside a definition, the qualifier that is not a syntactic parent (`func (r *T) Name`).
//! - `@body`: beside a definition, where its signature ends; without it, the node's `body` field.
//! - `@doc`: documentation inside what it documents (docstring, `//!`). `@comment`: any comment; one that ends on the line
//!   before a definition documents it. `@attach`: attributes, decorators, annotations: they belong to what follows.
//! - `@reference.call`, `@reference.type`, `@inherit`: on the name node itself.
//! - `@import`: the module path. `{a, b}` groups in it are spelt out. `@import.name`: a name that the import binds.
//! - `@package`: the file's package. `@export`: a name made public by this statement.
//! - `@private`, `@public`: a mark (`private:`) that holds for what follows it in the same holder.
//! - `@_anything`: for predicates only.

use std::ops::Range;

use kitbag_types::{SymbolKind, Visibility};
use tree_sitter::{QueryCursorOptions, StreamingIterator, Tree};

use crate::grammar::{Budget, Grammar, Role, with_cursor};

/// A definition or scope as one match tells it, before matches of one name are put together.
pub(crate) struct RawDefinition {
    pub(crate) name: Range<usize>,
    /// `None`: a scope.
    pub(crate) kind: Option<SymbolKind>,
    /// The definition's own node.
    pub(crate) node: Range<usize>,
    /// The node with what wraps it.
    pub(crate) span: Range<usize>,
    pub(crate) body: Option<usize>,
    pub(crate) container: Option<Range<usize>>,
    pattern_idx: usize,
    /// Goes on to the next definition.
    is_heading: bool,
}

pub(crate) struct RawImport {
    pub(crate) path: Range<usize>,
    pub(crate) names: Vec<Range<usize>>,
    pub(crate) span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RawReference {
    Call,
    Inherit,
    Type,
}

/// Everything sorted by position.
#[derive(Default)]
pub(crate) struct Captures {
    pub(crate) definitions: Vec<RawDefinition>,
    pub(crate) references: Vec<(Range<usize>, RawReference)>,
    pub(crate) imports: Vec<RawImport>,
    pub(crate) docs: Vec<Range<usize>>,
    pub(crate) comments: Vec<Range<usize>>,
    pub(crate) attached: Vec<Range<usize>>,
    pub(crate) exports: Vec<Range<usize>>,
    /// Where visibility changes for what follows.
    pub(crate) switches: Vec<(usize, Visibility)>,
    pub(crate) package: Option<Range<usize>>,
}

/// `None` when the budget ran out on the way.
pub(crate) fn capture(grammar: &Grammar, tree: &Tree, text: &str, budget: &mut Budget) -> Option<Captures> {
    let mut captures = Captures::default();
    let mut widened: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let mut stopped = false;
    with_cursor(|cursor| {
        let mut callback = |_: &tree_sitter::QueryCursorState| {
            let flow = budget.spend(1);
            stopped |= flow.is_break();
            flow
        };
        let options = QueryCursorOptions::new().progress_callback(&mut callback);
        let mut matches =
            cursor.matches_with_options(&grammar.query, tree.root_node(), text.as_bytes(), options);
        while let Some(found) = matches.next() {
            take(grammar, text, found, &mut captures, &mut widened);
        }
    });
    if stopped {
        return None;
    }
    settle(&mut captures, widened);
    extend_headings(&mut captures.definitions, text.len());
    Some(captures)
}

fn take(
    grammar: &Grammar,
    text: &str,
    found: &tree_sitter::QueryMatch<'_, '_>,
    captures: &mut Captures,
    widened: &mut Vec<(Range<usize>, Range<usize>)>,
) {
    let mut definition = None;
    let mut is_heading = false;
    let mut name = None;
    let mut container = None;
    let mut span = None;
    let mut body = None;
    let mut import = None;
    let mut import_names = Vec::new();
    for capture in found.captures() {
        let bytes = capture.node.byte_range();
        if !text.is_char_boundary(bytes.start) || !text.is_char_boundary(bytes.end) {
            // No grammar should cut a character in two, but each has C code of its own.
            continue;
        }
        match grammar.roles[capture.index as usize] {
            Role::Call => captures.references.push((bytes, RawReference::Call)),
            Role::Type => captures.references.push((bytes, RawReference::Type)),
            Role::Inherit => captures.references.push((bytes, RawReference::Inherit)),
            Role::Comment => captures.comments.push(bytes),
            Role::Attach => captures.attached.push(bytes),
            Role::Doc => captures.docs.push(bytes),
            Role::Definition(kind) => definition = Some((Some(kind), capture.node)),
            Role::Heading => {
                definition = Some((Some(SymbolKind::Section), capture.node));
                is_heading = true;
            }
            Role::Scope => definition = Some((None, capture.node)),
            Role::Name => name = Some(bytes),
            Role::SigilName => {
                let sigil = text[bytes.clone()].chars().next().map_or(0, char::len_utf8);
                name = Some(bytes.start + sigil..bytes.end);
            }
            Role::PathName => {
                let last = text[bytes.clone()].rfind(['.', ':', '\\', '/']);
                let (rest, start) = last.map_or((None, bytes.start), |at| {
                    (Some(bytes.start..bytes.start + at), bytes.start + at + 1)
                });
                container = rest;
                name = Some(start..bytes.end);
            }
            Role::Container => container = Some(bytes),
            Role::Span => span = Some(bytes),
            Role::Body => body = Some(bytes.start),
            Role::Import => import = Some(bytes),
            Role::ImportName => import_names.push(bytes),
            Role::Package => {
                captures.package.get_or_insert(bytes);
            }
            Role::Export => captures.exports.push(bytes),
            Role::Switch(visibility) => captures.switches.push((bytes.start, visibility)),
            Role::Unused => {}
        }
    }
    if let Some(path) = import {
        let span = span.clone().unwrap_or_else(|| path.clone());
        captures.imports.push(RawImport {
            path,
            names: import_names,
            span,
        });
        return;
    }
    let Some(name) = name else { return };
    if let Some((kind, node)) = definition {
        let field_body = || grammar.body_field.and_then(|id| node.child_by_field_id(id));
        let body = body.or_else(|| field_body().map(|body| body.start_byte()));
        let node = node.byte_range();
        let span = union(&node, span.as_ref().unwrap_or(&node));
        let pattern_idx = found.pattern_index;
        captures.definitions.push(RawDefinition {
            name,
            kind,
            node,
            span,
            body,
            container,
            pattern_idx,
            is_heading,
        });
    } else if let Some(span) = span {
        widened.push((name, span));
    }
}

/// Puts everything in order and matches of one name together.
fn settle(captures: &mut Captures, mut widened: Vec<(Range<usize>, Range<usize>)>) {
    let key = |d: &RawDefinition| (d.name.start, d.kind.is_none(), d.pattern_idx, d.node.start);
    captures.definitions.sort_by_key(key);
    captures.definitions.dedup_by(|later, first| {
        let same = later.name == first.name && later.kind.is_none() == first.kind.is_none();
        if same {
            first.span = union(&first.span, &later.span);
            first.body = first.body.or(later.body);
            first.container = first.container.take().or(later.container.take());
        }
        same
    });
    widened.sort_by_key(|(name, span)| (name.start, span.start));
    for (name, span) in widened {
        let at = captures
            .definitions
            .partition_point(|d| d.name.start < name.start);
        let same_name = captures.definitions[at..]
            .iter_mut()
            .take_while(|d| d.name.start == name.start);
        same_name.for_each(|definition| definition.span = union(&definition.span, &span));
    }
    captures
        .definitions
        .sort_by_key(|d| (d.span.start, usize::MAX - d.span.end, d.name.start));

    let by_place = |bytes: &Range<usize>| (bytes.start, bytes.end);
    captures
        .references
        .sort_by_key(|(bytes, kind)| (bytes.start, bytes.end, *kind));
    // Of an inherited type, only that it is inherited is worth keeping.
    captures.references.dedup_by(|later, first| later.0 == first.0);
    captures
        .imports
        .sort_by_key(|import| (import.path.start, import.path.end));
    captures.imports.dedup_by(|later, first| {
        let same = later.path == first.path;
        if same {
            first.names.append(&mut later.names);
            first.span = union(&first.span, &later.span);
        }
        same
    });
    for list in [
        &mut captures.docs,
        &mut captures.comments,
        &mut captures.attached,
        &mut captures.exports,
    ] {
        list.sort_by_key(by_place);
        list.dedup();
    }
    captures.switches.sort_by_key(|(at, _)| *at);
    // A doc comment is a comment too to a query that says so twice; it is kept once, as what it is.
    let docs = &captures.docs;
    captures
        .comments
        .retain(|bytes| docs.binary_search_by_key(&by_place(bytes), by_place).is_err());
}

/// A heading's section ends where the next definition begins, or where what holds the heading ends.
fn extend_headings(definitions: &mut [RawDefinition], text_end: usize) {
    let mut holder_ends: Vec<usize> = Vec::new();
    for idx in 0..definitions.len() {
        let start = definitions[idx].span.start;
        holder_ends.retain(|end| *end > start);
        if definitions[idx].is_heading {
            let next = definitions.get(idx + 1).map_or(text_end, |next| next.span.start);
            let end = holder_ends.last().map_or(next, |end| next.min(*end));
            definitions[idx].span.end = end.max(definitions[idx].span.end);
        } else {
            holder_ends.push(definitions[idx].span.end);
        }
    }
}

fn union(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}
