//! Templates of the user's own (PACK-70), in a subset of Jinja. The template gets what the other formats get; the
//! budget holds on what it writes, because the finished text is what is counted.
//!
//! It has loops, conditions, values and a few filters, and nothing else that makes new values: a template may come from a
//! stranger, and the whole language has too many ways to use up memory or time (decision 015). So it is parsed and run
//! here, where every step is counted.

mod parse;
mod run;

#[cfg(test)]
mod tests;

use std::fmt;

use super::layout::{BriefLayout, Layout, SectionLayout};
use super::markdown::{body, fence_for, info};
use super::{Style, changed_since, clean_text, delivered_in, one_line};
use crate::item::{Item, Like};
use parse::Node;
use run::Data;
pub(crate) use run::{Effort, Unwritten};

/// A page of layout has 4 KB; no template needs more than this.
const MAX_BYTES: usize = 64 << 10;
/// `{{ … }}`, `{% … %}` and `{# … #}`.
const MAX_TAGS: usize = 2_000;
/// Words and signs in one tag.
const MAX_TOKENS: usize = 64;
/// The deepest nesting of blocks. The data is four deep: sections, files, items, copies.
const MAX_DEPTH: usize = 16;

const ALLOWED_STATEMENTS: &str = "statements are for, endfor, if, elif, else and endif";
const ALLOWED_EXPRESSIONS: &str = "an expression has names with dots, texts in quotes, numbers, comparisons, in, not, and, or, \
                                   brackets, and the filters upper, lower, trim, escape, length, first, last and join";

/// A template that does not parse or run, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadTemplate(pub String);

impl fmt::Display for BadTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadTemplate {}

/// A template that was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Template(Vec<Node>);

impl Template {
    pub fn parse(text: &str) -> Result<Self, BadTemplate> {
        parse::parse(text).map(Self)
    }

    pub(super) fn render(
        &self,
        layout: &Layout<'_>,
        style: &Style,
        effort: &Effort<'_>,
    ) -> Result<String, Unwritten> {
        let sections = layout.sections.iter();
        let top = Data::Fields(vec![
            ("task", text(&clean_text(layout.frame.task))),
            ("note", text(&one_line(layout.frame.note))),
            ("brief", list(layout.brief.iter().map(brief_data))),
            ("memories", list(layout.last.iter().map(brief_data))),
            (
                "sections",
                list(sections.map(|section| section_data(section, style))),
            ),
            ("hints", texts(layout.frame.hints)),
        ]);
        run::run(&self.0, &top, effort)
    }
}

fn text(text: &str) -> Data {
    Data::Text(text.to_owned())
}

fn list(items: impl Iterator<Item = Data>) -> Data {
    Data::List(items.collect())
}

fn texts(items: &[String]) -> Data {
    list(items.iter().map(|item| Data::Text(one_line(item))))
}

fn line(number: u32) -> Data {
    Data::Whole(u64::from(number))
}

fn section_data(section: &SectionLayout<'_>, style: &Style) -> Data {
    let files = section.groups.iter().map(|group| {
        let shown = body(&group.rows(), style);
        let lines = group.lines();
        Data::Fields(vec![
            ("path", text(&group.path)),
            ("language", text(info(group.language))),
            ("line_start", line(lines.start())),
            ("line_end", line(lines.end())),
            ("fence", text(&fence_for(&shown))),
            ("text", Data::Text(shown)),
            ("items", list(group.items.iter().map(|item| item_data(item)))),
        ])
    });
    Data::Fields(vec![
        ("name", text(section.section.as_str())),
        ("title", text(section.section.title())),
        ("files", list(files)),
        (
            "references",
            list(section.references.iter().map(|item| item_data(item))),
        ),
    ])
}

fn brief_data(brief: &BriefLayout<'_>) -> Data {
    let told = brief.told.iter().map(|(_, one)| {
        let place = one.insight.place.as_ref();
        Data::Fields(vec![
            ("text", Data::Text(one_line(&one.insight.text))),
            ("category", text(&one.insight.category)),
            (
                "path",
                place.map_or(Data::Nothing, |place| Data::Text(one_line(&place.path))),
            ),
            ("line", place.map_or(Data::Nothing, |place| line(place.line))),
            (
                "code",
                text(one.insight.code.as_ref().map_or("", |code| code.text.as_str())),
            ),
        ])
    });
    Data::Fields(vec![
        ("name", text(brief.section.as_str())),
        ("title", text(brief.section.title())),
        ("insights", list(told)),
        ("delivered", Data::Whole(brief.n_before as u64)),
    ])
}

fn item_data(item: &Item) -> Data {
    let piece = &item.piece;
    let answers = delivered_in(item).unwrap_or_default().iter();
    Data::Fields(vec![
        ("citation", text(&item.citation)),
        ("rank", Data::Whole(item.rank as u64)),
        ("note", Data::Text(one_line(&piece.note))),
        ("path", Data::Text(one_line(&piece.path))),
        ("label", Data::Text(one_line(&piece.label))),
        ("line_start", line(piece.lines.start())),
        ("line_end", line(piece.lines.end())),
        ("kind", text(piece.kind.as_str())),
        ("resolution", text(item.resolution.as_str())),
        ("score", Data::Decimal(item.score)),
        ("truncated", Data::Bool(item.truncated)),
        ("delivered_in", list(answers.map(|answer| line(*answer)))),
        ("changed_since", changed_since(item).map_or(Data::Nothing, line)),
        (
            "part",
            piece
                .part
                .map_or(Data::Nothing, |(part, of)| list([part, of].into_iter().map(line))),
        ),
        ("copies", texts(&item.copies)),
        ("like", list(item.like.iter().map(like_data))),
    ])
}

fn like_data(like: &Like) -> Data {
    Data::Fields(vec![
        ("place", Data::Text(one_line(&like.place))),
        ("percent", Data::Whole(like.percent as u64)),
    ])
}
