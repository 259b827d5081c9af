//! Several ordered lists into one, by reciprocal rank (RET-15): only the order within a list counts, because the scores
//! of different providers mean different things.

use kitbag_types::{Candidate, Reason};

use crate::tuning::RRF_K;

/// One provider's answer, best first.
#[derive(Clone, Debug)]
pub struct List<Id> {
    /// The factor name that its share of the score is explained by.
    pub provider: &'static str,
    pub weight: f64,
    pub ids: Vec<Id>,
}

/// Fuses. The order of the lists does not matter; the result is ordered by score, then by id.
pub fn fuse<Id: Ord + Clone>(lists: &[List<Id>]) -> Vec<Candidate<Id>> {
    let mut found: std::collections::BTreeMap<Id, Vec<Reason>> = std::collections::BTreeMap::new();
    for list in lists {
        for (rank_idx, id) in list.ids.iter().enumerate() {
            let reasons = found.entry(id.clone()).or_default();
            // A provider may name a chunk twice; its better place counts.
            if reasons.iter().all(|reason| reason.factor != list.provider) {
                let value = list.weight / (RRF_K + rank_idx as f64 + 1.0);
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
            // One order of addition, whatever the order of the lists: sums of floats depend on it.
            reasons.sort_by(|a, b| a.factor.cmp(b.factor));
            let score = reasons.iter().map(|reason| reason.value).sum();
            Candidate { id, score, reasons }
        })
        .collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
    fused
}

#[cfg(test)]
mod tests;
