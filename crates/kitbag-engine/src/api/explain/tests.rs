//! What a target means.

use super::*;

fn check(target: &str, place: (&str, u32, u32, &str), expected: bool) {
    let (path, first, last, label) = place;
    let place = Place {
        citation: Some("fn-3kx9"),
        rank: Some(4),
        path,
        lines: Some((first, last)),
        label,
    };
    assert_eq!(Target::parse(target).is(&place), expected, "{target}");
}

#[test]
fn pack_15_a_target_is_a_citation_a_rank_a_place_or_a_name() {
    let place = ("src/parse.rs", 10, 20, "Parser::next, peek");
    for target in [
        "fn-3kx9",
        "[fn-3kx9]",
        "4",
        "src/parse.rs",
        "./src/parse.rs",
        "parse.rs",
        "src/parse.rs:10",
        "parse.rs:15-30",
        "Parser::next",
        "next",
        "peek",
    ] {
        check(target, place, true);
    }
    for target in [
        "fn-3kx",
        "44",
        "arse.rs",
        "src",
        "src/parse.rs:9",
        "src/parse.rs:21-30",
        "Parser",
        "ext",
        "",
        ":",
        "eek",
    ] {
        check(target, place, false);
    }
}
