//! Threads: conversations that packs are made for (MEM-4). Messages in order, places that somebody attached, and what was served, so that
//! it can be served again. A thread belongs to one user of one project and is named by them.

#[cfg(test)]
mod tests;

use kitbag_types::Timestamp;
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};

use super::Journal;
use crate::StoreError;

/// Of one user of a project, and of one thread (SEC-4).
const MOST_THREADS: u32 = 500;
const MOST_MESSAGES: u32 = 1_000;
const MOST_PLACES: u32 = 500;

pub(super) const TABLES: &str = "
    CREATE TABLE threads (
        -- Never used again: a new thread must not inherit the messages of one that was deleted.
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        project TEXT NOT NULL,
        user TEXT NOT NULL,
        id TEXT NOT NULL,
        created INTEGER NOT NULL,
        last_used INTEGER NOT NULL,
        UNIQUE (project, user, id)
    ) STRICT;
    CREATE TABLE thread_messages (
        key INTEGER PRIMARY KEY,
        thread INTEGER NOT NULL,
        role TEXT NOT NULL,
        text TEXT NOT NULL,
        at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX thread_messages_by_thread ON thread_messages (thread);
    CREATE TABLE thread_places (
        key INTEGER PRIMARY KEY,
        thread INTEGER NOT NULL,
        kind TEXT NOT NULL,
        place TEXT NOT NULL,
        uses INTEGER NOT NULL,
        at INTEGER NOT NULL,
        UNIQUE (thread, kind, place)
    ) STRICT;
";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadRow {
    pub id: String,
    pub created: Timestamp,
    pub last_used: Timestamp,
    /// In order.
    pub messages: Vec<MessageRow>,
    /// By kind and place.
    pub places: Vec<PlaceRow>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageRow {
    pub role: String,
    pub text: String,
    pub at: Timestamp,
}

/// A file or lines of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceRow {
    /// `reference`: somebody attached it. `served` and `opened`: it came up.
    pub kind: String,
    /// `path` or `path:first-last`.
    pub place: String,
    pub uses: u32,
    pub at: Timestamp,
}

impl Journal {
    /// Appends messages and places to a thread, which is made if there is none. A place that is known counts once more.
    pub fn add_to_thread(
        &mut self,
        user: &str,
        id: &str,
        messages: &[MessageRow],
        places: &[(&str, String)],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let project = self.project.clone();
        let write = |tx: &Transaction<'_>| -> rusqlite::Result<()> {
            let key: i64 = tx.query_row(
                "INSERT INTO threads (project, user, id, created, last_used) VALUES (?1, ?2, ?3, ?4, ?4)
                 ON CONFLICT (project, user, id) DO UPDATE SET last_used = max(last_used, excluded.last_used) RETURNING key",
                params![project, user, id, now.0],
                |row| row.get(0),
            )?;
            for message in messages {
                tx.execute(
                    "INSERT INTO thread_messages (thread, role, text, at) VALUES (?1, ?2, ?3, ?4)",
                    params![key, message.role, message.text, message.at.0],
                )?;
            }
            for (kind, place) in places {
                tx.execute(
                    "INSERT INTO thread_places (thread, kind, place, uses, at) VALUES (?1, ?2, ?3, 1, ?4)
                     ON CONFLICT (thread, kind, place) DO UPDATE SET uses = min(uses + 1, 1000000), at = max(at, excluded.at)",
                    params![key, kind, place, now.0],
                )?;
            }
            sweep(tx, &project, user, key)
        };
        let done = self
            .conn
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .and_then(|tx| {
                write(&tx)?;
                tx.commit()
            });
        done.map_err(|error| self.fail(error))
    }

    /// A user's thread, whole. `None`: they have none of this name.
    pub fn thread(&self, user: &str, id: &str) -> Result<Option<ThreadRow>, StoreError> {
        let read = || -> rusqlite::Result<Option<ThreadRow>> {
            let found = self
                .conn
                .query_row(
                    "SELECT key, created, last_used FROM threads WHERE project = ?1 AND user = ?2 AND id = ?3",
                    params![self.project, user, id],
                    |row| Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?)),
                )
                .optional()?;
            let Some((key, created, last_used)) = found else {
                return Ok(None);
            };
            let messages = self
                .conn
                .prepare_cached("SELECT role, text, at FROM thread_messages WHERE thread = ?1 ORDER BY key")?
                .query_map([key], |row| {
                    Ok(MessageRow {
                        role: row.get(0)?,
                        text: row.get(1)?,
                        at: Timestamp(row.get(2)?),
                    })
                })?
                .collect::<rusqlite::Result<_>>()?;
            let places = self
                .conn
                .prepare_cached(
                    "SELECT kind, place, uses, at FROM thread_places WHERE thread = ?1 ORDER BY kind, place",
                )?
                .query_map([key], |row| {
                    Ok(PlaceRow {
                        kind: row.get(0)?,
                        place: row.get(1)?,
                        uses: row.get(2)?,
                        at: Timestamp(row.get(3)?),
                    })
                })?
                .collect::<rusqlite::Result<_>>()?;
            Ok(Some(ThreadRow {
                id: id.to_owned(),
                created: Timestamp(created),
                last_used: Timestamp(last_used),
                messages,
                places,
            }))
        };
        read().map_err(|error| self.fail(error))
    }

    /// The names of a user's threads, the last used first.
    pub fn threads(&self, user: &str) -> Result<Vec<String>, StoreError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            self.conn
                .prepare(
                    "SELECT id FROM threads WHERE project = ?1 AND user = ?2 ORDER BY last_used DESC, id",
                )?
                .query_map(params![self.project, user], |row| row.get(0))?
                .collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// False: the user has none of this name.
    pub fn delete_thread(&mut self, user: &str, id: &str) -> Result<bool, StoreError> {
        let project = self.project.clone();
        let done = self.conn.transaction().and_then(|tx| {
            let n = tx.execute(
                "DELETE FROM threads WHERE project = ?1 AND user = ?2 AND id = ?3",
                params![project, user, id],
            )?;
            drop_loose(&tx)?;
            tx.commit()?;
            Ok(n > 0)
        });
        done.map_err(|error| self.fail(error))
    }
}

fn sweep(tx: &Transaction<'_>, project: &str, user: &str, key: i64) -> rusqlite::Result<()> {
    tx.execute(
        "DELETE FROM thread_messages WHERE thread = ?1 AND key NOT IN
         (SELECT key FROM thread_messages WHERE thread = ?1 ORDER BY key DESC LIMIT ?2)",
        params![key, MOST_MESSAGES],
    )?;
    tx.execute(
        "DELETE FROM thread_places WHERE thread = ?1 AND key NOT IN
         (SELECT key FROM thread_places WHERE thread = ?1 ORDER BY at DESC, key DESC LIMIT ?2)",
        params![key, MOST_PLACES],
    )?;
    let n = tx.execute(
        "DELETE FROM threads WHERE project = ?1 AND user = ?2 AND key NOT IN
         (SELECT key FROM threads WHERE project = ?1 AND user = ?2 ORDER BY key = ?3 DESC, last_used DESC, key DESC LIMIT ?4)",
        params![project, user, key, MOST_THREADS],
    )?;
    if n > 0 { drop_loose(tx) } else { Ok(()) }
}

fn drop_loose(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    tx.execute_batch(
        "DELETE FROM thread_messages WHERE thread NOT IN (SELECT key FROM threads);
         DELETE FROM thread_places WHERE thread NOT IN (SELECT key FROM threads);",
    )
}
