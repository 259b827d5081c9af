//! Walks a tree and records its tokens, with the shape between them.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::Token;
use super::rules::{Rules, is_comment, is_text, plain_text};
use crate::languages::Language;

/// A node that the walk has entered.
struct Open<'t> {
    node: Node<'t>,
    /// The index of its event.
    event: usize,
    /// Children that gave tokens so far.
    n_children: u32,
    /// The end of the part of its text that was read.
    read: usize,
    /// Whether white space in it matters.
    is_text: bool,
}

/// The events of the walk, in order.
enum Event {
    Begin { counts: bool },
    End { begin: usize },
    Token { text: String, at: usize },
}

/// `silent`: ranges that are left out, in order.
pub(super) fn tokens(tree: &Tree, text: &str, language: &Language, silent: &[Range<usize>]) -> Vec<Token> {
    let mut walk = Walk {
        text,
        rules: Rules::of(language),
        silent,
        events: Vec::new(),
        open: Vec::new(),
    };
    let mut cursor = tree.walk();
    loop {
        let goes_down = walk.enter(cursor.node());
        if goes_down && cursor.goto_first_child() {
            continue;
        }
        if goes_down {
            walk.leave();
        }
        loop {
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return settled(walk.events);
            }
            walk.leave();
        }
    }
}

struct Walk<'t> {
    text: &'t str,
    rules: Rules,
    silent: &'t [Range<usize>],
    events: Vec<Event>,
    open: Vec<Open<'t>>,
}

impl<'t> Walk<'t> {
    /// True: visit its children, and call `leave` after them.
    fn enter(&mut self, node: Node<'t>) -> bool {
        let bytes = node.byte_range();
        self.read_gap(bytes.start);
        if let Some(holder) = self.open.last_mut() {
            holder.read = holder.read.max(bytes.end);
        }
        if bytes.is_empty() || is_comment(node.kind()) || self.is_silent(&bytes) {
            return false;
        }
        if let Some(whole) = self.rules.whole_string(node, self.text) {
            self.token(whole, bytes.start);
            return false;
        }
        if node.child_count() == 0 {
            if !self.rules.is_layout(node, &self.text[bytes.clone()]) {
                let inside_text =
                    is_text(node.kind()) || self.open.last().is_some_and(|holder| holder.is_text);
                if let Some(text) = plain_text(node.kind(), &self.text[bytes.clone()], inside_text) {
                    self.token(text, bytes.start);
                }
            }
            return false;
        }
        self.open.push(Open {
            node,
            event: self.events.len(),
            n_children: 0,
            read: bytes.start,
            is_text: is_text(node.kind()),
        });
        self.events.push(Event::Begin { counts: false });
        true
    }

    fn leave(&mut self) {
        let Some(end) = self.open.last().map(|open| open.node.end_byte()) else {
            return;
        };
        self.read_gap(end);
        let Some(done) = self.open.pop() else { return };
        if let Some(Event::Begin { counts }) = self.events.get_mut(done.event) {
            *counts = done.n_children > 1;
        }
        self.events.push(Event::End { begin: done.event });
        if done.n_children > 0
            && let Some(holder) = self.open.last_mut()
        {
            holder.n_children += 1;
        }
    }

    /// Text that no child of the innermost node covers: grammars leave parts of strings and macros without a node.
    fn read_gap(&mut self, until: usize) {
        let Some(holder) = self.open.last() else { return };
        let (at, inside_text) = (holder.read, holder.is_text);
        let Some(gap) = self.text.get(at..until) else {
            return;
        };
        // Some grammars have no leaf for the end of a statement.
        if gap.is_empty() || !inside_text && self.rules.is_end_of_statement(gap.trim()) {
            return;
        }
        if let Some(text) = plain_text("", gap, inside_text) {
            self.token(text, at);
        }
    }

    fn token(&mut self, text: String, at: usize) {
        self.events.push(Event::Token { text, at });
        if let Some(holder) = self.open.last_mut() {
            holder.n_children += 1;
        }
    }

    /// Whether it is inside a comment or a doc string.
    fn is_silent(&self, bytes: &Range<usize>) -> bool {
        let after = self.silent.partition_point(|range| range.start <= bytes.start);
        self.silent[..after]
            .last()
            .is_some_and(|range| bytes.end <= range.end)
    }
}

/// The tokens, each with the nodes that end and begin before it. Nodes with one child do not count.
fn settled(events: Vec<Event>) -> Vec<Token> {
    let counts: Vec<bool> = events
        .iter()
        .map(|event| matches!(event, Event::Begin { counts: true }))
        .collect();
    let (mut ends, mut begins) = (0, 0);
    let mut tokens = Vec::new();
    for event in events {
        match event {
            Event::Begin { counts } => begins += u32::from(counts),
            Event::End { begin } => ends += u32::from(counts[begin]),
            Event::Token { text, at } => {
                tokens.push(Token {
                    text,
                    at,
                    ends,
                    begins,
                });
                (ends, begins) = (0, 0);
            }
        }
    }
    tokens
}

/// The words of a part of the text, without shape.
pub(super) fn words(text: &str, bytes: Range<usize>, silent: &[Range<usize>]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = bytes.start;
    let nothing = bytes.end..bytes.end;
    for gap in silent.iter().chain(std::iter::once(&nothing)) {
        let part = text.get(at..gap.start.max(at)).unwrap_or_default();
        for word in part.split_whitespace() {
            // A word is a slice of the text it was split from.
            let offset = word.as_ptr() as usize - part.as_ptr() as usize;
            tokens.push(Token {
                text: word.to_owned(),
                at: at + offset,
                ends: 0,
                begins: 0,
            });
        }
        at = at.max(gap.end);
    }
    tokens
}
