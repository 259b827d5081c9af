//! Names that are gone, and names that are not ours to judge.

use super::*;

fn file(path: &str, text: &str) -> File {
    File {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}

#[test]
fn names_that_are_gone_are_found() {
    let files = [
        file("crates/a/src/rank.rs", "pub fn fuse() {}\n"),
        file(
            "docs/x.md",
            "See `rank.rs`, `a/src/rank.rs` and `crates/a/`.\nNot `boost.rs` or `crates/b`.\n`rank::fuse`, not `rank::boost`.\n",
        ),
        file("CHANGELOG.md", "`boost.rs` is gone.\n"),
    ];
    assert_eq!(
        check(&files),
        [
            "docs/x.md:2: `boost.rs` is not in the repository",
            "docs/x.md:2: `crates/b` is not in the repository",
            "docs/x.md:3: `rank::boost`: no source has the name boost",
        ]
    );
}

#[test]
fn what_is_not_ours_is_left_alone() {
    let text = "`package.json`, `src/**`, `<name>.rs`, `a/b`, `.rs`, `POST /v1/pack`\n```\n`gone.rs`\n```\n`std::<T>`\n";
    assert!(check(&[file("docs/x.md", text)]).is_empty());
}
