//! RET-26: what is said of a match.

use super::*;

fn said(score: f64, word: &str, names: &[&str], words: &[&str]) -> String {
    let owned = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect();
    let matched = Matched {
        score,
        word: word.to_owned(),
        unknown_names: owned(names),
        unknown_words: owned(words),
        ..Matched::default()
    };
    matched.say().unwrap_or_default()
}

#[test]
fn ret_26_what_does_not_exist_is_named_first() {
    assert_eq!(said(0.9, "strong", &[], &[]), "");
    assert_eq!(
        said(0.9, "strong", &["FooBar"], &[]),
        "Nothing in this project is called `FooBar`."
    );
    let weak = said(0.1, "weak", &["FooBar"], &["consensus", "blockchain"]);
    assert!(
        weak.starts_with(
            "Nothing in this project is called `FooBar`. Nothing in this project mentions consensus or blockchain. Weak match"
        ),
        "{weak}"
    );
    let many = ["a", "b", "c", "d", "e", "f", "g", "h"];
    assert_eq!(
        said(0.5, "fair", &[], &many),
        "Nothing in this project mentions a, b, c, d, e, f or 2 other words of the question."
    );
}
