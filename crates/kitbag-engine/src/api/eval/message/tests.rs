//! RET-42: which messages become questions, and what is left of them.

use super::question;

#[track_caller]
fn check(subject: &str, body: &str, expected: Result<&str, &'static str>) {
    let found = question(subject, body);
    assert_eq!(found.as_deref().map_err(|why| *why), expected, "{subject:?}");
}

#[test]
fn ret_42_what_was_written_for_programs_goes() {
    check(
        "fix(parser)!: Keep the last comment (#123)",
        "",
        Ok("Keep the last comment"),
    );
    check("Keep UTF-8 text [ABC-12]", "", Ok("Keep UTF-8 text"));
    check("ABC-12: keep the text", "", Ok("keep the text"));
    check(
        "parser: keep the last comment",
        "",
        Ok("parser: keep the last comment"),
    );
    check(
        "Hold the lock for less",
        "It was held too long, see\nhttps://example.com/x for more.\n\n\nFixes #12, #13\nCloses owner/name#4\n\nSigned-off-by: K <k@example.com>\nChange-Id: I12",
        Ok("Hold the lock for less\n\nIt was held too long, see\nfor more."),
    );
    check(
        "Note: this stays as it is",
        "Reason: it is prose.\n---------\n* one more\n(cherry picked from commit 12)",
        Ok("Note: this stays as it is\n\nReason: it is prose.\n* one more"),
    );
}

#[test]
fn ret_42_messages_that_say_nothing_about_the_code() {
    for (why, subjects) in [
        ("a merge", &["Merge branch 'x' into main"][..]),
        (
            "a revert",
            &["Revert \"Add a cache\"", "revert: add a cache to the client"],
        ),
        (
            "unfinished",
            &["fixup! Add a cache to it", "WIP on the new cache"],
        ),
        (
            "a release or a version",
            &[
                "Bump serde from 1.0.1 to 1.0.2",
                "chore(release): release version 2.0",
                "v1.2.3",
                "Release notes",
                "Prepare 0.4.0 for everybody",
                "Update version to 3.0.0",
            ],
        ),
        (
            "formatting",
            &[
                "cargo fmt",
                "style: wrap the long lines again",
                "Fix typo in comment",
                "Run prettier",
            ],
        ),
        (
            "fewer than three words",
            &["cleanup", "Fix bug", "fix: tests (#12)", "1 2 3 4"],
        ),
    ] {
        for subject in subjects {
            check(subject, "", Err(why));
        }
    }
    check("Undo the cache", "This reverts commit 1234.", Err("a revert"));
}

#[test]
fn ret_42_words_that_only_look_like_it() {
    for subject in [
        "Format dates in the report by the user's locale",
        "Update the parser to keep comments",
        "Versions are compared by number",
        "Merging of lists is stable",
        "Release the lock before waiting for IO",
    ] {
        check(subject, "", Ok(subject));
    }
}
