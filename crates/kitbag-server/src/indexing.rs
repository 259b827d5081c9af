//! The progress of background indexing: written by the indexing thread, read by everything that answers.
//!
//! Every step wakes those who wait, so that they can pass the progress on.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kitbag_engine::{Phase, Progress, Work};

/// The progress at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Steps {
    /// The current phase; `None` if nothing is being done.
    pub(crate) phase: Option<Phase>,
    pub(crate) n_done: usize,
    pub(crate) n_total: usize,
    /// The work of the whole run.
    pub(crate) work: Work,
    /// Runs that completed.
    pub(crate) n_runs: usize,
    /// Why the last run failed, if it did.
    pub(crate) failure: Option<String>,
    /// Another process watches and indexes this project.
    pub(crate) elsewhere: bool,
}

impl Steps {
    /// The progress of a job that a caller waits for.
    pub(crate) fn of_job(n_done: u64, n_total: u64) -> Steps {
        Steps {
            phase: Some(Phase::Indexing),
            n_done: usize::try_from(n_done).unwrap_or(usize::MAX),
            n_total: usize::try_from(n_total).unwrap_or(usize::MAX),
            work: Work {
                done: n_done,
                total: n_total,
            },
            ..Steps::default()
        }
    }

    /// How much of a run is done, in percent; never falls within a run. After the first run, a scan that has found nothing to
    /// do yet does not lower it.
    pub(crate) fn percent(&self) -> u64 {
        match self.phase {
            None | Some(Phase::Waiting | Phase::Scanning) if self.n_runs > 0 => 100,
            None | Some(Phase::Waiting | Phase::Scanning) => 0,
            Some(_) => self.work.percent(),
        }
    }

    /// As text, for a person or a model that waits.
    pub(crate) fn describe(&self) -> String {
        if self.elsewhere {
            return "another process indexes".to_owned();
        }
        let Some(phase) = self.phase else {
            return "up to date".to_owned();
        };
        let what = phase.describe();
        match phase.counts_files() {
            true => format!("{what}, {} of {} files", self.n_done, self.n_total),
            false => what.to_owned(),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Indexing {
    steps: Mutex<Steps>,
    changed: Condvar,
}

impl Indexing {
    pub(crate) fn steps(&self) -> Steps {
        self.lock().clone()
    }

    pub(crate) fn report(&self, progress: &Progress<'_>) {
        let mut steps = self.lock();
        steps.elsewhere = false;
        steps.phase = Some(progress.phase);
        steps.n_done = progress.n_done;
        steps.n_total = progress.n_total;
        steps.work = progress.work;
        drop(steps);
        self.changed.notify_all();
    }

    /// Another process does the work.
    pub(crate) fn leave(&self) {
        self.lock().elsewhere = true;
        self.changed.notify_all();
    }

    /// A run ended, with or without success.
    pub(crate) fn finish(&self, failure: Option<String>) {
        let mut steps = self.lock();
        steps.phase = None;
        steps.elsewhere = false;
        steps.n_runs += usize::from(failure.is_none());
        steps.failure = failure;
        drop(steps);
        self.changed.notify_all();
    }

    /// Waits until `enough`, but not longer than `limit`, nor after `stop` returns true; calls `tell` at every step.
    pub(crate) fn wait(
        &self,
        limit: Duration,
        enough: &dyn Fn(&Steps) -> bool,
        tell: &dyn Fn(&Steps),
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let deadline = Instant::now() + limit;
        loop {
            let seen = self.steps();
            if enough(&seen) {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || stop() {
                return false;
            }
            tell(&seen);
            let steps = self.lock();
            if *steps == seen {
                // Short, because nothing wakes us when the caller gives up or another process makes progress.
                let nap = left.min(Duration::from_millis(50));
                drop(self.changed.wait_timeout(steps, nap));
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Steps> {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
