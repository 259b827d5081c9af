//! Finds what is wrong with the parts of an index that answer questions: rows, text, vectors. Every door says the same.

use kitbag_store::{Fault, Snapshot, StoreError};

use crate::Engine;

/// Whether an answer needs an index run first, even if the request does not ask for one.
pub(crate) fn needs_mending(engine: &Engine) -> bool {
    let look = || -> Result<bool, StoreError> {
        let store = engine.open_store()?;
        let snapshot = Snapshot::open(&store, engine.root())?;
        Ok(snapshot.is_some_and(|snapshot| !damage(engine, &snapshot).is_empty()))
    };
    // The question will report the same error.
    look().unwrap_or(false)
}

/// What is damaged, one sentence per part; empty if nothing is. A part that is not there yet is not damaged.
pub(crate) fn damage(engine: &Engine, snapshot: &Snapshot<'_>) -> Vec<String> {
    let vectors = if engine.is_on("semantic") {
        fault(engine, snapshot)
    } else {
        None
    };
    let text = snapshot.text_fault().cloned();
    sentences(text, vectors)
}

/// The same, after reading every byte.
pub(crate) fn damage_in_depth(engine: &Engine, snapshot: &Snapshot<'_>) -> Vec<String> {
    let found = damage(engine, snapshot);
    match snapshot.check_text().filter(|_| snapshot.text_fault().is_none()) {
        Some(fault) => [sentences(Some(fault), None), found].concat(),
        None => found,
    }
}

fn sentences(text: Option<Fault>, vectors: Option<Fault>) -> Vec<String> {
    let text = text.map(|fault| format!("the text index is {fault}"));
    let vectors = vectors.map(|fault| format!("the vectors are {fault}"));
    text.into_iter().chain(vectors).collect()
}

/// The message of a run about a part that it rebuilt, such as `text index`.
pub(crate) fn mended(part: &str, fault: &Fault) -> String {
    let verb = if part.ends_with('s') { "were" } else { "was" };
    format!("the {part} {verb} {fault}; what was lost was made again")
}

/// What is wrong with the model's vectors.
pub(crate) fn fault(engine: &Engine, snapshot: &Snapshot<'_>) -> Option<Fault> {
    let model = engine.model();
    snapshot.vectors(model.id(), model.dims())?.fault().cloned()
}
