//! `eval`: measures how well queries with known answers find them (RET-42).
//!
//! The store and the snapshot are opened once, so that a time is the time of a question and not of a start. What is measured
//! is what `search` answers, file checks and all. Everything but `timing` is a function of index and queries: equal bytes
//! for equal runs. Queries are arguments; the door reads and writes their files.

mod compare;
mod conventions;
mod definitions;
mod figures;
mod history;
mod measure;
mod message;
mod packs;
mod replay;

use std::collections::BTreeMap;
use std::time::Duration;

use kitbag_store::{FileState, Snapshot};
use kitbag_types::{RepoPath, Stop, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use compare::{EvalChange, EvalComparison, EvalDifference, compare_evals};
pub use conventions::{
    ConventionResult, ConventionStep, EvalConventions, EvalConventionsRequest, eval_conventions,
};
pub use definitions::{EvalDefinition, EvalDefinitions};
pub use figures::{
    EvalFigures, EvalGroup, EvalMeasures, EvalMetric, EvalSummary, EvalTiming, METRICS, join_evals,
};
pub use history::{EvalHistory, EvalHistoryRequest, eval_history};
pub use packs::{EvalPack, EvalPacks};
pub use replay::{EvalEdits, EvalMemories, EvalMemoriesRequest, EvalReplayCase, eval_memories};

use super::search::{SearchRequest, check, update};
use crate::{Engine, EngineError, Progress};

/// A query and what answers it.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalQuery {
    /// Unique among the queries of a run.
    pub id: String,
    /// Figures are means within a repository, then over repositories. Empty: the project itself.
    pub repo: String,
    pub query: String,
    pub category: Option<String>,
    /// If empty, the language of the first gold file.
    pub language: Option<String>,
    pub gold: Vec<EvalGold>,
    /// One of `gold` is enough.
    pub any: bool,
    /// A gold path may be the end of a result's path, or the other way round.
    pub path_ends: bool,
    /// Lines that answer it, or that its change touched: what a pack should show, and the definitions that it is about.
    pub gold_lines: Vec<EvalGold>,
    /// Definitions in the gold files that answer it, by name: `next`, or `Parser::next`.
    pub gold_names: Vec<String>,
    /// False: the project holds no answer. Such a query counts only for how well the match score tells the two kinds apart.
    pub answerable: bool,
    /// What to switch off for this query, besides [`EvalRequest::without`].
    pub without: Vec<String>,
}

impl EvalQuery {
    /// A question and the files that answer it.
    pub fn new(id: impl Into<String>, query: impl Into<String>, gold: Vec<EvalGold>) -> Self {
        Self {
            id: id.into(),
            repo: String::new(),
            query: query.into(),
            category: None,
            language: None,
            gold,
            any: false,
            path_ends: false,
            gold_lines: Vec::new(),
            gold_names: Vec::new(),
            answerable: true,
            without: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct EvalGold {
    pub path: String,
    pub lines: Option<(u32, u32)>,
}

#[derive(Clone, Debug)]
pub struct EvalRequest {
    pub queries: Vec<EvalQuery>,
    /// Number of chunks that are evaluated.
    pub top: usize,
    /// Names of [`super::switches`] to switch off.
    pub without: Vec<String>,
    /// Files that do not count as results, because they have the questions word for word.
    pub passed_over: Vec<String>,
    /// Run again with each switch off.
    pub ablate: bool,
    /// Budgets of packs that are made for every query with gold lines and judged.
    pub packs: Vec<usize>,
    /// Whether those packs tell what concerns the code, as in a request for a pack.
    pub include_brief: Option<bool>,
    /// Bring the index up to date first.
    pub update: bool,
}

/// A run over a set of queries.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EvalRun {
    pub top: usize,
    pub without: Vec<String>,
    /// Of the index.
    pub files: u64,
    pub chunks: u64,
    pub summary: EvalSummary,
    pub results: Vec<EvalResult>,
    /// With `ablate`, in the order of [`super::switches`].
    pub ablation: Vec<EvalAblation>,
    /// Caveats about the figures, for the door to show.
    pub notes: Vec<String>,
    pub warnings: Vec<String>,
    /// The only part that differs from run to run.
    pub timing: EvalTiming,
}

/// A figure of a query; `None`: the query has no such figure.
type Figure<'f> = dyn Fn(&EvalResult) -> Option<f64> + 'f;

/// The mean of a figure over queries.
type MeanOf<'m> = dyn Fn(&Figure<'_>) -> f64 + 'm;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EvalResult {
    pub id: String,
    pub repo: String,
    pub query: String,
    pub category: Option<String>,
    pub language: Option<String>,
    pub any: bool,
    pub gold: Vec<EvalFound>,
    /// The first distinct files, best first.
    pub first: Vec<String>,
    pub measures: EvalMeasures,
    /// Of the chunks up to and including the first one of a gold file (MET-2); nothing if there is none.
    #[serde(default)]
    pub tokens_to_gold: Option<u64>,
    /// Tokens that an agent with grep would have read (docs/quality.md); null if it would not have found a gold file.
    #[serde(default)]
    pub baseline_tokens: Option<u64>,
    /// The score of [`super::Matched`]: how well the best result matches at all.
    #[serde(default)]
    pub match_score: f64,
    /// The project holds no answer.
    #[serde(default)]
    pub unanswerable: bool,
    /// The definitions that the query is about, if it names them, and where they were found.
    #[serde(default)]
    pub definitions: Vec<EvalDefinition>,
    #[serde(default)]
    pub packs: Vec<EvalPack>,
}

/// A gold file and where it was found.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EvalFound {
    pub path: String,
    pub lines: Option<(u32, u32)>,
    /// Among distinct files, from 1.
    pub rank: Option<usize>,
    /// Among chunks, from 1, lines considered.
    pub chunk_rank: Option<usize>,
    /// False: it cannot be found.
    pub indexed: bool,
}

/// The loss (negative) or gain without a provider or factor.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EvalAblation {
    pub without: String,
    pub ndcg10: f64,
    pub all5: f64,
    pub recall10: f64,
    /// Queries whose NDCG@10 changes.
    pub changed: usize,
}

pub fn eval(
    engine: &Engine,
    request: &EvalRequest,
    progress: &mut dyn FnMut(Progress<'_>),
    clock: &(dyn Fn() -> Duration + Sync),
    now: Timestamp,
) -> Result<EvalRun, EngineError> {
    // What is wrong with a query is said before anything is indexed.
    for query in &request.queries {
        check(engine, &search_request(request, query, None)).map_err(|error| of_query(error, query))?;
    }
    let (mut run, repaired) = engine.repairing(|again| {
        let mut warnings = Vec::new();
        if request.update || again {
            update(engine, Stop::never(), progress, now, &mut warnings)?;
        }
        with_snapshot(engine, |snapshot| {
            measure::run(engine, snapshot, request, (clock, now), warnings)
        })
    })?;
    run.warnings.extend(repaired);
    Ok(run)
}

fn with_snapshot<T>(
    engine: &Engine,
    work: impl FnOnce(&Snapshot<'_>) -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    let store = engine.open_store()?;
    work(&engine.snapshot(&store)?)
}

fn search_request(request: &EvalRequest, query: &EvalQuery, off: Option<&str>) -> SearchRequest<'static> {
    let without = request.without.iter().chain(&query.without).map(String::as_str);
    SearchRequest {
        top: Some(request.top),
        update: false,
        without: without.chain(off).map(str::to_owned).collect(),
        ..SearchRequest::new(query.query.as_str())
    }
}

fn of_query(error: EngineError, query: &EvalQuery) -> EngineError {
    match error {
        EngineError::Invalid { code, message } => EngineError::Invalid {
            code,
            message: format!("query {}: {message}", query.id),
        },
        other => other,
    }
}

fn indexed_languages(snapshot: &Snapshot<'_>) -> Result<BTreeMap<RepoPath, String>, EngineError> {
    let files = snapshot.files()?.into_iter();
    Ok(files
        .filter(|file| file.state == FileState::Indexed)
        .map(|file| (file.path, file.language))
        .collect())
}
