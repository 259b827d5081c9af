//! What every format writes, in order: sections; in each section files with their lines, then the items that are only named.
//!
//! Within a section, files are ordered by their best item. The items of one file stay together in the order of their lines, and
//! each shows its rank.

use std::collections::BTreeMap;

use kitbag_types::LineRange;

use super::{Frame, clean_text, one_line};
use crate::briefing::{BriefSection, ShownInsight};
use crate::item::Item;
use crate::piece::{Piece, Resolution};
use crate::section::Section;

pub(crate) struct Layout<'a> {
    pub frame: Frame<'a>,
    pub sections: Vec<SectionLayout<'a>>,
    /// What is told before the code, and what is told after it.
    pub brief: Vec<BriefLayout<'a>>,
    pub last: Vec<BriefLayout<'a>>,
}

/// A section of the brief.
pub(crate) struct BriefLayout<'a> {
    pub section: BriefSection,
    /// With their positions in the brief.
    pub told: Vec<(usize, &'a ShownInsight)>,
    /// How many earlier answers of the session told, and which answers.
    pub n_before: usize,
    pub answers: Vec<u32>,
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

/// A row of a group's text, and the rank of the item that it belongs to; a gap between two items belongs to none.
pub(crate) struct Row<'a> {
    pub what: What<'a>,
    pub owner: Option<usize>,
}

pub(crate) enum What<'a> {
    Line(u32, std::borrow::Cow<'a, str>),
    /// Lines that are left out.
    Gap(LineRange),
}

impl<'a> Layout<'a> {
    pub(crate) fn new(items: &[&'a Item], frame: Frame<'a>) -> Self {
        let sections = Section::ALL
            .into_iter()
            .map(|section| section_layout(section, items))
            .filter(|layout| !layout.groups.is_empty() || !layout.references.is_empty())
            .collect();
        let brief = BriefSection::ALL
            .into_iter()
            .map(|section| BriefLayout::new(section, frame.told))
            .filter(|layout| !layout.told.is_empty() || layout.n_before > 0);
        let (last, brief) = brief.partition(|layout| layout.section.is_last());
        Self {
            frame,
            sections,
            brief,
            last,
        }
    }
}

impl<'a> BriefLayout<'a> {
    fn new(section: BriefSection, told: &'a [ShownInsight]) -> Self {
        let here = told.iter().enumerate();
        let (before, told): (Vec<_>, Vec<_>) = here
            .filter(|(_, one)| one.insight.section == section)
            .partition(|(_, one)| !one.delivered_in.is_empty());
        let mut answers: Vec<u32> = before
            .iter()
            .flat_map(|(_, one)| one.delivered_in.iter().copied())
            .collect();
        answers.sort_unstable();
        answers.dedup();
        Self {
            section,
            told,
            n_before: before.len(),
            answers,
        }
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
    let mut known: BTreeMap<(&str, &str, u32), usize> = BTreeMap::new();
    for item in here {
        if item.resolution == Resolution::Reference {
            references.push(item);
            continue;
        }
        // Two versions of a file, or two handed-in texts of one name, have line numbers of their own.
        let key = (item.piece.path.as_str(), item.piece.at.as_str(), item.piece.given);
        match known.get(&key) {
            Some(idx) => groups[*idx].items.push(item),
            None => {
                known.insert(key, groups.len());
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
    SectionLayout {
        section,
        groups,
        references,
    }
}

impl<'a> SectionLayout<'a> {
    /// The items that are only named; those of one file together, at the place of the first.
    pub(crate) fn named(&self) -> Vec<Vec<&'a Item>> {
        let mut files: Vec<Vec<&'a Item>> = Vec::new();
        for item in &self.references {
            let same = |file: &&mut Vec<&'a Item>| file[0].piece.path == item.piece.path;
            match files.iter_mut().find(same) {
                Some(file) => file.push(item),
                None => files.push(vec![item]),
            }
        }
        files
    }
}

impl<'a> Group<'a> {
    /// From the first line of its first item, or of a head above it, to the last of any.
    pub(crate) fn lines(&self) -> LineRange {
        span(self.items.iter().copied())
    }

    pub(crate) fn rows(&self) -> Vec<Row<'a>> {
        rows(&self.items)
    }
}

fn span<'i>(items: impl Iterator<Item = &'i Item> + Clone) -> LineRange {
    let first = |item: &Item| {
        let above = item.piece.above.iter().map(|(number, _)| *number);
        above.chain([item.piece.lines.start()]).min()
    };
    let start = items.clone().filter_map(first).min();
    let end = items.map(|item| item.piece.lines.end()).max();
    LineRange::new(start.unwrap_or(1), end.unwrap_or(1))
}

/// A line of a file and the item that it belongs to.
type Owned<'a> = (&'a str, Option<usize>);

/// The shown lines of one piece, with a mark wherever lines are missing.
pub(crate) fn piece_rows<'a>(piece: &'a Piece, shown: &[LineRange]) -> Vec<Row<'a>> {
    let mut lines = BTreeMap::new();
    add_shown(&mut lines, piece, shown, None);
    with_gaps(lines, piece.lines, &|_| None)
}

fn add_shown<'a>(
    lines: &mut BTreeMap<u32, Owned<'a>>,
    piece: &'a Piece,
    shown: &[LineRange],
    owner: Option<usize>,
) {
    let mut shown = shown.iter().copied().peekable();
    for (number, line) in piece.numbered() {
        while shown.next_if(|range| range.end() < number).is_some() {}
        if shown.peek().is_some_and(|range| range.contains(number)) {
            lines.entry(number).or_insert((line, owner));
        }
    }
}

/// The shown lines of some items of one file, each once, with a mark wherever lines are missing.
pub(crate) fn rows<'a>(items: &[&'a Item]) -> Vec<Row<'a>> {
    let mut lines: BTreeMap<u32, Owned<'a>> = BTreeMap::new();
    for item in items {
        let owner = Some(item.rank);
        add_shown(&mut lines, &item.piece, &item.lines, owner);
        // Blank lines between two neighbours are cheaper than the mark that they are missing.
        let end = item.piece.lines.end();
        let blank = end.saturating_add(1)..end.saturating_add(item.piece.blank_after).saturating_add(1);
        if lines.contains_key(&end) && items.iter().any(|next| next.piece.lines.start() == blank.end) {
            blank.for_each(|number| {
                lines.entry(number).or_insert(("", owner));
            });
        }
    }
    // After all shown lines: a head that its own item shows belongs to that item.
    for item in items {
        for (number, line) in &item.piece.above {
            lines.entry(*number).or_insert((line, Some(item.rank)));
        }
    }
    let owner_at = |line: u32| {
        let owner = items.iter().find(|item| item.piece.lines.contains(line));
        owner.map(|item| item.rank)
    };
    with_gaps(lines, span(items.iter().copied()), &owner_at)
}

fn with_gaps<'a>(
    lines: BTreeMap<u32, Owned<'a>>,
    whole: LineRange,
    owner_at: &dyn Fn(u32) -> Option<usize>,
) -> Vec<Row<'a>> {
    let mut rows = Vec::with_capacity(lines.len() + 4);
    let gap = |start: u32, end: u32| Row {
        what: What::Gap(LineRange::new(start, end)),
        owner: owner_at(start),
    };
    // The first line that is not written yet.
    let mut next = whole.start();
    for (number, (line, owner)) in lines {
        if number > next {
            rows.push(gap(next, number - 1));
        }
        let line = line.strip_suffix('\r').unwrap_or(line);
        rows.push(Row {
            what: What::Line(number, clean_text(line)),
            owner,
        });
        next = number.saturating_add(1);
    }
    if next <= whole.end() {
        rows.push(gap(next, whole.end()));
    }
    rows
}
