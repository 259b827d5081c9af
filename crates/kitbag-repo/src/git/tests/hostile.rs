//! A repository with a hostile configuration (SEC-4). None of the programs it names may run, and nothing outside the work tree may
//! be read, whatever git is asked.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use kitbag_testkit::{TempTree, git_output, git_with_input};
use kitbag_types::{RepoPath, Timestamp};

use crate::secrets::SecretRules;
use crate::{Ages, BoundaryOptions, Tree};

const LIMIT: Duration = Duration::from_secs(60);
/// A day after the test kit's commits.
const NOW: Timestamp = Timestamp(1_704_251_045_000);

/// Programs that record their names in a file, in a folder of their own.
struct Traps {
    place: TempTree,
}

impl Traps {
    fn new() -> Self {
        Self {
            place: TempTree::empty(),
        }
    }

    /// One that copies its input, as filters do, and one that only exits: a connection would wait for an answer.
    fn program(&self, name: &str) -> String {
        let caught = self.place.path("caught");
        let then = if name == "ssh" { "exit 1" } else { "cat" };
        let script = format!("#!/bin/sh\necho {name} >> '{}'\n{then}\n", caught.display());
        self.place.write(name, script);
        fs::set_permissions(self.place.path(name), fs::Permissions::from_mode(0o755)).unwrap();
        self.place.path(name).to_str().unwrap().to_owned()
    }

    /// The programs that ran since the last call.
    fn caught(&self) -> Vec<String> {
        let text = fs::read_to_string(self.place.path("caught")).unwrap_or_default();
        let _ = fs::remove_file(self.place.path("caught"));
        let mut names: Vec<String> = text.lines().map(str::to_owned).collect();
        names.sort();
        names.dedup();
        names
    }
}

fn open(tree: &TempTree) -> Tree {
    Tree::open(tree.root(), BoundaryOptions::default(), SecretRules::off()).unwrap()
}

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

/// Commits what is staged, with a fake signature.
fn commit_signed(tree: &TempTree) {
    let tree_id = tree.git(&["write-tree"]);
    let who = "Kit Bag <kit@example.com> 1704164645 +0000";
    let text = format!(
        "tree {}\nauthor {who}\ncommitter {who}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n abcd\n -----END PGP SIGNATURE-----\n\nx\n",
        tree_id.trim()
    );
    let made = git_with_input(
        tree.root(),
        &["hash-object", "-t", "commit", "-w", "--stdin"],
        text.as_bytes(),
    );
    let id = String::from_utf8(made.stdout).unwrap();
    tree.git(&["update-ref", "HEAD", id.trim()]);
}

#[test]
fn sec_4_no_program_of_the_repository_runs() {
    let traps = Traps::new();
    let tree = TempTree::new("//- a.txt\none\n//- b.txt\none\n//- c.txt\none\n//- d.txt\none\n");
    tree.git(&["init", "-q"]);
    tree.git(&["add", "."]);
    commit_signed(&tree);
    tree.write(
        ".git/info/attributes",
        "a.txt filter=once\nb.txt filter=many.times\nc.txt diff=trap\nd.txt diff=text\n",
    );
    for (key, name) in [
        ("core.fsmonitor", "fsmonitor"),
        ("core.pager", "pager"),
        ("core.askPass", "askpass"),
        ("core.editor", "editor"),
        ("credential.helper", "credential"),
        ("diff.external", "external"),
        ("diff.trap.command", "command"),
        ("diff.text.textconv", "textconv"),
        ("filter.once.clean", "clean"),
        ("filter.once.smudge", "smudge"),
        ("filter.many.times.process", "process"),
        ("gpg.program", "gpg"),
        ("alias.status", "alias"),
    ] {
        let prefix = if name == "alias" { "!" } else { "" };
        tree.git(&["config", key, &format!("{prefix}{}", traps.program(name))]);
    }
    tree.git(&["config", "log.showSignature", "true"]);
    tree.git(&["config", "filter.once.required", "true"]);
    let hook = traps.program("hook");
    tree.mkdir(".git/hooks");
    fs::copy(hook, tree.path(".git/hooks/post-index-change")).unwrap();
    // The same size as before, so that git has to compare the content.
    for name in ["a.txt", "b.txt", "c.txt", "d.txt"] {
        tree.write(name, "two\n");
    }
    traps.caught();

    // The traps work: an unguarded git starts them.
    for args in [
        &["status"][..],
        &["diff"],
        &["diff", "--no-ext-diff"],
        &["log", "-p"],
    ] {
        git_output(tree.root(), args);
    }
    let caught = traps.caught();
    for name in [
        "clean",
        "command",
        "external",
        "fsmonitor",
        "gpg",
        "hook",
        "process",
        "textconv",
    ] {
        assert!(caught.iter().any(|caught| caught == name), "{name} in {caught:?}");
    }
    for name in ["a.txt", "b.txt", "c.txt", "d.txt"] {
        tree.write(name, "two\n");
    }

    let ages = Ages::read(tree.root(), NOW, 30, LIMIT);
    for name in ["a.txt", "b.txt", "c.txt", "d.txt"] {
        assert!(ages.is_dirty(&path(name)), "{name}");
        assert_eq!(
            ages.last_change(&path(name), 0),
            Some(Timestamp(1_704_164_645_000))
        );
    }
    let diff = open(&tree).diff(None).unwrap();
    assert_eq!(diff.text.matches("\n-one\n+two\n").count(), 4, "{}", diff.text);
    assert_eq!(open(&tree).diff(Some("HEAD..HEAD")).unwrap().text, "");
    assert!(crate::head(tree.root()).is_some());
    assert_eq!(crate::commits(tree.root(), 10, LIMIT).unwrap().len(), 1);
    open(&tree).scan(NOW).unwrap();
    assert_eq!(traps.caught(), [""; 0]);
}

#[test]
fn sec_4_missing_objects_are_not_fetched() {
    let traps = Traps::new();
    let tree = TempTree::new("//- a.txt\none\n");
    tree.git(&["init", "-q"]);
    tree.git(&["add", "."]);
    tree.git(&["commit", "-qm", "x"]);
    let blob = tree.git(&["rev-parse", "HEAD:a.txt"]);
    tree.write("a.txt", "two\n");
    let top = tree.git(&["rev-parse", "HEAD^{tree}"]);
    tree.write("b.txt", "b\n");
    tree.git(&["add", "."]);
    tree.git(&["commit", "-qm", "y"]);
    let ssh = traps.program("ssh");
    for (key, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("core.sshCommand", ssh.as_str()),
        ("extensions.partialClone", "origin"),
        ("protocol.ssh.allow", "always"),
        ("remote.origin.url", "ssh://host/path"),
        ("remote.origin.promisor", "true"),
    ] {
        tree.git(&["config", key, value]);
    }
    for id in [blob.trim(), top.trim()] {
        tree.remove(format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    }
    git_output(tree.root(), &["log", "--name-only"]);
    assert_eq!(traps.caught(), ["ssh"], "the trap works");
    let ages = Ages::read(tree.root(), NOW, 30, LIMIT);
    assert!(ages.head().is_some());
    assert!(open(&tree).diff(Some("HEAD~1")).is_err());
    assert_eq!(traps.caught(), [""; 0]);
}

#[test]
fn idx_6_the_work_tree_is_where_we_say() {
    let outside = TempTree::new("//- a.txt\nprivate\n");
    let tree = TempTree::new("//- a.txt\none\n");
    tree.git(&["init", "-q"]);
    tree.git(&["add", "."]);
    tree.git(&["commit", "-qm", "x"]);
    tree.git(&["config", "core.worktree", outside.root().to_str().unwrap()]);
    assert!(tree.git(&["diff"]).contains("private"), "the trap works");
    assert_eq!(open(&tree).diff(None).unwrap().text, "");
    assert!(!Ages::read(tree.root(), NOW, 30, LIMIT).is_dirty(&path("a.txt")));
}

#[test]
fn sec_4_a_filter_that_cannot_be_switched_off() {
    let traps = Traps::new();
    let tree = TempTree::new("//- a.txt\none\n");
    tree.git(&["init", "-q"]);
    tree.git(&["add", "."]);
    tree.git(&["commit", "-qm", "x"]);
    tree.write(".git/info/attributes", "a.txt filter=a=b\n");
    tree.git(&["config", "filter.a=b.clean", &traps.program("clean")]);
    tree.write("a.txt", "two\n");
    git_output(tree.root(), &["status"]);
    assert_eq!(traps.caught(), ["clean"], "the trap works");
    tree.write("a.txt", "two\n");
    let ages = Ages::read(tree.root(), NOW, 30, LIMIT);
    assert!(!ages.is_dirty(&path("a.txt")), "unknown");
    assert!(ages.last_change(&path("a.txt"), 0).is_some(), "by its commit");
    assert_eq!(open(&tree).diff(None).unwrap_err().code(), "GIT_ERROR");
    assert_eq!(traps.caught(), [""; 0]);
}
