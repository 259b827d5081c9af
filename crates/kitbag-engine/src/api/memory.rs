//! `remember`, `recall`, `check_memories`, `forget` and `merge_memories`: what people and agents want kept about a project (MEM-1 to
//! MEM-3). A memory cites code, is looked at against the code before it is served, and says what changed.

mod import;
mod manage;
mod remember;
mod text;

use kitbag_pack::Intent;
use kitbag_store::{CitationRow, Snapshot};
use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use import::{ImportMemoriesReply, ImportMemoriesRequest, ImportedMemory, import_memories};
pub use manage::{
    CheckMemoriesReply, CheckedMemory, ExportMemoriesReply, MergeMemoriesReply, MergeMemoriesRequest,
    archive_memory, check_memories, export_memories, merge_memories,
};
pub use remember::{LikeMemory, MemoryKind, NearestSymbol, RememberReply, RememberRequest, remember};

use crate::matched::rounded;
use crate::memory::{MemoryQuery, MemoryState, ServedMemory, check, memories_for};
use crate::request::intents;
use crate::{Engine, EngineError};

/// What is asked for. Without a query, files or symbols: all.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RecallRequest {
    /// Without it: the newest.
    pub query: Option<String>,
    /// About these paths.
    pub files: Vec<String>,
    /// About these names.
    pub symbols: Vec<String>,
    #[schemars(extend("enum" = intents()))]
    pub intent: Option<String>,
    /// 50 unless told.
    #[schemars(range(min = 1, max = MOST_RECALLED))]
    pub limit: Option<usize>,
    /// Also those whose code is gone, those that are archived and those that nobody is sure of.
    pub all: bool,
}

const MOST_RECALLED: usize = 10_000;
const RECALLED: usize = 50;
/// Less sure ones are not told unless asked for (MEM-2).
pub(crate) const LEAST_CONFIDENCE: f64 = 0.5;

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Memory {
    pub id: i64,
    /// `decision`, `tribal`, `convention` or `semantic`.
    pub kind: String,
    pub content: String,
    /// `fresh`, `uncited`, `drifted` or `orphaned`.
    pub state: String,
    /// What changed, moved or is gone, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// What it is about, where that is now.
    pub files: Vec<String>,
    pub citations: Vec<Citation>,
    pub tags: Vec<String>,
    /// 0 to 1.
    pub confidence: f64,
    /// Milliseconds since 1970.
    pub created: i64,
    pub last_used: i64,
    pub uses: u32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// Seen by its owner only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// Where it was imported from.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// ENG-4 times the weight of the intent, 0 to 2.
    pub score: f64,
    /// How much it concerns the question, 0 to 1.
    pub relevance: f64,
    /// `[decision] content (files)`, with what is wrong with it.
    pub line: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Citation {
    /// Where it is now; where it was, if it is gone.
    pub path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// `fresh`, `drifted` or `orphaned`.
    pub state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// The first commit in which it meant something else, where that was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RecallReply {
    pub memories: Vec<Memory>,
    /// What was wrong with what is kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

fn invalid(code: &'static str, message: String) -> EngineError {
    EngineError::Invalid { code, message }
}

/// The memories that concern a question, best first, those that drifted last. Being told counts as use.
pub fn recall(
    engine: &Engine,
    user: &str,
    request: &RecallRequest,
    now: Timestamp,
) -> Result<RecallReply, EngineError> {
    let limit = request.limit.unwrap_or(RECALLED);
    if !(1..=MOST_RECALLED).contains(&limit) {
        let message = format!("limit must be between 1 and {MOST_RECALLED}, not {limit}");
        return Err(invalid("INVALID_TOP", message));
    }
    let intent = match request.intent.as_deref() {
        None => None,
        Some(word) => Some(Intent::parse(word).ok_or_else(|| {
            let known = intents().join(", ");
            invalid(
                "INVALID_INTENT",
                format!("unknown intent `{word}`; known are {known}"),
            )
        })?),
    };
    let query = MemoryQuery {
        user,
        task: request.query.as_deref().unwrap_or_default(),
        intent,
        files: &request.files,
        symbols: &request.symbols,
        limit,
        min_confidence: if request.all { 0.0 } else { LEAST_CONFIDENCE },
        orphaned: request.all,
        archived: request.all,
        ..MemoryQuery::default()
    };
    let found = with_snapshot(engine, |snapshot| memories_for(engine, snapshot, &query, now))?;
    let is_question = request.query.is_some() || !request.files.is_empty() || !request.symbols.is_empty();
    if is_question && !found.is_empty() {
        let ids: Vec<i64> = found.iter().map(|memory| memory.row.id).collect();
        // Being told is what keeps an uncited memory; that it could not be noted does not spoil the answer.
        let _ = engine.journal(|journal| journal.use_memories(&ids, now));
    }
    Ok(RecallReply {
        memories: found.into_iter().map(Memory::from).collect(),
        warnings: engine.take_notices(),
    })
}

/// Runs `work` with the index as it is, if there is one. Memories are told without one, too: then what moved is not found.
pub(super) fn with_snapshot<T>(
    engine: &Engine,
    work: impl FnOnce(Option<&Snapshot<'_>>) -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    let Ok(store) = engine.open_store() else {
        return work(None);
    };
    let snapshot = Snapshot::open(&store, engine.root()).ok().flatten();
    work(snapshot.as_ref())
}

/// False: there is none with this id, or it is somebody else's.
pub fn forget(engine: &Engine, user: &str, id: i64) -> Result<bool, EngineError> {
    Ok(engine.journal(|journal| journal.forget(user, id))?)
}

impl From<ServedMemory> for Memory {
    fn from(served: ServedMemory) -> Self {
        let line = served.line();
        let row = served.row;
        Self {
            id: row.id,
            kind: row.kind,
            content: row.content,
            state: served.state.as_str().to_owned(),
            changes: served.changes,
            files: served.files,
            citations: row.citations.iter().map(Citation::from).collect(),
            tags: row.tags,
            confidence: row.confidence,
            created: row.created.0,
            last_used: row.last_used.0,
            uses: row.uses,
            archived: row.archived,
            private: row.private,
            source: row.source,
            score: rounded(served.score),
            relevance: rounded(served.relevance),
            line,
        }
    }
}

impl From<&CitationRow> for Citation {
    fn from(row: &CitationRow) -> Self {
        let some = |text: &String| (!text.is_empty()).then(|| text.clone());
        let is_lines = row.line_start > 0;
        Self {
            path: check::place(row).to_owned(),
            symbol: some(&row.now_symbol).or_else(|| some(&row.symbol)),
            line: (row.now_line > 0)
                .then_some(row.now_line)
                .or(is_lines.then_some(row.line_start)),
            state: row.state.clone(),
            what: some(&row.what),
            since: some(&row.since),
        }
    }
}

/// What `state` of a memory may be.
pub fn memory_states() -> Vec<&'static str> {
    MemoryState::ALL.map(MemoryState::as_str).to_vec()
}
