//! The account of a pack: the parts add up (PACK-74), reasons are true (PACK-44), what was asked for is shown (PACK-4), no line
//! stands alone for nothing (PACK-47), and a copy is called one only where it is one (PACK-22).

use kitbag_testkit::random::Random;
use kitbag_types::LineRange;

use super::text::code;
use super::world::{
    SMALL, Sizes, World, options, pack, packed, packed_sometimes_again, plain_piece, style, tiktoken, words,
    world,
};
use crate::{Ahead, ExcludedReason, Format, Item, Pack, PackOptions, Piece, Resolution, Section, lines_in};

fn check_sums(seed: u64, pack: &Pack, count: &dyn Fn(&str) -> usize) {
    let sum: usize = pack.items.iter().map(|item| item.tokens).sum();
    assert_eq!(sum + pack.frame_tokens, pack.tokens, "seed {seed}: {}", pack.text);
    assert_eq!(pack.tokens, count(&pack.text), "seed {seed}");
    let by_section = Section::ALL.map(|section| {
        let here = pack.items.iter().filter(|item| item.section == section);
        here.map(|item| item.tokens).sum::<usize>()
    });
    assert_eq!(by_section.iter().sum::<usize>(), sum);
}

#[test]
fn pack_74_items_and_frame_sum_to_the_text_in_every_format() {
    let by_size = |text: &str| text.len().div_ceil(3);
    let parity = |text: &str| text.len() / 2 + (text.len() % 97);
    let counts: [&dyn Fn(&str) -> usize; 4] = [&words, &by_size, &parity, &tiktoken];
    for seed in 0..800 {
        let random = &mut Random::new(seed);
        let world = world(random, SMALL);
        let budget = random.below(3_000);
        let options = options(random, budget);
        let count = counts[if seed % 20 == 0 { 3 } else { seed as usize % 3 }];
        let pack = packed_sometimes_again(random, &world, &options, count);
        check_sums(seed, &pack, count);
    }
}

/// What an item is said to have is what its lines have, but for the ends of words.
#[test]
fn pack_74_the_tokens_of_an_item_are_those_of_its_lines() {
    let random = &mut Random::new(74);
    let pieces: Vec<Piece> = (0..30)
        .map(|n| plain_piece(n, &format!("src/{n}.rs"), 1, &code(random.next_u64(), 20)))
        .collect();
    for format in [Format::Markdown, Format::Plain] {
        let options = PackOptions::new(2_000, style(format));
        let pack = pack("task", pieces.clone(), &options, &tiktoken, &[]).unwrap();
        let whole = pack
            .items
            .iter()
            .filter(|item| item.resolution == Resolution::Full);
        for item in whole {
            let own = tiktoken(&format!("{}\n", item.piece.text));
            assert!(
                item.tokens.abs_diff(own) <= own / 5 + 2,
                "{} and {own}",
                item.tokens
            );
        }
        assert!(pack.frame_tokens * 2 < pack.tokens);
    }
}

const LARGE: Sizes = Sizes {
    n_files: 10,
    n_pieces: 50,
    n_lines: 40,
    odd: 5,
};

#[test]
fn pack_44_nothing_worse_is_in_without_a_reason() {
    let (mut n_budget, mut n_balance, mut n_ahead) = (0, 0, 0);
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let world = world(random, LARGE);
        let budget = 100 + random.below(3_000);
        let mut options = options(random, budget);
        options.style.template = None;
        let pack = packed(&world, &options, &words);
        for left in &pack.excluded {
            assert!(left.score.is_some() && left.tokens.is_some(), "{left:?}");
            let no_room = left.reason == ExcludedReason::Budget;
            let held_back = left.reason == ExcludedReason::Balance;
            n_budget += usize::from(no_room);
            n_balance += usize::from(held_back);
            if !no_room && !held_back {
                continue;
            }
            for item in pack.items.iter().filter(|item| Some(item.score) < left.score) {
                n_ahead += 1;
                let Some(ahead) = item.ahead else {
                    panic!("seed {seed}: {} is ahead of {left:?}", item.piece.label)
                };
                let is_true = match ahead {
                    Ahead::AskedFor => item.piece.pinned,
                    Ahead::NamedByTask => item.piece.named,
                    Ahead::HandedIn => item.piece.is_log,
                    Ahead::BestOfFile => is_best_of_file(&pack, item),
                    Ahead::Share => held_back,
                    Ahead::Smaller => held_back || item.tokens < left.tokens.unwrap(),
                    Ahead::Fitted => true,
                };
                assert!(is_true, "seed {seed}: {ahead:?} of {item:?} before {left:?}");
            }
        }
        // And nothing is said where there is nothing to say.
        let best_left = pack
            .excluded
            .iter()
            .filter(|left| matches!(left.reason, ExcludedReason::Budget | ExcludedReason::Balance));
        let best_left = best_left
            .filter_map(|left| left.score)
            .fold(f64::NEG_INFINITY, f64::max);
        for item in &pack.items {
            assert_eq!(item.ahead.is_some(), item.score < best_left, "seed {seed}");
        }
    }
    assert!(
        n_budget > 500 && n_balance > 20 && n_ahead > 500,
        "{n_budget} {n_balance} {n_ahead}"
    );
}

fn is_best_of_file(pack: &Pack, item: &Item) -> bool {
    let same_file = |other: &&Item| other.piece.path == item.piece.path && other.rank < item.rank;
    !pack
        .items
        .iter()
        .any(|other| same_file(&other) && !other.piece.pinned)
}

/// A world with one range that is asked for.
fn asking(random: &mut Random) -> (World, String, LineRange) {
    let mut world = world(random, LARGE);
    world
        .pieces
        .retain(|piece| piece.asked.is_empty() && !piece.pinned && !piece.is_log);
    let paths: Vec<String> = world.files.keys().cloned().collect();
    let path = random.pick(&paths);
    let lines = &world.files[&path];
    let start = random.below(lines.len());
    let end = (start + 1 + random.below(30)).min(lines.len());
    let range = LineRange::new(start as u32 + 1, end as u32);
    let mut piece = plain_piece(99, &path, range.start(), &lines[start..end].join("\n"));
    (piece.asked, piece.pinned) = (vec![range], true);
    piece.label = "asked".to_owned();
    world.pieces.push(piece);
    (world, path, range)
}

fn shows(pack: &Pack, path: &str, range: LineRange) -> bool {
    let here = pack
        .items
        .iter()
        .filter(|item| item.piece.path == path && item.piece.is_file);
    let shown: Vec<LineRange> = here.flat_map(|item| item.lines.clone()).collect();
    (range.start()..=range.end()).all(|line| shown.iter().any(|lines| lines.contains(line)))
}

#[test]
fn pack_4_lines_that_were_asked_for_are_shown_while_they_fit() {
    let mut n_fitting = 0;
    for seed in 0..500 {
        let random = &mut Random::new(seed);
        let (world, path, range) = asking(random);
        let budget = 60 + random.below(2_500);
        let mut options = options(random, budget);
        (options.style.template, options.min_score) = (None, 0.0);
        let alone = World {
            pieces: world.pieces[world.pieces.len() - 1..].to_vec(),
            task: world.task.clone(),
            files: world.files.clone(),
            hints: Vec::new(),
        };
        // By themselves they need no marks for what stands around them.
        let tight = PackOptions {
            budget: budget - 40,
            ..options.clone()
        };
        if shows(&packed(&alone, &tight, &words), &path, range) {
            n_fitting += 1;
            let pack = packed(&world, &options, &words);
            assert!(
                shows(&pack, &path, range),
                "seed {seed}: {range:?} of {path}: {}",
                pack.text
            );
        }
    }
    assert!(n_fitting > 250, "{n_fitting}");
}

#[test]
fn pack_4_what_was_asked_for_beyond_the_budget_is_cut_and_says_so() {
    let mut piece = plain_piece(0, "src/a.rs", 1, &code(4, 400));
    (piece.asked, piece.pinned) = (vec![LineRange::new(100, 380)], true);
    for format in Format::ALL {
        let options = PackOptions::new(300, style(format));
        let pack = pack("task", vec![piece.clone()], &options, &words, &[]).unwrap();
        let [item] = &pack.items[..] else {
            panic!("{format:?}")
        };
        assert!(item.truncated, "{}", pack.text);
        assert_eq!(item.lines[0].start(), 100);
        assert!(lines_in(&item.lines) > 10);
    }
}

#[test]
fn pack_4_a_large_piece_does_not_come_along_with_the_lines_that_were_asked_for() {
    let mut asked = plain_piece(
        0,
        "src/big.rs",
        50,
        &code(4, 600)
            .lines()
            .skip(49)
            .take(5)
            .collect::<Vec<_>>()
            .join("\n"),
    );
    (asked.asked, asked.pinned, asked.relevance) = (vec![asked.lines], true, 0.0);
    let mut around = plain_piece(1, "src/big.rs", 1, &code(4, 600));
    around.relevance = 0.05;
    let mut pieces = vec![asked, around];
    pieces.extend((2..10).map(|n| Piece {
        relevance: 0.9,
        ..plain_piece(n, &format!("src/{n}.rs"), 1, &code(n as u64, 30))
    }));
    let options = PackOptions::new(3_000, style(Format::Markdown));
    let pack = pack("task", pieces, &options, &words, &[]).unwrap();
    assert!(
        shows(&pack, "src/big.rs", LineRange::new(50, 54)),
        "{}",
        pack.text
    );
    let of_big: u32 = pack
        .items
        .iter()
        .filter(|item| item.piece.path == "src/big.rs")
        .map(|item| lines_in(&item.lines))
        .sum();
    let n_whole = pack
        .items
        .iter()
        .filter(|item| item.resolution == Resolution::Full)
        .count();
    assert!(
        n_whole >= 5 && of_big < 200,
        "{n_whole} whole, {of_big} lines of the large one"
    );
}

#[test]
fn pack_47_a_lone_line_is_a_head_a_match_or_was_asked_for() {
    for seed in 0..600 {
        let random = &mut Random::new(seed);
        let world = world(random, SMALL);
        let budget = 80 + random.below(1_200);
        let options = options(random, budget);
        let pack = packed(&world, &options, &words);
        for item in pack.items.iter().filter(|item| !item.truncated) {
            for lone in item.lines.iter().filter(|lines| lines.n_lines() == 1) {
                let at = lone.start();
                let piece = &item.piece;
                let has_place = piece
                    .heads
                    .iter()
                    .chain(&piece.asked)
                    .any(|lines| lines.contains(at))
                    || piece.focus.iter().any(|(line, _)| *line == at)
                    || [piece.lines.start(), piece.lines.end()].contains(&at);
                assert!(has_place, "seed {seed}: line {at} of {item:?}");
            }
        }
    }
}

#[test]
fn pack_47_the_head_of_a_definition_stands_above_its_parts() {
    let file: Vec<String> = code(5, 200).lines().map(str::to_owned).collect();
    let part = |n: usize, first: usize, last: usize| {
        let mut piece = plain_piece(n, "src/a.rs", first as u32, &file[first - 1..last].join("\n"));
        (piece.part, piece.heads) = (Some((n as u32 + 1, 4)), Vec::new());
        piece.above = vec![(10, file[9].clone())];
        piece
    };
    for format in Format::ALL {
        let options = PackOptions::new(100_000, style(format));
        let pieces = vec![part(1, 60, 99), part(2, 100, 140)];
        let pack = pack("task", pieces, &options, &words, &[]).unwrap();
        let text = pack.text.replace("&quot;", "\"").replace("\\\"", "\"");
        assert!(text.contains("… 11–59"), "{text}");
        assert!(text.contains(file[9].trim()), "{text}");
        assert_eq!(pack.items[0].head_lines(), [LineRange::new(10, 10)]);
        let said = ["part 2 of 4", "part=\"2 of 4\"", "\"part\":[2,4]"];
        assert!(said.iter().any(|part| text.contains(part)), "{text}");
    }
}

#[test]
fn pack_22_a_copy_is_the_same_text_and_what_is_alike_says_how_far() {
    let (mut n_copies, mut n_like) = (0, 0);
    for seed in 0..800 {
        let random = &mut Random::new(seed);
        let world = world(random, SMALL);
        let mut options = options(random, 100_000);
        options.style.template = None;
        let pack = packed(&world, &options, &words);
        let text_of = |place: &str| {
            let is_there = |piece: &&Piece| {
                place == format!("{}:{}-{}", piece.path, piece.lines.start(), piece.lines.end())
            };
            let mut found = world.pieces.iter().filter(is_there);
            found.next().unwrap_or_else(|| panic!("{place}"))
        };
        let squeezed = |text: &str| {
            text.split_ascii_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        for item in &pack.items {
            for copy in &item.copies {
                n_copies += 1;
                assert_eq!(
                    squeezed(&text_of(copy).text),
                    squeezed(&item.piece.text),
                    "seed {seed}"
                );
            }
            for like in &item.like {
                n_like += 1;
                let is_given = like.place.starts_with("git diff") || !item.piece.is_file;
                assert!(!is_given, "handed in: {like:?}");
                assert!(like.percent <= 100);
            }
        }
    }
    assert!(n_copies > 50 && n_like > 50, "{n_copies} {n_like}");
}

#[test]
fn pack_33_says_that_there_is_nothing_more() {
    let pieces = vec![plain_piece(0, "a.rs", 1, &code(1, 10))];
    let made = |budget: usize| {
        let options = PackOptions::new(budget, style(Format::Markdown));
        pack("task", pieces.clone(), &options, &words, &[]).unwrap()
    };
    let roomy = made(5_000);
    assert!(
        roomy.ran_out && roomy.text.contains("nothing else was found"),
        "{}",
        roomy.text
    );
    let small = made(60);
    assert!(
        !small.ran_out && !small.text.contains("nothing else was found"),
        "{}",
        small.text
    );
}
