//! Reading one file, and what can happen to it (IDX-4, IDX-5, IDX-15).

use kitbag_testkit::TempTree;
use kitbag_types::{RepoPath, SourceFile, Timestamp};

use crate::secrets::SecretRules;
use crate::{BoundaryOptions, FailureKind, ReadFailure, SkipReason, Tree};

fn open(tree: &TempTree, options: BoundaryOptions) -> Tree {
    Tree::open(tree.root(), options, SecretRules::new(&[]).unwrap()).unwrap()
}

fn read(tree: &TempTree, path: &str) -> Result<SourceFile, ReadFailure> {
    open(tree, BoundaryOptions::default()).read(&RepoPath::new(path).unwrap())
}

fn failure(tree: &TempTree, path: &str) -> FailureKind {
    match read(tree, path) {
        Err(ReadFailure::Failed { kind, .. }) => kind,
        other => panic!("{other:?}"),
    }
}

fn reason(result: Result<SourceFile, ReadFailure>) -> SkipReason {
    match result {
        Err(ReadFailure::Skipped(skip)) => skip.reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn idx_15_text_hash_and_stamp() {
    let tree = TempTree::empty();
    tree.write("a.rs", "fn a() {}\r\nfn b() {}\r\n");
    let file = read(&tree, "a.rs").unwrap();
    assert_eq!(file.text, "fn a() {}\r\nfn b() {}\r\n");
    assert_eq!(file.hash, *blake3::hash(file.text.as_bytes()).as_bytes());
    assert_eq!(file.stamp.size, 22);
    assert!(file.notes.is_empty());
    let scan = open(&tree, BoundaryOptions::default())
        .scan(Timestamp(0))
        .unwrap();
    assert_eq!(scan.files[0].stamp, file.stamp);
}

#[test]
fn idx_15_latin_1_and_utf_16() {
    let tree = TempTree::empty();
    tree.write("latin.txt", b"na\xEFve\n");
    let file = read(&tree, "latin.txt").unwrap();
    assert_eq!(file.text, "na\u{FFFD}ve\n");
    assert_eq!(file.notes[0].code, "not_utf8");
    let bytes: Vec<u8> = [0xFEFFu16]
        .into_iter()
        .chain("fn a() {}\n".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    tree.write("wide.cs", &bytes);
    let file = read(&tree, "wide.cs").unwrap();
    assert_eq!(file.text, "fn a() {}\n");
    assert_eq!(
        file.hash,
        *blake3::hash(&bytes).as_bytes(),
        "of the bytes on disk"
    );
    tree.write("nul.txt", b"a\0b");
    assert_eq!(reason(read(&tree, "nul.txt")), SkipReason::Binary);
}

#[test]
fn sec_1_secrets_do_not_leave_and_are_counted() {
    let tree = TempTree::empty();
    let secret = format!("Tr0ub4dor&{}", 3);
    let text = format!("a = 1\npassword = \"{secret}\"\n");
    tree.write("a.py", &text);
    let file = read(&tree, "a.py").unwrap();
    assert_eq!(file.text, "a = 1\npassword = \"[REDACTED]\"\n");
    assert_eq!(
        file.hash,
        *blake3::hash(text.as_bytes()).as_bytes(),
        "of the original, for change detection"
    );
    assert_eq!(
        (file.notes[0].code, file.notes[0].lines.unwrap().start()),
        ("redacted", 2)
    );
    assert!(!format!("{:?}", file.notes).contains(&secret));
}

#[test]
fn sec_1_many_findings_are_summed_up() {
    let tree = TempTree::empty();
    let secret = format!("Tr0ub4dor&{}", 3);
    tree.write("a.py", format!("password = \"{secret}\"\n").repeat(150));
    let file = read(&tree, "a.py").unwrap();
    assert_eq!(file.notes.len(), 101);
    assert_eq!(file.notes[100].message, "and 50 more");
    assert_eq!(file.text.lines().count(), 150);
}

#[test]
fn idx_4_limits_hold_while_reading() {
    let tree = TempTree::empty();
    tree.write("a.rs", vec![b'x'; 300]);
    tree.write("b.sql", vec![b'x'; 300]);
    let options = BoundaryOptions {
        max_file_bytes: 299,
        size_exceptions: vec!["*.sql".into()],
        ..BoundaryOptions::default()
    };
    let opened = open(&tree, options);
    assert_eq!(
        reason(opened.read(&RepoPath::new("a.rs").unwrap())),
        SkipReason::TooLarge
    );
    assert_eq!(
        opened.read(&RepoPath::new("b.sql").unwrap()).unwrap().text.len(),
        300
    );
    let exact = open(
        &tree,
        BoundaryOptions {
            max_file_bytes: 300,
            ..BoundaryOptions::default()
        },
    );
    assert!(exact.read(&RepoPath::new("a.rs").unwrap()).is_ok());
}

#[test]
fn idx_3_never_means_never() {
    let tree = TempTree::new("//- a.secret\nx\n");
    assert_eq!(reason(read(&tree, "a.secret")), SkipReason::Never);
}

#[test]
fn idx_42_files_that_changed_since_the_scan() {
    let tree = TempTree::new("//- a.rs\nx\n//- d/b.rs\nx\n//- c.rs\nx\n");
    tree.remove("a.rs");
    assert_eq!(failure(&tree, "a.rs"), FailureKind::Vanished);
    tree.remove("d");
    assert_eq!(failure(&tree, "d/b.rs"), FailureKind::Vanished);
    tree.write("d", "a file now");
    assert_eq!(failure(&tree, "d/b.rs"), FailureKind::Vanished);
    tree.remove("c.rs");
    tree.mkdir("c.rs");
    assert_eq!(failure(&tree, "c.rs"), FailureKind::NotAFile);
}

#[cfg(unix)]
#[test]
fn idx_5_links_that_appeared_since_the_scan_are_not_followed() {
    let outside = TempTree::new("//- b.rs\nprivate\n");
    let tree = TempTree::new("//- a.rs\n");
    tree.symlink(outside.path("b.rs"), "link.rs");
    tree.symlink(outside.root(), "folder");
    assert_eq!(reason(read(&tree, "link.rs")), SkipReason::Symlink);
    assert_eq!(reason(read(&tree, "folder/b.rs")), SkipReason::Symlink);
    let following = open(
        &tree,
        BoundaryOptions {
            follow_symlinks: true,
            ..BoundaryOptions::default()
        },
    );
    for path in ["link.rs", "folder/b.rs"] {
        assert_eq!(
            reason(following.read(&RepoPath::new(path).unwrap())),
            SkipReason::Symlink
        );
    }
}

#[cfg(unix)]
#[test]
fn idx_15_pipes_do_not_hang() {
    let tree = TempTree::new("//- a.rs\n");
    let made = std::process::Command::new("mkfifo")
        .arg(tree.path("pipe.rs"))
        .status()
        .unwrap();
    assert!(made.success());
    assert_eq!(failure(&tree, "pipe.rs"), FailureKind::NotAFile);
    let scan = open(&tree, BoundaryOptions::default())
        .scan(Timestamp(0))
        .unwrap();
    assert_eq!(scan.skipped[0].1.reason, SkipReason::NotAFile);
}

#[cfg(unix)]
#[test]
fn idx_42_permission_denied() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let tree = TempTree::new("//- a.rs\nx\n//- d/b.rs\nx\n");
    let is_root = fs::metadata(tree.root()).unwrap().uid() == 0;
    fs::set_permissions(tree.path("a.rs"), Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(tree.path("d"), Permissions::from_mode(0o000)).unwrap();
    let opened = open(&tree, BoundaryOptions::default());
    let scan = opened.scan(Timestamp(0)).unwrap();
    // Root may read everything: then this part cannot be tested.
    if is_root {
        assert_eq!(scan.files.len(), 2);
        assert!(read(&tree, "a.rs").is_ok());
    } else {
        assert_eq!(failure(&tree, "a.rs"), FailureKind::Permission);
        assert_eq!(scan.files.len(), 1);
        assert_eq!(scan.skipped[0].1.reason, SkipReason::Unreadable);
    }
    fs::set_permissions(tree.path("d"), Permissions::from_mode(0o755)).unwrap();
    assert_eq!(
        opened.rescan(&scan, Timestamp(0)).unwrap(),
        opened.scan(Timestamp(0)).unwrap()
    );
}

/// The result for a path that a person names for a pack.
fn named(opened: &Tree, path: &str) -> String {
    let path = match opened.resolve(std::path::Path::new(path), opened.root()) {
        Ok(path) => path,
        Err(error) => return error.code().to_owned(),
    };
    match opened.read(&path) {
        Ok(file) => format!("{}: {}", file.path, file.text),
        Err(ReadFailure::Skipped(skip)) => format!("{}: {}", skip.reason.as_str(), skip.detail),
        Err(ReadFailure::Failed { kind, .. }) => kind.as_str().to_owned(),
    }
}

#[test]
fn pack_2_a_named_file_need_not_be_indexed() {
    let secret = format!("Tr0ub4dor&{}", 3);
    let tree = TempTree::new(
        "//- .gitignore\n*.log\n//- run.log\nfailed\n//- node_modules/x/a.js\nlet a\n//- .hid/b\nb\n",
    );
    tree.write("conf.log", format!("password = \"{secret}\"\n"));
    tree.write("data.bin", b"a\0b");
    tree.write(".env", "A=1\n");
    tree.write("vault/a.txt", "x\n");
    let options = BoundaryOptions {
        denied_paths: vec!["vault/".to_owned()],
        ..BoundaryOptions::default()
    };
    let opened = open(&tree, options);
    for (path, expected) in [
        ("run.log", "run.log: failed\n"),
        ("node_modules/x/a.js", "node_modules/x/a.js: let a\n"),
        (".hid/b", ".hid/b: b\n"),
        ("conf.log", "conf.log: password = \"[REDACTED]\"\n"),
        ("data.bin", "binary: content: a NUL byte"),
        ("gone.rs", "vanished"),
        ("node_modules", "not_a_file"),
        ("../x", "PATH_DENIED"),
        ("/etc/passwd", "PATH_DENIED"),
        (".env", "denied: deny-list: .env*"),
        (".git/config", "denied: deny-list: .git/"),
        ("vault/a.txt", "denied: denied_paths:1: vault/"),
    ] {
        assert_eq!(named(&opened, path), expected, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn pack_2_links_lead_to_nothing_denied() {
    let outside = TempTree::new("//- b.rs\nprivate\n");
    let tree = TempTree::new("//- a.rs\na\n//- .env\nA=1\n//- .ssh/k\nk\n");
    tree.symlink(outside.path("b.rs"), "out.rs");
    tree.symlink("a.rs", "in.rs");
    tree.symlink(".env", "harmless.txt");
    tree.symlink(".ssh", "folder");
    tree.symlink("nowhere", "dangling");
    for follow_symlinks in [false, true] {
        let options = BoundaryOptions {
            follow_symlinks,
            ..BoundaryOptions::default()
        };
        let opened = open(&tree, options);
        // Named by a person: links are resolved, and their targets are read or refused.
        assert_eq!(named(&opened, "in.rs"), "a.rs: a\n");
        assert_eq!(named(&opened, "out.rs"), "PATH_DENIED");
        assert_eq!(named(&opened, "dangling"), "PATH_DENIED");
        assert_eq!(named(&opened, "harmless.txt"), "denied: deny-list: .env*");
        assert_eq!(named(&opened, "folder/k"), "denied: deny-list: .ssh/");
        // From the index: the path is that of the link.
        let read = |path: &str| reason(opened.read(&RepoPath::new(path).unwrap()));
        let expected = match follow_symlinks {
            true => SkipReason::Denied,
            false => SkipReason::Symlink,
        };
        assert_eq!(read("harmless.txt"), expected);
        assert_eq!(read("folder/k"), expected);
        assert_eq!(read("out.rs"), SkipReason::Symlink);
    }
}

#[test]
fn idx_7_a_look_at_the_beginning_decides_as_reading_does() {
    let tree = TempTree::empty();
    let long = "é".repeat(6_000);
    let mut late = vec![b'a'; 9_000];
    late.push(0);
    let contents: [&[u8]; 9] = [
        b"plain\n",
        b"",
        b"\x7FELF and more",
        b"a\0b",
        &late,
        long.as_bytes(),
        &long.as_bytes()[1..],
        b"\xFF\xFEa\0b\0",
        b"\x01\x02\x03\x04\x05abc",
    ];
    let open = open(&tree, BoundaryOptions::default());
    for (n, content) in contents.into_iter().enumerate() {
        let path = RepoPath::new(format!("f{n}.txt")).unwrap();
        tree.write(path.as_str(), content);
        let why = |failure| match failure {
            ReadFailure::Skipped(skip) => skip,
            other => panic!("{other:?}"),
        };
        let (looked, read) = (open.sniff(&path).map_err(why), open.read(&path).map_err(why));
        assert_eq!(looked, read.map(|_| ()), "{n}");
    }
    for path in ["missing.txt", "x.private"] {
        let path = RepoPath::new(path).unwrap();
        assert!(open.sniff(&path).is_err());
    }
}
