//! Scores (PACK-10 to PACK-14): bounds, order, weights, words of the task, age, intent.

use kitbag_testkit::random::Random;
use kitbag_types::terms::terms_of;

use super::text::{code, code_line, odd_line};
use super::world::{SMALL, pack, packed, plain_piece, style, words, world};
use crate::score::score;
use crate::{Format, Intent, Origin, PackOptions, Piece, Weights, coverage, recency, tuning};

fn roomy() -> PackOptions {
    PackOptions::new(1_000_000, style(Format::Json))
}

#[test]
fn pack_10_scores_are_within_0_and_1_whatever_the_parts() {
    let odd = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -3.0,
        0.0,
        0.5,
        1.0,
        7.0,
        f64::MIN_POSITIVE,
    ];
    for intent in Intent::ALL {
        for relevance in odd {
            for recency in odd {
                for origin in Origin::ALL {
                    let piece = Piece {
                        relevance,
                        recency,
                        origin,
                        ..plain_piece(0, "a", 1, "x")
                    };
                    let score = score(&piece, &Weights::of(intent), &[u32::MAX, 0, 50, 100, 1, 7]);
                    assert!((0.0..=1.0).contains(&score), "{relevance} {recency}: {score}");
                }
            }
        }
    }
}

#[test]
fn pack_10_each_part_counts_by_its_weight_and_more_of_it_never_scores_less() {
    let weights = Weights::new(0.5, 0.3, 0.2).unwrap();
    let of = |relevance, recency| {
        score(
            &Piece {
                relevance,
                recency,
                ..plain_piece(0, "a", 1, "x")
            },
            &weights,
            &[60; 6],
        )
    };
    assert!((of(1.0, 1.0) - 0.92).abs() < 1e-12);
    assert!((of(0.5, 0.0) - 0.37).abs() < 1e-12);
    let steps: Vec<f64> = (0..=10).map(|n| f64::from(n) / 10.0).collect();
    assert!(
        steps
            .windows(2)
            .all(|pair| of(pair[0], 0.3) <= of(pair[1], 0.3) && of(0.3, pair[0]) <= of(0.3, pair[1]))
    );
}

#[test]
fn pack_10_weights_split_1_or_are_refused() {
    assert!(Weights::new(0.5, 0.3, 0.2).is_some());
    assert!(Weights::new(1.0, 0.0, 0.0).is_some());
    assert!(
        Weights::new(0.1, 0.2, 0.7).is_some(),
        "though 0.1 + 0.2 is not quite 0.3"
    );
    for (a, b, c) in [
        (0.5, 0.5, 0.5),
        (0.0, 0.0, 0.0),
        (1.5, -0.5, 0.0),
        (f64::NAN, 0.5, 0.5),
        (f64::INFINITY, 0.0, 0.0),
        (0.5, 0.3, 0.1),
    ] {
        assert_eq!(Weights::new(a, b, c), None, "{a} {b} {c}");
    }
    for intent in Intent::ALL {
        let Weights {
            relevance,
            recency,
            source,
        } = Weights::of(intent);
        assert!(Weights::new(relevance, recency, source).is_some(), "{intent:?}");
    }
}

#[test]
fn pack_10_best_first_and_ties_as_they_came() {
    let mut pieces: Vec<Piece> = (0..30)
        .map(|n| plain_piece(n, &format!("{n}.rs"), 1, &code(n as u64, 6)))
        .collect();
    for (n, piece) in pieces.iter_mut().enumerate() {
        piece.relevance = (n % 3) as f64 / 3.0;
    }
    let pack = pack("", pieces, &roomy(), &words, &[]).unwrap();
    let order: Vec<usize> = pack
        .items
        .iter()
        .map(|item| item.piece.path.trim_end_matches(".rs").parse().unwrap())
        .collect();
    let expected: Vec<usize> = [2, 1, 0]
        .into_iter()
        .flat_map(|rest| (0..30).filter(move |n| n % 3 == rest))
        .collect();
    assert_eq!(order, expected);
    assert!(
        pack.items
            .iter()
            .enumerate()
            .all(|(idx, item)| item.rank == idx + 1)
    );
}

#[test]
fn pack_10_what_was_asked_for_comes_first() {
    let mut pieces: Vec<Piece> = (0..9)
        .map(|n| plain_piece(n, &format!("{n}.rs"), 1, &code(n as u64, 6)))
        .collect();
    pieces[7].pinned = true;
    let pack = pack("", pieces, &roomy(), &words, &[]).unwrap();
    assert_eq!(pack.items[0].piece.path, "7.rs");
}

/// Equal input, equal bytes; and the order of arrival decides between equals only.
#[test]
fn pack_10_the_same_input_gives_the_same_bytes_in_any_order() {
    for seed in 0..250 {
        let random = &mut Random::new(seed);
        let mut world = world(random, SMALL);
        for (n, piece) in world.pieces.iter_mut().enumerate() {
            piece.relevance = n as f64 / 100.0 + 0.001 * piece.relevance;
            (piece.recency, piece.origin) = (0.0, Origin::Search);
        }
        let options = PackOptions::new(random.below(2_000), style(random.pick(&Format::ALL)));
        let first = packed(&world, &options, &words);
        assert_eq!(first, packed(&world, &options, &words), "seed {seed}");
        for idx in (1..world.pieces.len()).rev() {
            world.pieces.swap(idx, random.below(idx + 1));
        }
        let shuffled = packed(&world, &options, &words);
        assert_eq!(first, shuffled, "seed {seed}");
    }
}

#[test]
fn pack_11_coverage_grows_with_the_words_that_match() {
    let random = &mut Random::new(11);
    for _ in 0..3_000 {
        let task = if random.chance(50) {
            code_line(random)
        } else {
            odd_line(random)
        };
        let terms = terms_of(&task);
        let mut text = String::new();
        let mut before = coverage(&terms, &text);
        assert_eq!(before, 0.0, "nothing matches in nothing");
        for word in task
            .split_whitespace()
            .map(str::to_owned)
            .chain([code_line(random), task.to_uppercase()])
        {
            text = format!("{text} {word}");
            let now = coverage(&terms, &text);
            assert!(before <= now && now <= 1.0, "{task:?} in {text:?}");
            before = now;
        }
        assert_eq!(
            coverage(&terms, &format!("before {task} after")),
            if terms.is_empty() { 0.0 } else { 1.0 },
            "{task:?}"
        );
    }
}

#[test]
fn pack_11_coverage_knows_identifiers_and_not_case() {
    let terms = terms_of("parse the http header");
    assert_eq!(coverage(&terms, "fn ParseHTTPHeader(the: X)"), 1.0);
    assert_eq!(coverage(&terms, "nothing of it"), 0.0);
    let half = coverage(&terms, "HEADER, http");
    assert!(half > 0.0 && half < 1.0);
    assert_eq!(coverage(&[], "anything"), 0.0);
}

#[test]
fn pack_12_recency_is_high_for_a_day_and_low_after_a_month() {
    assert_eq!(recency(0.0), 1.0);
    assert!(recency(1.0) >= 0.9 && recency(30.0) <= 0.1);
    assert_eq!(recency(-5.0), 1.0, "a clock that runs ahead");
    assert_eq!((recency(f64::NAN), recency(f64::INFINITY)), (0.0, 0.0), "unknown");
    assert!((0..4_000).all(|day| recency(f64::from(day + 1)) <= recency(f64::from(day))));
}

#[test]
fn pack_13_a_better_source_ranks_higher() {
    let priorities = tuning::PRIORITIES;
    let of = |origin| {
        score(
            &Piece {
                origin,
                ..plain_piece(0, "a", 1, "x")
            },
            &Weights::new(0.5, 0.3, 0.2).unwrap(),
            &priorities,
        )
    };
    let order = [
        Origin::ToolResult,
        Origin::OpenFile,
        Origin::Search,
        Origin::Reference,
    ];
    assert!(order.windows(2).all(|pair| of(pair[0]) > of(pair[1])));
}

#[test]
fn pack_14_intents_are_read_by_name_and_alias() {
    for intent in Intent::ALL {
        assert_eq!(Intent::parse(intent.as_str()), Some(intent));
        assert_eq!(Intent::parse(&intent.as_str().replace('_', "-")), Some(intent));
    }
    assert_eq!(Intent::parse("security_audit"), Some(Intent::SecurityReview));
    assert_eq!(Intent::parse("security-audit"), Some(Intent::SecurityReview));
    for unknown in ["", "fix", "understand ", "_", "-"] {
        assert_eq!(Intent::parse(unknown), None);
    }
}

#[test]
fn pack_14_intents_are_told_from_the_words_of_a_task() {
    let table = [
        ("", Intent::Understand),
        ("how does the parser work?", Intent::Understand),
        ("Fix the crash in parse_config", Intent::FixBug),
        ("TypeError: unexpected error when saving", Intent::FixBug),
        ("Add support for YAML", Intent::AddFeature),
        ("add tests for the cache", Intent::AddTest),
        ("Write a test: the cache evicts", Intent::AddTest),
        ("refactor the walker", Intent::Refactor),
        ("Rename `walk` to `visit`", Intent::Refactor),
        ("security review of the login", Intent::SecurityReview),
        ("fix the SQL injection", Intent::SecurityReview),
        ("!!! --- ??? fix", Intent::FixBug),
    ];
    for (task, intent) in table {
        assert_eq!(Intent::infer(task), intent, "{task}");
    }
    let log = format!(
        "how does this work\n{}{}",
        "------ \n".repeat(50),
        "word ".repeat(100) + "error"
    );
    assert_eq!(
        Intent::infer(&log),
        Intent::Understand,
        "a pasted log further down only mentions things"
    );
    assert_eq!(
        Intent::infer(&format!("{} fix this", "-".repeat(90))),
        Intent::FixBug,
        "marks are no words"
    );
}

#[test]
fn pack_44_what_scores_too_little_is_listed() {
    let mut pieces: Vec<Piece> = (0..6)
        .map(|n| plain_piece(n, &format!("{n}.rs"), 1, &code(n as u64, 6)))
        .collect();
    pieces[5].pinned = true;
    let options = PackOptions {
        min_score: 0.4,
        ..roomy()
    };
    let pack = pack("", pieces, &options, &words, &[]).unwrap();
    assert!(
        pack.items
            .iter()
            .all(|item| item.score >= 0.4 || item.piece.pinned)
    );
    assert!(pack.items.iter().any(|item| item.piece.path == "5.rs"));
    assert!(
        pack.excluded
            .iter()
            .all(|left| left.reason.as_str() == "below_threshold")
            && !pack.excluded.is_empty()
    );
}
