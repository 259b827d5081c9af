//! The way of a question that is answered from the index alone: bring it up to date, open it, answer, and repair it if it turns out
//! to be damaged.

use kitbag_store::Snapshot;
use kitbag_types::{Stop, Timestamp};

use super::search::update;
use crate::{Engine, EngineError, Progress};

pub(super) struct IndexQuestion<'q> {
    pub engine: &'q Engine,
    /// False: use the index as it is.
    pub update: bool,
    pub stop: Stop<'q>,
    pub progress: &'q mut dyn FnMut(Progress<'_>),
    pub now: Timestamp,
}

impl IndexQuestion<'_> {
    /// What `answer` says, and warnings about the index.
    pub(super) fn answer<T>(
        self,
        answer: impl Fn(&Snapshot<'_>) -> Result<T, EngineError>,
    ) -> Result<(T, Vec<String>), EngineError> {
        let engine = self.engine;
        let ((reply, mut warnings), repaired) = engine.repairing(|again| {
            let mut warnings = Vec::new();
            if self.update || again {
                update(engine, self.stop, self.progress, self.now, &mut warnings)?;
            }
            let store = engine.open_store()?;
            Ok((answer(&engine.snapshot(&store)?)?, warnings))
        })?;
        warnings.extend(repaired);
        Ok((reply, warnings))
    }
}

/// The number of results that are wanted.
pub(super) fn checked_limit(wanted: Option<usize>, default: usize, max: usize) -> Result<usize, EngineError> {
    let limit = wanted.unwrap_or(default);
    if (1..=max).contains(&limit) {
        return Ok(limit);
    }
    Err(EngineError::Invalid {
        code: "INVALID_LIMIT",
        message: format!("limit must be between 1 and {max}, not {limit}"),
    })
}
