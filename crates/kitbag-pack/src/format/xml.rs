//! XML, well-formed for every input: text in CDATA, so that code stays readable; attributes escaped.

use std::fmt::Write as _;

use super::layout::{Layout, rows};
use super::markdown::body;
use super::{Style, changed_since, clean_text, copies, delivered_in, one_line};
use crate::pack::Item;
use crate::piece::Resolution;
use crate::session::Seen;

pub(super) fn render(layout: &Layout<'_>, style: &Style) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "<pack task={}>", quoted(layout.frame.task));
    write_note(&mut out, layout);
    for section in &layout.sections {
        let _ = writeln!(out, "<section name=\"{}\">", section.section.as_str());
        for group in &section.groups {
            let _ = writeln!(out, "<file path={}>", quoted(&group.items[0].piece.path));
            for item in &group.items {
                let lines = item.piece.lines;
                let _ = write!(
                    out,
                    "<snippet id=\"{}\" lines=\"{}-{}\" resolution=\"{}\"",
                    item.citation,
                    lines.start(),
                    lines.end(),
                    item.resolution.as_str()
                );
                if item.truncated {
                    out.push_str(" truncated=\"true\"");
                }
                write_seen(&mut out, item);
                write_copies(&mut out, item);
                let _ = writeln!(out, ">{}</snippet>", cdata(&body(&rows(&[*item]), style)));
            }
            out.push_str("</file>\n");
        }
        for item in &section.references {
            write_reference(&mut out, item);
        }
        out.push_str("</section>\n");
    }
    for hint in layout.frame.hints {
        let _ = writeln!(out, "<hint>{}</hint>", escaped(&one_line(hint)));
    }
    out.push_str("</pack>\n");
    out
}

pub(super) fn write_note(out: &mut String, layout: &Layout<'_>) {
    if !layout.frame.note.is_empty() {
        let _ = writeln!(out, "<note>{}</note>", escaped(&one_line(layout.frame.note)));
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
    write_seen(out, item);
    out.push_str("/>\n");
}

pub(super) fn write_seen(out: &mut String, item: &Item) {
    if let Some(answers) = delivered_in(item) {
        let _ = write!(out, " delivered=\"{}\"", Seen::answers(answers));
    }
    if let Some(since) = changed_since(item) {
        let _ = write!(out, " changed=\"since answer {since}\"");
    }
}

pub(super) fn write_copies(out: &mut String, item: &Item) {
    let (copies, n_more) = copies(item);
    if !copies.is_empty() {
        let more = if n_more > 0 {
            format!(", {n_more} more")
        } else {
            String::new()
        };
        let _ = write!(out, " copies={}", quoted(&(copies.join(", ") + &more)));
    }
}

/// A CDATA section; one that its text would end is ended in between.
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
