//! Whether an answer that was given lately may be given again (ENG-60): the mark of what it used against the mark of now. What is kept,
//! and how long, is the business of `answers`; this part looks at the store, the journal and the files.

use std::sync::Arc;

use kitbag_store::Journal;
use kitbag_types::{RepoPath, Timestamp};

use crate::answers::{DataMark, KeptAnswer, NewAnswer, ShownFile};
use crate::index_state::index_state;
use crate::{Engine, EngineError};

impl Engine {
    /// What an answer would be made from now. `None`: it was never indexed.
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
        let is_unchanged = |(path, stamp): &ShownFile| self.tree.stamp(path) == *stamp;
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
        Ok(index_state(self)?.is_some_and(|state| state.complete))
    }
}
