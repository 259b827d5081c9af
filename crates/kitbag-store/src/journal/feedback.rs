//! What people and agents thought of items of packs (MEM-5): said outright, or shown by quoting an item. Each row belongs to a project
//! and to a user; the table itself began with the memories.

#[cfg(test)]
mod tests;

use kitbag_types::Timestamp;
use rusqlite::params;

use super::Journal;
use crate::StoreError;

/// Of one user of a project (SEC-4).
const MOST: u32 = 10_000;

/// Where an item stands in the code, so that later answers know it again.
pub(super) const PLACES: &str = "
    ALTER TABLE feedback ADD COLUMN path TEXT NOT NULL DEFAULT '';
    ALTER TABLE feedback ADD COLUMN label TEXT NOT NULL DEFAULT '';
    ALTER TABLE feedback ADD COLUMN quoted INTEGER NOT NULL DEFAULT 0;
";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedbackRow {
    pub id: i64,
    pub pack: String,
    /// As it was named: a citation, or `path:first-last`.
    pub item: String,
    pub path: String,
    /// What the chunk is called; empty: any of the file.
    pub label: String,
    pub useful: bool,
    /// Nobody said so: an answer quoted it.
    pub quoted: bool,
    pub at: Timestamp,
}

impl Journal {
    /// Notes what was thought of items. What the same user said of the same item of the same pack before is replaced.
    pub fn add_feedback(&mut self, user: &str, rows: &[FeedbackRow]) -> Result<(), StoreError> {
        let project = self.project.clone();
        let done = self.conn.transaction().and_then(|tx| {
            for row in rows {
                tx.execute(
                    "DELETE FROM feedback WHERE project = ?1 AND user = ?2 AND pack = ?3 AND item = ?4 AND quoted = ?5",
                    params![project, user, row.pack, row.item, row.quoted],
                )?;
                tx.execute(
                    "INSERT INTO feedback (project, user, pack, item, useful, at, path, label, quoted)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                    params![
                        project, user, row.pack, row.item, row.useful, row.at.0, row.path, row.label, row.quoted
                    ],
                )?;
            }
            tx.execute(
                "DELETE FROM feedback WHERE project = ?1 AND user = ?2 AND id NOT IN
                 (SELECT id FROM feedback WHERE project = ?1 AND user = ?2 ORDER BY id DESC LIMIT ?3)",
                params![project, user, MOST],
            )?;
            tx.commit()
        });
        done.map_err(|error| self.fail(error))
    }

    /// All of a user, newest first.
    pub fn feedback(&self, user: &str) -> Result<Vec<FeedbackRow>, StoreError> {
        let rows = || -> rusqlite::Result<Vec<FeedbackRow>> {
            self.conn
                .prepare_cached(
                    "SELECT id, pack, item, path, label, useful, quoted, at FROM feedback
                     WHERE project = ?1 AND user = ?2 ORDER BY id DESC",
                )?
                .query_map(params![self.project, user], |row| {
                    Ok(FeedbackRow {
                        id: row.get(0)?,
                        pack: row.get(1)?,
                        item: row.get(2)?,
                        path: row.get(3)?,
                        label: row.get(4)?,
                        useful: row.get(5)?,
                        quoted: row.get(6)?,
                        at: Timestamp(row.get(7)?),
                    })
                })?
                .collect()
        };
        rows().map_err(|error| self.fail(error))
    }

    /// Takes one back; without an id, all of the user. Gives how many.
    pub fn undo_feedback(&mut self, user: &str, id: Option<i64>) -> Result<usize, StoreError> {
        let done = self.conn.execute(
            "DELETE FROM feedback WHERE project = ?1 AND user = ?2 AND (?3 IS NULL OR id = ?3)",
            params![self.project, user, id],
        );
        done.map_err(|error| self.fail(error))
    }
}
