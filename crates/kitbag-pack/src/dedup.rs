//! The same text once: equal pieces, overlapping pieces of a file, and copies with small edits (PACK-3, PACK-20 to PACK-22).
//!
//! Pieces come in best first, so "the better stays" is "the earlier stays". Each rule is one pass over sorted data; the
//! near-duplicates go through an index of lines instead of comparing every pair, so 500 pieces cost what their lines cost.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, DefaultHasher};

use kitbag_types::LineRange;

use crate::pack::{Excluded, ExcludedReason, PackOptions};
use crate::piece::Piece;
use crate::tuning;

/// The pieces that stay, in order, each with the places that hold nearly the same.
pub(crate) fn dedup(
    pieces: Vec<(Piece, f64)>,
    options: &PackOptions,
    excluded: &mut Vec<Excluded>,
) -> Vec<Kept> {
    let pieces = equal(pieces, options, excluded);
    let pieces = overlapping(pieces, options.overlap_share, excluded);
    nearly_equal(pieces, excluded)
}

/// A piece that stays.
pub(crate) struct Kept {
    pub piece: Piece,
    pub score: f64,
    /// `path:10-20` of copies that were folded into it.
    pub copies: Vec<String>,
}

fn equal(
    pieces: Vec<(Piece, f64)>,
    options: &PackOptions,
    excluded: &mut Vec<Excluded>,
) -> Vec<(Piece, f64)> {
    // By hash, because most texts are unlike; then by the text itself.
    let mut seen: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    let mut kept: Vec<(Piece, f64)> = Vec::with_capacity(pieces.len());
    for (piece, score) in pieces {
        let alike = seen.entry(words_hash(&piece, options)).or_default();
        // Nothing but blanks is equal to everything blank; that says nothing.
        let is_blank = words(&piece, options).next().is_none();
        let same = |idx: &&usize| same_words(&kept[**idx].0, &piece, options);
        match alike.iter().find(same).copied().filter(|_| !is_blank) {
            Some(idx) => {
                let stays = &mut kept[idx].0;
                let detail = format!("same text as {}", place(stays));
                excluded.push(Excluded::of(&piece, ExcludedReason::Duplicate, detail));
                stand_for(stays, &piece);
            }
            None => {
                alike.push(kept.len());
                kept.push((piece, score));
            }
        }
    }
    kept
}

/// What spoke for a piece that goes speaks for the one that has its text.
fn stand_for(stays: &mut Piece, gone: &Piece) {
    stays.pinned |= gone.pinned;
    stays.named |= gone.named;
    for provider in &gone.providers {
        if !stays.providers.contains(provider) {
            stays.providers.push(provider.clone());
        }
    }
}

pub(crate) fn place(piece: &Piece) -> String {
    format!("{}:{}-{}", piece.path, piece.lines.start(), piece.lines.end())
}

/// What makes two texts equal: their words, whatever white space is between them.
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

/// FNV-1a: the same on every machine, and good enough to tell texts and lines apart.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn mix(hash: u64, text: &str) -> u64 {
    text.bytes().fold(hash, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Pieces of one file that share lines. One inside a better one goes; two that stick out on different sides become one with
/// the better one's rank, because the lines they share would otherwise be paid for twice.
fn overlapping(pieces: Vec<(Piece, f64)>, share: f64, excluded: &mut Vec<Excluded>) -> Vec<(Piece, f64)> {
    let mut order: Vec<usize> = (0..pieces.len()).filter(|idx| pieces[*idx].0.is_file).collect();
    order.sort_by(|a, b| {
        let key = |idx: &usize| (file_of(&pieces[*idx].0), pieces[*idx].0.lines);
        key(a).cmp(&key(b)).then(a.cmp(b))
    });
    // Lines and tokens as they came: what goes may have grown before.
    let came: Vec<_> = pieces
        .iter()
        .map(|(piece, _)| (piece.lines, piece.tokens))
        .collect();
    let mut slots: Vec<Option<(Piece, f64)>> = pieces.into_iter().map(Some).collect();
    // Pieces that may still overlap with the next one: of the same file, not ended before it begins.
    let mut active: Vec<usize> = Vec::new();
    // What goes, and for which piece.
    let mut gone: Vec<(Piece, usize, usize)> = Vec::new();
    for idx in order {
        let Some((piece, _)) = &slots[idx] else { continue };
        active.retain(|other| {
            let other = slots[*other].as_ref();
            other.is_some_and(|(other, _)| {
                file_of(other) == file_of(piece) && other.lines.end() >= piece.lines.start()
            })
        });
        let mut idx = idx;
        for other in active.clone() {
            let (Some((a, _)), Some((b, _))) = (&slots[idx], &slots[other]) else {
                continue;
            };
            if common(a.lines, b.lines) < share * f64::from(a.lines.n_lines().min(b.lines.n_lines())) {
                continue;
            }
            // The one with the smaller number is the better one.
            let (better, worse) = (idx.min(other), idx.max(other));
            let Some((lost, _)) = slots[worse].take() else {
                continue;
            };
            let Some((stays, _)) = slots[better].as_mut() else {
                continue;
            };
            if !inside(&lost, stays) {
                merge(stays, &lost);
            }
            stand_for(stays, &lost);
            gone.push((lost, worse, better));
            active.retain(|known| *known != worse);
            idx = better;
        }
        if !active.contains(&idx) {
            active.push(idx);
        }
    }
    // Only now it is known what each became part of: that may have gone into a better one itself.
    let into: BTreeMap<usize, usize> = gone.iter().map(|(_, from, to)| (*from, *to)).collect();
    gone.sort_by_key(|(_, from, _)| *from);
    for (mut lost, from, mut to) in gone {
        (lost.lines, lost.tokens) = came[from];
        while let Some(next) = into.get(&to) {
            to = *next;
        }
        if let Some((stays, _)) = &slots[to] {
            let detail = format!("part of {}", place(stays));
            excluded.push(Excluded::of(&lost, ExcludedReason::Overlap, detail));
        }
    }
    slots.into_iter().flatten().collect()
}

/// Pieces with the same one number their lines alike.
fn file_of(piece: &Piece) -> (&str, &str) {
    (&piece.path, &piece.at)
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

/// Copies with small edits: most of their lines are the same lines.
fn nearly_equal(pieces: Vec<(Piece, f64)>, excluded: &mut Vec<Excluded>) -> Vec<Kept> {
    let mut with_line: HashMap<u64, Vec<usize>, BuildHasherDefault<DefaultHasher>> = HashMap::default();
    let mut n_lines: Vec<usize> = Vec::new();
    let mut kept: Vec<Kept> = Vec::new();
    for (piece, score) in pieces {
        let mut lines: Vec<u64> = piece
            .text
            .lines()
            .map(str::trim)
            .filter(|line| line.len() > 3)
            .map(|line| mix(FNV_START, line))
            .collect();
        lines.sort_unstable();
        lines.dedup();
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        if lines.len() >= tuning::NEAR_LINES && !piece.pinned {
            for line in &lines {
                for idx in with_line.get(line).into_iter().flatten() {
                    *shared.entry(*idx).or_default() += 1;
                }
            }
        }
        let copy_of = shared.into_iter().find(|(idx, n)| {
            let all = lines.len() + n_lines[*idx] - n;
            *n as f64 >= tuning::NEAR_SHARE * all as f64
        });
        if let Some((idx, n)) = copy_of {
            let all = lines.len() + n_lines[idx] - n;
            let percent = n * 100 / all;
            let original = &mut kept[idx];
            original.copies.push(place(&piece));
            stand_for(&mut original.piece, &piece);
            let detail = format!("{percent} % the same lines as {}", place(&original.piece));
            excluded.push(Excluded::of(&piece, ExcludedReason::Duplicate, detail));
            continue;
        }
        for line in &lines {
            // A line that stands everywhere tells no copies apart and would make this quadratic.
            let known = with_line.entry(*line).or_default();
            if known.len() < 16 {
                known.push(kept.len());
            }
        }
        n_lines.push(lines.len());
        kept.push(Kept {
            piece,
            score,
            copies: Vec::new(),
        });
    }
    kept
}
