//! `check-file` and `list-indexable`: which files are indexed, by the same filter as the index (IDX-7).

use std::collections::BTreeMap;
use std::path::Path;

use kitbag_repo::{ReadFailure, Verdict};
use kitbag_store::{FileState, Snapshot, StoreError};
use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::indexable::survey;
use crate::{Engine, EngineError};

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckFileReply {
    pub path: String,
    /// The rules allow it and its content is text.
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

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ListReply {
    pub files: Vec<IndexableFile>,
    pub skipped: Vec<SkippedPath>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IndexableFile {
    pub path: String,
    pub bytes: u64,
}

/// A folder that is skipped is one entry.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SkippedPath {
    pub path: String,
    pub reason: &'static str,
    pub detail: String,
}

/// Every file that the rules allow and whose content is text, by path, and the paths that are skipped.
pub fn list_indexable(engine: &Engine, now: Timestamp) -> Result<ListReply, EngineError> {
    let survey = survey(engine, now)?;
    Ok(ListReply {
        files: survey
            .files
            .iter()
            .map(|file| IndexableFile {
                path: file.path.to_string(),
                bytes: file.stamp.size,
            })
            .collect(),
        skipped: survey
            .skipped
            .into_iter()
            .map(|skipped| SkippedPath {
                path: skipped.path,
                reason: skipped.reason,
                detail: skipped.detail,
            })
            .collect(),
        warnings: survey.warnings,
    })
}

/// How many files a configuration allows, and what it skips.
#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct IndexableCounts {
    pub files: u64,
    /// Files by watch path, in the order of the configuration; one file may lie under two.
    pub watch_paths: Vec<(String, u64)>,
    /// Paths by reason; a folder counts once.
    pub skipped: BTreeMap<&'static str, u64>,
}

/// The same answers as [`list_indexable`], counted.
pub fn count_indexable(engine: &Engine, now: Timestamp) -> Result<IndexableCounts, EngineError> {
    let survey = survey(engine, now)?;
    let under = |watch: &str| {
        let folder = watch.trim_start_matches("./").trim_end_matches('/');
        let is_all = watch == "auto" || folder.is_empty() || folder == ".";
        let covers = |path: &str| {
            let rest = path.strip_prefix(folder);
            is_all || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        survey
            .files
            .iter()
            .filter(|file| covers(file.path.as_str()))
            .count() as u64
    };
    let paths = &engine.options.boundary.watch_paths;
    let mut skipped = BTreeMap::new();
    for one in &survey.skipped {
        *skipped.entry(one.reason).or_insert(0) += 1;
    }
    Ok(IndexableCounts {
        files: survey.files.len() as u64,
        watch_paths: paths.iter().map(|path| (path.clone(), under(path))).collect(),
        skipped,
    })
}
