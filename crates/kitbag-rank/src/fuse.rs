//! Merges several ordered lists into one (RET-15). By default by reciprocal rank: only the order within a list counts, because the
//! scores of different providers are not comparable.

use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::{Candidate, Reason};

use crate::tuning::RRF_K;

/// One provider's answer, best first.
#[derive(Clone, Debug)]
pub struct List<Id> {
    /// The name of the factor that explains its share of the score.
    pub provider: &'static str,
    pub weight: f64,
    /// Each with its score relative to the best, if the provider has scores.
    pub found: Vec<(Id, Option<f64>)>,
}

/// How lists are merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fusion {
    /// `Σ weight / (60 + rank)`.
    #[default]
    Rrf,
    /// The weighted mean of the shares; a place without a share counts `1 - rank / n`.
    WeightedAverage,
    /// The list with the highest weight, then what the others have beyond it.
    Cascade,
}

impl Fusion {
    pub const ALL: [Self; 3] = [Self::Rrf, Self::WeightedAverage, Self::Cascade];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rrf => "rrf",
            Self::WeightedAverage => "weighted_average",
            Self::Cascade => "cascade",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fusion| fusion.as_str() == name)
    }
}

/// Fuses. The order of the lists does not matter; the result is ordered by score, then by id. The reasons of a candidate name every
/// provider that found it, with its part of the score.
pub fn fuse<Id: Ord + Clone>(lists: &[List<Id>], fusion: Fusion) -> Vec<Candidate<Id>> {
    let mut found: BTreeMap<Id, Vec<Reason>> = BTreeMap::new();
    for (list, values) in lists.iter().zip(values(lists, fusion)) {
        for ((id, _), value) in list.found.iter().zip(values) {
            let reasons = found.entry(id.clone()).or_default();
            // A provider may name a chunk twice; its better place counts.
            if reasons.iter().all(|reason| reason.factor != list.provider) {
                reasons.push(Reason {
                    factor: list.provider,
                    value,
                });
            }
        }
    }
    let mut fused: Vec<Candidate<Id>> = found
        .into_iter()
        .map(|(id, mut reasons)| {
            // A fixed order of addition, whatever the order of the lists: sums of floats depend on it.
            reasons.sort_by(|a, b| a.factor.cmp(b.factor));
            Candidate {
                chunk: id,
                score: reasons.iter().map(|reason| reason.value).sum(),
                found_by: reasons.iter().map(|reason| reason.factor).collect(),
                damping: 1.0,
                reasons,
            }
        })
        .collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.chunk.cmp(&b.chunk)));
    fused
}

/// The value of each place of each list.
fn values<Id: Ord + Clone>(lists: &[List<Id>], fusion: Fusion) -> Vec<Vec<f64>> {
    match fusion {
        Fusion::Rrf => {
            let of_list = |list: &List<Id>| {
                (0..list.found.len())
                    .map(|rank_idx| list.weight * reciprocal(rank_idx))
                    .collect()
            };
            lists.iter().map(of_list).collect()
        }
        Fusion::WeightedAverage => {
            // A fixed order of addition again.
            let mut weights: Vec<f64> = lists.iter().map(|list| list.weight).collect();
            weights.sort_by(f64::total_cmp);
            let all: f64 = weights.into_iter().sum();
            let part = |weight: f64| if all > 0.0 { weight / all } else { 0.0 };
            let of_list = |list: &List<Id>| shares(list).map(|share| part(list.weight) * share).collect();
            lists.iter().map(of_list).collect()
        }
        Fusion::Cascade => cascade(lists),
    }
}

fn reciprocal(rank_idx: usize) -> f64 {
    1.0 / (RRF_K + rank_idx as f64 + 1.0)
}

/// The shares of a list, 0 to 1 and never rising: the provider decides the order, shares only the distances.
fn shares<Id>(list: &List<Id>) -> impl Iterator<Item = f64> + '_ {
    let n = list.found.len() as f64;
    let given = list.found.iter().enumerate();
    given.scan(1.0, move |least, (rank_idx, (_, share))| {
        let share = share.unwrap_or(1.0 - rank_idx as f64 / n);
        *least = f64::min(*least, share.clamp(0.0, 1.0));
        Some(*least)
    })
}

/// Places are counted through all lists, the one with the highest weight first, and have the values of one list fused by rank. A
/// candidate that is already placed gets nothing for being found again.
fn cascade<Id: Ord + Clone>(lists: &[List<Id>]) -> Vec<Vec<f64>> {
    let mut order: Vec<usize> = (0..lists.len()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (&lists[*a], &lists[*b]);
        b.weight
            .total_cmp(&a.weight)
            .then_with(|| a.provider.cmp(b.provider))
    });
    let mut placed: BTreeSet<&Id> = BTreeSet::new();
    let mut values = vec![Vec::new(); lists.len()];
    for idx in order {
        values[idx] = lists[idx]
            .found
            .iter()
            .map(|(id, _)| {
                let rank_idx = placed.len();
                if placed.insert(id) {
                    reciprocal(rank_idx)
                } else {
                    0.0
                }
            })
            .collect();
    }
    values
}

#[cfg(test)]
mod tests;
