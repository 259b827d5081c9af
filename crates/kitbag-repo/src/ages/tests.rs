//! When files changed, from real repositories (PACK-12).

use std::path::Path;
use std::time::Duration;

use kitbag_testkit::TempTree;
use kitbag_types::{RepoPath, Timestamp};

use super::{Ages, Touches};

const LIMIT: Duration = Duration::from_secs(60);
/// The day that all commits of these tests are relative to: 2024-03-01, noon.
const NOW_S: i64 = 1_709_294_400;
const DAY_S: i64 = 86_400;

fn ages(root: &Path) -> Ages {
    Ages::read(root, Timestamp(NOW_S * 1000), 60, LIMIT)
}

/// How many days ago the file changed, with a modification time of `mtime_days` ago.
fn days(ages: &Ages, path: &str, mtime_days: i64) -> Option<i64> {
    let mtime_ns = (NOW_S - mtime_days * DAY_S) * 1_000_000_000;
    let last = ages.last_change(&RepoPath::new(path).unwrap(), mtime_ns)?;
    Some((NOW_S * 1000 - last.0) / (DAY_S * 1000))
}

fn is_dirty(ages: &Ages, path: &str) -> bool {
    ages.is_dirty(&RepoPath::new(path).unwrap())
}

/// The test kit's git commits at a fixed time; these tests need their own. `git commit` takes the author's date as an argument, but
/// the committer's only from the environment, so the commit is made and then rewritten.
fn commit(tree: &TempTree, days_ago: i64) -> String {
    commit_in(tree.root(), days_ago, &[])
}

fn commit_in(dir: &Path, days_ago: i64, more_parents: &[&str]) -> String {
    let git = |args: &[&str]| kitbag_testkit::git(dir, args).trim().to_owned();
    let tree_id = git(&["write-tree"]);
    let parent = kitbag_testkit::git_output(dir, &["rev-parse", "-q", "--verify", "HEAD"]);
    let parent = String::from_utf8(parent.stdout).unwrap().trim().to_owned();
    let parents: String = [parent.as_str()]
        .iter()
        .chain(more_parents)
        .filter(|id| !id.is_empty())
        .map(|id| format!("parent {id}\n"))
        .collect();
    let time = NOW_S - days_ago * DAY_S;
    let text = format!(
        "tree {tree_id}\n{parents}author K <k@example.com> 1000000000 +0000\ncommitter K <k@example.com> {time} +0000\n\nx\n"
    );
    let made = kitbag_testkit::git_with_input(
        dir,
        &["hash-object", "-t", "commit", "-w", "--stdin"],
        text.as_bytes(),
    );
    let id = String::from_utf8(made.stdout).unwrap().trim().to_owned();
    git(&["update-ref", "HEAD", &id]);
    id
}

fn repository(fixture: &str) -> TempTree {
    let tree = TempTree::new(fixture);
    tree.git(&["init", "-q"]);
    tree
}

fn add_and_commit(tree: &TempTree, days_ago: i64) -> String {
    tree.git(&["add", "-A"]);
    commit(tree, days_ago)
}

#[test]
fn pack_12_the_last_commit_that_touched_it() {
    let tree = repository("//- old.rs\nold\n//- a.rs\na\n//- moved.rs\none\ntwo\nthree\n");
    add_and_commit(&tree, 100);
    tree.write("a.rs", "b");
    add_and_commit(&tree, 20);
    tree.write("a.rs", "c");
    tree.write("b.rs", "b");
    add_and_commit(&tree, 5);
    tree.git(&["mv", "moved.rs", "new.rs"]);
    let head = commit(&tree, 2);
    let ages = ages(tree.root());
    assert_eq!(ages.head(), Some(head.as_str()));
    assert_eq!(
        days(&ages, "a.rs", 0),
        Some(5),
        "a clean file's own time says nothing"
    );
    assert_eq!(days(&ages, "b.rs", 0), Some(5));
    assert_eq!(days(&ages, "new.rs", 0), Some(2));
    assert_eq!(days(&ages, "old.rs", 0), None, "before the window");
    assert!(!is_dirty(&ages, "a.rs") && !is_dirty(&ages, "old.rs"));
}

#[test]
fn pack_12_the_working_copy_where_it_differs() {
    let tree = repository("//- .gitignore\n*.log\n//- a.rs\na\n//- b.rs\nb\n//- c.rs\nc\n//- old.rs\nold\n");
    add_and_commit(&tree, 30);
    tree.write("a.rs", "changed");
    tree.write("b.rs", "staged");
    tree.git(&["add", "b.rs"]);
    tree.write("c.rs", "c\n"); // written anew, the same
    tree.write("new/d.rs", "untracked");
    tree.write("run.log", "ignored");
    let ages = ages(tree.root());
    for path in ["a.rs", "b.rs", "new/d.rs", "run.log"] {
        assert!(is_dirty(&ages, path), "{path}");
        assert_eq!(days(&ages, path, 3), Some(3), "{path}");
    }
    assert_eq!(days(&ages, "a.rs", 40), Some(30), "the later of the two");
    assert_eq!(days(&ages, "run.log", 61), None, "before the window");
    assert_eq!(days(&ages, "run.log", -5), Some(0), "clocks are wrong");
    assert!(!is_dirty(&ages, "c.rs"));
    assert_eq!(days(&ages, "c.rs", 0), Some(30));
}

#[test]
fn pack_12_a_merge_touches_what_it_brings() {
    let tree = repository("//- a.rs\na\n//- b.rs\nb\n");
    let base = add_and_commit(&tree, 58);
    tree.write("b.rs", "branch");
    let branch = add_and_commit(&tree, 50);
    tree.git(&["reset", "-q", "--hard", &base]);
    tree.write("a.rs", "main");
    add_and_commit(&tree, 40);
    tree.write("b.rs", "branch");
    tree.git(&["add", "-A"]);
    commit_in(tree.root(), 1, &[&branch]);
    let ages = ages(tree.root());
    assert_eq!(days(&ages, "b.rs", 0), Some(1), "it changed here yesterday");
    assert_eq!(days(&ages, "a.rs", 0), Some(40), "it did not change by the merge");
}

#[test]
fn pack_12_any_name() {
    let names = [
        "a \"b\"\nc.rs",
        "\nd.rs",
        "größe/ü.rs",
        " lead.rs",
        "tab\t.rs",
        "-x.rs",
        ":(top)y.rs",
        "0123456789012345678901234567890123456789 1709294400",
    ];
    let tree = repository("//- base.rs\n");
    add_and_commit(&tree, 50);
    for name in names {
        tree.write(name, "x");
    }
    add_and_commit(&tree, 7);
    let clean = ages(tree.root());
    for name in names {
        assert_eq!(days(&clean, name, 0), Some(7), "{name:?}");
        tree.write(name, "changed");
    }
    let changed = ages(tree.root());
    for name in names {
        assert!(is_dirty(&changed, name), "{name:?}");
    }
}

#[test]
fn pack_12_a_folder_of_the_repository() {
    let tree = repository("//- top.rs\n//- sub/dir/a.rs\na\n//- sub/dir/b.rs\nb\n//- sub/dirx/a.rs\n");
    add_and_commit(&tree, 50);
    tree.write("sub/dir/a.rs", "b");
    tree.write("top.rs", "b");
    add_and_commit(&tree, 7);
    tree.write("sub/dir/b.rs", "changed");
    tree.write("a.rs", "untracked, above");
    let ages = ages(&tree.path("sub/dir"));
    assert_eq!(days(&ages, "a.rs", 0), Some(7));
    assert_eq!(days(&ages, "b.rs", 3), Some(3));
    assert!(is_dirty(&ages, "b.rs") && !is_dirty(&ages, "a.rs"));
    assert!(!ages.commits.contains_key("top.rs") && ages.commits.len() == 2);
}

#[test]
fn pack_12_worktrees_and_detached_heads() {
    let tree = repository("//- a.rs\na\n");
    add_and_commit(&tree, 50);
    tree.write("a.rs", "b");
    let second = add_and_commit(&tree, 9);
    let place = TempTree::empty();
    let elsewhere = place.path("wt");
    let folder = elsewhere.to_str().unwrap();
    tree.git(&["worktree", "add", "-q", "--detach", folder, "HEAD~1"]);
    let other = ages(&elsewhere);
    assert_eq!(days(&other, "a.rs", 0), Some(50));
    assert_ne!(other.head(), Some(second.as_str()));
    std::fs::write(elsewhere.join("a.rs"), "changed").unwrap();
    assert!(is_dirty(&ages(&elsewhere), "a.rs"));
    assert!(!is_dirty(&ages(tree.root()), "a.rs"));
    tree.git(&["checkout", "-q", "--detach"]);
    assert_eq!(days(&ages(tree.root()), "a.rs", 0), Some(9));
}

#[test]
fn pack_12_submodules_have_a_history_of_their_own() {
    let library = repository("//- lib.rs\nl\n");
    add_and_commit(&library, 12);
    let tree = repository("//- a.rs\na\n");
    let url = library.root().to_str().unwrap();
    tree.git(&["submodule", "add", "-q", url, "deps/lib"]);
    add_and_commit(&tree, 8);
    let outer = ages(tree.root());
    assert_eq!(days(&outer, "a.rs", 0), Some(8));
    assert_eq!(
        days(&outer, "deps/lib/lib.rs", 0),
        None,
        "checked out today is not changed today"
    );
    assert!(!is_dirty(&outer, "deps/lib/lib.rs"));
    let inner = ages(&tree.path("deps/lib"));
    assert_eq!(days(&inner, "lib.rs", 0), Some(12));
    tree.write("deps/lib/lib.rs", "changed");
    assert!(is_dirty(&ages(&tree.path("deps/lib")), "lib.rs"));
}

#[test]
fn pack_12_the_end_of_a_shallow_clone_touched_nothing() {
    let tree = repository("//- a.rs\na\n//- b.rs\nb\n");
    add_and_commit(&tree, 50);
    tree.write("a.rs", "b");
    add_and_commit(&tree, 9);
    tree.write("b.rs", "c");
    add_and_commit(&tree, 3);
    let clone = TempTree::empty();
    let url = format!("file://{}", tree.root().display());
    clone.git(&["clone", "-q", "--depth", "2", &url, "c"]);
    let ages = ages(&clone.path("c"));
    assert_eq!(days(&ages, "b.rs", 0), Some(3));
    assert_eq!(days(&ages, "a.rs", 0), None);
}

#[test]
fn pack_12_nothing_is_known_without_git_and_little_before_the_first_commit() {
    let tree = TempTree::new("//- a.rs\na\n//- b.rs\nb\n");
    let none = ages(tree.root());
    assert_eq!((none.head(), days(&none, "a.rs", 1)), (None, None));
    assert!(!is_dirty(&none, "a.rs"));
    tree.git(&["init", "-q"]);
    tree.git(&["add", "b.rs"]);
    let unborn = ages(tree.root());
    assert_eq!(unborn.head(), None);
    assert_eq!(
        (days(&unborn, "a.rs", 1), days(&unborn, "b.rs", 2)),
        (Some(1), Some(2))
    );
    tree.write(".git/index", "nonsense");
    assert_eq!(days(&ages(tree.root()), "a.rs", 1), None);
    let gone = ages(&tree.path("gone"));
    assert_eq!((gone.head(), days(&gone, "a.rs", 1)), (None, None));
}

#[test]
fn pack_12_no_time_no_answer() {
    let tree = repository("//- a.rs\na\n");
    add_and_commit(&tree, 3);
    let ages = Ages::read(tree.root(), Timestamp(NOW_S * 1000), 60, Duration::ZERO);
    assert_eq!((ages.head(), days(&ages, "a.rs", 1)), (None, None));
}

/// Git refuses repositories of other owners, and so do we.
#[cfg(unix)]
#[test]
fn sec_4_a_repository_of_somebody_else() {
    use std::os::unix::fs::{MetadataExt, chown};
    let tree = repository("//- a.rs\na\n");
    add_and_commit(&tree, 3);
    let is_root = std::fs::metadata(tree.root()).unwrap().uid() == 0;
    assert_eq!(days(&ages(tree.root()), "a.rs", 1), Some(3));
    // Only root can change the owner of files; elsewhere this cannot be tested.
    if is_root {
        for path in ["", ".git"] {
            chown(tree.path(path), Some(12_345), None).unwrap();
        }
        let ages = ages(tree.root());
        assert_eq!((ages.head(), days(&ages, "a.rs", 1)), (None, None));
    }
}

fn touches(tree: &TempTree, known: Option<&str>) -> Touches {
    let since = Timestamp((NOW_S - 60 * DAY_S) * 1000);
    Touches::read(tree.root(), since, known, LIMIT).unwrap()
}

#[test]
fn pack_12_commits_on_top_of_a_known_one_say_the_same_as_all_of_them() {
    let tree = repository("//- a.rs\na\n//- b.rs\nb\n//- c.rs\nc\n");
    let first = add_and_commit(&tree, 30);
    let known = touches(&tree, None);
    assert_eq!(
        (known.head.as_str(), known.on_top, known.paths.len()),
        (first.as_str(), false, 3)
    );
    tree.write("a.rs", "a2");
    add_and_commit(&tree, 10);
    tree.write("b.rs", "b2");
    let last = add_and_commit(&tree, 5);
    let on_top = touches(&tree, Some(&first));
    assert!(on_top.on_top);
    assert_eq!(on_top.paths.len(), 2, "{on_top:?}");
    let mut both = known.paths;
    both.extend(on_top.paths);
    assert_eq!(both, touches(&tree, None).paths);
    // No new commits, no touches.
    let nothing = touches(&tree, Some(&last));
    assert_eq!((nothing.on_top, nothing.paths.len()), (true, 0));
    // A commit that is not on the line cannot be built upon.
    tree.git(&["reset", "-q", "--hard", &first]);
    tree.write("c.rs", "c2");
    add_and_commit(&tree, 2);
    let other = touches(&tree, Some(&last));
    assert!(!other.on_top);
    assert_eq!(other.paths.len(), 3);
    assert!(!touches(&tree, Some("0123456789012345678901234567890123456789")).on_top);
}

#[test]
fn pack_12_before_the_first_commit_there_is_a_git_without_commits() {
    let tree = repository("//- a.rs\na\n");
    let touches = touches(&tree, None);
    assert_eq!((touches.head.as_str(), touches.paths.len()), ("", 0));
}
