//! Finds the comments and attributes that belong to a definition, and their words.
//!
//! Lines decide, not the grammar, because every grammar puts comments elsewhere: what is alone on the lines directly above a
//! definition belongs to it; a blank line separates.

use std::ops::Range;

use crate::captures::Captures;
use crate::docs::push_words;
use crate::item::{Item, innermost};
use crate::languages::Language;
use crate::lines::Lines;

/// The most documentation per definition that is searched as a field of its own. The text of the chunk has the rest.
const MAX_DOCS_BYTES: usize = 2_000;

/// What a line contains besides code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    None,
    /// Only a comment.
    Comment,
    /// Only an attribute, decorator or annotation.
    Attached,
    /// Documentation of the enclosing definition.
    Doc,
    Import,
}

pub(crate) fn mark_lines(text: &str, lines: &Lines, captures: &Captures) -> Vec<Mark> {
    let mut marks = vec![Mark::None; lines.n()];
    for import in &captures.imports {
        marks[lines.line_of(import.span.start)..=lines.last_line_of(&import.span)].fill(Mark::Import);
    }
    let lists = [
        (&captures.attached, Mark::Attached),
        (&captures.comments, Mark::Comment),
        (&captures.docs, Mark::Doc),
    ];
    for (list, mark) in lists {
        for bytes in list {
            let (first, last) = (lines.line_of(bytes.start), lines.last_line_of(bytes));
            // If there is code on its line, it belongs to that code.
            let alone_before = text[lines.start(first)..bytes.start].trim().is_empty();
            let end = bytes.end.min(lines.end(last));
            let alone_behind = text[end..lines.end(last)].trim().is_empty();
            let from = if alone_before { first } else { first + 1 };
            let to = if alone_behind { last + 1 } else { last };
            if from < to {
                marks[from..to].fill(mark);
            }
        }
    }
    marks
}

/// Adds the comments and attributes directly above a definition to it; a blank line separates.
pub(crate) fn attach_lines(items: &mut [Item], marks: &[Mark]) {
    // Per holder (and, at the end, the file): the line after the last thing it holds so far.
    let mut taken = vec![0; items.len() + 1];
    for idx in 0..items.len() {
        let holder = items[idx].parent.unwrap_or(items.len());
        let below_head = items[idx].parent.map_or(0, |parent| items[parent].own_line + 1);
        let floor = taken[holder].max(below_head);
        let mut start = items[idx].lines.start;
        while start > floor && matches!(marks[start - 1], Mark::Comment | Mark::Attached) {
            start -= 1;
        }
        // Definitions of one node (`int a, b;`) share their comments.
        let before = idx.checked_sub(1).map(|before| &items[before]);
        let twin =
            before.filter(|before| before.parent == items[idx].parent && before.bytes == items[idx].bytes);
        start = twin.map_or(start, |twin| twin.lines.start);
        items[idx].lines.start = start;
        taken[holder] = taken[holder].max(items[idx].lines.end);
    }
}

/// Gives every definition the words of its comments and docstrings; the rest belongs to the file.
pub(crate) fn attach_docs(
    text: &str,
    lines: &Lines,
    captures: &Captures,
    language: &Language,
    marks: &[Mark],
    items: &mut [Item],
) -> Vec<Range<usize>> {
    let mut heads: Vec<(usize, Range<usize>)> = Vec::new();
    for (idx, item) in items.iter().enumerate() {
        heads.push((idx, item.lines.start..item.own_line));
        for line_idx in &item.clause_lines {
            let is_above = |above: &usize| matches!(marks[*above], Mark::Comment | Mark::Attached);
            let n_above = (item.own_line..*line_idx).rev().take_while(is_above).count();
            heads.push((idx, line_idx - n_above..*line_idx));
        }
    }
    for (idx, head) in heads.into_iter().filter(|(_, head)| !head.is_empty()) {
        let item = &mut items[idx];
        let above = lines.start(head.start)..lines.start(head.end);
        let at = captures
            .comments
            .partition_point(|bytes| bytes.start < above.start);
        for comment in captures.comments[at..]
            .iter()
            .take_while(|bytes| bytes.start < above.end)
        {
            if item.docs.len() < MAX_DOCS_BYTES {
                push_words(&mut item.docs, &text[comment.clone()], &language.comments);
            }
        }
    }
    let mut file_docs = Vec::new();
    let holders = innermost(items, captures.docs.iter().map(|bytes| bytes.start));
    for (bytes, holder) in captures.docs.iter().zip(holders) {
        match holder {
            Some(idx) => push_words(&mut items[idx].docs, &text[bytes.clone()], &language.comments),
            None => file_docs.push(bytes.clone()),
        }
    }
    for item in items {
        let length = kitbag_types::prefix(&item.docs, MAX_DOCS_BYTES).trim_end().len();
        item.docs.truncate(length);
    }
    file_docs
}

/// A comment at the top of the file that belongs to no definition documents the file, unless it is a licence.
pub(crate) fn lead_docs(
    text: &str,
    lines: &Lines,
    captures: &Captures,
    items: &[Item],
    marks: &mut [Mark],
    file_docs: &mut Vec<Range<usize>>,
) {
    let first_item = items
        .iter()
        .map(|item| item.lines.start)
        .min()
        .unwrap_or(lines.n());
    let lead = (0..first_item)
        .take_while(|idx| lines.is_blank(*idx) || marks[*idx] == Mark::Comment)
        .count();
    let mut at = 0;
    while at < lead {
        let block_end = (at..lead).find(|idx| lines.is_blank(*idx)).unwrap_or(lead);
        if block_end > at {
            let bytes = lines.bytes(&(at..block_end));
            let words = text[bytes.clone()].to_ascii_lowercase();
            let is_licence = ["copyright", "licen", "spdx", "#!/"]
                .iter()
                .any(|word| words.contains(word));
            if !is_licence {
                marks[at..block_end].fill(Mark::Doc);
                let comments = captures
                    .comments
                    .iter()
                    .filter(|comment| bytes.contains(&comment.start));
                file_docs.extend(comments.cloned());
            }
        }
        at = block_end + 1;
    }
    file_docs.sort_by_key(|bytes| bytes.start);
}
