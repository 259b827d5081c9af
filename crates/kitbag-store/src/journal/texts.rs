//! Texts that somebody handed in to be searched although no file has them: buffers that are not saved, documents that were generated
//! (`add_context`). They belong to one user of one project and stay until they are dropped; a restart does not lose them.

#[cfg(test)]
mod tests;

use kitbag_types::Timestamp;
use rusqlite::params;

use super::Journal;
use crate::StoreError;

/// Of one user of a project; the oldest go first (SEC-4).
const MOST: u32 = 200;

pub(super) const TABLES: &str = "
    CREATE TABLE added_texts (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        project TEXT NOT NULL,
        user TEXT NOT NULL,
        name TEXT NOT NULL,
        text TEXT NOT NULL,
        at INTEGER NOT NULL,
        UNIQUE (project, user, name)
    ) STRICT;
";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddedText {
    /// A path of the project, whose text this is instead, or any other name.
    pub name: String,
    pub text: String,
    pub at: Timestamp,
}

impl Journal {
    /// Keeps a text, instead of one of the same name. Gives whether it is new.
    pub fn add_text(&mut self, user: &str, added: &AddedText) -> Result<bool, StoreError> {
        let project = self.project.clone();
        let done = self.conn.transaction().and_then(|tx| {
            let n_old = tx.execute(
                "DELETE FROM added_texts WHERE project = ?1 AND user = ?2 AND name = ?3",
                params![project, user, added.name],
            )?;
            tx.execute(
                "INSERT INTO added_texts (project, user, name, text, at) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![project, user, added.name, added.text, added.at.0],
            )?;
            tx.execute(
                "DELETE FROM added_texts WHERE project = ?1 AND user = ?2 AND key NOT IN
                 (SELECT key FROM added_texts WHERE project = ?1 AND user = ?2 ORDER BY key DESC LIMIT ?3)",
                params![project, user, MOST],
            )?;
            tx.commit()?;
            Ok(n_old == 0)
        });
        done.map_err(|error| self.fail(error))
    }

    /// A user's texts, by name.
    pub fn added_texts(&self, user: &str) -> Result<Vec<AddedText>, StoreError> {
        let read = || -> rusqlite::Result<Vec<AddedText>> {
            self.conn
                .prepare_cached(
                    "SELECT name, text, at FROM added_texts WHERE project = ?1 AND user = ?2 ORDER BY name",
                )?
                .query_map(params![self.project, user], |row| {
                    Ok(AddedText {
                        name: row.get(0)?,
                        text: row.get(1)?,
                        at: Timestamp(row.get(2)?),
                    })
                })?
                .collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// False: the user has none of this name.
    pub fn drop_text(&mut self, user: &str, name: &str) -> Result<bool, StoreError> {
        let done = self.conn.execute(
            "DELETE FROM added_texts WHERE project = ?1 AND user = ?2 AND name = ?3",
            params![self.project, user, name],
        );
        done.map(|n| n > 0).map_err(|error| self.fail(error))
    }
}
