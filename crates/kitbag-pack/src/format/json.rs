//! JSON: the same items as data. Written by hand, because it needs only strings and numbers.

use std::fmt::Write as _;

use super::layout::{BriefLayout, Layout, rows};
use super::markdown::body;
use super::{Style, Written, changed_since, copies, delivered_in};
use crate::briefing::ShownInsight;
use crate::item::{Item, Like};

pub(super) fn render(layout: &Layout<'_>, style: &Style) -> Written {
    let mut out = Written {
        text: format!("{{\"task\":{},", quoted(&layout.frame.title())),
        ..Written::default()
    };
    if !layout.frame.note.is_empty() {
        let _ = write!(out.text, "\"note\":{},", quoted(layout.frame.note));
    }
    write_brief(&mut out, "brief", &layout.brief);
    out.text.push_str("\"items\":[");
    let mut first = true;
    for section in &layout.sections {
        let shown = section.groups.iter().flat_map(|group| group.items.iter());
        for item in shown.chain(&section.references) {
            if !std::mem::take(&mut first) {
                out.text.push(',');
            }
            out.own(item, |text| write_item(text, item, style));
        }
    }
    out.text.push_str("],");
    write_brief(&mut out, "memories", &layout.last);
    out.text.push_str("\"hints\":[");
    for (idx, hint) in layout.frame.hints.iter().enumerate() {
        let _ = write!(out.text, "{}{}", if idx > 0 { "," } else { "" }, quoted(hint));
    }
    out.text.push_str("]}\n");
    out
}

/// `"brief":[…],`; nothing where nothing is told.
fn write_brief(out: &mut Written, name: &str, brief: &[BriefLayout<'_>]) {
    if brief.is_empty() {
        return;
    }
    let _ = write!(out.text, "\"{name}\":[");
    let mut first = true;
    let mut comma = move || if std::mem::take(&mut first) { "" } else { "," };
    for part in brief {
        for (position, one) in &part.told {
            out.text.push_str(comma());
            out.tell(*position, |text| write_insight(text, one));
        }
        if part.n_before > 0 {
            let (section, n, answers) = (part.section.as_str(), part.n_before, &part.answers);
            let _ = write!(
                out.text,
                "{}\n{{\"section\":\"{section}\",\"delivered\":{n},\"delivered_in\":{answers:?}}}",
                comma()
            );
        }
    }
    out.text.push_str("],");
}

fn write_insight(out: &mut String, one: &ShownInsight) {
    let insight = &one.insight;
    let _ = write!(
        out,
        "\n{{\"section\":\"{}\",\"category\":{},\"text\":{}",
        insight.section.as_str(),
        quoted(&insight.category),
        quoted(&insight.text)
    );
    if let Some(place) = &insight.place {
        let _ = write!(out, ",\"path\":{}", quoted(&place.path));
        if place.line > 0 {
            let _ = write!(out, ",\"line\":{}", place.line);
        }
    }
    if let Some(since) = one.changed_since {
        let _ = write!(out, ",\"changed_since\":{since}");
    }
    if let Some(code) = &insight.code {
        let _ = write!(out, ",\"code\":{}", quoted(code.text.trim_end()));
    }
    out.push('}');
}

fn write_item(out: &mut String, item: &Item, style: &Style) {
    let lines = item.piece.lines;
    let _ = write!(
        out,
        "\n{{\"citation\":\"{}\",\"rank\":{},\"section\":\"{}\",\"path\":{},\"lines\":[{},{}],\"resolution\":\"{}\",\"label\":{}",
        item.citation,
        item.rank,
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
    if !item.piece.note.is_empty() {
        let _ = write!(out, ",\"note\":{}", quoted(&item.piece.note));
    }
    if let Some((part, of)) = item.piece.part {
        let _ = write!(out, ",\"part\":[{part},{of}]");
    }
    let (same, like, _) = copies(item);
    if !same.is_empty() {
        let same: Vec<String> = same.iter().map(|copy| quoted(copy)).collect();
        let (n, same) = (item.copies.len(), same.join(","));
        let _ = write!(out, ",\"n_copies\":{n},\"copies\":[{same}]");
    }
    if !like.is_empty() {
        let like: Vec<String> = like.iter().map(like_of).collect();
        let (n, like) = (item.like.len(), like.join(","));
        let _ = write!(out, ",\"n_like\":{n},\"like\":[{like}]");
    }
    if !item.lines.is_empty() {
        let _ = write!(out, ",\"text\":{}", quoted(&body(&rows(&[item]), style)));
    }
    out.push('}');
}

fn like_of(like: &Like) -> String {
    let differs: Vec<[u32; 2]> = like
        .differs
        .iter()
        .map(|lines| [lines.start(), lines.end()])
        .collect();
    let place = quoted(&like.place);
    format!(
        "{{\"place\":{place},\"percent\":{},\"differs\":{differs:?}}}",
        like.percent
    )
}

/// A JSON string. Beyond what JSON requires, characters that control terminals or are invisible are escaped.
pub fn quoted(text: &str) -> String {
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
