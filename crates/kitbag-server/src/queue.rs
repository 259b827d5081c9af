//! The queue of requests: work in, its result out, in the order of arrival per user.
//!
//! Answers need processor time, so running more of them at once does not make them faster, and each takes memory. So a few
//! run, others wait, and beyond a limit requests are refused (SEC-4). A waiting request is a future: if its caller goes, it
//! is dropped and never starts. One user can neither fill the queue nor take all turns, so other users do not wait until all
//! of the first user's requests are answered.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use kitbag_door::failure::Failure;

/// The most requests that wait or run, of all and, where there are several users, per user.
pub(super) const MOST_WAITING: usize = 512;
pub(super) const MOST_WAITING_OF_USER: usize = 128;
/// The most answers that are made at a time per processor: some wait for the disk.
const RUNNING_PER_CORE: usize = 2;
/// The most requests at a time that do not work but wait for a job. A project cannot have as many jobs.
const MOST_WATCHING: usize = 12;

pub(crate) struct Queue {
    turns: Arc<Semaphore>,
    watching: Arc<Semaphore>,
    line: Arc<Line>,
}

/// The requests that wait or run, by user.
struct Line {
    most: usize,
    most_of_user: usize,
    n_running: usize,
    by_user: Mutex<BTreeMap<Arc<str>, Share>>,
}

/// One user's part of the queue.
struct Share {
    /// Requests that wait or run.
    n: usize,
    /// The turns that the user may have or wait for.
    turns: Arc<Semaphore>,
    watching: Arc<Semaphore>,
}

/// A place in the queue, until it is dropped.
struct Waiting {
    line: Arc<Line>,
    user: Arc<str>,
    /// The user's turns of the kind that this request needs.
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

    /// Threads that may block: one per request that has a turn or waits for a job, and a few for writing.
    pub(crate) fn n_threads(&self) -> usize {
        self.turns.available_permits() + MOST_WATCHING + 4
    }

    /// How many requests wait or run; one whose caller has gone counts until its work has ended.
    pub(super) fn n_under_way(&self) -> usize {
        let by_user = self.line.by_user.lock();
        let by_user = by_user.unwrap_or_else(PoisonError::into_inner);
        by_user.values().map(|share| share.n).sum()
    }

    /// Runs `work` on a thread that may block when its turn comes. `watches`: it mostly waits for something else, and must
    /// not keep others from working meanwhile.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        user: &Arc<str>,
        watches: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let waiting = self.line.enter(user, watches)?;
        let turns = if watches { &self.watching } else { &self.turns };
        // First among the user's own requests, then among all.
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
        // Without names there is one user, who may use everything.
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
