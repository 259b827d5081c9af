//! SEC-6: rows that something else wrote are read or refused, whatever stands in their columns.

use kitbag_testkit::fuzz::{Material, fuzz};
use kitbag_types::Timestamp;
use rusqlite::types::Value;

use super::*;

/// Every column of every table.
fn columns(conn: &Connection) -> Vec<(String, String)> {
    let sql = "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
               WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY m.name, c.cid";
    let mut statement = conn.prepare(sql).unwrap();
    let found = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap();
    found.collect::<Result<_, _>>().unwrap()
}

/// One row in each table.
fn filled(journal: &mut Journal) {
    let (now, idle) = (Timestamp(1_000), Duration::from_secs(60));
    let usage = UsageRow {
        at: 1,
        stages: vec![("pack".into(), 3)],
        ..UsageRow::default()
    };
    let memory = MemoryRow {
        id: 0,
        kind: "note".into(),
        content: "use tabs".into(),
        files: vec!["a.rs".into()],
        tags: Vec::new(),
        created: now,
        ..MemoryRow::default()
    };
    let shown = NewDelivery {
        path: "a.rs".into(),
        label: "main".into(),
        line_start: 1,
        hashes: vec![1, 2],
        resolution: "full",
        intent: "",
    };
    journal.add_usage(&usage, 0).unwrap();
    journal.remember("", &memory).unwrap();
    let said = FeedbackRow {
        item: "a.rs".into(),
        ..FeedbackRow::default()
    };
    journal.add_feedback("", &[said]).unwrap();
    let message = MessageRow::default();
    let place = ("reference", "a.rs".to_owned());
    journal.add_to_thread("", "t", &[message], &[place], now).unwrap();
    let answer = journal.next_answer("s", idle, now).unwrap();
    journal.deliver("s", answer, &[shown], now).unwrap();
    let new = NewJob {
        user: "",
        kind: JobKind::Refresh,
        scope: &["a.rs".into()],
        alone: false,
    };
    let (ordinal, _lock) = journal.create_job(&new, 1).expect("nothing is in the way");
    journal.log_job(ordinal, "started").unwrap();
}

#[test]
fn sec_6_fuzz_journal_rows() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path(), Path::new("/p")).unwrap();
    journal
        .conn
        .execute_batch(
            "PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF",
        )
        .unwrap();
    filled(&mut journal);
    let columns = columns(&journal.conn);
    assert!(columns.len() > 30, "{columns:?}");
    let material = Material::new(
        &["pack 9000\nretrieve 20000", "[\"a.rs\"]", "running"],
        &[
            " ",
            "\n",
            "18446744073709551615",
            "-1",
            "name",
            "\u{1}",
            "{}",
            "\"",
        ],
    );
    let journal = std::cell::RefCell::new(journal);
    fuzz("journal rows", &material, |input| {
        let mut journal = journal.borrow_mut();
        let Some((choice, rest)) = input.split_first_chunk::<2>() else {
            return;
        };
        let (table, column) = &columns[usize::from(u16::from_le_bytes(*choice)) % columns.len()];
        let value = match rest.len() % 4 {
            0 => Value::Blob(rest.to_vec()),
            1 => Value::Integer(rest.iter().fold(0, |sum: i64, byte| {
                sum.wrapping_mul(257).wrapping_add(i64::from(*byte))
            })),
            2 => Value::Real(f64::from(rest[0]) * 1e300),
            _ => Value::Text(String::from_utf8_lossy(rest).into_owned()),
        };
        journal.conn.execute_batch("BEGIN").unwrap();
        // Some columns do not take any value: then the row stays as it is.
        let _ = journal
            .conn
            .execute(&format!("UPDATE {table} SET {column} = ?1"), [value]);
        let (now, idle) = (Timestamp(2_000), Duration::from_secs(60));
        let _ = journal.usage(0);
        let _ = journal.memories("");
        let _ = journal.feedback("");
        let _ = journal.thread("", "t");
        let _ = journal.threads("");
        let _ = journal.delivered("s", idle, now);
        let _ = journal.jobs(2);
        journal.conn.execute_batch("ROLLBACK").unwrap();
    });
}

/// ENG-60: a journal that is kept open is used again only if it is still the one that others see.
#[test]
fn eng_60_a_journal_is_current_until_it_is_replaced_or_met_with_damage() {
    let dir = tempfile::tempdir().unwrap();
    let open = || Journal::open(dir.path(), Path::new("/project")).unwrap();
    let journal = open();
    assert!(journal.is_current());
    mend::suspect(dir.path());
    assert!(!journal.is_current());
    let mended = open();
    assert!(
        journal.is_current() && mended.is_current(),
        "there was nothing wrong"
    );
    std::fs::rename(dir.path().join(NAME), dir.path().join("aside")).unwrap();
    assert!(!journal.is_current());
    let other = open();
    assert!(other.is_current() && !journal.is_current());
}
