//! Real folders and real events. Waits end on a condition; only a failure reaches the limit.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kitbag_testkit::TempTree;
use kitbag_types::Timestamp;
use notify::event::{AccessKind, AccessMode, CreateKind, DataChange, Flag, ModifyKind};
use notify::{Event, EventKind};

use super::{Alarm, Patience, SeenEvents, WakeReason, Watch};
use crate::secrets::SecretRules;
use crate::{BoundaryOptions, Tree};

/// Short, to keep tests fast; long enough for a burst to be one.
const PATIENCE: Patience = Patience {
    quiet: Duration::from_millis(50),
    most: Duration::from_millis(400),
};
const LIMIT: Option<Duration> = Some(Duration::from_secs(30));
/// Long enough to notice an event that should not come.
const MOMENT: Option<Duration> = Some(Duration::from_millis(300));
const NOW: Timestamp = Timestamp(4_000_000_000_000);

fn tree(files: &TempTree) -> Tree {
    Tree::open(files.root(), BoundaryOptions::default(), SecretRules::off()).unwrap()
}

fn watching<'t>(tree: &'t Tree, store: &Path, alarm: &Alarm) -> Watch<'t> {
    let mut watch = Watch::open(tree, store, alarm);
    while watch.follow(tree.scan(NOW).unwrap()) {}
    alarm.settled();
    watch
}

/// Makes a `change` that must wake the watch, or must not.
#[track_caller]
fn check(watch: &mut Watch<'_>, wakes: bool, change: impl FnOnce()) {
    change();
    let (limit, expected) = if wakes {
        (LIMIT, WakeReason::Changed)
    } else {
        (MOMENT, WakeReason::Late)
    };
    assert_eq!(watch.wait(PATIENCE, limit), expected);
    while watch.follow(watch.tree.scan(NOW).unwrap()) {}
}

#[test]
fn idx_50_what_concerns_the_index_wakes_and_nothing_else() {
    let files = TempTree::new(
        "//- src/main.rs\nfn main() {}\n//- .gitignore\n*.log\nmade/\n//- made/out.rs\n//- old.log\n",
    );
    files.git(&["init", "-q"]);
    files.git(&["add", "."]);
    files.git(&["commit", "-qm", "one"]);
    let (tree, alarm) = (tree(&files), Alarm::new());
    let store = files.path(".git/kitbag");
    files.mkdir(".git/kitbag");
    let mut watch = watching(&tree, &store, &alarm);

    check(&mut watch, true, || files.write("src/main.rs", "fn main() { }\n"));
    check(&mut watch, true, || {
        files.write("src/deep/er/new.rs", "fn new() {}\n")
    });
    check(&mut watch, true, || {
        files.write("src/deep/er/new.rs", "fn newer() {}\n")
    });
    check(&mut watch, false, || files.write("old.log", "more"));
    check(&mut watch, false, || files.write("src/new.log", "noise"));
    check(&mut watch, false, || files.remove("src/new.log"));
    check(&mut watch, false, || {
        files.write("made/out.rs", "fn built() {}\n")
    });
    check(&mut watch, false, || {
        files.write("made/deep/out.rs", "fn built() {}\n")
    });
    check(&mut watch, false, || files.write(".git/kitbag/kitbag.db", "rows"));
    check(&mut watch, false, || {
        files.read("src/main.rs");
    });
    check(&mut watch, true, || files.git(&["add", "."]).clear());
    check(&mut watch, true, || files.git(&["commit", "-qm", "two"]).clear());
    check(&mut watch, true, || {
        files.git(&["checkout", "-qb", "other"]).clear()
    });
    check(&mut watch, true, || files.write(".git/info/exclude", "*.md\n"));
    check(&mut watch, true, || files.write(".gitignore", "*.log\n"));
    check(&mut watch, true, || {
        files.write("made/out.rs", "fn built_again() {}\n")
    });
    check(&mut watch, true, || files.remove("src/deep"));
}

#[test]
fn idx_50_folders_that_move_or_come_back_are_watched_where_they_are() {
    let files = TempTree::new("//- a/b/one.rs\nfn one() {}\n//- c/two.rs\nfn two() {}\n");
    let (tree, alarm) = (tree(&files), Alarm::new());
    let mut watch = watching(&tree, Path::new("/nowhere"), &alarm);
    check(&mut watch, true, || {
        std::fs::rename(files.path("a"), files.path("d")).unwrap();
    });
    check(&mut watch, true, || files.write("d/b/one.rs", "fn uno() {}\n"));
    check(&mut watch, true, || {
        // Removed and created again with the same name, within one burst.
        files.remove("d");
        files.write("d/b/one.rs", "fn ein() {}\n");
    });
    check(&mut watch, true, || files.write("d/b/one.rs", "fn eins() {}\n"));
    check(&mut watch, true, || {
        // Write a temporary file, then rename it: what editors do.
        files.write("c/.two.rs.tmp", "fn due() {}\n");
        std::fs::rename(files.path("c/.two.rs.tmp"), files.path("c/two.rs")).unwrap();
    });
}

#[test]
fn idx_50_a_root_that_went_is_waited_for() {
    let outer = TempTree::new("//- above/project/src/a.rs\nfn a() {}\n");
    let root = outer.path("above/project");
    let tree = Tree::open(&root, BoundaryOptions::default(), SecretRules::off()).unwrap();
    let alarm = Alarm::new();
    let mut watch = watching(&tree, Path::new("/nowhere"), &alarm);
    outer.remove("above");
    assert_eq!(watch.wait(PATIENCE, LIMIT), WakeReason::RootGone);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let back = watch.wait_for_root();
            (back, watch)
        });
        outer.write("above/project/src/b.rs", "fn b() {}\n");
        let (back, mut watch) = waiting.join().unwrap();
        assert!(back);
        while watch.follow(tree.scan(NOW).unwrap()) {}
        check(&mut watch, true, || {
            outer.write("above/project/src/b.rs", "fn c() {}\n")
        });
    });
}

#[test]
fn idx_50_a_root_that_comes_back_folder_by_folder_is_seen_whenever_the_watch_begins() {
    let outer = TempTree::new("//- above/between/project/a.rs\nfn a() {}\n");
    let root = outer.path("above/between/project");
    let tree = Tree::open(&root, BoundaryOptions::default(), SecretRules::off()).unwrap();
    let alarm = Alarm::new();
    let mut watch = watching(&tree, Path::new("/nowhere"), &alarm);
    for _ in 0..200 {
        outer.remove("above");
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| watch.wait_for_root());
            outer.mkdir("above/between/project");
            assert!(waiting.join().unwrap());
        });
    }
}

#[test]
fn idx_50_stop_ends_every_wait() {
    let files = TempTree::new("//- a.rs\nfn a() {}\n");
    let (tree, alarm) = (tree(&files), Alarm::new());
    let mut watch = watching(&tree, Path::new("/nowhere"), &alarm);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| watch.wait(PATIENCE, None));
        alarm.stop();
        assert_eq!(waiting.join().unwrap(), WakeReason::Stopped);
    });
    assert!(!alarm.is_settled() && !alarm.settle(Duration::ZERO));
    assert!(!alarm.wait_until(&|| false));
}

#[test]
fn idx_50_askers_hurry_the_watcher_and_see_when_it_is_done() {
    let alarm = Alarm::new();
    assert!(!alarm.is_settled(), "nobody watches");
    alarm.settled();
    assert!(alarm.is_settled() && alarm.settle(Duration::ZERO));
    alarm.touch();
    assert!(!alarm.is_settled());
    let for_ever = Patience {
        quiet: Duration::from_secs(3600),
        most: Duration::from_secs(3600),
    };
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| alarm.settle(LIMIT.unwrap()));
        assert_eq!(alarm.wait(for_ever, None), Some(SeenEvents::Anything));
        assert!(!alarm.is_settled(), "it is seen, not done");
        alarm.settled();
        assert!(asking.join().unwrap());
    });
}

#[test]
fn idx_50_an_overflow_is_one_more_reason_to_look() {
    let alarm = Alarm::new();
    let store = Path::new("/p/.git/kitbag");
    let hear = |kind, path: &str| alarm.hear(Ok(Event::new(kind).add_path(PathBuf::from(path))), store);
    hear(EventKind::Access(AccessKind::Open(AccessMode::Any)), "/p/a.rs");
    hear(
        EventKind::Create(CreateKind::File),
        "/p/.git/kitbag/kitbag.db-wal",
    );
    let until = Some(std::time::Instant::now());
    assert_eq!(
        alarm.wait(PATIENCE, until),
        None,
        "reading and our own writes are nothing"
    );
    hear(EventKind::Modify(ModifyKind::Data(DataChange::Any)), "/p/a.rs");
    hear(EventKind::Modify(ModifyKind::Data(DataChange::Any)), "/p/a.rs");
    let seen = BTreeSet::from([PathBuf::from("/p/a.rs")]);
    assert_eq!(alarm.wait(PATIENCE, None), Some(SeenEvents::Paths(seen)));
    alarm.hear(Ok(Event::new(EventKind::Other).set_flag(Flag::Rescan)), store);
    assert_eq!(alarm.wait(PATIENCE, None), Some(SeenEvents::Anything));
    assert_eq!(alarm.take_lost().len(), 1, "every watch is set anew");
    for n in 0..10_000 {
        hear(EventKind::Create(CreateKind::File), &format!("/p/{n}.rs"));
    }
    assert_eq!(alarm.wait(PATIENCE, None), Some(SeenEvents::Anything));
}
