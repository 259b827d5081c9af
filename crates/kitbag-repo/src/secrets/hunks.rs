//! The two sides of a diff, as the rules must see them: without the signs that stand before the lines.
//!
//! `+PASSWORD=…` does not begin with a name, and a key of which every line begins with a `-` is not a key. So each hunk is
//! taken apart into its old and its new text, these are looked at as text, and what is found is carried back to where it
//! stands in the diff. Hunks of merges (`@@@`) have several signs before a line.

use std::ops::Range;

use super::Span;

/// What a diff is made of; nothing in a text that is none.
#[derive(Default)]
pub(super) struct Hunks {
    pub(super) sides: Vec<Side>,
    /// Where the signs of the lines stand, in order.
    signs: Vec<Range<usize>>,
}

/// The old or the new text of one hunk.
#[derive(Default)]
pub(super) struct Side {
    pub(super) text: String,
    /// Where lines begin: in `text`, and in the diff, behind their signs.
    lines: Vec<(usize, usize)>,
}

impl Hunks {
    /// Makes a span that was found in the diff itself begin behind the signs of its line: a `+` could belong to a key, but
    /// without it the diff would be none. False if nothing is left of it.
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
    /// A span of `text`, as spans of the diff. Line by line: what are neighbours here may be far apart there.
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

/// Takes a text apart, if it is a diff or holds one.
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

/// How many signs the lines after this one begin with, if it opens a hunk: `@@ -1,2 +1,3 @@`.
fn hunk_signs(line: &str) -> Option<usize> {
    let n = line.bytes().take_while(|byte| *byte == b'@').count();
    (n >= 2 && line[n..].starts_with(" -")).then(|| n - 1)
}

/// How many bytes of signs this line begins with: fewer where a tool dropped the blanks of an empty line.
fn signs(line: &str, n_signs: usize) -> Option<usize> {
    let n = line
        .bytes()
        .take(n_signs)
        .take_while(|byte| matches!(byte, b' ' | b'+' | b'-'))
        .count();
    let is_blank = line[n..].trim().is_empty();
    (n == n_signs || is_blank).then_some(n)
}
