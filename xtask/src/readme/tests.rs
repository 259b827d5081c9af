//! Good and bad command blocks.

use super::commands;

#[test]
fn two_commands_are_found_among_comments() {
    let readme = "# Kitbag\n\n```sh\n# look\ncargo run -- search x\n\n# test\ncargo test --workspace\n```\n```sh\nmore\n```\n";
    let found = commands(readme).expect("two commands");
    assert_eq!(
        (found.show, found.test),
        ("cargo run -- search x", "cargo test --workspace")
    );
}

#[test]
fn none_one_or_three_commands_are_refused() {
    for (readme, n) in [
        ("# Kitbag\n", 0),
        ("```sh\na\n```\n", 1),
        ("```sh\na\nb\nc\n```\n", 3),
    ] {
        let message = commands(readme).expect_err("refused");
        assert!(message.ends_with(&format!("it holds {n}")), "{message}");
    }
}
