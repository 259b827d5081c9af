//! Past changes of a place, from real repositories (RET-13, SEC-1).

use std::path::Path;
use std::time::Duration;

use kitbag_testkit::TempTree;
use kitbag_types::{LineRange, RepoPath};

use super::lines::{MovedHunk, moved_back};
use super::{PastChange, plain, records};
use crate::secrets::SecretRules;
use crate::{BoundaryOptions, Tree};

const LIMIT: Duration = Duration::from_secs(60);

fn open(root: &Path) -> Tree {
    Tree::open(root, BoundaryOptions::default(), SecretRules::new(&[]).unwrap()).unwrap()
}

fn repository(fixture: &str) -> TempTree {
    let tree = TempTree::new(fixture);
    tree.git(&["init", "-q"]);
    commit(&tree, "first");
    tree
}

fn commit(tree: &TempTree, message: &str) {
    tree.git(&["add", "-A"]);
    tree.git(&["commit", "-q", "--cleanup=verbatim", "-m", message]);
}

fn path(path: &str) -> RepoPath {
    RepoPath::new(path).unwrap()
}

fn of(tree: &TempTree, file: &str, lines: Option<(u32, u32)>) -> Vec<PastChange> {
    let lines = lines.map(|(start, end)| LineRange::new(start, end));
    open(tree.root()).past_of(&path(file), lines, 20, LIMIT).unwrap()
}

fn subjects(changes: &[PastChange]) -> Vec<&str> {
    changes.iter().map(|change| change.subject.as_str()).collect()
}

/// Twelve lines, `1` to `12`, so that changes at both ends are separate hunks.
fn numbered(with: &[(u32, &str)]) -> String {
    let line = |n: u32| {
        let changed = with.iter().find(|(line, _)| *line == n);
        changed.map_or_else(|| format!("{n}\n"), |(_, text)| format!("{text}\n"))
    };
    (1..=12).map(line).collect()
}

#[test]
fn ret_13_commits_of_a_file_under_all_its_names() {
    let tree = repository("//- old.rs\na\nb\nc\nd\ne\nf\n//- other.rs\nx\n");
    tree.write("old.rs", "a\nB\nc\nd\ne\nf\n");
    commit(&tree, "Raise b\n\nIt was too low.\n");
    tree.git(&["mv", "old.rs", "new.rs"]);
    commit(&tree, "Rename it");
    tree.write("new.rs", "a\nB\nc\nd\ne\nF\n");
    tree.write("other.rs", "y\n");
    commit(&tree, "Raise f");
    let changes = of(&tree, "new.rs", None);
    assert_eq!(subjects(&changes), ["Raise f", "Rename it", "Raise b", "first"]);
    let newest = &changes[0];
    assert_eq!(newest.files.len(), 1, "only the file that was asked about");
    assert_eq!(
        newest.files[0].hunks[0].text,
        "@@ -3,4 +3,4 @@ B\n c\n d\n e\n-f\n+F"
    );
    assert_eq!(
        (newest.author.as_str(), newest.at.0),
        ("Kit Bag", 1_704_164_645_000)
    );
    assert_eq!(changes[1].files[0].renamed_from, Some(path("old.rs")));
    assert_eq!(changes[2].body, "It was too low.");
    assert_eq!(changes[2].files[0].path, path("old.rs"));
}

#[test]
fn ret_13_commits_of_lines_and_only_their_hunks() {
    let tree = repository(&format!("//- a.rs\n{}", numbered(&[])));
    tree.write("a.rs", numbered(&[(1, "one")]));
    commit(&tree, "The first line");
    tree.write("a.rs", numbered(&[(1, "ONE"), (12, "twelve")]));
    commit(&tree, "Both ends");
    assert_eq!(
        subjects(&of(&tree, "a.rs", Some((1, 1)))),
        ["Both ends", "The first line", "first"]
    );
    let last = of(&tree, "a.rs", Some((12, 12)));
    assert_eq!(subjects(&last), ["Both ends", "first"]);
    assert_eq!(last[0].files[0].hunks.len(), 1);
    assert!(last[0].files[0].hunks[0].text.ends_with("-12\n+twelve"));
    let opened = open(tree.root());
    let began = opened
        .past_first(&path("a.rs"), LineRange::new(1, 1), LIMIT)
        .unwrap();
    assert_eq!(began.map(|change| change.subject).as_deref(), Some("first"));
    let people = opened.past_authors(&path("a.rs"), 2, LIMIT).unwrap();
    assert_eq!(people.len(), 2);
    assert_eq!(people[0].0, "Kit Bag");
    // Lines of the working copy with another place in the commit.
    tree.write(
        "a.rs",
        format!("new\nnew\n{}", numbered(&[(1, "ONE"), (12, "twelve")])),
    );
    assert_eq!(
        subjects(&of(&tree, "a.rs", Some((14, 14)))),
        ["Both ends", "first"]
    );
    assert_eq!(
        subjects(&of(&tree, "a.rs", Some((1, 2)))),
        [""; 0],
        "not committed yet"
    );
    assert_eq!(
        subjects(&of(&tree, "a.rs", Some((90, 95)))),
        [""; 0],
        "no such lines"
    );
}

#[test]
fn ret_13_lines_of_the_working_copy_in_the_commit() {
    let back = |start, end, hunks: &[MovedHunk]| {
        moved_back(LineRange::new(start, end), hunks).map(|lines| (lines.start(), lines.end()))
    };
    assert_eq!(back(5, 7, &[]), Some((5, 7)));
    // Two lines were added after line 3.
    let added = [((3, 0), (4, 2))];
    assert_eq!(back(1, 3, &added), Some((1, 3)));
    assert_eq!(back(6, 8, &added), Some((4, 6)));
    assert_eq!(back(4, 5, &added), None);
    assert_eq!(back(3, 5, &added), Some((3, 3)));
    assert_eq!(back(5, 6, &added), Some((4, 4)));
    // Two lines were removed after line 3, and line 9 (now 7) was replaced by two.
    let both = [((4, 2), (3, 0)), ((9, 1), (7, 2))];
    assert_eq!(back(3, 4, &both), Some((3, 6)));
    assert_eq!(back(8, 9, &both), Some((9, 10)));
}

#[test]
fn ret_13_blame_follows_names_and_knows_what_is_not_committed() {
    let tree = repository("//- old.rs\na\nb\nc\n");
    tree.write("old.rs", "a\nB\nc\n");
    commit(&tree, "Raise b");
    tree.git(&["mv", "old.rs", "new.rs"]);
    commit(&tree, "Rename it");
    tree.write("new.rs", "a\nB\nc\nd\n");
    let runs = open(tree.root())
        .blame(&path("new.rs"), LineRange::new(1, 4), LIMIT)
        .unwrap();
    let told: Vec<_> = runs
        .iter()
        .map(|run| {
            (
                run.lines.start(),
                run.lines.end(),
                run.subject.as_str(),
                run.commit.is_some(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (1, 1, "first", true),
            (2, 2, "Raise b", true),
            (3, 3, "first", true),
            (4, 4, "", false)
        ]
    );
    tree.write("untracked.rs", "x\n");
    let none = open(tree.root()).blame(&path("untracked.rs"), LineRange::new(1, 1), LIMIT);
    assert_eq!(none, Ok(Vec::new()));
}

#[test]
fn ret_13_commits_by_their_ids() {
    let tree = repository("//- a.rs\na\n//- b.rs\nb\n");
    tree.write("a.rs", "A\n");
    tree.write("b.rs", "B\n");
    commit(&tree, "Both");
    let id = tree.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let ids = [id, "--output=x".to_owned(), "0".repeat(39)];
    let opened = open(tree.root());
    let all = opened.past_commits(&ids, &[], LIMIT).unwrap();
    assert_eq!(all[0].files.len(), 2);
    let one = opened.past_commits(&ids, &[path("b.rs")], LIMIT).unwrap();
    assert_eq!(one[0].files.len(), 1);
    assert_eq!(opened.past_commits(&ids[1..], &[], LIMIT), Ok(Vec::new()));
}

#[test]
fn ret_13_no_git_and_no_commit_are_no_failures() {
    let tree = TempTree::new("//- a.rs\na\n");
    assert_eq!(subjects(&of(&tree, "a.rs", None)), [""; 0]);
    tree.git(&["init", "-q"]);
    assert_eq!(subjects(&of(&tree, "a.rs", None)), [""; 0]);
    assert_eq!(subjects(&of(&tree, "a.rs", Some((1, 1)))), [""; 0]);
}

#[test]
fn ret_13_a_root_below_the_top_sees_its_own_paths() {
    let tree = repository("//- sub/a.rs\na\nb\n//- b.rs\nb\n");
    tree.write("sub/a.rs", "a\nB\n");
    tree.write("b.rs", "B\n");
    commit(&tree, "Both");
    let below = open(&tree.root().join("sub"));
    let all = below.past_of(&path("a.rs"), None, 9, LIMIT).unwrap();
    assert_eq!(all[0].files[0].path, path("a.rs"));
    let lines = below
        .past_of(&path("a.rs"), Some(LineRange::new(2, 2)), 9, LIMIT)
        .unwrap();
    assert_eq!(subjects(&lines), ["Both", "first"]);
    assert_eq!(lines[0].files[0].path, path("a.rs"));
    let id = tree.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let all = below.past_commits(&[id], &[], LIMIT).unwrap();
    assert_eq!(all[0].files.len(), 1, "what lies outside is nobody's business");
}

#[test]
fn sec_1_secrets_and_denied_files_of_the_past_do_not_get_out() {
    let key = "AKIAIOSFODNN7EXAMPLF";
    let tree = repository("//- a.py\nx = 1\n//- .env\nA=1\n");
    tree.write("a.py", format!("x = 1\nkey = \"{key}\"\n"));
    tree.write(".env", format!("AWS_ACCESS_KEY_ID={key}\n"));
    commit(&tree, &format!("Add the key {key}"));
    tree.write("a.py", "x = 1\n");
    commit(&tree, "Take it out");
    let opened = open(tree.root());
    let said = format!("{:?}", opened.past_of(&path("a.py"), None, 9, LIMIT).unwrap());
    assert!(said.contains("Take it out") && !said.contains(key), "{said}");
    let ids: Vec<String> = tree
        .git(&["log", "--format=%H"])
        .lines()
        .map(str::to_owned)
        .collect();
    let all = opened.past_commits(&ids, &[], LIMIT).unwrap();
    assert!(!format!("{all:?}").contains(key));
    let env = all
        .iter()
        .flat_map(|change| &change.files)
        .find(|file| file.path.as_str() == ".env");
    assert!(env.is_some_and(|file| file.hidden.is_some() && file.hunks.is_empty()));
}

#[test]
fn sec_4_what_could_steer_a_terminal_does_not_get_out() {
    assert_eq!(
        plain("a\u{1b}[31mb\r\n\tc\u{202E}d\u{0}"),
        "a\u{FFFD}[31mb\n\tc\u{FFFD}d\u{FFFD}"
    );
    let tree = repository("//- a.rs\na\n");
    tree.write("a.rs", "a \u{1b}[2J\n");
    commit(&tree, "Clear \u{1b}[2J the screen");
    let said = format!("{:?}", of(&tree, "a.rs", None));
    assert!(!said.contains("\\u{1b}"), "{said}");
}

#[test]
fn ret_13_records_are_counted_off_and_never_made_up() {
    let one = "\0id\x001\0n\0m\0subject\n\nbody\n\0\n\ndiff --git a/x b/x\n+a\0b\n+\0fake\0\n";
    let two = format!("{one}\0id2\02\0n\0m\0other\0\n");
    let found = records(&two, false);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].0[4], "subject\n\nbody\n");
    assert!(found[0].1.starts_with("diff --git a/x b/x\n+a\0b\n+\0fake"));
    assert_eq!(records("\0id\x001", true), []);
    assert_eq!(records("", false), []);
}
