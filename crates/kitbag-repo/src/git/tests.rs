//! Starting git, and everything that may come of it.

use std::time::Duration;

use kitbag_testkit::TempTree;

use super::{head, ls_files, run_program};

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
    assert_eq!(
        run_program(
            "kitbag-has-no-such-program",
            &std::env::temp_dir(),
            &[],
            Duration::from_secs(5)
        ),
        None
    );
}

#[cfg(unix)]
#[test]
fn a_program_that_does_not_end_is_ended() {
    use std::os::unix::fs::PermissionsExt;
    let tree = TempTree::empty();
    tree.write("stuck", "#!/bin/sh\nexec tail -f /dev/null\n");
    std::fs::set_permissions(tree.path("stuck"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = tree.path("stuck");
    assert_eq!(
        run_program(
            program.to_str().unwrap(),
            tree.root(),
            &[],
            Duration::from_millis(50)
        ),
        None
    );
}
