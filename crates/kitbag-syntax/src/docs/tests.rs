//! Comments and their words.

use super::{push_words, summary};
use crate::by_name;

fn words(language: &str, comment: &str) -> String {
    let mut out = String::new();
    push_words(&mut out, comment, &by_name(language).unwrap().comments);
    out
}

#[test]
fn markers_are_stripped() {
    assert_eq!(words("rust", "/// Adds *one*.\n"), "Adds *one*.");
    assert_eq!(words("rust", "//! Inner."), "Inner.");
    assert_eq!(
        words("typescript", "/**\n * Adds.\n *\n * @param n - how many\n */"),
        "Adds.\n\n@param n - how many\n"
    );
    assert_eq!(
        words("python", "\"\"\"Adds.\n\n    More.\n    \"\"\""),
        "Adds.\n\nMore.\n"
    );
    assert_eq!(words("python", "# Adds."), "Adds.");
}

#[test]
fn idx_20_markup_of_documentation_is_no_word_of_it() {
    assert_eq!(words("csharp", "/// <summary>Adds.</summary>"), "Adds.");
    let mut out = String::new();
    for line in [
        "/// <summary>",
        "/// Adds one.",
        "/// </summary>",
        "/// <param name=\"n\">What to.</param>",
    ] {
        push_words(&mut out, line, &by_name("csharp").unwrap().comments);
    }
    assert_eq!(out, "Adds one.\n<param name=\"n\">What to.</param>");
    assert_eq!(words("java", "/**\n * Adds.\n * <p>More.\n */"), "Adds.\nMore.\n");
    assert_eq!(words("rust", "/// A `Vec<p>` of them."), "A `Vec<p>` of them.");
}

#[test]
fn idx_20_the_summary_is_the_first_sentence() {
    let known = [
        ("Adds one. Then two.", "Adds one."),
        (
            "\n\nReads version 1.2 of\nthe file\n\nMore.",
            "Reads version 1.2 of the file",
        ),
        ("Adds.\n@param n", "Adds."),
        ("# Heading", ""),
        ("足す。引く。", "足す。"),
        ("", ""),
    ];
    for (docs, expected) in known {
        assert_eq!(summary(docs), expected, "{docs:?}");
    }
    assert_eq!(summary(&"word ".repeat(500)).chars().count(), 200);
}
