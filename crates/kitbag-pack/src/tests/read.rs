//! Reads a finished text back. What a pack must look like is worked out here from its items alone, by rules written a second
//! time, so that a format and its test cannot be wrong together.

use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::LineRange;

use super::world::World;
use crate::{Item, Pack, Piece, Resolution, Section, SeenBefore, clean_text};

/// A section as it should stand: files in order with their items, then the items that are only named.
pub(super) struct Part<'p> {
    pub section: Section,
    pub files: Vec<Vec<&'p Item>>,
    pub named: Vec<&'p Item>,
}

/// PACK-50: sections in order; in each the files by their best items; in a file by line.
pub(super) fn parts(pack: &Pack) -> Vec<Part<'_>> {
    let part = |section: Section| {
        let here = || pack.items.iter().filter(move |item| item.section == section);
        let mut files: Vec<Vec<&Item>> = Vec::new();
        for item in here().filter(|item| item.resolution != Resolution::Reference) {
            let same = |file: &&mut Vec<&Item>| {
                file[0].piece.given == item.piece.given && file[0].piece.path == item.piece.path
            };
            match files.iter_mut().find(same) {
                Some(file) => file.push(item),
                None => files.push(vec![item]),
            }
        }
        for file in &mut files {
            file.sort_by_key(|item| (item.piece.lines, item.rank));
        }
        let named = here()
            .filter(|item| item.resolution == Resolution::Reference)
            .collect();
        Part {
            section,
            files,
            named,
        }
    };
    let parts = Section::ALL.into_iter().map(part);
    parts
        .filter(|part| !part.files.is_empty() || !part.named.is_empty())
        .collect()
}

/// First and last line of a file's items, with the heads that stand above them.
pub(super) fn span(items: &[&Item]) -> (u32, u32) {
    let first = |item: &&Item| {
        let above = item.piece.above.iter().map(|(number, _)| *number).min();
        above.unwrap_or(u32::MAX).min(item.piece.lines.start())
    };
    let start = items.iter().map(first).min().unwrap();
    let end = items.iter().map(|item| item.piece.lines.end()).max().unwrap();
    (start, end)
}

pub(super) fn range(item: &Item) -> String {
    format!("{}-{}", item.piece.lines.start(), item.piece.lines.end())
}

/// What the text says of an item that an earlier answer had (ENG-40).
pub(super) fn seen(item: &Item) -> String {
    match &item.seen {
        Some(SeenBefore::Delivered { answers, .. }) if answers.len() == 1 => {
            format!(" delivered in answer {}", answers[0])
        }
        Some(SeenBefore::Delivered { answers, .. }) => {
            let answers: Vec<String> = answers.iter().map(u32::to_string).collect();
            format!(" delivered in answers {}", answers.join(", "))
        }
        Some(SeenBefore::Changed { since }) if item.resolution != Resolution::Reference => {
            format!(" changed since answer {since}")
        }
        _ => String::new(),
    }
}

/// The copies that the text names, same before alike: the first three, and how many more.
pub(super) fn copies(item: &Item, mark: &dyn Fn(String) -> String) -> String {
    let same = item
        .copies
        .iter()
        .map(|copy| format!(" = {}", mark(one_line(copy))));
    let like = item.like.iter().map(|like| {
        let mut text = format!(
            " like {}, {} % of the lines",
            mark(one_line(&like.place)),
            like.percent
        );
        for (idx, lines) in like.differs.iter().take(3).enumerate() {
            text += if idx == 0 { ", not " } else { ", " };
            text += &numbers(*lines);
        }
        text + if like.differs.len() > 3 { " …" } else { "" }
    });
    let all: Vec<String> = same.chain(like).collect();
    let more = all.len().checked_sub(3).filter(|n| *n > 0);
    let more = more.map(|n| format!(" and {n} more"));
    all.into_iter().take(3).chain(more).collect()
}

fn numbers(lines: LineRange) -> String {
    match (lines.start(), lines.end()) {
        (start, end) if start == end => start.to_string(),
        (start, end) => format!("{start}–{end}"),
    }
}

/// ` part 2 of 3`.
pub(super) fn part_of(item: &Item) -> String {
    let part = item.piece.part;
    part.map_or_else(String::new, |(part, of)| format!(" part {part} of {of}"))
}

/// ` changed 3–4`.
pub(super) fn note_of(item: &Item) -> String {
    match item.piece.note.as_str() {
        "" => String::new(),
        note => format!(" {}", one_line(note)),
    }
}

/// The last name of a label, of at most forty characters.
pub(super) fn short_label(item: &Item) -> String {
    let label = one_line(&item.piece.label);
    let last = label.split("::").last().unwrap().trim();
    match last.chars().count() {
        0..=40 => last.to_owned(),
        _ => last.chars().take(40).chain(['…']).collect(),
    }
}

/// The lines of an item, where the heading of its file says others.
pub(super) fn own_range(item: &Item, span: (u32, u32)) -> String {
    let lines = (item.piece.lines.start(), item.piece.lines.end());
    if lines == span {
        String::new()
    } else {
        format!(" {}", range(item))
    }
}

/// The first line of a task, of at most 120 characters.
pub(super) fn title(task: &str) -> String {
    let line = task.split('\n').map(str::trim).find(|line| !line.is_empty());
    let line = one_line(line.unwrap_or(""));
    match line.chars().count() {
        0..=120 => line,
        _ => line.chars().take(120).chain(['…']).collect(),
    }
}

pub(super) fn one_line(text: &str) -> String {
    clean_text(&text.replace(['\n', '\t'], " ")).into_owned()
}

/// The source text of a line: from the file, or, for what is no file, from what was handed in.
fn source_line<'w>(world: &'w World, item: &Item, number: u32) -> Option<&'w str> {
    let idx = number as usize - 1;
    if item.piece.is_file {
        return world.files[&item.piece.path].get(idx).map(String::as_str);
    }
    let given = world.pieces.iter().find(|piece| piece.id == item.piece.id)?;
    given.text.split('\n').nth(idx)
}

/// PACK-72, PACK-47: walks over the text shown for some items of a file. Each row is the source line with the next number, or
/// a mark that says which are left out; the marks and the lines together are the whole span, and two marks never touch.
pub(super) fn check_body(world: &World, items: &[&Item], body: &str, line_numbers: bool) {
    let (start, end) = span(items);
    let shown: BTreeSet<u32> = items
        .iter()
        .flat_map(|item| item.lines.iter().flat_map(|range| range.start()..=range.end()))
        .chain(
            items
                .iter()
                .flat_map(|item| item.piece.above.iter().map(|(number, _)| *number)),
        )
        .collect();
    assert!(body.ends_with('\n'), "{body:?}");
    let mut next = start;
    let mut left_out = 0;
    let mut n_shown = 0;
    let mut after_gap = false;
    for row in body[..body.len() - 1].split('\n') {
        let (number, text) = match line_numbers.then(|| row.trim_start().split_once(' ')).flatten() {
            Some((number, text)) if number.parse::<u32>().is_ok() => (number.parse().ok(), text),
            _ => (None, row),
        };
        let gap = gap_of(row).filter(|_| !shown.contains(&next) && number.is_none());
        if let Some((from, to)) = gap {
            assert!(from == next && !after_gap, "{row} at {next}: {body}");
            assert!(
                (from..=to).all(|line| !shown.contains(&line)),
                "a mark at {next} hides a chosen line: {body}"
            );
            next = to + 1;
            left_out += to - from + 1;
            after_gap = true;
            continue;
        }
        after_gap = false;
        if line_numbers {
            assert_eq!(number, Some(next), "{row:?} in {body}");
        }
        let source = source_line(world, items[0], next).unwrap_or_else(|| panic!("no line {next}: {body}"));
        if shown.contains(&next) {
            assert_eq!(
                text,
                clean_text(source.strip_suffix('\r').unwrap_or(source)),
                "line {next} of {body}"
            );
        } else {
            // A blank line between two neighbours costs less than a mark.
            assert_eq!((text, source), ("", ""), "line {next} was not chosen: {body}");
        }
        next += 1;
        n_shown += 1;
    }
    assert_eq!(next, end + 1, "{body}");
    assert_eq!(n_shown + left_out, end - start + 1, "{body}");
}

/// The same for one piece by itself.
pub(super) fn check_body_of(piece: &Piece, lines: &[LineRange], body: &str) {
    let source: Vec<&str> = piece.text.split('\n').collect();
    let shown = |number: u32| lines.iter().any(|range| range.contains(number));
    let mut next = piece.lines.start();
    for row in body
        .strip_suffix('\n')
        .unwrap_or_else(|| panic!("{body:?}"))
        .split('\n')
    {
        match gap_of(row).filter(|_| !shown(next)) {
            Some((from, to)) => {
                assert!(from == next && (from..=to).all(|number| !shown(number)), "{body}");
                next = to + 1;
            }
            None => {
                let line = source[(next - piece.lines.start()) as usize];
                assert!(shown(next), "line {next} of {body}");
                assert_eq!(
                    row,
                    clean_text(line.strip_suffix('\r').unwrap_or(line)),
                    "line {next} of {body}"
                );
                next += 1;
            }
        }
    }
    assert_eq!(next, piece.lines.end() + 1, "{body}");
}

fn gap_of(row: &str) -> Option<(u32, u32)> {
    let numbers = row.strip_prefix("… ")?;
    let (from, to) = numbers.split_once('–').unwrap_or((numbers, numbers));
    let (from, to): (u32, u32) = (from.parse().ok()?, to.parse().ok()?);
    (from < to || !numbers.contains('–')).then_some((from, to))
}

/// PACK-72 for the items themselves: shown lines are sorted, apart, inside the piece, and the piece is a cut of its file.
pub(super) fn check_items(world: &World, pack: &Pack) {
    let mut citations = BTreeMap::new();
    for item in &pack.items {
        let piece = &item.piece;
        for pair in item.lines.windows(2) {
            assert!(pair[0].end() + 1 < pair[1].start(), "{:?}", item.lines);
        }
        assert!(
            item.lines
                .iter()
                .all(|range| piece.lines.contains(range.start()) && piece.lines.contains(range.end()))
        );
        assert_eq!(item.lines.is_empty(), item.resolution == Resolution::Reference);
        let is_whole = item.resolution == Resolution::Full || item.truncated;
        assert!(item.lines != [piece.lines] || is_whole, "{:?}", item.resolution);
        assert!(item.lines == [piece.lines] || item.resolution != Resolution::Full);
        let cut: Vec<&str> = (piece.lines.start()..=piece.lines.end())
            .map(|number| source_line(world, item, number).unwrap())
            .collect();
        assert_eq!(piece.text, cut.join("\n"), "{}", piece.path);
        let old = citations.insert(item.citation.clone(), &piece.id);
        assert_eq!(old, None, "PACK-61: citations are unlike each other");
    }
}

/// SEC-3: nothing that steers a terminal, turns text around or cannot be seen.
pub(super) fn check_clean(text: &str) {
    let hidden = |c: char| {
        let code = c as u32;
        (code < 0x20 && c != '\n' && c != '\t')
            || (0x7f..=0x9f).contains(&code)
            || [0x61c, 0x200e, 0x200f, 0x2028, 0x2029].contains(&code)
            || (0x202a..=0x202e).contains(&code)
            || (0x2066..=0x2069).contains(&code)
            || (0xe0000..=0xe007f).contains(&code)
    };
    let found = text.char_indices().find(|(_, c)| hidden(*c));
    assert_eq!(found, None, "in {text:?}");
}
