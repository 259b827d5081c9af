//! The block for prompts: `<project_context>` with one `<snippet>` per item (PACK-71). Well-formed XML as well.

use std::fmt::Write as _;

use super::layout::{Layout, rows};
use super::markdown::body;
use super::xml::{cdata, escaped, quoted, write_brief, write_copies, write_note, write_part, write_seen};
use super::{Style, Written, one_line};
use crate::item::Item;

pub(super) fn render(layout: &Layout<'_>, style: &Style) -> Written {
    let mut out = Written {
        text: "<project_context>\n".to_owned(),
        ..Written::default()
    };
    write_note(&mut out.text, layout);
    layout.brief.iter().for_each(|brief| write_brief(&mut out, brief));
    for section in &layout.sections {
        let shown = section.groups.iter().flat_map(|group| group.items.iter());
        for item in shown.chain(&section.references) {
            out.own(item, |text| write_snippet(text, item, style));
        }
    }
    layout.last.iter().for_each(|brief| write_brief(&mut out, brief));
    for hint in layout.frame.hints {
        let _ = writeln!(out.text, "<hint>{}</hint>", escaped(&one_line(hint)));
    }
    out.text.push_str("</project_context>\n");
    out
}

fn write_snippet(out: &mut String, item: &Item, style: &Style) {
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
    write_part(out, item);
    if item.truncated {
        out.push_str(" truncated=\"true\"");
    }
    write_seen(out, item);
    write_copies(out, item);
    if item.lines.is_empty() {
        out.push_str("/>\n");
    } else {
        let _ = writeln!(out, ">{}</snippet>", cdata(&body(&rows(&[item]), style)));
    }
}
