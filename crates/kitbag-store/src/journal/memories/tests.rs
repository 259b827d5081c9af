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
    let private = MemoryRow {
        private: true,
        ..memory("prices are in cents")
    };
    let (id, _) = shop.remember("ann", &private).unwrap();
    assert_eq!(shop.memories("ben").unwrap(), []);
    assert!(!shop.forget("ben", id).unwrap());
    let mut other = Journal::open(folder.path(), Path::new("/other")).unwrap();
    assert_eq!(other.memories("ann").unwrap(), []);
    assert!(!other.forget("ann", id).unwrap());
    assert!(shop.forget("ann", id).unwrap());
    assert_eq!(shop.memories("ann").unwrap(), []);
}

#[test]
fn mem_6_what_is_not_private_is_shared_and_stays_its_owners() {
    let folder = tempfile::tempdir().unwrap();
    let mut shop = Journal::open(folder.path(), Path::new("/shop")).unwrap();
    let (id, _) = shop.remember("ann", &memory("prices are in cents")).unwrap();
    let mine = MemoryRow {
        private: true,
        ..memory("ann looks for another job")
    };
    let (private, _) = shop.remember("ann", &mine).unwrap();
    let ids = |rows: Vec<MemoryRow>| rows.iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(ids(shop.memories("ann").unwrap()), [private, id]);
    assert_eq!(ids(shop.memories("ben").unwrap()), [id]);
    assert!(!shop.forget("ben", id).unwrap() && !shop.forget("ben", private).unwrap());
    let other = MemoryRow {
        id,
        ..memory("prices are free")
    };
    assert!(!shop.update_memory("ben", &other).unwrap());
    // Ben says the same as Ann: it is hers. He says what only Ann may see: it is his own.
    assert_eq!(
        shop.remember("ben", &memory("prices are in cents")).unwrap(),
        (id, false)
    );
    assert!(
        shop.remember("ben", &memory("ann looks for another job"))
            .unwrap()
            .1
    );
}

/// A journal as it was before memories were checked: everything is kept, and what a user of a server had kept stays theirs.
#[test]
fn mem_1_an_older_journal_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let conn = rusqlite::Connection::open(&path).unwrap();
    let older = super::super::STEPS.iter().take(5);
    for step in older {
        conn.execute_batch(step).unwrap();
    }
    conn.execute_batch(
        "INSERT INTO memories (project, user, kind, content, files, tags, created) VALUES
            ('/shop', '', 'decision', 'shared', 'a.rs', 't', 7), ('/shop', 'ann', 'tribal', 'hers', '', '', 8);
         INSERT INTO feedback (project, user, pack, item, useful, at) VALUES ('/shop', '', 'p', 'a.rs:1-2', 1, 9);
         PRAGMA user_version = 5;",
    )
    .unwrap();
    drop(conn);
    let journal = Journal::open(folder.path(), Path::new("/shop")).unwrap();
    let contents = |user: &str| -> Vec<String> {
        let rows = journal.memories(user).unwrap();
        rows.into_iter().map(|row| row.content).collect()
    };
    assert_eq!(contents(""), ["shared"]);
    assert_eq!(contents("ann"), ["hers", "shared"]);
    assert_eq!(contents("ben"), ["shared"]);
    let row = &journal.memories("").unwrap()[0];
    assert_eq!(
        (row.files.len(), row.last_used, row.citations.len()),
        (1, Timestamp(7), 0)
    );
    assert_eq!(journal.feedback("").unwrap()[0].item, "a.rs:1-2");
    assert_eq!(journal.threads("").unwrap(), Vec::<String>::new());
}
