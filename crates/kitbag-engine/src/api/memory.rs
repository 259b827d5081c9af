//! `remember`, `recall`, `forget` and `give_feedback`: what people and agents want kept about a project (MEM-1, MEM-5).
//!
//! Recalling goes by words: a memory scores by the question's stems that it has, rare ones more, and among equals the newest
//! comes first. Secrets are taken out before anything is kept.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use kitbag_store::MemoryRow;
use kitbag_types::Timestamp;
use kitbag_types::terms::terms_of;
use schemars::JsonSchema;
use serde::Serialize;

use crate::matched::rounded;
use crate::{Engine, EngineError};

/// Longer ones are documents, and belong into the repository (SEC-4).
const MAX_BYTES: usize = 4_000;
const MOST_FILES: usize = 50;
const KINDS: [&str; 4] = ["decision", "tribal", "convention", "semantic"];

#[derive(Clone, Debug)]
pub struct RememberRequest {
    /// Whose it is; empty if there is one user.
    pub user: String,
    pub content: String,
    /// `decision`, `tribal`, `convention` or `semantic`.
    pub kind: String,
    pub files: Vec<String>,
    pub tags: Vec<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RememberReply {
    pub id: i64,
    /// False: it was known already.
    pub is_new: bool,
    /// As it is kept.
    pub content: String,
    /// What was wrong with what was kept before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Memory {
    pub id: i64,
    pub kind: String,
    pub content: String,
    pub files: Vec<String>,
    pub tags: Vec<String>,
    /// Milliseconds since 1970.
    pub created: i64,
    /// Files it is about that are no longer there (MEM-3).
    pub missing_files: Vec<String>,
    /// 0 to 1: how much of the question it has.
    pub score: f64,
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

pub fn remember(
    engine: &Engine,
    request: &RememberRequest,
    now: Timestamp,
) -> Result<RememberReply, EngineError> {
    let content = request.content.trim();
    if content.is_empty() || content.len() > MAX_BYTES {
        let n_bytes = content.len();
        let message = format!("a memory has 1 to {MAX_BYTES} bytes, not {n_bytes}");
        return Err(invalid("INVALID_MEMORY", message));
    }
    if !KINDS.contains(&request.kind.as_str()) {
        let message = format!("unknown kind `{}`; known are {}", request.kind, KINDS.join(", "));
        return Err(invalid("INVALID_MEMORY", message));
    }
    if request.files.len() > MOST_FILES || request.tags.len() > MOST_FILES {
        return Err(invalid(
            "INVALID_MEMORY",
            format!("at most {MOST_FILES} files and {MOST_FILES} tags"),
        ));
    }
    let one_line = |text: &String| !text.is_empty() && text.len() <= 100 && !text.contains(['\n', '\r']);
    if !request.tags.iter().all(one_line) {
        return Err(invalid(
            "INVALID_MEMORY",
            "a tag has 1 to 100 bytes on one line".into(),
        ));
    }
    let mut files = Vec::new();
    for file in &request.files {
        let path = engine.tree.resolve(std::path::Path::new(file), engine.root())?;
        files.push(path.to_string());
    }
    let content = engine.tree.redact(content).0.into_owned();
    let row = MemoryRow {
        id: 0,
        kind: request.kind.clone(),
        content: content.clone(),
        files,
        tags: request
            .tags
            .iter()
            .map(|tag| engine.tree.redact(tag).0.into_owned())
            .collect(),
        created: now,
    };
    let (id, is_new) = engine.journal(|journal| journal.remember(&request.user, &row))?;
    Ok(RememberReply {
        id,
        is_new,
        content,
        warnings: engine.take_notices(),
    })
}

/// Those that share words with `query`, best first; without a query all, newest first.
pub fn recall(
    engine: &Engine,
    user: &str,
    query: Option<&str>,
    limit: usize,
) -> Result<RecallReply, EngineError> {
    let rows = engine.journal(|journal| journal.memories(user))?;
    let mut memories: Vec<Memory> = scored(rows, query)
        .into_iter()
        .take(limit)
        .map(|(row, score)| memory(row, score))
        .collect();
    for memory in &mut memories {
        let gone = |path: &&String| {
            let path = kitbag_types::RepoPath::new(path.as_str());
            path.map_or(true, |path| engine.tree.read(&path).is_err())
        };
        memory.missing_files = memory.files.iter().filter(gone).cloned().collect();
    }
    Ok(RecallReply {
        memories,
        warnings: engine.take_notices(),
    })
}

/// False: there is none with this id.
pub fn forget(engine: &Engine, user: &str, id: i64) -> Result<bool, EngineError> {
    Ok(engine.journal(|journal| journal.forget(user, id))?)
}

/// Notes whether items of a pack were of use. `items` are citations or `path:first-last`.
pub fn give_feedback(
    engine: &Engine,
    user: &str,
    pack: &str,
    items: &[String],
    useful: bool,
    now: Timestamp,
) -> Result<(u64, u64), EngineError> {
    let one_line = |text: &str| (1..=300).contains(&text.len()) && !text.contains(['\n', '\r']);
    if items.is_empty() || items.len() > 500 || !items.iter().all(|item| one_line(item)) || pack.len() > 100 {
        let message =
            "feedback names 1 to 500 items, each a citation or path:first-last, and a pack by its id";
        return Err(invalid("INVALID_FEEDBACK", message.into()));
    }
    Ok(engine.journal(|journal| {
        journal.feedback(user, pack, items, useful, now)?;
        journal.n_feedback(user)
    })?)
}

fn memory(row: MemoryRow, score: f64) -> Memory {
    Memory {
        id: row.id,
        kind: row.kind,
        content: row.content,
        files: row.files,
        tags: row.tags,
        created: row.created.0,
        missing_files: Vec::new(),
        score: rounded(score),
    }
}

/// Rows come newest first and stay so among equals.
fn scored(rows: Vec<MemoryRow>, query: Option<&str>) -> Vec<(MemoryRow, f64)> {
    let Some(query) = query else {
        return rows.into_iter().map(|row| (row, 1.0)).collect();
    };
    let wanted: BTreeSet<String> = terms_of(query).into_iter().collect();
    let words = |row: &MemoryRow| -> BTreeSet<String> {
        let texts = std::iter::once(&row.content).chain(&row.tags).chain(&row.files);
        texts.flat_map(|text| terms_of(text)).collect()
    };
    let sets: Vec<BTreeSet<String>> = rows.iter().map(words).collect();
    let weights: BTreeMap<&String, f64> = wanted
        .iter()
        .map(|term| {
            let n = sets.iter().filter(|set| set.contains(term)).count();
            (term, (1.0 + sets.len() as f64 / (1.0 + n as f64)).ln())
        })
        .collect();
    let total: f64 = weights.values().sum();
    let mut found: Vec<(MemoryRow, f64)> = rows
        .into_iter()
        .zip(&sets)
        .map(|(row, set)| {
            let has: f64 = wanted
                .iter()
                .filter(|term| set.contains(*term))
                .map(|term| weights[term])
                .sum();
            (row, if total > 0.0 { has / total } else { 0.0 })
        })
        .filter(|(_, score)| *score > 0.0)
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| b.0.id.cmp(&a.0.id)));
    found
}
