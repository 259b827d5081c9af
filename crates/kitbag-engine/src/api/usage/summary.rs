//! `stats`: rows of the journal in, what they add up to out. One pure function of rows and time, and a reply.

use std::collections::BTreeMap;

use kitbag_store::UsageRow;
use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::DAY_MS;
use super::baseline::MOST_TOKENS;
use crate::{Engine, EngineError};

/// Said wherever the saving is shown.
const BASELINE: &str = "an estimate: what an agent would read that greps for the question's three rarest words and reads about \
                        forty lines around each match until it has the best file of the answer, at most 100,000 tokens; a \
                        model, not a measurement";

/// Requests that are named for what they saved.
const TOP: usize = 5;
/// Days of the trend.
const TREND_DAYS: i64 = 14;

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct UsageReply {
    pub days: u64,
    pub requests: u64,
    /// Requests by door.
    pub doors: BTreeMap<String, u64>,
    pub tokens_delivered: u64,
    pub duplicate_tokens: u64,
    pub session_tokens: u64,
    pub cache_hits: u64,
    /// Mean share of the budget, of requests that had one.
    pub utilisation: Option<f64>,
    pub saving: UsageSaving,
    pub top_savings: Vec<UsageTop>,
    /// Shares of items; one may have several providers.
    pub providers: Vec<UsageShare>,
    pub languages: Vec<UsageShare>,
    pub latency: Vec<UsageLatency>,
    /// The last days up to today, oldest first.
    pub trend: Vec<UsageDay>,
}

/// Tokens against what an agent would have read without Kitbag.
#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct UsageSaving {
    pub basis: &'static str,
    /// Requests that could be compared, and those that could not, which count for nothing.
    pub counted: u64,
    pub unknown: u64,
    /// Of the middle request of the counted ones; may be negative. No sum: it would add up guesses.
    pub median_saved_tokens: Option<i64>,
    /// Share of the baseline that the middle request saved, in percent.
    pub median_saved_percent: Option<f64>,
}

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct UsageTop {
    pub at: i64,
    pub door: String,
    pub operation: String,
    pub tokens: u64,
    pub baseline_tokens: u64,
    pub saved_tokens: i64,
}

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct UsageShare {
    pub name: String,
    pub items: u64,
    /// 0 to 1.
    pub share: f64,
}

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct UsageLatency {
    pub operation: String,
    pub requests: u64,
    pub p50_ms: f64,
    pub p95_ms: f64,
}

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct UsageDay {
    /// `2026-01-31`, in UTC.
    pub day: String,
    pub requests: u64,
    pub tokens: u64,
}

/// What was asked of this project in the last `days`.
pub fn usage_stats(engine: &Engine, days: u64, now: Timestamp) -> Result<UsageReply, EngineError> {
    let span = i64::try_from(days).unwrap_or(i64::MAX).saturating_mul(DAY_MS);
    let rows = engine.read_journal(|journal| journal.usage(now.0.saturating_sub(span)))?;
    Ok(summary(&rows.unwrap_or_default(), days, now))
}

fn summary(rows: &[UsageRow], days: u64, now: Timestamp) -> UsageReply {
    let sum = |number: fn(&UsageRow) -> u64| rows.iter().map(number).sum();
    let mut doors = BTreeMap::new();
    for row in rows {
        *doors.entry(row.door.clone()).or_default() += 1;
    }
    let used: Vec<f64> = rows
        .iter()
        .filter(|row| row.budget > 0)
        .map(|row| row.tokens as f64 / row.budget as f64)
        .collect();
    let n_items = sum(|row| row.items);
    UsageReply {
        days,
        requests: rows.len() as u64,
        doors,
        tokens_delivered: sum(|row| row.tokens),
        duplicate_tokens: sum(|row| row.duplicate_tokens),
        session_tokens: sum(|row| row.session_tokens),
        cache_hits: rows.iter().filter(|row| row.cache_hit).count() as u64,
        utilisation: (!used.is_empty()).then(|| to_digits(used.iter().sum::<f64>() / used.len() as f64, 3)),
        saving: saving(rows),
        top_savings: top(rows),
        providers: shares(rows, n_items, |row| &row.providers),
        languages: shares(rows, n_items, |row| &row.languages),
        latency: latency(rows),
        trend: trend(rows, now),
    }
}

/// What a request saved, if it could be compared.
fn saved(row: &UsageRow) -> Option<i64> {
    baseline(row).map(|baseline| baseline as i64 - row.tokens as i64)
}

/// Rows of earlier versions hold whole files, many times what fits a window.
fn baseline(row: &UsageRow) -> Option<u64> {
    row.baseline_tokens.map(|tokens| tokens.min(MOST_TOKENS))
}

fn saving(rows: &[UsageRow]) -> UsageSaving {
    let counted: Vec<(u64, i64)> = rows
        .iter()
        .filter_map(|row| Some((baseline(row)?, saved(row)?)))
        .collect();
    let mut tokens: Vec<i64> = counted.iter().map(|(_, saved)| *saved).collect();
    tokens.sort_unstable();
    let mut percents: Vec<f64> = counted
        .iter()
        .map(|(baseline, saved)| 100.0 * *saved as f64 / (*baseline).max(1) as f64)
        .collect();
    percents.sort_by(f64::total_cmp);
    UsageSaving {
        basis: BASELINE,
        counted: counted.len() as u64,
        unknown: (rows.len() - counted.len()) as u64,
        median_saved_tokens: quantile(&tokens, 0.5),
        median_saved_percent: quantile(&percents, 0.5).map(|percent| to_digits(percent, 1)),
    }
}

fn top(rows: &[UsageRow]) -> Vec<UsageTop> {
    let mut top: Vec<UsageTop> = rows
        .iter()
        .filter_map(|row| {
            Some(UsageTop {
                at: row.at,
                door: row.door.clone(),
                operation: row.operation.clone(),
                tokens: row.tokens,
                baseline_tokens: baseline(row)?,
                saved_tokens: saved(row).filter(|saved| *saved > 0)?,
            })
        })
        .collect();
    top.sort_by(|a, b| {
        let by_saving = b.saved_tokens.cmp(&a.saved_tokens);
        by_saving
            .then_with(|| a.at.cmp(&b.at))
            .then_with(|| a.operation.cmp(&b.operation))
            .then_with(|| a.tokens.cmp(&b.tokens))
    });
    top.truncate(TOP);
    top
}

fn shares(rows: &[UsageRow], n_items: u64, of: fn(&UsageRow) -> &Vec<(String, u64)>) -> Vec<UsageShare> {
    let mut items: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, n) in rows.iter().flat_map(of) {
        *items.entry(name).or_default() += n;
    }
    let mut shares: Vec<UsageShare> = items
        .into_iter()
        .map(|(name, items)| UsageShare {
            name: name.to_owned(),
            items,
            share: to_digits(items as f64 / n_items.max(1) as f64, 3),
        })
        .collect();
    shares.sort_by(|a, b| b.items.cmp(&a.items).then_with(|| a.name.cmp(&b.name)));
    shares
}

fn latency(rows: &[UsageRow]) -> Vec<UsageLatency> {
    let mut times: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for row in rows {
        times.entry(&row.operation).or_default().push(row.total_us);
    }
    let ms = |times: &[u64], share: f64| to_digits(quantile(times, share).unwrap_or(0) as f64 / 1000.0, 1);
    let line = |(operation, mut times): (&str, Vec<u64>)| {
        times.sort_unstable();
        UsageLatency {
            operation: operation.to_owned(),
            requests: times.len() as u64,
            p50_ms: ms(&times, 0.5),
            p95_ms: ms(&times, 0.95),
        }
    };
    times.into_iter().map(line).collect()
}

fn trend(rows: &[UsageRow], now: Timestamp) -> Vec<UsageDay> {
    let today = now.0.div_euclid(DAY_MS);
    let mut days: Vec<UsageDay> = (today - TREND_DAYS + 1..=today)
        .map(|day| UsageDay {
            day: date(day),
            requests: 0,
            tokens: 0,
        })
        .collect();
    for row in rows {
        let idx = row.at.div_euclid(DAY_MS) - (today - TREND_DAYS + 1);
        let day = usize::try_from(idx).ok().and_then(|idx| days.get_mut(idx));
        if let Some(day) = day {
            day.requests += 1;
            day.tokens += row.tokens;
        }
    }
    days
}

/// The value that `share` of the others do not exceed, of sorted ones: the nearest rank.
fn quantile<T: Copy>(sorted: &[T], share: f64) -> Option<T> {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied()
}

fn to_digits(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}

/// A number of days since 1970 as a date.
fn date(days: i64) -> String {
    Timestamp(days.saturating_mul(86_400_000)).date()
}

#[cfg(test)]
mod tests;
