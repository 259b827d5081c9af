//! `stats`: the state of a project in one answer, the same at every door: who answers, what is indexed, which providers can be
//! asked and what they gave, what was asked lately, and what is being rebuilt (MET-1).
//!
//! The door adds what only it knows ([`DoorState`]): its settings, and in a server the watcher.

use kitbag_store::{Snapshot, StoreError, UsageRow};
use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::jobs::{JobReply, jobs};
use super::pack::PROVIDER_TIMES;
use super::stats::{LanguageStats, languages_of};
use super::status::{StatusReply, status};
use super::usage::{UsageReply, latency_of, summary, usage_rows};
use crate::{Engine, EngineError};

/// Requests that are listed, newest first.
const RECENT: usize = 10;
/// Days that are looked back if nobody says how many.
const STATS_DAYS: u64 = 30;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct ContextStatsRequest {
    // Of use to sum up; 30 without it. A description would cost every agent tokens.
    #[schemars(range(min = 1, max = 999))]
    pub days: Option<u64>,
    /// Default 500.
    #[schemars(range(min = 200, max = 25_000))]
    pub max_tokens: Option<usize>,
}

/// What only a door knows.
#[derive(Clone, Debug, Default, Serialize, JsonSchema, PartialEq)]
pub struct DoorState {
    /// The setting `engine.enabled`. While it is false, questions are refused and nothing is indexed.
    pub enabled: bool,
    /// `embedded`, `standalone` or `hybrid`: the setting `engine.mode`.
    pub mode: String,
    /// What the watcher of a server does; null at the command line.
    pub indexing: Option<IndexingNow>,
    /// What is wrong with the configuration files, if they are not in force.
    pub configuration_refused: Option<String>,
    /// Of a server.
    pub uptime_seconds: Option<u64>,
}

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct IndexingNow {
    pub phase: String,
    pub done: usize,
    pub total: usize,
    pub percent: u64,
    pub runs: usize,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ContextStats {
    #[serde(flatten)]
    pub door: DoorState,
    pub index: StatusReply,
    pub languages: Vec<LanguageStats>,
    /// In the order in which they are asked.
    pub providers: Vec<ProviderStats>,
    pub usage: UsageReply,
    /// The last requests, newest first.
    pub recent: Vec<RecentRequest>,
    /// The rebuild that waits or runs; null if there is none.
    pub rebuild: Option<JobReply>,
}

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct ProviderStats {
    pub name: String,
    /// It would be asked now and could answer.
    pub available: bool,
    /// Why not.
    pub missing: Option<String>,
    /// Requests that it gave an item to.
    pub used: u64,
    pub items: u64,
    /// Of all items, 0 to 1; an item may have several providers.
    pub share: f64,
    /// Processor time for a pack; null if none was made.
    pub p50_ms: Option<f64>,
    pub p95_ms: Option<f64>,
}

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct RecentRequest {
    /// Milliseconds since 1970.
    pub at: i64,
    pub door: String,
    pub operation: String,
    pub ms: f64,
    pub items: u64,
    pub tokens: u64,
    pub cache_hit: bool,
}

/// `user` decides whose rebuild is seen.
pub fn context_stats(
    engine: &Engine,
    request: &ContextStatsRequest,
    door: DoorState,
    user: &str,
    now: Timestamp,
) -> Result<ContextStats, EngineError> {
    let index = status(engine)?;
    let days = request.days.unwrap_or(STATS_DAYS);
    let rows = usage_rows(engine, days, now)?;
    let usage = summary(&rows, days, now);
    // A store that is missing or broken is told by `index`.
    let store = match engine.read_store() {
        Err(StoreError::Missing { .. } | StoreError::Corrupt { .. }) => None,
        other => Some(other?),
    };
    let snapshot = match &store {
        Some(store) => Snapshot::open(store, engine.root())?,
        None => None,
    };
    let languages = snapshot.as_ref().map(languages_of).transpose()?;
    let is_rebuild = |job: &JobReply| job.finished_at.is_none() && job.kind.starts_with("rebuild");
    Ok(ContextStats {
        door,
        languages: languages.unwrap_or_default(),
        providers: providers(engine, snapshot.as_ref(), &index, &usage, &rows)?,
        recent: rows.iter().rev().take(RECENT).map(recent).collect(),
        rebuild: jobs(engine, user, now)?.into_iter().find(is_rebuild),
        index,
        usage,
    })
}

fn providers(
    engine: &Engine,
    snapshot: Option<&Snapshot<'_>>,
    index: &StatusReply,
    usage: &UsageReply,
    rows: &[UsageRow],
) -> Result<Vec<ProviderStats>, EngineError> {
    let stages = rows.iter().flat_map(|row| &row.stages);
    let latency =
        latency_of(stages.filter_map(|(name, micros)| Some((name.strip_prefix(PROVIDER_TIMES)?, *micros))));
    let mut stats = Vec::new();
    for provider in &engine.providers {
        let name = provider.name();
        let missing = missing(engine, snapshot, index, name)?;
        let share = usage.providers.iter().find(|share| share.name == name);
        let times = latency.iter().find(|times| times.operation == name);
        let is_of = |row: &&UsageRow| row.providers.iter().any(|(of, n)| of == name && *n > 0);
        stats.push(ProviderStats {
            name: name.to_owned(),
            available: missing.is_none(),
            missing,
            used: rows.iter().filter(is_of).count() as u64,
            items: share.map_or(0, |share| share.items),
            share: share.map_or(0.0, |share| share.share),
            p50_ms: times.map(|times| times.p50_ms),
            p95_ms: times.map(|times| times.p95_ms),
        });
    }
    Ok(stats)
}

/// Why a provider cannot answer.
fn missing(
    engine: &Engine,
    snapshot: Option<&Snapshot<'_>>,
    index: &StatusReply,
    name: &str,
) -> Result<Option<String>, EngineError> {
    if !engine.is_on(name) {
        return Ok(Some(format!("switched off: providers.{name}.enabled is false")));
    }
    let Some(snapshot) = snapshot else {
        return Ok(Some("nothing is indexed".to_owned()));
    };
    Ok(match name {
        "full_text" => snapshot.text_fault().map(|fault| fault.to_string()),
        "semantic" if index.vectors <= 0.0 => Some("there are no vectors yet".to_owned()),
        "git_history" if snapshot.history()?.is_none_or(|(_, n_commits)| n_commits == 0) => {
            Some("no commits are indexed".to_owned())
        }
        _ => None,
    })
}

fn recent(row: &UsageRow) -> RecentRequest {
    RecentRequest {
        at: row.at,
        door: row.door.clone(),
        operation: row.operation.clone(),
        ms: (row.total_us as f64 / 100.0).round() / 10.0,
        items: row.items,
        tokens: row.tokens,
        cache_hit: row.cache_hit,
    }
}
