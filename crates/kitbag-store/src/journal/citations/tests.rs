//! What is written is read; what is not ours is passed over.

use super::*;

#[test]
fn mem_3_a_citation_comes_back_whole() {
    let citation = CitationRow {
        path: "src/a\tb\\n.rs".into(),
        symbol: "Cart::add".into(),
        line_start: 3,
        n_copies: 7,
        what: "line one\nline two\r".into(),
        since: "abc".into(),
        ..CitationRow::default()
    };
    let other = CitationRow {
        path: "b.py".into(),
        ..CitationRow::default()
    };
    let text = encoded(&[citation.clone(), other.clone()]);
    let read: Vec<CitationRow> = text.lines().filter_map(CitationRow::decoded).collect();
    assert_eq!(read, [citation, other]);
}

#[test]
fn sec_6_a_line_that_is_not_ours_is_passed_over() {
    for line in [
        "",
        "a\tb",
        &"\t".repeat(20),
        &format!("{}x", "\t".repeat(20)),
        &"1\t".repeat(40),
    ] {
        assert_eq!(CitationRow::decoded(line), None, "{line:?}");
    }
}
