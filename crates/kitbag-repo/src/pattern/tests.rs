//! IDX-3: git's own words about patterns. Whole trees are compared with git in `walk/tests.rs`.

use super::{IgnoreFile, Pattern};

/// The patterns and the path; whether git ignores it. `/` at the end of the path says folder.
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
