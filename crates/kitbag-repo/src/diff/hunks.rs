//! Turns a diff with whole files into the usual one: three lines around each change, and the nearest line above that could be the
//! head of a function or a class.

use std::ops::Range;

use kitbag_types::{LineRange, prefix};

/// Lines shown before and after a change.
const CONTEXT: usize = 3;
/// The same length as git's.
const MAX_HEADING: usize = 80;

struct Line<'t> {
    /// With its sign, its line end, and a `\ No newline at end of file` after it.
    text: &'t str,
    sign: u8,
    /// Its number on either side, or the number of the next line.
    old: usize,
    new: usize,
    /// Which line of the section it is, counted from 1.
    at: u32,
}

/// The part of one file, and which of its lines are kept, counted from 1.
pub(crate) fn cut(section: &str) -> (String, Vec<LineRange>) {
    let Some((header, hunk, body)) = take_apart(section) else {
        let n_lines = count(section.lines().count());
        return (section.to_owned(), vec![LineRange::new(1, n_lines)]);
    };
    let n_header = count(header.lines().count());
    let lines = lines(body, hunk, n_header + 2);
    let mut text = header.to_owned();
    let mut kept = vec![LineRange::new(1, n_header)];
    let mut heading = "";
    let mut seen = 0;
    for range in groups(&lines) {
        for line in &lines[seen..range.start] {
            if line.sign != b'+' && line.text[1..].starts_with(is_heading) {
                heading = line.text[1..].trim_end();
            }
        }
        seen = range.start;
        let group = &lines[range];
        let [.., last] = group else { continue };
        let n_old = group.iter().filter(|line| line.sign != b'+').count();
        let n_new = group.iter().filter(|line| line.sign != b'-').count();
        text.push_str(&format!(
            "@@ -{} +{} @@{}{}\n",
            place(group[0].old, n_old),
            place(group[0].new, n_new),
            if heading.is_empty() { "" } else { " " },
            prefix(heading, MAX_HEADING).trim_end(),
        ));
        group.iter().for_each(|line| text.push_str(line.text));
        kept.push(LineRange::new(group[0].at, last.at));
    }
    (text, kept)
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX - 2)
}

/// The text before the hunk, the first line numbers of both sides, and the lines. `None` without a hunk: a binary file, a mode.
fn take_apart(section: &str) -> Option<(&str, (usize, usize), &str)> {
    let at = section.find("\n@@ -")? + 1;
    let end = at + section[at..].find('\n')? + 1;
    let mut numbers = section[at..end]
        .trim_start_matches("@@ -")
        .split([' ', '+', '@'])
        .filter(|part| !part.is_empty());
    let first = |side: &str| {
        let (start, n) = side.split_once(',').unwrap_or((side, "1"));
        let start: usize = start.parse().ok()?;
        // For an empty side, git gives the line before it.
        Some(if n == "0" { start + 1 } else { start })
    };
    let starts = (first(numbers.next()?)?, first(numbers.next()?)?);
    Some((&section[..at], starts, &section[end..]))
}

fn lines(body: &str, (mut old, mut new): (usize, usize), first: u32) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut start = 0;
    for (line, number) in body.split_inclusive('\n').zip(first..) {
        let end = start + line.len();
        let sign = line.as_bytes()[0];
        match lines.last_mut() {
            Some(last) if sign == b'\\' => last.text = &body[start - last.text.len()..end],
            _ if !matches!(sign, b' ' | b'+' | b'-') => break,
            _ => {
                lines.push(Line {
                    text: line,
                    sign,
                    old,
                    new,
                    at: number,
                });
                old += usize::from(sign != b'+');
                new += usize::from(sign != b'-');
            }
        }
        start = end;
    }
    lines
}

/// Runs of lines that are near a change.
fn groups(lines: &[Line<'_>]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (idx, _) in lines.iter().enumerate().filter(|(_, line)| line.sign != b' ') {
        let near = idx.saturating_sub(CONTEXT)..(idx + CONTEXT + 1).min(lines.len());
        match groups.last_mut() {
            Some(last) if near.start <= last.end => last.end = near.end,
            _ => groups.push(near),
        }
    }
    groups
}

fn place(next: usize, n: usize) -> String {
    match n {
        0 => format!("{},0", next.saturating_sub(1)),
        1 => next.to_string(),
        n => format!("{next},{n}"),
    }
}

fn is_heading(first: char) -> bool {
    first.is_ascii_alphabetic() || matches!(first, '_' | '$')
}
