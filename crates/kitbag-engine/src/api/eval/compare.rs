//! Two runs over the same queries, query by query: what rose, what fell, and whether it is more than chance.
//!
//! Runs over different queries are refused instead of being cut to what they share: a set that shrank by its hard queries
//! would look like progress.

use std::collections::BTreeMap;

use kitbag_rank::measure::paired;
use schemars::JsonSchema;
use serde::Serialize;

use super::definitions::acc;
use super::packs::{COMPARED, of as pack_of};
use super::{EvalResult, EvalRun, Figure, METRICS};
use crate::EngineError;
use crate::matched::rounded;

/// Gains and losses that are listed, each.
const LISTED: usize = 10;
/// Queries that a refusal names.
const NAMED: usize = 5;

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct EvalComparison {
    pub queries: usize,
    pub repos: usize,
    /// What the interval was drawn over: `repositories` or `queries`.
    pub drawn: &'static str,
    pub metrics: Vec<EvalDifference>,
    /// By NDCG@10, the largest first.
    pub gains: Vec<EvalChange>,
    pub losses: Vec<EvalChange>,
}

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct EvalDifference {
    pub metric: String,
    pub label: String,
    pub before: f64,
    pub after: f64,
    /// After minus before.
    pub difference: f64,
    /// Its 95 % interval.
    pub low: f64,
    pub high: f64,
    /// Queries that got better or worse, whichever way that is for this figure.
    pub better: usize,
    pub worse: usize,
    pub same: usize,
}

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct EvalChange {
    pub id: String,
    pub repo: String,
    pub query: String,
    pub before: f64,
    pub after: f64,
    pub difference: f64,
    /// Of the gold files, among distinct files.
    pub ranks_before: Vec<Option<usize>>,
    pub ranks_after: Vec<Option<usize>>,
}

/// From `before` to `after`.
pub fn compare_evals(before: &EvalRun, after: &EvalRun) -> Result<EvalComparison, EngineError> {
    let pairs = pairs(before, after)?;
    let mut repos: Repos<'_> = BTreeMap::new();
    for (before, after) in &pairs {
        repos.entry(&before.repo).or_default().push((before, after));
    }
    let metrics = compared(after)
        .iter()
        .filter_map(|one| one.over(&repos))
        .collect();
    let (gains, losses) = changes(&pairs);
    Ok(EvalComparison {
        queries: pairs.len(),
        repos: repos.len(),
        drawn: if repos.len() > 1 {
            "repositories"
        } else {
            "queries"
        },
        metrics,
        gains,
        losses,
    })
}

/// The queries of each repository, before and after.
type Repos<'r> = BTreeMap<&'r str, Vec<(&'r EvalResult, &'r EvalResult)>>;

/// A figure that is compared.
struct Compared {
    name: String,
    label: String,
    value: Box<Figure<'static>>,
    less_is_better: bool,
}

/// Those of every query, then those of the right definition and of packs, if the run has any.
fn compared(run: &EvalRun) -> Vec<Compared> {
    let of_query = METRICS.iter().map(|metric| Compared {
        name: metric.name.to_owned(),
        label: metric.label.to_owned(),
        value: Box::new(|result| (!result.unanswerable).then(|| (metric.value)(&result.measures))),
        less_is_better: metric.less_is_better,
    });
    let of_definitions = [1, 5, 10].map(|k| Compared {
        name: format!("acc{k}"),
        label: format!("Acc@{k}"),
        value: Box::new(move |result| acc(result, k)),
        less_is_better: false,
    });
    let budgets = run.summary.all.packs.iter().map(|packs| packs.budget);
    let of_packs = budgets.flat_map(|budget| {
        COMPARED.map(move |(name, value)| Compared {
            name: format!("{name}@{budget}"),
            label: format!("{name} {budget}"),
            value: Box::new(move |result| pack_of(result, budget).map(value)),
            less_is_better: matches!(name, "filler" | "scaffolding"),
        })
    });
    of_query.chain(of_definitions).chain(of_packs).collect()
}

impl Compared {
    /// `None`: no query has it in both runs.
    fn over(&self, repos: &Repos<'_>) -> Option<EvalDifference> {
        let of_repo = |pairs: &Vec<(&EvalResult, &EvalResult)>| {
            let both = pairs.iter();
            both.filter_map(|(before, after)| Some(((self.value)(before)?, (self.value)(after)?)))
                .collect::<Vec<_>>()
        };
        let values: Vec<Vec<(f64, f64)>> = repos.values().map(of_repo).collect();
        let values: Vec<Vec<(f64, f64)>> = values.into_iter().filter(|some| !some.is_empty()).collect();
        let mean = |value: fn(&(f64, f64)) -> f64| {
            let means = values
                .iter()
                .map(|some| some.iter().map(value).sum::<f64>() / some.len() as f64);
            rounded(means.sum::<f64>() / values.len().max(1) as f64)
        };
        let groups: Vec<Vec<f64>> = values
            .iter()
            .map(|some| some.iter().map(|(before, after)| after - before).collect())
            .collect();
        let found = paired(&groups);
        let (better, worse) = match self.less_is_better {
            true => (found.n_down, found.n_up),
            false => (found.n_up, found.n_down),
        };
        (!values.is_empty()).then(|| EvalDifference {
            metric: self.name.clone(),
            label: self.label.clone(),
            before: mean(|(before, _)| *before),
            after: mean(|(_, after)| *after),
            difference: rounded(found.mean),
            low: rounded(found.low),
            high: rounded(found.high),
            better,
            worse,
            same: found.n_same,
        })
    }
}

fn changes(pairs: &[(&EvalResult, &EvalResult)]) -> (Vec<EvalChange>, Vec<EvalChange>) {
    let ranks = |result: &EvalResult| result.gold.iter().map(|gold| gold.rank).collect();
    let mut changes: Vec<EvalChange> = pairs
        .iter()
        .map(|(before, after)| EvalChange {
            id: before.id.clone(),
            repo: before.repo.clone(),
            query: before.query.clone(),
            before: before.measures.ndcg10,
            after: after.measures.ndcg10,
            difference: rounded(after.measures.ndcg10 - before.measures.ndcg10),
            ranks_before: ranks(before),
            ranks_after: ranks(after),
        })
        .filter(|change| change.difference != 0.0)
        .collect();
    changes.sort_by(|a, b| {
        let by_size = b.difference.abs().total_cmp(&a.difference.abs());
        by_size.then_with(|| a.id.cmp(&b.id))
    });
    let (mut gains, mut losses): (Vec<_>, Vec<_>) =
        changes.into_iter().partition(|change| change.difference > 0.0);
    gains.truncate(LISTED);
    losses.truncate(LISTED);
    (gains, losses)
}

/// The same queries of both, in the order of the first.
fn pairs<'r>(
    before: &'r EvalRun,
    after: &'r EvalRun,
) -> Result<Vec<(&'r EvalResult, &'r EvalResult)>, EngineError> {
    let first = by_id(before, "first")?;
    let second = by_id(after, "second")?;
    let missing = |from: &BTreeMap<&str, &EvalResult>, other: &BTreeMap<&str, &EvalResult>| {
        let missing = from.keys().filter(|id| !other.contains_key(*id));
        missing.map(|id| (*id).to_owned()).collect::<Vec<_>>()
    };
    let other_question = |a: &EvalResult, b: &EvalResult| {
        let gold = |result: &EvalResult| -> Vec<_> {
            let gold = result.gold.iter();
            gold.map(|gold| (gold.path.clone(), gold.lines)).collect()
        };
        a.query != b.query || a.any != b.any || gold(a) != gold(b)
    };
    let changed = first.iter().filter_map(|(id, result)| {
        let other = second.get(id)?;
        other_question(result, other).then(|| (*id).to_owned())
    });
    let complaints = [
        ("only in the first", missing(&first, &second)),
        ("only in the second", missing(&second, &first)),
        ("with another question or other gold files", changed.collect()),
    ];
    let complaints: Vec<String> = complaints
        .iter()
        .filter(|(_, ids)| !ids.is_empty())
        .map(|(what, ids)| {
            let more = if ids.len() > NAMED { ", …" } else { "" };
            let named = ids.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
            format!("{} {what}: {named}{more}", ids.len())
        })
        .collect();
    if !complaints.is_empty() {
        let complaints = complaints.join("\n");
        return Err(invalid(format!(
            "the two runs are not over the same queries\n{complaints}"
        )));
    }
    let results = before.results.iter();
    Ok(results
        .filter_map(|result| Some((result, *second.get(result.id.as_str())?)))
        .collect())
}

fn by_id<'r>(run: &'r EvalRun, which: &str) -> Result<BTreeMap<&'r str, &'r EvalResult>, EngineError> {
    let mut known = BTreeMap::new();
    for result in &run.results {
        if known.insert(result.id.as_str(), result).is_some() {
            let id = &result.id;
            return Err(invalid(format!("the {which} run has the query {id} twice")));
        }
    }
    Ok(known)
}

fn invalid(message: String) -> EngineError {
    EngineError::Invalid {
        code: "INVALID_EVAL",
        message,
    }
}

#[cfg(test)]
mod tests;
