//! JSON: the same items as data. Written by hand because this room needs strings and numbers only.

use std::fmt::Write as _;

use super::layout::{Layout, rows};
use super::markdown::body;
use super::{Style, changed_since, copies, delivered_in};
use crate::pack::Item;

pub(super) fn render(layout: &Layout<'_>, style: &Style) -> String {
    let mut out = format!("{{\"task\":{},", quoted(layout.frame.task));
    if !layout.frame.note.is_empty() {
        let _ = write!(out, "\"note\":{},", quoted(layout.frame.note));
    }
    out.push_str("\"items\":[");
    let mut first = true;
    for section in &layout.sections {
        let shown = section.groups.iter().flat_map(|group| group.items.iter());
        for item in shown.chain(&section.references) {
            if !std::mem::take(&mut first) {
                out.push(',');
            }
            write_item(&mut out, item, style);
        }
    }
    out.push_str("],\"hints\":[");
    for (idx, hint) in layout.frame.hints.iter().enumerate() {
        let _ = write!(out, "{}{}", if idx > 0 { "," } else { "" }, quoted(hint));
    }
    out.push_str("]}\n");
    out
}

fn write_item(out: &mut String, item: &Item, style: &Style) {
    let lines = item.piece.lines;
    let _ = write!(
        out,
        "\n{{\"citation\":\"{}\",\"section\":\"{}\",\"path\":{},\"lines\":[{},{}],\"resolution\":\"{}\",\"label\":{}",
        item.citation,
        item.section.as_str(),
        quoted(&item.piece.path),
        lines.start(),
        lines.end(),
        item.resolution.as_str(),
        quoted(&item.piece.label)
    );
    if item.truncated {
        out.push_str(",\"truncated\":true");
    }
    if let Some(answers) = delivered_in(item) {
        let _ = write!(out, ",\"delivered_in\":{answers:?}");
    }
    if let Some(since) = changed_since(item) {
        let _ = write!(out, ",\"changed_since\":{since}");
    }
    if !item.copies.is_empty() {
        let (copies, _) = copies(item);
        let copies: Vec<String> = copies.iter().map(|copy| quoted(copy)).collect();
        let _ = write!(
            out,
            ",\"n_copies\":{},\"copies\":[{}]",
            item.copies.len(),
            copies.join(",")
        );
    }
    if !item.lines.is_empty() {
        let _ = write!(out, ",\"text\":{}", quoted(&body(&rows(&[item]), style)));
    }
    out.push('}');
}

/// A JSON string. Beyond what JSON demands, what steers terminals or cannot be seen is escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if super::is_hidden(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
