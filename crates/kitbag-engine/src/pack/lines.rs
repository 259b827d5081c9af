//! Which lines of a piece matter: the heads of its definitions, the sentence that says what it is, and the lines that match
//! the task. An outline is made of these.

use std::collections::BTreeMap;

use kitbag_pack::Piece;
use kitbag_types::terms::each_term;
use kitbag_types::{LineRange, Query};

use crate::current::{Head, Shape};

/// A head with more lines than this is cut: that many parameters are documentation.
const MOST_HEAD_LINES: u32 = 8;

/// The lines of the heads and of the summaries, from the shape of the file.
pub(super) fn heads(shape: &Shape, lines: LineRange, text: &str) -> (Vec<LineRange>, Vec<u32>) {
    let rows: Vec<&str> = text.split('\n').collect();
    let at = |line: u32| rows.get((line - lines.start()) as usize).copied().unwrap_or("");
    let mut heads = Vec::new();
    let mut summary = Vec::new();
    for head in &shape.heads {
        let end = head_end(head, lines, &at);
        heads.push(LineRange::new(head.name_line, end));
        if head.lines.start() < head.name_line && lines.contains(head.lines.start()) {
            summary.push(head.lines.start());
        }
        let next = end + 1;
        if lines.contains(next) && at(next).trim_start().starts_with(['"', '\'']) {
            summary.push(next);
        }
    }
    (heads, summary)
}

/// The last line of a head: where its lines hold as many characters as its signature has.
fn head_end<'t>(head: &Head, lines: LineRange, at: &dyn Fn(u32) -> &'t str) -> u32 {
    let n_visible = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    let wanted = n_visible(&head.signature);
    let mut seen = 0;
    let mut line = head.name_line;
    loop {
        seen += n_visible(at(line));
        let full = seen >= wanted || line - head.name_line + 1 >= MOST_HEAD_LINES;
        if full || line >= lines.end() || line >= head.lines.end() {
            return line;
        }
        line += 1;
    }
}

/// Gives each piece its matching lines, best first. The fewer lines of all pieces have a term, the more it counts.
pub(crate) fn find_focus(pieces: &mut [&mut Piece], query: &Query) {
    let weights: BTreeMap<&str, (usize, f32)> = query
        .terms
        .iter()
        .enumerate()
        .map(|(idx, (term, weight))| (term.as_str(), (idx, *weight)))
        .collect();
    let mut n_with = vec![0u32; query.terms.len()];
    let mut n_lines = 0u32;
    let mut found: Vec<Vec<(u32, Vec<usize>)>> = Vec::with_capacity(pieces.len());
    for piece in pieces.iter() {
        let mut here = Vec::new();
        for (number, line) in piece.numbered() {
            n_lines += 1;
            let mut terms: Vec<usize> = Vec::new();
            each_term(line, &mut |term| {
                if let Some((idx, _)) = weights.get(term)
                    && !terms.contains(idx)
                {
                    terms.push(*idx);
                }
            });
            terms.iter().for_each(|idx| n_with[*idx] += 1);
            if !terms.is_empty() {
                here.push((number, terms));
            }
        }
        found.push(here);
    }
    let weight = |idx: usize| {
        let rare = (1.0 + f64::from(n_lines) / f64::from(n_with[idx].max(1))).ln();
        query.terms[idx].1 * rare as f32
    };
    for (piece, lines) in pieces.iter_mut().zip(found) {
        piece.focus = lines
            .into_iter()
            .map(|(number, terms)| (number, terms.into_iter().map(weight).sum()))
            .collect();
        piece
            .focus
            .sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    }
}
