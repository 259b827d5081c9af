//! `refresh`, `rebuild` and their jobs: long work that reports its progress, can be cancelled by any process, and
//! leaves a record (IDX-51, IDX-52).
//!
//! Creating a job and running it are two calls: a server returns the id at once and runs the job on a thread of its own.
//! The work is synchronous either way. The reply of every call is the job as it is stored.
//!
//! A job belongs to the `user` who asked for it: other users of a server neither see nor cancel it (SEC-5). A caller without a name (the
//! command line, a server without keys) sees and cancels all jobs.

mod dry_run;
mod run;

use std::path::Path;

use kitbag_repo::RepoError;
use kitbag_store::{JobKind, JobLock, JobRow, NewJob, NotCreated, StoreError};
use kitbag_types::{RepoPath, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Engine, EngineError};
pub use dry_run::{LanguagePlan, RebuildEstimate, RebuildPlan, plan_rebuild};
pub use run::run_job;

/// Most paths of a request (SEC-4).
const MOST_PATHS: usize = 500;

/// Brings the index up to date; files that failed before are tried again.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct RefreshRequest {
    /// Files and folders, absolute or relative to the root; empty for the whole project.
    pub paths: Vec<String>,
    /// Ignore time stamps: read every file again.
    pub force: bool,
}

/// Parses everything again, or everything under some paths, whatever is stored.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct RebuildRequest {
    /// Must be true, or nothing is rebuilt.
    pub confirm: bool,
    /// As in [`RefreshRequest`].
    pub paths: Vec<String>,
    pub options: RebuildOptions,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct RebuildOptions {
    /// Forget how often files have failed before.
    pub clear_errors: bool,
    /// Free unused space on the disk.
    pub vacuum: bool,
    /// A dry run: [`plan_rebuild`] says what there is to do, and nothing is done.
    pub validate_only: bool,
}

impl Default for RebuildOptions {
    fn default() -> Self {
        Self {
            clear_errors: true,
            vacuum: true,
            validate_only: false,
        }
    }
}

/// A job as it is now. Times in milliseconds since 1970.
#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct JobReply {
    pub id: String,
    /// `rebuild_full`, `rebuild_partial` or `refresh`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// `queued`, `in_progress`, `completed`, `failed` or `cancelled`.
    pub status: &'static str,
    /// It was asked to stop and has not stopped yet.
    pub cancelling: bool,
    /// Empty: the whole project.
    pub scope: Vec<String>,
    /// Number of files to check, and of those done.
    pub total: u64,
    pub processed: u64,
    pub current_file: Option<String>,
    pub created_at: i64,
    pub started_at: Option<i64>,
    pub finished_at: Option<i64>,
    /// Estimated from the rate so far; null as long as there is none.
    pub estimated_completion: Option<i64>,
    pub error: Option<JobFailure>,
    /// Counts, once it has ended.
    pub metrics: std::collections::BTreeMap<String, u64>,
    /// At most 200 lines, with paths and numbers, never with contents of files.
    pub log: Vec<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq, Eq)]
pub struct JobFailure {
    pub code: String,
    pub message: String,
}

/// A job that was created and not run yet. Dropping it ends it.
#[derive(Debug)]
pub struct OpenJob {
    ordinal: i64,
    work: Work,
    missing: Vec<String>,
    _lock: JobLock,
}

impl OpenJob {
    pub fn id(&self) -> String {
        id(self.ordinal)
    }

    /// Paths that were asked for and that neither the project nor its index has.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }
}

/// What a job does. No scope means the whole project.
#[derive(Clone, Debug)]
enum Work {
    Refresh {
        scope: Option<Vec<RepoPath>>,
        force: bool,
    },
    RebuildPartial {
        scope: Vec<RepoPath>,
    },
    RebuildFull {
        options: RebuildOptions,
    },
}

pub fn create_refresh(
    engine: &Engine,
    user: &str,
    request: &RefreshRequest,
    now: Timestamp,
) -> Result<OpenJob, EngineError> {
    let (scope, missing) = scope(engine, &request.paths)?;
    let force = request.force;
    create(engine, user, Work::Refresh { scope, force }, missing, now)
}

/// Creates the job of a rebuild. Refused without confirmation, and while another job of the project is running.
pub fn create_rebuild(
    engine: &Engine,
    user: &str,
    request: &RebuildRequest,
    now: Timestamp,
) -> Result<OpenJob, EngineError> {
    if request.options.validate_only {
        return Err(invalid(
            "INVALID_ARGUMENTS",
            "a dry run is not a job: it is a plan",
        ));
    }
    let (scope, missing) = scope(engine, &request.paths)?;
    if !request.confirm {
        return Err(invalid(
            "CONFIRMATION_REQUIRED",
            "a rebuild parses everything again; confirm it (confirm: true), or ask for a dry run",
        ));
    }
    let work = match scope {
        Some(scope) => Work::RebuildPartial { scope },
        None => Work::RebuildFull {
            options: request.options,
        },
    };
    create(engine, user, work, missing, now)
}

/// The jobs of the user in this project, newest first.
pub fn jobs(engine: &Engine, user: &str, now: Timestamp) -> Result<Vec<JobReply>, EngineError> {
    let journal = engine.existing_journal()?;
    let rows = journal.map_or(Ok(Vec::new()), |mut journal| journal.jobs(now.0))?;
    let seen = rows.into_iter().filter(|row| is_theirs(row, user));
    Ok(seen.map(reply).collect())
}

pub fn job(engine: &Engine, user: &str, id: &str, now: Timestamp) -> Result<JobReply, EngineError> {
    let journal = engine.existing_journal()?;
    let row = match (journal, ordinal(id)) {
        (Some(mut journal), Some(ordinal)) => journal.job(ordinal, now.0)?,
        _ => None,
    };
    let row = row.filter(|row| is_theirs(row, user));
    row.map(reply).ok_or_else(|| unknown(id))
}

fn is_theirs(row: &JobRow, user: &str) -> bool {
    user.is_empty() || row.user == user
}

/// Asks a job to stop, whichever process runs it; it stops at the next file. A job that has ended stays as it is.
pub fn cancel_job(engine: &Engine, user: &str, id: &str, now: Timestamp) -> Result<JobReply, EngineError> {
    let before = job(engine, user, id, now)?;
    if let Some(ordinal) = ordinal(&before.id) {
        engine.journal(|journal| journal.cancel_job(ordinal, now.0))?;
    }
    job(engine, user, id, now)
}

/// Adds a line to a job's log, for messages of a door.
pub fn log_job(engine: &Engine, id: &str, line: &str) -> Result<(), EngineError> {
    let ordinal = ordinal(id).ok_or_else(|| unknown(id))?;
    Ok(engine.journal(|journal| journal.log_job(ordinal, line))?)
}

fn create(
    engine: &Engine,
    user: &str,
    work: Work,
    missing: Vec<String>,
    now: Timestamp,
) -> Result<OpenJob, EngineError> {
    let texts = |scope: &[RepoPath]| scope.iter().map(ToString::to_string).collect();
    let (kind, scope): (JobKind, Vec<String>) = match &work {
        Work::Refresh { scope, .. } => (JobKind::Refresh, scope.as_deref().map(texts).unwrap_or_default()),
        Work::RebuildPartial { scope } => (JobKind::RebuildPartial, texts(scope)),
        Work::RebuildFull { .. } => (JobKind::RebuildFull, Vec::new()),
    };
    let new = NewJob {
        user,
        kind,
        scope: &scope,
        alone: kind != JobKind::Refresh,
    };
    let mut journal = engine.open_journal()?;
    let mut created = journal.create_job(&new, now.0);
    if let Err(NotCreated::Store(StoreError::Corrupt { .. })) = created {
        // Opening the journal again sets a damaged one aside, so that it does not prevent a rebuild.
        journal = engine.open_journal()?;
        created = journal.create_job(&new, now.0);
    }
    match created {
        Ok((ordinal, lock)) => {
            for path in &missing {
                journal.log_job(ordinal, &format!("there is no {path}"))?;
            }
            Ok(OpenJob {
                ordinal,
                work,
                missing,
                _lock: lock,
            })
        }
        Err(NotCreated::Store(error)) => Err(error.into()),
        Err(NotCreated::Occupied(row)) if is_theirs(&row, user) => Err(invalid(
            "JOB_RUNNING",
            format!(
                "{} ({}) is under way; wait for it, or cancel it",
                id(row.ordinal),
                row.kind.as_str()
            ),
        )),
        Err(NotCreated::Occupied(_)) => Err(invalid(
            "JOB_RUNNING",
            "a job of somebody else is under way; wait for it",
        )),
        Err(NotCreated::TooMany(n)) => Err(invalid(
            "TOO_MANY_JOBS",
            format!("{n} jobs wait or run already; wait for one, or cancel one"),
        )),
    }
}

/// The checked paths of a request (IDX-6), and those that do not exist. `None` for the whole project. A deleted file that is still
/// in the index counts as existing: checking it again removes it.
fn scope(engine: &Engine, paths: &[String]) -> Result<(Option<Vec<RepoPath>>, Vec<String>), EngineError> {
    if paths.len() > MOST_PATHS {
        let message = format!("{} paths; at most {MOST_PATHS} are taken", paths.len());
        return Err(invalid("INVALID_ARGUMENTS", message));
    }
    let mut scope = Vec::new();
    let mut whole = paths.is_empty();
    for path in paths {
        match engine.tree.resolve(Path::new(path), engine.root()) {
            Ok(path) => match engine.tree.denied(&path) {
                Some(rule) => return Err(invalid("PATH_DENIED", format!("{path} is not read: {rule}"))),
                None => scope.push(path),
            },
            Err(RepoError::IsRoot { .. }) => whole = true,
            Err(error) => return Err(error.into()),
        }
    }
    scope.sort();
    scope.dedup();
    let (scope, gone): (Vec<_>, Vec<_>) = scope.into_iter().partition(|path| engine.tree.exists(path));
    let known = indexed(engine, &gone)?;
    let (known, missing): (Vec<_>, Vec<_>) = gone.into_iter().partition(|path| known.contains(path));
    let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
    let mut scope = [scope, known].concat();
    scope.sort();
    if scope.is_empty() && !whole {
        return Err(invalid(
            "PATH_NOT_FOUND",
            format!("neither the project nor its index has {}", missing.join(", ")),
        ));
    }
    Ok(((!whole).then_some(scope), missing))
}

/// Those of the paths that the index has something of.
fn indexed(engine: &Engine, paths: &[RepoPath]) -> Result<Vec<RepoPath>, EngineError> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let Some(files) = super::named::files_of_index(engine)? else {
        return Ok(Vec::new());
    };
    let has = |path: &&RepoPath| {
        let scope = std::slice::from_ref(*path);
        files.iter().any(|file| crate::index::is_under(&file.path, scope))
    };
    Ok(paths.iter().filter(has).cloned().collect())
}

fn reply(row: JobRow) -> JobReply {
    JobReply {
        id: id(row.ordinal),
        kind: row.kind.as_str(),
        status: row.status.as_str(),
        cancelling: row.cancel && row.status.is_open(),
        estimated_completion: estimate(&row),
        scope: row.scope,
        total: row.total,
        processed: row.processed,
        current_file: Some(row.current_file).filter(|path| !path.is_empty()),
        created_at: row.created_at,
        started_at: row.started_at,
        finished_at: row.finished_at,
        error: row.error.map(|(code, message)| JobFailure { code, message }),
        metrics: row.metrics.into_iter().collect(),
        log: row.log,
    }
}

/// The estimated end, at the rate so far.
fn estimate(row: &JobRow) -> Option<i64> {
    let started_at = row.started_at.filter(|_| row.status.is_open())?;
    if row.processed == 0 {
        return None;
    }
    let so_far = (row.updated_at - started_at) as f64;
    Some(started_at + (so_far * row.total as f64 / row.processed as f64) as i64)
}

fn id(ordinal: i64) -> String {
    format!("job-{ordinal}")
}

fn ordinal(id: &str) -> Option<i64> {
    id.strip_prefix("job-")?.parse().ok()
}

fn unknown(id: &str) -> EngineError {
    invalid("JOB_NOT_FOUND", format!("there is no job `{id}` in this project"))
}

fn invalid(code: &'static str, message: impl Into<String>) -> EngineError {
    EngineError::Invalid {
        code,
        message: message.into(),
    }
}
