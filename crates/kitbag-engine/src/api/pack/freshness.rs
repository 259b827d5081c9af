//! How old what a pack is made from is (ENG-50): each source with its last update, and one word for all of them.
//!
//! What was compared with the files for this very answer is as old as this answer, whatever the date of its last change.

use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PackWarning;
use crate::pack::PackJob;
use crate::{EngineError, embed, history};

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct PackFreshness {
    /// `fresh`: all under an hour; `stale`: all over a day; `partial`: else.
    pub state: String,
    pub sources: Vec<DataAge>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct DataAge {
    /// `index`, `packages`, `history` or `vectors`.
    pub source: String,
    /// When it was last brought in line with the files, in milliseconds since the Unix epoch.
    pub updated_at: i64,
    pub age_ms: i64,
}

impl PackFreshness {
    fn new(sources: Vec<DataAge>) -> Self {
        let all = |is: fn(&DataAge) -> bool| !sources.is_empty() && sources.iter().all(is);
        let state = if all(|one| one.age_ms < HOUR_MS) {
            "fresh"
        } else if all(|one| one.age_ms > DAY_MS) {
            "stale"
        } else {
            "partial"
        };
        Self {
            state: state.to_owned(),
            sources,
        }
    }

    /// What is older than an hour, with the command that mends it.
    pub(super) fn warnings(&self, now: Timestamp) -> Vec<PackWarning> {
        let old = self.sources.iter().filter(|one| one.age_ms >= HOUR_MS);
        old.map(|one| PackWarning {
            source: one.source.clone(),
            reason: format!(
                "{} was brought up to date {} ago",
                name(&one.source),
                age(now.0 - one.updated_at)
            ),
            fallback: "answered from it as it is; `kitbag index` brings it up to date".to_owned(),
        })
        .collect()
    }
}

fn name(source: &str) -> &'static str {
    match source {
        "packages" => "what is known of the packages",
        "history" => "the history of commits",
        "vectors" => "the search by meaning",
        _ => "the index",
    }
}

/// `3 hours`.
fn age(ms: i64) -> String {
    let (n, unit) = match ms.max(0) {
        ms if ms >= 2 * DAY_MS => (ms / DAY_MS, "day"),
        ms => (ms / HOUR_MS, "hour"),
    };
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {unit}{s}")
}

/// `is_updated`: the index was compared with the files a moment ago.
pub(super) fn freshness_of(job: PackJob<'_>, is_updated: bool) -> Result<PackFreshness, EngineError> {
    let (engine, snapshot) = (job.engine, job.snapshot);
    let state = snapshot.state();
    let checked = if is_updated { job.now.0 } else { state.updated_at };
    let of = |source: &str, is_current: bool| {
        // What lags behind is at most as new as the last change that it has not seen.
        let updated_at = if is_current {
            checked
        } else {
            state.updated_at.min(checked)
        };
        DataAge {
            source: source.to_owned(),
            updated_at,
            age_ms: (job.now.0 - updated_at).max(0),
        }
    };
    let packages = snapshot.packages()?.is_some_and(|row| row.seq == state.seq);
    let mut sources = vec![of("index", true), of("packages", packages)];
    if engine.is_on("git_history") {
        sources.push(of("history", history::is_current(engine, snapshot, false)?));
    }
    if engine.is_on("semantic") {
        sources.push(of("vectors", embed::seen(engine, snapshot) >= state.seq));
    }
    Ok(PackFreshness::new(sources))
}
