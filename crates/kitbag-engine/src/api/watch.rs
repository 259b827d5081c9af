//! `watch`: keeps the index up to date with the working tree until it is stopped.

use kitbag_repo::Alarm;
use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::run::Report;
use crate::watch::{self, Step, WatchOptions};
use crate::{Engine, EngineError, Progress};

/// What a watcher reports while it works.
#[derive(Debug)]
pub enum WatchEvent<'a> {
    /// Another process watches this project; this one takes over when it ends.
    Waiting,
    /// The index is being brought up to date.
    Progress(Progress<'a>),
    /// The index is up to date, whether it was already or not.
    Updated(WatchUpdate),
    /// The root of the project does not exist. The index stays as it is.
    RootGone,
    RootBack,
    /// The index could not be brought up to date; it will be tried again.
    Failed(&'a EngineError),
}

/// The result of an update.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WatchUpdate {
    /// Number of files in the tree now.
    pub files: u64,
    pub added: u64,
    pub changed: u64,
    pub removed: u64,
    pub failed: u64,
    /// The first twenty that were added, changed or removed, in the order of their paths.
    pub paths: Vec<String>,
    pub warnings: Vec<String>,
}

impl WatchUpdate {
    /// Nothing changed that a search could find.
    pub fn is_empty(&self) -> bool {
        self.added + self.changed + self.removed + self.failed == 0
    }
}

/// Blocks until `alarm` is stopped from another thread. Others who hold the alarm can ask it whether everything seen is
/// indexed ([`Alarm::is_settled`]) and wait until it is ([`Alarm::settle`]). If another process watches the project, this
/// one waits for its turn. Fails only if the first update fails: later failures are reported and tried again.
pub fn watch(
    engine: &Engine,
    options: WatchOptions,
    alarm: &Alarm,
    tell: &mut dyn FnMut(WatchEvent<'_>),
    clock: &dyn Fn() -> Timestamp,
) -> Result<(), EngineError> {
    let mut tell_step = |step: Step<'_>| {
        tell(match step {
            Step::Waiting => WatchEvent::Waiting,
            Step::Progress(progress) => WatchEvent::Progress(progress),
            Step::Updated(report, note) => WatchEvent::Updated(update(report, note)),
            Step::RootGone => WatchEvent::RootGone,
            Step::RootBack => WatchEvent::RootBack,
            Step::Failed(error) => WatchEvent::Failed(error),
        });
    };
    watch::watch(engine, options, alarm, &mut tell_step, clock)
}

fn update(report: &Report, note: Option<String>) -> WatchUpdate {
    WatchUpdate {
        files: report.n_files(),
        added: report.n_added,
        changed: report.n_changed,
        removed: report.n_removed,
        failed: report.n_failed,
        paths: report.paths.iter().map(ToString::to_string).collect(),
        warnings: report.warnings.iter().cloned().chain(note).collect(),
    }
}
