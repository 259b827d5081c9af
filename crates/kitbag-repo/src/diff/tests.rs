//! The diff that goes into a pack (PACK-1, PACK-2, SEC-1).

use kitbag_testkit::fuzz::{Material, fuzz};
use std::path::Path;

use kitbag_testkit::TempTree;
use kitbag_testkit::random::Random;
use proptest::prelude::*;

use super::{Diff, DiffError, paths, unquote};
use crate::secrets::SecretRules;
use crate::{BoundaryOptions, Tree};

fn open(root: &Path) -> Tree {
    Tree::open(root, BoundaryOptions::default(), SecretRules::new(&[]).unwrap()).unwrap()
}

fn diff(tree: &TempTree, revision: Option<&str>) -> Diff {
    open(tree.root()).diff(revision).unwrap()
}

fn repository(fixture: &str) -> TempTree {
    let tree = TempTree::new(fixture);
    tree.git(&["init", "-q"]);
    tree.git(&["config", "core.abbrev", "7"]);
    commit(&tree);
    tree
}

fn commit(tree: &TempTree) {
    tree.git(&["add", "-A"]);
    tree.git(&["commit", "-qm", "x", "--allow-empty"]);
}

/// What git itself shows.
fn gits_own(tree: &TempTree, args: &[&str]) -> String {
    let mut all = vec!["diff", "--diff-algorithm=histogram", "--no-color"];
    all.extend(args);
    tree.git(&all)
}

#[test]
fn pack_1_staged_and_unstaged_but_not_untracked() {
    let tree = repository("//- a.rs\na\n//- b.rs\nb\n//- c.rs\nc\n");
    assert_eq!(diff(&tree, None), Diff::default());
    tree.write("a.rs", "changed\n");
    tree.write("b.rs", "staged\n");
    tree.git(&["add", "b.rs"]);
    tree.remove("c.rs");
    tree.write("new.rs", "untracked\n");
    tree.write("added.rs", "no end of line");
    tree.git(&["add", "added.rs"]);
    let diff = diff(&tree, None);
    assert_eq!(diff.text, gits_own(&tree, &["HEAD"]));
    assert!(diff.text.contains("\n-a\n+changed\n") && diff.text.contains("\n-b\n+staged\n"));
    assert!(
        diff.text
            .contains("\n+no end of line\n\\ No newline at end of file\n")
    );
    assert!(!diff.text.contains("untracked") && !diff.truncated);
}

/// The hunks are cut here and not by git, and must equal git's.
#[test]
fn pack_1_hunks_are_those_of_git() {
    let mut random = Random::new(11);
    let words = "fn a() {\n    b();\n_c\n$d\nclass E:\n\n  x = 1\ngröße\nlong line that goes on and on and on and on and on until it is longer than eighty\n";
    let words: Vec<&str> = words.lines().collect();
    for round in 0..40 {
        let mut pick = |n: usize| random.below(n);
        let mut lines: Vec<&str> = (0..pick(60)).map(|_| words[pick(words.len())]).collect();
        let tree = repository("");
        tree.write("a.txt", lines.join("\n") + if pick(3) == 0 { "" } else { "\n" });
        commit(&tree);
        for _ in 0..pick(6) {
            let at = pick(lines.len() + 1);
            match pick(3) {
                0 => lines.insert(at, "new"),
                1 if at < lines.len() => drop(lines.remove(at)),
                _ if at < lines.len() => lines[at] = "changed",
                _ => lines.push("last"),
            }
        }
        tree.write("a.txt", lines.join("\n") + if pick(3) == 0 { "" } else { "\n" });
        assert_eq!(
            diff(&tree, None).text,
            gits_own(&tree, &["HEAD"]),
            "round {round}"
        );
    }
}

#[test]
fn pack_1_modes_binaries_renames_and_links() {
    let tree = repository("//- run.sh\nx\n//- old.rs\none\ntwo\nthree\nfour\nfive\nsix\n//- t.rs\nt\n");
    tree.write("data.bin", b"a\0b");
    commit(&tree);
    tree.write("data.bin", b"c\0d");
    tree.git(&["mv", "old.rs", "new.rs"]);
    tree.write("new.rs", "one\ntwo\nthree\nfour\nfive\nseven\n");
    tree.git(&["update-index", "--chmod=+x", "run.sh"]);
    let found = diff(&tree, Some("HEAD"));
    assert_eq!(found.text, gits_own(&tree, &["HEAD"]));
    assert!(
        found
            .text
            .contains("Binary files a/data.bin and b/data.bin differ")
    );
    assert!(found.text.contains("rename from old.rs\nrename to new.rs\n"));
}

#[test]
fn pack_1_ranges() {
    let tree = repository("//- a.rs\n1\n//- b.rs\n1\n");
    tree.git(&["branch", "side"]);
    tree.write("a.rs", "2\n");
    commit(&tree);
    tree.git(&["checkout", "-q", "side"]);
    tree.write("b.rs", "2\n");
    commit(&tree);
    tree.write("b.rs", "3\n");
    for (revision, expected) in [
        ("HEAD", "-2+3"),
        ("HEAD~1", "-1+3"),
        ("HEAD~1..HEAD", "-1+2"),
        ("HEAD~1..", "-1+2"),
        ("..HEAD~1", "-2+1"),
        ("main...side", "-1+2"),
        ("main..side", "-2+1-1+2"),
        ("@{0}", "-2+3"),
    ] {
        let text = diff(&tree, Some(revision)).text;
        let changes: String = text
            .lines()
            .filter(|line| line.len() == 2 && line.starts_with(['+', '-']))
            .collect();
        assert_eq!(changes, expected, "{revision}");
    }
}

#[test]
fn sec_4_revisions_that_are_none() {
    let tree = repository("//- a.rs\n1\n//- .env\nSECRET\n");
    tree.write("a.rs", "2\n");
    for revision in [
        "--output=stolen",
        "-p",
        "HEAD..--output=stolen",
        "--output=stolen..HEAD",
        "HEAD --output=stolen",
        "HEAD\n--output=stolen",
        "",
        "nowhere",
        "nowhere..HEAD",
        "HEAD...nowhere",
        "HEAD:.env",
        "HEAD:.env..HEAD:a.rs",
        "^HEAD",
        "--all",
    ] {
        let error = open(tree.root()).diff(Some(revision)).unwrap_err();
        assert_eq!(
            error,
            DiffError::UnknownRevision {
                revision: revision.to_owned()
            }
        );
        assert_eq!(error.code(), "INVALID_REVISION");
    }
    assert!(!tree.path("stolen").exists());
}

#[test]
fn pack_1_where_there_is_nothing_to_compare_with() {
    let tree = TempTree::new("//- a.rs\n1\n");
    let code = || open(tree.root()).diff(None).unwrap_err();
    assert!(matches!(code(), DiffError::NotARepository { .. }));
    tree.git(&["init", "-q"]);
    assert_eq!(code(), DiffError::NoCommit);
    tree.write(".git/HEAD", "nonsense");
    assert!(matches!(code(), DiffError::NoAnswer { .. }));
    let tree = repository("//- a.rs\n1\n");
    tree.git(&["checkout", "-q", "--orphan", "other"]);
    tree.write("a.rs", "2\n");
    commit(&tree);
    let error = open(tree.root()).diff(Some("main...other")).unwrap_err();
    assert!(matches!(error, DiffError::Unrelated { .. }), "{error}");
}

#[test]
fn pack_1_paths_are_relative_to_the_root() {
    let tree = repository("//- top.rs\n1\n//- sub/a.rs\n1\n");
    tree.write("top.rs", "2\n");
    tree.write("sub/a.rs", "2\n");
    let found = open(&tree.path("sub")).diff(None).unwrap();
    assert_eq!(found.text, tree.git(&["diff", "--relative=sub"]));
    assert!(found.text.starts_with("diff --git a/a.rs b/a.rs\n"));
}

#[test]
fn pack_1_configuration_changes_nothing() {
    let tree = repository("//- a.rs\n1\n\n3\n4\n5\n6\n7\n8\n9\n//- b.rs\n1\n");
    tree.write("a.rs", "0\n\n3\n4\n5\n6\n7\n8\n0\n");
    tree.write("b.rs", "2\n");
    let plain = diff(&tree, None);
    tree.write("order", "b.rs\n");
    for (key, value) in [
        ("color.ui", "always"),
        ("core.quotePath", "true"),
        ("diff.context", "0"),
        ("diff.interHunkContext", "9"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.noprefix", "true"),
        ("diff.orderFile", "order"),
        ("diff.relative", "true"),
        ("diff.suppressBlankEmpty", "true"),
        ("diff.wordRegex", "."),
        ("diff.algorithm", "patience"),
    ] {
        tree.git(&["config", key, value]);
    }
    assert_eq!(diff(&tree, None), plain);
}

#[test]
fn pack_2_denied_files_are_left_out_and_named() {
    let tree =
        repository("//- .env\nA=1\n//- a.rs\n1\n//- .env.old\none\ntwo\nthree\nfour\n//- d/q\"\t.pem\nx\n");
    tree.write(".env", "A=2\n");
    tree.write("a.rs", "2\n");
    tree.git(&["mv", ".env.old", "harmless.txt"]);
    tree.write("harmless.txt", "one\ntwo\nthree\nfive\n");
    tree.write("d/q\"\t.pem", "y\n");
    let found = diff(&tree, None);
    assert_eq!(
        found.left_out,
        [
            (".env".to_owned(), "deny-list: .env*".to_owned()),
            ("d/q\"\t.pem".to_owned(), "deny-list: *.pem".to_owned()),
            (".env.old".to_owned(), "deny-list: .env*".to_owned()),
        ]
    );
    assert_eq!(found.text, gits_own(&tree, &["HEAD", "--", "a.rs"]));
}

#[test]
fn pack_1_any_name() {
    let names = [
        "a b/c.rs",
        "ü.rs",
        "x b/x.rs",
        "quote\".rs",
        "line\nbreak.rs",
        "a/b/a/b",
    ];
    let tree = repository("");
    for name in names {
        tree.write(name, "1\n");
    }
    commit(&tree);
    for name in names {
        tree.write(name, "2\n");
    }
    let found = diff(&tree, None);
    assert!(found.left_out.is_empty(), "{:?}", found.left_out);
    assert_eq!(found.text.matches("\n-1\n+2\n").count(), names.len());
    assert_eq!(unquote("\"a/\\303\\274\\t\\\\.rs\"").unwrap(), "a/ü\t\\.rs");
    assert_eq!(unquote("\"open"), None);
    assert_eq!(
        paths("diff --git a/x b/y\n"),
        None,
        "two names without a rename are not understood"
    );
}

#[test]
fn sec_1_both_sides_are_redacted() {
    let (old, new) = (format!("Tr0ub4dor&{}", 3), format!("hunter{}-correct-horse", 2));
    let line = "unchanged\n".repeat(9);
    let tree = repository("");
    tree.write("a.env.rs", format!("x\nPASSWORD={old}\n{line}y\n"));
    commit(&tree);
    tree.write("a.env.rs", format!("x\nPASSWORD={new}\n{line}z\n"));
    let found = diff(&tree, None);
    assert!(
        found
            .text
            .contains("\n x\n-PASSWORD=[REDACTED]\n+PASSWORD=[REDACTED]\n unchanged\n"),
        "{}",
        found.text
    );
    assert!(!found.text.contains(&old) && !found.text.contains(&new));
    assert_eq!(found.n_redacted, 2);
}

/// Three lines of context from the middle of a key do not show that it is a key.
#[test]
fn sec_1_a_key_whose_head_is_out_of_sight() {
    let body: Vec<String> = (0..8)
        .map(|n| Random::new(n).text("ABCDEFGHIJKLMNOPabcdefghijklmnop0123456789+/", 64))
        .collect();
    let kind = "PRIVATE KEY";
    let key = format!(
        "-----BEGIN {kind}-----\n{}\n-----END {kind}-----\n",
        body.join("\n")
    );
    let tree = repository("");
    tree.write("a.conf", format!("{key}a = 1\n"));
    commit(&tree);
    tree.write("a.conf", format!("{key}a = 2\n"));
    let found = diff(&tree, None);
    assert!(
        found.text.ends_with(&format!(
            " [REDACTED]\n [REDACTED]\n -----END {kind}-----\n-a = 1\n+a = 2\n"
        )),
        "{}",
        found.text
    );
    assert_eq!(found.n_redacted, 2, "of those that are shown");
}

#[test]
fn sec_4_a_long_diff_ends_with_a_line() {
    let tree = repository("//- a.rs\n1\n//- b.rs\n1\n");
    tree.write("a.rs", "added\n".repeat(100));
    tree.write("b.rs", "2\n");
    let opened = open(tree.root());
    let whole = opened.diff(None).unwrap();
    for max_text in [0, 5, 90, 300, whole.text.len() - 1] {
        let cut = opened.diff_within(None, 1_000_000, max_text).unwrap();
        assert!(cut.truncated && cut.text.len() <= max_text, "{max_text}");
        assert!(cut.text.is_empty() || cut.text.ends_with('\n'));
        assert!(whole.text.starts_with(&cut.text));
    }
    assert_eq!(opened.diff_within(None, 1_000_000, whole.text.len()), Ok(whole));
    let cut = opened.diff_within(None, 200, 1_000_000).unwrap();
    assert!(cut.truncated && cut.text.ends_with("\n+added\n"), "{}", cut.text);
}

#[test]
fn pack_1_conflicts() {
    let tree = repository("//- a.rs\n1\n//- b.rs\n1\n");
    tree.git(&["checkout", "-q", "-b", "side"]);
    tree.write("a.rs", "side\n");
    commit(&tree);
    tree.git(&["checkout", "-q", "main"]);
    tree.write("a.rs", "main\n");
    commit(&tree);
    kitbag_testkit::git_output(tree.root(), &["merge", "-q", "side"]);
    let found = diff(&tree, None);
    assert!(
        found.text.contains("+<<<<<<< HEAD\n main\n+=======\n+side\n"),
        "{}",
        found.text
    );
    assert!(found.left_out.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Any text in place of git's causes no panic, and no line of it moves.
    #[test]
    fn sec_6_any_text_is_cut(lines in proptest::collection::vec("(@@ -[0-9]{1,2}(,[0-9])? \\+[0-9]{1,2}(,[0-9])? @@.{0,3}|[ +@\\\\-]{0,3}(PASSWORD=hunter2-x|ü|a){0,2})", 0..30)) {
        let text = format!("diff --git a/x b/x\n{}", lines.join("\n"));
        let (clean, _) = SecretRules::new(&[]).unwrap().redact(&text);
        prop_assert_eq!(clean.lines().count(), text.lines().count());
        super::hunks::cut(&clean);
        super::hunks::cut(&text);
    }
}

#[test]
fn sec_6_fuzz_diff() {
    let project = TempTree::new("//- a.rs\n");
    let tree = open(project.root());
    let material = Material::new(
        &[
            "diff --git a/x.rs b/x.rs\nindex 1..2 100644\n--- a/x.rs\n+++ b/x.rs\n@@ -1,2 +1,2 @@ fn x\n-a\n+b\n c\n",
            "diff --git \"a/\\303\\251\" \"b/\\303\\251\"\nrename from \"\\303\\251\"\nrename to y\n@@ -0,0 +1 @@\n+password = \"x9f!k2\"\n",
        ],
        &[
            "diff --git ",
            "a/",
            "b/",
            "\"",
            "\\303",
            "rename to ",
            "@@ -1,9 +1,9 @@\n",
            "@@@",
            "+",
            "-",
            " ",
            "\\",
            "\n",
            ".env",
        ],
    );
    fuzz("diff", &material, |input| {
        let raw = String::from_utf8_lossy(input);
        let shown = tree.show(&raw, 500);
        assert!(shown.text.len() <= 600 + raw.len());
    });
}
