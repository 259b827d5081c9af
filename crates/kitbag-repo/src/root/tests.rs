//! Finding the root and the place of the index (IDX-1, IDX-30).

use kitbag_testkit::fuzz::{Material, fuzz};
use std::path::Path;

use kitbag_testkit::{TempTree, git};

use super::{RootKind, default_store, find_root, git_common_dir, global_ignore_path, nearest_root};

fn check(fixture: &str, start: &str, expected: &str, kind: RootKind) {
    let tree = TempTree::new(fixture);
    // The folder itself is the home folder, so that nothing around the test has an effect.
    let (root, found) = find_root(&tree.path(start), Some(tree.root()));
    assert_eq!((root, found), (tree.path(expected), kind));
}

#[test]
fn idx_1_signs_in_their_order() {
    check(
        "//- p/.git/HEAD\nref\n//- p/app/package.json\n//- p/app/src/a.js\n",
        "p/app/src",
        "p",
        RootKind::Git,
    );
    check(
        "//- p/Cargo.toml\n//- p/crates/a/Cargo.toml\n//- p/crates/a/src/lib.rs\n",
        "p/crates/a/src",
        "p/crates/a",
        RootKind::Manifest,
    );
    check(
        "//- p/App.sln\n//- p/src/a.cs\n",
        "p/src",
        "p",
        RootKind::Manifest,
    );
    check("//- p/src/a.c\n//- p/tests/b.c\n", "p/src", "p", RootKind::Layout);
    check("//- p/ReadMe.rst\n//- p/x/a.c\n", "p/x", "p", RootKind::Layout);
    check("//- p/x/a.c\n", "p/x", "p/x", RootKind::Start);
}

/// A stray README in the system's folder for temporary files, say.
#[test]
fn idx_1_a_folder_that_cannot_be_a_root_is_passed_over() {
    let tree = TempTree::new("//- top/readme.out\n//- top/.git/HEAD\nref\n//- top/p/x/a.c\n");
    let top = tree.path("top");
    let found = |start: &str| nearest_root(&tree.path(start), Some(tree.root()), &|folder| folder == top);
    assert_eq!(found("top/p/x"), (tree.path("top/p/x"), RootKind::Start));
    assert_eq!(found("top"), (top.clone(), RootKind::Start));
}

#[test]
fn idx_1_home_and_empty_git_folders_are_passed_over() {
    check("//- package.json\n//- p/x/a.c\n", "p/x", "p/x", RootKind::Start);
    check(
        "//- p/.git/\n//- p/go.mod\n//- p/a/b.go\n",
        "p/a",
        "p",
        RootKind::Manifest,
    );
}

#[test]
fn idx_1_nothing_above_the_home_folder_is_a_project_of_its_owner() {
    let tree = TempTree::new("//- p/.git/HEAD\nref\n//- p/home/x/a.c\n");
    let home = tree.path("p/home");
    for start in ["p/home", "p/home/x"] {
        assert_eq!(
            find_root(&tree.path(start), Some(&home)),
            (tree.path(start), RootKind::Start)
        );
    }
    assert_eq!(
        find_root(&tree.path("p"), Some(&home)),
        (tree.path("p"), RootKind::Git)
    );
}

#[test]
fn idx_30_worktrees_share_and_submodules_do_not() {
    let tree = TempTree::new("//- main/a.rs\n//- lib/b.rs\n");
    for name in ["main", "lib"] {
        let folder = tree.path(name);
        git(&folder, &["init", "-q"]);
        git(&folder, &["add", "."]);
        git(&folder, &["commit", "-qm", "x"]);
    }
    let main = tree.path("main");
    git(&main, &["worktree", "add", "-q", "../tree"]);
    git(&main, &["submodule", "add", "-q", "../lib", "vendor/lib"]);
    let cache = Path::new("/cache");
    let store = |path: &str| default_store(&tree.path(path), cache);
    assert_eq!(store("main"), tree.path("main/.git/kitbag"));
    assert_eq!(
        store("main/vendor"),
        tree.path("main/.git/kitbag"),
        "a folder of the project"
    );
    assert_eq!(store("tree"), tree.path("main/.git/kitbag"));
    assert_eq!(
        store("main/vendor/lib"),
        tree.path("main/.git/modules/vendor/lib/kitbag")
    );
    assert_eq!(
        find_root(&tree.path("tree"), None),
        (tree.path("tree"), RootKind::Git)
    );
    assert_eq!(git_common_dir(&tree.path("tree")), Some(tree.path("main/.git")));
}

#[test]
fn idx_30_other_folders_live_in_the_cache() {
    let tree = TempTree::new("//- a/x/1.c\n//- b/x/1.c\n");
    let cache = Path::new("/cache");
    let (a, b) = (
        default_store(&tree.path("a/x"), cache),
        default_store(&tree.path("b/x"), cache),
    );
    assert_ne!(a, b);
    assert!(a.starts_with("/cache/kitbag") && a.file_name().unwrap().to_str().unwrap().starts_with("x-"));
    assert_eq!(a, default_store(&tree.path("a/../a/x"), cache));
}

#[test]
fn idx_30_a_pointer_that_leads_nowhere_is_no_repository() {
    let tree = TempTree::new("//- p/.git\ngitdir: /nowhere/at/all\n//- p/a.rs\n");
    assert!(default_store(&tree.path("p"), Path::new("/cache")).starts_with("/cache"));
}

#[test]
fn idx_3_global_ignore_file() {
    let tree = TempTree::new(
        "//- home/.gitconfig\n[user]\n\texcludesFile = no\n[core]\n\teditor = vi\n\texcludesFile = ~/mine\n//- bare/x\n//- xdg/git/config\n[core]\nexcludesfile=\"/abs\"\n",
    );
    let home = tree.path("home");
    assert_eq!(global_ignore_path(Some(&home), None), Some(home.join("mine")));
    let bare = tree.path("bare");
    assert_eq!(
        global_ignore_path(Some(&bare), None),
        Some(bare.join(".config/git/ignore"))
    );
    assert_eq!(
        global_ignore_path(Some(&bare), Some(&tree.path("xdg"))),
        Some("/abs".into())
    );
    assert_eq!(global_ignore_path(None, None), None);
}

/// A pipe in place of a file of git.
#[cfg(unix)]
fn pipe(path: &Path) {
    let done = std::process::Command::new("mkfifo").arg(path).status();
    assert!(done.is_ok_and(|status| status.success()), "mkfifo");
}

#[test]
#[cfg(unix)]
fn idx_15_pipes_in_the_place_of_git_files_hang_nothing() {
    let tree = TempTree::new(
        "//- p/.git/HEAD\nref: refs/heads/main\n//- p/a.rs\n//- q/.git/x\n//- q/README\n//- r/README\n",
    );
    pipe(&tree.path("p/.git/commondir"));
    let cache = Path::new("/cache");
    assert_eq!(default_store(&tree.path("p"), cache), tree.path("p/.git/kitbag"));
    pipe(&tree.path("q/.git/HEAD"));
    assert_eq!(
        find_root(&tree.path("q"), Some(tree.root())),
        (tree.path("q"), RootKind::Layout)
    );
    pipe(&tree.path("r/.git"));
    assert_eq!(
        find_root(&tree.path("r"), Some(tree.root())),
        (tree.path("r"), RootKind::Layout)
    );
    pipe(&tree.path("config"));
    assert_eq!(excludes_of(&tree.path("config")), None);
    assert_eq!(crate::checked_out(&tree.path("q")), None);
}

#[cfg(unix)]
fn excludes_of(config: &Path) -> Option<std::path::PathBuf> {
    let home = config.parent()?;
    std::fs::rename(config, home.join(".gitconfig")).ok()?;
    global_ignore_path(Some(home), None).filter(|path| !path.starts_with(home.join(".config")))
}

#[test]
#[cfg(unix)]
fn idx_30_a_git_folder_that_leads_elsewhere_does_not_decide_where_the_index_lies() {
    let tree = TempTree::new(
        "//- victim/.git/HEAD\nref\n//- a/.git/HEAD\nref\n//- a/.git/commondir\n../../victim/.git\n//- b/.git\ngitdir: ../victim/.git\n\
         //- c/README\n//- d/.git/HEAD\nref\n//- e/.git/HEAD\nref\n//- e/.git/commondir\n..\n",
    );
    std::os::unix::fs::symlink(tree.path("victim/.git"), tree.path("c/.git")).expect("a link");
    std::os::unix::fs::symlink(tree.path("victim"), tree.path("d/.git/kitbag")).expect("a link");
    let cache = Path::new("/cache");
    let store = |path: &str| default_store(&tree.path(path), cache);
    assert_eq!(store("a"), tree.path("a/.git/kitbag"), "a crafted commondir");
    assert_eq!(
        store("e"),
        tree.path("e/.git/kitbag"),
        "a commondir that is the work tree"
    );
    for (name, what) in [
        ("b", "a crafted .git file"),
        ("c", "a linked .git"),
        ("d", "a linked store"),
    ] {
        assert!(
            store(name).starts_with(cache),
            "{what}: {}",
            store(name).display()
        );
    }
}

#[test]
fn sec_6_fuzz_git_files() {
    let tree = TempTree::new("//- home/x\n//- p/.git/HEAD\nref: refs/heads/main\n//- q/x\n//- cache/x\n");
    let material = Material::new(
        &[
            "ref: refs/heads/main\n",
            "gitdir: ../p/.git\n",
            "[core]\n\texcludesFile = \"~/ignore\"\n",
            "# pack-refs with: peeled fully-peeled sorted\n1234567890123456789012345678901234567890 refs/heads/main\n",
        ],
        &[
            "ref:",
            "refs/",
            "gitdir:",
            "../",
            "..",
            "/",
            "[core]",
            "excludesfile",
            "=",
            "~/",
            "\"",
            "\0",
            "\n",
        ],
    );
    fuzz("git files", &material, |input| {
        for path in [
            "p/.git/HEAD",
            "p/.git/commondir",
            "p/.git/config",
            "p/.git/packed-refs",
            "q/.git",
            "home/.gitconfig",
        ] {
            std::fs::write(tree.path(path), input).expect("a file can be written");
        }
        let store = default_store(&tree.path("p"), &tree.path("cache"));
        assert!(
            store.starts_with(tree.path("p/.git")) || store.starts_with(tree.path("cache")),
            "{store:?}"
        );
        let store = default_store(&tree.path("q"), &tree.path("cache"));
        assert!(store.starts_with(tree.path("cache")), "{store:?}");
        find_root(&tree.path("q"), Some(tree.root()));
        global_ignore_path(Some(&tree.path("home")), None);
        crate::checked_out(&tree.path("p"));
    });
}
