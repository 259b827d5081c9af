//! Feedback belongs to its user, is said once per item, and can be taken back.

use std::path::Path;

use super::*;

fn row(item: &str, useful: bool) -> FeedbackRow {
    FeedbackRow {
        pack: "p".into(),
        item: item.into(),
        path: "src/a.rs".into(),
        useful,
        at: Timestamp(1),
        ..FeedbackRow::default()
    }
}

#[test]
fn mem_5_feedback_is_replaced_listed_and_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path(), Path::new("/shop")).unwrap();
    journal
        .add_feedback("", &[row("fn-a", true), row("fn-b", true)])
        .unwrap();
    journal.add_feedback("", &[row("fn-a", false)]).unwrap();
    let all = journal.feedback("").unwrap();
    let shown: Vec<(&str, bool)> = all.iter().map(|row| (row.item.as_str(), row.useful)).collect();
    assert_eq!(shown, [("fn-a", false), ("fn-b", true)]);
    assert_eq!(journal.undo_feedback("", Some(all[0].id)).unwrap(), 1);
    assert_eq!(journal.undo_feedback("", Some(all[0].id)).unwrap(), 0);
    assert_eq!(journal.undo_feedback("", None).unwrap(), 1);
    assert_eq!(journal.feedback("").unwrap(), []);
}

#[test]
fn mem_6_feedback_of_one_user_is_not_seen_or_undone_by_another() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path(), Path::new("/shop")).unwrap();
    journal.add_feedback("ann", &[row("fn-a", true)]).unwrap();
    let id = journal.feedback("ann").unwrap()[0].id;
    assert_eq!(journal.feedback("ben").unwrap(), []);
    assert_eq!(journal.undo_feedback("ben", Some(id)).unwrap(), 0);
    assert_eq!(journal.undo_feedback("ben", None).unwrap(), 0);
    assert_eq!(journal.feedback("ann").unwrap().len(), 1);
}
