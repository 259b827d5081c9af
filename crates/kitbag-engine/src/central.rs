//! How central files are: PageRank over who uses whose names (IDX-22).
//!
//! Names are enough here: uses are not resolved to one definition, and a name that many files define is ignored.

use std::collections::BTreeMap;

use kitbag_rank::graph::pagerank;
use kitbag_store::{Snapshot, StoreError};
use kitbag_types::RepoPath;

/// A name that is defined in more files than this is ignored: it does not say which file is meant.
const MOST_DEFINERS: usize = 5;

/// Every parsed file with its share of all attention, the most central first.
pub(crate) fn ranked(snapshot: &Snapshot<'_>) -> Result<Vec<(RepoPath, f64)>, StoreError> {
    let files = snapshot.files()?;
    let nodes: BTreeMap<i64, u32> = files
        .iter()
        .zip(0..)
        .map(|(file, node)| (file.id, node))
        .collect();
    let (defines, uses) = (snapshot.defined_names()?, snapshot.used_names()?);
    let mut definers: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (file, name) in &defines {
        definers.entry(name).or_default().push(nodes[file]);
    }
    let mut weights: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    for (file, name) in &uses {
        let Some(targets) = definers
            .get(name.as_str())
            .filter(|targets| targets.len() <= MOST_DEFINERS)
        else {
            continue;
        };
        let from = nodes[file];
        for to in targets.iter().filter(|to| **to != from) {
            *weights.entry((from, *to)).or_insert(0.0) += 1.0 / targets.len() as f64;
        }
    }
    let edges: Vec<(u32, u32, f64)> = weights
        .into_iter()
        .map(|((from, to), weight)| (from, to, weight.sqrt()))
        .collect();
    let ranks = pagerank(nodes.len(), &edges, &[]);
    let files = files
        .into_iter()
        .zip(ranks)
        .filter(|(file, _)| file.parse.is_some());
    let mut ranked: Vec<(RepoPath, f64)> = files
        .map(|(file, rank)| (file.path, (rank * 1e6).round() / 1e6))
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Ok(ranked)
}

/// Of the score of a key file, what being leant on counts; the rest is how often it changed. Chosen, not measured.
const CENTRAL_SHARE: f64 = 0.7;

/// A file with what makes it a key file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeyRank {
    pub path: RepoPath,
    /// 0 to 1: how central it is, relative to the most central one, and how often it changed, likewise.
    pub score: f64,
    /// Share of all attention.
    pub central: f64,
    pub changes: u64,
}

/// Files by how much the rest leans on them and how often they change, best first (INS-6).
pub(crate) fn key_ranks(ranked: &[(RepoPath, f64)], changes: &dyn Fn(&RepoPath) -> u64) -> Vec<KeyRank> {
    let most_central = ranked
        .iter()
        .map(|(_, rank)| *rank)
        .fold(f64::MIN_POSITIVE, f64::max);
    let most_changed = ranked
        .iter()
        .map(|(path, _)| changes(path))
        .max()
        .unwrap_or_default()
        .max(1);
    let scored = ranked.iter().map(|(path, rank)| {
        let changes = changes(path);
        let score = CENTRAL_SHARE * rank / most_central
            + (1.0 - CENTRAL_SHARE) * changes as f64 / most_changed as f64;
        KeyRank {
            path: path.clone(),
            score: (score * 1e4).round() / 1e4,
            central: *rank,
            changes,
        }
    });
    let mut scored: Vec<KeyRank> = scored.collect();
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    scored
}
