//! The alarm between the events and the watcher. Events arrive on the system's thread, one watcher waits, and any number of others
//! ask whether it has work left, tell it to hurry, or stop it.
//!
//! It is a mutex and a condition variable instead of a channel: a burst of ten thousand events wakes the watcher once, each path is
//! kept once, and asking takes nothing out of the queue.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind};

use super::Patience;

/// The most paths that are kept; with more, it is only known that there were many.
const MAX_PATHS: usize = 4096;

/// Clones share the same alarm.
#[derive(Clone, Debug, Default)]
pub struct Alarm(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<AlarmState>,
    rung: Condvar,
    stopped: AtomicBool,
}

#[derive(Debug, Default)]
struct AlarmState {
    seen: Option<SeenEvents>,
    /// When the first event in `seen` came.
    first: Option<Instant>,
    last: Option<Instant>,
    /// Paths that were moved or removed, so that their watches are no longer valid.
    lost: BTreeSet<PathBuf>,
    hurry: bool,
    /// How many callers wait in [`Alarm::settle`].
    n_impatient: usize,
    /// The index has everything that was in `seen` when it was last taken.
    settled: bool,
}

/// The events since the last scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SeenEvents {
    Paths(BTreeSet<PathBuf>),
    /// Too many to list, or the system lost events.
    Anything,
}

impl Alarm {
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the watching and a running index run soon.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
        // Under the lock: otherwise a watcher that has just checked would miss it.
        let _state = self.state();
        self.0.rung.notify_all();
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped().load(Ordering::Relaxed)
    }

    pub fn stopped(&self) -> &AtomicBool {
        &self.0.stopped
    }

    /// Whether everything that the watcher has seen is indexed. `false` too while nobody watches. An event takes a moment to
    /// arrive, so a file written in the same millisecond may be missing.
    pub fn is_settled(&self) -> bool {
        let state = self.state();
        state.settled && state.seen.is_none() && !self.is_stopped()
    }

    /// Indexes pending changes now and not after the usual pause, because a question is waiting.
    pub fn hurry(&self) {
        self.state().hurry = true;
        self.0.rung.notify_all();
    }

    /// Tells the watcher to hurry and waits until it has no work left, at most `limit`. Returns [`Self::is_settled`].
    pub fn settle(&self, limit: Duration) -> bool {
        let end = Instant::now() + limit;
        let mut state = self.state();
        state.n_impatient += 1;
        self.0.rung.notify_all();
        let settled = loop {
            if state.settled && state.seen.is_none() {
                break !self.is_stopped();
            }
            let now = Instant::now();
            if now >= end || self.is_stopped() {
                break false;
            }
            state = self.sleep(state, Some(end - now));
        };
        state.n_impatient -= 1;
        settled
    }

    /// Blocks until `ready` returns true; whoever changes its result must ring. `false`: stopped.
    pub fn wait_until(&self, ready: &dyn Fn() -> bool) -> bool {
        let mut state = self.state();
        loop {
            if self.is_stopped() {
                return false;
            }
            if ready() {
                return true;
            }
            state = self.sleep(state, None);
        }
    }

    /// Wakes all that wait, so that they check again.
    pub fn ring(&self) {
        let _state = self.state();
        self.0.rung.notify_all();
    }

    /// The events so far have been handled.
    pub fn settled(&self) {
        self.state().settled = true;
        self.0.rung.notify_all();
    }

    /// The index is behind, whatever was seen: nobody watches, or a run failed.
    pub fn unsettled(&self) {
        self.state().settled = false;
    }

    /// Reports a change without a path.
    pub fn touch(&self) {
        self.note(|state| state.seen = Some(SeenEvents::Anything));
    }

    pub(super) fn hear(&self, event: notify::Result<Event>, store: &Path) {
        let Ok(event) = event else { return self.touch() };
        if event.need_rescan() {
            // Watches may have ended without an event.
            return self.note(|state| {
                state.seen = Some(SeenEvents::Anything);
                state.lost.insert(PathBuf::from("/"));
            });
        }
        let is_reading = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
            EventKind::Access(_) => true,
            _ => false,
        };
        let paths: Vec<PathBuf> = event
            .paths
            .into_iter()
            .filter(|path| !is_reading && !path.starts_with(store))
            .collect();
        if paths.is_empty() {
            return;
        }
        let moves = matches!(
            event.kind,
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
        );
        self.note(|state| {
            if moves {
                state.lost.extend(paths.iter().cloned());
            }
            match state
                .seen
                .get_or_insert_with(|| SeenEvents::Paths(BTreeSet::new()))
            {
                SeenEvents::Paths(seen) if seen.len() < MAX_PATHS => seen.extend(paths),
                seen => *seen = SeenEvents::Anything,
            }
        });
    }

    fn note(&self, change: impl FnOnce(&mut AlarmState)) {
        let now = Instant::now();
        let mut state = self.state();
        state.first.get_or_insert(now);
        state.last = Some(now);
        change(&mut state);
        self.0.rung.notify_all();
    }

    pub(super) fn take_lost(&self) -> BTreeSet<PathBuf> {
        std::mem::take(&mut self.state().lost)
    }

    /// Blocks until there was an event and the burst is over. `None`: `until` came first, or stop.
    pub(super) fn wait(&self, patience: Patience, until: Option<Instant>) -> Option<SeenEvents> {
        let mut state = self.state();
        loop {
            if self.is_stopped() {
                return None;
            }
            let now = Instant::now();
            let due = state.first.zip(state.last);
            let due = due.map(|(first, last)| (last + patience.quiet).min(first + patience.most));
            let hurry = state.hurry || state.n_impatient > 0;
            if due.is_some_and(|due| hurry || now >= due) {
                state.hurry = false;
                (state.first, state.last, state.settled) = (None, None, false);
                return state.seen.take();
            }
            if due.is_none() {
                // There is nothing to hurry.
                state.hurry = false;
                if until.is_some_and(|until| now >= until) {
                    state.settled = false;
                    return None;
                }
            }
            let end = due.or(until);
            state = self.sleep(state, end.map(|end| end.saturating_duration_since(now)));
        }
    }

    fn sleep<'s>(
        &self,
        state: MutexGuard<'s, AlarmState>,
        limit: Option<Duration>,
    ) -> MutexGuard<'s, AlarmState> {
        match limit {
            None => self.0.rung.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(limit) => {
                self.0
                    .rung
                    .wait_timeout(state, limit)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, AlarmState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
