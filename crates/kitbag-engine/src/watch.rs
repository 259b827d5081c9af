//! Watching a project: wait for something to happen, bring the index up to date, say what that took (IDX-50).
//!
//! Only one process watches a project: a lock decides which, and another that waits for the lock takes over as soon as the
//! holder ends. The operating system does all the waiting, so an idle watcher costs nothing. Whatever happened (an edit, another
//! branch, a queue that overflowed, a root that came back), the answer is the same ordinary run of `index`.
//! If a run fails, the watcher reports it, and tries again when something changes or after some time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kitbag_repo::{Alarm, Patience, WakeReason, Watch};
use kitbag_store::WatchLock;
use kitbag_types::Timestamp;

use crate::index::run;
use crate::run::{Report, RunOptions};
use crate::{Engine, EngineError, Progress};

/// A change is searchable within two seconds even if writing never pauses, so a burst may last this long (IDX-50).
const LONGEST_BURST: Duration = Duration::from_millis(1_200);
/// How long to wait after a failed run: the disk may have room again.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// How to watch.
#[derive(Clone, Copy, Debug)]
pub struct WatchOptions {
    /// How long nothing must happen before the index is brought up to date.
    pub debounce: Duration,
    /// How often to check every file, whatever the events said; `None` for never.
    pub full_check: Option<Duration>,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self {
            debounce: Duration::from_millis(500),
            full_check: None,
        }
    }
}

/// What a watcher reports while it works.
pub(crate) enum Step<'a> {
    Waiting,
    Progress(Progress<'a>),
    Updated(&'a Report, Option<String>),
    RootGone,
    RootBack,
    Failed(&'a EngineError),
}

/// Watches until the alarm stops it. Fails only if the first run fails.
pub(crate) fn watch(
    engine: &Engine,
    options: WatchOptions,
    alarm: &Alarm,
    tell: &mut dyn FnMut(Step<'_>),
    clock: &dyn Fn() -> Timestamp,
) -> Result<(), EngineError> {
    let result = watch_on(engine, options, alarm, tell, clock);
    alarm.unsettled();
    match result {
        Err(EngineError::Cancelled) => Ok(()),
        other => other,
    }
}

fn watch_on(
    engine: &Engine,
    options: WatchOptions,
    alarm: &Alarm,
    tell: &mut dyn FnMut(Step<'_>),
    clock: &dyn Fn() -> Timestamp,
) -> Result<(), EngineError> {
    let patience = Patience {
        quiet: options.debounce,
        most: LONGEST_BURST.max(options.debounce),
    };
    let mut watch = Watch::open(&engine.tree, engine.store_dir(), alarm);
    let mut lock = None;
    let mut is_first = true;
    let mut thorough = false;
    let mut told = None;
    loop {
        let outcome = keep(engine, &mut lock, alarm, tell).and_then(|()| {
            let options = RunOptions {
                wait: true,
                retry: false,
                thorough,
                gentle: true,
                stop: alarm.stopped().into(),
                ..RunOptions::default()
            };
            engine.repairing(|_| {
                run(
                    engine,
                    options,
                    &mut |progress| tell(Step::Progress(progress)),
                    clock(),
                )
            })
        });
        let failed = match outcome {
            Ok((mut report, repaired)) => {
                report.warnings.extend(repaired);
                let is_behind = watch.follow(report.scan.clone());
                tell(Step::Updated(&report, watch.note()));
                (is_first, thorough, told) = (false, false, None);
                if is_behind {
                    continue;
                }
                alarm.settled();
                false
            }
            Err(EngineError::Cancelled) => return Err(EngineError::Cancelled),
            Err(_) if !is_first && !engine.root().is_dir() => {
                await_root(&mut watch, tell)?;
                continue;
            }
            Err(error) if is_first => return Err(error),
            Err(error) => {
                // Report it once, not every ten seconds.
                if told.replace(error.to_string()) != Some(error.to_string()) {
                    tell(Step::Failed(&error));
                }
                if let Ok(scan) = engine.tree.scan(clock()) {
                    watch.follow(scan);
                }
                true
            }
        };
        let limit = if failed {
            Some(RETRY_AFTER)
        } else {
            options.full_check
        };
        match watch.wait(patience, limit) {
            WakeReason::Changed => {}
            WakeReason::Late => thorough = !failed,
            WakeReason::RootGone => await_root(&mut watch, tell)?,
            WakeReason::Stopped => return Err(EngineError::Cancelled),
        }
    }
}

fn await_root(watch: &mut Watch<'_>, tell: &mut dyn FnMut(Step<'_>)) -> Result<(), EngineError> {
    tell(Step::RootGone);
    if !watch.wait_for_root() {
        return Err(EngineError::Cancelled);
    }
    tell(Step::RootBack);
    Ok(())
}

/// Makes sure that we hold the lock: waits for it if another process has it, and takes it again if its file was deleted with the
/// store.
fn keep(
    engine: &Engine,
    lock: &mut Option<WatchLock>,
    alarm: &Alarm,
    tell: &mut dyn FnMut(Step<'_>),
) -> Result<(), EngineError> {
    if lock.as_ref().is_some_and(WatchLock::is_current) {
        return Ok(());
    }
    *lock = None;
    loop {
        // The lock's file is in the store's folder, which opening the store creates.
        drop(engine.open_store()?);
        let mut taken = WatchLock::try_take(engine.store_dir(), engine.root())?;
        if taken.is_none() {
            tell(Step::Waiting);
            taken = Some(wait(engine, alarm)?);
        }
        // While we waited, the store may have been deleted with the file.
        *lock = taken.filter(WatchLock::is_current);
        if lock.is_some() {
            return Ok(());
        }
    }
}

fn wait(engine: &Engine, alarm: &Alarm) -> Result<WatchLock, EngineError> {
    let slot = Arc::new(Mutex::new(None));
    let take = |slot: &Mutex<Option<_>>| slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (theirs, bell) = (Arc::downgrade(&slot), alarm.clone());
    WatchLock::queue(engine.store_dir(), engine.root(), move |taken| {
        // If the slot is gone, nobody waits any more; then the lock is dropped too.
        if let Some(slot) = theirs.upgrade() {
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(taken);
        }
        bell.ring();
    });
    let is_there = || slot.lock().unwrap_or_else(PoisonError::into_inner).is_some();
    if !alarm.wait_until(&is_there) {
        return Err(EngineError::Cancelled);
    }
    Ok(take(&slot).expect("it was there a moment ago")?)
}
