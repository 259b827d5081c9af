//! Pieces of one file that share lines (PACK-21).

use kitbag_testkit::random::Random;
use kitbag_types::LineRange;

use super::dedup::{made, roomy, told};
use super::text::code;
use super::world::{SMALL, packed, plain_piece, style, words, world};
use crate::{ExcludedReason, Format, PackOptions};

/// Two pieces of one file of 100 lines; `None`: both stay.
fn overlap(better: (u32, u32), worse: (u32, u32), share: f64) -> Option<String> {
    let file: Vec<String> = code(3, 100).split('\n').map(str::to_owned).collect();
    let cut = |n: usize, (start, end): (u32, u32)| {
        plain_piece(
            n,
            "a.rs",
            start,
            &file[start as usize - 1..end as usize].join("\n"),
        )
    };
    let options = PackOptions {
        overlap_share: share,
        ..roomy()
    };
    let pack = made(vec![cut(0, better), cut(1, worse)], &options);
    let [item] = &pack.items[..] else {
        assert!(pack.excluded.is_empty());
        return None;
    };
    let (start, end) = (item.piece.lines.start(), item.piece.lines.end());
    assert_eq!(
        item.piece.text,
        file[start as usize - 1..end as usize].join("\n"),
        "the text of the merged lines"
    );
    assert_eq!(
        (item.rank, item.piece.label.as_str()),
        (1, "part_0"),
        "the better rank"
    );
    assert!((item.score - made(vec![cut(0, better)], &options).items[0].score).abs() < 1e-12);
    let [left] = &pack.excluded[..] else { panic!() };
    assert_eq!(
        (left.reason, left.lines),
        (ExcludedReason::Overlap, Some(LineRange::new(worse.0, worse.1)))
    );
    assert_eq!(left.detail, format!("part of a.rs:{start}-{end}"));
    Some(format!("{start}-{end}"))
}

#[test]
fn pack_21_pieces_that_share_a_third_become_one() {
    // The better one, the worse one, what becomes of them.
    let table = [
        ((1, 10), (11, 20), None),
        ((1, 10), (9, 20), None),
        ((1, 10), (8, 17), Some("1-17")),
        ((8, 17), (1, 10), Some("1-17")),
        // Of the smaller one.
        ((1, 60), (58, 67), Some("1-67")),
        ((1, 60), (59, 68), None),
        // Inside, either way round, and the same lines.
        ((1, 60), (20, 30), Some("1-60")),
        ((20, 30), (1, 60), Some("1-60")),
    ];
    for (better, worse, expected) in table {
        assert_eq!(
            overlap(better, worse, 0.3).as_deref(),
            expected,
            "{better:?} {worse:?}"
        );
    }
    assert_eq!(overlap((1, 10), (8, 17), 0.5), None, "configurable");
    assert_eq!(overlap((1, 10), (9, 20), 0.1).as_deref(), Some("1-20"));
}

#[test]
fn pack_21_a_chain_of_overlaps_names_the_piece_that_is_in_the_pack() {
    let file: Vec<String> = code(3, 100).split('\n').map(str::to_owned).collect();
    let cut = |n: usize, start: u32, end: u32| {
        plain_piece(
            n,
            "a.rs",
            start,
            &file[start as usize - 1..end as usize].join("\n"),
        )
    };
    let pieces = vec![cut(3, 1, 10), cut(2, 7, 16), cut(1, 13, 22), cut(0, 19, 28)];
    let pack = made(pieces, &roomy());
    let (items, left) = told(&pack);
    assert_eq!(items, ["a.rs:1-28"]);
    assert_eq!(left, ["a.rs overlap: part of a.rs:1-28"; 3]);
    let mut lines: Vec<Option<LineRange>> = pack.excluded.iter().map(|left| left.lines).collect();
    lines.sort();
    assert_eq!(
        lines,
        [(1, 10), (7, 16), (13, 22)].map(|(start, end)| Some(LineRange::new(start, end)))
    );
}

#[test]
fn pack_21_lines_of_another_version_or_of_what_is_no_file_do_not_overlap() {
    let mut pieces = vec![
        plain_piece(0, "a.rs", 1, &code(1, 10)),
        plain_piece(1, "a.rs", 1, &code(2, 10)),
    ];
    pieces[1].at = "0123abcd".to_owned();
    let mut given = vec![
        plain_piece(2, "git diff", 1, &code(3, 10)),
        plain_piece(3, "git diff", 1, &code(4, 10)),
    ];
    for (piece, number) in given.iter_mut().zip(1..) {
        (piece.is_file, piece.given) = (false, number);
    }
    pieces.extend(given);
    let texts: Vec<String> = pieces.iter().map(|piece| piece.text.clone()).collect();
    for format in [Format::Markdown, Format::Plain] {
        let options = PackOptions::new(1_000_000, style(format));
        let pack = made(pieces.clone(), &options);
        assert_eq!(pack.items.len(), 4);
        let plain = pack.text.lines().map(|line| {
            line.strip_prefix(' ')
                .filter(|_| format == Format::Plain)
                .unwrap_or(line)
        });
        let shown = plain.collect::<Vec<_>>().join("\n");
        assert!(texts.iter().all(|text| shown.contains(text)), "{}", pack.text);
    }
}

/// PACK-21, PACK-22 after the fact: what is left in the pack no longer repeats itself.
#[test]
fn pack_21_no_two_items_of_a_file_share_a_third() {
    for seed in 0..1500 {
        let random = &mut Random::new(seed);
        let world = world(random, SMALL);
        let pack = packed(&world, &roomy(), &words);
        for (idx, a) in pack.items.iter().enumerate() {
            for b in &pack.items[idx + 1..] {
                let (x, y) = (a.piece.lines, b.piece.lines);
                if !a.piece.is_file || !b.piece.is_file || a.piece.path != b.piece.path || !x.overlaps(y) {
                    continue;
                }
                let n_common = x.end().min(y.end()) - x.start().max(y.start()) + 1;
                assert!(
                    n_common * 10 < 3 * x.n_lines().min(y.n_lines()),
                    "seed {seed}: {x:?} {y:?}"
                );
            }
        }
    }
}
