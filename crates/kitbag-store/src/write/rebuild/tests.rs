use super::super::tests::{ROOT, found, indexed, write};
use crate::write::Change;
use crate::{OpenMode, Snapshot, Store, Writer};
use kitbag_types::{FileStamp, RepoPath};
use std::path::Path;

const OTHER: &str = "/worktree";

/// Two trees that share a product, and a rebuild of the first that `work` is given.
fn rebuilt(dir: &Path, work: impl FnOnce(Writer<'_>)) {
    write(dir, |writer| {
        writer.begin(b"b", 1, 2, 2).unwrap();
        writer
            .apply(
                &[indexed("a.rs", "mango", true), indexed("b.rs", "banana", true)],
                1,
            )
            .unwrap();
        writer.finish(b"", 1, 1).unwrap();
    });
    let mut store = Store::open(dir, OpenMode::Create).unwrap();
    let lock = store.lock_writer(false).unwrap();
    let mut writer = Writer::open(&mut store, lock, Path::new(OTHER), false, 1).unwrap();
    writer.apply(&[indexed("far.rs", "mango", false)], 1).unwrap();
    writer.finish(b"", 1, 1).unwrap();
    writer.close().unwrap();
    let lock = store.lock_writer(false).unwrap();
    work(Writer::open_beside(&mut store, lock, Path::new(ROOT), true, 2).unwrap());
}

fn fill(writer: &mut Writer<'_>) {
    writer.begin(b"b", 1, 2, 2).unwrap();
    let changes = [indexed("a.rs", "mango", true), indexed("c.rs", "cherry", true)];
    writer.apply(&changes, 2).unwrap();
    writer.finish(b"", 1, 2).unwrap();
}

fn files_of(dir: &Path, root: &str) -> Vec<String> {
    let store = Store::open(dir, OpenMode::ReadOnly).unwrap();
    let snapshot = Snapshot::open(&store, Path::new(root)).unwrap().unwrap();
    let files = snapshot.files().unwrap();
    files.iter().map(|file| file.path.to_string()).collect()
}

fn folders(dir: &Path) -> usize {
    std::fs::read_dir(dir.join("text")).unwrap().count()
}

#[test]
fn idx_51_the_old_tree_answers_until_the_new_one_takes_over() {
    let dir = tempfile::tempdir().unwrap();
    rebuilt(dir.path(), |mut writer| {
        fill(&mut writer);
        assert_eq!(found(dir.path(), "banana"), (vec!["b.rs".into()], 2, 2));
        assert_eq!(found(dir.path(), "cherry").0, [""; 0]);
        writer.take_over(Path::new(ROOT)).unwrap();
        assert_eq!(found(dir.path(), "banana").0, [""; 0]);
        assert_eq!(found(dir.path(), "cherry"), (vec!["c.rs".into()], 2, 2));
        writer.vacuum().unwrap();
        writer.close().unwrap();
    });
    assert_eq!(found(dir.path(), "mango").0, ["a.rs"]);
    assert_eq!(files_of(dir.path(), OTHER), ["far.rs"]);
    assert_eq!(folders(dir.path()), 2, "the old tree's files are gone");
}

#[test]
fn idx_51_a_reader_keeps_the_tree_it_opened() {
    let dir = tempfile::tempdir().unwrap();
    rebuilt(dir.path(), |mut writer| {
        fill(&mut writer);
        let store = Store::open(dir.path(), OpenMode::ReadOnly).unwrap();
        let before = Snapshot::open(&store, Path::new(ROOT)).unwrap().unwrap();
        writer.take_over(Path::new(ROOT)).unwrap();
        assert_eq!(before.files().unwrap()[1].path.as_str(), "b.rs");
        let postings = before.text().postings(&["banana".into()], &|_, tf, _| tf as f32);
        assert_eq!(postings.unwrap()[0].len(), 1);
        drop(before);
        let after = Snapshot::open(&store, Path::new(ROOT)).unwrap().unwrap();
        assert_eq!(after.files().unwrap()[1].path.as_str(), "c.rs");
    });
}

#[test]
fn idx_51_a_rebuild_that_is_given_up_or_killed_leaves_no_trace() {
    for killed in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        rebuilt(dir.path(), |mut writer| {
            fill(&mut writer);
            if killed {
                drop(writer);
            } else {
                writer.discard().unwrap();
            }
        });
        assert_eq!(found(dir.path(), "banana"), (vec!["b.rs".into()], 2, 2));
        assert_eq!(folders(dir.path()), if killed { 3 } else { 2 });
        // The next writer, whatever it came for, clears up.
        write(dir.path(), |_| {});
        assert_eq!(folders(dir.path()), 2);
        assert_eq!(found(dir.path(), "mango"), (vec!["a.rs".into()], 2, 2));
        assert_eq!(files_of(dir.path(), OTHER), ["far.rs"]);
    }
}

#[test]
fn idx_51_a_product_is_replaced_for_all_trees_that_show_it() {
    let dir = tempfile::tempdir().unwrap();
    rebuilt(dir.path(), |mut writer| {
        writer.store.conn.execute("DELETE FROM chunks", []).unwrap();
        fill(&mut writer);
        writer.take_over(Path::new(ROOT)).unwrap();
        writer.close().unwrap();
    });
    let store = Store::open(dir.path(), OpenMode::ReadOnly).unwrap();
    for root in [ROOT, OTHER] {
        let snapshot = Snapshot::open(&store, Path::new(root)).unwrap().unwrap();
        let file = &snapshot.files().unwrap()[0];
        assert_eq!(
            snapshot.chunks_of(file.id, file.parse.unwrap()).unwrap().len(),
            1,
            "{root}"
        );
    }
}

#[test]
fn idx_42_errors_are_taken_along_for_files_that_fail_again() {
    let dir = tempfile::tempdir().unwrap();
    let failed = |path: &str| Change::Failed {
        path: RepoPath::new(path).unwrap(),
        stamp: FileStamp { size: 1, mtime_ns: 1 },
        kind: "io".into(),
        message: "no".into(),
    };
    write(dir.path(), |writer| {
        writer
            .apply(&[failed("x.rs"), failed("y.rs"), failed("z.rs")], 1)
            .unwrap();
    });
    let mut store = Store::open(dir.path(), OpenMode::Create).unwrap();
    let lock = store.lock_writer(false).unwrap();
    let mut writer = Writer::open_beside(&mut store, lock, Path::new(ROOT), true, 2).unwrap();
    writer
        .apply(&[failed("x.rs"), indexed("y.rs", "kiwi", true)], 2)
        .unwrap();
    writer.finish(b"", 1, 2).unwrap();
    writer.take_over(Path::new(ROOT)).unwrap();
    writer.close().unwrap();
    let snapshot = Snapshot::open(&store, Path::new(ROOT)).unwrap().unwrap();
    let failures = snapshot.failures().unwrap();
    let failures: Vec<(&str, u32)> = failures
        .iter()
        .map(|one| (one.path.as_str(), one.retries))
        .collect();
    assert_eq!(failures, [("x.rs", 1)]);
}
