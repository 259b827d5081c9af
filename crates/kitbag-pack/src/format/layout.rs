//! What every format writes, in order: sections, in them files with their lines, after them what is only named.
//!
//! Within a section the best file stands first and the second best last, because readers attend to the ends of a text
//! most; the rest descend (ENG-30). The chunks of one file stay together in the order of their lines.

use std::collections::BTreeMap;

use kitbag_types::LineRange;

use super::{Frame, clean_text, one_line};
use crate::pack::Item;
use crate::piece::{Piece, Resolution};
use crate::section::Section;

pub(crate) struct Layout<'a> {
    pub frame: Frame<'a>,
    pub sections: Vec<SectionLayout<'a>>,
}

pub(crate) struct SectionLayout<'a> {
    pub section: Section,
    pub groups: Vec<Group<'a>>,
    /// Items that are only named, best first.
    pub references: Vec<&'a Item>,
}

/// The items of one file.
pub(crate) struct Group<'a> {
    /// On one line.
    pub path: String,
    pub language: &'a str,
    /// In the order of their lines.
    pub items: Vec<&'a Item>,
}

/// A row of a group's text.
pub(crate) enum Row<'a> {
    Line(u32, std::borrow::Cow<'a, str>),
    Gap(u32),
}

impl<'a> Layout<'a> {
    pub(crate) fn new(items: &[&'a Item], frame: Frame<'a>) -> Self {
        let sections = Section::ALL
            .into_iter()
            .map(|section| section_layout(section, items))
            .filter(|layout| !layout.groups.is_empty() || !layout.references.is_empty())
            .collect();
        Self { frame, sections }
    }
}

fn section_layout<'a>(section: Section, items: &[&'a Item]) -> SectionLayout<'a> {
    let mut here: Vec<&'a Item> = items
        .iter()
        .copied()
        .filter(|item| item.section == section)
        .collect();
    here.sort_by_key(|item| item.rank);
    let mut references = Vec::new();
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut known: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for item in here {
        if item.resolution == Resolution::Reference {
            references.push(item);
            continue;
        }
        // What is no file has its name from the asker: two of one name, or two versions of a file, number their lines apart.
        let key = (item.piece.path.as_str(), item.piece.at.as_str());
        match known.get(&key).filter(|_| item.piece.is_file) {
            Some(idx) => groups[*idx].items.push(item),
            None => {
                if item.piece.is_file {
                    known.insert(key, groups.len());
                }
                groups.push(Group {
                    path: one_line(&item.piece.path),
                    language: &item.piece.language,
                    items: vec![item],
                });
            }
        }
    }
    for group in &mut groups {
        group.items.sort_by_key(|item| (item.piece.lines, item.rank));
    }
    if groups.len() > 2 {
        let second = groups.remove(1);
        groups.push(second);
    }
    SectionLayout {
        section,
        groups,
        references,
    }
}

impl<'a> Group<'a> {
    /// From the first line of its first item to the last of any.
    pub(crate) fn lines(&self) -> LineRange {
        span(self.items.iter().copied())
    }

    pub(crate) fn rows(&self) -> Vec<Row<'a>> {
        rows(&self.items)
    }
}

fn span<'i>(items: impl Iterator<Item = &'i Item> + Clone) -> LineRange {
    let start = items.clone().map(|item| item.piece.lines.start()).min();
    let end = items.map(|item| item.piece.lines.end()).max();
    LineRange::new(start.unwrap_or(1), end.unwrap_or(1))
}

/// The shown lines of one piece, with a mark wherever lines are missing.
pub(crate) fn piece_rows<'a>(piece: &'a Piece, shown: &[LineRange]) -> Vec<Row<'a>> {
    let mut lines = BTreeMap::new();
    add_shown(&mut lines, piece, shown);
    with_gaps(lines, piece.lines)
}

fn add_shown<'a>(lines: &mut BTreeMap<u32, &'a str>, piece: &'a Piece, shown: &[LineRange]) {
    let mut shown = shown.iter().copied().peekable();
    for (number, line) in piece.numbered() {
        while shown.next_if(|range| range.end() < number).is_some() {}
        if shown.peek().is_some_and(|range| range.contains(number)) {
            lines.insert(number, line);
        }
    }
}

/// The shown lines of some items of one file, each once, with a mark wherever lines are missing.
pub(crate) fn rows<'a>(items: &[&'a Item]) -> Vec<Row<'a>> {
    let mut lines: BTreeMap<u32, &'a str> = BTreeMap::new();
    for item in items {
        add_shown(&mut lines, &item.piece, &item.lines);
        // Blank lines between two neighbours are cheaper than the mark that they are missing.
        let end = item.piece.lines.end();
        let blank = end.saturating_add(1)..end.saturating_add(item.piece.blank_after).saturating_add(1);
        if lines.contains_key(&end) && items.iter().any(|next| next.piece.lines.start() == blank.end) {
            blank.for_each(|number| {
                lines.entry(number).or_insert("");
            });
        }
    }
    with_gaps(lines, span(items.iter().copied()))
}

fn with_gaps(lines: BTreeMap<u32, &str>, whole: LineRange) -> Vec<Row<'_>> {
    let mut rows = Vec::with_capacity(lines.len() + 4);
    // How many lines of the whole are told already.
    let mut n_told = 0;
    for (number, line) in lines {
        let n_before = number - whole.start();
        if n_before > n_told {
            rows.push(Row::Gap(n_before - n_told));
        }
        let line = line.strip_suffix('\r').unwrap_or(line);
        rows.push(Row::Line(number, clean_text(line)));
        n_told = n_before + 1;
    }
    if n_told < whole.n_lines() {
        rows.push(Row::Gap(whole.n_lines() - n_told));
    }
    rows
}
