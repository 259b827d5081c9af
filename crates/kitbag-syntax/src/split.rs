//! Where a text that is too large may be split: at lines where a syntax node begins, preferably a shallow one.
//!
//! One walk collects the candidate lines of the whole file. It only enters nodes larger than a third of a chunk, so it visits a
//! small part of the tree, and it walks with a cursor, so depth costs no stack.

use std::ops::Range;

use tree_sitter::Tree;

use crate::attach::Mark;
use crate::grammar::MAX_DEPTH;
use crate::lines::Lines;
use crate::outline::Keep;

/// A line before which the text may be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cut {
    line_idx: usize,
    depth: u32,
}

/// All candidate cuts of the file, by line, each with the smallest depth at which a node begins there.
pub(crate) fn cuts(tree: &Tree, lines: &Lines, marks: &[Mark], max_tokens: u64) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut cursor = tree.walk();
    'walk: loop {
        let node = cursor.node();
        let first = lines.line_of(node.start_byte());
        let last = lines.last_line_of(&node.byte_range());
        // A comment stays with what it comments on.
        let is_cut = first > 0 && !matches!(marks[first - 1], Mark::Comment | Mark::Attached);
        if is_cut && cuts.last().is_none_or(|cut: &Cut| cut.line_idx != first) {
            cuts.push(Cut {
                line_idx: first,
                depth: cursor.depth(),
            });
        }
        let is_large = first < last && lines.tokens(&(first..last + 1)) > max_tokens / 3;
        if is_large && cursor.depth() < MAX_DEPTH && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                break 'walk;
            }
        }
    }
    cuts.sort_unstable();
    cuts.dedup_by_key(|cut| cut.line_idx);
    cuts
}

/// Splits `range` into parts of at most `max_tokens` where lines allow it, of about equal size. What is in `keeps` stays whole if
/// it fits into a part.
pub(crate) fn split(
    range: Range<usize>,
    lines: &Lines,
    cuts: &[Cut],
    keeps: &[Keep],
    max_tokens: u64,
) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let rest = lines.tokens(&(start..range.end));
        if rest <= max_tokens {
            parts.push(start..range.end);
            break;
        }
        // The last line up to which the text fits, but at least one line.
        let mut fits = start + 1;
        let mut beyond = range.end;
        while fits < beyond {
            let middle = fits + (beyond - fits).div_ceil(2);
            if lines.tokens(&(start..middle)) <= max_tokens {
                fits = middle;
            } else {
                beyond = middle - 1;
            }
        }
        let goal = rest / rest.div_ceil(max_tokens);
        let end = best_cut(start, fits, goal, lines, cuts, max_tokens).unwrap_or(fits);
        let end = before_keep(start, end, lines, keeps, max_tokens);
        parts.push(start..end);
        start = end;
    }
    parts
}

/// `end`, or the start of a kept text that it would split although that fits into a part.
fn before_keep(start: usize, end: usize, lines: &Lines, keeps: &[Keep], max_tokens: u64) -> usize {
    let after = keeps.partition_point(|keep| keep.lines.start < end);
    match keeps[..after].last().map(|keep| &keep.lines) {
        Some(keep) if keep.start > start && end < keep.end && lines.tokens(keep) <= max_tokens => keep.start,
        _ => end,
    }
}

/// The cut in `(start, fits]` nearest to the goal, where one level of depth weighs as much as a tenth of a chunk; without a cut,
/// the blank line nearest to the goal.
fn best_cut(
    start: usize,
    fits: usize,
    goal: u64,
    lines: &Lines,
    cuts: &[Cut],
    max_tokens: u64,
) -> Option<usize> {
    let from = cuts.partition_point(|cut| cut.line_idx <= start);
    let to = cuts.partition_point(|cut| cut.line_idx <= fits);
    let candidates = &cuts[from..to];
    let least_depth = candidates.iter().map(|cut| cut.depth).min().unwrap_or(0);
    let distance = |line_idx: usize| lines.tokens(&(start..line_idx)).abs_diff(goal);
    let by_syntax = candidates
        .iter()
        .min_by_key(|cut| {
            let depth_cost = u64::from(cut.depth - least_depth) * (max_tokens / 10);
            (distance(cut.line_idx) + depth_cost, cut.line_idx)
        })
        .map(|cut| cut.line_idx)
        // A tiny first part is as bad as a cut in the wrong place.
        .filter(|line_idx| lines.tokens(&(start..*line_idx)) * 4 >= goal);
    by_syntax.or_else(|| {
        let blank = (start + 1..fits).filter(|line_idx| lines.is_blank(*line_idx));
        blank.min_by_key(|line_idx| (distance(*line_idx), *line_idx))
    })
}
