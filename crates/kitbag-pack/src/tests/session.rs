//! Sessions (ENG-40): what was delivered is named, what changed is sent and said to be new, the rest is as without a session.

use kitbag_testkit::random::Random;
use kitbag_types::LineRange;

use super::text::code;
use super::world::{
    SMALL, brief, line_hash, options, pack_again, packed, plain_piece, style, tiktoken, words, world,
};
use crate::{
    Delivered, Format, Intent, Item, Pack, PackOptions, Piece, Resolution, SeenBefore, Session, runs_of,
};

/// What the items of a pack leave in a session.
fn deliveries(pack: &Pack, answer: u32, intent: Intent) -> Vec<Delivered> {
    let of_item = |item: &Item| {
        let runs = runs_of(&item.piece, &item.lines, &line_hash);
        let item = item.clone();
        runs.into_iter().map(move |(line_start, hashes)| Delivered {
            answer,
            path: item.piece.path.clone(),
            label: item.piece.label.clone(),
            line_start,
            hashes,
            resolution: item.resolution,
            intent,
        })
    };
    pack.items.iter().flat_map(of_item).collect()
}

fn again(pieces: &[Piece], options: &PackOptions, delivered: &[Delivered], intent: Intent) -> Pack {
    let session = Session {
        delivered,
        intent,
        hash: &line_hash,
    };
    let brief = brief("fix the parser", options, &tiktoken);
    pack_again(pieces.to_vec(), brief, session, &[])
}

fn ordinary(n_pieces: usize) -> Vec<Piece> {
    let random = &mut Random::new(40);
    let text = |random: &mut Random| code(random.next_u64(), 12 + random.below(30));
    (0..n_pieces)
        .map(|n| {
            plain_piece(
                n,
                &format!("src/file_{}.rs", n / 2),
                1 + 200 * (n % 2) as u32,
                &text(random),
            )
        })
        .collect()
}

fn referred(pack: &Pack) -> usize {
    let is_referred = |item: &&Item| matches!(item.seen, Some(SeenBefore::Delivered { .. }));
    pack.items.iter().filter(is_referred).count()
}

#[test]
fn eng_40_the_second_identical_request_costs_far_fewer_tokens_in_every_format() {
    let pieces = ordinary(30);
    for format in Format::ALL {
        let options = PackOptions::new(4_000, style(format));
        let first = again(&pieces, &options, &[], Intent::FixBug);
        assert_eq!((referred(&first), first.tokens_saved), (0, 0));
        let second = again(
            &pieces,
            &options,
            &deliveries(&first, 1, Intent::FixBug),
            Intent::FixBug,
        );
        assert!(
            second.tokens * 100 <= first.tokens * 70,
            "{}: {} after {}",
            format.as_str(),
            second.tokens,
            first.tokens
        );
        assert_eq!(second.tokens_saved, first.tokens - second.tokens);
        assert_eq!(second.tokens, tiktoken(&second.text));
        assert!(
            second.text.contains("answer 1") || second.text.contains("\"delivered_in\":[1]"),
            "{}",
            second.text
        );
        // The same items in the same order, and nothing weaker in the room that became free.
        let names = |pack: &Pack| {
            pack.items
                .iter()
                .map(|item| (item.citation.clone(), item.rank))
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&first), names(&second));
        for (before, now) in first.items.iter().zip(&second.items) {
            match &now.seen {
                Some(SeenBefore::Delivered { answers, resolution }) => {
                    assert_eq!((answers.as_slice(), *resolution), (&[1][..], before.resolution));
                    assert!(now.why.contains("delivered in answer 1"), "{}", now.why);
                }
                _ => assert_eq!(but_tokens(now), but_tokens(before), "short ones stay as they are"),
            }
        }
    }
}

/// The mark of a gap belongs to one of its neighbours, which may be named instead of shown.
fn but_tokens(item: &Item) -> Item {
    Item {
        tokens: 0,
        ..item.clone()
    }
}

/// The law behind it: a session only ever replaces text by names, and never makes the answer larger (changed marks aside).
#[test]
fn eng_40_a_session_chooses_what_would_be_chosen_without_it() {
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let world = world(random, SMALL);
        let options = options(random, 1_200);
        let first = packed(&world, &options, &words);
        let delivered = deliveries(&first, 1, Intent::Understand);
        let session = Session {
            delivered: &delivered,
            intent: Intent::Understand,
            hash: &line_hash,
        };
        let brief = brief(&world.task, &options, &words);
        let second = pack_again(world.pieces.clone(), brief, session, &world.hints);
        // Texts that are no files may share a name and take one another for an older version.
        if second
            .items
            .iter()
            .any(|item| matches!(item.seen, Some(SeenBefore::Changed { .. })))
        {
            continue;
        }
        assert!(second.tokens <= first.tokens, "seed {seed}");
        assert_eq!(second.items.len(), first.items.len(), "seed {seed}");
        for (before, now) in first.items.iter().zip(&second.items) {
            assert_eq!(before.citation, now.citation, "seed {seed}");
            assert!(
                now.seen.is_some() || but_tokens(before) == but_tokens(now),
                "seed {seed}"
            );
        }
        assert_eq!(second.excluded, first.excluded, "seed {seed}");
    }
}

const OLD: &str = "fn part(a: u32) -> u32 {\n    let b = a + 1;\n    let c = b * 2;\n    let d = c * 3 + a * 5 - b;\n    let e = d + c + b + a;\n    e + d\n}";

fn one(first: u32, text: &str) -> Piece {
    plain_piece(1, "src/a.rs", first, text)
}

fn delivered(piece: &Piece, lines: &[LineRange], answer: u32, resolution: Resolution) -> Vec<Delivered> {
    runs_of(piece, lines, &line_hash)
        .into_iter()
        .map(|(line_start, hashes)| Delivered {
            answer,
            path: piece.path.clone(),
            label: piece.label.clone(),
            line_start,
            hashes,
            resolution,
            intent: Intent::Understand,
        })
        .collect()
}

#[track_caller]
fn check(now: &Piece, earlier: &[Delivered], intent: Intent, expected: Option<SeenBefore>) -> Pack {
    let options = PackOptions::new(2_000, style(Format::Markdown));
    let pack = again(std::slice::from_ref(now), &options, earlier, intent);
    assert_eq!(pack.items[0].seen, expected, "{}", pack.text);
    pack
}

fn referred_to(answers: &[u32]) -> Option<SeenBefore> {
    Some(SeenBefore::Delivered {
        answers: answers.to_vec(),
        resolution: Resolution::Full,
    })
}

#[test]
fn eng_40_text_is_known_again_where_it_stands_and_where_it_moved_to() {
    let piece = one(10, OLD);
    let whole = delivered(&piece, &[piece.lines], 2, Resolution::Full);
    let pack = check(&piece, &whole, Intent::Understand, referred_to(&[2]));
    assert!(
        pack.text.contains("- `src/a.rs` `10-16 part_1` ["),
        "{}",
        pack.text
    );
    assert!(pack.text.contains("] delivered in answer 2\n"), "{}", pack.text);
    check(&one(90, OLD), &whole, Intent::Understand, referred_to(&[2]));
    let other_file = Piece {
        path: "src/b.rs".to_owned(),
        ..one(10, OLD)
    };
    check(&other_file, &whole, Intent::Understand, None);
}

#[test]
fn eng_40_parts_of_what_was_shown_are_known_and_parts_of_what_is_shown_are_not_enough() {
    let piece = one(10, OLD);
    let run = |start, end, answer| delivered(&piece, &[LineRange::new(start, end)], answer, Resolution::Full);
    check(
        &piece,
        &[run(10, 13, 1), run(14, 16, 3)].concat(),
        Intent::Understand,
        referred_to(&[1, 3]),
    );
    check(
        &piece,
        &[run(10, 13, 1), run(12, 16, 1)].concat(),
        Intent::Understand,
        referred_to(&[1]),
    );
    check(
        &piece,
        &[run(10, 16, 1), run(10, 12, 2)].concat(),
        Intent::Understand,
        referred_to(&[1]),
    );
    check(&piece, &run(10, 15, 1), Intent::Understand, None);
    // A larger place was shown.
    let file = one(1, &format!("use a;\nuse b;\n{OLD}\n\nfn other() {{}}"));
    let earlier = delivered(&file, &[file.lines], 4, Resolution::Full);
    check(&one(3, OLD), &earlier, Intent::Understand, referred_to(&[4]));
    check(&one(30, OLD), &earlier, Intent::Understand, referred_to(&[4]));
}

#[test]
fn eng_40_what_changed_is_sent_and_said_to_be_new() {
    let old = one(10, OLD);
    let earlier = delivered(&old, &[old.lines], 1, Resolution::Full);
    let edited = OLD.replace("c * 3", "c * 4");
    let changed = Some(SeenBefore::Changed { since: 1 });
    let pack = check(&one(10, &edited), &earlier, Intent::Understand, changed.clone());
    assert!(
        pack.text.contains("] part_1 changed since answer 1\n"),
        "{}",
        pack.text
    );
    assert!(pack.text.contains("c * 4"));
    check(&one(80, &edited), &earlier, Intent::Understand, changed.clone());
    check(
        &one(10, "fn part() {}\n// all of it is new\n// now"),
        &earlier,
        Intent::Understand,
        changed,
    );
    // The answer that told of the change is the one to refer to; if the change is taken back, that is a change again.
    let new = one(80, &edited);
    let told = [
        earlier.clone(),
        delivered(&new, &[new.lines], 2, Resolution::Full),
    ]
    .concat();
    check(&new, &told, Intent::Understand, referred_to(&[2]));
    check(
        &old,
        &told,
        Intent::Understand,
        Some(SeenBefore::Changed { since: 2 }),
    );
    // A neighbour that stands where it stood is not a new version of it.
    let neighbour = Piece {
        label: "neighbour".to_owned(),
        ..one(12, "fn neighbour() {\n    one();\n    two();\n    three();\n}")
    };
    check(&neighbour, &earlier, Intent::Understand, None);
}

#[test]
fn eng_40_another_intent_that_wants_more_of_it_gets_it_again() {
    let piece = one(10, OLD);
    let parts = [LineRange::new(10, 12), LineRange::new(13, 16)];
    let outlined = delivered(&piece, &parts, 1, Resolution::Outline);
    check(&piece, &outlined, Intent::Understand, referred_to(&[1]));
    check(&piece, &outlined, Intent::FixBug, None);
    let full = delivered(&piece, &parts, 1, Resolution::Full);
    check(&piece, &full, Intent::FixBug, referred_to(&[1]));
}

#[test]
fn eng_40_what_is_shorter_than_a_reference_stays() {
    let piece = one(10, "fn x() {}");
    let earlier = delivered(&piece, &[piece.lines], 1, Resolution::Full);
    let pack = check(&piece, &earlier, Intent::Understand, None);
    assert!(pack.text.contains("fn x() {}"));
    assert_eq!(pack.tokens_saved, 0);
}
