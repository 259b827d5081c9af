//! What happened, and not what is in the files: sessions, usage, jobs, memories, feedback, threads. It is a database of its own beside the index
//! (`journal.db`), because the two are treated differently. The index can be made again from the files and is set aside when it is
//! damaged; a journal cannot, so rebuilding never touches it. And an indexing run holds the index's write lock for as long as a
//! batch takes, while a journal entry is written during an answer and must not wait for one.
//!
//! Each subject has a file with its tables and its rows. Worktrees share a store, so every row carries its project.
//! The journal is never needed to answer: whoever writes to it treats a failure as a warning. A damaged one is set aside when
//! it is opened the next time (`mend.rs`).

mod citations;
mod feedback;
mod jobs;
mod memories;
mod mend;
mod sessions;
mod texts;
mod threads;
mod usage;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;
use crate::database::{FileId, check_files, connect_read_only, file_id};
use crate::path_kind::{PathKind, kind_at};

pub use citations::CitationRow;
pub use feedback::FeedbackRow;
pub use jobs::{JobKind, JobLock, JobRow, JobStatus, NewJob, NotCreated};
pub use memories::MemoryRow;
pub use mend::MendedJournal;
pub use sessions::{DeliveryRow, NewDelivery};
pub use texts::AddedText;
pub use threads::{MessageRow, PlaceRow, ThreadRow};
pub use usage::UsageRow;

/// Bump when a table changes shape, with a step in [`STEPS`].
const STEPS: &[&str] = &[
    sessions::TABLES,
    memories::TABLES,
    jobs::TABLES,
    usage::TABLES,
    jobs::USERS,
    memories::CHECKED,
    feedback::PLACES,
    threads::TABLES,
    texts::TABLES,
];

const NAME: &str = "journal.db";

/// An open journal of one project, for one thread at a time.
pub struct Journal {
    path: PathBuf,
    pub(crate) conn: Connection,
    /// Tells worktrees that share a store apart.
    pub(crate) project: String,
    mended: Option<MendedJournal>,
    /// The file that is open; `None` if it is open for reading only.
    file: Option<FileId>,
}

impl Journal {
    /// The journal of the project at `root`; made if there is none, and made anew if it is damaged.
    pub fn open(store_dir: &Path, root: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(store_dir).map_err(|source| StoreError::io(store_dir, source))?;
        // Asked first: whoever connects makes a file.
        let mut mended = match mend::is_lost(store_dir) {
            true => mend::mend(store_dir)?,
            false => None,
        };
        let opened = match connect(store_dir) {
            Ok(conn) if !mend::is_suspect(store_dir) => Ok(conn),
            Ok(_) | Err(StoreError::Corrupt { .. }) => {
                mended = mend::mend(store_dir)?;
                connect(store_dir)
            }
            Err(error) => Err(error),
        };
        let path = store_dir.join(NAME);
        Ok(Self {
            conn: opened?,
            project: root.display().to_string(),
            mended,
            file: file_id(&path, false),
            path,
        })
    }

    /// Whether this one may be used again: it can be written, nobody has removed or replaced its file, and nobody has met damage.
    pub fn is_current(&self) -> bool {
        self.file.is_some() && self.file == file_id(&self.path, false) && !mend::is_suspect(self.dir())
    }

    /// What was done about a damaged journal when this one was opened.
    pub fn mended(&self) -> Option<&MendedJournal> {
        self.mended.as_ref()
    }

    /// Runs SQLite's own check over the whole journal; succeeds if there is none. For `doctor`. Damage is noted, so that the next one
    /// to open the journal mends it.
    pub fn check(store_dir: &Path) -> Result<(), StoreError> {
        let checked = mend::check(store_dir);
        if let Err(StoreError::Corrupt { .. }) = checked {
            mend::suspect(store_dir);
        }
        checked
    }

    /// The journal, if there is one: reading does not create it.
    pub fn open_existing(store_dir: &Path, root: &Path) -> Result<Option<Self>, StoreError> {
        match kind_at(&store_dir.join(NAME)) {
            PathKind::Nothing if !mend::is_lost(store_dir) => Ok(None),
            _ => match Self::open(store_dir, root) {
                // A full or read-only disk does not prevent reading.
                Err(
                    error @ (StoreError::Full { .. }
                    | StoreError::Unwritable { .. }
                    | StoreError::ReadOnly { .. }),
                ) => Self::look(store_dir, root, error),
                other => other.map(Some),
            },
        }
    }

    /// The journal for reading only. `None` if it has no tables yet; `error` if it has an older form, which cannot be updated
    /// now.
    fn look(store_dir: &Path, root: &Path, error: StoreError) -> Result<Option<Self>, StoreError> {
        let path = store_dir.join(NAME);
        let conn = connect_read_only(&path)?;
        let found = version(&conn).map_err(|error| StoreError::sqlite(&path, error))?;
        if found == 0 {
            return Ok(None);
        }
        if found < STEPS.len() {
            return Err(error);
        }
        Ok(Some(Self {
            path,
            conn,
            project: root.display().to_string(),
            mended: None,
            file: None,
        }))
    }

    pub(crate) fn dir(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// Notes damage, so that the next one to open the journal checks it.
    pub(crate) fn fail(&self, error: rusqlite::Error) -> StoreError {
        failed(&self.path, error)
    }

    /// For what a person asked to keep: it is written to the database itself, and not only to the log, before this returns.
    fn durably<T>(
        &mut self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let write = || -> rusqlite::Result<T> {
            self.conn.pragma_update(None, "synchronous", "FULL")?;
            let done = work(&mut self.conn)?;
            self.conn.pragma_update(None, "synchronous", "NORMAL")?;
            Ok(done)
        };
        let done = write().map_err(|error| self.fail(error))?;
        mend::note_kept(self.dir());
        // The log was synchronised, so nothing is lost if another process delays this.
        let _ = self
            .conn
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        Ok(done)
    }
}

fn failed(path: &Path, error: rusqlite::Error) -> StoreError {
    let error = StoreError::sqlite(path, error);
    if let (StoreError::Corrupt { .. }, Some(dir)) = (&error, path.parent()) {
        mend::suspect(dir);
    }
    error
}

fn connect(store_dir: &Path) -> Result<Connection, StoreError> {
    check_files(store_dir, NAME)?;
    let path = store_dir.join(NAME);
    connected(&path).map_err(|error| match StoreError::sqlite(&path, error) {
        StoreError::ReadOnly { .. } if mend::is_shut(store_dir) => mend::shut(path.clone()),
        error => error,
    })
}

fn connected(path: &Path) -> rusqlite::Result<Connection> {
    let mut conn = Connection::open(path)?;
    conn.busy_timeout(Duration::from_secs(5))?;
    conn.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
    // A process that makes one entry and ends would wait for the disk twice; the log is folded in when it has grown.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
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

fn version(conn: &Connection) -> rusqlite::Result<usize> {
    conn.query_row("PRAGMA user_version", [], |row| {
        row.get::<_, u32>(0).map(|n| n as usize)
    })
}

#[cfg(test)]
mod tests;
