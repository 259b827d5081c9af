//! Templates of the user's own (PACK-70), in the language of Jinja. The template gets what the other formats get; the
//! budget holds on what it writes, because the finished text is what is counted.

use std::fmt;

use minijinja::{Environment, Value, context};

use super::layout::{Layout, SectionLayout};
use super::markdown::{body, fence_for, info};
use super::{Style, changed_since, clean_text, delivered_in, one_line};
use crate::pack::{Item, Like};

/// A template that does not parse or run, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadTemplate(pub String);

impl fmt::Display for BadTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadTemplate {}

/// Steps a template may take: a loop over everything a pack can hold, many times over, and not for ever (SEC-4).
const FUEL: u64 = 5_000_000;

/// Does it parse?
pub fn check_template(template: &str) -> Result<(), BadTemplate> {
    Environment::new()
        .template_from_str(template)
        .map(|_| ())
        .map_err(|error| bad(&error))
}

fn bad(error: &minijinja::Error) -> BadTemplate {
    BadTemplate(error.to_string())
}

pub(super) fn render(layout: &Layout<'_>, style: &Style, template: &str) -> Result<String, BadTemplate> {
    let mut environment = Environment::new();
    environment.set_fuel(Some(FUEL));
    let sections: Vec<Value> = layout
        .sections
        .iter()
        .map(|section| section_value(section, style))
        .collect();
    let hints: Vec<String> = layout.frame.hints.iter().map(|hint| one_line(hint)).collect();
    let values = context! {
        task => clean_text(layout.frame.task),
        note => one_line(layout.frame.note),
        sections => sections,
        hints => hints,
    };
    let mut out = Bounded(Vec::new());
    environment
        .template_from_str(template)
        .and_then(|template| template.render_captured_to(values, &mut out).map(|_| ()))
        .map_err(|error| bad(&error))?;
    String::from_utf8(out.0).map_err(|error| BadTemplate(error.to_string()))
}

/// No budget is as large as this: a template that writes more is in a loop.
const MAX_BYTES: usize = 16 << 20;

/// Takes [`MAX_BYTES`] and then refuses.
struct Bounded(Vec<u8>);

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_BYTES {
            return Err(std::io::Error::other("the template writes too much"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn section_value(section: &SectionLayout<'_>, style: &Style) -> Value {
    let files: Vec<Value> = section
        .groups
        .iter()
        .map(|group| {
            let text = body(&group.rows(), style);
            let lines = group.lines();
            let items: Vec<Value> = group.items.iter().map(|item| item_value(item)).collect();
            context! {
                path => group.path,
                language => info(group.language),
                line_start => lines.start(),
                line_end => lines.end(),
                fence => fence_for(&text),
                text => text,
                items => items,
            }
        })
        .collect();
    let references: Vec<Value> = section.references.iter().map(|item| item_value(item)).collect();
    context! {
        name => section.section.as_str(),
        title => section.section.title(),
        files => files,
        references => references,
    }
}

fn item_value(item: &Item) -> Value {
    context! {
        citation => item.citation,
        path => one_line(&item.piece.path),
        label => one_line(&item.piece.label),
        line_start => item.piece.lines.start(),
        line_end => item.piece.lines.end(),
        kind => item.piece.kind.as_str(),
        resolution => item.resolution.as_str(),
        score => item.score,
        truncated => item.truncated,
        delivered_in => delivered_in(item).unwrap_or_default(),
        changed_since => changed_since(item),
        part => item.piece.part.map(|(part, of)| vec![part, of]),
        copies => item.copies.iter().map(|copy| one_line(copy)).collect::<Vec<_>>(),
        like => item.like.iter().map(like_value).collect::<Vec<_>>(),
    }
}

fn like_value(like: &Like) -> Value {
    context! {
        place => one_line(&like.place),
        percent => like.percent,
    }
}
