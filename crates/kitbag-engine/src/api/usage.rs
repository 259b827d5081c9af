//! Records of requests and their cost, written by the doors after they have answered, and `stats`, which sums them (MET-1, MET-2).
//!
//! An entry has numbers and fixed words, and nothing of a question or a file (SEC-2). So the estimate of what an agent
//! would have read without Kitbag is made while the question is known ([`usage_of_pack`], [`usage_of_search`]) and kept as a
//! number. Recording never makes an answer fail: callers of [`record`] treat an error as a warning.

mod baseline;
mod summary;

use std::collections::BTreeMap;
use std::time::Duration;

use kitbag_store::UsageRow;
use kitbag_types::Timestamp;

use super::{PackReply, QueryReply, SearchReply};
use crate::{Engine, EngineError};
pub(super) use baseline::grep_tokens;
pub use summary::{UsageDay, UsageLatency, UsageReply, UsageSaving, UsageShare, UsageTop, usage_stats};
pub(super) use summary::{latency_of, summary, usage_rows};

const DAY_MS: i64 = 86_400_000;

/// One request, as its door saw it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsageEntry {
    /// `cli`, `mcp` or `http`.
    pub door: &'static str,
    /// `pack`, `search`, `query`, `symbol` …
    pub operation: &'static str,
    pub total: Duration,
    /// Milliseconds by stage.
    pub stages_ms: BTreeMap<String, f64>,
    pub candidates: u64,
    pub items: u64,
    pub tokens: u64,
    /// 0 if there was none.
    pub budget: u64,
    /// Tokens of duplicates and overlaps that were left out.
    pub duplicate_tokens: u64,
    /// Tokens that the session had been shown before.
    pub session_tokens: u64,
    pub cache_hit: bool,
    /// Items by provider (one may have several) and by language.
    pub providers: BTreeMap<String, u64>,
    pub languages: BTreeMap<String, u64>,
    /// Tokens that an agent without Kitbag would have read; docs/quality.md says how they are estimated. `None` if they cannot be.
    pub baseline_tokens: Option<u64>,
    /// The id of the request, in its log and its answer.
    pub correlation: String,
}

/// The entry of a pack, for [`record`].
pub fn usage_of_pack(
    engine: &Engine,
    door: &'static str,
    reply: &PackReply,
    total: Duration,
) -> Result<UsageEntry, EngineError> {
    let mut entry = UsageEntry {
        door,
        operation: "pack",
        total,
        stages_ms: reply.timings_ms.clone(),
        candidates: reply.stats.candidates as u64,
        items: reply.items.len() as u64,
        tokens: reply.tokens as u64,
        budget: reply.budget as u64,
        duplicate_tokens: reply.stats.tokens_saved as u64,
        session_tokens: reply
            .session
            .as_ref()
            .map_or(0, |session| session.tokens_saved as u64),
        ..UsageEntry::default()
    };
    for item in &reply.items {
        for provider in &item.providers {
            *entry.providers.entry(provider.clone()).or_default() += 1;
        }
        *entry.languages.entry(item.language.clone()).or_default() += 1;
    }
    // An agent has the sources that were handed in without searching.
    let found = reply
        .items
        .iter()
        .filter(|item| item.is_file && item.source == "search");
    let best = found.min_by_key(|item| item.rank).map(|item| item.path.as_str());
    entry.baseline_tokens = baseline::of_answer(engine, &reply.task, best)?;
    Ok(entry)
}

/// The entry of a search, for [`record`].
pub fn usage_of_search(
    engine: &Engine,
    door: &'static str,
    reply: &SearchReply,
    total: Duration,
) -> Result<UsageEntry, EngineError> {
    let mut entry = UsageEntry {
        door,
        operation: "search",
        total,
        items: reply.results.len() as u64,
        tokens: reply.results.iter().map(|hit| u64::from(hit.tokens)).sum(),
        ..UsageEntry::default()
    };
    for hit in &reply.results {
        for provider in &hit.found_by {
            *entry.providers.entry((*provider).to_owned()).or_default() += 1;
        }
        *entry.languages.entry(hit.language.clone()).or_default() += 1;
    }
    let best = reply.results.first().map(|hit| hit.path.as_str());
    entry.baseline_tokens = baseline::of_answer(engine, &reply.query, best)?;
    Ok(entry)
}

/// The entry of a question that was answered with text, for [`record`].
pub fn usage_of_query(
    engine: &Engine,
    door: &'static str,
    (query, budget): (&str, usize),
    reply: &QueryReply,
    total: Duration,
) -> Result<UsageEntry, EngineError> {
    let mut entry = UsageEntry {
        door,
        operation: "query",
        total,
        items: reply.results.len() as u64,
        tokens: reply.tokens as u64,
        budget: budget as u64,
        session_tokens: reply
            .session
            .as_ref()
            .map_or(0, |session| session.tokens_saved as u64),
        ..UsageEntry::default()
    };
    for result in &reply.results {
        *entry.languages.entry(result.language.clone()).or_default() += 1;
    }
    let best = reply.results.first().map(|result| result.path.as_str());
    entry.baseline_tokens = baseline::of_answer(engine, query, best)?;
    Ok(entry)
}

/// Records a request, and deletes records that are older than `keep_days`.
pub fn record(
    engine: &Engine,
    entry: &UsageEntry,
    keep_days: u64,
    now: Timestamp,
) -> Result<(), EngineError> {
    let pairs = |map: &BTreeMap<String, u64>| map.iter().map(|(name, n)| (name.clone(), *n)).collect();
    let row = UsageRow {
        at: now.0,
        door: entry.door.to_owned(),
        operation: entry.operation.to_owned(),
        total_us: entry.total.as_micros() as u64,
        stages: entry
            .stages_ms
            .iter()
            .map(|(stage, ms)| (stage.clone(), (ms * 1000.0).max(0.0) as u64))
            .collect(),
        candidates: entry.candidates,
        items: entry.items,
        tokens: entry.tokens,
        budget: entry.budget,
        duplicate_tokens: entry.duplicate_tokens,
        session_tokens: entry.session_tokens,
        cache_hit: entry.cache_hit,
        providers: pairs(&entry.providers),
        languages: pairs(&entry.languages),
        baseline_tokens: entry.baseline_tokens,
        correlation: entry.correlation.clone(),
    };
    let keep_ms = i64::try_from(keep_days)
        .unwrap_or(i64::MAX)
        .saturating_mul(DAY_MS);
    Ok(engine.journal(|journal| journal.add_usage(&row, now.0.saturating_sub(keep_ms)))?)
}
