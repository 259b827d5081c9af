//! Memories are kept once, belong to their project and user, and can be forgotten.

use std::path::Path;

use kitbag_types::Timestamp;

use super::MemoryRow;
use crate::Journal;

fn memory(content: &str) -> MemoryRow {
    MemoryRow {
        id: 0,
        kind: "decision".into(),
        content: content.into(),
        files: vec!["src/a.rs".into(), "src/b.rs".into()],
        tags: Vec::new(),
        created: Timestamp(7),
        ..MemoryRow::default()
    }
}

#[test]
fn mem_1_a_memory_is_kept_once_and_comes_back_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path(), Path::new("/shop")).unwrap();
    let (id, is_new) = journal.remember("", &memory("prices are in cents")).unwrap();
    assert!(is_new);
    assert_eq!(
        journal.remember("", &memory("prices are in cents")).unwrap(),
        (id, false)
    );
    journal.remember("", &memory("no floats")).unwrap();
    let all = journal.memories("").unwrap();
    let contents: Vec<&str> = all.iter().map(|memory| memory.content.as_str()).collect();
    assert_eq!(contents, ["no floats", "prices are in cents"]);
    assert_eq!(
        all[1],
        MemoryRow {
            id,
            ..memory("prices are in cents")
        }
    );
}

#[test]
fn mem_6_users_and_projects_do_not_see_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let mut shop = Journal::open(folder.path(), Path::new("/shop")).unwrap();
    let (id, _) = shop.remember("ann", &memory("prices are in cents")).unwrap();
    assert_eq!(shop.memories("ben").unwrap(), []);
    assert!(!shop.forget("ben", id).unwrap());
    let mut other = Journal::open(folder.path(), Path::new("/other")).unwrap();
    assert_eq!(other.memories("ann").unwrap(), []);
    assert!(!other.forget("ann", id).unwrap());
    assert!(shop.forget("ann", id).unwrap());
    assert_eq!(shop.memories("ann").unwrap(), []);
}

#[test]
fn mem_5_feedback_is_counted_by_user() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path(), Path::new("/shop")).unwrap();
    let items = ["src/a.rs:1-9".to_owned(), "src/b.rs:1-2".to_owned()];
    journal.feedback("", "p", &items, true, Timestamp(1)).unwrap();
    journal
        .feedback("", "p", &items[..1], false, Timestamp(2))
        .unwrap();
    assert_eq!(journal.n_feedback("").unwrap(), (2, 1));
    assert_eq!(journal.n_feedback("ann").unwrap(), (0, 0));
}
