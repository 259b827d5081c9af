//! Starting git, and everything that can go wrong.

#[cfg(unix)]
mod hostile;

use std::time::Duration;

use kitbag_testkit::TempTree;

use super::{Answer, Run, head, ls_files};

#[test]
fn head_is_the_commit() {
    let tree = TempTree::new("//- a.rs\n");
    assert_eq!(head(tree.root()), None);
    tree.git(&["init", "-q"]);
    assert_eq!(head(tree.root()), None, "no commit yet");
    tree.git(&["add", "."]);
    tree.git(&["commit", "-qm", "x"]);
    assert_eq!(
        head(tree.root()).unwrap(),
        tree.git(&["rev-parse", "HEAD"]).trim()
    );
}

#[test]
fn odd_names_come_through() {
    let tree = TempTree::empty();
    tree.git(&["init", "-q"]);
    tree.write("a \"b\"\nc.rs", "x");
    tree.git(&["add", "."]);
    assert_eq!(ls_files(tree.root()), Some(vec![b"a \"b\"\nc.rs".to_vec()]));
}

#[test]
fn a_missing_program_is_no_answer() {
    let dir = std::env::temp_dir();
    assert_eq!(
        Run::new(&dir).run_program("kitbag-has-no-such-program", &[]),
        None
    );
}

#[cfg(unix)]
fn program(tree: &TempTree, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    tree.write("program", format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(tree.path("program"), std::fs::Permissions::from_mode(0o755)).unwrap();
    tree.path("program").to_str().unwrap().to_owned()
}

#[cfg(unix)]
#[test]
fn a_program_that_does_not_end_is_ended() {
    let tree = TempTree::empty();
    let program = program(&tree, "exec tail -f /dev/null");
    let run = Run {
        time: Duration::from_millis(50),
        ..Run::new(tree.root())
    };
    assert_eq!(run.run_program(&program, &[]), None);
}

#[cfg(unix)]
#[test]
fn sec_4_a_program_that_says_too_much_is_cut_short() {
    let tree = TempTree::empty();
    let program = program(&tree, "exec yes");
    let run = Run {
        max_bytes: 5,
        ..Run::new(tree.root())
    };
    let expected = Answer {
        bytes: b"y\ny\ny".to_vec(),
        cut: true,
    };
    assert_eq!(run.run_program(&program, &[]), Some(expected));
}

#[cfg(unix)]
#[test]
fn sec_4_git_is_not_started_where_one_of_its_files_is_a_device() {
    for name in super::READ_BY_GIT {
        let tree = TempTree::empty();
        tree.git(&["init", "-q"]);
        let program = program(&tree, "echo started");
        assert!(Run::new(tree.root()).run_program(&program, &[]).is_some());
        let _ = std::fs::remove_file(tree.path(".git").join(name));
        tree.symlink("/dev/zero", format!(".git/{name}"));
        assert_eq!(Run::new(tree.root()).run_program(&program, &[]), None, "{name}");
    }
}

#[test]
fn filters_are_emptied_one_by_one() {
    let tree = TempTree::empty();
    tree.git(&["init", "-q"]);
    let without = || Run::new(tree.root()).without_filters();
    let named =
        |args: Vec<String>| -> Vec<String> { args.into_iter().filter(|arg| arg.contains("odd")).collect() };
    assert!(named(without().unwrap()).is_empty());
    tree.git(&["config", "filter.odd.Name 1.clean", "cat"]);
    assert_eq!(
        named(without().unwrap()),
        [
            "filter.odd.Name 1.clean=",
            "filter.odd.Name 1.smudge=",
            "filter.odd.Name 1.process=",
            "filter.odd.Name 1.required=false",
        ]
    );
    // `-c filter.a=b.clean=` would set `filter.a`.
    tree.git(&["config", "filter.a=b.clean", "cat"]);
    assert_eq!(without(), None);
}
