//! Resolutions of a piece as sets of its lines (PACK-41). Nothing is rewritten: a shown line is a line of the file.

use kitbag_types::LineRange;

use crate::piece::{Piece, Resolution};
use crate::tuning;

/// The lines of `piece` that a resolution shows: sorted ranges that do not touch.
pub(crate) fn lines_of(piece: &Piece, resolution: Resolution) -> Vec<LineRange> {
    match resolution {
        Resolution::Full => vec![piece.lines],
        Resolution::Outline => outline(piece, n_focus(piece)),
        Resolution::Signature => signature(piece),
        Resolution::Reference => Vec::new(),
    }
}

/// Matching lines that an outline keeps by itself.
pub(crate) fn n_focus(piece: &Piece) -> usize {
    let share = f64::from(piece.lines.n_lines()) * tuning::FOCUS_SHARE;
    (share.ceil() as usize).min(piece.focus.len())
}

/// The heads of its definitions and the lines that were asked for; without any, one line.
fn signature(piece: &Piece) -> Vec<LineRange> {
    let mut shown = Lines::new(piece);
    shown.heads(piece);
    shown.ranges(2)
}

/// Heads, summaries, the `n` best matching lines with their surroundings, and the last line, which closes the definition.
pub(crate) fn outline(piece: &Piece, n: usize) -> Vec<LineRange> {
    let mut shown = Lines::new(piece);
    shown.heads(piece);
    for line in &piece.summary {
        shown.add(*line);
        shown.add(line.saturating_add(1));
    }
    if piece.kind.is_code() {
        shown.add(piece.lines.end());
    }
    for (line, _) in piece.focus.iter().take(n) {
        for near in line.saturating_sub(tuning::FOCUS_CONTEXT)..=line.saturating_add(tuning::FOCUS_CONTEXT) {
            shown.add(near);
        }
        shown.keep(*line);
    }
    shown.ranges(tuning::SMALLEST_GAP)
}

/// The lines that were asked for, with the heads that begin in the piece or without.
pub(crate) fn asked(piece: &Piece, with_heads: bool) -> Vec<LineRange> {
    let mut shown = Lines::new(piece);
    if with_heads {
        shown.heads(piece);
    } else {
        shown.asked(piece);
    }
    shown.ranges(tuning::SMALLEST_GAP)
}

/// The first `n` of the lines that were asked for.
pub(crate) fn first_asked(piece: &Piece, n: usize) -> Vec<LineRange> {
    let mut shown = Lines::new(piece);
    let all = piece.asked.iter().flat_map(|range| range.start()..=range.end());
    all.take(n).for_each(|line| shown.keep(line));
    shown.ranges(1)
}

/// As many of its first lines as `fits` allows. It ends at a boundary: before a blank line, or before a line that is indented
/// no more than the first (PACK-42).
pub(crate) fn beginning(piece: &Piece, fits: &dyn Fn(&[LineRange]) -> bool) -> Option<Vec<LineRange>> {
    let lines: Vec<&str> = piece.text.split('\n').collect();
    let first = |n: usize| {
        vec![LineRange::new(
            piece.lines.start(),
            piece.lines.start() + (n as u32 - 1),
        )]
    };
    let (mut low, mut high) = (0, lines.len());
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits(&first(middle)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    if low == 0 {
        return None;
    }
    let indent = |line: &str| line.len() - line.trim_start().len();
    let ends_part = |n: usize| {
        let next = lines.get(n).copied().unwrap_or("");
        next.trim().is_empty() || indent(next) <= indent(lines[0])
    };
    // Not further back than half: a clean boundary is worth less than half of the text.
    let end = (low / 2 + 1..=low).rev().find(|n| ends_part(*n)).unwrap_or(low);
    Some(first(end))
}

/// How many lines some ranges have.
pub fn lines_in(ranges: &[LineRange]) -> u32 {
    ranges.iter().map(|range| range.n_lines()).sum()
}

/// A set of lines of one piece.
struct Lines {
    first: u32,
    shown: Vec<bool>,
    /// Lines that may stand alone between two gaps: heads, matches, lines that were asked for (PACK-47).
    kept: Vec<bool>,
}

impl Lines {
    fn new(piece: &Piece) -> Self {
        let n_lines = piece.lines.n_lines() as usize;
        Self {
            first: piece.lines.start(),
            shown: vec![false; n_lines],
            kept: vec![false; n_lines],
        }
    }

    /// Lines outside the piece are ignored.
    fn slot(&self, line: u32) -> Option<usize> {
        let slot = line.checked_sub(self.first)? as usize;
        (slot < self.shown.len()).then_some(slot)
    }

    fn add(&mut self, line: u32) {
        if let Some(slot) = self.slot(line) {
            self.shown[slot] = true;
        }
    }

    fn keep(&mut self, line: u32) {
        if let Some(slot) = self.slot(line) {
            (self.shown[slot], self.kept[slot]) = (true, true);
        }
    }

    fn asked(&mut self, piece: &Piece) {
        for range in &piece.asked {
            (range.start()..=range.end().min(piece.lines.end())).for_each(|line| self.keep(line));
        }
    }

    /// The lines that every resolution shows, except a reference.
    fn heads(&mut self, piece: &Piece) {
        for head in &piece.heads {
            // Not beyond the piece: the head of a part of a definition may stand elsewhere.
            (head.start()..=head.end().min(piece.lines.end())).for_each(|line| self.keep(line));
        }
        self.asked(piece);
        if self.shown.contains(&true) {
            return;
        }
        // Of a log, the lines of the failure: its first line says nothing.
        let best = piece.focus.first().filter(|_| piece.is_log);
        let slot = best.and_then(|(line, _)| self.slot(*line)).unwrap_or(0);
        (self.shown[slot], self.kept[slot]) = (true, true);
    }

    /// Closes gaps of fewer than `smallest_gap` lines, and drops a lone line that says nothing.
    fn ranges(mut self, smallest_gap: u32) -> Vec<LineRange> {
        let mut last: Option<usize> = None;
        for idx in 0..self.shown.len() {
            if !self.shown[idx] {
                continue;
            }
            if let Some(last) = last.filter(|last| idx - last - 1 < smallest_gap as usize) {
                self.shown[last..idx].fill(true);
            }
            last = Some(idx);
        }
        let mut ranges: Vec<LineRange> = Vec::new();
        for (idx, _) in self.shown.iter().enumerate().filter(|(_, shown)| **shown) {
            let line = self.first + idx as u32;
            match ranges.last_mut() {
                Some(range) if range.end() + 1 == line => *range = LineRange::new(range.start(), line),
                _ => ranges.push(LineRange::new(line, line)),
            }
        }
        ranges.retain(|range| range.n_lines() > 1 || self.kept[(range.start() - self.first) as usize]);
        ranges
    }
}
