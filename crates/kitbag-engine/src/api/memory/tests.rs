//! What is recalled, and in which order.

use kitbag_store::MemoryRow;
use kitbag_types::Timestamp;

use super::scored;

fn rows(contents: &[&str]) -> Vec<MemoryRow> {
    let row = |(idx, content): (usize, &&str)| MemoryRow {
        id: idx as i64,
        kind: "decision".into(),
        content: (*content).into(),
        files: Vec::new(),
        tags: Vec::new(),
        created: Timestamp(0),
        ..MemoryRow::default()
    };
    contents.iter().enumerate().map(row).rev().collect()
}

fn check(contents: &[&str], query: Option<&str>, expected: &[&str]) {
    let found = scored(rows(contents), query);
    let found: Vec<&str> = found.iter().map(|(row, _)| row.content.as_str()).collect();
    assert_eq!(found, expected, "{query:?}");
}

#[test]
fn mem_2_memories_come_by_the_words_they_share() {
    let all = [
        "prices are stored in cents",
        "migrations run at start",
        "never retry payments",
    ];
    check(
        &all,
        Some("how is a price stored"),
        &["prices are stored in cents"],
    );
    check(&all, Some("retrying a payment"), &["never retry payments"]);
    check(&all, Some("colour of the page"), &[]);
    check(
        &all,
        None,
        &[
            "never retry payments",
            "migrations run at start",
            "prices are stored in cents",
        ],
    );
}

#[test]
fn mem_2_a_rare_word_counts_more_and_the_newest_wins_a_tie() {
    let all = ["the cache is warm", "the cache is cold", "the cache has locks"];
    check(
        &all,
        Some("cache locks"),
        &["the cache has locks", "the cache is cold", "the cache is warm"],
    );
}
