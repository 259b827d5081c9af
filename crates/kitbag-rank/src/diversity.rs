//! Reorders a list so that the first results are not nearly the same (RET-30), by maximal marginal relevance: each place goes to
//! the candidate with the highest `λ · relevance − (1 − λ) · similarity to the results above it`.
//!
//! The scores stay with the places: the second place has the second score, whichever candidate is there. So a later cut by score
//! follows the new order.

use crate::tuning::DIVERSE;

/// The new order, as indices into the old one. `relevance` is that of the list, best first, 0 to 1; `similarity` takes two indices.
/// Candidates after the first [`DIVERSE`] stay where they are, and equal ones keep their order.
pub fn diversify(relevance: &[f64], lambda: f64, similarity: &dyn Fn(usize, usize) -> f64) -> Vec<usize> {
    let n = relevance.len().min(DIVERSE);
    let mut left: Vec<usize> = (0..n).collect();
    // The highest similarity of each candidate to one that is already placed.
    let mut nearest = vec![0.0f64; n];
    let mut order = Vec::with_capacity(relevance.len());
    while !left.is_empty() {
        let value = |idx: usize| lambda * relevance[idx] - (1.0 - lambda) * nearest[idx];
        let mut best = 0;
        for at in 1..left.len() {
            if value(left[at]) > value(left[best]) {
                best = at;
            }
        }
        let placed = left.remove(best);
        for idx in &left {
            nearest[*idx] = nearest[*idx].max(similarity(placed, *idx));
        }
        order.push(placed);
    }
    order.extend(n..relevance.len());
    order
}

/// The common words of two sorted lists without repeats, as a share of all their words.
pub fn overlap<Word: Ord>(a: &[Word], b: &[Word]) -> f64 {
    let (mut at_a, mut at_b, mut n_common) = (0, 0, 0usize);
    while at_a < a.len() && at_b < b.len() {
        let order = a[at_a].cmp(&b[at_b]);
        n_common += usize::from(order.is_eq());
        at_a += usize::from(order.is_le());
        at_b += usize::from(order.is_ge());
    }
    match a.len() + b.len() - n_common {
        0 => 0.0,
        n_all => n_common as f64 / n_all as f64,
    }
}

#[cfg(test)]
mod tests;
