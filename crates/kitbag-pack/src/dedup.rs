//! The same text once: equal pieces, overlapping pieces of a file, and copies with small edits (PACK-3, PACK-20 to PACK-22).
//!
//! Pieces come in best first, so "the better stays" is "the earlier stays". Each rule is one pass over sorted data; the
//! near-duplicates go through an index of lines instead of comparing every pair, so 500 pieces cost what their lines cost.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use kitbag_types::{LineRange, Stop, Stopped};

use crate::brief::PackOptions;
use crate::item::{Excluded, ExcludedReason, Item, Like};
use crate::piece::Piece;
use crate::score::score;
use crate::tuning;

/// The tokenizer: the number of tokens of a text.
type Count<'c> = &'c dyn Fn(&str) -> usize;

/// The items that stay, in order, each with the places that have the same or nearly the same text.
pub(crate) fn dedup(
    items: Vec<Item>,
    options: &PackOptions,
    count: Count<'_>,
    excluded: &mut Vec<Excluded>,
    stop: Stop<'_>,
) -> Result<Vec<Item>, Stopped> {
    let kept = equal(items, options, count, excluded, stop)?;
    let kept = overlapping(kept, options, count, excluded, stop)?;
    nearly_equal(kept, count, excluded, stop)
}

fn equal(
    items: Vec<Item>,
    options: &PackOptions,
    count: Count<'_>,
    excluded: &mut Vec<Excluded>,
    stop: Stop<'_>,
) -> Result<Vec<Item>, Stopped> {
    // Compare hashes first, because most texts differ, then the texts themselves.
    let mut seen: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    let mut kept: Vec<Item> = Vec::with_capacity(items.len());
    for item in items {
        stop.check()?;
        let piece = &item.piece;
        let alike = seen.entry(words_hash(piece, options)).or_default();
        // All blank texts are equal, which means nothing.
        let is_blank = words(piece, options).next().is_none();
        let same = |idx: &&usize| same_words(&kept[**idx].piece, piece, options);
        // A piece that was asked for keeps its own name.
        let found = alike.iter().find(same).copied();
        let found = found.filter(|idx| {
            let other = &kept[*idx].piece;
            let is_same_place = place(other) == place(piece);
            // Two versions that were handed in become one only if all their words are equal.
            let is_fair = (other.is_file && piece.is_file) || is_same_text(other, piece);
            !is_blank && is_fair && (piece.asked.is_empty() || is_same_place)
        });
        match found {
            Some(idx) => {
                let stays = &mut kept[idx];
                let detail = format!("same text as {}", place(&stays.piece));
                excluded.push(Excluded::of(
                    piece,
                    item.score,
                    count,
                    ExcludedReason::Duplicate,
                    detail,
                ));
                if place(&stays.piece) != place(piece) {
                    name_copy(stays, piece);
                }
                stand_for(stays, piece);
            }
            None => {
                alike.push(kept.len());
                kept.push(item);
            }
        }
    }
    Ok(kept)
}

/// Notes a copy at the item that stays. It is called a copy only if all words are equal: the comparison may have ignored comments
/// and case.
fn name_copy(stays: &mut Item, copy: &Piece) {
    if is_same_text(&stays.piece, copy) {
        stays.copies.push(place(copy));
    } else {
        stays.like.push(like(&stays.piece, copy));
    }
}

/// Compares without white space.
fn is_same_text(a: &Piece, b: &Piece) -> bool {
    let (a, b) = (a.text.split_ascii_whitespace(), b.text.split_ascii_whitespace());
    a.eq(b)
}

/// How similar `copy` is to `original`, and which of its lines are not in `original`.
fn like(original: &Piece, copy: &Piece) -> Like {
    let (here, there) = (telling_lines(original), telling_lines(copy));
    let n_shared = there.iter().filter(|line| here.contains(line)).count();
    let all = here.len() + there.len() - n_shared;
    let mut differs: Vec<LineRange> = Vec::new();
    let is_new = |line: &str| is_telling(line.trim()) && !here.contains(&mix(FNV_START, line.trim()));
    for (number, _) in copy.numbered().filter(|(_, line)| is_new(line)) {
        match differs.last_mut() {
            Some(run) if run.end() + 1 == number => *run = LineRange::new(run.start(), number),
            _ => differs.push(LineRange::new(number, number)),
        }
    }
    Like {
        place: place(copy),
        percent: (n_shared * 100).checked_div(all).unwrap_or(0),
        differs,
    }
}

/// Gives the piece that stays what was known of the dropped one: asked for, named, found by whom.
fn stand_for(stays: &mut Item, gone: &Piece) {
    let stays = Arc::make_mut(&mut stays.piece);
    stays.pinned |= gone.pinned;
    stays.named |= gone.named;
    if file_of(stays) == file_of(gone) {
        stays.asked.extend(&gone.asked);
        stays.asked = joined(&stays.asked);
    }
    for provider in &gone.providers {
        if !stays.providers.contains(provider) {
            stays.providers.push(provider.clone());
        }
    }
}

pub(crate) fn place(piece: &Piece) -> String {
    format!("{}:{}-{}", piece.path, piece.lines.start(), piece.lines.end())
}

/// Two texts are equal if their words are, whatever white space is between them.
fn words<'p>(piece: &'p Piece, options: &PackOptions) -> impl Iterator<Item = &'p str> {
    let marks = if options.ignore_comments {
        piece.line_comments
    } else {
        &[]
    };
    piece
        .text
        .lines()
        .filter(move |line| !marks.iter().any(|mark| line.trim_start().starts_with(mark)))
        .flat_map(str::split_ascii_whitespace)
}

fn same_words(a: &Piece, b: &Piece, options: &PackOptions) -> bool {
    if options.ignore_case {
        let lower = |piece| words(piece, options).map(str::to_lowercase);
        lower(a).eq(lower(b))
    } else {
        words(a, options).eq(words(b, options))
    }
}

fn words_hash(piece: &Piece, options: &PackOptions) -> u64 {
    words(piece, options).fold(FNV_START, |hash, word| {
        let hash = if options.ignore_case {
            mix(hash, &word.to_lowercase())
        } else {
            mix(hash, word)
        };
        mix(hash, " ")
    })
}

/// FNV-1a: the same on every machine, and enough to tell texts and lines apart.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn mix(hash: u64, text: &str) -> u64 {
    text.bytes().fold(hash, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Sorts ranges and joins those that touch.
fn joined(ranges: &[LineRange]) -> Vec<LineRange> {
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable();
    let mut joined: Vec<LineRange> = Vec::new();
    for range in sorted {
        match joined.last_mut() {
            Some(last) if range.start() <= last.end().saturating_add(1) => {
                *last = LineRange::new(last.start(), last.end().max(range.end()));
            }
            _ => joined.push(range),
        }
    }
    joined
}

/// Pieces of one file that share lines. One inside a better one goes; two that stick out on different sides become one with
/// the better one's rank, because the lines they share would otherwise be paid for twice. Lines that were asked for, and
/// texts that were handed in, stand once, however few they share.
fn overlapping(
    pieces: Vec<Item>,
    options: &PackOptions,
    count: Count<'_>,
    excluded: &mut Vec<Excluded>,
    stop: Stop<'_>,
) -> Result<Vec<Item>, Stopped> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by(|a, b| {
        let key = |idx: &usize| (file_of(&pieces[*idx].piece), pieces[*idx].piece.lines);
        key(a).cmp(&key(b)).then(a.cmp(b))
    });
    // The pieces as they came in: one that is dropped may have grown before.
    let came: Vec<_> = pieces
        .iter()
        .map(|kept| (kept.piece.lines, kept.piece.tokens, kept.piece.text.clone()))
        .collect();
    let scores: Vec<f64> = pieces.iter().map(|kept| kept.score).collect();
    let mut slots: Vec<Option<Item>> = pieces.into_iter().map(Some).collect();
    // Pieces that may still overlap with the next one: of the same file, not ended before it begins.
    let mut active: Vec<usize> = Vec::new();
    // Which piece is dropped, and for which other one.
    let mut gone: Vec<(Item, usize, usize)> = Vec::new();
    for idx in order {
        stop.check()?;
        let Some(Item { piece, .. }) = &slots[idx] else {
            continue;
        };
        active.retain(|other| {
            let other = slots[*other].as_ref();
            other.is_some_and(|Item { piece: other, .. }| {
                file_of(other) == file_of(piece) && other.lines.end() >= piece.lines.start()
            })
        });
        let mut idx = idx;
        for other in active.clone() {
            let (Some(a), Some(b)) = (&slots[idx], &slots[other]) else {
                continue;
            };
            if !is_one(&a.piece, &b.piece, options.overlap_share) {
                continue;
            }
            // The one with the smaller number is the better one.
            let (better, worse) = (idx.min(other), idx.max(other));
            let Some(lost) = slots[worse].take() else {
                continue;
            };
            let Some(stays) = slots[better].as_mut() else {
                continue;
            };
            if !inside(&lost.piece, &stays.piece) {
                merge(Arc::make_mut(&mut stays.piece), &lost.piece);
                // They are copies of a part of it from now on.
                stays.copies.clear();
                stays.like.clear();
            }
            stand_for(stays, &lost.piece);
            // A better rank may come from being asked for, so the score is the higher of the two.
            let piece = Arc::make_mut(&mut stays.piece);
            piece.relevance = piece.relevance.max(lost.piece.relevance);
            piece.recency = piece.recency.max(lost.piece.recency);
            stays.score = score(&stays.piece, &options.weights, &options.priorities);
            gone.push((lost, worse, better));
            active.retain(|known| *known != worse);
            idx = better;
        }
        if !active.contains(&idx) {
            active.push(idx);
        }
    }
    // Only now is it known what each became part of: that piece may itself have joined a better one.
    let into: BTreeMap<usize, usize> = gone.iter().map(|(_, from, to)| (*from, *to)).collect();
    gone.sort_by_key(|(_, from, _)| *from);
    for (lost, from, mut to) in gone {
        let (lines, tokens, text) = &came[from];
        let lost = Piece {
            lines: *lines,
            tokens: *tokens,
            text: text.clone(),
            ..Arc::unwrap_or_clone(lost.piece)
        };
        while let Some(next) = into.get(&to) {
            to = *next;
        }
        if let Some(stays) = &slots[to] {
            let detail = format!("part of {}", place(&stays.piece));
            let score = scores[from];
            excluded.push(Excluded::of(&lost, score, count, ExcludedReason::Overlap, detail));
        }
    }
    Ok(slots.into_iter().flatten().collect())
}

/// Whether two pieces of one file share so many lines that they become one.
fn is_one(a: &Piece, b: &Piece, share: f64) -> bool {
    let n_common = common(a.lines, b.lines);
    let exact = [a, b]
        .iter()
        .any(|piece| !piece.asked.is_empty() || !piece.is_file);
    if exact {
        return n_common > 0.0;
    }
    n_common >= share * f64::from(a.lines.n_lines().min(b.lines.n_lines()))
}

/// Pieces with the same key count their lines alike.
fn file_of(piece: &Piece) -> (&str, &str, u32) {
    (&piece.path, &piece.at, piece.given)
}

fn inside(inner: &Piece, outer: &Piece) -> bool {
    outer.lines.start() <= inner.lines.start() && inner.lines.end() <= outer.lines.end()
}

fn common(a: LineRange, b: LineRange) -> f64 {
    if !a.overlaps(b) {
        return 0.0;
    }
    f64::from(a.end().min(b.end()) - a.start().max(b.start()) + 1)
}

/// `stays` grows by the lines of `other` that it does not have.
fn merge(stays: &mut Piece, other: &Piece) {
    let mut lines: BTreeMap<u32, String> = BTreeMap::new();
    for (number, line) in other.numbered().chain(stays.numbered()) {
        lines.insert(number, line.to_owned());
    }
    let start = stays.lines.start().min(other.lines.start());
    let end = stays.lines.end().max(other.lines.end());
    if end == other.lines.end() {
        stays.blank_after = other.blank_after;
    }
    stays.lines = LineRange::new(start, end);
    stays.text = lines.into_values().collect::<Vec<_>>().join("\n");
    stays.tokens = None;
    for name in &other.names {
        if !stays.names.contains(name) {
            stays.names.push(name.clone());
        }
    }
    // It is no longer that part of its definition.
    stays.part = None;
    let above = stays.above.iter().chain(&other.above);
    let above: BTreeMap<u32, String> = above
        .filter(|(number, _)| *number < start)
        .map(|(number, line)| (*number, line.clone()))
        .collect();
    stays.above = above.into_iter().collect();
    stays.heads.extend(&other.heads);
    stays.heads.sort_unstable();
    stays.heads.dedup();
    stays.summary.extend(&other.summary);
    for focus in &other.focus {
        if !stays.focus.iter().any(|(line, _)| *line == focus.0) {
            stays.focus.push(*focus);
        }
    }
}

/// The lines that distinguish one text from another, each once, ordered by hash.
fn telling_lines(piece: &Piece) -> Vec<u64> {
    let lines = piece.text.lines().map(str::trim).filter(|line| is_telling(line));
    let mut lines: Vec<u64> = lines.map(|line| mix(FNV_START, line)).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// False for brackets and blank lines, which are in every text.
fn is_telling(line: &str) -> bool {
    line.len() > 3
}

/// Copies with small edits: most of their lines are the same lines. Texts that were handed in are never taken for copies: two
/// versions of a text are what the asker wants to compare.
fn nearly_equal(
    pieces: Vec<Item>,
    count: Count<'_>,
    excluded: &mut Vec<Excluded>,
    stop: Stop<'_>,
) -> Result<Vec<Item>, Stopped> {
    let mut with_line: HashMap<u64, Vec<usize>, BuildHasherDefault<DefaultHasher>> = HashMap::default();
    let mut n_lines: Vec<usize> = Vec::new();
    let mut kept: Vec<Item> = Vec::new();
    for one in pieces {
        stop.check()?;
        let lines = telling_lines(&one.piece);
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        if lines.len() >= tuning::NEAR_LINES && !one.piece.pinned && one.piece.is_file {
            for line in &lines {
                for idx in with_line.get(line).into_iter().flatten() {
                    *shared.entry(*idx).or_default() += 1;
                }
            }
        }
        let copy_of = shared.into_iter().find(|(idx, n)| {
            let all = lines.len() + n_lines[*idx] - n;
            *n as f64 >= tuning::NEAR_SHARE * all as f64 && kept[*idx].piece.is_file
        });
        if let Some((idx, _)) = copy_of {
            let original = &mut kept[idx];
            let like = like(&original.piece, &one.piece);
            let place = place(&original.piece);
            let detail = format!("{} % the same lines as {place}", like.percent);
            let reason = ExcludedReason::Duplicate;
            excluded.push(Excluded::of(&one.piece, one.score, count, reason, detail));
            stand_for(original, &one.piece);
            let percent = like.percent;
            original.like.push(like);
            // A copy of an edited copy is an edited copy.
            original.like.extend(one.copies.into_iter().map(|place| Like {
                place,
                percent,
                differs: Vec::new(),
            }));
            continue;
        }
        for line in &lines {
            // A line that is in most pieces does not help to find copies, and would make this quadratic.
            let known = with_line.entry(*line).or_default();
            if known.len() < 16 {
                known.push(kept.len());
            }
        }
        n_lines.push(lines.len());
        kept.push(one);
    }
    Ok(kept)
}
