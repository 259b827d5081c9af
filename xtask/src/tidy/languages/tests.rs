//! A complete language passes; each missing part is named.

use super::check;
use crate::tidy::File;

const COMPLETE: &[(&str, &str)] = &[
    (
        "crates/kitbag-syntax/src/languages/table.rs",
        "include_str!(\"../../queries/c/tags.scm\")",
    ),
    ("crates/kitbag-syntax/queries/c/tags.scm", ""),
    ("crates/kitbag-syntax/fixtures/c.c", ""),
    (
        "crates/kitbag-syntax/src/snapshots/kitbag_syntax__tests__c.snap",
        "",
    ),
];

fn problems(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<File> = files
        .iter()
        .map(|(path, text)| File {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        })
        .collect();
    check(&files)
}

#[test]
fn a_complete_language_passes() {
    assert_eq!(problems(COMPLETE), Vec::<String>::new());
}

#[test]
fn each_missing_part_is_named() {
    for (without, expected) in [
        (0, "a row in src/languages/table.rs"),
        (2, "fixtures/c.<extension>"),
        (3, "a snapshot with c in its name"),
    ] {
        let mut files = COMPLETE.to_vec();
        files.remove(without);
        // Another language's files must not stand in for those of `c`.
        files.push((
            "crates/kitbag-syntax/src/snapshots/kitbag_syntax__tests__css.snap",
            "",
        ));
        files.push(("crates/kitbag-syntax/fixtures/css.css", ""));
        let found = problems(&files);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with(&format!("crates/kitbag-syntax/: language c lacks {expected}")),
            "{found:?}"
        );
    }
}

#[test]
fn a_folder_without_a_query_fails() {
    let found = problems(&[("crates/kitbag-syntax/queries/zig/notes.md", "")]);
    assert!(
        found.contains(&"crates/kitbag-syntax/: language zig lacks queries/zig/tags.scm".to_owned()),
        "{found:?}"
    );
}
