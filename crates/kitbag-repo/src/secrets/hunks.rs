//! The two sides of a diff as texts without the signs before the lines, for the rules.
//!
//! `+PASSWORD=…` does not begin with a name, and a key with a `-` before every line is not recognised as a key. So each hunk is
//! split into its old and its new text, the rules run on these, and the findings are mapped back to the diff. Hunks of merges
//! (`@@@`) have several signs per line.

use std::ops::Range;

use super::Span;

/// The hunks of a diff; empty for a text that is not a diff.
#[derive(Default)]
pub(super) struct Hunks {
    pub(super) sides: Vec<Side>,
    /// The ranges of the signs, in order.
    signs: Vec<Range<usize>>,
}

/// The old or the new text of one hunk.
#[derive(Default)]
pub(super) struct Side {
    pub(super) text: String,
    /// The starts of lines in `text`, and in the diff after their signs.
    lines: Vec<(usize, usize)>,
}

impl Hunks {
    /// Makes a span that was found in the diff itself begin after the signs of its line: a `+` could belong to a key, but the diff
    /// needs it. False if nothing is left of the span.
    pub(super) fn spare_signs(&self, span: &mut Span) -> bool {
        let next = self.signs.partition_point(|signs| signs.end <= span.range.start);
        if let Some(signs) = self
            .signs
            .get(next)
            .filter(|signs| signs.contains(&span.range.start))
        {
            span.range.start = signs.end;
        }
        span.range.start < span.range.end
    }

    fn close(&mut self, open: Option<(usize, Side, Side)>) {
        if let Some((_, old, new)) = open {
            self.sides.extend([old, new]);
        }
    }
}

impl Side {
    /// Maps a span of `text` to spans of the diff, line by line: adjacent lines here may be far apart there.
    pub(super) fn back(&self, span: &Span) -> Vec<Span> {
        let place = |at: Range<usize>| {
            let line = self.lines.partition_point(|(start, _)| *start <= at.start);
            let (start, there) = self.lines[line - 1];
            at.start - start + there..at.end - start + there
        };
        super::within_lines(&self.text, span.range.clone(), span.rule)
            .into_iter()
            .map(|part| Span {
                range: place(part.range),
                rule: part.rule,
            })
            .collect()
    }

    fn push(&mut self, line: &str, at: usize) {
        self.lines.push((self.text.len(), at));
        self.text.push_str(line);
        if !line.ends_with('\n') {
            self.text.push('\n');
        }
    }
}

/// Splits a text, if it is a diff or contains one.
pub(super) fn hunks(text: &str) -> Hunks {
    let mut hunks = Hunks::default();
    let Some(mut at) = first_hunk(text) else {
        return hunks;
    };
    let mut open: Option<(usize, Side, Side)> = None;
    for line in text[at..].split_inclusive('\n') {
        if let Some(n_signs) = hunk_signs(line) {
            hunks.close(open.take());
            open = Some((n_signs, Side::default(), Side::default()));
        } else if let Some((n_signs, old, new)) = &mut open {
            match signs(line, *n_signs) {
                Some(n) => {
                    let (before, content) = line.split_at(n);
                    if !before.contains('+') {
                        old.push(content, at + n);
                    }
                    if !before.contains('-') {
                        new.push(content, at + n);
                    }
                    hunks.signs.push(at..at + n);
                }
                None if line.starts_with('\\') => {}
                None => hunks.close(open.take()),
            }
        }
        at += line.len();
    }
    hunks.close(open);
    hunks
}

fn first_hunk(text: &str) -> Option<usize> {
    if text.starts_with("@@") {
        return Some(0);
    }
    text.find("\n@@").map(|at| at + 1)
}

/// The number of signs per line, if this line opens a hunk: `@@ -1,2 +1,3 @@`.
fn hunk_signs(line: &str) -> Option<usize> {
    let n = line.bytes().take_while(|byte| *byte == b'@').count();
    (n >= 2 && line[n..].starts_with(" -")).then(|| n - 1)
}

/// The bytes of signs at the beginning of this line: fewer where a tool removed the spaces of an empty line.
fn signs(line: &str, n_signs: usize) -> Option<usize> {
    let n = line
        .bytes()
        .take(n_signs)
        .take_while(|byte| matches!(byte, b' ' | b'+' | b'-'))
        .count();
    let is_blank = line[n..].trim().is_empty();
    (n == n_signs || is_blank).then_some(n)
}
