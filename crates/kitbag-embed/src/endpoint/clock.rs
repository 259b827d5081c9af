//! Time for the rate limit and the pauses between tries.
//!
//! Two functions that are passed in, so that tests control the time and never sleep.

use std::sync::Mutex;
use std::time::{Duration, Instant};

pub struct Clock {
    /// The time since a fixed moment.
    pub now: Box<dyn Fn() -> Duration + Send + Sync>,
    pub wait: Box<dyn Fn(Duration) + Send + Sync>,
}

impl Clock {
    pub fn system() -> Clock {
        #[expect(
            clippy::disallowed_methods,
            reason = "a server's rate limit is about real time, and no result depends on it"
        )]
        let start = Instant::now();
        Clock {
            now: Box::new(move || start.elapsed()),
            wait: Box::new(std::thread::sleep),
        }
    }
}

/// Sends requests at even intervals: a server that allows 60 per minute may still refuse 60 in one second.
pub(crate) struct Pace {
    distance: Duration,
    /// When the next request may begin. All threads that use the endpoint share it.
    next: Mutex<Duration>,
}

impl Pace {
    pub(crate) fn new(requests_per_minute: Option<u32>) -> Pace {
        let distance = requests_per_minute.map_or(Duration::ZERO, |n| Duration::from_secs(60) / n.max(1));
        Pace {
            distance,
            next: Mutex::new(Duration::ZERO),
        }
    }

    /// Takes the next place in the queue and waits for its turn.
    pub(crate) fn wait(&self, clock: &Clock) {
        let now = (clock.now)();
        let place = {
            // If a thread panicked while it held the lock, the moment it left is still valid.
            let mut next = self.next.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let place = now.max(*next);
            *next = place + self.distance;
            place
        };
        if place > now {
            (clock.wait)(place - now);
        }
    }
}
