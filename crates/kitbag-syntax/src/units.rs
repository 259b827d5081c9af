//! Definitions as nested spans of lines, for the tiler.
//!
//! Byte ranges nest, but lines need not: `class A {} class B {` shares a line. Spans that share a line without one containing the
//! other, and equal spans, become one unit, because a line can be in one chunk only.

use std::ops::Range;

use crate::item::Item;

pub(crate) struct Unit {
    pub(crate) lines: Range<usize>,
    /// Its items, the outermost first. Never empty.
    pub(crate) items: Vec<usize>,
    pub(crate) children: Vec<Unit>,
}

/// The forest of units, in file order. Its depth is bounded by the nesting limit of the outline.
pub(crate) fn units(items: &[Item]) -> Vec<Unit> {
    let mut order: Vec<usize> = (0..items.len())
        .filter(|idx| !items[*idx].lines.is_empty())
        .collect();
    order.sort_by_key(|idx| (items[*idx].lines.start, usize::MAX - items[*idx].lines.end, *idx));
    let mut roots: Vec<Unit> = Vec::new();
    let mut open: Vec<Unit> = Vec::new();
    for idx in order {
        let lines = items[idx].lines.clone();
        while open.last().is_some_and(|unit| unit.lines.end <= lines.start) {
            close(&mut open, &mut roots);
        }
        // The outermost open unit that this one overlaps without being inside it, or that it equals.
        let merge_at = open
            .iter()
            .position(|unit| unit.lines.end < lines.end || unit.lines == lines);
        match merge_at {
            Some(at) => {
                while open.len() > at + 1 {
                    close(&mut open, &mut roots);
                }
                let unit = &mut open[at];
                unit.lines.end = unit.lines.end.max(lines.end);
                unit.items.push(idx);
            }
            None => open.push(Unit {
                lines,
                items: vec![idx],
                children: Vec::new(),
            }),
        }
    }
    while !open.is_empty() {
        close(&mut open, &mut roots);
    }
    roots
}

fn close(open: &mut Vec<Unit>, roots: &mut Vec<Unit>) {
    if let Some(unit) = open.pop() {
        match open.last_mut() {
            Some(holder) => holder.children.push(unit),
            None => roots.push(unit),
        }
    }
}
