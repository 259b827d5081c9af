//! Answers that were given lately (ENG-60), for the library and the servers: a question that is asked again while nothing that its
//! answer used has changed costs a copy.
//!
//! What an answer used is written down as a mark ([`DataMark`]): the rows of the index with its history, what is remembered,
//! the threads, and the files that it shows as they are on the disk. A search uses all rows, because a new file may belong into any
//! of its answers; so a change of a file that was indexed makes all of them old, and a message only those of threads.
//! Who asked is part of a question, so that a quick answer tells nobody what another user works on (MEM-6, SEC-5).

#[cfg(test)]
mod tests;

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kitbag_store::JournalChanges;
use kitbag_types::{FileStamp, RepoPath, Timestamp};

const MOST_ANSWERS: usize = 100;
/// All of them together: a hundred packs were 20 MB that a server never gave back.
const MOST_BYTES: usize = 8 << 20;

/// A file that an answer shows, and how it was then.
pub(crate) type ShownFile = (RepoPath, Option<FileStamp>);

/// What an answer was made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataMark {
    /// A hash of the state of the index.
    pub(crate) index: [u8; 32],
    pub(crate) remembered: JournalChanges,
    pub(crate) files: Vec<ShownFile>,
}

/// What a kind of answer uses, and how long it may be given again: how recent something is counts, so an answer ages although
/// nothing changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// The index and what is remembered.
    Insights,
    /// A thread besides.
    Thread,
}

impl AnswerKind {
    fn life_ms(self) -> i64 {
        match self {
            Self::Insights => 300_000,
            Self::Thread => 30_000,
        }
    }

    pub(crate) fn is_valid(self, made: &DataMark, now: &DataMark) -> bool {
        made.index == now.index
            && made.remembered.memory == now.remembered.memory
            && (self == Self::Insights || made.remembered.threads == now.remembered.threads)
    }
}

/// An answer to be kept.
pub struct NewAnswer<T> {
    /// Everything that decides the answer, the user too.
    pub question: String,
    pub kind: AnswerKind,
    /// From before it was made.
    pub mark: DataMark,
    /// About how many bytes it takes.
    pub weight: usize,
    pub answer: T,
}

pub(crate) struct KeptAnswer {
    pub question: String,
    pub kind: AnswerKind,
    pub mark: DataMark,
    pub at: Timestamp,
    pub weight: usize,
    pub answer: Arc<dyn Any + Send + Sync>,
}

/// The longest unused first.
#[derive(Default)]
pub(crate) struct Answers(Mutex<VecDeque<KeptAnswer>>);

impl Answers {
    fn lock(&self) -> MutexGuard<'_, VecDeque<KeptAnswer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    /// `is_unchanged`: of a file that the answer shows.
    pub(crate) fn find(
        &self,
        question: &str,
        mark: &DataMark,
        now: Timestamp,
        is_unchanged: &dyn Fn(&ShownFile) -> bool,
    ) -> Option<Arc<dyn Any + Send + Sync>> {
        let mut kept = self.lock();
        kept.retain(|one| {
            let age = now.0.saturating_sub(one.at.0);
            (0..one.kind.life_ms()).contains(&age) && one.kind.is_valid(&one.mark, mark)
        });
        let idx = kept.iter().position(|one| one.question == question)?;
        let found = kept.remove(idx)?;
        if !found.mark.files.iter().all(is_unchanged) {
            return None;
        }
        let answer = Arc::clone(&found.answer);
        kept.push_back(found);
        Some(answer)
    }

    pub(crate) fn keep(&self, new: KeptAnswer) {
        let mut kept = self.lock();
        kept.retain(|one| one.question != new.question);
        if new.weight > MOST_BYTES {
            return;
        }
        let mut n_bytes = new.weight + kept.iter().map(|one| one.weight).sum::<usize>();
        while kept.len() >= MOST_ANSWERS || n_bytes > MOST_BYTES {
            n_bytes -= kept.pop_front().map_or(n_bytes, |one| one.weight);
        }
        kept.push_back(new);
    }
}
