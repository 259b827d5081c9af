//! A cache of token counts: the hash of a text in; its count out, if the text is among the last ten thousand.
//!
//! The same chunks are counted again and again: at each step of a session, at each resolution that is tried, for each pack
//! that is rebuilt after a small change. The key is the 256 bits of blake3 and not the 64 of a hash map, because a collision
//! would be a wrong count that nobody notices; the text itself would be safer still, but would take megabytes.
//!
//! The cache never changes a count, so a lock that a panic poisoned is still used.

#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kitbag_types::Stopped;
use lru::LruCache;

use crate::Count;

/// The number of counts (PACK-34). About a megabyte when full.
pub(crate) const CAPACITY: NonZeroUsize = NonZeroUsize::new(10_000).expect("ten thousand is not zero");

/// Shorter texts are counted without the cache. Measured in November 2026 (dependencies at `opt-level = 1`, one thread):
/// hash, lock and look-up take 0.4 µs for 64 bytes, 0.6 µs for 256 and 1.5 µs for 2 kB. Counting takes the exact families
/// 0.5, 2 and 13-18 µs, the estimates three times as long, and a custom vocabulary 1 ms for 2 kB. So from this size on a hit
/// pays for all of them: ten times at the size of a chunk. A miss adds at most a tenth to the count of a chunk.
const MIN_BYTES: usize = 64;

pub(crate) struct CountCache {
    counts: Mutex<LruCache<[u8; 32], Count>>,
}

impl CountCache {
    pub(crate) fn new(capacity: NonZeroUsize) -> CountCache {
        CountCache {
            counts: Mutex::new(LruCache::new(capacity)),
        }
    }

    /// The cached count of `text`, or the result of `count`. Counts run outside the lock: two threads may both count the same
    /// text, but neither waits for the other.
    pub(crate) fn get_or_count(
        &self,
        text: &str,
        count: impl FnOnce(&str) -> Result<Count, Stopped>,
    ) -> Result<Count, Stopped> {
        if text.len() < MIN_BYTES {
            return count(text);
        }
        let key = *blake3::hash(text.as_bytes()).as_bytes();
        if let Some(&known) = self.lock().get(&key) {
            return Ok(known);
        }
        let counted = count(text)?;
        self.lock().put(key, counted);
        Ok(counted)
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<[u8; 32], Count>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
