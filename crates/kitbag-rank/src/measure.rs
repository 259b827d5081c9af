//! Measures the quality of a ranked list from its results and the right places (RET-42). The definitions are those of the published
//! code search benchmark and of the literature on file localisation, so that the figures are comparable.
//!
//! There are two ranks. NDCG looks at results as returned: two chunks of one file take two ranks. Recall, all@k and MRR look at
//! distinct files, because people open files. The tokens read before the first right file are the cost of a bad order.

mod paired;

use std::collections::BTreeSet;

pub use paired::{Paired, paired, quantile};

/// The tokens that count as read if no right file is found.
pub const TOKENS_CAP: u32 = 32_000;
/// The number of results that NDCG looks at.
const NDCG_AT: usize = 10;

/// One result of a search, in its order.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub path: &'a str,
    /// First and last line.
    pub lines: (u32, u32),
    pub tokens: u32,
}

/// A right place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub path: String,
    /// If set, only these lines are right.
    pub lines: Option<(u32, u32)>,
}

/// When the path of a result matches the path of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathRule {
    Equal,
    /// One is the end of the other, at a `/`: the published benchmark names targets relative to other folders.
    End,
}

/// How many targets a query needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoldRule {
    /// Every target.
    All,
    /// Any of them: they are one target in several places.
    Any,
}

/// The figures of one query, all from 0 to 1 except `tokens`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    pub ndcg10: f64,
    pub recall1: f64,
    pub recall5: f64,
    pub recall10: f64,
    pub all1: f64,
    pub all3: f64,
    pub all5: f64,
    pub all10: f64,
    pub mrr: f64,
    /// The tokens read before the first right file.
    pub tokens: u32,
}

/// The result of [`judge`].
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub measures: Measures,
    /// The rank of each target's file among distinct files, from 1.
    pub file_ranks: Vec<Option<usize>>,
    /// The rank of the first right result for each target, from 1.
    pub ranks: Vec<Option<usize>>,
}

/// Compares results with the right places. Without targets, everything is 0.
pub fn judge(places: &[Place<'_>], targets: &[Target], rule: PathRule, wanted: GoldRule) -> Judged {
    let files = distinct_files(places);
    let same_path = |path: &str, target: &Target| is_path(path, &target.path, rule);
    let rank_of = |target: &Target| {
        let is_hit = |place: &Place<'_>| same_path(place.path, target) && overlaps(place.lines, target.lines);
        places.iter().position(is_hit).map(|idx| idx + 1)
    };
    let file_rank_of = |target: &Target| {
        let found = files.iter().position(|file| same_path(file, target));
        found.map(|idx| idx + 1)
    };
    let ranks: Vec<Option<usize>> = targets.iter().map(rank_of).collect();
    let file_ranks: Vec<Option<usize>> = targets.iter().map(file_rank_of).collect();
    let first_right = places
        .iter()
        .position(|place| targets.iter().any(|target| same_path(place.path, target)));
    let tokens = first_right.map_or(TOKENS_CAP, |idx| {
        let read = places[..idx]
            .iter()
            .fold(0_u32, |sum, place| sum.saturating_add(place.tokens));
        read.min(TOKENS_CAP)
    });
    let best = |ranks: &[Option<usize>]| ranks.iter().flatten().min().copied();
    let one = |ranks: &[Option<usize>]| match wanted {
        GoldRule::All => ranks.to_vec(),
        GoldRule::Any if ranks.is_empty() => Vec::new(),
        GoldRule::Any => vec![best(ranks)],
    };
    let (counted, counted_files) = (one(&ranks), one(&file_ranks));
    let recall = |k| recall(&counted_files, k);
    let all = |k| f64::from(u8::from(recall(k) >= 1.0));
    Judged {
        measures: Measures {
            ndcg10: ndcg(&counted),
            recall1: recall(1),
            recall5: recall(5),
            recall10: recall(10),
            all1: all(1),
            all3: all(3),
            all5: all(5),
            all10: all(10),
            mrr: best(&file_ranks).map_or(0.0, |rank| 1.0 / rank as f64),
            tokens,
        },
        file_ranks,
        ranks,
    }
}

/// Each path once, at its first place.
pub fn distinct_files<'a>(places: &[Place<'a>]) -> Vec<&'a str> {
    let mut known = BTreeSet::new();
    let paths = places.iter().map(|place| place.path);
    paths.filter(|path| known.insert(*path)).collect()
}

/// Whether the path of a result is that of a target.
pub fn is_path(path: &str, target: &str, rule: PathRule) -> bool {
    let is_end = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|folder| folder.ends_with('/'))
    };
    path == target || (rule == PathRule::End && (is_end(path, target) || is_end(target, path)))
}

fn overlaps(lines: (u32, u32), target: Option<(u32, u32)>) -> bool {
    target.is_none_or(|(start, end)| lines.0 <= end && start <= lines.1)
}

/// Each target has gain 1; a rank counts once even if two targets share it; the ideal is one of the first ranks per target.
fn ndcg(ranks: &[Option<usize>]) -> f64 {
    let gain = |rank: usize| 1.0 / ((rank + 1) as f64).log2();
    let got: BTreeSet<usize> = ranks
        .iter()
        .flatten()
        .copied()
        .filter(|rank| *rank <= NDCG_AT)
        .collect();
    let ideal: f64 = (1..=ranks.len().min(NDCG_AT)).map(gain).sum();
    // An empty sum is -0 in Rust and would be printed as such.
    let got: f64 = got.into_iter().map(gain).sum::<f64>() + 0.0;
    if ideal > 0.0 { got / ideal } else { 0.0 }
}

fn recall(ranks: &[Option<usize>], k: usize) -> f64 {
    let n_found = ranks.iter().flatten().filter(|rank| **rank <= k).count();
    n_found as f64 / ranks.len().max(1) as f64
}

/// How well a score separates two groups: the share of pairs in which the value from `with` is larger, where a tie counts half. 0.5
/// is chance. `None`: one group is empty.
pub fn auroc(with: &[f64], without: &[f64]) -> Option<f64> {
    let mut all: Vec<(f64, bool)> = with.iter().map(|score| (*score, true)).collect();
    all.extend(without.iter().map(|score| (*score, false)));
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n_pairs = with.len() * without.len();
    let (mut won, mut n_below) = (0.0, 0);
    for same in all.chunk_by(|a, b| a.0 == b.0) {
        let n_with = same.iter().filter(|(_, is_with)| *is_with).count();
        let n_without = same.len() - n_with;
        won += n_with as f64 * (n_below as f64 + n_without as f64 / 2.0);
        n_below += n_without;
    }
    (n_pairs > 0).then(|| won / n_pairs as f64)
}

#[cfg(test)]
mod tests;
