//! The words of a comment without its markers, and its first sentence.

use crate::languages::Comments;
use crate::names::{clip, collapse};

const MAX_SUMMARY_CHARS: usize = 200;
/// Markup in documentation, which is not part of its words.
const DOC_TAGS: [&str; 8] = [
    "<summary>",
    "</summary>",
    "<remarks>",
    "</remarks>",
    "<para>",
    "</para>",
    "<p>",
    "</p>",
];

/// A comment's text without its markers, line by line, appended to `out` on lines of its own.
pub(crate) fn push_words(out: &mut String, comment: &str, markers: &Comments) {
    let comment = comment.trim();
    let (inner, in_block) = match markers.block.iter().find(|(open, _)| comment.starts_with(open)) {
        Some((open, close)) => {
            let inner = &comment[open.len()..];
            (inner.strip_suffix(close).unwrap_or(inner), true)
        }
        None => (comment, false),
    };
    for line in inner.lines() {
        let mut line = line.trim();
        if in_block {
            // The column of stars at the left of a block comment.
            line = line
                .strip_prefix("* ")
                .or(line.strip_prefix('*').filter(|rest| rest.is_empty()))
                .unwrap_or(line);
        } else if let Some(rest) = markers.line.iter().find_map(|marker| line.strip_prefix(marker)) {
            line = rest;
        }
        let line = line.trim();
        let untagged = without_tags(line);
        if untagged.is_empty() && !line.is_empty() {
            // A tag on a line of its own.
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(untagged);
    }
}

fn without_tags(line: &str) -> &str {
    let mut line = line;
    while let Some(rest) = DOC_TAGS.iter().find_map(|tag| line.strip_prefix(tag)) {
        line = rest.trim_start();
    }
    while let Some(rest) = DOC_TAGS.iter().find_map(|tag| line.strip_suffix(tag)) {
        line = rest.trim_end();
    }
    line
}

/// The first sentence: up to the first full stop that ends a word, or to the first empty line or tag.
pub(crate) fn summary(docs: &str) -> String {
    let mut text = String::new();
    for line in docs.lines().map(str::trim).skip_while(|line| line.is_empty()) {
        if line.is_empty() || line.starts_with(['@', '#', ':']) {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(line);
        if text.len() > 4 * MAX_SUMMARY_CHARS {
            break;
        }
    }
    let end = text.char_indices().find_map(|(at, c)| {
        let ends = match c {
            '.' | '!' | '?' => text[at + 1..].starts_with(' '),
            '。' => true,
            _ => false,
        };
        ends.then_some(at + c.len_utf8())
    });
    clip(&collapse(&text[..end.unwrap_or(text.len())]), MAX_SUMMARY_CHARS)
}

#[cfg(test)]
mod tests;
