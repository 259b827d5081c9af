//! The block for prompts: `<project_context>` with one `<snippet>` an item (PACK-71). Well-formed XML as well.

use std::fmt::Write as _;

use super::layout::{Layout, rows};
use super::markdown::body;
use super::xml::{cdata, escaped, quoted, write_copies, write_note, write_seen};
use super::{Style, one_line};

pub(super) fn render(layout: &Layout<'_>, style: &Style) -> String {
    let mut out = String::from("<project_context>\n");
    write_note(&mut out, layout);
    for section in &layout.sections {
        let shown = section.groups.iter().flat_map(|group| group.items.iter());
        for item in shown.chain(&section.references) {
            let lines = item.piece.lines;
            let _ = write!(
                out,
                "<snippet path={} lines=\"{}-{}\" label={} kind=\"{}\" score=\"{:.2}\" id=\"{}\"",
                quoted(&item.piece.path),
                lines.start(),
                lines.end(),
                quoted(&item.piece.label),
                item.piece.kind.as_str(),
                item.score,
                item.citation
            );
            if item.truncated {
                out.push_str(" truncated=\"true\"");
            }
            write_seen(&mut out, item);
            write_copies(&mut out, item);
            if item.lines.is_empty() {
                out.push_str("/>\n");
            } else {
                let _ = writeln!(out, ">{}</snippet>", cdata(&body(&rows(&[*item]), style)));
            }
        }
    }
    for hint in layout.frame.hints {
        let _ = writeln!(out, "<hint>{}</hint>", escaped(&one_line(hint)));
    }
    out.push_str("</project_context>\n");
    out
}
