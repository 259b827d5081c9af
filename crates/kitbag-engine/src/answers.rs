//! Answers that were given lately (ENG-60), for the library and the servers: a question that is asked again while nothing that its
//! answer used has changed costs a copy.
//!
//! What an answer used is written down as a mark ([`DataMark`]): the rows of the index with its history, what is remembered,
//! the threads, and the files that it shows as they are on the disk. A search uses all rows, because a new file may belong into any
//! of its answers; so a change of a file that was indexed makes all of those old, and a memory only those that tell memories.
//! Who asked is part of a question, so that a quick answer tells nobody what another user works on (MEM-6, SEC-5).

#[cfg(test)]
mod tests;

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kitbag_store::{Journal, JournalChanges};
use kitbag_types::{FileStamp, RepoPath, Timestamp};

use crate::{Engine, EngineError};

const MOST_ANSWERS: usize = 100;
/// All of them together: a hundred packs were 20 MB that a server never gave back.
const MOST_BYTES: usize = 8 << 20;

/// What an answer was made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataMark {
    /// A hash of the state of the index.
    index: [u8; 32],
    remembered: JournalChanges,
    files: Vec<(RepoPath, Option<FileStamp>)>,
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

    fn is_valid(self, made: &DataMark, now: &DataMark) -> bool {
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

struct KeptAnswer {
    question: String,
    kind: AnswerKind,
    mark: DataMark,
    at: Timestamp,
    weight: usize,
    answer: Arc<dyn Any + Send + Sync>,
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
    fn find(
        &self,
        question: &str,
        mark: &DataMark,
        now: Timestamp,
        is_unchanged: &dyn Fn(&(RepoPath, Option<FileStamp>)) -> bool,
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

    fn keep(&self, new: KeptAnswer) {
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

impl Engine {
    /// What an answer would be made from now. `None`: never indexed, or a part of the project only, of which nothing is kept.
    pub fn data_mark(&self) -> Option<DataMark> {
        let store = self.open_store().ok()?;
        Some(DataMark {
            index: store.mark(self.root()).ok().flatten()?,
            remembered: self.read_journal(Journal::changes).ok()?.unwrap_or_default(),
            files: Vec::new(),
        })
    }

    /// The answer to a question that was kept, if nothing that it used has changed.
    pub fn kept_answer<T: Clone + Send + Sync + 'static>(
        &self,
        question: &str,
        mark: &DataMark,
        now: Timestamp,
    ) -> Option<T> {
        let is_unchanged = |(path, stamp): &(RepoPath, Option<FileStamp>)| self.tree.stamp(path) == *stamp;
        let found = self.answers.find(question, mark, now, &is_unchanged)?;
        found.downcast_ref::<T>().cloned()
    }

    /// Keeps an answer, unless something that it used has changed while it was made. `shown`: files that stand in it.
    pub fn keep_answer<T: Send + Sync + 'static>(&self, new: NewAnswer<T>, shown: &[&str], now: Timestamp) {
        let is_same = self
            .data_mark()
            .is_some_and(|mark| new.kind.is_valid(&new.mark, &mark));
        if !is_same || !matches!(self.is_whole(), Ok(true)) {
            return;
        }
        let paths = shown.iter().filter_map(|path| RepoPath::new(*path).ok());
        let files = paths.map(|path| {
            let stamp = self.tree.stamp(&path);
            (path, stamp)
        });
        self.answers.keep(KeptAnswer {
            weight: new.weight + new.question.len(),
            question: new.question,
            kind: new.kind,
            mark: DataMark {
                files: files.collect(),
                ..new.mark
            },
            at: now,
            answer: Arc::new(new.answer),
        });
    }

    fn is_whole(&self) -> Result<bool, EngineError> {
        Ok(crate::index_state::index_state(self)?.is_some_and(|state| state.complete))
    }
}
