//! Markdown, the default: a heading for each file, its citations, one fence with its lines, then what is only named.

use std::fmt::Write as _;

use super::layout::{Group, Layout, Row};
use super::{Style, copies, gap, one_line, seen};
use crate::pack::Item;

pub(super) fn render(layout: &Layout<'_>, style: &Style) -> String {
    let mut out = String::new();
    let title = title(layout.frame.task);
    if !title.is_empty() {
        let _ = writeln!(out, "# {title}\n");
    }
    if !layout.frame.note.is_empty() {
        let _ = writeln!(out, "> {}\n", one_line(layout.frame.note));
    }
    for section in &layout.sections {
        let _ = writeln!(out, "## {}\n", section.section.title());
        for group in &section.groups {
            write_group(&mut out, group, style);
        }
        for item in &section.references {
            write_reference(&mut out, item);
        }
        if !section.references.is_empty() {
            out.push('\n');
        }
    }
    if !layout.frame.hints.is_empty() {
        out.push_str("## Not in this pack\n\n");
        for hint in layout.frame.hints {
            // As code: a command in it must work as it stands.
            let _ = writeln!(out, "- {}", code_span(one_line(hint).trim()));
        }
    }
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn write_group(out: &mut String, group: &Group<'_>, style: &Style) {
    let lines = group.lines();
    let place = format!("{}:{}-{}", group.path, lines.start(), lines.end());
    let _ = writeln!(out, "### {}", code_span(&place));
    for (idx, item) in group.items.iter().enumerate() {
        if idx > 0 {
            out.push_str(" · ");
        }
        let lines = item.piece.lines;
        let _ = write!(out, "[{}] {}-{}", item.citation, lines.start(), lines.end());
        if item.truncated {
            out.push_str(" truncated");
        }
        out.push_str(&seen(item));
        let (copies, n_more) = copies(item);
        for copy in copies {
            let _ = write!(out, " = {}", code_span(&one_line(copy)));
        }
        if n_more > 0 {
            let _ = write!(out, " = {n_more} more");
        }
    }
    let text = body(&group.rows(), style);
    let fence = fence_for(&text);
    let _ = writeln!(out, "\n\n{fence}{}\n{text}{fence}\n", info(group.language));
}

/// The rows as text, each with its line break.
pub(crate) fn body(rows: &[Row<'_>], style: &Style) -> String {
    let last = rows.iter().rev().find_map(|row| match row {
        Row::Line(number, _) => Some(*number),
        Row::Gap(_) => None,
    });
    let width = last.unwrap_or(1).to_string().len();
    let mut text = String::new();
    for row in rows {
        let _ = match row {
            Row::Line(number, line) if style.line_numbers => writeln!(text, "{number:>width$} {line}"),
            Row::Line(_, line) => writeln!(text, "{line}"),
            Row::Gap(n_lines) => writeln!(text, "{}", gap(*n_lines)),
        };
    }
    text
}

fn write_reference(out: &mut String, item: &Item) {
    let lines = item.piece.lines;
    let place = format!(
        "{}:{}-{} {}",
        one_line(&item.piece.path),
        lines.start(),
        lines.end(),
        one_line(&item.piece.label)
    );
    let place = code_span(place.trim_end());
    let _ = writeln!(out, "- {place} [{}]{}", item.citation, seen(item));
}

/// Longer than any run of back quotes in the text.
pub(crate) fn fence_for(text: &str) -> String {
    "`".repeat(longest_run(text).max(2) + 1)
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A word that is safe after a fence.
pub(crate) fn info(language: &str) -> &str {
    let safe = language
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'#' | b'_'));
    if safe { language } else { "text" }
}

/// A code span that shows `text` as it is, whatever stands in it.
pub(crate) fn code_span(text: &str) -> String {
    let marks = "`".repeat(match longest_run(text) {
        0 => 1,
        n => n + 1,
    });
    // A parser takes one space off both ends, where both have one.
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    format!("{marks}{pad}{text}{pad}{marks}")
}

/// The first line of the task, shortened, with nothing in it that Markdown would read as more than text.
fn title(task: &str) -> String {
    let line = task
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or("");
    let line = one_line(line);
    let mut short: String = line.chars().take(120).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    escaped(short.trim())
}

/// Text of one line that Markdown shows as it is, in a heading or as an item of a list.
fn escaped(text: &str) -> String {
    let text = text.trim();
    // A closing run of marks would be taken for the end of the heading; a number with a dot for a list.
    let closing = text.trim_end_matches('#').len();
    let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut out = String::with_capacity(text.len());
    for (idx, c) in text.char_indices() {
        let special = matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '&' | '~')
            || (idx == 0 && matches!(c, '#' | '+' | '-' | '=' | '>' | '|'))
            || idx == closing
            || (idx == n_digits && idx > 0 && matches!(c, '.' | ')'));
        if special {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
