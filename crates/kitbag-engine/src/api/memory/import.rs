//! Memories from what a project has written down already: decision records, AGENTS.md, CLAUDE.md, CONTRIBUTING, trailers of commits, and
//! files that `export` wrote (MEM-1). Each cites the place it was read from, so that it drifts when the document does.

mod documents;

use std::time::Duration;

use kitbag_store::{CitationRow, MemoryRow, Snapshot};
use kitbag_types::{LineRange, RepoPath, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::remember::{RememberRequest, cited, new_row};
use super::{invalid, text, with_snapshot};
use crate::memory::TreeCode;
use crate::memory::cite::{Cited, citation};
use crate::memory::likeness::same_words;
use crate::{Engine, EngineError};
use documents::{Said, documents_of, said_by, said_in};

/// What to read. Without files: the documents of the project and the trailers of its commits.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ImportMemoriesRequest {
    /// Documents, or files that `export` wrote.
    pub files: Vec<String>,
    /// Only say what would be kept.
    pub dry_run: bool,
}

#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ImportMemoriesReply {
    pub added: Vec<ImportedMemory>,
    /// Known already.
    pub known: usize,
    pub files: usize,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ImportedMemory {
    /// 0 in a dry run.
    pub id: i64,
    pub kind: String,
    pub content: String,
    /// `path:line`, or a commit.
    pub source: String,
}

const GIT_LIMIT: Duration = Duration::from_secs(20);
const MOST_COMMITS: usize = 2_000;
/// Of one import (SEC-4).
const MOST_IMPORTED: usize = 2_000;
/// What a document says was meant for everybody; what a commit says, for that commit.
const OF_DOCUMENT: f64 = 0.8;
const OF_COMMIT: f64 = 0.6;

pub fn import_memories(
    engine: &Engine,
    user: &str,
    request: &ImportMemoriesRequest,
    now: Timestamp,
) -> Result<ImportMemoriesReply, EngineError> {
    let mut reply = ImportMemoriesReply::default();
    let mut rows = with_snapshot(engine, |snapshot| {
        rows(engine, snapshot, request, &mut reply, now)
    })?;
    if rows.len() > MOST_IMPORTED {
        reply.warnings.push(format!(
            "{} memories; only the first {MOST_IMPORTED} are taken",
            rows.len()
        ));
        rows.truncate(MOST_IMPORTED);
    }
    let mut known = engine.journal(|journal| journal.memories(user))?;
    for row in rows {
        if known
            .iter()
            .any(|old| old.kind == row.kind && same_words(&old.content, &row.content))
        {
            reply.known += 1;
            continue;
        }
        let (id, is_new) = match request.dry_run {
            true => (0, true),
            false => engine.journal(|journal| journal.remember(user, &row))?,
        };
        if is_new {
            reply.added.push(ImportedMemory {
                id,
                kind: row.kind.clone(),
                content: row.content.clone(),
                source: row.source.clone(),
            });
        } else {
            reply.known += 1;
        }
        known.push(row);
    }
    reply.warnings.extend(engine.take_notices());
    Ok(reply)
}

fn rows(
    engine: &Engine,
    snapshot: Option<&Snapshot<'_>>,
    request: &ImportMemoriesRequest,
    reply: &mut ImportMemoriesReply,
    now: Timestamp,
) -> Result<Vec<MemoryRow>, EngineError> {
    let importer = Importer {
        engine,
        snapshot,
        now,
    };
    let mut rows = Vec::new();
    let paths = match request.files.is_empty() {
        true => documents_of(snapshot)?,
        false => named(engine, &request.files)?,
    };
    for path in paths {
        let source = engine
            .tree
            .read(&path)
            .map_err(|_| invalid("INVALID_PATH", format!("{path} cannot be read")))?;
        reply.files += 1;
        match text::read(&source.text) {
            Some((blocks, wrong)) => {
                reply
                    .warnings
                    .extend(wrong.iter().map(|what| format!("{path}, {what}")));
                rows.extend(
                    blocks
                        .into_iter()
                        .filter_map(|block| importer.block(block, reply)),
                );
            }
            None => {
                let said = said_in(&path, &source.text);
                rows.extend(said.into_iter().filter_map(|said| importer.said(&path, said)));
            }
        }
    }
    if request.files.is_empty() {
        let commits = kitbag_repo::commits(engine.root(), MOST_COMMITS, GIT_LIMIT).unwrap_or_default();
        for commit in &commits {
            for said in said_by(commit) {
                rows.extend(importer.commit(commit, said));
            }
        }
    }
    Ok(rows)
}

fn named(engine: &Engine, files: &[String]) -> Result<Vec<RepoPath>, EngineError> {
    if files.len() > 200 {
        return Err(invalid("INVALID_PATH", "at most 200 files are taken".into()));
    }
    let resolve = |file: &String| engine.tree.resolve(std::path::Path::new(file), engine.root());
    Ok(files.iter().map(resolve).collect::<Result<Vec<_>, _>>()?)
}

struct Importer<'i, 's> {
    engine: &'i Engine,
    snapshot: Option<&'i Snapshot<'s>>,
    now: Timestamp,
}

impl Importer<'_, '_> {
    /// A block of an export. Places that are no longer there are left out, and that is said.
    fn block(&self, block: text::Block, reply: &mut ImportMemoriesReply) -> Option<MemoryRow> {
        let code = TreeCode::new(self.engine, self.snapshot);
        let mut citations: Vec<CitationRow> = Vec::new();
        for place in &block.request.cites {
            match cited(self.engine, self.snapshot, &code, place) {
                Ok(citation) => citations.push(citation),
                Err(error) => reply
                    .warnings
                    .push(format!("`{}`: {error}", block.request.content)),
            }
        }
        let request = RememberRequest {
            cites: Vec::new(),
            ..block.request
        };
        match new_row(self.engine, self.snapshot, &request, self.now) {
            Ok(row) => Some(MemoryRow {
                citations,
                source: block.source,
                ..row
            }),
            Err(error) => {
                reply.warnings.push(error.to_string());
                None
            }
        }
    }

    /// What a document says, citing the lines that say it.
    fn said(&self, path: &RepoPath, said: Said) -> Option<MemoryRow> {
        let code = TreeCode::new(self.engine, self.snapshot);
        let lines = LineRange::new(said.line, said.last_line.max(said.line));
        let citation = citation(&code, path.as_str(), &Cited::Lines(lines))?;
        let source = format!("{path}:{}", said.line);
        let row = self.row(said, OF_DOCUMENT, source)?;
        Some(MemoryRow {
            citations: vec![citation],
            ..row
        })
    }

    fn commit(&self, commit: &kitbag_repo::Commit, said: Said) -> Option<MemoryRow> {
        let id: String = commit.id.chars().take(12).collect();
        let row = self.row(said, OF_COMMIT, id)?;
        let files: Vec<String> = commit.paths.iter().take(10).map(ToString::to_string).collect();
        Some(MemoryRow { files, ..row })
    }

    fn row(&self, said: Said, confidence: f64, source: String) -> Option<MemoryRow> {
        let request = RememberRequest {
            content: said.content,
            kind: said.kind,
            confidence: Some(confidence),
            tags: vec!["imported".to_owned()],
            ..RememberRequest::default()
        };
        let row = new_row(self.engine, self.snapshot, &request, self.now).ok()?;
        Some(MemoryRow { source, ..row })
    }
}
