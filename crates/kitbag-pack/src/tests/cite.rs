//! Citations (PACK-61): unlike each other, the same every time, found again in what a model answered.

use kitbag_testkit::random::Random;
use kitbag_types::ChunkKind;

use super::world::plain_piece;
use crate::cite::citations;
use crate::{Origin, Piece, citations_in, prefix_of};

#[test]
fn pack_61_citations_are_short_unlike_and_the_same_every_time() {
    let random = &mut Random::new(61);
    let mut pieces: Vec<Piece> = (0..3_000).map(|n| plain_piece(n, "a.rs", 1, "x")).collect();
    for piece in &mut pieces {
        // Few different ids, so that many must be told apart.
        piece.id = format!("{:016x}", random.below(900));
        piece.kind = random.pick(&ChunkKind::ALL);
    }
    for id in ["", "not hexadecimal", "ffffffffffffffffffffffff", "é"] {
        pieces.push(Piece {
            id: id.to_owned(),
            ..pieces[0].clone()
        });
    }
    let made = citations(&pieces);
    let mut unlike = made.clone();
    unlike.sort();
    unlike.dedup();
    assert_eq!(unlike.len(), pieces.len());
    assert_eq!(made, citations(&pieces));
    assert_eq!(
        made[..100],
        citations(&pieces[..100]),
        "what follows changes nothing"
    );
    assert_eq!(citations_in(&made.join("\n")), made);
    let alone: Vec<Piece> = (0..50).map(|n| plain_piece(n, "a.rs", 1, "x")).collect();
    assert!(
        citations(&alone)
            .iter()
            .all(|citation| citation.len() == "fn-3kx9".len())
    );
}

#[test]
fn pack_61_every_kind_of_piece_has_a_prefix_that_is_found_again() {
    for origin in Origin::ALL {
        for kind in ChunkKind::ALL {
            let citation = format!("{}-3kx9", prefix_of(origin, kind));
            assert_eq!(citations_in(&format!("see [{citation}].")), [citation]);
        }
    }
}

#[test]
fn pack_61_citations_are_found_in_an_answer() {
    let table: &[(&str, &[&str])] = &[
        ("", &[]),
        ("As [fn-3kx9] shows", &["fn-3kx9"]),
        ("(fn-3kx9)", &["fn-3kx9"]),
        (
            "**fn-3kx9**, `cl-00ab`; “md-zzzz”…",
            &["fn-3kx9", "cl-00ab", "md-zzzz"],
        ),
        ("fn-3kx9—cl-00ab–md-zzzz", &["fn-3kx9", "cl-00ab", "md-zzzz"]),
        ("fn-3kx9- and --fn-4444--", &["fn-3kx9", "fn-4444"]),
        ("[fn-3kx9][fn-3kx9] fn-3kx9.", &["fn-3kx9"]),
        ("fn-3kx9\nfn-3kx9a", &["fn-3kx9", "fn-3kx9a"]),
        ("[fn-3kx9]: see", &["fn-3kx9"]),
        ("漢fn-3kx9字", &["fn-3kx9"]),
        ("fn-3kx", &[]),
        ("xx-3kx9 fn_3kx9 fn-3KX9 fn-oooo fn-", &[]),
        ("fn-3kx9-extra", &[]),
    ];
    for (answer, expected) in table {
        assert_eq!(citations_in(answer), *expected, "{answer}");
    }
}
