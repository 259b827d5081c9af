//! Plain text: what Kitbag says begins at the first column, source text is indented by a space, so neither can be taken
//! for the other.

use std::fmt::Write as _;

use super::layout::Layout;
use super::markdown::body;
use super::{Style, copies, one_line, seen};

pub(super) fn render(layout: &Layout<'_>, style: &Style) -> String {
    let mut out = String::new();
    let task = layout
        .frame
        .task
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty());
    if let Some(task) = task {
        let _ = writeln!(out, "context for: {}\n", one_line(task));
    }
    if !layout.frame.note.is_empty() {
        let _ = writeln!(out, "{}\n", one_line(layout.frame.note));
    }
    for section in &layout.sections {
        let _ = writeln!(out, "{}:\n", section.section.title());
        for group in &section.groups {
            let lines = group.lines();
            let _ = write!(
                out,
                "{}:{}-{}",
                group.path.trim_start(),
                lines.start(),
                lines.end()
            );
            for item in &group.items {
                let lines = item.piece.lines;
                let _ = write!(out, " [{}] {}-{}", item.citation, lines.start(), lines.end());
                if item.truncated {
                    out.push_str(" truncated");
                }
                out.push_str(&seen(item));
                let (copies, n_more) = copies(item);
                for copy in copies {
                    let _ = write!(out, " = {}", one_line(copy));
                }
                if n_more > 0 {
                    let _ = write!(out, " = {n_more} more");
                }
            }
            out.push('\n');
            for line in body(&group.rows(), style).split_terminator('\n') {
                let _ = writeln!(out, " {line}");
            }
            out.push('\n');
        }
        for item in &section.references {
            let lines = item.piece.lines;
            let (path, label) = (one_line(&item.piece.path), one_line(&item.piece.label));
            let place = format!("{path}:{}-{} {label}", lines.start(), lines.end());
            let _ = writeln!(out, "{} [{}]{}", place.trim(), item.citation, seen(item));
        }
        if !section.references.is_empty() {
            out.push('\n');
        }
    }
    for hint in layout.frame.hints {
        let _ = writeln!(out, "hint: {}", one_line(hint).trim());
    }
    // Only the blank line after the last part: blank lines of a source are shown lines.
    if out.ends_with("\n\n") {
        out.pop();
    }
    out
}
