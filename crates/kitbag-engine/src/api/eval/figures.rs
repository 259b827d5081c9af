//! From queries to figures: means within a repository, then over repositories, in all and by category, language and
//! repository. One table says which figures there are, what they are called and which way is better.

use std::collections::BTreeMap;
use std::time::Duration;

use kitbag_rank::measure::{Measures, auroc, quantile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EvalDefinitions, EvalPacks, EvalResult, EvalRun, Figure};
use crate::matched::rounded;

/// What `kitbag_rank::measure` says about a query.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EvalMeasures {
    pub ndcg10: f64,
    pub recall1: f64,
    pub recall5: f64,
    pub recall10: f64,
    pub all1: f64,
    pub all3: f64,
    pub all5: f64,
    pub all10: f64,
    pub mrr: f64,
    /// Of the chunks before the first one of a gold file, exact by o200k; 32,000 if there is none.
    pub tokens: u32,
}

impl EvalMeasures {
    pub(super) fn of(measures: &Measures) -> Self {
        Self {
            ndcg10: rounded(measures.ndcg10),
            recall1: rounded(measures.recall1),
            recall5: rounded(measures.recall5),
            recall10: rounded(measures.recall10),
            all1: rounded(measures.all1),
            all3: rounded(measures.all3),
            all5: rounded(measures.all5),
            all10: rounded(measures.all10),
            mrr: rounded(measures.mrr),
            tokens: measures.tokens,
        }
    }
}

/// A figure of a query.
#[derive(Clone, Copy, Debug)]
pub struct EvalMetric {
    /// As in JSON.
    pub name: &'static str,
    /// As in tables.
    pub label: &'static str,
    pub value: fn(&EvalMeasures) -> f64,
    pub less_is_better: bool,
}

const fn metric(name: &'static str, label: &'static str, value: fn(&EvalMeasures) -> f64) -> EvalMetric {
    EvalMetric {
        name,
        label,
        value,
        less_is_better: false,
    }
}

/// In the order of the tables.
pub const METRICS: &[EvalMetric] = &[
    metric("ndcg10", "NDCG@10", |m| m.ndcg10),
    metric("recall1", "R@1", |m| m.recall1),
    metric("recall5", "R@5", |m| m.recall5),
    metric("recall10", "R@10", |m| m.recall10),
    metric("all1", "all@1", |m| m.all1),
    metric("all3", "all@3", |m| m.all3),
    metric("all5", "all@5", |m| m.all5),
    metric("all10", "all@10", |m| m.all10),
    metric("mrr", "MRR", |m| m.mrr),
    EvalMetric {
        less_is_better: true,
        ..metric("tokens", "tokens", |m| m.tokens as f64)
    },
];

/// Means over some queries.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EvalFigures {
    pub queries: usize,
    pub repos: usize,
    pub ndcg10: f64,
    pub recall1: f64,
    pub recall5: f64,
    pub recall10: f64,
    pub all1: f64,
    pub all3: f64,
    pub all5: f64,
    pub all10: f64,
    pub mrr: f64,
    pub tokens: f64,
    /// Over all queries, whatever their repository.
    pub tokens_median: f64,
    /// Of queries that say which definitions they are about.
    #[serde(default)]
    pub definitions: Option<EvalDefinitions>,
    /// By budget, of queries with gold lines.
    #[serde(default)]
    pub packs: Vec<EvalPacks>,
    /// Of the match score, between the queries with an answer and those without (RET-26).
    #[serde(default)]
    pub match_auroc: Option<f64>,
}

/// Some queries and what they have in common.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EvalGroup {
    pub name: String,
    #[serde(flatten)]
    pub figures: EvalFigures,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EvalSummary {
    pub all: EvalFigures,
    /// Each sorted by name; `-` is what has none.
    pub by_category: Vec<EvalGroup>,
    pub by_language: Vec<EvalGroup>,
    pub by_repo: Vec<EvalGroup>,
}

/// How long the searches took, in milliseconds.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct EvalTiming {
    pub p50_ms: f64,
    pub p95_ms: f64,
    /// In the order of `results`.
    pub ms: Vec<f64>,
}

impl EvalFigures {
    pub(super) fn of(results: &[EvalResult]) -> Self {
        let all: Vec<&EvalResult> = results.iter().collect();
        Self::of_some(&all)
    }

    fn of_some(results: &[&EvalResult]) -> Self {
        let (results, without): (Vec<&EvalResult>, Vec<&EvalResult>) =
            results.iter().partition(|result| !result.unanswerable);
        let scores = |some: &[&EvalResult]| some.iter().map(|result| result.match_score).collect::<Vec<_>>();
        let mean_of = |value: &Figure<'_>| mean_of(&results, value);
        let mut repos: BTreeMap<&str, Vec<&EvalMeasures>> = BTreeMap::new();
        for result in &results {
            repos.entry(&result.repo).or_default().push(&result.measures);
        }
        let mean = |value: fn(&EvalMeasures) -> f64| {
            let means = repos.values().map(|measures| {
                let sum: f64 = measures.iter().map(|measures| value(measures)).sum();
                sum / measures.len() as f64
            });
            rounded(means.sum::<f64>() / repos.len().max(1) as f64)
        };
        let mut tokens: Vec<f64> = results
            .iter()
            .map(|result| f64::from(result.measures.tokens))
            .collect();
        tokens.sort_by(f64::total_cmp);
        Self {
            queries: results.len(),
            repos: repos.len(),
            ndcg10: mean(|m| m.ndcg10),
            recall1: mean(|m| m.recall1),
            recall5: mean(|m| m.recall5),
            recall10: mean(|m| m.recall10),
            all1: mean(|m| m.all1),
            all3: mean(|m| m.all3),
            all5: mean(|m| m.all5),
            all10: mean(|m| m.all10),
            mrr: mean(|m| m.mrr),
            tokens: mean(|m| f64::from(m.tokens)),
            tokens_median: quantile(&tokens, 0.5),
            definitions: EvalDefinitions::of(&results, &mean_of),
            packs: EvalPacks::of(&results, &mean_of),
            match_auroc: auroc(&scores(&results), &scores(&without)).map(rounded),
        }
    }
}

/// The mean within each repository, then over them, of the queries that have the figure.
fn mean_of(results: &[&EvalResult], value: &Figure<'_>) -> f64 {
    let mut repos: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for result in results {
        repos.entry(&result.repo).or_default().extend(value(result));
    }
    repos.retain(|_, values| !values.is_empty());
    let means = repos
        .values()
        .map(|values| values.iter().sum::<f64>() / values.len() as f64);
    means.sum::<f64>() / repos.len().max(1) as f64
}

impl EvalSummary {
    pub(super) fn of(results: &[EvalResult]) -> Self {
        Self {
            all: EvalFigures::of(results),
            by_category: groups(results, |result| result.category.as_deref()),
            by_language: groups(results, |result| result.language.as_deref()),
            by_repo: groups(results, |result| Some(&result.repo)),
        }
    }
}

fn groups(results: &[EvalResult], name: fn(&EvalResult) -> Option<&str>) -> Vec<EvalGroup> {
    let mut groups: BTreeMap<&str, Vec<&EvalResult>> = BTreeMap::new();
    for result in results {
        groups
            .entry(name(result).unwrap_or("-"))
            .or_default()
            .push(result);
    }
    groups
        .into_iter()
        .map(|(name, results)| EvalGroup {
            name: name.to_owned(),
            figures: EvalFigures::of_some(&results),
        })
        .collect()
}

impl EvalTiming {
    pub(super) fn of(times: &[Duration]) -> Self {
        let ms = times.iter().map(|time| (time.as_secs_f64() * 1e6).round() / 1e3);
        Self::of_ms(ms.collect())
    }

    fn of_ms(ms: Vec<f64>) -> Self {
        let mut sorted = ms.clone();
        sorted.sort_by(f64::total_cmp);
        Self {
            p50_ms: rounded(quantile(&sorted, 0.5)),
            p95_ms: rounded(quantile(&sorted, 0.95)),
            ms,
        }
    }
}

/// Several runs (of several repositories) as one, with the figures of all their queries. `None` of none.
pub fn join_evals(runs: Vec<EvalRun>) -> Option<EvalRun> {
    let mut runs = runs.into_iter();
    let mut joined = runs.next()?;
    for run in runs {
        joined.files += run.files;
        joined.chunks += run.chunks;
        joined.results.extend(run.results);
        joined.timing.ms.extend(run.timing.ms);
        joined.notes.extend(run.notes);
        joined.warnings.extend(run.warnings);
        // Differences are of one index each, and cannot be added up.
        joined.ablation.clear();
    }
    joined.notes.dedup();
    joined.summary = EvalSummary::of(&joined.results);
    joined.timing = EvalTiming::of_ms(std::mem::take(&mut joined.timing.ms));
    Some(joined)
}
