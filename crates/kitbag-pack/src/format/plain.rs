//! Plain text: lines by Kitbag begin in the first column, source lines are indented by a space, so neither can be taken for
//! the other.

use std::fmt::Write as _;

use kitbag_types::LineRange;

use super::layout::{BriefLayout, Layout};
use super::markdown::written;
use super::{
    Style, Written, clean_text, copies, likeness, note, one_line, part, place_of, seen, short_label,
    told_before, told_otherwise,
};
use crate::item::Item;

pub(super) fn render(layout: &Layout<'_>, style: &Style) -> Written {
    let mut out = Written::default();
    let title = layout.frame.title();
    if !title.is_empty() {
        let _ = writeln!(out.text, "context for: {title}\n");
    }
    if !layout.frame.note.is_empty() {
        let _ = writeln!(out.text, "{}\n", one_line(layout.frame.note));
    }
    layout.brief.iter().for_each(|brief| write_brief(&mut out, brief));
    for section in &layout.sections {
        let _ = writeln!(out.text, "{}:\n", section.section.title());
        for group in &section.groups {
            let lines = group.lines();
            let text = &mut out.text;
            let _ = write!(
                text,
                "{}:{}-{}",
                group.path.trim_start(),
                lines.start(),
                lines.end()
            );
            for item in &group.items {
                write_citation(text, item, lines);
            }
            text.push('\n');
            let rows = written(&group.rows(), style).into_iter();
            let rows: Vec<_> = rows.map(|(row, owner)| (format!(" {row}"), owner)).collect();
            out.push_rows(&rows);
            out.text.push('\n');
        }
        for item in &section.references {
            let lines = item.piece.lines;
            let (path, label) = (one_line(&item.piece.path), one_line(&item.piece.label));
            let place = format!("{path}:{}-{} {label}", lines.start(), lines.end());
            out.own(item, |text| {
                let _ = write!(text, "{} [{}]{}", place.trim(), item.citation, part(item));
                text.push_str(&note(item));
                text.push_str(&seen(item));
                write_copies(text, item);
                text.push('\n');
            });
        }
        if !section.references.is_empty() {
            out.text.push('\n');
        }
    }
    layout.last.iter().for_each(|brief| write_brief(&mut out, brief));
    for hint in layout.frame.hints {
        let _ = writeln!(out.text, "hint: {}", one_line(hint).trim());
    }
    // Remove only the blank line after the last part: blank lines of a source are shown.
    if out.text.ends_with("\n\n") {
        out.text.pop();
    }
    out
}

fn write_brief(out: &mut Written, brief: &BriefLayout<'_>) {
    let _ = writeln!(out.text, "{}:\n", brief.section.title());
    for (position, one) in &brief.told {
        out.tell(*position, |text| {
            let place = place_of(one).map_or_else(String::new, |place| format!(" ({place})"));
            let said = one_line(&one.insight.text);
            let _ = writeln!(text, "{}{place}{}", said.trim(), told_otherwise(one));
            let code = one.insight.code.as_ref().map_or("", |code| code.text.trim_end());
            for line in clean_text(code).lines() {
                let _ = writeln!(text, " {line}");
            }
        });
    }
    if brief.n_before > 0 {
        let _ = writeln!(out.text, "{}", told_before(brief.n_before, &brief.answers));
    }
    out.text.push('\n');
}

fn write_citation(out: &mut String, item: &Item, heading: LineRange) {
    let lines = item.piece.lines;
    let _ = write!(out, " {} [{}] {}", item.rank, item.citation, short_label(item));
    if lines != heading {
        let _ = write!(out, " {}-{}", lines.start(), lines.end());
    }
    out.push_str(&part(item));
    out.push_str(&note(item));
    if item.truncated {
        out.push_str(" truncated");
    }
    out.push_str(&seen(item));
    write_copies(out, item);
}

fn write_copies(out: &mut String, item: &Item) {
    let (same, like, n_more) = copies(item);
    for copy in same {
        let _ = write!(out, " = {}", one_line(copy));
    }
    for one in like {
        let _ = write!(out, " like {}{}", one_line(&one.place), likeness(one));
    }
    if n_more > 0 {
        let _ = write!(out, " and {n_more} more");
    }
}
