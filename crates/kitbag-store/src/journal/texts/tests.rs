//! Texts are replaced, dropped, and their users' own.

use std::path::Path;

use super::*;

#[test]
fn mem_6_added_texts_are_replaced_dropped_and_seen_by_their_user_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path(), Path::new("/shop")).unwrap();
    let text = |text: &str| AddedText {
        name: "a.rs".into(),
        text: text.into(),
        at: Timestamp(1),
    };
    assert!(journal.add_text("ann", &text("one")).unwrap());
    assert!(!journal.add_text("ann", &text("two")).unwrap());
    assert_eq!(journal.added_texts("ann").unwrap(), [text("two")]);
    assert_eq!(journal.added_texts("ben").unwrap(), []);
    assert!(!journal.drop_text("ben", "a.rs").unwrap());
    assert!(journal.drop_text("ann", "a.rs").unwrap());
    assert_eq!(journal.added_texts("ann").unwrap(), []);
}
