//! `status`: what is indexed, where, and what went wrong.

use std::collections::BTreeMap;

use kitbag_store::{SetAside, Snapshot, StoreError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::index_state::index_state_of;
use crate::{Engine, EngineError, packages};

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StatusReply {
    pub root: String,
    pub store: String,
    /// Bytes on disk of the whole store, which other worktrees may share.
    pub bytes: u64,
    pub files: u64,
    pub chunks: u64,
    pub symbols: u64,
    /// Files by language.
    pub languages: BTreeMap<String, u64>,
    /// The last run is complete, and everything is searchable.
    pub complete: bool,
    /// Share of the bytes that a search finds by words, and by meaning, 0 to 1.
    pub text: f64,
    pub vectors: f64,
    /// Files the last run found to index.
    pub expected: u64,
    /// Secrets replaced in what is indexed.
    pub redacted: u64,
    pub packages: u64,
    /// What is wrong with manifests, one sentence per fault, with file and line; their packages may be missing.
    pub manifests: Vec<String>,
    /// Milliseconds since the Unix epoch; null if never indexed.
    pub updated_at: Option<i64>,
    pub failures: Vec<FailureReply>,
    /// What is damaged, one sentence per fault; `kitbag index` repairs it.
    pub damage: Vec<String>,
    /// Folders with damaged files that were set aside. Nothing reads them any more; they may be deleted.
    pub set_aside: Vec<SetAsideReply>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SetAsideReply {
    pub path: String,
    pub bytes: u64,
}

/// A file that could not be read. `kitbag index` tries it again.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FailureReply {
    pub path: String,
    pub kind: String,
    pub message: String,
    pub retries: u32,
}

pub fn status(engine: &Engine) -> Result<StatusReply, EngineError> {
    let mut reply = StatusReply {
        root: engine.root().display().to_string(),
        store: engine.store_dir().display().to_string(),
        bytes: 0,
        files: 0,
        chunks: 0,
        symbols: 0,
        languages: BTreeMap::new(),
        complete: false,
        text: 0.0,
        vectors: 0.0,
        expected: 0,
        redacted: 0,
        packages: 0,
        manifests: Vec::new(),
        updated_at: None,
        failures: Vec::new(),
        damage: Vec::new(),
        set_aside: SetAside::all(engine.store_dir())
            .into_iter()
            .map(|one| SetAsideReply {
                path: one.path.display().to_string(),
                bytes: one.n_bytes,
            })
            .collect(),
    };
    let store = match engine.read_store() {
        Ok(store) => store,
        Err(StoreError::Missing { .. }) => return Ok(reply),
        Err(error @ StoreError::Corrupt { .. }) => {
            reply.damage.push(error.to_string());
            return Ok(reply);
        }
        Err(error) => return Err(error.into()),
    };
    reply.bytes = store.bytes();
    let Some(snapshot) = Snapshot::open(&store, engine.root())? else {
        return Ok(reply);
    };
    let state = snapshot.state();
    let index = index_state_of(engine, &snapshot)?;
    reply.files = index.files;
    reply.chunks = index.chunks;
    (reply.text, reply.vectors) = (index.text, index.vectors);
    reply.complete = index.complete;
    reply.damage = index.damage;
    reply.expected = index.expected;
    reply.updated_at = Some(state.updated_at);
    (reply.symbols, reply.redacted) = snapshot.totals()?;
    reply.languages = snapshot
        .languages()?
        .into_iter()
        .map(|(name, n_files, ..)| (name, n_files))
        .collect();
    if let Some(known) = packages::stored(&snapshot)? {
        reply.packages = known.packages.list().len() as u64;
        reply.manifests = packages::said(&known.notes);
    }
    reply.failures = snapshot
        .failures()?
        .into_iter()
        .map(|failure| FailureReply {
            path: failure.path.to_string(),
            kind: failure.kind,
            message: failure.message,
            retries: failure.retries,
        })
        .collect();
    Ok(reply)
}
