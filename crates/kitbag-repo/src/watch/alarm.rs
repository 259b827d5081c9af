//! The alarm: what rings, who waits for it, and who may ask. Events come in on the system's thread, one watcher waits, and
//! any number of others ask whether it has anything left to do, tell it to hurry, or stop it.
//!
//! A mutex and a condition variable instead of a channel: a burst of ten thousand events is one ring, with the paths kept
//! once each, and asking takes nothing out of the queue.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind};

use super::Patience;

/// Paths that are told apart; of more than these it is only known that there were many.
const MAX_PATHS: usize = 4096;

/// See the module. Clones are the same alarm.
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
    /// Of what is in `seen`.
    first: Option<Instant>,
    last: Option<Instant>,
    /// Paths that no longer are what their watches hang on.
    lost: BTreeSet<PathBuf>,
    hurry: bool,
    /// How many wait in [`Alarm::settle`].
    n_impatient: usize,
    /// The index is as the tree was when `seen` was last taken.
    settled: bool,
}

/// What happened since the last look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SeenEvents {
    Paths(BTreeSet<PathBuf>),
    /// Too much to tell one by one, or the system lost count.
    Anything,
}

impl Alarm {
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the watching, and a run that is under way, soon.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
        // Under the lock, or a watcher that has just looked would sleep through it.
        let _state = self.state();
        self.0.rung.notify_all();
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped().load(Ordering::Relaxed)
    }

    pub fn stopped(&self) -> &AtomicBool {
        &self.0.stopped
    }

    /// Whether the watcher has seen nothing that is not indexed yet. `false` too as long as nobody watches. An event takes
    /// a moment from the system to here, so a file written in the same millisecond may be missing.
    pub fn is_settled(&self) -> bool {
        let state = self.state();
        state.settled && state.seen.is_none() && !self.is_stopped()
    }

    /// Whatever was seen is indexed now and not after the usual pause: somebody asks.
    pub fn hurry(&self) {
        self.state().hurry = true;
        self.0.rung.notify_all();
    }

    /// Tells the watcher to hurry and waits until there is nothing left to do, `limit` at most. Gives [`Self::is_settled`].
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

    /// Blocks until `ready`, which must ring before it changes its mind. `false`: stopped.
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

    /// Wakes whoever waits, to look for himself.
    pub fn ring(&self) {
        let _state = self.state();
        self.0.rung.notify_all();
    }

    /// What was seen has been dealt with.
    pub fn settled(&self) {
        self.state().settled = true;
        self.0.rung.notify_all();
    }

    /// The index is behind, whatever is seen or not: nobody watches, or a run failed.
    pub fn unsettled(&self) {
        self.state().settled = false;
    }

    /// Something happened, whatever it was.
    pub fn touch(&self) {
        self.note(|state| state.seen = Some(SeenEvents::Anything));
    }

    pub(super) fn hear(&self, event: notify::Result<Event>, store: &Path) {
        let Ok(event) = event else { return self.touch() };
        if event.need_rescan() {
            // Watches may have died unheard.
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

    /// Blocks until something was seen and the burst is over. `None`: `until` came first, or stop.
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
                // Nothing to hurry with.
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
