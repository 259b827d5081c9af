//! Opening a tree and resolving paths (IDX-2, IDX-6, IDX-7).

use std::path::Path;

use kitbag_testkit::TempTree;
use kitbag_types::RepoPath;

use crate::secrets::SecretRules;
use crate::{BoundaryOptions, RepoError, SkipReason, Tree, Verdict};

fn open(root: &Path, options: BoundaryOptions) -> Result<Tree, RepoError> {
    Tree::open(root, options, SecretRules::off())
}

#[test]
fn idx_2_places_that_are_no_projects() {
    for place in [
        "/",
        "/etc",
        "/proc",
        "/sys",
        "/usr",
        "/bin",
        "/dev",
        "/tmp",
        "/var",
        "/etc/../etc",
        "/proc/self",
    ] {
        let error = open(Path::new(place), BoundaryOptions::default()).unwrap_err();
        assert_eq!(error.code(), "PATH_DENIED", "{place}: {error}");
    }
    let home = TempTree::new("//- a.rs\n//- project/b.rs\n");
    let options = BoundaryOptions {
        home: Some(home.root().to_owned()),
        ..BoundaryOptions::default()
    };
    let error = open(home.root(), options.clone()).unwrap_err();
    assert!(error.to_string().contains("is your home folder"), "{error}");
    assert!(open(&home.path("project"), options).is_ok());
}

#[test]
fn idx_2_roots_that_cannot_be() {
    let tree = TempTree::new("//- a.rs\n");
    assert_eq!(
        open(&tree.path("missing"), BoundaryOptions::default())
            .unwrap_err()
            .code(),
        "PATH_NOT_FOUND"
    );
    assert!(matches!(
        open(&tree.path("a.rs"), BoundaryOptions::default()),
        Err(RepoError::NotAFolder { .. })
    ));
}

#[test]
fn idx_2_watch_paths_are_checked() {
    let tree = TempTree::new("//- a/b.rs\n");
    let code = |path: &str| {
        let options = BoundaryOptions {
            watch_paths: vec![path.to_owned()],
            ..BoundaryOptions::default()
        };
        open(tree.root(), options).map_or_else(|error| error.code(), |_| "fine")
    };
    assert_eq!(code("a"), "fine");
    assert_eq!(code("./a/../a"), "fine");
    assert_eq!(code("missing"), "PATH_NOT_FOUND");
    assert_eq!(code(".."), "PATH_DENIED");
    assert_eq!(code("/etc"), "PATH_DENIED");
}

#[test]
fn cfg_3_bad_patterns_are_refused_with_their_name() {
    let tree = TempTree::empty();
    let options = BoundaryOptions {
        ignore_patterns: vec!["[a-".into()],
        ..BoundaryOptions::default()
    };
    let error = open(tree.root(), options).unwrap_err();
    assert_eq!(error.code(), "CONFIG_ERROR");
    assert_eq!(
        error.to_string(),
        "the pattern `[a-` in ignore_patterns can never match: a `[` is not closed"
    );
}

#[cfg(unix)]
#[test]
fn idx_6_paths_from_outside() {
    let outside = TempTree::new("//- x.rs\n");
    let tree = TempTree::new("//- src/a.rs\n//- b.rs\n");
    tree.symlink("src", "link");
    tree.symlink(outside.root(), "out");
    tree.symlink(outside.path("not-yet"), "dangling");
    let opened = open(tree.root(), BoundaryOptions::default()).unwrap();
    let cwd = tree.path("src");
    let resolve = |path: &str| opened.resolve(Path::new(path), &cwd);
    for (given, expected) in [
        ("a.rs", "src/a.rs"),
        ("../b.rs", "b.rs"),
        ("./x/../a.rs", "src/a.rs"),
        ("../link/a.rs", "src/a.rs"),
        ("gone/later.rs", "src/gone/later.rs"),
    ] {
        if given == "./x/../a.rs" {
            // `..` of a folder that does not exist leads nowhere, in any system call.
            assert_eq!(resolve(given).unwrap_err().code(), "PATH_DENIED");
            continue;
        }
        assert_eq!(resolve(given).unwrap().as_str(), expected, "{given}");
    }
    let absolute = tree.path("b.rs");
    assert_eq!(resolve(absolute.to_str().unwrap()).unwrap().as_str(), "b.rs");
    for denied in [
        "../../x",
        "/etc/passwd",
        "../out/x.rs",
        "../out/new.rs",
        "../dangling",
        "../dangling/x",
        "gone/../../../x",
    ] {
        assert_eq!(resolve(denied).unwrap_err().code(), "PATH_DENIED", "{denied}");
    }
    assert!(matches!(resolve(".."), Err(RepoError::IsRoot { .. })));
}

#[test]
fn idx_7_check_names_the_rule() {
    let tree = TempTree::new(
        "//- .gitignore\n# build\n\n*.log\n//- a.rs\nfn a() {}\n//- x/y.log\n//- node_modules/z/a.js\n//- .hid/b.rs\n",
    );
    tree.write("data.txt", b"a\0b");
    let opened = open(tree.root(), BoundaryOptions::default()).unwrap();
    let check = |path: &str| match opened.check(&RepoPath::new(path).unwrap()) {
        Ok(Verdict::Indexed) => "indexed".to_owned(),
        Ok(Verdict::Skipped(skip)) => format!("{}: {}", skip.reason.as_str(), skip.detail),
        Err(error) => error.code().to_owned(),
    };
    assert_eq!(check("a.rs"), "indexed");
    assert_eq!(check("x"), "indexed");
    assert_eq!(check("x/y.log"), "gitignore: .gitignore:3: *.log");
    assert_eq!(check("node_modules/z/a.js"), "built_in: built-in: node_modules");
    assert_eq!(check(".hid/b.rs"), "hidden_folder: hidden folder: .hid");
    assert_eq!(check("data.txt"), "binary: content: a NUL byte");
    assert_eq!(check("gone.rs"), "PATH_NOT_FOUND");
}

#[test]
fn reasons_have_stable_words() {
    for reason in SkipReason::ALL {
        assert_eq!(SkipReason::parse(reason.as_str()), Some(reason));
    }
}
