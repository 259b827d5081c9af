//! Sessions: what an agent has been shown already, so that a reference is sent instead of the text (ENG-40, ENG-41).
//!
//! A delivery is one run of lines of one path as it stood in an answer. Its lines are kept as hashes, one per line and not one per
//! run: later answers cut the same file differently, and a part of what was shown, or two parts of it together, must be
//! recognised. The text itself is not kept: of a file, the journal has only its path and names.
//!
//! An answer gets its number when it is made, and its deliveries are written after it was delivered: an answer that nobody
//! received must not be referred to. So numbers may be missing among the deliveries.
//!
//! A session ends when it is not used for a while; the next write deletes it. Beyond the limits, the oldest are deleted first.

#[cfg(test)]
mod tests;

use std::time::Duration;

use kitbag_types::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::Journal;
use crate::StoreError;

/// Most sessions of a project, and most deliveries of a session (SEC-4).
const MOST_SESSIONS: u32 = 200;
const MOST_DELIVERIES: u32 = 5_000;

pub(super) const TABLES: &str = "
    CREATE TABLE sessions (
        -- Never used again: a new session must not inherit what was shown to one that ended.
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        project TEXT NOT NULL,
        id TEXT NOT NULL,
        last_used INTEGER NOT NULL,
        answers INTEGER NOT NULL,
        UNIQUE (project, id)
    ) STRICT;
    CREATE INDEX sessions_by_use ON sessions (last_used);
    CREATE TABLE deliveries (
        key INTEGER PRIMARY KEY,
        session INTEGER NOT NULL,
        answer INTEGER NOT NULL,
        path TEXT NOT NULL,
        label TEXT NOT NULL,
        line_start INTEGER NOT NULL,
        line_end INTEGER NOT NULL,
        hashes BLOB NOT NULL,
        resolution TEXT NOT NULL,
        intent TEXT NOT NULL,
        at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX deliveries_by_place ON deliveries (session, path, line_start);
";

/// A run of lines that was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryRow {
    /// The number of the answer in the session, from 1.
    pub answer: u32,
    pub path: String,
    pub label: String,
    pub line_start: u32,
    /// One hash per line.
    pub hashes: Vec<u64>,
    pub resolution: String,
    pub intent: String,
}

/// What an answer shows. The journal gives the answer its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDelivery {
    pub path: String,
    pub label: String,
    pub line_start: u32,
    pub hashes: Vec<u64>,
    pub resolution: &'static str,
    pub intent: &'static str,
}

impl Journal {
    /// What a session has been shown, in order. Empty if there is no such session or it has ended.
    pub fn delivered(
        &self,
        session: &str,
        idle: Duration,
        now: Timestamp,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        let read = || -> rusqlite::Result<Vec<DeliveryRow>> {
            let mut query = self.conn.prepare_cached(
                "SELECT answer, path, label, line_start, hashes, resolution, intent
                 FROM deliveries JOIN sessions ON sessions.key = deliveries.session
                 WHERE project = ?1 AND id = ?2 AND last_used >= ?3 ORDER BY deliveries.key",
            )?;
            let rows = query.query_map(params![self.project, session, ended_before(idle, now)], |row| {
                Ok(DeliveryRow {
                    answer: row.get(0)?,
                    path: row.get(1)?,
                    label: row.get(2)?,
                    line_start: row.get(3)?,
                    hashes: decoded(&row.get::<_, Vec<u8>>(4)?),
                    resolution: row.get(5)?,
                    intent: row.get(6)?,
                })
            })?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// The number of a session's next answer. A number that is never delivered stays unused. Sessions that have ended are
    /// deleted.
    pub fn next_answer(&mut self, session: &str, idle: Duration, now: Timestamp) -> Result<u32, StoreError> {
        let project = self.project.clone();
        self.write_all(|tx| {
            tx.execute(
                "DELETE FROM sessions WHERE last_used < ?1",
                [ended_before(idle, now)],
            )?;
            let (key, answer) = used(tx, &project, session, None, now)?;
            sweep(tx, &project, key)?;
            Ok(answer)
        })
    }

    /// Records what an answer showed, after it was delivered. `answer` is a number that [`Journal::next_answer`] gave.
    pub fn deliver(
        &mut self,
        session: &str,
        answer: u32,
        shown: &[NewDelivery],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let project = self.project.clone();
        self.write_all(|tx| {
            let (key, _) = used(tx, &project, session, Some(answer), now)?;
            for one in shown {
                insert(tx, key, answer, one, now)?;
            }
            sweep(tx, &project, key)
        })
    }

    fn write_all<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let write = |conn: &mut Connection| {
            // A write transaction from the start: a reader that becomes a writer fails if another writer was quicker.
            let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = work(&tx)?;
            tx.commit()?;
            Ok(done)
        };
        write(&mut self.conn).map_err(|error| self.fail(error))
    }
}

fn ended_before(idle: Duration, now: Timestamp) -> i64 {
    now.0
        .saturating_sub(i64::try_from(idle.as_millis()).unwrap_or(i64::MAX))
}

/// The session's row, made if there is none, with the number of its last answer: the next one, or `answer` if that is known.
fn used(
    tx: &Transaction<'_>,
    project: &str,
    session: &str,
    answer: Option<u32>,
    now: Timestamp,
) -> rusqlite::Result<(i64, u32)> {
    // If the clock goes back, the session does not get older.
    tx.query_row(
        "INSERT INTO sessions (project, id, last_used, answers) VALUES (?1, ?2, ?3, coalesce(?4, 1))
         ON CONFLICT (project, id) DO UPDATE SET
             answers = max(answers + (?4 IS NULL), excluded.answers),
             last_used = max(last_used, excluded.last_used)
         RETURNING key, answers",
        params![project, session, now.0, answer],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

fn insert(
    tx: &Transaction<'_>,
    session: i64,
    answer: u32,
    one: &NewDelivery,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let n_lines = u32::try_from(one.hashes.len()).unwrap_or(u32::MAX);
    let line_end = one.line_start.saturating_add(n_lines).saturating_sub(1);
    tx.prepare_cached(
        "INSERT INTO deliveries (session, answer, path, label, line_start, line_end, hashes, resolution, intent, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        session,
        answer,
        one.path,
        one.label,
        one.line_start,
        line_end,
        encoded(&one.hashes),
        one.resolution,
        one.intent,
        now.0
    ])?;
    Ok(())
}

/// Keeps the newest deliveries of a session and the newest sessions of a project.
fn sweep(tx: &Transaction<'_>, project: &str, session: i64) -> rusqlite::Result<()> {
    let oldest_kept: Option<i64> = tx
        .query_row(
            "SELECT key FROM deliveries WHERE session = ?1 ORDER BY key DESC LIMIT 1 OFFSET ?2",
            params![session, MOST_DELIVERIES - 1],
            |row| row.get(0),
        )
        .optional()?;
    if let Some(oldest) = oldest_kept {
        tx.execute(
            "DELETE FROM deliveries WHERE session = ?1 AND key < ?2",
            [session, oldest],
        )?;
    }
    // The session in use stays, whatever the clock says.
    tx.execute(
        "DELETE FROM sessions WHERE project = ?1 AND key NOT IN
         (SELECT key FROM sessions WHERE project = ?1 ORDER BY key = ?2 DESC, last_used DESC, key DESC LIMIT ?3)",
        params![project, session, MOST_SESSIONS],
    )?;
    tx.execute(
        "DELETE FROM deliveries WHERE session NOT IN (SELECT key FROM sessions)",
        [],
    )?;
    Ok(())
}

fn encoded(hashes: &[u64]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect()
}

fn decoded(bytes: &[u8]) -> Vec<u64> {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().map(|word| u64::from_le_bytes(*word)).collect()
}
