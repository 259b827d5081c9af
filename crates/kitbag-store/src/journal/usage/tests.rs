use super::*;
use std::path::Path;

fn row(at: i64) -> UsageRow {
    UsageRow {
        at,
        door: "cli".into(),
        operation: "pack".into(),
        total_us: 41_000,
        stages: vec![("pack".into(), 9_000), ("retrieve".into(), 20_000)],
        items: 3,
        tokens: 1_200,
        providers: vec![("full_text".into(), 3), ("symbol".into(), 1)],
        languages: vec![("c sharp".into(), 2)],
        baseline_tokens: Some(9_000),
        ..UsageRow::default()
    }
}

#[test]
fn met_1_rows_come_back_as_they_were() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path(), Path::new("/project")).unwrap();
    let unknown = UsageRow {
        baseline_tokens: None,
        ..row(20)
    };
    for row in [&unknown, &row(10)] {
        journal.add_usage(row, 0).unwrap();
    }
    assert_eq!(journal.usage(0).unwrap(), [row(10), unknown.clone()]);
    assert_eq!(journal.usage(11).unwrap(), [unknown]);
}

#[test]
fn met_1_old_rows_go_when_one_is_added_and_other_projects_keep_theirs() {
    let dir = tempfile::tempdir().unwrap();
    let mut other = Journal::open(dir.path(), Path::new("/other")).unwrap();
    other.add_usage(&row(1), 0).unwrap();
    let mut journal = Journal::open(dir.path(), Path::new("/project")).unwrap();
    for at in [1, 50, 100] {
        journal.add_usage(&row(at), at - 60).unwrap();
    }
    let times: Vec<i64> = journal.usage(0).unwrap().iter().map(|row| row.at).collect();
    assert_eq!(times, [50, 100]);
    assert_eq!(other.usage(0).unwrap().len(), 1);
}
