//! Replaces parts of a text, and detects its line ends and indentation.

use std::ops::Range;

/// Why a file is not changed, and the byte offset of the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub at: usize,
    pub message: String,
}

impl Refusal {
    pub fn new(at: usize, message: impl Into<String>) -> Refusal {
        Refusal {
            at,
            message: message.into(),
        }
    }

    /// Line and column, both from 1, the column in characters.
    pub fn place(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count() + 1;
        (line, before[line_start..].chars().count() + 1)
    }
}

/// Replaces ranges that do not overlap. Two insertions at one place keep their order.
pub(super) fn splice(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len() + 256);
    let mut done = 0;
    for (range, new) in edits {
        out.push_str(&text[done..range.start]);
        out.push_str(&new);
        done = range.end;
    }
    out + &text[done..]
}

/// The line end of the text, by its first line.
pub(super) fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The start of the line around `at`.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// The end of the line around `at`, with its newline.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    text[at..]
        .find('\n')
        .map_or(text.len(), |newline| at + newline + 1)
}

/// The indentation of the line around `at`.
pub(super) fn indent_at(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Moves `at` back over a newline that ends just before it.
pub(super) fn before_newline(text: &str, at: usize) -> usize {
    let before = &text[..at];
    let before = before
        .strip_suffix("\r\n")
        .or_else(|| before.strip_suffix('\n'))
        .unwrap_or(before);
    before.len()
}

/// Adds `lines` at the end after one empty line. A text without a final newline stays without.
pub(super) fn append(text: &str, lines: &str) -> String {
    let newline = newline_of(text);
    if text.is_empty() {
        format!("{lines}{newline}")
    } else if text.ends_with('\n') {
        format!("{text}{newline}{lines}{newline}")
    } else {
        format!("{text}{newline}{newline}{lines}")
    }
}

/// The reverse of [`append`]: the whole lines around a range, with the empty line that was added.
pub(super) fn appended(text: &str, range: Range<usize>) -> Range<usize> {
    let start = line_start(text, range.start);
    let end = line_end(text, range.end);
    let above = before_newline(text, start);
    let is_below_empty_line = start > 0 && (above == 0 || text[..above].ends_with('\n'));
    let start = if is_below_empty_line { above } else { start };
    if end == text.len() && !text.ends_with('\n') {
        return before_newline(text, start)..end;
    }
    // At the very top, the empty line is the one below.
    let is_above_empty_line = start == 0 && text[end..].starts_with(newline_of(text));
    start..if is_above_empty_line {
        line_end(text, end)
    } else {
        end
    }
}
