//! What happened, as opposed to what the files say: sessions, usage, jobs. A database of its own beside the index
//! (`journal.db`), because the two live differently. The index can be made again from the files and is set aside when it is
//! damaged; a journal cannot, so rebuilding never touches it. And an indexing run holds the index's write lock for as long as a
//! batch takes, while a journal entry is written during an answer and must not wait for one.
//!
//! Each subject has a file with its tables and its rows. Worktrees share a store, so every row carries its project.
//! The journal is never needed to answer: whoever writes to it treats a failure as a warning.

mod jobs;
mod memories;
mod sessions;
mod usage;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;

pub use jobs::{JobKind, JobLock, JobRow, JobStatus, NewJob, NotCreated};
pub use memories::MemoryRow;
pub use sessions::{DeliveryRow, NewDelivery};
pub use usage::UsageRow;

/// Bump when a table changes shape, with a step in [`STEPS`].
const STEPS: &[&str] = &[sessions::TABLES, memories::TABLES, jobs::TABLES, usage::TABLES];

/// An open journal of one project, for one thread at a time.
pub struct Journal {
    path: PathBuf,
    pub(crate) conn: Connection,
    /// Tells worktrees that share a store apart.
    pub(crate) project: String,
}

impl Journal {
    /// The journal of the project at `root`; made if there is none.
    pub fn open(store_dir: &Path, root: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(store_dir).map_err(|source| StoreError::io(store_dir, source))?;
        let path = store_dir.join("journal.db");
        let conn = connect(&path).map_err(|error| StoreError::sqlite(&path, error))?;
        Ok(Self {
            path,
            conn,
            project: root.display().to_string(),
        })
    }

    /// The journal, if there is one: looking leaves no trace where nothing happened.
    pub fn open_existing(store_dir: &Path, root: &Path) -> Result<Option<Self>, StoreError> {
        if store_dir.join("journal.db").exists() {
            Self::open(store_dir, root).map(Some)
        } else {
            Ok(None)
        }
    }

    pub(crate) fn dir(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    pub(crate) fn fail(&self, error: rusqlite::Error) -> StoreError {
        StoreError::sqlite(&self.path, error)
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let mut conn = Connection::open(path)?;
    conn.busy_timeout(Duration::from_secs(5))?;
    conn.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
    // A process that makes one entry and ends would wait for the disk twice; the log is folded in when it has grown.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    let version = |conn: &Connection| {
        conn.query_row("PRAGMA user_version", [], |row| {
            row.get::<_, u32>(0).map(|n| n as usize)
        })
    };
    if version(&conn)? >= STEPS.len() {
        return Ok(conn);
    }
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for step in &STEPS[version(&tx)?.min(STEPS.len())..] {
        tx.execute_batch(step)?;
    }
    tx.pragma_update(None, "user_version", STEPS.len() as u32)?;
    tx.commit()?;
    Ok(conn)
}

#[cfg(test)]
mod tests;
