//! MEM-1: what is written can be read, and merges.

use kitbag_store::{CitationRow, MemoryRow};

use super::*;

fn row(content: &str, symbol: &str) -> MemoryRow {
    MemoryRow {
        kind: "decision".into(),
        content: content.into(),
        tags: vec!["money".into()],
        confidence: 0.9,
        citations: vec![CitationRow {
            path: "src/cart.rs".into(),
            symbol: symbol.into(),
            ..CitationRow::default()
        }],
        ..MemoryRow::default()
    }
}

#[test]
fn mem_1_an_export_is_read_back_whole_and_does_not_depend_on_order() {
    let rows = [
        row(
            "Prices are in cents.\n\n## Not a heading\n- cites: not one",
            "Cart::add",
        ),
        row("Never retry.", ""),
    ];
    let text = written(&rows);
    assert_eq!(text, written(&[rows[1].clone(), rows[0].clone()]));
    let (blocks, wrong) = read(&text).unwrap();
    assert_eq!(wrong, Vec::<String>::new());
    let mut contents: Vec<&str> = blocks
        .iter()
        .map(|block| block.request.content.as_str())
        .collect();
    contents.sort_unstable();
    assert_eq!(
        contents,
        [
            "Never retry.",
            "Prices are in cents.\n\n## Not a heading\n- cites: not one"
        ]
    );
    let prices = blocks
        .iter()
        .find(|block| block.request.content.starts_with("Prices"))
        .unwrap();
    assert_eq!(prices.request.cites, ["src/cart.rs#Cart::add"]);
    assert_eq!(prices.request.confidence, Some(0.9));
    assert_eq!(prices.request.tags, ["money"]);
}

#[test]
fn mem_1_adding_a_memory_adds_a_block_and_changes_no_other() {
    let before = written(&[row("a", ""), row("c", "")]);
    let after = written(&[row("a", ""), row("b", ""), row("c", "")]);
    let kept: Vec<&str> = before.lines().collect();
    let mut rest = after.lines();
    assert!(
        kept.iter().all(|line| rest.any(|other| other == *line)),
        "{after}"
    );
}

#[test]
fn mem_6_private_and_archived_memories_are_not_exported() {
    let secret = MemoryRow {
        private: true,
        ..row("mine", "")
    };
    let old = MemoryRow {
        archived: true,
        ..row("old", "")
    };
    let text = written(&[secret, old]);
    assert!(!text.contains("mine") && !text.contains("old"), "{text}");
}

#[test]
fn mem_1_what_is_wrong_with_a_file_is_said_by_line() {
    let text = "## decision x\n> a\n- colour: red\n<<<<<<< HEAD\n## rumour y\n";
    let (blocks, wrong) = read(text).unwrap();
    assert_eq!(blocks.len(), 1);
    assert_eq!(wrong.len(), 3, "{wrong:?}");
    assert!(
        wrong[0].starts_with("line 3: unknown field `colour`"),
        "{wrong:?}"
    );
    assert!(read("# Notes\n\nsome words\n").is_none());
}
