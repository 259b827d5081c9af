//! Rate limits: one bucket per sender, which fills at the allowed rate. A batch may take more than is left, so that it is
//! accepted whole; after that nothing is accepted until the bucket has filled up again.
//!
//! Time is an argument. The number of buckets is limited, because anybody can come from many addresses. Full buckets are
//! dropped first, because they carry no information; if all are in use, a new sender is refused.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

const MOST_BUCKETS: usize = 4_096;

/// How fast a bucket fills, and how much it holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct RateLimit {
    pub(super) per_second: f64,
    pub(super) at_once: f64,
}

impl RateLimit {
    /// A rate, with a burst of ten seconds.
    pub(super) fn per_minute(n: u64) -> RateLimit {
        let per_second = n as f64 / 60.0;
        RateLimit {
            per_second,
            at_once: (per_second * 10.0).max(1.0),
        }
    }
}

pub(super) struct Rates<K> {
    left: Mutex<BTreeMap<K, (f64, Instant)>>,
}

impl<K> Default for Rates<K> {
    fn default() -> Self {
        Rates {
            left: Mutex::default(),
        }
    }
}

impl<K: Ord + Clone> Rates<K> {
    /// Whether `who` may send `n` requests now; if so, they are counted.
    pub(super) fn take(&self, who: &K, allowed: RateLimit, n: usize, now: Instant) -> bool {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let filled = |(tokens, at): (f64, Instant)| {
            let since = now.saturating_duration_since(at).as_secs_f64();
            (tokens + since * allowed.per_second).min(allowed.at_once)
        };
        if left.len() >= MOST_BUCKETS && !left.contains_key(who) {
            left.retain(|_, bucket| filled(*bucket) < allowed.at_once);
            if left.len() >= MOST_BUCKETS {
                return false;
            }
        }
        let bucket = left.entry(who.clone()).or_insert((allowed.at_once, now));
        let tokens = filled(*bucket);
        let may = tokens >= 1.0;
        *bucket = (if may { tokens - n as f64 } else { tokens }, now);
        may
    }

    /// Counts further requests of a batch that was already accepted.
    pub(super) fn charge(&self, who: &K, n: usize) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((tokens, _)) = left.get_mut(who) {
            *tokens -= n as f64;
        }
    }
}
