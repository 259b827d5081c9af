//! Whose turn it is: work in, its result out, for each user in the order in which it was asked for.
//!
//! Answers are made by processors, so more of them at once are not ready sooner, and each takes memory: a few run, the others wait, and
//! beyond a bound they are told to come back (SEC-4). One who waits is a future: if its asker goes, it is dropped and never
//! starts. One user cannot fill the line for the others, and cannot have all turns either: whoever else comes need not wait until
//! the first user's requests are all answered.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use kitbag_door::failure::Failure;

/// Requests that may wait or run, and how many of them may be one user's, where there are several users.
pub(super) const MOST_WAITING: usize = 512;
pub(super) const MOST_WAITING_OF_USER: usize = 128;
/// Answers that are made at a time, for each processor: some wait for the disk.
const RUNNING_PER_CORE: usize = 2;
/// Requests that do not work but wait for a job, at a time. More than a project can have jobs.
const MOST_WATCHING: usize = 12;

pub(crate) struct Queue {
    turns: Arc<Semaphore>,
    watching: Arc<Semaphore>,
    line: Arc<Line>,
}

/// Who waits or runs, by user.
struct Line {
    most: usize,
    most_of_user: usize,
    n_running: usize,
    by_user: Mutex<BTreeMap<Arc<str>, Share>>,
}

/// What one user has of the queue.
struct Share {
    /// Requests that wait or run.
    n: usize,
    /// The turns that the user may have or stand in line for.
    turns: Arc<Semaphore>,
    watching: Arc<Semaphore>,
}

/// A place in the line, until it is dropped.
struct Waiting {
    line: Arc<Line>,
    user: Arc<str>,
    /// The user's own, of the kind that is waited for.
    turns: Arc<Semaphore>,
}

impl Queue {
    pub(crate) fn new() -> Queue {
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        Queue::of(
            (n_cores * RUNNING_PER_CORE).max(4),
            MOST_WAITING,
            MOST_WAITING_OF_USER,
        )
    }

    fn of(n_running: usize, most: usize, most_of_user: usize) -> Queue {
        Queue {
            turns: Arc::new(Semaphore::new(n_running)),
            watching: Arc::new(Semaphore::new(MOST_WATCHING)),
            line: Arc::new(Line {
                most,
                most_of_user,
                n_running,
                by_user: Mutex::default(),
            }),
        }
    }

    /// Threads that may block: one for each that has a turn or watches, and a few for what a server writes down.
    pub(crate) fn n_threads(&self) -> usize {
        self.turns.available_permits() + MOST_WATCHING + 4
    }

    /// How many requests wait or are worked on; one whose asker has gone counts until its work has ended.
    pub(super) fn n_under_way(&self) -> usize {
        let by_user = self.line.by_user.lock();
        let by_user = by_user.unwrap_or_else(PoisonError::into_inner);
        by_user.values().map(|share| share.n).sum()
    }

    /// Runs `work` on a thread that may block when its turn comes. `watches`: it waits for something else most of the time, and must
    /// not keep others from working meanwhile.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        user: &Arc<str>,
        watches: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let waiting = self.line.enter(user, watches)?;
        let turns = if watches { &self.watching } else { &self.turns };
        // First among the user's own requests, then among those of everybody.
        let own = turn_of(&waiting.turns).await;
        let turn = turn_of(turns).await;
        let work = move || {
            let _held = (waiting, own, turn);
            work()
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|error| Failure::trouble("INTERNAL_ERROR", error.to_string()))
    }
}

async fn turn_of(turns: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    let turn = Arc::clone(turns).acquire_owned().await;
    turn.expect("it is never closed")
}

impl Line {
    fn enter(self: &Arc<Self>, user: &Arc<str>, watches: bool) -> Result<Waiting, Failure> {
        let busy = |what: &str| Failure::trouble("BUSY", what).with_hint("try again in a second");
        let mut by_user = self.by_user.lock().unwrap_or_else(PoisonError::into_inner);
        if by_user.values().map(|share| share.n).sum::<usize>() >= self.most {
            return Err(busy("too many requests are waiting"));
        }
        // Without names there is one user, who need not leave anything for others.
        let of = |all: usize| {
            Arc::new(Semaphore::new(if user.is_empty() {
                all
            } else {
                (all - 1).max(1)
            }))
        };
        let share = by_user.entry(Arc::clone(user)).or_insert_with(|| Share {
            n: 0,
            turns: of(self.n_running),
            watching: of(MOST_WATCHING),
        });
        if !user.is_empty() && share.n >= self.most_of_user {
            return Err(busy("too many of your requests are waiting"));
        }
        share.n += 1;
        let turns = if watches { &share.watching } else { &share.turns };
        Ok(Waiting {
            line: Arc::clone(self),
            user: Arc::clone(user),
            turns: Arc::clone(turns),
        })
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut by_user = self.line.by_user.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = by_user.get_mut(&self.user) {
            share.n -= 1;
            if share.n == 0 {
                by_user.remove(&self.user);
            }
        }
    }
}
