//! A list in which the first results are not nearly the same (RET-30): maximal marginal relevance. Each place goes to the candidate with the
//! most of `λ · relevance − (1 − λ) · similarity to what stands before it`.
//!
//! The scores of a list say how far apart its places are, so a new order keeps them: the second place has the second score,
//! whoever stands there. Whoever cuts by score later cuts where the order says.

use crate::tuning::DIVERSE;

/// The new order of a list, as places in the old one. `relevance` is that of the list, best first, 0 to 1; `similarity`
/// takes two places. Candidates after the first [`DIVERSE`] stay where they are, and equals come in the order they had.
pub fn diversify(relevance: &[f64], lambda: f64, similarity: &dyn Fn(usize, usize) -> f64) -> Vec<usize> {
    let n = relevance.len().min(DIVERSE);
    let mut left: Vec<usize> = (0..n).collect();
    // The most that each is like one of those that are placed.
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

/// How much two sorted lists of words without repeats have in common, of what they have together.
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
