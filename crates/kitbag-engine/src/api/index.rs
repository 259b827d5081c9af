//! `index`: brings the index up to date with the working tree.

use std::sync::atomic::AtomicBool;

use kitbag_types::{Stop, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

use crate::index::run;
use crate::index_state::index_state_of;
use crate::run::{Report, RunOptions};
use crate::{Engine, EngineError, Progress};

#[derive(Clone, Copy, Debug, Default)]
pub struct IndexRequest<'s> {
    /// Queue behind another writer; otherwise fail with a busy store.
    pub wait: bool,
    /// Ignore time stamps, and check the whole database.
    pub thorough: bool,
    /// Set from another thread, ends the run with [`EngineError::Cancelled`]; what is done by then is kept, and the next run
    /// goes on from there.
    pub stop: Option<&'s AtomicBool>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IndexReply {
    /// The number of files in the index now.
    pub files: u64,
    pub chunks: u64,
    /// The run is complete, and a search finds everything by words and by meaning.
    pub complete: bool,
    /// Files that this run added.
    pub added: u64,
    pub changed: u64,
    pub removed: u64,
    pub unchanged: u64,
    pub skipped: u64,
    pub failed: u64,
    /// Of added and changed files: parsed in this run, or reused because the content was known.
    pub parsed: u64,
    pub reused: u64,
    /// Bytes of source parsed.
    pub bytes: u64,
    pub root: String,
    pub store: String,
    pub warnings: Vec<String>,
}

pub fn index(
    engine: &Engine,
    request: IndexRequest<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<IndexReply, EngineError> {
    let options = RunOptions {
        wait: request.wait,
        retry: true,
        thorough: request.thorough,
        stop: request.stop.map_or(Stop::never(), Stop::from),
        ..RunOptions::default()
    };
    let (report, repaired) = engine.repairing(|_| run(engine, options, progress, now))?;
    let Report { mut warnings, .. } = report;
    warnings.extend(repaired);
    let store = engine.open_store()?;
    let snapshot = engine.snapshot(&store)?;
    let state = snapshot.state();
    let complete = index_state_of(engine, &snapshot)?.complete;
    Ok(IndexReply {
        files: state.n_files,
        chunks: state.n_chunks,
        complete,
        added: report.n_added,
        changed: report.n_changed,
        removed: report.n_removed,
        unchanged: report.n_unchanged,
        skipped: report.n_skipped,
        failed: report.n_failed,
        parsed: report.n_parsed,
        reused: report.n_reused,
        bytes: report.n_bytes,
        root: engine.root().display().to_string(),
        store: engine.store_dir().display().to_string(),
        warnings,
    })
}
