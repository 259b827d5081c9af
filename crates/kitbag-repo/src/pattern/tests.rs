//! Patterns as git documents them (IDX-3). `walk/tests.rs` compares whole trees with git.

use super::{IgnoreFile, Pattern};
use kitbag_testkit::fuzz::{Material, fuzz};

/// Checks whether git ignores the path with these patterns. `/` at the end of the path marks a folder.
fn check(patterns: &str, path: &str, ignored: bool) {
    let file = IgnoreFile::parse(".gitignore".to_owned(), String::new(), patterns.as_bytes());
    let (path, is_folder) = path.strip_suffix('/').map_or((path, false), |path| (path, true));
    let found = file
        .matched(path, is_folder)
        .is_some_and(|pattern| !pattern.negated);
    assert_eq!(found, ignored, "{patterns:?} on {path:?}");
}

#[test]
fn idx_3_names_and_paths() {
    check("*.log", "a/b.log", true);
    check("*.log", "a/b.log.txt", false);
    check("/a", "a", true);
    check("/a", "b/a", false);
    check("b/a", "b/a", true);
    check("b/a", "c/b/a", false);
    check("a/", "a", false);
    check("a/", "x/a/", true);
    check("*.log\n!keep.log", "keep.log", false);
    check("!keep.log\n*.log", "keep.log", true);
}

#[test]
fn idx_3_stars() {
    check("**/a", "x/y/a", true);
    check("**/a", "a", true);
    check("a/**", "a/x/y", true);
    check("a/**", "a/", false);
    check("a/**/b", "a/b", true);
    check("a/**/b", "a/x/y/b", true);
    check("a/*/b", "a/x/y/b", false);
    check("a/x**y/b", "a/x12y/b", true);
    check("a/x**y/b", "a/x1/2y/b", false);
    check("a**/b", "a1/2/b", true);
    check("*a*b*c*", "xxaxxbxxcxx", true);
    check("*a*b*c*", "xxcxxbxxaxx", false);
}

#[test]
fn idx_3_classes_escapes_spaces() {
    check("[abc].txt", "b.txt", true);
    check("[!abc].txt", "b.txt", false);
    check("[^abc].txt", "d.txt", true);
    check("[a-c]x", "bx", true);
    check("[]]x", "]x", true);
    check("[[:digit:]]x", "7x", true);
    check("[[:digit:]]x", "ax", false);
    check("[a-", "a", false);
    check("x[/]y", "x/y", false);
    check("\\#a", "#a", true);
    check("\\!a", "!a", true);
    check("a\\*", "a*", true);
    check("a\\*", "ab", false);
    check("a ", "a", true);
    check("a\\ ", "a ", true);
    check("a\t", "a", false);
    check("*.{js,ts}", "a.js", false);
    check("*.{js,ts}", "a.{js,ts}", true);
    check("#a", "#a", false);
    check("\u{FEFF}a\r\nb\r\n", "a", true);
    check("a\r\nb\r\n", "b", true);
}

#[test]
fn idx_3_the_deciding_line_is_named() {
    let file = IgnoreFile::parse(".gitignore".to_owned(), String::new(), b"# logs\n\n*.log\n");
    let pattern = file.matched("a.log", false).unwrap();
    assert_eq!(file.explain(pattern), ".gitignore:3: *.log");
}

#[test]
fn sec_4_hostile_pattern_takes_no_time() {
    let pattern = "*a".repeat(200);
    check(&pattern, &"a".repeat(4000), true);
    check(&format!("{pattern}b"), &"a".repeat(4000), false);
    check(
        &format!("x/{}b", "**/a/".repeat(200)),
        &format!("x/{}", "a/".repeat(2000)),
        false,
    );
}

#[test]
fn cfg_3_patterns_that_never_match_are_refused() {
    assert!(Pattern::why_never("*.log").is_none());
    for bad in ["[a", "a\\", "", "# x", "[[:nope:]]"] {
        assert!(Pattern::why_never(bad).is_some(), "{bad}");
    }
}

/// The same by brute force: every token against every position.
fn slow(tokens: &[super::Token], text: &[u8]) -> bool {
    use super::Token;
    let Some((token, rest)) = tokens.split_first() else {
        return text.is_empty();
    };
    let takes = |fits: bool| fits && slow(rest, &text[1..]);
    match token {
        Token::Byte(byte) => takes(text.first() == Some(byte)),
        Token::One => takes(text.first().is_some_and(|other| *other != b'/')),
        Token::Class(set) => takes(text.first().is_some_and(|other| set[usize::from(*other)])),
        Token::Star => {
            let n = text.iter().position(|byte| *byte == b'/').unwrap_or(text.len());
            (0..=n).any(|at| slow(rest, &text[at..]))
        }
        Token::StarStar => (0..=text.len()).any(|at| slow(rest, &text[at..])),
        Token::Folders => {
            slow(rest, text) || (0..text.len()).any(|at| text[at] == b'/' && slow(rest, &text[at + 1..]))
        }
    }
}

proptest::proptest! {
    #[test]
    fn idx_3_all_positions_at_once_answer_like_one_after_the_other(
        pattern in "([ab/?*]|\\*\\*/|\\[a-b\\]){1,9}",
        text in "[ab/]{0,9}",
        long in proptest::bool::ANY,
    ) {
        // The text crosses the edge of a word of 64 positions.
        let text = if long { format!("{}{text}", "ab/".repeat(21)) } else { text };
        let tokens = super::tokens(pattern.as_bytes()).expect("it is a pattern");
        proptest::prop_assert_eq!(
            super::matches(&tokens, text.as_bytes()),
            slow(&tokens.tokens, text.as_bytes()),
            "{} on {}", pattern, text
        );
    }
}

/// Hostile ignore files (SEC-4). Steps are counted, so that a slow machine is not a failure.
#[test]
fn sec_4_hostile_patterns_are_shorter_than_they_look() {
    let folders = super::tokens("**/".repeat(5_000).as_bytes()).expect("a pattern");
    assert_eq!(folders.tokens.len(), 1);
    let needs_many = super::tokens("**/a/".repeat(1_000).as_bytes()).expect("a pattern");
    assert_eq!(needs_many.least, 2_000, "no path of fewer bytes is looked at");
    let stars = "*a".repeat(120);
    let hostile: String = (0..500).map(|_| format!("{stars}b\n")).collect();
    let file = IgnoreFile::parse(".gitignore".to_owned(), String::new(), hostile.as_bytes());
    for _ in 0..50 {
        assert!(file.matched(&"a".repeat(250), false).is_none());
    }
}

#[test]
fn sec_6_fuzz_ignore_files() {
    let material = Material::new(
        &["*.log\n!keep.log\n/build/\n**/node_modules/**\n[a-z]?x/**/y\n\\#x\\ \n[[:alpha:]_]*\n"],
        &[
            "**",
            "*",
            "?",
            "/",
            "!",
            "[",
            "]",
            "[!a-",
            "[[:alpha:]]",
            "\\",
            "a",
            "b/",
            ".rs",
            "\n",
            "**/",
        ],
    );
    let paths = ["a", "a/b", "src/deep/er/file.rs", "b/a/b/a/b/a/b.rs", "\u{e9}/x"];
    fuzz("ignore files", &material, |input| {
        let file = IgnoreFile::parse(".gitignore".to_owned(), String::new(), input);
        for path in paths {
            for is_folder in [false, true] {
                if let Some(found) = file.matched(path, is_folder) {
                    assert!(
                        file.explain(found).starts_with(".gitignore:"),
                        "{}",
                        file.explain(found)
                    );
                }
            }
            file.brings_below(path);
        }
    });
}
