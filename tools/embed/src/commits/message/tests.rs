use super::cleaned;

#[test]
fn a_message_keeps_what_people_said() {
    let message = "Keep the cursor when a split closes (#812)\n\nThe window forgot it. Fixes #12\n\n```\nabort: #3\n```\nSigned-off-by: A <a@b>\nReviewed-by: B";
    let text = cleaned(message).unwrap();
    assert_eq!(
        text,
        "Keep the cursor when a split closes\n\nThe window forgot it.\n\n```\nabort: #3\n```"
    );
}

#[test]
fn chores_say_nothing_of_code() {
    for subject in [
        "Merge branch 'main' into x",
        "Revert \"Add the thing again\"",
        "bump serde from 1 to 2",
        "chore(deps): take the newer parser",
        "docs: say what the parser does",
        "Fix typo in the parser",
        "Release 1.2.3 of everything",
        "fix it",
        "",
    ] {
        assert_eq!(cleaned(subject), None, "{subject}");
    }
    assert!(cleaned("fix(parser): keep the last token of a line").is_some());
}
