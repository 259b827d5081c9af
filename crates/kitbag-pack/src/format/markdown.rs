//! Markdown, the default: a heading for each file, its citations, one fence with its lines, then what is only named.

use std::fmt::Write as _;

use kitbag_types::LineRange;

use super::layout::{BriefLayout, Group, Layout, Row, What};
use super::{
    Style, Written, clean_text, copies, gap, likeness, one_line, part, place_of, seen, short_label,
    told_before, told_otherwise,
};
use crate::item::Item;

pub(super) fn render(layout: &Layout<'_>, style: &Style) -> Written {
    let mut out = Written::default();
    let title = escaped(&layout.frame.title());
    if !title.is_empty() {
        let _ = writeln!(out.text, "# {title}\n");
    }
    if !layout.frame.note.is_empty() {
        let _ = writeln!(out.text, "> {}\n", one_line(layout.frame.note));
    }
    layout.brief.iter().for_each(|brief| write_brief(&mut out, brief));
    for section in &layout.sections {
        let _ = writeln!(out.text, "## {}\n", section.section.title());
        for group in &section.groups {
            write_group(&mut out, group, style);
        }
        for named in section.named() {
            write_references(&mut out, &named);
        }
        if !section.references.is_empty() {
            out.text.push('\n');
        }
    }
    layout.last.iter().for_each(|brief| write_brief(&mut out, brief));
    if !layout.frame.hints.is_empty() {
        out.text.push_str("## Not in this pack\n\n");
        for hint in layout.frame.hints {
            // As code: a command in it must work as it stands.
            let _ = writeln!(out.text, "- {}", code_span(one_line(hint).trim()));
        }
    }
    // A reference may end the text, and its line break stays; an empty line after it goes.
    out.text.truncate(out.text.trim_end().len());
    if !out.text.is_empty() {
        out.text.push('\n');
    }
    out
}

fn write_brief(out: &mut Written, brief: &BriefLayout<'_>) {
    let _ = writeln!(out.text, "## {}\n", brief.section.title());
    for (position, one) in &brief.told {
        out.tell(*position, |text| {
            let _ = write!(text, "- {}", prose(&one.insight.text));
            if let Some(place) = place_of(one) {
                let _ = write!(text, " {}", code_span(&place));
            }
            text.push_str(&told_otherwise(one));
            text.push('\n');
            if let Some(code) = &one.insight.code {
                let shown = clean_text(code.text.trim_end());
                let fence = fence_for(&shown);
                let _ = writeln!(text, "{fence}{}\n{shown}\n{fence}", info(&code.language));
            }
        });
    }
    if brief.n_before > 0 {
        let _ = writeln!(out.text, "- {}", told_before(brief.n_before, &brief.answers));
    }
    out.text.push('\n');
}

/// A sentence. What stands between back quotes is code; nothing else in it is a mark.
fn prose(text: &str) -> String {
    let text = one_line(text);
    let parts: Vec<&str> = text.split('`').collect();
    let is_paired = parts.len() % 2 == 1;
    let mut out = String::with_capacity(text.len());
    for (idx, part) in parts.iter().enumerate() {
        if idx % 2 == 1 && is_paired && !part.trim().is_empty() {
            out.push_str(&code_span(part));
            continue;
        }
        if idx > 0 && (!is_paired || idx % 2 == 1) {
            out.push_str("\\`");
        }
        out.push_str(&tame(part, idx == 0));
    }
    out
}

/// Text in which Markdown reads no mark. An underscore within a word is none.
fn tame(text: &str, is_start: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut idx = 0;
    while let Some(c) = rest.next() {
        let inside = before.is_alphanumeric() && rest.peek().is_some_and(|next| next.is_alphanumeric());
        let special = match c {
            '\\' | '*' | '[' | ']' | '<' | '&' | '~' => true,
            '_' => !inside,
            '#' | '+' | '-' | '=' | '>' | '|' => is_start && idx == 0,
            '.' | ')' => is_start && idx == n_digits && idx > 0,
            _ => false,
        };
        if special {
            out.push('\\');
        }
        out.push(c);
        before = c;
        idx += 1;
    }
    out
}

fn write_group(out: &mut Written, group: &Group<'_>, style: &Style) {
    let lines = group.lines();
    let place = format!("{}:{}-{}", group.path, lines.start(), lines.end());
    let _ = writeln!(out.text, "### {}", code_span(&place));
    for (idx, item) in group.items.iter().enumerate() {
        if idx > 0 {
            out.text.push_str(" · ");
        }
        write_citation(&mut out.text, item, lines);
    }
    let rows = written(&group.rows(), style);
    let text: String = rows.iter().map(|(row, _)| row.as_str()).collect();
    let fence = fence_for(&text);
    let _ = writeln!(out.text, "\n\n{fence}{}", info(group.language));
    out.push_rows(&rows);
    let _ = writeln!(out.text, "{fence}\n");
}

/// `3 [fn-3kx9] next 573-676`: its rank, id and name, and its lines if they are not those of the heading.
fn write_citation(out: &mut String, item: &Item, heading: LineRange) {
    let lines = item.piece.lines;
    let _ = write!(out, "{} [{}]", item.rank, item.citation);
    let label = short_label(item);
    if !label.is_empty() {
        let _ = write!(out, " {}", plain_or_code(&label));
    }
    if lines != heading {
        let _ = write!(out, " {}-{}", lines.start(), lines.end());
    }
    out.push_str(&part(item));
    write_note(out, item);
    if item.truncated {
        out.push_str(" truncated");
    }
    out.push_str(&seen(item));
    write_copies(out, item);
}

fn write_note(out: &mut String, item: &Item) {
    if !item.piece.note.is_empty() {
        let _ = write!(out, " {}", escaped(&one_line(&item.piece.note)));
    }
}

fn write_copies(out: &mut String, item: &Item) {
    let (same, like, n_more) = copies(item);
    for copy in same {
        let _ = write!(out, " = {}", code_span(&one_line(copy)));
    }
    for one in like {
        let _ = write!(out, " like {}{}", code_span(&one_line(&one.place)), likeness(one));
    }
    if n_more > 0 {
        let _ = write!(out, " and {n_more} more");
    }
}

/// The rows as text, each with its line break.
pub(crate) fn body(rows: &[Row<'_>], style: &Style) -> String {
    written(rows, style).into_iter().map(|(row, _)| row).collect()
}

/// The same row by row, each with the rank of the item that it belongs to.
pub(super) fn written(rows: &[Row<'_>], style: &Style) -> Vec<(String, Option<usize>)> {
    let last = rows.iter().rev().find_map(|row| match row.what {
        What::Line(number, _) => Some(number),
        What::Gap(_) => None,
    });
    let width = last.unwrap_or(1).to_string().len();
    let one = |row: &Row<'_>| match &row.what {
        What::Line(number, line) if style.line_numbers => format!("{number:>width$} {line}\n"),
        What::Line(_, line) => format!("{line}\n"),
        What::Gap(lines) => format!("{}\n", gap(*lines)),
    };
    rows.iter().map(|row| (one(row), row.owner)).collect()
}

/// Writes the items of one file that are only named, on one line: the path once, then each with its name and notes.
fn write_references(out: &mut Written, items: &[&Item]) {
    for (idx, item) in items.iter().enumerate() {
        let lines = item.piece.lines;
        let (path, label) = (one_line(&item.piece.path), one_line(&item.piece.label));
        out.own(item, |text| {
            if idx == 0 {
                text.push('-');
            }
            if idx == 0 && !path.is_empty() {
                let _ = write!(text, " {}", code_span(&path));
            }
            let place = format!("{}-{} {label}", lines.start(), lines.end());
            let place = code_span(place.trim_end());
            let _ = write!(text, " {place} [{}]{}", item.citation, part(item));
            write_note(text, item);
            text.push_str(&seen(item));
            write_copies(text, item);
            if idx + 1 == items.len() {
                text.push('\n');
            }
        });
    }
}

/// A fence that is longer than any run of back quotes in the text.
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

/// A name as it is if Markdown gives its characters no meaning, else as a code span.
fn plain_or_code(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '-');
    let inside = !text.starts_with(['_', '.', ':', '-']) && !text.ends_with(['_', '.', ':', '-']);
    if inside && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        code_span(text)
    }
}

/// A code span that shows `text` as it is, whatever it contains.
pub(crate) fn code_span(text: &str) -> String {
    let marks = "`".repeat(match longest_run(text) {
        0 => 1,
        n => n + 1,
    });
    // A parser removes one space from both ends, if both have one.
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    format!("{marks}{pad}{text}{pad}{marks}")
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
