//! What git tracks, compared with `git ls-files` (IDX-3).

use kitbag_testkit::TempTree;
use kitbag_testkit::fuzz::{Material, fuzz};

use super::{Tracked, parse};

fn repository() -> TempTree {
    let tree = TempTree::new("//- a.rs\n//- dir/b.rs\n//- dir/sub/c.rs\n//- dir-x/d.rs\n//- dir.rs\n");
    tree.write(format!("long/{}", "x".repeat(200)), "x");
    tree.git(&["init", "-q"]);
    tree.git(&["add", "."]);
    tree
}

fn load(tree: &TempTree) -> Tracked {
    let git_dir = tree.path(".git");
    Tracked::load(tree.root(), &git_dir, &git_dir)
}

fn listed(tree: &TempTree) -> Vec<Vec<u8>> {
    tree.git(&["ls-files", "-z"])
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(|path| path.as_bytes().to_vec())
        .collect()
}

#[test]
fn every_version_of_the_index() {
    for version in ["2", "3", "4"] {
        let tree = repository();
        tree.git(&["update-index", "--index-version", version]);
        if version == "3" {
            // An extended flag, for which version 3 exists.
            tree.write("later.rs", "x");
            tree.git(&["add", "-N", "later.rs"]);
        }
        let bytes = tree.read(".git/index");
        assert_eq!(parse(&bytes).unwrap(), listed(&tree), "version {version}");
        assert_eq!(load(&tree).paths, listed(&tree));
    }
}

#[test]
fn rare_kinds_are_left_to_git() {
    let tree = repository();
    tree.git(&["update-index", "--split-index"]);
    tree.write("later.rs", "x");
    tree.git(&["add", "later.rs"]);
    assert!(parse(&tree.read(".git/index")).is_none());
    assert_eq!(load(&tree).paths, listed(&tree));
    let tree = TempTree::new("//- a.rs\n//- b/c.rs\n");
    tree.git(&["init", "-q", "--object-format=sha256"]);
    tree.git(&["add", "."]);
    assert_eq!(load(&tree).paths, listed(&tree));
}

#[test]
fn damaged_indexes_are_no_index() {
    let tree = repository();
    let bytes = tree.read(".git/index");
    for n in 0..bytes.len() {
        // Never a panic; a cut index is recognised by its missing end or left to git.
        let _ = parse(&bytes[..n]);
    }
    for at in (0..bytes.len()).step_by(3) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0xFF;
        let _ = parse(&bytes);
    }
    assert!(parse(b"").is_none());
    tree.write(".git/index", "nonsense");
    assert!(load(&tree).paths.is_empty());
}

#[test]
fn folders_are_not_taken_for_their_neighbours() {
    let tracked = load(&repository());
    assert!(
        tracked.has_below("dir")
            && tracked.has_below("dir/sub")
            && tracked.has_below("dir-x")
            && tracked.has_below("")
    );
    assert!(!tracked.has_below("di") && !tracked.has_below("dir/su") && !tracked.has_below("zzz"));
    assert!(tracked.has_file("a.rs") && !tracked.has_file("dir"));
}

#[test]
fn sec_6_fuzz_git_index() {
    let tree = repository();
    let index = |version| {
        tree.git(&["update-index", "--index-version", version]);
        std::fs::read(tree.path(".git/index")).expect("git wrote one")
    };
    let material = Material::new(
        &[index("2"), index("4")],
        &[
            "DIRC",
            "link",
            "TREE",
            "\0\0\0\u{2}",
            "\0\0\0\u{4}",
            "\u{7f}\u{7f}\u{7f}\u{7f}",
            "a/b",
            "\0",
        ],
    );
    fuzz("git index", &material, |input| {
        parse(input);
    });
}
