//! Time for those who have to wait: a rate limit, and pauses between tries.
//!
//! Two functions that are handed in, so that tests own the time and never sleep.

use std::sync::Mutex;
use std::time::{Duration, Instant};

pub struct Clock {
    /// Since any fixed moment.
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

/// Requests at even distances: a server that allows 60 a minute may still refuse 60 in one second.
pub(crate) struct Pace {
    distance: Duration,
    /// When the next request may begin. Shared by all threads that use the endpoint.
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

    /// Takes the next place in the queue and waits until it has come.
    pub(crate) fn wait(&self, clock: &Clock) {
        let now = (clock.now)();
        let place = {
            // A thread that panicked here left a moment, which is as good as any.
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
