//! Runs the query of a language over its tree and sorts the captures into plain data with byte ranges, in one pass.
//!
//! The capture words of a query file:
//! - `@definition.<kind>` with `@name`: a definition; `<kind>` is a `SymbolKind`. Several matches with one name node are one
//!   definition: the first pattern in the file gives its kind, their union its extent. `(#set! until "=")`: the name ends before
//!   that text.
//! - `@name.sigil`: a name after one character that is not part of it (`:name`). `@name.path`: a qualified name in one node
//!   (`Shop.Cart`): its last part is the name, the rest is the `@container`.
//! - `@label`: with a definition or scope, words before its name in labels (`CREATE TABLE` users). They are part of the name of a
//!   scope.
//! - `@lead` instead of `@name`, in broken trees without a node for the name: where the statement begins. The name is the word
//!   after one of those in `(#set! words "procedure proc")`, on the same line.
//! - `@heading.<level>` with `@name`: a section whose node is only its heading; it extends to the next heading in the same holder
//!   that is not deeper.
//! - `@scope` with `@name`: a container that is not a symbol itself (`impl T`).
//! - `@span` with `@name`: widens the definition of that name (`decorated_definition`, `export_statement`, templates). With
//!   `@import`: the whole import statement, so that its lines are known to be imports. With `@wrapped`: widens the definition with
//!   that node, whatever its name.
//! - `@container`: with a definition, a qualifier that is not a syntactic parent (`func (r *T) Name`).
//! - `@body`: with a definition, where its signature ends; without it, the node's `body` field.
//! - `@doc`: documentation inside what it documents (docstring, `//!`). `@comment`: any comment; one that ends on the line before a
//!   definition documents it. `@attach`: attributes, decorators, annotations: they belong to what follows.
//! - `@reference.call`, `@reference.type`, `@inherit`: on the name node itself.
//! - `@import`: the module path. `{a, b}` groups in it are expanded. `@import.name`: a name that the import binds.
//! - `@package`: the file's package. `@export`: a name that this statement makes public.
//! - `@private`, `@public`: a mark (`private:`) that applies to what follows it in the same holder.
//! - `@keep`: text that is not split if it fits into a chunk (a code fence). With `@label`: the language of that text, for the
//!   label of a chunk that mostly consists of it.
//! - `@_anything`: for predicates only. `nesting.rs` documents `(#set! nesting …)`.
//!
//! If a `@name`, `@container` or `@import` is captured twice in one match, it extends from the first to the last (`operator +`).

use std::ops::Range;

use kitbag_types::{SymbolKind, Visibility};
use tree_sitter::{Node, QueryCursorOptions, StreamingIterator, Tree};

use crate::facts::RawFacts;
use crate::grammar::{Budget, Grammar, QUERY_CALL, Role, with_cursor};
use crate::scopes::RawScopes;

/// A definition or scope from one match, before matches of the same name are merged.
pub(crate) struct RawDefinition {
    pub(crate) name: Range<usize>,
    /// `None`: a scope.
    pub(crate) kind: Option<SymbolKind>,
    /// The definition's own node.
    pub(crate) node: Range<usize>,
    /// The node with its wrappers.
    pub(crate) span: Range<usize>,
    pub(crate) body: Option<usize>,
    pub(crate) container: Option<Range<usize>>,
    /// The words before the name in labels.
    pub(crate) label: Vec<Range<usize>>,
    pattern_idx: usize,
    /// It contains syntax errors, so it may extend over its neighbours.
    pub(crate) is_broken: bool,
    /// The level of a heading.
    level: Option<u8>,
    /// Found by its first word in a broken tree: its end is unknown.
    is_lead: bool,
}

/// Text that is not split if possible.
pub(crate) struct RawKeep {
    pub(crate) bytes: Range<usize>,
    pub(crate) language: Option<Range<usize>>,
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

/// What a pattern widens, by name or by node.
#[derive(Default)]
struct Widened {
    by_name: Vec<(Range<usize>, Range<usize>)>,
    by_node: Vec<(Range<usize>, Range<usize>)>,
}

/// All captures, sorted by position.
#[derive(Default)]
pub(crate) struct Captures {
    pub(crate) definitions: Vec<RawDefinition>,
    pub(crate) references: Vec<(Range<usize>, RawReference)>,
    pub(crate) imports: Vec<RawImport>,
    pub(crate) docs: Vec<Range<usize>>,
    pub(crate) comments: Vec<Range<usize>>,
    pub(crate) attached: Vec<Range<usize>>,
    pub(crate) keeps: Vec<RawKeep>,
    pub(crate) exports: Vec<Range<usize>>,
    /// Where the visibility of later definitions changes.
    pub(crate) switches: Vec<(usize, Visibility)>,
    pub(crate) package: Option<Range<usize>>,
    pub(crate) scopes: RawScopes,
}

/// `None` if the budget ran out.
pub(crate) fn capture<'t>(
    grammar: &Grammar,
    tree: &'t Tree,
    text: &str,
    budget: &mut Budget,
) -> Option<(Captures, RawFacts<'t>)> {
    let mut captures = Captures::default();
    let mut facts = RawFacts::default();
    let mut widened = Widened::default();
    let mut stopped = false;
    with_cursor(|cursor| {
        let mut callback = |_: &tree_sitter::QueryCursorState| {
            let flow = budget.call(QUERY_CALL);
            stopped |= flow.is_break();
            flow
        };
        let options = QueryCursorOptions::new().progress_callback(&mut callback);
        let mut matches =
            cursor.matches_with_options(&grammar.query, tree.root_node(), text.as_bytes(), options);
        while let Some(found) = matches.next() {
            if found.pattern_index >= grammar.first_fact_pattern {
                let word_of = |idx: u32| grammar.fact_words[idx as usize];
                facts.take(
                    found,
                    word_of,
                    grammar.fixed_names[found.pattern_index].as_deref(),
                );
            } else if found.pattern_index >= grammar.first_scope_pattern {
                let word_of = |idx: u32| match grammar.roles[idx as usize] {
                    Role::Lexical(word) => Some(word),
                    _ => None,
                };
                let then = grammar.then[found.pattern_index].as_deref();
                captures.scopes.take(found, word_of, then);
            } else {
                take(grammar, text, found, &mut captures, &mut widened);
            }
        }
    });
    if stopped {
        return None;
    }
    settle(&mut captures, widened);
    captures.scopes.settle();
    trim_tails(&mut captures, text);
    extend_headings(&mut captures.definitions, text.len());
    Some((captures, facts))
}

/// The captures of one match of a query.
#[derive(Default)]
struct Parts<'t> {
    definition: Option<(Option<SymbolKind>, Node<'t>)>,
    heading_level: Option<u8>,
    name: Option<Range<usize>>,
    label: Vec<Range<usize>>,
    keep: Option<Range<usize>>,
    lead: Option<Range<usize>>,
    container: Option<Range<usize>>,
    span: Option<Range<usize>>,
    wrapped: Option<Range<usize>>,
    body: Option<usize>,
    import: Option<Range<usize>>,
    import_names: Vec<Range<usize>>,
}

/// The captures of a match by role. Those that need no others (calls, comments) are stored at once.
fn parts_of<'t>(
    grammar: &Grammar,
    text: &str,
    found: &tree_sitter::QueryMatch<'_, 't>,
    captures: &mut Captures,
) -> Parts<'t> {
    let mut parts = Parts::default();
    for capture in found.captures() {
        let bytes = capture.node.byte_range();
        if !text.is_char_boundary(bytes.start) || !text.is_char_boundary(bytes.end) {
            // No grammar should split a character, but each has its own C code.
            continue;
        }
        match grammar.roles[capture.index as usize] {
            Role::Call => captures.references.push((bytes, RawReference::Call)),
            Role::Type => captures.references.push((bytes, RawReference::Type)),
            Role::Inherit => captures.references.push((bytes, RawReference::Inherit)),
            Role::Comment => captures.comments.push(bytes),
            Role::Attach => captures.attached.push(bytes),
            Role::Doc => captures.docs.push(bytes),
            Role::Definition(kind) => parts.definition = Some((Some(kind), capture.node)),
            Role::Heading(level) => {
                parts.definition = Some((Some(SymbolKind::Section), capture.node));
                parts.heading_level = Some(level);
            }
            Role::Scope => parts.definition = Some((None, capture.node)),
            Role::Name => parts.name = Some(on_to(parts.name.take(), bytes)),
            Role::Label => parts.label.push(bytes),
            Role::Keep => parts.keep = Some(bytes),
            Role::Lead => parts.lead = Some(bytes),
            Role::SigilName => {
                let sigil = text[bytes.clone()].chars().next().map_or(0, char::len_utf8);
                parts.name = Some(bytes.start + sigil..bytes.end);
            }
            Role::PathName => {
                let last = text[bytes.clone()].rfind(['.', ':', '\\', '/']);
                let (rest, start) = last.map_or((None, bytes.start), |at| {
                    (Some(bytes.start..bytes.start + at), bytes.start + at + 1)
                });
                parts.container = rest;
                parts.name = Some(start..bytes.end);
            }
            Role::Container => parts.container = Some(on_to(parts.container.take(), bytes)),
            Role::Span => parts.span = Some(bytes),
            Role::Body => parts.body = Some(bytes.start),
            Role::Import => parts.import = Some(on_to(parts.import.take(), bytes)),
            Role::Wrapped => parts.wrapped = Some(bytes),
            Role::ImportName => parts.import_names.push(bytes),
            Role::Package => {
                captures.package.get_or_insert(bytes);
            }
            Role::Export => captures.exports.push(bytes),
            Role::Switch(visibility) => captures.switches.push((bytes.start, visibility)),
            Role::Lexical(_) | Role::Unused => {}
        }
    }
    parts
}

fn take(
    grammar: &Grammar,
    text: &str,
    found: &tree_sitter::QueryMatch<'_, '_>,
    captures: &mut Captures,
    widened: &mut Widened,
) {
    let Parts {
        definition,
        heading_level,
        mut name,
        mut label,
        keep,
        lead,
        container,
        span,
        wrapped,
        body,
        import,
        import_names,
    } = parts_of(grammar, text, found, captures);
    if let Some(path) = import {
        let span = span.clone().unwrap_or_else(|| path.clone());
        captures.imports.push(RawImport {
            path,
            names: import_names,
            span,
        });
        return;
    }
    if let Some(bytes) = keep {
        let language = label.pop();
        captures.keeps.push(RawKeep { bytes, language });
        return;
    }
    if let (Some(wrapped), Some(span)) = (wrapped, &span) {
        widened.by_node.push((wrapped, span.clone()));
    }
    if let (Some(lead), Some(words)) = (&lead, &grammar.name_words[found.pattern_index]) {
        let behind = name_behind(text, lead, words);
        name = behind.clone().map(|(_, name)| name);
        label.extend(behind.map(|(head, _)| head));
    }
    let Some(mut name) = name else { return };
    if let Some(mark) = &grammar.name_ends[found.pattern_index] {
        let length = text[name.clone()].find(&**mark);
        name.end = length.map_or(name.end, |length| name.start + length);
    }
    if let Some((kind, node)) = definition {
        let field_body = || grammar.body_field.and_then(|id| node.child_by_field_id(id));
        let mut body = body.or_else(|| field_body().map(|body| body.start_byte()));
        let is_broken = node.has_error();
        let mut node = node.byte_range();
        let is_lead = lead.is_some();
        if let Some(lead) = lead {
            // Of a statement that was not understood, only the first line is certain to be its head.
            node.start = lead.start;
            body = text[lead.end..].find('\n').map(|length| lead.end + length);
        }
        let span = union(&node, span.as_ref().unwrap_or(&node));
        let pattern_idx = found.pattern_index;
        captures.definitions.push(RawDefinition {
            name,
            kind,
            node,
            span,
            body,
            container,
            label,
            pattern_idx,
            is_broken,
            level: heading_level,
            is_lead,
        });
    } else if let Some(span) = span {
        widened.by_name.push((name, span));
    }
}

/// On the line of `lead`: the text from there through one of `words`, and the name after it.
fn name_behind(text: &str, lead: &Range<usize>, words: &str) -> Option<(Range<usize>, Range<usize>)> {
    /// `OR REPLACE PROCEDURE`: later words on the line do not name the kind of the statement.
    const MAX_LEADING_WORDS: usize = 3;
    let is_one_of = |word: &str, words: &str| words.split(' ').any(|known| known.eq_ignore_ascii_case(word));
    let line = kitbag_types::prefix(text[lead.end..].lines().next()?, 1_000);
    let place_of = |part: &str| {
        let start = part.as_ptr() as usize - text.as_ptr() as usize;
        start..start + part.len()
    };
    let mut rest = line
        .split([' ', '\t', '(', ';', ','])
        .filter(|word| !word.is_empty());
    let kind = rest
        .by_ref()
        .take(MAX_LEADING_WORDS)
        .find(|word| is_one_of(word, words))?;
    let name = rest.find(|word| !is_one_of(word, "if not exists"))?;
    // The last part of `[dbo].[users]`, without quotes.
    let name = name.rsplit('.').next()?.trim_matches(['[', ']', '"', '`', '\'']);
    Some((lead.start..place_of(kind).end, place_of(name)))
}

/// Sorts everything and merges matches of one name.
fn settle(captures: &mut Captures, mut widened: Widened) {
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
    let by_place = |bytes: &Range<usize>| (bytes.start, bytes.end);
    widened.by_node.sort_by_key(|(node, _)| by_place(node));
    for definition in &mut captures.definitions {
        let node = by_place(&definition.node);
        let at = widened
            .by_node
            .partition_point(|(wrapped, _)| by_place(wrapped) < node);
        let same_node = widened.by_node[at..]
            .iter()
            .take_while(|(wrapped, _)| by_place(wrapped) == node);
        for (_, span) in same_node {
            definition.span = union(&definition.span, span);
        }
    }
    widened
        .by_name
        .sort_by_key(|(name, span)| (name.start, span.start));
    for (name, span) in widened.by_name {
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
    // A broken statement extends to the next.
    let mut next_lead = usize::MAX;
    for definition in captures.definitions.iter_mut().rev().filter(|d| d.is_lead) {
        let span = &mut definition.span;
        span.end = span.end.min(next_lead).max(definition.name.end);
        next_lead = span.start;
    }

    let by_place = |bytes: &Range<usize>| (bytes.start, bytes.end);
    captures
        .references
        .sort_by_key(|(bytes, kind)| (bytes.start, bytes.end, *kind));
    // For an inherited type, only the inheritance is kept.
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
    captures
        .keeps
        .sort_by_key(|keep| (keep.bytes.start, keep.bytes.end));
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
    // If a query captures a doc comment as a comment too, only the doc comment is kept.
    let docs = &captures.docs;
    captures
        .comments
        .retain(|bytes| docs.binary_search_by_key(&by_place(bytes), by_place).is_err());
}

/// Grammars of indented languages extend a block over the blank lines and comments after it. Comments that are not indented more
/// than the definition do not belong to it: they document the next one.
fn trim_tails(captures: &mut Captures, text: &str) {
    /// Longer lines were not indented by hand.
    const MAX_COLUMN: usize = 500;
    let column = |at: usize| {
        let line = &text.as_bytes()[at.saturating_sub(MAX_COLUMN)..at];
        line.iter().rev().take_while(|byte| **byte != b'\n').count()
    };
    let own_end = |span: Range<usize>| span.start + text[span].trim_end().len();
    for definition in &mut captures.definitions {
        let span = &mut definition.span;
        span.end = own_end(span.clone()).max(definition.name.end);
        loop {
            let at = captures
                .comments
                .partition_point(|comment| comment.start < span.end);
            let Some(comment) = captures.comments[..at].last() else {
                break;
            };
            let is_tail = definition.name.end < comment.start
                && text[comment.end.min(span.end)..span.end].trim().is_empty();
            if !is_tail || column(comment.start) > column(span.start) {
                break;
            }
            span.end = own_end(span.start..comment.start);
        }
    }
}

/// The section of a heading ends at the next heading that is not deeper, or with its holder.
fn extend_headings(definitions: &mut [RawDefinition], text_end: usize) {
    /// An open heading, and where its holder ends; outermost first.
    struct Holder {
        end: usize,
        open: Vec<usize>,
    }
    fn close(definitions: &mut [RawDefinition], headings: impl Iterator<Item = usize>, end: usize) {
        for idx in headings {
            definitions[idx].span.end = definitions[idx].span.end.max(end);
        }
    }
    let mut holders = vec![Holder {
        end: text_end,
        open: Vec::new(),
    }];
    for idx in 0..definitions.len() {
        let Range { start, end } = definitions[idx].span;
        while holders.len() > 1
            && let Some(holder) = holders.pop_if(|holder| holder.end <= start)
        {
            close(definitions, holder.open.into_iter(), holder.end);
        }
        let Some(holder) = holders.last_mut() else { return };
        match definitions[idx].level {
            Some(level) => {
                let is_deeper = |open: &usize| definitions[*open].level.is_some_and(|known| known >= level);
                let keep = holder
                    .open
                    .iter()
                    .position(is_deeper)
                    .unwrap_or(holder.open.len());
                let ended = holder.open.split_off(keep);
                holder.open.push(idx);
                close(definitions, ended.into_iter(), start);
            }
            None => holders.push(Holder {
                end,
                open: Vec::new(),
            }),
        }
    }
    for holder in holders {
        close(definitions, holder.open.into_iter(), holder.end);
    }
}

/// Extends the first capture of a word to a later one in the same match.
fn on_to(first: Option<Range<usize>>, later: Range<usize>) -> Range<usize> {
    first.map_or(later.clone(), |first| union(&first, &later))
}

fn union(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}
