//! `project-stats`: the project in numbers, and what is central in it (IDX-22).

use std::collections::BTreeMap;

use kitbag_store::Snapshot;
use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::indexable::survey;
use crate::{Engine, EngineError, Progress};

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StatsReply {
    pub root: String,
    pub files: u64,
    pub lines: u64,
    pub bytes: u64,
    pub chunks: u64,
    pub symbols: u64,
    pub languages: Vec<LanguageStats>,
    /// Number of skipped paths by reason; a folder counts once.
    pub skipped: BTreeMap<&'static str, u64>,
    /// The files that the rest of the project depends on most.
    pub central: Vec<CentralFile>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LanguageStats {
    pub language: String,
    pub files: u64,
    pub lines: u64,
    pub bytes: u64,
    pub chunks: u64,
    /// Of its chunks, as the index counts them.
    pub tokens: u64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CentralFile {
    pub path: String,
    /// PageRank over the graph of files that use each other's names; all files sum to 1.
    pub rank: f64,
}

/// How many central files are named.
const CENTRAL_FILES: usize = 10;

pub fn project_stats(
    engine: &Engine,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<StatsReply, EngineError> {
    let warnings = super::search::brought_up_to_date(engine, progress, now)?;
    let store = engine.open_store()?;
    let snapshot = engine.snapshot(&store)?;
    let languages = languages_of(&snapshot)?;
    let mut skipped = BTreeMap::new();
    for one in survey(engine, now)?.skipped {
        *skipped.entry(one.reason).or_insert(0) += 1;
    }
    Ok(StatsReply {
        root: engine.root().display().to_string(),
        files: snapshot.state().n_files,
        lines: languages.iter().map(|language| language.lines).sum(),
        bytes: languages.iter().map(|language| language.bytes).sum(),
        chunks: snapshot.state().n_chunks,
        symbols: snapshot.totals()?.0,
        languages,
        skipped,
        central: central(&snapshot)?,
        warnings,
    })
}

/// By name.
pub(super) fn languages_of(snapshot: &Snapshot<'_>) -> Result<Vec<LanguageStats>, EngineError> {
    let chunks = snapshot.chunks_by_language()?;
    let rows = snapshot.languages()?.into_iter();
    let languages = rows.map(|(language, files, lines, bytes)| {
        let of = chunks.iter().find(|(name, ..)| *name == language);
        let (chunks, tokens) = of.map_or((0, 0), |(_, chunks, tokens)| (*chunks, *tokens));
        LanguageStats {
            language,
            files,
            lines,
            bytes,
            chunks,
            tokens,
        }
    });
    Ok(languages.collect())
}

/// Files by PageRank over the graph of names: an edge from each file that uses a name to each that defines it; the more files
/// define it, the lower its weight.
fn central(snapshot: &Snapshot<'_>) -> Result<Vec<CentralFile>, EngineError> {
    let ranked = crate::central::ranked(snapshot)?.into_iter().take(CENTRAL_FILES);
    let ranked = ranked.map(|(path, rank)| CentralFile {
        path: path.to_string(),
        rank,
    });
    Ok(ranked.collect())
}
