//! `check_memories`, `merge_memories`, `export_memories` and `archive_memory`: what people do with what is kept.

use kitbag_store::{CitationRow, MemoryRow};
use kitbag_types::{RepoPath, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::remember::{LikeMemory, MAX_BYTES, MOST_CITED, alike};
use super::{Memory, invalid, text, with_snapshot};
use crate::memory::check::{place, still_means};
use crate::memory::code::{CodeFile, digest};
use crate::memory::{ServedMemory, TreeCode, looked_at, unchecked};
use crate::{Engine, EngineError};

/// Commits that are looked at for the one that changed something.
const MOST_COMMITS: usize = 200;
const SHORT_ID: usize = 12;

#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct CheckMemoriesReply {
    /// In the order of their ids.
    pub memories: Vec<CheckedMemory>,
    pub fresh: usize,
    pub uncited: usize,
    pub drifted: usize,
    pub orphaned: usize,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CheckedMemory {
    #[serde(flatten)]
    pub memory: Memory,
    /// Those that say nearly the same, or the opposite.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub like: Vec<LikeMemory>,
}

/// Looks at memories against the code, and finds the commit that changed it. All, or those with these ids.
pub fn check_memories(
    engine: &Engine,
    user: &str,
    ids: &[i64],
    now: Timestamp,
) -> Result<CheckMemoriesReply, EngineError> {
    let all = engine.journal(|journal| journal.memories(user))?;
    for id in ids {
        if !all.iter().any(|row| row.id == *id) {
            return Err(unknown(*id));
        }
    }
    let mut rows: Vec<MemoryRow> = all
        .iter()
        .filter(|row| ids.is_empty() || ids.contains(&row.id))
        .cloned()
        .collect();
    rows.sort_by_key(|row| row.id);
    let mut checked = Vec::new();
    let served: Vec<ServedMemory> = with_snapshot(engine, |snapshot| {
        let code = TreeCode::new(engine, snapshot);
        let look = |row: MemoryRow| looked_at(&code, unchecked(row, now), &mut checked);
        Ok(rows.into_iter().map(look).collect())
    })?;
    let mut reply = CheckMemoriesReply::default();
    for mut memory in served {
        let before = memory.row.citations.clone();
        for citation in &mut memory.row.citations {
            find_since(engine, citation);
        }
        if memory.row.citations != before {
            checked.retain(|(id, _)| *id != memory.row.id);
            checked.push((memory.row.id, memory.row.citations.clone()));
            memory.changes = memory
                .row
                .citations
                .iter()
                .filter_map(crate::memory::check::change)
                .collect();
        }
        let like = alike(&memory.row, &all);
        let memory = Memory::from(memory);
        *match memory.state.as_str() {
            "fresh" => &mut reply.fresh,
            "uncited" => &mut reply.uncited,
            "drifted" => &mut reply.drifted,
            _ => &mut reply.orphaned,
        } += 1;
        reply.memories.push(CheckedMemory { memory, like });
    }
    if !checked.is_empty() {
        engine.journal(|journal| journal.keep_verdicts(&checked))?;
    }
    reply.warnings = engine.take_notices();
    Ok(reply)
}

fn unknown(id: i64) -> EngineError {
    invalid("MEMORY_NOT_FOUND", format!("no memory {id}"))
}

/// The first commit after it was cited in which the file no longer means it; what is not committed yet is called so.
fn find_since(engine: &Engine, citation: &mut CitationRow) {
    let is_changed = matches!(citation.state.as_str(), "drifted" | "orphaned");
    let Ok(path) = RepoPath::new(citation.path.as_str()) else {
        return;
    };
    if !is_changed || !citation.since.is_empty() || citation.commit.is_empty() {
        return;
    }
    let commits = kitbag_repo::commits_touching(engine.root(), &path, &citation.commit, MOST_COMMITS);
    let Some(commits) = commits else { return };
    let changes = |commit: &&String| match kitbag_repo::text_at(engine.root(), commit, &path) {
        None => true,
        Some(text) => {
            let hash = digest(&text);
            let file = CodeFile::new(path.as_str(), text, hash, engine.options.clock);
            !still_means(&file, citation)
        }
    };
    let found = commits.iter().find(changes);
    citation.since = match found {
        Some(commit) => commit.chars().take(SHORT_ID).collect(),
        None if place(citation) == citation.path => "the last commit".to_owned(),
        None => String::new(),
    };
}

/// Several memories that say the same become the first of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeMemoriesRequest {
    /// The first is kept, the others are deleted.
    pub ids: Vec<i64>,
    /// What it says then; without it, what the first says.
    #[serde(default)]
    pub content: Option<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MergeMemoriesReply {
    pub id: i64,
    pub content: String,
    pub deleted: Vec<i64>,
}

pub fn merge_memories(
    engine: &Engine,
    user: &str,
    request: &MergeMemoriesRequest,
) -> Result<MergeMemoriesReply, EngineError> {
    let mut ids = Vec::new();
    for id in &request.ids {
        if !ids.contains(id) {
            ids.push(*id);
        }
    }
    if ids.len() < 2 {
        return Err(invalid(
            "INVALID_MEMORY",
            "a merge takes at least two memories".into(),
        ));
    }
    let all = engine.journal(|journal| journal.memories(user))?;
    let mut rows = Vec::new();
    for id in &ids {
        let row = all.iter().find(|row| row.id == *id).ok_or_else(|| unknown(*id))?;
        if row.owner != user {
            let message = format!("memory {id} belongs to somebody else; only its owner can merge it");
            return Err(invalid("MEMORY_NOT_OWNED", message));
        }
        rows.push(row.clone());
    }
    let mut kept = rows.remove(0);
    if let Some(content) = request.content.as_deref().map(str::trim) {
        if content.is_empty() || content.len() > MAX_BYTES {
            let message = format!("a memory has 1 to {MAX_BYTES} bytes, not {}", content.len());
            return Err(invalid("INVALID_MEMORY", message));
        }
        kept.content = engine.tree.redact(content).0.into_owned();
    }
    for other in &rows {
        take_over(&mut kept, other);
    }
    engine.journal(|journal| journal.update_memory(user, &kept))?;
    for other in &rows {
        engine.journal(|journal| journal.forget(user, other.id))?;
    }
    Ok(MergeMemoriesReply {
        id: kept.id,
        content: kept.content,
        deleted: rows.iter().map(|row| row.id).collect(),
    })
}

fn take_over(kept: &mut MemoryRow, other: &MemoryRow) {
    let place = |citation: &CitationRow| {
        (
            citation.path.clone(),
            citation.symbol.clone(),
            citation.line_start,
        )
    };
    for citation in &other.citations {
        if !kept.citations.iter().any(|known| place(known) == place(citation)) {
            kept.citations.push(citation.clone());
        }
    }
    kept.citations.truncate(MOST_CITED);
    for (mine, theirs) in [(&mut kept.tags, &other.tags), (&mut kept.files, &other.files)] {
        for text in theirs {
            if !mine.contains(text) {
                mine.push(text.clone());
            }
        }
        mine.truncate(MOST_CITED);
    }
    kept.uses = kept.uses.saturating_add(other.uses);
    kept.last_used = kept.last_used.max(other.last_used);
    kept.created = kept.created.min(other.created);
    kept.confidence = kept.confidence.max(other.confidence);
    kept.private &= other.private;
    kept.archived &= other.archived;
}

/// Takes a memory out of answers without deleting it, or puts it back. False: there is none of this user with this id.
pub fn archive_memory(engine: &Engine, user: &str, id: i64, archived: bool) -> Result<bool, EngineError> {
    let all = engine.journal(|journal| journal.memories(user))?;
    let Some(row) = all.into_iter().find(|row| row.id == id && row.owner == user) else {
        return Ok(false);
    };
    let row = MemoryRow { archived, ..row };
    Ok(engine.journal(|journal| journal.update_memory(user, &row))?)
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExportMemoriesReply {
    pub memories: usize,
    /// For a file that a team can commit and merge.
    pub text: String,
}

/// What a user's project may share: everything that is not private and not archived, where it is now.
pub fn export_memories(engine: &Engine, user: &str) -> Result<ExportMemoriesReply, EngineError> {
    let rows = engine.journal(|journal| journal.memories(user))?;
    let rows: Vec<MemoryRow> = rows
        .into_iter()
        .filter(|row| !row.private && !row.archived)
        .collect();
    Ok(ExportMemoriesReply {
        memories: rows.len(),
        text: text::written(&rows),
    })
}
