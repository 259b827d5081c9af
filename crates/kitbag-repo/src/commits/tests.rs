//! Commits of real repositories (RET-13, RET-42).

use kitbag_testkit::fuzz::{Material, fuzz};
use std::path::Path;
use std::time::Duration;

use kitbag_testkit::TempTree;
use kitbag_types::Timestamp;

use super::{Commit, NoHistory, commits, is_bot, parse};

const LIMIT: Duration = Duration::from_secs(60);

fn all(root: &Path) -> Vec<Commit> {
    commits(root, 1000, LIMIT).unwrap()
}

fn repository(fixture: &str) -> TempTree {
    let tree = TempTree::new(fixture);
    tree.git(&["init", "-q"]);
    commit(&tree, "first\n");
    tree
}

fn commit(tree: &TempTree, message: &str) {
    tree.git(&["add", "-A"]);
    tree.git(&[
        "commit",
        "-q",
        "--cleanup=verbatim",
        "--allow-empty",
        "-m",
        message,
    ]);
}

/// `subject: path path`, newest first.
fn shown(commits: &[Commit]) -> Vec<String> {
    let line = |commit: &Commit| {
        let paths: Vec<&str> = commit.paths.iter().map(|path| path.as_str()).collect();
        format!("{}: {}", commit.subject, paths.join(" "))
    };
    commits.iter().map(line).collect()
}

#[test]
fn ret_42_messages_and_paths_newest_first() {
    let tree = repository("//- a.rs\na\n//- b.rs\nb\n");
    tree.write("b.rs", "more\n");
    tree.write("z.rs", "z\n");
    commit(
        &tree,
        "Mend the lock \n\nIt was held\ntoo long.\n\nSigned-off-by: K\n\n",
    );
    tree.remove("a.rs");
    commit(&tree, "Drop a");
    let found = all(tree.root());
    assert_eq!(
        shown(&found),
        ["Drop a: ", "Mend the lock: b.rs z.rs", "first: a.rs b.rs"]
    );
    assert_eq!(found[1].body, "It was held\ntoo long.\n\nSigned-off-by: K");
    assert_eq!(found[1].at, Timestamp(1_704_164_645_000));
    assert_eq!(
        (found[0].n_removed, found[1].n_removed, found[0].by_bot),
        (1, 0, false)
    );
    assert_eq!(found[0].id, tree.git(&["rev-parse", "HEAD"]).trim());
    assert_eq!(
        shown(&commits(tree.root(), 2, LIMIT).unwrap()),
        shown(&found[..2])
    );
}

#[test]
fn ret_42_a_renamed_file_goes_by_its_name_of_today() {
    let text = "one\ntwo\nthree\nfour\nfive\nsix\n";
    let tree = repository(&format!("//- old.rs\n{text}//- other.rs\nx\n"));
    tree.write("old.rs", format!("{text}seven\n"));
    commit(&tree, "grow");
    tree.git(&["mv", "old.rs", "mid.rs"]);
    commit(&tree, "move");
    tree.git(&["mv", "mid.rs", "new.rs"]);
    tree.write("new.rs", format!("{text}seven\neight\n"));
    commit(&tree, "move and grow");
    // Another file gets the old name.
    tree.write("old.rs", "unrelated\n");
    commit(&tree, "again");
    assert_eq!(
        shown(&all(tree.root())),
        [
            "again: old.rs",
            "move and grow: new.rs",
            "move: new.rs",
            "grow: new.rs",
            "first: new.rs other.rs"
        ]
    );
}

#[test]
fn ret_42_a_removed_file_is_not_the_one_that_came_later() {
    let header = |id: char| format!("\0{}\01\0K\0k@example.com\0m\n\0", String::from(id).repeat(40));
    // Newest first: b was renamed from a; before that there was another a, which was removed.
    let output = [
        header('3'),
        "\nR100\0a\0b\0".to_owned(),
        header('2'),
        "\nD\0a\0".to_owned(),
        header('1'),
        "\nM\0a\0".to_owned(),
    ]
    .concat();
    let found = parse(output.as_bytes(), &std::collections::BTreeSet::new());
    assert_eq!(shown(&found), ["m: b", "m: ", "m: a"]);
}

#[test]
fn ret_42_merges_are_left_out_and_what_they_brought_is_not() {
    let tree = repository("//- a.rs\na\n");
    tree.git(&["checkout", "-q", "-b", "side"]);
    tree.write("side.rs", "s\n");
    commit(&tree, "On the side");
    tree.git(&["checkout", "-q", "main"]);
    tree.write("a.rs", "b\n");
    commit(&tree, "On main");
    tree.git(&["merge", "-q", "--no-ff", "-m", "Merge side", "side"]);
    let mut found = shown(&all(tree.root()));
    found.sort();
    assert_eq!(found, ["On main: a.rs", "On the side: side.rs", "first: a.rs"]);
}

#[test]
fn ret_42_any_name_and_any_message() {
    let names = [
        "a \"b\"\nc.rs",
        "\nd.rs",
        "größe/ü.rs",
        " lead.rs",
        "M",
        "tab\t.rs",
    ];
    let tree = repository("//- base.rs\n");
    for name in names {
        tree.write(name, "x");
    }
    commit(&tree, "Größe\n\n\nM\n:(top)\n");
    tree.git(&["commit", "-q", "--allow-empty", "--allow-empty-message", "-m", ""]);
    tree.git(&["config", "i18n.logOutputEncoding", "latin1"]);
    let found = all(tree.root());
    assert_eq!(found.len(), 3);
    assert_eq!(
        (
            found[0].subject.as_str(),
            found[0].body.as_str(),
            found[0].paths.len()
        ),
        ("", "", 0)
    );
    assert_eq!(
        (found[1].subject.as_str(), found[1].body.as_str()),
        ("Größe", "M\n:(top)")
    );
    let mut sorted = names;
    sorted.sort_unstable();
    let paths: Vec<&str> = found[1].paths.iter().map(|path| path.as_str()).collect();
    assert_eq!(paths, sorted);
}

#[test]
fn ret_42_a_folder_of_the_repository() {
    let tree = repository("//- top.rs\nt\n//- sub/a.rs\na\n//- subx/a.rs\na\n");
    tree.write("top.rs", "x\n");
    commit(&tree, "above");
    tree.write("sub/a.rs", "b\n");
    tree.write("top.rs", "y\n");
    commit(&tree, "both");
    assert_eq!(shown(&all(&tree.path("sub"))), ["both: a.rs", "first: a.rs"]);
}

#[test]
fn ret_42_the_end_of_a_shallow_clone_is_left_out() {
    let tree = repository("//- a.rs\na\n//- b.rs\nb\n");
    for text in ["one", "two"] {
        tree.write("a.rs", text);
        commit(&tree, text);
    }
    let clone = TempTree::empty();
    let url = format!("file://{}", tree.root().display());
    clone.git(&["clone", "-q", "--depth", "2", &url, "c"]);
    assert_eq!(shown(&all(&clone.path("c"))), ["two: a.rs"]);
}

#[test]
fn ret_42_without_texts_a_rename_is_an_addition() {
    let text = "one\ntwo\nthree\nfour\nfive\nsix\n";
    let tree = repository(&format!("//- old.rs\n{text}"));
    tree.git(&["mv", "old.rs", "new.rs"]);
    tree.write("new.rs", format!("{text}seven\n"));
    commit(&tree, "move");
    assert_eq!(shown(&all(tree.root())), ["move: new.rs", "first: new.rs"]);
    let blob = tree.git(&["rev-parse", "HEAD~1:old.rs"]);
    let blob = blob.trim();
    tree.remove(format!(".git/objects/{}/{}", &blob[..2], &blob[2..]));
    assert_eq!(shown(&all(tree.root())), ["move: new.rs", "first: old.rs"]);
}

#[test]
fn ret_42_none_without_git_and_an_error_where_it_is_silent() {
    let tree = TempTree::new("//- a.rs\na\n");
    assert_eq!(all(tree.root()), []);
    assert_eq!(all(&tree.path("gone")), []);
    tree.git(&["init", "-q"]);
    assert_eq!(all(tree.root()), [], "before the first commit");
    commit(&tree, "first");
    let silent = NoHistory {
        root: tree.root().to_owned(),
    };
    assert_eq!(commits(tree.root(), 10, Duration::ZERO), Err(silent));
}

#[test]
fn ret_42_programs_among_the_authors() {
    for name in ["dependabot[bot]", "renovate-bot", "GitHub Bot", "pre-commit-ci"] {
        assert!(is_bot(name), "{name}");
    }
    for name in ["Jane Talbot", "abbot", "robot", "Kit Bag", ""] {
        assert!(!is_bot(name), "{name}");
    }
}

#[test]
fn sec_6_fuzz_history() {
    let material = Material::new(
        &[
            "\0abc\u{0}1709294400\0Ann\0ann@x\0fix: a\n\nbody\n\0\nM\0src/a.rs\0R100\0old.rs\0new.rs\0D\0gone.rs\0",
        ],
        &[
            "\0",
            "\n",
            "M",
            "R100",
            "D",
            "A",
            "src/a.rs",
            "1709294400",
            "-9223372036854775808",
            "[bot]",
            "../x",
        ],
    );
    fuzz("history", &material, |input| {
        parse(input, &std::collections::BTreeSet::new());
    });
}
