//! The law of IDX-44: a rescan gives the same as a scan.

use std::fs;
use std::os::unix::fs::MetadataExt;

use kitbag_testkit::TempTree;
use kitbag_testkit::random::Random;
use kitbag_types::Timestamp;

use crate::secrets::SecretRules;
use crate::{BoundaryOptions, Scan, Tree};

/// So late that every stamp counts as settled. Only true if the clock has advanced since: see [`tick`].
const LATE: Timestamp = Timestamp(i64::MAX / 2_000_000);
/// So early that no stamp is trusted.
const EARLY: Timestamp = Timestamp(0);

/// Waits until the clock of the file system has ticked, so that later changes have a later time stamp.
fn tick(elsewhere: &TempTree) {
    let stamp = || {
        elsewhere.write("tick", "x");
        let metadata = fs::metadata(elsewhere.path("tick")).unwrap();
        (metadata.ctime(), metadata.ctime_nsec())
    };
    let first = stamp();
    while stamp() == first {}
}

fn open(tree: &TempTree, options: BoundaryOptions) -> Tree {
    Tree::open(tree.root(), options, SecretRules::off()).unwrap()
}

fn options(random: &mut Random) -> BoundaryOptions {
    BoundaryOptions {
        max_file_bytes: 50,
        follow_symlinks: random.chance(10),
        use_dockerignore: random.chance(20),
        hidden: random.chance(20),
        ..BoundaryOptions::default()
    }
}

/// Any file or folder of the tree, except git's own folder.
fn anything(tree: &TempTree, random: &mut Random) -> Option<String> {
    let mut all = Vec::new();
    let mut pending = vec![String::new()];
    while let Some(folder) = pending.pop() {
        let mut names: Vec<String> = fs::read_dir(tree.path(&folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        for name in names.into_iter().filter(|name| name != ".git") {
            let path = format!("{folder}{name}");
            if fs::symlink_metadata(tree.path(&path)).unwrap().is_dir() {
                pending.push(format!("{path}/"));
            }
            all.push(path);
        }
    }
    (!all.is_empty()).then(|| random.pick(&all))
}

fn random_path(tree: &TempTree, random: &mut Random) -> String {
    let names = [
        "a",
        "b",
        "c",
        "src",
        "build",
        "x.rs",
        "y.log",
        "z.md",
        ".hid",
        "Cargo.toml",
        "node_modules",
        "pyvenv.cfg",
        "w.png",
    ];
    let mut path = match anything(tree, random) {
        Some(found) if random.chance(60) && fs::symlink_metadata(tree.path(&found)).unwrap().is_dir() => {
            format!("{found}/")
        }
        _ => String::new(),
    };
    for _ in 0..random.below(3) {
        path.push_str(random.pick(&names));
        path.push('/');
    }
    path + random.pick(&names)
}

/// One random operation of a person or a tool. An operation that does not fit the tree does nothing.
fn operate(tree: &TempTree, random: &mut Random) -> String {
    let path = random_path(tree, random);
    let fits = |path: &str| {
        let mut at = tree.path(path);
        while at.pop() && at != tree.root() {
            if fs::symlink_metadata(&at).is_ok_and(|found| !found.is_dir()) {
                return false;
            }
        }
        fs::symlink_metadata(tree.path(path)).is_err()
    };
    match random.below(14) {
        0..4 if fits(&path) => {
            tree.write(&path, "x".repeat(random.below(80)));
            format!("create {path}")
        }
        4 if fits(&path) => {
            tree.mkdir(&path);
            format!("mkdir {path}")
        }
        5 | 6 => {
            let Some(found) = anything(tree, random) else {
                return String::new();
            };
            tree.remove(&found);
            format!("remove {found}")
        }
        7 => {
            let Some(found) = anything(tree, random) else {
                return String::new();
            };
            let inside = path.starts_with(&format!("{found}/")) || path == found;
            if inside || !fits(&path) {
                return String::new();
            }
            fs::create_dir_all(tree.path(&path).parent().unwrap()).unwrap();
            fs::rename(tree.path(&found), tree.path(&path)).unwrap();
            format!("rename {found} to {path}")
        }
        8 => {
            let (Some(one), Some(two)) = (anything(tree, random), anything(tree, random)) else {
                return String::new();
            };
            if one.starts_with(&two) || two.starts_with(&one) {
                return String::new();
            }
            fs::rename(tree.path(&one), tree.path("swap")).unwrap();
            fs::rename(tree.path(&two), tree.path(&one)).unwrap();
            fs::rename(tree.path("swap"), tree.path(&two)).unwrap();
            format!("swap {one} and {two}")
        }
        9 => {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let name = random.pick(&[".gitignore", ".contextignore", ".dockerignore"]);
            let lines = random.pick(&["*.log\n", "a\n!src/a\n", "/b\n", "", "build/\n", "src\n"]);
            let file = if folder.is_empty() {
                name.to_owned()
            } else {
                format!("{folder}/{name}")
            };
            if !fits(&file) && !tree.path(&file).is_file() {
                return String::new();
            }
            tree.write(&file, lines);
            format!("ignore {file} {lines:?}")
        }
        10 if fits(&path) => {
            tree.symlink(random.pick(&["..", "a", "../src", "nowhere", "/tmp"]), &path);
            format!("link {path}")
        }
        11 if tree.path(".git").is_dir() => {
            let Some(found) = anything(tree, random) else {
                return String::new();
            };
            kitbag_testkit::git_output(tree.root(), &["--literal-pathspecs", "add", "-f", "--", &found]);
            format!("git add {found}")
        }
        12 if random.chance(30) => {
            tree.git(&["init", "-q"]);
            "git init".to_owned()
        }
        13 if random.chance(20) => {
            let Some(found) = anything(tree, random) else {
                return String::new();
            };
            if !fs::symlink_metadata(tree.path(&found)).unwrap().is_dir() {
                return String::new();
            }
            kitbag_testkit::git(&tree.path(&found), &["init", "-q"]);
            format!("git init {found}")
        }
        _ => {
            let Some(found) = anything(tree, random) else {
                return String::new();
            };
            if !fs::symlink_metadata(tree.path(&found)).unwrap().is_file() {
                return String::new();
            }
            tree.write(&found, "y".repeat(random.below(80)));
            format!("edit {found}")
        }
    }
}

#[test]
fn idx_44_a_rescan_is_a_scan() {
    let elsewhere = TempTree::empty();
    let n_seeds = if std::env::var_os("KITBAG_SLOW").is_some() {
        150
    } else {
        60
    };
    for seed in 0..n_seeds {
        let mut random = Random::new(seed);
        let tree = TempTree::empty();
        for _ in 0..15 {
            operate(&tree, &mut random);
        }
        let opened = open(&tree, options(&mut random));
        let mut known = opened.scan(LATE).unwrap();
        for _ in 0..8 {
            tick(&elsewhere);
            let done: Vec<String> = (0..1 + random.below(4))
                .map(|_| operate(&tree, &mut random))
                .collect();
            tick(&elsewhere);
            let fresh = opened.scan(LATE).unwrap();
            let quick = opened.rescan(&known, LATE).unwrap();
            assert_eq!(quick, fresh, "seed {seed} after {done:#?}\nfrom {known:#?}");
            assert_eq!(
                opened.rescan(&fresh, LATE).unwrap(),
                fresh,
                "seed {seed}: nothing changed"
            );
            known = fresh;
        }
    }
}

#[test]
fn idx_44_without_trust_in_the_clock_a_rescan_is_a_scan_too() {
    for seed in 1000..1030 {
        let mut random = Random::new(seed);
        let tree = TempTree::empty();
        for _ in 0..15 {
            operate(&tree, &mut random);
        }
        let opened = open(&tree, options(&mut random));
        let mut known = opened.scan(EARLY).unwrap();
        for _ in 0..8 {
            // No tick in between: all of these may have the same time stamp.
            let done: Vec<String> = (0..1 + random.below(4))
                .map(|_| operate(&tree, &mut random))
                .collect();
            let quick = opened.rescan(&known, EARLY).unwrap();
            let fresh = opened.scan(EARLY).unwrap();
            assert_eq!(quick, fresh, "seed {seed} after {done:#?}");
            known = quick;
        }
    }
}

#[test]
fn idx_8_other_options_lead_to_a_full_scan() {
    let tree = TempTree::new("//- a.rs\n//- b.py\n");
    let old = open(&tree, BoundaryOptions::default()).scan(LATE).unwrap();
    let narrow = open(
        &tree,
        BoundaryOptions {
            blocked_extensions: vec!["py".into()],
            ..BoundaryOptions::default()
        },
    );
    assert_eq!(narrow.rescan(&old, LATE).unwrap(), narrow.scan(LATE).unwrap());
}

#[test]
fn idx_3_files_outside_the_root_are_watched() {
    let elsewhere = TempTree::empty();
    let tree = TempTree::new("//- sub/a.rs\n//- sub/b.log\n");
    tree.git(&["init", "-q"]);
    let root = tree.path("sub");
    let opened = Tree::open(&root, BoundaryOptions::default(), SecretRules::off()).unwrap();
    let check = |known: &Scan, n_files: usize| {
        let fresh = opened.scan(LATE).unwrap();
        assert_eq!(opened.rescan(known, LATE).unwrap(), fresh);
        assert_eq!(fresh.files.len(), n_files);
        tick(&elsewhere);
        fresh
    };
    let known = check(&opened.scan(LATE).unwrap(), 2);
    tree.write(".gitignore", "*.log\n");
    let known = check(&known, 1);
    tree.write(".git/info/exclude", "a.rs\n");
    let known = check(&known, 0);
    tree.remove(".gitignore");
    let known = check(&known, 1);
    tree.git(&["add", "-f", "sub/a.rs"]);
    let known = check(&known, 2);
    fs::rename(tree.path(".git"), elsewhere.path("git")).unwrap();
    check(&known, 2);
}

#[test]
fn idx_44_mode_and_times_set_back_are_noticed() {
    let elsewhere = TempTree::empty();
    let tree = TempTree::new("//- d/a.rs\n");
    let opened = open(&tree, BoundaryOptions::default());
    let known = opened.scan(LATE).unwrap();
    let before = fs::metadata(tree.path("d")).unwrap().modified().unwrap();
    tick(&elsewhere);
    tree.write("d/b.rs", "x");
    fs::File::open(tree.path("d"))
        .unwrap()
        .set_modified(before)
        .unwrap();
    let now = opened.rescan(&known, LATE).unwrap();
    assert_eq!(now.files.len(), 2);
}

#[test]
fn a_root_that_is_gone_is_an_error() {
    let tree = TempTree::new("//- d/a.rs\n");
    let root = tree.path("d");
    let opened = Tree::open(&root, BoundaryOptions::default(), SecretRules::off()).unwrap();
    let known = opened.scan(LATE).unwrap();
    tree.remove("d");
    assert_eq!(opened.scan(LATE).unwrap_err().code(), "PATH_NOT_FOUND");
    assert_eq!(opened.rescan(&known, LATE).unwrap_err().code(), "PATH_NOT_FOUND");
}

/// A scan without `d/a.rs` but with the right stamp of its folder. No real scan is like that; it shows whether the folder is listed
/// again.
fn forgetful(opened: &Tree, taken_at: Timestamp) -> Scan {
    let mut forged = opened.scan(taken_at).unwrap();
    forged.files.retain(|file| file.path.as_str() != "d/a.rs");
    forged
}

#[test]
fn idx_44_settled_folders_are_not_listed_again() {
    let tree = TempTree::new("//- d/a.rs\n//- b.rs\n");
    let opened = open(&tree, BoundaryOptions::default());
    let forged = forgetful(&opened, LATE);
    assert_eq!(
        opened.rescan(&forged, LATE).unwrap(),
        forged,
        "a stat, and nothing else"
    );
}

#[test]
fn idx_44_a_stamp_too_young_or_of_another_folder_proves_nothing() {
    let tree = TempTree::new("//- d/a.rs\n//- b.rs\n");
    let opened = open(&tree, BoundaryOptions::default());
    let young = forgetful(&opened, EARLY);
    assert_eq!(opened.rescan(&young, EARLY).unwrap(), opened.scan(EARLY).unwrap());
    // Two folders that swapped names long after they were made in one tick of the clock.
    let mut swapped = forgetful(&opened, LATE);
    swapped
        .folders
        .iter_mut()
        .filter(|folder| folder.path == "d")
        .for_each(|folder| folder.stamp.inode += 1);
    assert_eq!(opened.rescan(&swapped, LATE).unwrap(), opened.scan(LATE).unwrap());
}
