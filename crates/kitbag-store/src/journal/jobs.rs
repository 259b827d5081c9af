//! Long work on the index, as others see it: rows that the process at work writes and any other may read (IDX-52).
//!
//! Whether that process still lives is not a matter of time stamps: it holds an advisory lock on a file of its own, which the
//! operating system gives back however it ends. A row that says *running* while its lock is free is rewritten by whoever
//! notices. The lock is taken inside the transaction that makes the row, and given back after the one that ends it, so no
//! reader sees a live job without its lock.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use super::Journal;
use crate::{StoreError, path_kind};

/// Finished jobs that are kept for each project.
const KEPT: usize = 50;
/// Jobs of a project that may wait or run (SEC-4), and of one user of a server.
const MOST_OPEN: usize = 10;
const MOST_OPEN_OF_USER: usize = 3;
/// Lines of a job's log.
const MOST_LINES: usize = 200;

pub(super) const TABLES: &str = "
CREATE TABLE jobs (
    ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
    project TEXT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    total INTEGER NOT NULL DEFAULT 0,
    processed INTEGER NOT NULL DEFAULT 0,
    current_file TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    updated_at INTEGER NOT NULL,
    finished_at INTEGER,
    error_code TEXT,
    error TEXT,
    cancel INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX jobs_by_project ON jobs (project, ordinal);
CREATE TABLE job_paths (ordinal INTEGER NOT NULL, path TEXT NOT NULL, PRIMARY KEY (ordinal, path)) WITHOUT ROWID;
CREATE TABLE job_metrics (
    ordinal INTEGER NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (ordinal, name)
) WITHOUT ROWID;
CREATE TABLE job_lines (
    ordinal INTEGER NOT NULL, idx INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (ordinal, idx)
) WITHOUT ROWID;
";

/// Whose job it is. Empty: whoever works on this machine.
pub(super) const USERS: &str = "ALTER TABLE jobs ADD COLUMN user TEXT NOT NULL DEFAULT '';";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    RebuildFull,
    RebuildPartial,
    Refresh,
}

impl JobKind {
    const ALL: [Self; 3] = [Self::RebuildFull, Self::RebuildPartial, Self::Refresh];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::RebuildFull => "rebuild_full",
            Self::RebuildPartial => "rebuild_partial",
            Self::Refresh => "refresh",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobStatus {
    Queued,
    InProgress,
    Completed,
    Failed,
    Cancelled,
}

impl JobStatus {
    const ALL: [Self; 5] = [
        Self::Queued,
        Self::InProgress,
        Self::Completed,
        Self::Failed,
        Self::Cancelled,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// It waits or runs.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Queued | Self::InProgress)
    }
}

/// A job as it was last written. Times in milliseconds since 1970.
#[derive(Clone, Debug, PartialEq)]
pub struct JobRow {
    pub ordinal: i64,
    /// Of a server who asked for it (SEC-5); empty if there is only one.
    pub user: String,
    pub kind: JobKind,
    pub status: JobStatus,
    /// Empty: the whole project.
    pub scope: Vec<String>,
    pub total: u64,
    pub processed: u64,
    pub current_file: String,
    pub created_at: i64,
    pub started_at: Option<i64>,
    pub updated_at: i64,
    pub finished_at: Option<i64>,
    /// A stable code and what happened.
    pub error: Option<(String, String)>,
    pub metrics: Vec<(String, u64)>,
    pub log: Vec<String>,
    /// Somebody asked it to stop.
    pub cancel: bool,
}

/// A job to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewJob<'a> {
    pub user: &'a str,
    pub kind: JobKind,
    pub scope: &'a [String],
    /// Not while another job of the project is open.
    pub alone: bool,
}

/// Why there is no new job.
#[derive(Debug)]
pub enum NotCreated {
    /// This one is in the way.
    Occupied(Box<JobRow>),
    /// So many wait already.
    TooMany(usize),
    Store(StoreError),
}

/// Says that a job's process lives, for as long as that does.
#[derive(Debug)]
pub struct JobLock {
    path: PathBuf,
    _file: File,
}

impl Drop for JobLock {
    fn drop(&mut self) {
        // Left behind it would be harmless: its number is never given again.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Journal {
    /// Makes a job that waits, and the lock that says somebody means to run it.
    pub fn create_job(&mut self, new: &NewJob<'_>, now_ms: i64) -> Result<(i64, JobLock), NotCreated> {
        self.bury_dead(now_ms).map_err(NotCreated::Store)?;
        let open = self.jobs_where("status IN ('queued', 'in_progress')");
        let open = open.map_err(NotCreated::Store)?;
        let of_user = open.iter().filter(|row| row.user == new.user).count();
        if open.len() >= MOST_OPEN || (!new.user.is_empty() && of_user >= MOST_OPEN_OF_USER) {
            return Err(NotCreated::TooMany(open.len()));
        }
        let made = self.insert_job(new, now_ms).map_err(NotCreated::Store)?;
        match made {
            Some(made) => Ok(made),
            // Somebody may have been quicker since the look above: the insertion looked again.
            None => match self.jobs_where("status IN ('queued', 'in_progress')") {
                Ok(open) if !open.is_empty() => {
                    let first = open.into_iter().next_back().expect("it is not empty");
                    Err(NotCreated::Occupied(Box::new(first)))
                }
                // The one in the way ended this moment.
                Ok(_) => self.create_job(new, now_ms),
                Err(error) => Err(NotCreated::Store(error)),
            },
        }
    }

    /// `None`: it wants to be alone and is not.
    fn insert_job(&mut self, new: &NewJob<'_>, now_ms: i64) -> Result<Option<(i64, JobLock)>, StoreError> {
        let (path, project, dir) = (self.path.clone(), self.project.clone(), self.dir().to_owned());
        let fail = |error| super::failed(&path, error);
        let tx = self
            .conn
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(fail)?;
        let inserted = tx
            .query_row(
                "INSERT INTO jobs (project, user, kind, status, created_at, updated_at)
                 SELECT ?1, ?5, ?2, 'queued', ?3, ?3 WHERE NOT ?4 OR NOT EXISTS (
                     SELECT 1 FROM jobs WHERE project = ?1 AND status IN ('queued', 'in_progress'))
                 RETURNING ordinal",
                params![project, new.kind.as_str(), now_ms, new.alone, new.user],
                |row| row.get::<_, i64>(0),
            )
            .optional()
            .map_err(fail)?;
        let Some(ordinal) = inserted else { return Ok(None) };
        for path in new.scope {
            tx.execute(
                "INSERT OR IGNORE INTO job_paths (ordinal, path) VALUES (?1, ?2)",
                params![ordinal, path],
            )
            .map_err(fail)?;
        }
        let lock = take_lock(&dir, ordinal)?;
        tx.commit().map_err(fail)?;
        Ok(Some((ordinal, lock)))
    }

    pub fn start_job(&self, ordinal: i64, now_ms: i64) -> Result<(), StoreError> {
        self.write(
            "UPDATE jobs SET status = 'in_progress', started_at = ?2, updated_at = ?2 WHERE ordinal = ?1",
            params![ordinal, now_ms],
        )
    }

    /// Notes how far a job is. True: somebody wants it to stop.
    pub fn note_progress(
        &self,
        ordinal: i64,
        (processed, total): (u64, u64),
        current_file: &str,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.conn
            .prepare_cached(
                "UPDATE jobs SET processed = ?2, total = ?3, current_file = ?4, updated_at = ?5 WHERE ordinal = ?1
                 RETURNING cancel",
            )
            .and_then(|mut update| {
                update.query_row(
                    params![ordinal, processed as i64, total as i64, current_file, now_ms],
                    |row| row.get(0),
                )
            })
            .map_err(|error| self.fail(error))
    }

    /// Adds a line to a job's log, if there is room for one.
    pub fn log_job(&self, ordinal: i64, line: &str) -> Result<(), StoreError> {
        self.write(
            "INSERT INTO job_lines (ordinal, idx, line)
             SELECT ?1, count(*), ?2 FROM job_lines WHERE ordinal = ?1 HAVING count(*) < ?3",
            params![ordinal, line, MOST_LINES as i64],
        )
    }

    /// The last word on a job; those that ended long before it are forgotten.
    pub fn finish_job(
        &mut self,
        ordinal: i64,
        status: JobStatus,
        error: Option<(&str, &str)>,
        metrics: &[(&str, u64)],
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let project = self.project.clone();
        let finish = |conn: &mut Connection| -> rusqlite::Result<()> {
            let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
            tx.execute(
                "UPDATE jobs SET status = ?2, error_code = ?3, error = ?4, current_file = '', finished_at = ?5,
                     updated_at = ?5 WHERE ordinal = ?1",
                params![
                    ordinal,
                    status.as_str(),
                    error.map(|error| error.0),
                    error.map(|error| error.1),
                    now_ms
                ],
            )?;
            for (name, value) in metrics {
                tx.execute(
                    "INSERT OR REPLACE INTO job_metrics (ordinal, name, value) VALUES (?1, ?2, ?3)",
                    params![ordinal, name, *value as i64],
                )?;
            }
            forget_old(&tx, &project)?;
            tx.commit()
        };
        finish(&mut self.conn).map_err(|error| self.fail(error))
    }

    /// Asks a job to stop. False: it has ended, or never was.
    pub fn cancel_job(&mut self, ordinal: i64, now_ms: i64) -> Result<bool, StoreError> {
        self.bury_dead(now_ms)?;
        self.conn
            .execute(
                "UPDATE jobs SET cancel = 1 WHERE ordinal = ?1 AND project = ?2
                 AND status IN ('queued', 'in_progress')",
                params![ordinal, self.project],
            )
            .map(|n| n > 0)
            .map_err(|error| self.fail(error))
    }

    /// Jobs of the project, newest first.
    pub fn jobs(&mut self, now_ms: i64) -> Result<Vec<JobRow>, StoreError> {
        self.bury_dead(now_ms)?;
        self.jobs_where("1")
    }

    pub fn job(&mut self, ordinal: i64, now_ms: i64) -> Result<Option<JobRow>, StoreError> {
        self.bury_dead(now_ms)?;
        Ok(self.jobs_where(&format!("ordinal = {ordinal}"))?.pop())
    }

    /// Open rows whose process has ended become failed ones. A store that cannot be written shows them as they are.
    fn bury_dead(&mut self, now_ms: i64) -> Result<(), StoreError> {
        let mut alive = Vec::new();
        for row in self.jobs_where("status IN ('queued', 'in_progress')")? {
            if is_alive(self.dir(), row.ordinal) {
                alive.push(row.ordinal);
                continue;
            }
            // If it ended properly between the look and this, its row is no longer open.
            let buried = self.write(
                "UPDATE jobs SET status = 'failed', error_code = 'JOB_DIED', error = 'its process ended', finished_at = ?2,
                     current_file = '' WHERE ordinal = ?1 AND status IN ('queued', 'in_progress')",
                params![row.ordinal, now_ms],
            );
            match buried {
                Err(
                    StoreError::ReadOnly { .. } | StoreError::Full { .. } | StoreError::Unwritable { .. },
                ) => {
                    return Ok(());
                }
                other => other?,
            }
        }
        self.sweep_locks(&alive);
        Ok(())
    }

    /// Removes the lock files of jobs that have ended: a process that is killed leaves its own behind. Inside a transaction for writing,
    /// because a new job's file is made and locked in one too: what nobody holds then is nobody's. What cannot be done is left.
    fn sweep_locks(&mut self, alive: &[i64]) {
        let folder = self.dir().join("jobs");
        if locks_in(&folder)
            .iter()
            .all(|(ordinal, _)| alive.contains(ordinal))
        {
            return;
        }
        let Ok(tx) = self
            .conn
            .transaction_with_behavior(TransactionBehavior::Immediate)
        else {
            return;
        };
        for (ordinal, path) in locks_in(&folder) {
            // Of any project: worktrees share the folder.
            let open = tx.query_row(
                "SELECT count(*) FROM jobs WHERE ordinal = ?1 AND status IN ('queued', 'in_progress')",
                [ordinal],
                |row| row.get::<_, i64>(0),
            );
            let is_free = || File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
            if open == Ok(0) && is_free() {
                let _ = std::fs::remove_file(&path);
            }
        }
    }

    /// `condition` is one of our own words.
    fn jobs_where(&self, condition: &str) -> Result<Vec<JobRow>, StoreError> {
        let rows = || -> rusqlite::Result<Vec<JobRow>> {
            let sql = format!(
                "SELECT ordinal, kind, status, total, processed, current_file, created_at, started_at, updated_at,
                     finished_at, error_code, error, cancel, user
                 FROM jobs WHERE project = ?1 AND {condition} ORDER BY ordinal DESC"
            );
            let mut jobs: Vec<JobRow> = self
                .conn
                .prepare(&sql)?
                .query_map([&self.project], job_row)?
                .collect::<rusqlite::Result<_>>()?;
            for job in &mut jobs {
                job.scope =
                    self.column("SELECT path FROM job_paths WHERE ordinal = ?1 ORDER BY path", job)?;
                job.log = self.column("SELECT line FROM job_lines WHERE ordinal = ?1 ORDER BY idx", job)?;
                job.metrics = self
                    .conn
                    .prepare_cached("SELECT name, value FROM job_metrics WHERE ordinal = ?1 ORDER BY name")?
                    .query_map([job.ordinal], |row| {
                        Ok((row.get(0)?, row.get::<_, i64>(1)? as u64))
                    })?
                    .collect::<rusqlite::Result<_>>()?;
            }
            Ok(jobs)
        };
        rows().map_err(|error| self.fail(error))
    }

    fn column(&self, sql: &str, job: &JobRow) -> rusqlite::Result<Vec<String>> {
        self.conn
            .prepare_cached(sql)?
            .query_map([job.ordinal], |row| row.get(0))?
            .collect()
    }

    fn write(&self, sql: &str, params: impl rusqlite::Params) -> Result<(), StoreError> {
        self.conn
            .execute(sql, params)
            .map(|_| ())
            .map_err(|error| self.fail(error))
    }
}

fn job_row(row: &Row<'_>) -> rusqlite::Result<JobRow> {
    let word = |idx| row.get::<_, String>(idx);
    let (kind, status) = (word(1)?, word(2)?);
    let unexpected = |idx| rusqlite::Error::IntegralValueOutOfRange(idx, 0);
    let code = row.get::<_, Option<String>>(10)?;
    Ok(JobRow {
        ordinal: row.get(0)?,
        user: row.get(13)?,
        kind: JobKind::ALL
            .into_iter()
            .find(|known| known.as_str() == kind)
            .ok_or_else(|| unexpected(1))?,
        status: JobStatus::ALL
            .into_iter()
            .find(|known| known.as_str() == status)
            .ok_or_else(|| unexpected(2))?,
        scope: Vec::new(),
        total: row.get::<_, i64>(3)? as u64,
        processed: row.get::<_, i64>(4)? as u64,
        current_file: row.get(5)?,
        created_at: row.get(6)?,
        started_at: row.get(7)?,
        updated_at: row.get(8)?,
        finished_at: row.get(9)?,
        error: code.zip(row.get(11)?),
        metrics: Vec::new(),
        log: Vec::new(),
        cancel: row.get(12)?,
    })
}

fn forget_old(conn: &Connection, project: &str) -> rusqlite::Result<()> {
    let old = "SELECT ordinal FROM jobs WHERE project = ?1 AND status NOT IN ('queued', 'in_progress')
               ORDER BY ordinal DESC LIMIT -1 OFFSET ?2";
    for table in ["job_paths", "job_metrics", "job_lines", "jobs"] {
        conn.execute(
            &format!("DELETE FROM {table} WHERE ordinal IN ({old})"),
            params![project, KEPT as i64],
        )?;
    }
    Ok(())
}

fn lock_path(dir: &Path, ordinal: i64) -> PathBuf {
    dir.join("jobs").join(format!("job-{ordinal}.lock"))
}

/// The lock files there are, with the numbers of their jobs.
fn locks_in(folder: &Path) -> Vec<(i64, PathBuf)> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let number = |path: &Path| -> Option<i64> {
        let name = path.file_name()?.to_str()?;
        name.strip_prefix("job-")?.strip_suffix(".lock")?.parse().ok()
    };
    entries
        .flatten()
        .filter_map(|entry| Some((number(&entry.path())?, entry.path())))
        .collect()
}

fn take_lock(dir: &Path, ordinal: i64) -> Result<JobLock, StoreError> {
    let path = lock_path(dir, ordinal);
    let fail = |source| StoreError::io(&path, source);
    path_kind::make_folder(dir, &dir.join("jobs")).map_err(fail)?;
    if !path_kind::may_be_file(&path) {
        path_kind::remove(&path).map_err(fail)?;
    }
    let mut options = OpenOptions::new();
    let file = options
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(fail)?;
    file.lock().map_err(fail)?;
    Ok(JobLock { path, _file: file })
}

/// Somebody holds the job's lock. What cannot be told counts as alive: a job that is wrongly buried is worse.
fn is_alive(dir: &Path, ordinal: i64) -> bool {
    let path = lock_path(dir, ordinal);
    if !path_kind::may_be_file(&path) {
        return false;
    }
    match File::open(path) {
        Ok(file) => !matches!(file.try_lock(), Ok(())),
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests;
