//! How much of the project can be searched now (IDX-41), and the sentence that says so.

use kitbag_store::{Snapshot, StoreError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::health::damage;
use crate::{Engine, EngineError, embed};

/// How much of the project can be searched (IDX-41).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct IndexState {
    /// Files that a search finds.
    pub files: u64,
    /// About how many files it will be.
    pub expected: u64,
    pub chunks: u64,
    /// Share of the project's bytes that a search finds by their words, 0 to 1.
    #[serde(default)]
    pub text: f64,
    /// Share of the project's bytes that has vectors and is found by meaning; 1 if vectors are switched off.
    #[serde(default)]
    pub vectors: f64,
    /// The last run was complete, and the text index and the vectors have all of it.
    pub complete: bool,
    /// What is damaged and not repaired yet, one sentence per fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<String>,
}

impl IndexState {
    /// `62 % of the text and 0 % of the vectors`. Rounded down, so that only a complete index is 100 %.
    pub fn say(&self) -> String {
        let percent = |share: f64| (share * 100.0) as u64;
        format!(
            "{} % of the text and {} % of the vectors",
            percent(self.text),
            percent(self.vectors)
        )
    }
}

/// How much of the project is indexed; `None` if it never was.
pub fn index_state(engine: &Engine) -> Result<Option<IndexState>, EngineError> {
    let store = engine.open_store()?;
    let snapshot = Snapshot::open(&store, engine.root())?;
    let state = snapshot.map(|snapshot| index_state_of(engine, &snapshot));
    Ok(state.transpose()?)
}

/// A warning for an answer that is made from part of the project.
pub(crate) fn incomplete(index: &IndexState) -> Option<String> {
    if !index.damage.is_empty() {
        return Some(format!(
            "{}; {} are searchable until `kitbag index` has mended it",
            index.damage.join(", "),
            index.say()
        ));
    }
    (!index.complete).then(|| {
        format!(
            "the index is not complete yet: {} are searchable ({} of about {} files)",
            index.say(),
            index.files,
            index.expected
        )
    })
}

pub(crate) fn index_state_of(engine: &Engine, snapshot: &Snapshot<'_>) -> Result<IndexState, StoreError> {
    let state = snapshot.state();
    let text_seq = snapshot.text().seq();
    let vectors_seq = if engine.is_on("semantic") {
        embed::seen(engine, snapshot)
    } else {
        i64::MAX
    };
    let damage = damage(engine, snapshot);
    let is_whole = |seq: i64| state.complete && seq >= state.seq;
    let mut reply = IndexState {
        files: state.n_files,
        expected: state.n_expected.max(state.n_files),
        chunks: state.n_chunks,
        text: 1.0,
        vectors: 1.0,
        complete: is_whole(text_seq) && is_whole(vectors_seq) && damage.is_empty(),
        damage,
    };
    if reply.complete {
        return Ok(reply);
    }
    let all = state
        .expected_bytes
        .max(snapshot.covered(state.seq)?.bytes)
        .max(1);
    let share = |seq: i64| -> Result<f64, StoreError> {
        if is_whole(seq) {
            return Ok(1.0);
        }
        let bytes = snapshot.covered(seq)?.bytes;
        // Rounding must not make it 1.
        Ok((bytes as f64 / all as f64 * 1000.0).floor().min(999.0) / 1000.0)
    };
    reply.files = snapshot.covered(text_seq)?.files;
    (reply.text, reply.vectors) = (share(text_seq)?, share(vectors_seq)?);
    Ok(reply)
}
