//! Memories: what people and agents want kept about a project, and what they thought of answers. Each row belongs to a project
//! and, where a server has several users, to one of them (MEM-6).

#[cfg(test)]
mod tests;

use kitbag_types::Timestamp;
use rusqlite::params;

use super::Journal;
use crate::StoreError;

/// Of one user of a project (SEC-4).
const MOST_MEMORIES: u32 = 10_000;
const MOST_FEEDBACK: u32 = 10_000;

pub(super) const TABLES: &str = "
    CREATE TABLE memories (
        -- Never used again: an id that was forgotten must not name something else.
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        project TEXT NOT NULL,
        user TEXT NOT NULL,
        kind TEXT NOT NULL,
        content TEXT NOT NULL,
        files TEXT NOT NULL,
        tags TEXT NOT NULL,
        created INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX memories_by_project ON memories (project, user);
    CREATE TABLE feedback (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        project TEXT NOT NULL,
        user TEXT NOT NULL,
        pack TEXT NOT NULL,
        item TEXT NOT NULL,
        useful INTEGER NOT NULL,
        at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX feedback_by_project ON feedback (project, user);
";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryRow {
    pub id: i64,
    pub kind: String,
    pub content: String,
    /// Paths it is about.
    pub files: Vec<String>,
    pub tags: Vec<String>,
    pub created: Timestamp,
}

impl Journal {
    /// Keeps a memory; the same words of the same kind are kept once. Gives its id and whether it is new.
    pub fn remember(&mut self, user: &str, memory: &MemoryRow) -> Result<(i64, bool), StoreError> {
        let project = self.project.clone();
        self.durably(|conn| {
            let tx = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            let known = tx
                .prepare("SELECT id FROM memories WHERE project = ?1 AND user = ?2 AND kind = ?3 AND content = ?4")?
                .query_map(params![project, user, memory.kind, memory.content], |row| row.get(0))?
                .next()
                .transpose()?;
            if let Some(id) = known {
                return Ok((id, false));
            }
            tx.execute(
                "INSERT INTO memories (project, user, kind, content, files, tags, created) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![project, user, memory.kind, memory.content, memory.files.join("\n"), memory.tags.join("\n"), memory.created.0],
            )?;
            let id = tx.last_insert_rowid();
            tx.execute(
                "DELETE FROM memories WHERE project = ?1 AND user = ?2 AND id NOT IN
                 (SELECT id FROM memories WHERE project = ?1 AND user = ?2 ORDER BY id DESC LIMIT ?3)",
                params![project, user, MOST_MEMORIES],
            )?;
            tx.commit()?;
            Ok((id, true))
        })
    }

    /// All of a user, newest first.
    pub fn memories(&self, user: &str) -> Result<Vec<MemoryRow>, StoreError> {
        let rows = || -> rusqlite::Result<Vec<MemoryRow>> {
            self.conn
                .prepare(
                    "SELECT id, kind, content, files, tags, created FROM memories
                     WHERE project = ?1 AND user = ?2 ORDER BY id DESC",
                )?
                .query_map(params![self.project, user], |row| {
                    let list = |text: String| text.lines().map(str::to_owned).collect();
                    Ok(MemoryRow {
                        id: row.get(0)?,
                        kind: row.get(1)?,
                        content: row.get(2)?,
                        files: list(row.get(3)?),
                        tags: list(row.get(4)?),
                        created: Timestamp(row.get(5)?),
                    })
                })?
                .collect()
        };
        rows().map_err(|error| self.fail(error))
    }

    /// False: there is none of this user with this id.
    pub fn forget(&mut self, user: &str, id: i64) -> Result<bool, StoreError> {
        let project = self.project.clone();
        self.durably(|conn| {
            conn.execute(
                "DELETE FROM memories WHERE project = ?1 AND user = ?2 AND id = ?3",
                params![project, user, id],
            )
            .map(|n| n > 0)
        })
    }

    /// Notes what was thought of items of a pack.
    pub fn feedback(
        &mut self,
        user: &str,
        pack: &str,
        items: &[String],
        useful: bool,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let project = self.project.clone();
        let done = self.conn.transaction().and_then(|tx| {
            for item in items {
                tx.execute(
                    "INSERT INTO feedback (project, user, pack, item, useful, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![project, user, pack, item, useful, now.0],
                )?;
            }
            tx.execute(
                "DELETE FROM feedback WHERE project = ?1 AND user = ?2 AND id NOT IN
                 (SELECT id FROM feedback WHERE project = ?1 AND user = ?2 ORDER BY id DESC LIMIT ?3)",
                params![project, user, MOST_FEEDBACK],
            )?;
            tx.commit()
        });
        done.map_err(|error| self.fail(error))
    }

    /// Items that were found useful, and those that were not.
    pub fn n_feedback(&self, user: &str) -> Result<(u64, u64), StoreError> {
        self.conn
            .query_row(
                "SELECT count(*) FILTER (WHERE useful), count(*) FILTER (WHERE NOT useful) FROM feedback
                 WHERE project = ?1 AND user = ?2",
                params![self.project, user],
                |row| Ok((row.get::<_, u32>(0)?.into(), row.get::<_, u32>(1)?.into())),
            )
            .map_err(|error| self.fail(error))
    }
}
