//! Misspellings that are recognised, and words that are not.

use super::{distance, nearest};

#[test]
fn distances() {
    for (a, b, expected) in [
        ("", "", 0),
        ("a", "", 1),
        ("", "ab", 2),
        ("kitten", "sitting", 3),
        ("hidden", "hiddne", 1),
        ("ü", "u", 1),
    ] {
        assert_eq!(distance(a, b), expected, "{a} {b}");
        assert_eq!(distance(b, a), expected, "{b} {a}");
    }
}

#[test]
fn cfg_3_the_nearest_word_is_found_if_it_is_near() {
    let known = ["max_file_bytes", "warn_file_bytes", "hidden", "workers"];
    for (word, expected) in [
        ("max_file_byte", Some("max_file_bytes")),
        ("MaxFileBytes", Some("max_file_bytes")),
        ("hiden", Some("hidden")),
        ("wrokers", Some("workers")),
        ("embedding", None),
        ("x", None),
        ("", None),
    ] {
        assert_eq!(nearest(word, known.into_iter()), expected, "{word}");
    }
}
