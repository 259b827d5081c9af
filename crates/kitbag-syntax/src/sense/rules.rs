//! Differences that formatters make, and other ways to write the same.

use tree_sitter::Node;

use crate::languages::{Language, Layout, layout_of};

/// The layout rules of one language.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    layout: Layout,
}

impl Rules {
    pub(super) fn of(language: &Language) -> Self {
        Self {
            layout: layout_of(language),
        }
    }

    /// Whether a leaf is only layout.
    pub(super) fn is_layout(&self, leaf: Node<'_>, text: &str) -> bool {
        match text {
            "," => is_spare_comma(leaf),
            ";" => {
                self.is_end_of_statement(text)
                    && !leaf
                        .parent()
                        .is_some_and(|parent| parent.kind().starts_with("for"))
            }
            "(" | ")" => leaf.parent().is_some_and(is_spare_pair),
            _ => leaf.kind() == "line_continuation",
        }
    }

    /// A semicolon that a line break could replace.
    pub(super) fn is_end_of_statement(&self, text: &str) -> bool {
        self.layout.semicolons && text == ";"
    }

    /// A string as one token with normalised quotes, if quotes do not matter in the language and the string has no expressions.
    pub(super) fn whole_string(&self, node: Node<'_>, text: &str) -> Option<String> {
        if !self.layout.plain_quotes || node.kind() != "string" || has_code(node) {
            return None;
        }
        let written = text.get(node.byte_range())?;
        if !self.layout.quotes && written.contains(['\\', '#']) {
            return None;
        }
        let prefix = written.len()
            - written
                .trim_start_matches(|c: char| c.is_ascii_alphabetic())
                .len();
        let (prefix, rest) = written.split_at(prefix);
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let n_quotes = match rest.starts_with(&quote.to_string().repeat(3)) && rest.len() >= 6 {
            true => 3,
            false => 1,
        };
        let inner = rest.get(n_quotes..rest.len().checked_sub(n_quotes)?)?;
        let is_raw = prefix.contains(['r', 'R']);
        let inner = match is_raw {
            true => inner.to_owned(),
            false => without_escaped_quotes(inner),
        };
        Some(format!(
            "{}{}{inner}",
            prefix.to_ascii_lowercase(),
            "\"".repeat(n_quotes)
        ))
    }
}

/// `\'` and `\"` become plain quotes, whatever quotes are around them.
fn without_escaped_quotes(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' {
            match chars.next() {
                Some(quote @ ('\'' | '"')) => out.push(quote),
                Some(other) => out.extend([c, other]),
                None => out.push(c),
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether it contains code: `f"{price}"`.
fn has_code(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).any(|child| {
        let kind = child.kind();
        kind.contains("interpolation") || kind.contains("substitution")
    })
}

/// Whether a comma is optional: before a closing bracket or at the end of its node. Not if it makes a tuple (`(a,)`) or a hole
/// (`[a,,]`).
fn is_spare_comma(comma: Node<'_>) -> bool {
    let Some(holder) = comma.parent() else {
        return false;
    };
    if comma.prev_sibling().is_none_or(|before| before.kind() == ",") {
        return false;
    }
    let mut next = comma.next_sibling();
    while let Some(node) = next.filter(|node| node.is_extra() || is_comment(node.kind())) {
        next = node.next_sibling();
    }
    match next {
        None => n_parts(holder) > 1,
        Some(closer) if matches!(closer.kind(), ")" | "]" | "}" | ">") => {
            n_parts(holder) > 1 || LISTS.iter().any(|word| holder.kind().contains(word))
        }
        Some(_) => false,
    }
}

/// Kinds of nodes that are lists even with one element.
const LISTS: &[&str] = &[
    "argument",
    "array",
    "dict",
    "field",
    "import",
    "initializer",
    "list",
    "literal",
    "object",
    "parameter",
    "use",
];

fn n_parts(node: Node<'_>) -> usize {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !child.is_extra() && !is_comment(child.kind()))
        .count()
}

/// Whether parentheses enclose a whole expression: the shape of the tree shows what belongs together. A callee or the object of a
/// member keeps them: `(a?.b).c` is not `a?.b.c`.
fn is_spare_pair(pair: Node<'_>) -> bool {
    let is_reached_into = |holder: Node<'_>| {
        [
            "member",
            "call",
            "subscript",
            "attribute",
            "index",
            "selector",
            "field",
        ]
        .iter()
        .any(|word| holder.kind().contains(word))
    };
    pair.kind() == "parenthesized_expression"
        && n_parts(pair) == 1
        && !pair.parent().is_some_and(is_reached_into)
}

pub(super) fn is_comment(kind: &str) -> bool {
    kind == "comment" || (kind.ends_with("_comment") && !kind.starts_with("keyword"))
}

/// Whether white space inside such a node is part of it.
pub(super) fn is_text(kind: &str) -> bool {
    let is_made_of_strings =
        kind.contains("concatenated") || kind.contains("expression") || kind.ends_with("_list");
    !is_made_of_strings
        && [
            "string",
            "template_literal",
            "heredoc",
            "char",
            "regex",
            "quoted",
            "escape",
        ]
        .iter()
        .any(|word| kind.contains(word))
}

/// The text of a leaf, or of a gap without a node. `None`: empty.
pub(super) fn plain_text(kind: &str, text: &str, inside_text: bool) -> Option<String> {
    if inside_text {
        return Some(text.to_owned());
    }
    if kind.ends_with("text") {
        // Between tags, a line break equals a space.
        let words: Vec<&str> = text.split_whitespace().collect();
        return (!words.is_empty()).then(|| words.join(" "));
    }
    let text = text.trim();
    let is_broken_line = text.chars().all(|c| c == '\\' || c.is_whitespace());
    (!is_broken_line).then(|| text.to_owned())
}
