//! A job at work. Its row is written a few times per second and read at the same time: whoever wants it to stop says so there.

use std::sync::atomic::{AtomicBool, Ordering};

use kitbag_store::{JobStatus, Journal};
use kitbag_types::{RepoPath, Timestamp};

use super::{JobReply, OpenJob, RebuildOptions, Work, job};
use crate::index::{Rebuild, rebuild, run};
use crate::run::{Phase, Progress, Report, RunOptions};
use crate::{Engine, EngineError};

/// The row is written at most this often, in milliseconds.
const EVERY_MS: i64 = 250;

/// Runs a job to its end in the caller's thread. A job that was cancelled is an answer like one that was completed; one that
/// failed is an error, and its row says the same. `stop` is set when another process asks for an end.
pub fn run_job(
    engine: &Engine,
    open: OpenJob,
    progress: &mut dyn FnMut(Progress<'_>),
    stop: &AtomicBool,
    clock: &dyn Fn() -> Timestamp,
) -> Result<JobReply, EngineError> {
    let mut journal = engine.open_journal()?;
    let started = clock();
    journal.start_job(open.ordinal, started.0)?;
    let mut teller = Teller {
        journal: &journal,
        ordinal: open.ordinal,
        stop,
        clock,
        last: None,
        phase: None,
        counts: (0, 0),
    };
    teller.ask();
    let done = engine.repairing(|_| {
        let mut tell = |step: Progress<'_>| {
            teller.tell(step);
            progress(step);
        };
        work(engine, &open.work, stop, &mut tell, started)
    });
    teller.note("", clock());
    let ended = clock();
    let (status, metrics) = match &done {
        Ok((report, repaired)) => {
            for line in report.warnings.iter().chain(repaired) {
                let _ = journal.log_job(open.ordinal, line);
            }
            (
                JobStatus::Completed,
                metrics(engine, report, ended.0 - started.0)?,
            )
        }
        Err(EngineError::Cancelled) => (JobStatus::Cancelled, Vec::new()),
        Err(_) => (JobStatus::Failed, Vec::new()),
    };
    let error = done.as_ref().err().map(|error| (error.code(), error.to_string()));
    let error = error.as_ref().filter(|_| status == JobStatus::Failed);
    let error = error.map(|(code, message)| (*code, message.as_str()));
    journal.finish_job(open.ordinal, status, error, &metrics, ended.0)?;
    let id = open.id();
    // The lock goes after the last word, never before.
    drop(open);
    match done {
        Ok(_) | Err(EngineError::Cancelled) => job(engine, "", &id, ended),
        Err(error) => Err(error),
    }
}

fn work(
    engine: &Engine,
    work: &Work,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<Report, EngineError> {
    // Both may have waited long enough to be told to stop.
    let options = RunOptions {
        wait: true,
        retry: true,
        stop: stop.into(),
        ..RunOptions::default()
    };
    options.go_on()?;
    match work {
        Work::Refresh { scope, force } => {
            let options = RunOptions {
                only: scope.as_deref(),
                thorough: *force && scope.is_none(),
                force: *force,
                ..options
            };
            run(engine, options, progress, now)
        }
        Work::RebuildPartial { scope } => {
            let options = RunOptions {
                only: Some(scope),
                force: true,
                reparse: true,
                ..options
            };
            run(engine, options, progress, now)
        }
        Work::RebuildFull {
            options: RebuildOptions {
                clear_errors, vacuum, ..
            },
        } => {
            let options = Rebuild {
                keep_errors: !clear_errors,
                vacuum: *vacuum,
                stop,
            };
            rebuild(engine, options, progress, now)
        }
    }
}

/// What the index holds now, and what it took.
fn metrics(engine: &Engine, report: &Report, took_ms: i64) -> Result<Vec<(&'static str, u64)>, EngineError> {
    let store = engine.open_store()?;
    let snapshot = engine.snapshot(&store)?;
    let state = snapshot.state();
    Ok(vec![
        ("files", state.n_files),
        ("chunks", state.n_chunks),
        ("added", report.n_added),
        ("changed", report.n_changed),
        ("removed", report.n_removed),
        ("unchanged", report.n_unchanged),
        ("skipped", report.n_skipped),
        ("failed", report.n_failed),
        ("parsed", report.n_parsed),
        ("bytes", report.n_bytes),
        ("took_ms", took_ms.max(0) as u64),
    ])
}

/// Writes progress down. What cannot be written is not worth failing for: the index is what counts.
struct Teller<'a> {
    journal: &'a Journal,
    ordinal: i64,
    stop: &'a AtomicBool,
    clock: &'a dyn Fn() -> Timestamp,
    last: Option<i64>,
    phase: Option<Phase>,
    counts: (u64, u64),
}

impl Teller<'_> {
    fn tell(&mut self, step: Progress<'_>) {
        if step.phase == Phase::Indexing {
            self.counts = (step.n_done as u64, step.n_total as u64);
        }
        let begins = self.phase != Some(step.phase);
        let now = (self.clock)();
        if !begins && self.last.is_some_and(|last| now.0 - last < EVERY_MS) {
            return;
        }
        if begins {
            self.phase = Some(step.phase);
            let _ = self.journal.log_job(self.ordinal, &line(step));
        }
        self.note(step.path.map_or("", RepoPath::as_str), now);
    }

    /// A wish to stop that came before the first file.
    fn ask(&mut self) {
        self.note("", (self.clock)());
    }

    fn note(&mut self, path: &str, now: Timestamp) {
        self.last = Some(now.0);
        let noted = self.journal.note_progress(self.ordinal, self.counts, path, now.0);
        if noted.unwrap_or(false) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

fn line(step: Progress<'_>) -> String {
    let what = step.phase.describe();
    match step.phase.counts_files() {
        true => format!("{what}, {} files", step.n_total),
        false => what.to_owned(),
    }
}
