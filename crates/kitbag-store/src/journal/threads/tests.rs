//! Threads keep their order, their users apart, and nothing after they are deleted.

use std::path::Path;

use super::*;

fn message(text: &str) -> MessageRow {
    MessageRow {
        role: "user".into(),
        text: text.into(),
        at: Timestamp(1),
    }
}

#[test]
fn mem_4_a_thread_keeps_messages_in_order_and_counts_places() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path(), Path::new("/shop")).unwrap();
    let place = [("reference", "src/a.rs".to_owned())];
    journal
        .add_to_thread("", "t", &[message("b"), message("a")], &place, Timestamp(1))
        .unwrap();
    journal
        .add_to_thread("", "t", &[message("c")], &place, Timestamp(5))
        .unwrap();
    let thread = journal.thread("", "t").unwrap().unwrap();
    let texts: Vec<&str> = thread.messages.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["b", "a", "c"]);
    assert_eq!((thread.places[0].uses, thread.places[0].at), (2, Timestamp(5)));
    assert_eq!((thread.created, thread.last_used), (Timestamp(1), Timestamp(5)));
    assert_eq!(journal.threads("").unwrap(), ["t"]);
    assert!(journal.delete_thread("", "t").unwrap());
    journal.add_to_thread("", "t", &[], &[], Timestamp(6)).unwrap();
    assert_eq!(journal.thread("", "t").unwrap().unwrap().messages, []);
}

#[test]
fn mem_6_a_thread_of_one_user_is_not_seen_or_deleted_by_another() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path(), Path::new("/shop")).unwrap();
    journal
        .add_to_thread("ann", "t", &[message("secret plan")], &[], Timestamp(1))
        .unwrap();
    journal
        .add_to_thread("ben", "t", &[message("other")], &[], Timestamp(1))
        .unwrap();
    assert_eq!(
        journal.thread("ben", "t").unwrap().unwrap().messages,
        [message("other")]
    );
    assert_eq!(journal.thread("eve", "t").unwrap(), None);
    assert!(!journal.delete_thread("eve", "t").unwrap());
    let other = Journal::open(folder.path(), Path::new("/other")).unwrap();
    assert_eq!(other.thread("ann", "t").unwrap(), None);
    assert_eq!(journal.thread("ann", "t").unwrap().unwrap().messages.len(), 1);
}
