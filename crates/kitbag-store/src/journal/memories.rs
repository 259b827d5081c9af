//! Memories: what people and agents want kept about a project. Each row belongs to a project and, where a server has several users,
//! to one of them (MEM-6).

#[cfg(test)]
mod tests;

use kitbag_types::Timestamp;
use rusqlite::{Row, TransactionBehavior, params};

use super::Journal;
use crate::StoreError;
use crate::journal::citations::{CitationRow, encoded};

/// Of one user of a project (SEC-4).
const MOST_MEMORIES: u32 = 10_000;

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

/// What a memory gained when memories began to be checked against the code (MEM-1, MEM-3). What a user of a server had kept before
/// was seen by nobody else, and stays so.
pub(super) const CHECKED: &str = "
    ALTER TABLE memories ADD COLUMN confidence REAL NOT NULL DEFAULT 0.8;
    ALTER TABLE memories ADD COLUMN last_used INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE memories ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE memories ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE memories ADD COLUMN private INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE memories ADD COLUMN source TEXT NOT NULL DEFAULT '';
    ALTER TABLE memories ADD COLUMN citations TEXT NOT NULL DEFAULT '';
    UPDATE memories SET last_used = created, private = user <> '';
";

/// Every column but the project, in the order of [`MemoryRow::read`].
const COLUMNS: &str = "id, user, kind, content, files, tags, created, confidence, last_used, uses, archived, private, source, citations";

#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemoryRow {
    pub id: i64,
    /// Who kept it; empty if there is one user.
    pub owner: String,
    pub kind: String,
    pub content: String,
    /// Paths it is about.
    pub files: Vec<String>,
    pub tags: Vec<String>,
    pub created: Timestamp,
    /// 0 to 1.
    pub confidence: f64,
    pub last_used: Timestamp,
    pub uses: u32,
    pub archived: bool,
    /// Seen by its owner only.
    pub private: bool,
    /// Where it was imported from; empty if somebody said it.
    pub source: String,
    pub citations: Vec<CitationRow>,
}

impl MemoryRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let list = |text: String| text.lines().map(str::to_owned).collect();
        let citations: String = row.get(13)?;
        Ok(Self {
            id: row.get(0)?,
            owner: row.get(1)?,
            kind: row.get(2)?,
            content: row.get(3)?,
            files: list(row.get(4)?),
            tags: list(row.get(5)?),
            created: Timestamp(row.get(6)?),
            confidence: row.get::<_, f64>(7)?.clamp(0.0, 1.0),
            last_used: Timestamp(row.get(8)?),
            uses: row.get(9)?,
            archived: row.get(10)?,
            private: row.get(11)?,
            source: row.get(12)?,
            citations: citations.lines().filter_map(CitationRow::decoded).collect(),
        })
    }
}

impl Journal {
    /// Keeps a memory; the same words of the same kind are kept once, by whomever they were said as long as both may see them.
    /// Gives its id and whether it is new.
    pub fn remember(&mut self, user: &str, memory: &MemoryRow) -> Result<(i64, bool), StoreError> {
        let project = self.project.clone();
        self.durably(|conn| {
            let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let known = tx
                .prepare(
                    "SELECT id FROM memories WHERE project = ?1 AND kind = ?3 AND content = ?4
                     AND (user = ?2 OR (private = 0 AND ?5 = 0)) ORDER BY id",
                )?
                .query_map(params![project, user, memory.kind, memory.content, memory.private], |row| row.get(0))?
                .next()
                .transpose()?;
            if let Some(id) = known {
                return Ok((id, false));
            }
            tx.execute(
                "INSERT INTO memories (project, user, kind, content, files, tags, created, confidence, last_used, uses, archived,
                 private, source, citations) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
                params![
                    project,
                    user,
                    memory.kind,
                    memory.content,
                    memory.files.join("\n"),
                    memory.tags.join("\n"),
                    memory.created.0,
                    memory.confidence,
                    memory.last_used.0,
                    memory.uses,
                    memory.archived,
                    memory.private,
                    memory.source,
                    encoded(&memory.citations),
                ],
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

    /// All that a user may see, newest first: their own, and those of others that are not private (MEM-6).
    pub fn memories(&self, user: &str) -> Result<Vec<MemoryRow>, StoreError> {
        let rows = || -> rusqlite::Result<Vec<MemoryRow>> {
            self.conn
                .prepare(&format!(
                    "SELECT {COLUMNS} FROM memories WHERE project = ?1 AND (user = ?2 OR private = 0) ORDER BY id DESC"
                ))?
                .query_map(params![self.project, user], MemoryRow::read)?
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

    /// Writes a memory's words, labels and citations again. False: there is none of this user with its id.
    pub fn update_memory(&mut self, user: &str, memory: &MemoryRow) -> Result<bool, StoreError> {
        let project = self.project.clone();
        self.durably(|conn| {
            conn.execute(
                "UPDATE memories SET kind = ?4, content = ?5, files = ?6, tags = ?7, confidence = ?8, last_used = ?9, uses = ?10,
                 archived = ?11, private = ?12, source = ?13, citations = ?14 WHERE project = ?1 AND user = ?2 AND id = ?3",
                params![
                    project,
                    user,
                    memory.id,
                    memory.kind,
                    memory.content,
                    memory.files.join("\n"),
                    memory.tags.join("\n"),
                    memory.confidence,
                    memory.last_used.0,
                    memory.uses,
                    memory.archived,
                    memory.private,
                    memory.source,
                    encoded(&memory.citations),
                ],
            )
            .map(|n| n > 0)
        })
    }

    /// What checking found is kept beside each citation, so that it is not found out again while the file stays as it is. Who
    /// may see a memory may check it.
    pub fn keep_verdicts(&mut self, checked: &[(i64, Vec<CitationRow>)]) -> Result<(), StoreError> {
        let project = self.project.clone();
        let done = self.conn.transaction().and_then(|tx| {
            for (id, citations) in checked {
                tx.execute(
                    "UPDATE memories SET citations = ?3 WHERE project = ?1 AND id = ?2",
                    params![project, id, encoded(citations)],
                )?;
            }
            tx.commit()
        });
        done.map_err(|error| self.fail(error))
    }

    /// Memories that were served or cited are used (MEM-1).
    pub fn use_memories(&mut self, ids: &[i64], now: Timestamp) -> Result<(), StoreError> {
        let project = self.project.clone();
        let done = self.conn.transaction().and_then(|tx| {
            for id in ids {
                tx.execute(
                    "UPDATE memories SET uses = min(uses + 1, 1000000), last_used = max(last_used, ?3) WHERE project = ?1 AND id = ?2",
                    params![project, id, now.0],
                )?;
            }
            tx.commit()
        });
        done.map_err(|error| self.fail(error))
    }
}
