use kitbag_types::Timestamp;

use super::*;
use crate::journal::Journal;
use crate::{MemoryRow, SetAside};

const ROOT: &str = "/project";

fn open(dir: &Path) -> Journal {
    Journal::open(dir, Path::new(ROOT)).unwrap()
}

fn memory(content: &str) -> MemoryRow {
    MemoryRow {
        id: 0,
        kind: "decision".into(),
        content: content.into(),
        files: vec!["src/a.rs".into()],
        tags: vec!["tag".into()],
        created: Timestamp(5),
        ..MemoryRow::default()
    }
}

/// Many enough for several pages.
fn filled(dir: &Path) -> usize {
    let mut journal = open(dir);
    for n in 0..60 {
        let content = format!("memory {n} {}", "x".repeat(900));
        journal.remember("", &memory(&content)).unwrap();
    }
    60
}

#[test]
fn idx_30_a_journal_that_is_no_database_is_set_aside() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 5] = [
        ("empty", |path| std::fs::write(path, "").unwrap()),
        ("garbage", |path| std::fs::write(path, vec![7; 9000]).unwrap()),
        ("a folder", |path| {
            std::fs::remove_file(path).unwrap();
            std::fs::create_dir(path).unwrap();
        }),
        ("zeros", |path| {
            let n_bytes = std::fs::metadata(path).unwrap().len();
            std::fs::write(path, vec![0; n_bytes as usize]).unwrap();
        }),
        ("cut off", |path| {
            let bytes = std::fs::read(path).unwrap();
            std::fs::write(path, &bytes[..bytes.len() / 3]).unwrap();
        }),
    ];
    for (what, damage) in damages {
        let dir = tempfile::tempdir().unwrap();
        filled(dir.path());
        damage(&dir.path().join(NAME));
        assert!(Journal::check(dir.path()).is_err(), "{what}");
        // What is met in the middle of something is mended by the next one.
        let mut mended = None;
        for _ in 0..2 {
            let journal = open(dir.path());
            let _ = journal.memories("");
            mended = mended.or(journal.mended().cloned());
        }
        let mended = mended.expect(what);
        let aside = mended.aside.expect(what);
        assert!(aside.join(NAME).exists(), "{what}");
        assert_eq!(SetAside::all(dir.path()).len(), 1, "{what}");
        Journal::check(dir.path()).expect(what);
        let mut journal = open(dir.path());
        assert_eq!(journal.mended(), None, "{what}: said once");
        journal.remember("", &memory("new")).expect(what);
    }
}

/// A page that no answer reads: only the check sees it, and the next one to open the journal mends it.
#[test]
fn idx_30_damage_that_the_check_finds_is_mended() {
    let dir = tempfile::tempdir().unwrap();
    let n_memories = filled(dir.path());
    let path = dir.path().join(NAME);
    let mut bytes = std::fs::read(&path).unwrap();
    let n_pages = bytes.len() / 4096;
    bytes[(n_pages - 3) * 4096..(n_pages - 2) * 4096].fill(0);
    std::fs::write(&path, bytes).unwrap();
    Journal::check(dir.path()).unwrap_err();
    let journal = open(dir.path());
    let mended = journal.mended().expect("it was found to be damaged");
    assert!(
        (1..n_memories).contains(&mended.n_saved),
        "{} saved",
        mended.n_saved
    );
    Journal::check(dir.path()).unwrap();
}

#[test]
fn mem_1_a_journal_that_is_gone_is_not_taken_for_a_new_one() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    std::fs::remove_file(dir.path().join(NAME)).unwrap();
    assert_eq!(open(dir.path()).mended(), None, "nothing was kept in it");
    filled(dir.path());
    for name in [NAME.to_owned(), format!("{NAME}-wal"), format!("{NAME}-shm")] {
        let _ = std::fs::remove_file(dir.path().join(name));
    }
    assert!(Journal::check(dir.path()).is_err());
    let journal = Journal::open_existing(dir.path(), Path::new("/p")).unwrap();
    let journal = journal.expect("it is begun anew");
    let mended = journal.mended().expect("the loss is told").to_string();
    assert_eq!(
        mended,
        "the journal was damaged (it is gone, and notes were kept in it) and is begun anew; memories that could be saved: 0"
    );
    drop(journal);
    Journal::check(dir.path()).unwrap();
    assert_eq!(open(dir.path()).mended(), None, "said once");
}

#[test]
fn mem_1_memories_are_saved_from_around_a_damaged_page() {
    let dir = tempfile::tempdir().unwrap();
    let n_memories = filled(dir.path());
    let path = dir.path().join(NAME);
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(10).position(|part| part == b"memory 30 ").unwrap();
    let page = at / 4096 * 4096;
    bytes[page..page + 4096].fill(0xA5);
    std::fs::write(&path, bytes).unwrap();
    let journal = open(dir.path());
    let error = journal.memories("").unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    drop(journal);
    let journal = open(dir.path());
    let n_saved = journal.mended().expect("it was noted").n_saved;
    assert!(
        n_saved < n_memories && n_saved >= n_memories - 5,
        "{n_saved} of {n_memories}"
    );
    let kept = journal.memories("").unwrap();
    assert_eq!(kept.len(), n_saved);
    assert!(
        kept.iter()
            .all(|row| row.files == ["src/a.rs"] && row.tags == ["tag"])
    );
    assert_eq!((kept[0].id, kept[n_saved - 1].id), (60, 1), "under their old ids");
}

#[test]
fn mem_1_what_is_remembered_is_in_the_file_and_not_only_in_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = open(dir.path());
    let (id, _) = journal.remember("", &memory("keep me")).unwrap();
    // As after a power cut that took the log.
    let copy = tempfile::tempdir().unwrap();
    std::fs::copy(dir.path().join(NAME), copy.path().join(NAME)).unwrap();
    assert_eq!(open(copy.path()).memories("").unwrap()[0].content, "keep me");
    assert!(journal.forget("", id).unwrap());
    std::fs::copy(dir.path().join(NAME), copy.path().join(NAME)).unwrap();
    let _ = std::fs::remove_file(copy.path().join("journal.db-wal"));
    assert!(open(copy.path()).memories("").unwrap().is_empty());
}
