//! Chunks without syntax: about fifty lines each, split at a blank line if one is near (IDX-14).
//!
//! For text without a grammar, and the fallback for text that no grammar can handle.

use std::ops::Range;

use kitbag_types::{Chunk, ChunkKind, LineRange};

use crate::describe::plain_label;
use crate::lines::Lines;

const LINES_PER_CHUNK: usize = 50;
/// How far from the fiftieth line a blank line is still preferred.
const NEAR_LINES: usize = 10;

pub(crate) fn plain_chunks(text: &str, lines: &Lines, max_tokens: u64) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut at = 0;
    while at < lines.n() {
        if lines.is_blank(at) {
            at += 1;
            continue;
        }
        let end = end_of(lines, at, max_tokens);
        let range = lines.trim(at..end);
        chunks.push(chunk(text, lines, range));
        at = end;
    }
    chunks
}

/// Where a chunk that starts at `start` ends.
fn end_of(lines: &Lines, start: usize, max_tokens: u64) -> usize {
    let fits = |end: &usize| lines.tokens(&(start..*end)) <= max_tokens;
    let furthest = (start + LINES_PER_CHUNK + NEAR_LINES).min(lines.n());
    if furthest == lines.n() && fits(&furthest) {
        return furthest;
    }
    let wanted = (start + 2..=(start + LINES_PER_CHUNK).min(lines.n()))
        .take_while(fits)
        .last();
    let wanted = wanted.unwrap_or(start + 1);
    let near = wanted.saturating_sub(NEAR_LINES).max(start + 1)..(wanted + NEAR_LINES).min(lines.n());
    let blank = near.filter(|end| lines.is_blank(*end) && fits(end));
    blank
        .min_by_key(|end| (end.abs_diff(wanted), *end))
        .unwrap_or(wanted)
}

fn chunk(text: &str, lines: &Lines, range: Range<usize>) -> Chunk {
    let says = |line_idx: &usize| lines.text(text, *line_idx).contains(char::is_alphanumeric);
    let line_idx = range.clone().find(says).unwrap_or(range.start);
    Chunk {
        lines: LineRange::new(range.start as u32 + 1, range.end as u32),
        bytes: lines.bytes(&range),
        kind: ChunkKind::Paragraph,
        label: plain_label(lines.text(text, line_idx)),
        part: (1, 1),
        symbol_path: String::new(),
        names: Vec::new(),
        docs: String::new(),
        capsule: String::new(),
    }
}
