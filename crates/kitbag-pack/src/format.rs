//! A selection in, text out. A format is one file and one variant; it writes what it is given in the order it is given and
//! can neither drop nor add an item, so every format obeys the same budget.
//!
//! Text from the repository is data (SEC-3): [`clean_text`] takes out what could steer a terminal or hide from a reader, and
//! each format makes sure that nothing in it can end the fence, tag or string it stands in.

pub(crate) mod json;
pub(crate) mod layout;
pub(crate) mod markdown;
mod plain;
mod project_context;
mod template;
mod xml;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use kitbag_types::LineRange;

pub(crate) use layout::Layout;
pub use template::{BadTemplate, Template};
pub(crate) use template::{Effort, Unwritten};

use crate::briefing::ShownInsight;
use crate::item::{Item, Like};
use crate::session::SeenBefore;

/// How a pack is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Markdown,
    Xml,
    Json,
    Plain,
    ProjectContext,
}

impl Format {
    pub const ALL: [Self; 5] = [
        Self::Markdown,
        Self::Xml,
        Self::Json,
        Self::Plain,
        Self::ProjectContext,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Xml => "xml",
            Self::Json => "json",
            Self::Plain => "plain",
            Self::ProjectContext => "project-context",
        }
    }

    /// A format by its name; `md`, `txt` and `project_context` are understood too.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_lowercase().replace('_', "-");
        let name = match text.as_str() {
            "md" => "markdown",
            "txt" | "text" => "plain",
            other => other,
        };
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }
}

/// How the text looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    pub format: Format,
    /// Used instead of `format`.
    pub template: Option<Template>,
    pub line_numbers: bool,
}

impl Style {
    /// The items of one file stand under one heading.
    pub(crate) fn shares_headings(&self) -> bool {
        self.template.is_none() && matches!(self.format, Format::Markdown | Format::Plain)
    }
}

/// The text around the items.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    pub task: &'a str,
    /// What the reader should know before reading; may be empty.
    pub note: &'a str,
    /// What is told about the project, in order.
    pub told: &'a [ShownInsight],
    pub hints: &'a [String],
}

/// The task's first line is cut to this many characters: the asker knows the rest, and the room is for code.
const TITLE_CHARS: usize = 120;

impl Frame<'_> {
    /// The first line of the task, shortened.
    pub(crate) fn title(&self) -> String {
        let line = self.task.lines().map(str::trim).find(|line| !line.is_empty());
        let line = one_line(line.unwrap_or_default());
        let mut short: String = line.chars().take(TITLE_CHARS).collect();
        if short.len() < line.len() {
            short.push('…');
        }
        short
    }
}

/// A finished text, and which parts of it are an item's own (PACK-74). The rest is the frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    pub text: String,
    /// (rank of the item, its bytes), in the order of the text.
    pub parts: Vec<(usize, Range<usize>)>,
    /// The same for what the brief tells: (its position there, its bytes).
    pub told: Vec<(usize, Range<usize>)>,
}

impl Written {
    /// Everything that `write` adds belongs to the item.
    fn own(&mut self, item: &Item, write: impl FnOnce(&mut String)) {
        let start = self.text.len();
        write(&mut self.text);
        self.parts.push((item.rank, start..self.text.len()));
    }

    /// Everything that `write` adds belongs to what the brief tells at this position.
    fn tell(&mut self, position: usize, write: impl FnOnce(&mut String)) {
        let start = self.text.len();
        write(&mut self.text);
        self.told.push((position, start..self.text.len()));
    }

    /// Rows that are written already, each with the rank of its item; neighbours of one item are one part.
    fn push_rows(&mut self, rows: &[(String, Option<usize>)]) {
        for (row, owner) in rows {
            let start = self.text.len();
            self.text.push_str(row);
            let Some(owner) = owner else { continue };
            match self.parts.last_mut() {
                Some((last, part)) if last == owner && part.end == start => part.end = self.text.len(),
                _ => self.parts.push((*owner, start..self.text.len())),
            }
        }
    }
}

/// The finished text, or what went wrong in a template. Which part of a template's text belongs to which item is not known.
pub(crate) fn render(
    items: &[&Item],
    frame: Frame<'_>,
    style: &Style,
    effort: &Effort<'_>,
) -> Result<Written, Unwritten> {
    effort.check()?;
    let layout = Layout::new(items, frame);
    if let Some(template) = &style.template {
        return Ok(Written {
            text: template.render(&layout, style, effort)?,
            ..Written::default()
        });
    }
    Ok(match style.format {
        Format::Markdown => markdown::render(&layout, style),
        Format::Xml => xml::render(&layout, style),
        Format::Json => json::render(&layout, style),
        Format::Plain => plain::render(&layout, style),
        Format::ProjectContext => project_context::render(&layout, style),
    })
}

/// A brief alone, as it stands in a text of this style: what its parts cost can be measured so.
pub fn brief_text(told: &[ShownInsight], style: &Style) -> String {
    let frame = Frame {
        task: "",
        note: "",
        told,
        hints: &[],
    };
    let layout = Layout::new(&[], frame);
    let written = match style.format {
        Format::Markdown => markdown::render(&layout, style),
        Format::Xml => xml::render(&layout, style),
        Format::Json => json::render(&layout, style),
        Format::Plain => plain::render(&layout, style),
        Format::ProjectContext => project_context::render(&layout, style),
    };
    written.text
}

/// ` (changed since answer 1)`: this was told otherwise before.
fn told_otherwise(one: &ShownInsight) -> String {
    let since = one.changed_since;
    since.map_or_else(String::new, |since| format!(" (changed since answer {since})"))
}

/// `7 more were delivered in answer 1`.
fn told_before(n: usize, answers: &[u32]) -> String {
    let were = if n == 1 { "was" } else { "were" };
    format!("{n} more {were} delivered in {}", SeenBefore::answers(answers))
}

/// `src/a.rs:10`, or only the path.
fn place_of(one: &ShownInsight) -> Option<String> {
    let place = one.insight.place.as_ref()?;
    Some(match place.line {
        0 => one_line(&place.path),
        line => format!("{}:{line}", one_line(&place.path)),
    })
}

/// So many copies of an item are named in the text: generated code has hundreds. All stand in the list of what was left out.
const N_COPIES: usize = 3;

/// The places to name that have the same text, those that have nearly the same, and how many more there are.
fn copies(item: &Item) -> (&[String], &[Like], usize) {
    let (same, more_same) = item.copies.split_at(item.copies.len().min(N_COPIES));
    let (like, more_like) = item.like.split_at(item.like.len().min(N_COPIES - same.len()));
    (same, like, more_same.len() + more_like.len())
}

/// `, 83 % of the lines, not 12, 20–21`: how similar an edited copy is.
fn likeness(like: &Like) -> String {
    let mut text = format!(", {} % of the lines", like.percent);
    let (named, more) = like.differs.split_at(like.differs.len().min(N_COPIES));
    for (idx, lines) in named.iter().enumerate() {
        let _ = write!(
            text,
            "{}{}",
            if idx == 0 { ", not " } else { ", " },
            numbers(*lines)
        );
    }
    if !more.is_empty() {
        text.push_str(" …");
    }
    text
}

/// The short name of an item: the last name of its label, cut to a length.
fn short_label(item: &Item) -> String {
    let label = one_line(&item.piece.label);
    let last = label.rsplit("::").next().unwrap_or_default().trim();
    let mut short: String = last.chars().take(LABEL_CHARS).collect();
    if short.len() < last.len() {
        short.push('…');
    }
    short
}

/// The longest short label; headings of documents can be sentences.
const LABEL_CHARS: usize = 40;

/// ` part 2 of 3`, of a definition that was split.
fn part(item: &Item) -> String {
    let part = item.piece.part;
    part.map_or_else(String::new, |(n, of)| format!(" part {n} of {of}"))
}

/// ` changed 12–14`: the note of an item.
fn note(item: &Item) -> String {
    match item.piece.note.is_empty() {
        true => String::new(),
        false => format!(" {}", one_line(&item.piece.note)),
    }
}

/// ` delivered in answer 2` for a reference to an earlier answer; ` changed since answer 1` for text that has changed since
/// (ENG-40).
fn seen(item: &Item) -> String {
    match (delivered_in(item), changed_since(item)) {
        (Some(answers), _) => format!(" delivered in {}", SeenBefore::answers(answers)),
        (None, Some(since)) => format!(" changed since answer {since}"),
        (None, None) => String::new(),
    }
}

fn delivered_in(item: &Item) -> Option<&[u32]> {
    match &item.seen {
        Some(SeenBefore::Delivered { answers, .. }) => Some(answers),
        _ => None,
    }
}

/// Only for items with text: a name alone does not change.
fn changed_since(item: &Item) -> Option<u32> {
    match &item.seen {
        Some(SeenBefore::Changed { since }) if !item.lines.is_empty() => Some(*since),
        _ => None,
    }
}

/// The lines of an item as every format shows them.
pub(crate) fn shown_text(item: &Item, style: &Style) -> String {
    markdown::body(&layout::rows(&[item]), style)
}

/// The mark for lines that are left out (PACK-47): `… 573–676`.
fn gap(lines: LineRange) -> String {
    format!("… {}", numbers(lines))
}

/// `573–676`, or `573`.
fn numbers(lines: LineRange) -> String {
    if lines.n_lines() == 1 {
        lines.start().to_string()
    } else {
        format!("{}–{}", lines.start(), lines.end())
    }
}

/// `text` without characters that control terminals, reverse text or are invisible. Tabs and line breaks stay; each other one is
/// replaced by something visible, so lines keep their numbers.
pub fn clean_text(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if !is_hidden(c) {
            out.push(c);
            continue;
        }
        match c as u32 {
            code @ 0..0x20 => out.extend(char::from_u32(0x2400 + code)),
            0x7f => out.push('\u{2421}'),
            code => {
                let _ = write!(out, "\u{27e8}U+{code:04X}\u{27e9}");
            }
        }
    }
    Cow::Owned(out)
}

fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

/// On one line: for paths, labels and the like.
pub(crate) fn one_line(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|c| if c == '\n' || c == '\t' { ' ' } else { c })
        .collect();
    clean_text(&line).into_owned()
}
