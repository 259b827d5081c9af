//! A cache of recent answers (ENG-60): a question that is repeated while nothing has changed costs a copy.
//!
//! An answer is valid if it was made from the whole index and the configuration as they are now, as far as the watcher of
//! this process knows. If the watcher has seen a change that is not indexed yet, or another process watches or is about to
//! write, the cache is not used. A change of any file makes all answers invalid, not only those that showed it: a new file
//! may belong in any of them. Users do not share answers, because a fast one would show what another user works on (SEC-5).

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::OperationReply;

const MOST_ANSWERS: usize = 100;
/// The most memory of all answers together, by [`weight`]: a hundred packs took 20 MB that a server never gave back.
const MOST_BYTES: usize = 8 << 20;
/// Ranking depends on how recent a change is, so an answer ages although nothing changes.
const KEPT: Duration = Duration::from_secs(300);

/// The state that an answer was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// How often the configuration was read.
    pub(crate) configuration: usize,
    /// How often this process has updated the index.
    pub(crate) index: usize,
    /// The last change in the index, which another process may have made.
    pub(crate) last_change: i64,
}

/// Newest last.
#[derive(Default)]
pub(crate) struct Cache(Mutex<VecDeque<CachedAnswer>>);

struct CachedAnswer {
    question: String,
    stamp: Stamp,
    at: Instant,
    weight: usize,
    done: OperationReply,
}

impl Cache {
    pub(crate) fn find(&self, question: &str, stamp: Stamp, now: Instant) -> Option<OperationReply> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|one| one.stamp == stamp && now.duration_since(one.at) < KEPT);
        let idx = kept.iter().position(|one| one.question == question)?;
        let found = kept.remove(idx)?;
        let done = found.done.clone();
        kept.push_back(found);
        Some(done)
    }

    /// To be called after a change that is not in a file: a memory, feedback, an added text.
    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(crate) fn keep(&self, question: String, stamp: Stamp, now: Instant, done: &OperationReply) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|one| one.question != question);
        let weight = question.len() + done.text.len() + weight(&done.data);
        if weight > MOST_BYTES {
            return;
        }
        let mut n_bytes = weight + kept.iter().map(|one| one.weight).sum::<usize>();
        while kept.len() >= MOST_ANSWERS || n_bytes > MOST_BYTES {
            n_bytes -= kept.pop_front().map_or(n_bytes, |one| one.weight);
        }
        kept.push_back(CachedAnswer {
            question,
            stamp,
            at: now,
            weight,
            done: done.clone(),
        });
    }
}

/// The approximate memory of a value, in bytes.
fn weight(value: &Value) -> usize {
    size_of::<Value>()
        + match value {
            Value::String(text) => text.len(),
            Value::Array(values) => values.iter().map(weight).sum(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, value)| size_of::<String>() + name.len() + weight(value))
                .sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
}
