//! XML, well-formed for every input: text in CDATA, so that code stays readable; attributes escaped.

use std::fmt::Write as _;

use super::layout::{BriefLayout, Layout, rows};
use super::markdown::body;
use super::{
    Style, Written, changed_since, clean_text, copies, delivered_in, likeness, one_line, short_label,
};
use crate::item::Item;
use crate::piece::Resolution;
use crate::session::SeenBefore;

pub(super) fn render(layout: &Layout<'_>, style: &Style) -> Written {
    let mut out = Written::default();
    let _ = writeln!(out.text, "<pack task={}>", quoted(&layout.frame.title()));
    write_note(&mut out.text, layout);
    layout.brief.iter().for_each(|brief| write_brief(&mut out, brief));
    for section in &layout.sections {
        let _ = writeln!(out.text, "<section name=\"{}\">", section.section.as_str());
        for group in &section.groups {
            let _ = writeln!(out.text, "<file path={}>", quoted(&group.items[0].piece.path));
            for item in &group.items {
                out.own(item, |text| write_snippet(text, item, style));
            }
            out.text.push_str("</file>\n");
        }
        for item in &section.references {
            out.own(item, |text| write_reference(text, item));
        }
        out.text.push_str("</section>\n");
    }
    layout.last.iter().for_each(|brief| write_brief(&mut out, brief));
    for hint in layout.frame.hints {
        let _ = writeln!(out.text, "<hint>{}</hint>", escaped(&one_line(hint)));
    }
    out.text.push_str("</pack>\n");
    out
}

pub(super) fn write_note(out: &mut String, layout: &Layout<'_>) {
    if !layout.frame.note.is_empty() {
        let _ = writeln!(out, "<note>{}</note>", escaped(&one_line(layout.frame.note)));
    }
}

pub(super) fn write_brief(out: &mut Written, brief: &BriefLayout<'_>) {
    let _ = writeln!(out.text, "<brief section=\"{}\">", brief.section.as_str());
    for (position, one) in &brief.told {
        out.tell(*position, |text| {
            text.push_str("<insight");
            if let Some(place) = &one.insight.place {
                let _ = write!(text, " path={}", quoted(&place.path));
                if place.line > 0 {
                    let _ = write!(text, " line=\"{}\"", place.line);
                }
            }
            if let Some(since) = one.changed_since {
                let _ = write!(text, " changed=\"since answer {since}\"");
            }
            let _ = write!(text, ">{}", escaped(&one_line(&one.insight.text)));
            if let Some(code) = &one.insight.code {
                let shown = clean_text(code.text.trim_end());
                let _ = write!(text, "<code>{}</code>", cdata(&format!("{shown}\n")));
            }
            text.push_str("</insight>\n");
        });
    }
    if brief.n_before > 0 {
        let (n, answers) = (brief.n_before, SeenBefore::answers(&brief.answers));
        let _ = writeln!(out.text, "<delivered insights=\"{n}\" in=\"{answers}\"/>");
    }
    out.text.push_str("</brief>\n");
}

fn write_snippet(out: &mut String, item: &Item, style: &Style) {
    let lines = item.piece.lines;
    let _ = write!(
        out,
        "<snippet rank=\"{}\" id=\"{}\" name={} lines=\"{}-{}\" resolution=\"{}\"",
        item.rank,
        item.citation,
        quoted(&short_label(item)),
        lines.start(),
        lines.end(),
        item.resolution.as_str()
    );
    write_part(out, item);
    if item.truncated {
        out.push_str(" truncated=\"true\"");
    }
    write_seen(out, item);
    write_copies(out, item);
    let _ = writeln!(out, ">{}</snippet>", cdata(&body(&rows(&[item]), style)));
}

pub(super) fn write_part(out: &mut String, item: &Item) {
    if let Some((part, of)) = item.piece.part {
        let _ = write!(out, " part=\"{part} of {of}\"");
    }
    if !item.piece.note.is_empty() {
        let _ = write!(out, " note={}", quoted(&item.piece.note));
    }
}

fn write_reference(out: &mut String, item: &Item) {
    debug_assert_eq!(item.resolution, Resolution::Reference);
    let lines = item.piece.lines;
    let _ = write!(
        out,
        "<reference id=\"{}\" path={} lines=\"{}-{}\" name={}",
        item.citation,
        quoted(&item.piece.path),
        lines.start(),
        lines.end(),
        quoted(&item.piece.label)
    );
    write_part(out, item);
    write_seen(out, item);
    write_copies(out, item);
    out.push_str("/>\n");
}

pub(super) fn write_seen(out: &mut String, item: &Item) {
    if let Some(answers) = delivered_in(item) {
        let _ = write!(out, " delivered=\"{}\"", SeenBefore::answers(answers));
    }
    if let Some(since) = changed_since(item) {
        let _ = write!(out, " changed=\"since answer {since}\"");
    }
}

pub(super) fn write_copies(out: &mut String, item: &Item) {
    let (same, like, n_more) = copies(item);
    let more = match n_more {
        0 => String::new(),
        n => format!(", {n} more"),
    };
    if !same.is_empty() {
        let more = if like.is_empty() { more.as_str() } else { "" };
        let _ = write!(out, " copies={}", quoted(&(same.join(", ") + more)));
    }
    if !like.is_empty() {
        let places: Vec<String> = like
            .iter()
            .map(|one| one.place.clone() + &likeness(one))
            .collect();
        let _ = write!(out, " like={}", quoted(&(places.join("; ") + &more)));
    }
}

/// A CDATA section. Where the text itself would end it, it is split in two.
pub(super) fn cdata(text: &str) -> String {
    format!("<![CDATA[\n{}]]>", text.replace("]]>", "]]]]><![CDATA[>"))
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// An attribute's value with its quotes. Line breaks are kept as references, which a parser gives back as they were.
pub(super) fn quoted(text: &str) -> String {
    let text = clean_text(text);
    let text = escaped(&text)
        .replace('"', "&quot;")
        .replace('\n', "&#10;")
        .replace('\t', "&#9;");
    format!("\"{text}\"")
}
