//! The same text once (PACK-3, PACK-20, PACK-22).

use kitbag_testkit::random::Random;
use kitbag_types::LineRange;

use super::text::code;
use super::world::{SMALL, options, pack, packed, plain_piece, style, words, world};
use crate::{Excluded, ExcludedReason, Format, Origin, Pack, PackOptions, Piece};

pub(super) fn roomy() -> PackOptions {
    PackOptions::new(1_000_000, style(Format::Markdown))
}

pub(super) fn made(pieces: Vec<Piece>, options: &PackOptions) -> Pack {
    pack("task", pieces, options, &words, &[]).unwrap()
}

/// Paths and lines of the items, and path, reason and detail of what was left out.
pub(super) fn told(pack: &Pack) -> (Vec<String>, Vec<String>) {
    let items = pack.items.iter().map(|item| {
        format!(
            "{}:{}-{}",
            item.piece.path,
            item.piece.lines.start(),
            item.piece.lines.end()
        )
    });
    let left = pack
        .excluded
        .iter()
        .map(|left| format!("{} {}: {}", left.path, left.reason.as_str(), left.detail));
    (items.collect(), left.collect())
}

fn check(pieces: Vec<Piece>, options: &PackOptions, items: &[&str], left: &[&str]) {
    let (found_items, found_left) = told(&made(pieces, options));
    assert_eq!((found_items, found_left), (strings(items), strings(left)));
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn pack_20_equal_but_for_white_space_is_equal() {
    let pieces = vec![
        plain_piece(0, "a.rs", 1, "fn a() {\n    one();\n}"),
        plain_piece(1, "b.rs", 7, "fn  a()  {\r\n\tone();\n\n}"),
        plain_piece(2, "c.rs", 1, "fn a() {\n    two();\n}"),
    ];
    check(
        pieces,
        &roomy(),
        &["a.rs:1-3", "c.rs:1-3"],
        &["b.rs duplicate: same text as a.rs:1-3"],
    );
}

#[test]
fn pack_20_the_best_ranked_stays_whatever_the_order() {
    let mut pieces = vec![
        plain_piece(5, "worse.rs", 1, "same();"),
        plain_piece(0, "better.rs", 3, "same();"),
    ];
    for _ in 0..2 {
        check(
            pieces.clone(),
            &roomy(),
            &["better.rs:3-3"],
            &["worse.rs duplicate: same text as better.rs:3-3"],
        );
        pieces.reverse();
    }
}

#[test]
fn pack_20_case_and_comments_count_unless_told_otherwise() {
    let plain = "let x = Y;\nrun(x);";
    let shouted = "LET X = y;\nRUN(X);";
    let commented = "// why\nlet x = Y;\n    // how\nrun(x);";
    let pieces = || {
        vec![
            plain_piece(0, "a", 1, plain),
            plain_piece(1, "b", 1, shouted),
            plain_piece(2, "c", 1, commented),
        ]
    };
    let kept = |ignore_case: bool, ignore_comments: bool| {
        let options = PackOptions {
            ignore_case,
            ignore_comments,
            ..roomy()
        };
        told(&made(pieces(), &options)).0
    };
    assert_eq!(kept(false, false), ["a:1-2", "b:1-2", "c:1-4"]);
    assert_eq!(kept(true, false), ["a:1-2", "c:1-4"]);
    assert_eq!(kept(false, true), ["a:1-2", "b:1-2"]);
    assert_eq!(kept(true, true), ["a:1-2"]);
}

#[test]
fn pack_20_blank_pieces_are_no_duplicates_of_each_other() {
    let pieces = vec![plain_piece(0, "a", 1, "\n\n"), plain_piece(1, "b", 1, " \n")];
    check(pieces, &roomy(), &["a:1-3", "b:1-2"], &[]);
}

#[test]
fn pack_3_the_same_file_from_two_sources_keeps_the_better_source() {
    let mut pieces = vec![
        plain_piece(0, "a.rs", 1, &code(1, 9)),
        plain_piece(0, "a.rs", 1, &code(1, 9)),
    ];
    pieces[1].origin = Origin::OpenFile;
    let pack = made(pieces, &roomy());
    assert_eq!(pack.items.len(), 1);
    assert_eq!(pack.items[0].piece.origin, Origin::OpenFile);
}

#[test]
fn pack_13_a_named_piece_keeps_its_place_when_its_text_stands_elsewhere() {
    let (text, edited) = (code(1, 12), format!("{}\nlast();", code(1, 12)));
    let inside: Vec<&str> = text.split('\n').skip(3).take(4).collect();
    let others = [
        plain_piece(1, "b.rs", 1, &text),
        plain_piece(1, "b.rs", 1, &edited),
        plain_piece(1, "a.rs", 4, &inside.join("\n")),
    ];
    for mut other in others {
        other.named = true;
        other.providers = vec!["name".to_owned()];
        let pack = made(vec![plain_piece(0, "a.rs", 1, &text), other], &roomy());
        let [item] = &pack.items[..] else {
            panic!("{:?}", told(&pack))
        };
        assert!(item.piece.named);
        assert_eq!(item.piece.providers, ["text", "name"]);
    }
}

#[test]
fn pack_22_copies_with_small_edits_are_folded_with_a_note() {
    let text = code(8, 20);
    let pieces = vec![
        plain_piece(0, "a.rs", 1, &text),
        plain_piece(1, "b.rs", 5, &format!("{text}\nedited_here();")),
        plain_piece(2, "c.rs", 1, &code(9, 20)),
    ];
    let pack = made(pieces.clone(), &roomy());
    let (items, left) = told(&pack);
    assert_eq!(items, ["a.rs:1-20", "c.rs:1-20"]);
    assert!(
        left[0].starts_with("b.rs duplicate: 9") && left[0].ends_with("% the same lines as a.rs:1-20"),
        "{left:?}"
    );
    let [like] = &pack.items[0].like[..] else {
        panic!("{:?}", pack.items[0])
    };
    assert_eq!(like.place, "b.rs:5-25");
    assert_eq!(like.differs, [LineRange::new(25, 25)], "the line that was edited");
    assert!(pack.items[0].copies.is_empty(), "never called the same");
    let said = format!(" like `b.rs:5-25`, {} % of the lines, not 25\n", like.percent);
    assert!(pack.text.contains(&said), "{}", pack.text);
    let pinned: Vec<Piece> = pieces
        .into_iter()
        .map(|piece| Piece {
            pinned: true,
            ..piece
        })
        .collect();
    assert_eq!(
        made(pinned, &roomy()).items.len(),
        3,
        "what was asked for is shown"
    );
}

#[test]
fn pack_22_a_hundred_copies_do_not_bury_the_piece() {
    let text = code(8, 20);
    let pieces: Vec<Piece> = (0..100)
        .map(|n| plain_piece(n, &format!("gen/{n}.rs"), 1, &format!("{text}\nedit_{n}();")))
        .collect();
    for format in Format::ALL {
        let pack = made(pieces.clone(), &PackOptions::new(700, style(format)));
        let [item] = &pack.items[..] else {
            panic!("{:?}", told(&pack))
        };
        assert_eq!(
            (item.like.len(), item.resolution.as_str()),
            (99, "full"),
            "{}",
            pack.text
        );
        assert!(pack.text.contains("edit_0"));
    }
}

/// PACK-20: what an excluded one names is in the pack, or inside what is, or excluded itself.
#[test]
fn pack_44_what_is_left_out_names_what_stands_for_it() {
    for seed in 0..1500 {
        let random = &mut Random::new(seed);
        let world = world(random, SMALL);
        let mut options = options(random, 1_000_000);
        options.style = style(Format::Json);
        let pack = packed(&world, &options, &words);
        let all: Vec<(String, LineRange)> = pack
            .items
            .iter()
            .map(|item| (item.piece.path.clone(), item.piece.lines))
            .collect();
        let listed: Vec<(String, LineRange)> = pack
            .excluded
            .iter()
            .map(|left| (left.path.clone(), left.lines.unwrap()))
            .collect();
        let named = |left: &Excluded| {
            let place = ["same text as ", "same lines as ", "part of "]
                .iter()
                .find_map(|words| left.detail.split_once(words));
            let (path, lines) = place
                .unwrap_or_else(|| panic!("{}", left.detail))
                .1
                .rsplit_once(':')
                .unwrap();
            let (start, end) = lines.split_once('-').unwrap();
            (
                path.to_owned(),
                LineRange::new(start.parse().unwrap(), end.parse().unwrap()),
            )
        };
        for left in &pack.excluded {
            if !matches!(left.reason, ExcludedReason::Duplicate | ExcludedReason::Overlap) {
                continue;
            }
            let (path, lines) = named(left);
            let covers = |place: &&(String, LineRange)| {
                place.0 == path && place.1.contains(lines.start()) && place.1.contains(lines.end())
            };
            assert!(
                all.iter().chain(&listed).any(|place| covers(&place)),
                "seed {seed}: {left:?}"
            );
        }
    }
}
