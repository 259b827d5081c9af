//! Sections (PACK-50), the order in them, and resolutions (PACK-41).

use kitbag_testkit::random::Random;
use kitbag_types::LineRange;

use super::text::code;
use super::world::{SMALL, options, pack, packed, plain_piece, style, words, world};
use crate::outline::{beginning, lines_of};
use crate::section::Section;
use crate::{Format, Origin, Pack, PackOptions, Piece, Resolution, Role, lines_in};

fn made(pieces: Vec<Piece>, format: Format) -> Pack {
    let options = PackOptions::new(1_000_000, style(format));
    pack("", pieces, &options, &words, &[]).unwrap()
}

#[test]
fn pack_50_a_piece_belongs_to_the_first_section_that_matches() {
    let piece = || plain_piece(0, "a.rs", 1, "x");
    let table: Vec<(Piece, Section)> = vec![
        (piece(), Section::Definitions),
        (
            Piece {
                names: Vec::new(),
                ..piece()
            },
            Section::KeyUsages,
        ),
        (
            Piece {
                pulled_by: Some("used by x".to_owned()),
                ..piece()
            },
            Section::KeyUsages,
        ),
        (
            Piece {
                role: Role::Manifest,
                ..piece()
            },
            Section::Dependencies,
        ),
        (
            Piece {
                role: Role::Test,
                ..piece()
            },
            Section::Tests,
        ),
        (
            Piece {
                role: Role::Config,
                ..piece()
            },
            Section::Config,
        ),
        (
            Piece {
                role: Role::Docs,
                ..piece()
            },
            Section::Docs,
        ),
        (
            Piece {
                is_file: false,
                role: Role::Docs,
                ..piece()
            },
            Section::Given,
        ),
        (
            Piece {
                origin: Origin::ToolResult,
                ..piece()
            },
            Section::Given,
        ),
        (
            Piece {
                origin: Origin::Message,
                role: Role::Test,
                ..piece()
            },
            Section::Given,
        ),
        (
            Piece {
                origin: Origin::Memory,
                ..piece()
            },
            Section::Given,
        ),
    ];
    for (piece, section) in table {
        assert_eq!(Section::of(&piece), section, "{piece:?}");
    }
}

#[test]
fn pack_50_each_item_stands_in_the_text_once_in_the_order_of_the_sections() {
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let mut world = world(random, SMALL);
        world.task = "task".to_owned();
        world
            .pieces
            .iter_mut()
            .for_each(|piece| piece.text = piece.text.replace("fn-0000", "none"));
        let mut options = options(random, 3_000);
        options.style.template = None;
        let pack = packed(&world, &options, &words);
        let mut places: Vec<(usize, Section)> = Vec::new();
        for item in &pack.items {
            let found: Vec<usize> = pack
                .text
                .match_indices(&item.citation)
                .map(|(at, _)| at)
                .collect();
            // One citation may begin another that is longer.
            let whole = |at: &&usize| {
                !pack.text[**at + item.citation.len()..].starts_with(|c: char| c.is_ascii_alphanumeric())
            };
            let found: Vec<&usize> = found.iter().filter(whole).collect();
            assert_eq!(found.len(), 1, "seed {seed}: {}", pack.text);
            places.push((*found[0], item.section));
        }
        places.sort_unstable();
        assert!(
            places.is_sorted_by_key(|(_, section)| *section),
            "seed {seed}: {}",
            pack.text
        );
    }
}

/// The citations of a pack in the order of its text.
fn order_of(pack: &Pack) -> Vec<&str> {
    let mut items: Vec<(usize, &str)> = pack
        .items
        .iter()
        .map(|item| (pack.text.find(&item.citation).unwrap(), item.piece.label.as_str()))
        .collect();
    items.sort_unstable();
    items.into_iter().map(|(_, label)| label).collect()
}

#[test]
fn pack_50_files_descend_and_chunks_of_a_file_stand_by_line() {
    let at = |n: usize, path: &str, first: u32| plain_piece(n, path, first, &code(n as u64, 8));
    let pieces = vec![
        at(0, "a.rs", 50),
        at(1, "b.rs", 1),
        at(2, "c.rs", 1),
        at(3, "d.rs", 1),
        at(4, "a.rs", 1),
        at(5, "c.rs", 90),
    ];
    let expected = ["part_4", "part_0", "part_1", "part_2", "part_5", "part_3"];
    for format in Format::ALL {
        assert_eq!(
            order_of(&made(pieces.clone(), format)),
            expected,
            "{}",
            format.as_str()
        );
    }
    assert_eq!(
        order_of(&made(pieces[..2].to_vec(), Format::Plain)),
        ["part_0", "part_1"],
        "two files: best first"
    );
}

#[test]
fn pack_41_each_resolution_shows_no_fewer_lines_than_the_one_below() {
    use Resolution::{Full, Outline, Reference, Signature};
    for seed in 0..2_000 {
        let random = &mut Random::new(seed);
        for piece in world(random, SMALL).pieces {
            let shown = [Reference, Signature, Outline, Full].map(|resolution| lines_of(&piece, resolution));
            assert!(
                shown
                    .windows(2)
                    .all(|pair| lines_in(&pair[0]) <= lines_in(&pair[1])),
                "seed {seed}: {shown:?}"
            );
            assert_eq!(
                (lines_in(&shown[0]), lines_in(&shown[3])),
                (0, piece.lines.n_lines())
            );
            assert!(lines_in(&shown[1]) >= 1);
            for pair in shown.windows(2) {
                let within = |range: &LineRange| {
                    pair[1]
                        .iter()
                        .any(|outer| outer.contains(range.start()) && outer.contains(range.end()))
                };
                assert!(pair[0].iter().all(within), "seed {seed}: {shown:?}");
            }
            // What matches best is in the outline.
            for (line, _) in piece
                .focus
                .iter()
                .take(1)
                .filter(|(line, _)| piece.lines.contains(*line))
            {
                assert!(
                    shown[2].iter().any(|range| range.contains(*line)),
                    "seed {seed}: {line} in {shown:?}"
                );
            }
        }
    }
}

#[test]
fn pack_41_heads_and_matches_outside_the_piece_are_passed_over() {
    let mut piece = plain_piece(0, "a.rs", 10, "a\nb\nc\nd\ne\nf\ng\nh\ni\nj");
    piece.heads = vec![LineRange::new(1, 4), LineRange::new(19, u32::MAX)];
    piece.summary = vec![0, 3, u32::MAX];
    piece.focus = vec![(0, 1.0), (u32::MAX, 1.0), (9, 1.0)];
    assert_eq!(lines_of(&piece, Resolution::Signature), [LineRange::new(19, 19)]);
    let outline = lines_of(&piece, Resolution::Outline);
    assert!(
        outline
            .iter()
            .all(|range| piece.lines.contains(range.start()) && piece.lines.contains(range.end())),
        "{outline:?}"
    );
}

#[test]
fn pack_42_a_beginning_ends_where_a_part_ends_and_never_beyond_what_fits() {
    let text = "fn a() {\n    one();\n    two();\n}\n\nfn b() {\n    three();\n    four();\n    five();\n    six();\n}";
    let piece = plain_piece(0, "a.rs", 5, text);
    let ends: Vec<u32> = (0..12)
        .map(|n_lines| {
            beginning(&piece, &|ranges| lines_in(ranges) <= n_lines).map_or(0, |ranges| lines_in(&ranges))
        })
        .collect();
    assert_eq!(
        ends,
        [0, 1, 2, 3, 4, 5, 5, 5, 5, 5, 10, 11],
        "before a blank line, or a line as far left as the first"
    );
}
