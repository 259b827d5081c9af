//! What is recalled, and how much it concerns a question.

use kitbag_store::{CitationRow, MemoryRow};

use super::*;

fn rows(contents: &[&str]) -> Vec<MemoryRow> {
    let row = |(idx, content): (usize, &&str)| MemoryRow {
        id: idx as i64,
        content: (*content).into(),
        ..MemoryRow::default()
    };
    contents.iter().enumerate().map(row).collect()
}

fn check(contents: &[&str], query: &str, expected: &[bool]) {
    let found: Vec<bool> = by_words(&rows(contents), query)
        .iter()
        .map(|share| *share > 0.2)
        .collect();
    assert_eq!(found, expected, "{query:?}");
}

#[test]
fn mem_2_memories_come_by_the_words_they_share() {
    let all = [
        "prices are stored in cents",
        "migrations run at start",
        "never retry payments",
    ];
    check(&all, "how is a price stored", &[true, false, false]);
    check(&all, "retrying a payment", &[false, false, true]);
    check(&all, "colour of the page", &[false, false, false]);
}

#[test]
fn mem_2_a_rare_word_counts_more() {
    let all = rows(&["the cache is warm", "the cache is cold", "the cache has locks"]);
    let found = by_words(&all, "cache locks");
    assert!(found[2] > found[1] && found[1] == found[0], "{found:?}");
}

#[test]
fn mem_2_memories_come_by_the_files_and_names_of_the_task() {
    let row = MemoryRow {
        citations: vec![CitationRow {
            path: "src/cart.rs".into(),
            symbol: "Cart::add".into(),
            ..CitationRow::default()
        }],
        files: vec!["docs/prices.md".into()],
        ..MemoryRow::default()
    };
    let place = |files: &[&str], symbols: &[&str]| {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let (files, symbols) = (owned(files), owned(symbols));
        by_place(
            &row,
            &Asked {
                text: "",
                files: &files,
                symbols: &symbols,
            },
        )
    };
    assert_eq!(place(&[], &["Cart::add"]), 1.0);
    assert_eq!(place(&[], &["add"]), 1.0);
    assert_eq!(place(&["src/cart.rs"], &[]), 0.7);
    assert_eq!(place(&["docs/prices.md"], &["remove"]), 0.7);
    assert_eq!(place(&["src/page.rs"], &["remove"]), 0.0);
}
