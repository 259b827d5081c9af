//! Where a handed-in text stands in its file, and what is kept of a long one.

use std::sync::OnceLock;

use kitbag_types::{FileStamp, RepoPath, SourceFile};

use super::{DiskFile, MOST_CONTENT_BYTES, MOST_CONTENT_LINES, first_part, last_part};

fn find_lines(lines: &[&str], wanted: &[&str]) -> Option<usize> {
    let text = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let file = DiskFile {
        source: SourceFile {
            path: RepoPath::new("a.txt").unwrap(),
            stamp: FileStamp { size: 0, mtime_ns: 0 },
            hash: [0; 32],
            notes: Vec::new(),
            text: text(lines),
        },
        starts: OnceLock::new(),
        joined: OnceLock::new(),
    };
    file.find(&text(wanted))
}

#[test]
fn pack_1_lines_are_found_where_they_stand_first() {
    let lines = ["a", "b", "a", "b", "c", "", "d"];
    let table: &[(&[&str], Option<usize>)] = &[
        (&["a", "b", "a"], Some(0)),
        (&["a", "b", "c"], Some(2)),
        (&["c", "", "d"], Some(4)),
        (&["b", "c", "d"], None),
        (&["", "d", ""], None),
    ];
    for (wanted, at) in table {
        assert_eq!(find_lines(&lines, wanted), *at, "{wanted:?}");
    }
    assert_eq!(
        find_lines(&["xa", "b", "cx"], &["a", "b", "c"]),
        None,
        "whole lines only"
    );
    assert_eq!(find_lines(&[], &["", "", ""]), None);
}

#[test]
fn pack_1_a_file_that_repeats_itself_is_searched_once() {
    let lines = vec!["}"; 200_000];
    let mut wanted = vec!["}"; 100_000];
    assert_eq!(find_lines(&lines, &wanted), Some(0));
    wanted.push("end");
    assert_eq!(find_lines(&lines, &wanted), None);
}

#[test]
fn pack_4_a_line_that_is_longer_than_what_is_kept_is_cut() {
    let long = "ä".repeat(MOST_CONTENT_BYTES);
    let (end, n_before) = last_part(&long);
    assert_eq!((end.len(), n_before), (MOST_CONTENT_BYTES, 0));
    let content = format!("first\n{long}\n\n");
    let (end, n_before) = last_part(&content);
    assert!(end.len() > MOST_CONTENT_BYTES - 4 && end.ends_with("ä\n\n"));
    assert_eq!(n_before, 1);
    let content = format!("{long}\nlast\n");
    assert_eq!(last_part(&content), ("last\n", 1));
    let content = format!("\n{long}");
    assert!(first_part(&content).len() > MOST_CONTENT_BYTES - 4);
    let content = format!("first\n{long}");
    assert_eq!(first_part(&content), "first");
}

#[test]
fn sec_4_a_text_of_many_short_lines_is_cut_by_lines() {
    let numbered = |n: usize| -> String { (1..=n).map(|line| format!("{line}\n")).collect() };
    let whole = numbered(MOST_CONTENT_LINES);
    assert_eq!(first_part(&whole), whole);
    assert_eq!(last_part(&whole), (whole.as_str(), 0));
    let more = numbered(MOST_CONTENT_LINES + 3);
    assert_eq!(first_part(&more), whole);
    let (end, n_before) = last_part(&more);
    assert_eq!(
        (end.lines().count(), end.lines().next(), n_before),
        (MOST_CONTENT_LINES, Some("4"), 3)
    );
}
