//! Repeats and contradictions.

use super::*;

fn check(a: &str, b: &str, expected: Option<Likeness>) {
    let row = |content: &str| MemoryRow {
        content: content.into(),
        ..MemoryRow::default()
    };
    assert_eq!(likeness(&row(a), &row(b)), expected, "{a} / {b}");
    assert_eq!(likeness(&row(b), &row(a)), expected, "{b} / {a}");
}

#[test]
fn mem_3_repeated_and_contradicting_memories_are_told_apart() {
    check(
        "Prices are stored in cents.",
        "All prices stored as cents",
        Some(Likeness::Alike),
    );
    check(
        "Retry payments on timeout",
        "Never retry payments on timeout",
        Some(Likeness::Contradicts),
    );
    check(
        "The timeout of payments is 30 seconds",
        "The timeout of payments is 60 seconds",
        Some(Likeness::Contradicts),
    );
    check("Prices are stored in cents", "Migrations run at start", None);
    check("", "Migrations run at start", None);
}

#[test]
fn mem_3_the_same_words_are_the_same_memory() {
    assert!(same_words("Use tabs.", "use  tabs"));
    assert!(!same_words("Use tabs", "Use spaces"));
    assert!(!same_words("!", "?"));
}
