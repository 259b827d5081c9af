//! Tables of valid and invalid values; written values are read back unchanged.

use super::{Value, between_commas, checked, is_glob, shortened};
use crate::settings::keys::{Kind, Word};

fn list(items: &[&str]) -> Value {
    Value::List(items.iter().map(|item| (*item).to_owned()).collect())
}

#[test]
fn cfg_3_ranges_are_inclusive() {
    let count = Kind::Count { min: 1, max: 5 };
    for (n, fits) in [(0, false), (1, true), (5, true), (6, false)] {
        assert_eq!(checked(Value::Count(n), count).is_ok(), fits, "{n}");
    }
    let ratio = Kind::Ratio { min: 0.0, max: 1.0 };
    for (x, fits) in [
        (-0.1, false),
        (0.0, true),
        (1.0, true),
        (1.1, false),
        (f64::NAN, false),
        (f64::INFINITY, false),
    ] {
        assert_eq!(checked(Value::Ratio(x), ratio).is_ok(), fits, "{x}");
    }
    assert_eq!(checked(Value::Count(1), ratio), Ok(Value::Ratio(1.0)));
    assert_eq!(
        checked(Value::Bool(true), count),
        Err("a whole number from 1 to 5".to_owned())
    );
}

#[test]
fn extensions_are_forgiven_their_dot_and_capitals() {
    let kind = Kind::List(Word::Extension);
    assert_eq!(
        checked(list(&[".RS", "tar.gz"]), kind),
        Ok(list(&["rs", "tar.gz"]))
    );
    for wrong in ["", ".", "*.rs", "src/a"] {
        let message = checked(list(&["rs", wrong]), kind).expect_err(wrong);
        assert_eq!(
            message,
            format!("a list, each a file extension, such as \"rs\"; \"{wrong}\" is not")
        );
    }
}

#[test]
fn cfg_3_globs_that_cannot_be_meant_are_refused() {
    for good in [
        "*.rs",
        "a/**/b",
        "{a,b{c,d}}",
        "[ab]",
        "[!a]",
        "[]]",
        "[^]a]",
        "a\\[",
        "[{]",
        "日本/*",
    ] {
        assert!(is_glob(good), "{good}");
    }
    for bad in ["{a", "a}", "[a", "a\\", "[", "[]", "[!]", "{a}}"] {
        assert!(!is_glob(bad), "{bad}");
    }
}

#[test]
fn models_need_a_known_tokenizer() {
    let kind = Kind::Text(Word::Model);
    assert!(checked(Value::Text("claude-sonnet-4-5".to_owned()), kind).is_ok());
    assert!(checked(Value::Text("eliza".to_owned()), kind).is_err());
}

#[test]
fn cfg_1_text_is_read_by_its_kind() {
    let globs = Kind::List(Word::Glob);
    for (text, kind, expected) in [
        ("true", Kind::Bool, Some(Value::Bool(true))),
        ("0", Kind::Bool, Some(Value::Bool(false))),
        ("yes", Kind::Bool, None),
        ("12", Kind::Count { min: 0, max: 1 }, Some(Value::Count(12))),
        ("-1", Kind::Count { min: 0, max: 1 }, None),
        ("0.5", Kind::Ratio { min: 0.0, max: 1.0 }, Some(Value::Ratio(0.5))),
        ("a, b/*", globs, Some(list(&["a", "b/*"]))),
        ("*.{js,ts},c", globs, Some(list(&["*.{js,ts}", "c"]))),
        ("[\"a,b\", 'c']", globs, Some(list(&["a,b", "c"]))),
        ("[1]", globs, None),
        ("[\"a\"", globs, None),
        ("", globs, Some(list(&[]))),
    ] {
        assert_eq!(Value::from_text(text, kind), expected, "{text}");
    }
    assert_eq!(between_commas("},a"), ["}", "a"]);
}

#[test]
fn values_written_as_toml_are_read_back() {
    for text in [
        "",
        "plain",
        "a\"b",
        "a\\d'",
        "it's \"x\"",
        "a\nb\t\u{1b}[0m\u{7f}",
        "\\d+",
        "日本",
    ] {
        let Value::List(back) =
            Value::from_text(&list(&[text]).to_toml(), Kind::List(Word::Glob)).expect(text)
        else {
            panic!("a list")
        };
        assert_eq!(back, [text]);
    }
    assert_eq!(Value::Ratio(1.0).to_toml(), "1.0");
}

#[test]
fn sec_3_shown_values_are_short_and_clean() {
    assert_eq!(shortened("a\u{1b}[2J\nb"), "a [2J b");
    assert_eq!(shortened(&"x".repeat(61)).chars().count(), 61);
    assert_eq!(shortened(&"x".repeat(60)), "x".repeat(60));
}
