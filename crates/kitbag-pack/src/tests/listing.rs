//! Search results as text (MCP-2, MCP-3): within the budget by a count that is not ours, code in fences that a Markdown parser
//! finds as they were meant, JSON that parses, every result accounted for.

use std::sync::atomic::{AtomicUsize, Ordering};

use kitbag_testkit::random::Random;
use kitbag_types::{LineRange, Stop, Stopped};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use serde_json::Value;

use super::read::{check_body_of, check_clean};
use super::text::{code, odd_line};
use super::world::{SMALL, earlier, line_hash, plain_piece, tiktoken, words, world};
use crate::{Entry, Intent, ListOptions, Listing, Piece, Resolution, SeenBefore, Session};

/// As long as somebody waits.
fn list(
    pieces: &[Piece],
    options: &ListOptions,
    session: Option<&Session<'_>>,
    count: &dyn Fn(&str) -> usize,
) -> Listing {
    crate::list(pieces, options, session, count, Stop::never()).unwrap()
}

fn fences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside: Option<String> = None;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                assert!(matches!(kind, CodeBlockKind::Fenced(_)), "{text}");
                inside = Some(String::new());
            }
            Event::End(TagEnd::CodeBlock) => found.extend(inside.take()),
            Event::Text(more) => {
                if let Some(body) = &mut inside {
                    body.push_str(&more);
                }
            }
            _ => {}
        }
    }
    found
}

fn shown(listing: &Listing) -> impl Iterator<Item = (usize, &Entry)> {
    listing
        .entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| !entry.lines.is_empty())
}

fn each_listing(
    n_worlds: u64,
    json: bool,
    count: &dyn Fn(&str) -> usize,
    check: &dyn Fn(&[Piece], &Listing),
) {
    for seed in 0..n_worlds {
        let random = &mut Random::new(seed);
        let world = world(random, SMALL);
        let options = ListOptions {
            budget: random.pick(&[0, 5, 30, 90, 200, 600, 2_000, 9_000]),
            json,
            note: if random.chance(30) {
                odd_line(random)
            } else {
                String::new()
            },
        };
        let earlier = earlier(random, &world);
        let session = Session {
            delivered: &earlier,
            intent: random.pick(&Intent::ALL),
            hash: &line_hash,
        };
        let session = random.chance(50).then_some(&session);
        let listing = list(&world.pieces, &options, session, count);
        let tokens = count(&listing.text);
        assert!(
            tokens <= options.budget,
            "seed {seed}: {tokens} of {}: {}",
            options.budget,
            listing.text
        );
        assert_eq!(listing.tokens, tokens, "seed {seed}");
        assert_eq!(listing.entries.len(), world.pieces.len());
        check_clean(&listing.text);
        for (piece, entry) in world.pieces.iter().zip(&listing.entries) {
            assert_eq!(
                entry.lines.is_empty(),
                entry.resolution.is_none_or(|one| one == Resolution::Reference)
            );
            assert!(session.is_some() || entry.seen.is_none());
            if let Some(SeenBefore::Delivered { .. }) = entry.seen {
                assert!(entry.lines.is_empty(), "{}", piece.path);
            }
        }
        if !listing.text.is_empty() {
            check(&world.pieces, &listing);
        }
    }
}

#[test]
fn mcp_2_never_over_max_tokens_by_a_count_that_is_not_ours() {
    each_listing(300, false, &tiktoken, &|_, _| {});
    each_listing(150, true, &tiktoken, &|_, _| {});
    let by_line = |text: &str| text.lines().count() * 7;
    let parity = |text: &str| text.len() / 2 + (text.len() % 97);
    each_listing(300, false, &by_line, &|_, _| {});
    each_listing(300, true, &parity, &|_, _| {});
}

#[test]
fn sec_3_code_cannot_close_its_fence_nor_a_path_open_one() {
    each_listing(1_500, false, &words, &|pieces, listing| {
        let found = fences(&listing.text);
        assert_eq!(found.len(), shown(listing).count(), "{}", listing.text);
        for ((idx, entry), body) in shown(listing).zip(&found) {
            check_body_of(&pieces[idx], &entry.lines, body);
        }
    });
}

#[test]
fn mcp_3_json_parses_and_gives_back_the_text() {
    each_listing(600, true, &words, &|pieces, listing| {
        let found: Value =
            serde_json::from_str(&listing.text).unwrap_or_else(|error| panic!("{error}: {}", listing.text));
        let results = found["results"].as_array().unwrap();
        let listed: Vec<(&Piece, &Entry)> = pieces
            .iter()
            .zip(&listing.entries)
            .filter(|(_, entry)| entry.resolution.is_some())
            .collect();
        assert_eq!(results.len(), listed.len());
        assert_eq!(found["omitted"], listing.entries.len() - listed.len());
        for ((piece, entry), value) in listed.iter().zip(results) {
            assert_eq!(value["path"], piece.path.as_str());
            assert_eq!(value["label"], piece.label.as_str());
            assert_eq!(value["resolution"], entry.resolution.unwrap().as_str());
            match value["text"].as_str() {
                Some(text) => check_body_of(piece, &entry.lines, text),
                None => assert!(entry.lines.is_empty()),
            }
        }
    });
}

fn options(budget: usize) -> ListOptions {
    ListOptions {
        budget,
        json: false,
        note: String::new(),
    }
}

#[test]
fn mcp_2_whole_chunks_first_then_less_and_small_ones_behind_large_ones() {
    let large = plain_piece(0, "src/large.rs", 1, &code(1, 200));
    let small = plain_piece(1, "src/small.rs", 5, "fn small() {\n    one();\n}");
    let listing = list(
        &[small.clone(), large.clone(), small.clone()],
        &options(120),
        None,
        &tiktoken,
    );
    let how: Vec<Option<Resolution>> = listing.entries.iter().map(|entry| entry.resolution).collect();
    assert_eq!(
        (how[0], how[2]),
        (Some(Resolution::Full), Some(Resolution::Full)),
        "{}",
        listing.text
    );
    assert!(how[1] < Some(Resolution::Full));
    assert!(
        listing
            .text
            .starts_with("src/small.rs:5-7  part_1\n```rust\nfn small() {\n    one();\n}\n```\n\n"),
        "{}",
        listing.text
    );
    // The best one says something, however large it is.
    let listing = list(std::slice::from_ref(&large), &options(100), None, &tiktoken);
    assert_eq!(listing.entries[0].resolution, Some(Resolution::Outline));
    assert!(listing.tokens > 20, "{}", listing.text);
    let listing = list(&[large, small], &options(30), None, &tiktoken);
    assert!(
        listing.tokens > 0 && listing.entries[0].resolution.is_some(),
        "{listing:?}"
    );
}

#[test]
fn sec_4_a_listing_ends_when_nobody_waits() {
    let piece = plain_piece(0, "src/a.rs", 1, &code(3, 25));
    let pieces = vec![piece; 40];
    let n_counts = AtomicUsize::new(0);
    let count = |text: &str| {
        n_counts.fetch_add(1, Ordering::Relaxed);
        tiktoken(text)
    };
    let is_stopped = || n_counts.load(Ordering::Relaxed) >= 5;
    let stopped = crate::list(&pieces, &options(2_000), None, &count, Stop::when(&is_stopped));
    assert_eq!(stopped, Err(Stopped));
    assert!(n_counts.into_inner() < 20);
}

#[test]
fn eng_40_what_was_delivered_is_one_line() {
    let piece = plain_piece(0, "src/a.rs", 1, &code(3, 25));
    let earlier = vec![crate::Delivered {
        answer: 2,
        path: piece.path.clone(),
        label: piece.label.clone(),
        line_start: 1,
        hashes: crate::runs_of(&piece, &[LineRange::new(1, 25)], &line_hash)
            .remove(0)
            .1,
        resolution: Resolution::Full,
        intent: Intent::Understand,
    }];
    let session = Session {
        delivered: &earlier,
        intent: Intent::Understand,
        hash: &line_hash,
    };
    let listing = list(
        std::slice::from_ref(&piece),
        &options(2_000),
        Some(&session),
        &tiktoken,
    );
    assert_eq!(listing.text, "src/a.rs:1-25  part_0  (delivered in answer 2)\n");
    assert!(listing.tokens_saved > 50 && listing.tokens <= 20, "{listing:?}");
    let edited = Piece {
        text: piece
            .text
            .replacen(piece.text.lines().nth(12).unwrap(), "    edited();", 1),
        ..piece
    };
    let listing = list(&[edited], &options(2_000), Some(&session), &tiktoken);
    assert!(
        listing
            .text
            .starts_with("src/a.rs:1-25  part_0  (changed since answer 2)\n```rust\n"),
        "{}",
        listing.text
    );
}
