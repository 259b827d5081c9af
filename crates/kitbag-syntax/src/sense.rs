//! The meaning of code, independent of its layout: a text becomes a stream of tokens that stays the same when it is reformatted,
//! commented or moved, and changes with anything else (MEM-3).
//!
//! A token is a leaf of the tree. Comments and doc strings are left out, and so is what formatters add and remove: commas before a
//! closing bracket, semicolons and kinds of quotes where they do not matter in the language (`LAYOUT` in the table), parentheses
//! around a whole expression. The shape of the tree is kept: every token knows how many nodes end before it and begin with it.
//! Otherwise a statement that moves out of an `if` in Python would give the same tokens. Nodes with one child are not counted, so
//! that wrappers make no difference.
//!
//! Prose, and text without a grammar, becomes its words.

mod rules;
#[cfg(test)]
mod tests;
mod walk;

use std::ops::Range;
use std::time::Duration;

use kitbag_types::{LineRange, SymbolKind};

use crate::captures::{Captures, capture};
use crate::grammar::{Budget, Clock, MAX_TIME, grammar_of};
use crate::item::Item;
use crate::languages::Language;
use crate::lines::Lines;
use crate::outline::outline;
use crate::parse::{is_unfit, safe_tree};

/// A text as tokens, with the ranges of its definitions.
#[derive(Clone, Debug, Default)]
pub struct Sense {
    tokens: Vec<Token>,
    /// In file order, holders before what they hold.
    pub definitions: Vec<SenseDefinition>,
}

/// A definition and its tokens, with its attributes and without its comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SenseDefinition {
    pub name: String,
    /// The names of the definitions around it, joined by `::`.
    pub container: String,
    pub kind: SymbolKind,
    pub signature: String,
    /// From its doc comment or first attribute to its last line.
    pub lines: LineRange,
    /// Indices of tokens.
    pub tokens: Range<usize>,
}

impl SenseDefinition {
    /// `container::name`.
    pub fn qualified(&self) -> String {
        match self.container.as_str() {
            "" => self.name.clone(),
            container => format!("{container}::{}", self.name),
        }
    }
}

/// One token, with the change of the tree's shape since the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) at: usize,
    pub(crate) ends: u32,
    pub(crate) begins: u32,
}

/// Replaces a definition's own name.
const OWN_NAME: &str = "\u{1}";

impl Sense {
    pub fn n_tokens(&self) -> usize {
        self.tokens.len()
    }

    /// The token's text.
    pub fn token(&self, idx: usize) -> Option<&str> {
        self.tokens.get(idx).map(|token| token.text.as_str())
    }

    /// The meaning of some tokens: equal for two runs of tokens if and only if they mean the same. `name` is replaced by a mark.
    pub fn said(&self, tokens: Range<usize>, name: Option<&str>) -> String {
        let mut said = String::new();
        let Some(run) = self.tokens.get(tokens) else {
            return said;
        };
        for (idx, token) in run.iter().enumerate() {
            if idx > 0 {
                // Neither character occurs in source: it was read as text.
                said.extend(std::iter::repeat_n('\u{3}', token.ends as usize));
                said.extend(std::iter::repeat_n('\u{2}', token.begins as usize));
                said.push('\u{1f}');
            }
            let is_own = name.is_some_and(|name| name == token.text);
            said.push_str(if is_own { OWN_NAME } else { &token.text });
        }
        said
    }

    /// The tokens that begin on some lines of `text`, from which this was made.
    pub fn on_lines(&self, text: &str, lines: LineRange) -> Range<usize> {
        let start_of = |line: u32| match line {
            1 => Some(0),
            line => text
                .match_indices('\n')
                .nth(line as usize - 2)
                .map(|(at, _)| at + 1),
        };
        let first = start_of(lines.start()).unwrap_or(text.len());
        let end = start_of(lines.end().saturating_add(1)).unwrap_or(text.len());
        let idx_of = |at: usize| self.tokens.partition_point(|token| token.at < at);
        idx_of(first)..idx_of(end)
    }

    /// The line that a token begins on.
    pub fn line_of(&self, text: &str, idx: usize) -> u32 {
        let at = self.tokens.get(idx).map_or(text.len(), |token| token.at);
        let before = &text.as_bytes()[..at.min(text.len())];
        before.iter().filter(|byte| **byte == b'\n').count() as u32 + 1
    }
}

/// Never fails: what cannot be parsed becomes its words, without definitions.
pub fn sense(text: &str, language: Option<&Language>, clock: Clock, most: Duration) -> Sense {
    let by_words = || Sense {
        tokens: walk::words(text, 0..text.len(), &[]),
        definitions: Vec::new(),
    };
    let Some((language, grammar)) = language.and_then(|row| Some((row, grammar_of(row)?))) else {
        return by_words();
    };
    if is_unfit(text).is_some() {
        return by_words();
    }
    let lines = Lines::new(text);
    let mut budget = Budget::for_text(text, clock, most.min(MAX_TIME));
    let Ok(tree) = safe_tree(text, &lines, grammar, &mut budget) else {
        return by_words();
    };
    let Some((captures, _)) = capture(grammar, &tree, text, &mut budget) else {
        return by_words();
    };
    let outline = outline(text, &lines, &captures, language);
    let silent = silent(&captures);
    let tokens = match language.joins_large {
        true => walk::tokens(&tree, text, language, &silent),
        // Prose.
        false => walk::words(text, 0..text.len(), &silent),
    };
    let definitions = outline.items.iter().filter_map(|item| {
        let kind = item.kind?;
        Some(SenseDefinition {
            name: item.name.clone(),
            container: item.container.clone(),
            kind,
            signature: item.signature.clone(),
            lines: LineRange::new(
                item.lines.start as u32 + 1,
                item.lines.end.max(item.lines.start + 1) as u32,
            ),
            tokens: own_tokens(item, &lines, &captures, &tokens),
        })
    });
    Sense {
        definitions: definitions.collect(),
        tokens,
    }
}

/// Comments and documentation: sorted byte ranges that do not overlap.
fn silent(captures: &Captures) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = captures.comments.iter().chain(&captures.docs).cloned().collect();
    all.sort_by_key(|bytes| (bytes.start, std::cmp::Reverse(bytes.end)));
    let mut end = 0;
    all.retain(|bytes| {
        let is_outer = bytes.end > end;
        end = end.max(bytes.end);
        is_outer
    });
    all
}

/// From its first attribute, which may be before its node, to the end of its node.
fn own_tokens(item: &Item, lines: &Lines, captures: &Captures, tokens: &[Token]) -> Range<usize> {
    let first_line = lines.start(item.lines.start);
    let from = captures
        .attached
        .partition_point(|attached| attached.start < first_line);
    let attached = captures.attached[from..].first();
    let start = attached.map_or(item.bytes.start, |attached| attached.start.min(item.bytes.start));
    let idx_of = |at: usize| tokens.partition_point(|token| token.at < at);
    idx_of(start)..idx_of(item.bytes.end).max(idx_of(start))
}
