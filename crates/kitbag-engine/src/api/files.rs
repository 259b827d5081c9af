//! `check-file` and `list-indexable`: the answers of the one filter (IDX-7).

use std::path::Path;

use kitbag_repo::{ReadFailure, Verdict};
use kitbag_store::{FileState, Snapshot, StoreError};
use kitbag_types::Timestamp;
use serde::Serialize;

use crate::{Engine, EngineError};

#[derive(Clone, Debug, Serialize)]
pub struct CheckFileReply {
    pub path: String,
    /// The rules let it in and its content is text.
    pub indexable: bool,
    /// Why not: a stable word, and the rule behind it.
    pub reason: Option<String>,
    pub detail: Option<String>,
    /// It is in the index at the moment.
    pub indexed: bool,
    pub language: Option<String>,
    pub chunks: Option<usize>,
    /// What reading it noted: redactions, encoding …
    pub notes: Vec<String>,
}

/// Why a file is in the index, or why not. `path` is relative to `cwd` or absolute, and must be inside the project.
pub fn check_file(engine: &Engine, path: &Path, cwd: &Path) -> Result<CheckFileReply, EngineError> {
    let path = engine.tree.resolve(path, cwd)?;
    let mut reply = CheckFileReply {
        path: path.to_string(),
        indexable: false,
        reason: None,
        detail: None,
        indexed: false,
        language: None,
        chunks: None,
        notes: Vec::new(),
    };
    match engine.tree.check(&path)? {
        Verdict::Skipped(skip) => {
            reply.reason = Some(skip.reason.as_str().to_owned());
            reply.detail = Some(skip.detail);
        }
        Verdict::Indexed => match engine.tree.read(&path) {
            Ok(source) => {
                let first_line = source.text.lines().next().unwrap_or_default();
                let language = kitbag_syntax::language_of(&path, first_line);
                reply.indexable = true;
                reply.language = Some(language.map_or("text", |language| language.name).to_owned());
                reply.notes = source.notes.iter().map(|note| note.message.clone()).collect();
            }
            Err(ReadFailure::Skipped(skip)) => {
                reply.reason = Some(skip.reason.as_str().to_owned());
                reply.detail = Some(skip.detail);
            }
            Err(ReadFailure::Failed { kind, message }) => {
                reply.reason = Some(kind.as_str().to_owned());
                reply.detail = Some(message);
            }
        },
    }
    let store = match engine.read_store() {
        Ok(store) => store,
        Err(StoreError::Missing { .. }) => return Ok(reply),
        Err(error) => return Err(error.into()),
    };
    if let Some(snapshot) = Snapshot::open(&store, engine.root())? {
        let file = snapshot
            .file(&path)?
            .filter(|file| file.state == FileState::Indexed);
        if let Some((file, parse)) = file.and_then(|file| file.parse.map(|parse| (file.id, parse))) {
            reply.indexed = true;
            reply.chunks = Some(snapshot.chunks_of(file, parse)?.len());
        }
    }
    Ok(reply)
}

#[derive(Clone, Debug, Serialize)]
pub struct ListReply {
    pub files: Vec<IndexableFile>,
    pub skipped: Vec<SkippedPath>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct IndexableFile {
    pub path: String,
    pub bytes: u64,
}

/// A folder that is skipped is one entry.
#[derive(Clone, Debug, Serialize)]
pub struct SkippedPath {
    pub path: String,
    pub reason: &'static str,
    pub detail: String,
}

/// Every file the rules let in, by path, and what they keep out.
pub fn list_indexable(engine: &Engine, now: Timestamp) -> Result<ListReply, EngineError> {
    let scan = engine.tree.scan(now)?;
    Ok(ListReply {
        files: scan
            .files
            .iter()
            .map(|file| IndexableFile {
                path: file.path.to_string(),
                bytes: file.stamp.size,
            })
            .collect(),
        skipped: scan
            .skipped
            .into_iter()
            .map(|(path, skip)| SkippedPath {
                path,
                reason: skip.reason.as_str(),
                detail: skip.detail,
            })
            .collect(),
        warnings: scan.notes.into_iter().map(|note| note.message).collect(),
    })
}
