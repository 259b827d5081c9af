use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

#[test]
fn idx_32_a_file_that_others_make_and_remove_is_a_file_or_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.db-wal");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                std::fs::write(&path, "x").unwrap();
                std::fs::remove_file(&path).unwrap();
            }
        });
        let odd = (0..20_000).find(|_| !may_be_file(&path));
        done.store(true, Ordering::Relaxed);
        assert_eq!(odd, None);
    });
}

#[test]
fn idx_30_what_lies_at_a_path_is_told_apart_and_removed() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::write(at("file"), "x").unwrap();
    std::fs::create_dir_all(at("folder/inside")).unwrap();
    std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
    std::os::unix::fs::symlink(at("nowhere"), at("dangling")).unwrap();
    let cases = [
        ("file", PathKind::File),
        ("folder", PathKind::Folder),
        ("link", PathKind::File),
        ("dangling", PathKind::Oddity),
        ("nothing", PathKind::Nothing),
    ];
    for (name, expected) in cases {
        assert_eq!(kind_at(&at(name)), expected, "{name}");
    }
    for (name, _) in cases.iter().rev() {
        remove(&at(name)).unwrap();
        assert_eq!(kind_at(&at(name)), PathKind::Nothing, "{name}");
    }
    std::fs::write(at("text"), "x").unwrap();
    make_folder(dir.path(), &at("text/1")).unwrap();
    assert_eq!(kind_at(&at("text/1")), PathKind::Folder);
}
