//! From a question to a ranked list of chunks. The one path that every answer takes.

use std::collections::BTreeMap;

use kitbag_rank::boost::{Facts, boost};
use kitbag_rank::fuse::{List, fuse};
use kitbag_rank::tuning;
use kitbag_store::{ChunkRow, Snapshot};
use kitbag_types::{Filter, Query, Reason, RepoPath};

use crate::providers::{Allowed, Answer, Found, ask_all};
use crate::{EngineError, Options};

/// A chunk, how good it is (0 to 1, relative to the best), and why.
pub(crate) struct Ranked {
    pub row: ChunkRow,
    pub score: f64,
    pub reasons: Vec<Reason>,
}

/// What tells candidates apart and orders equals: place in the project, never a row number.
type Key = (RepoPath, u32, u32);

fn key(row: &ChunkRow) -> Key {
    (row.path.clone(), row.lines.start(), row.at.idx)
}

/// Asks every provider, fuses their lists, lets code knowledge reorder. Best first.
pub(crate) fn gather(
    snapshot: &Snapshot<'_>,
    query: &Query,
    filter: &Filter,
    options: &Options,
    warnings: &mut Vec<String>,
) -> Result<Vec<Ranked>, EngineError> {
    let allowed = Allowed::new(snapshot, filter)?;
    let answers = ask_all(snapshot, query, &allowed, options, warnings)?;
    let lists: Vec<List<Key>> = answers
        .iter()
        .map(|answer| List {
            provider: answer.provider,
            weight: answer.weight,
            ids: answer.found.iter().map(|found| key(&found.row)).collect(),
        })
        .collect();
    let fused = fuse(&lists);
    let ids: Vec<Key> = fused.iter().map(|candidate| candidate.id.clone()).collect();
    let found = found_of(answers, &ids);
    let mut facts = Vec::with_capacity(found.len());
    for (rank_idx, (found, candidate)) in found.iter().zip(&fused).enumerate() {
        let referenced = candidate
            .reasons
            .iter()
            .any(|reason| reason.factor == "reference");
        facts.push(facts_of(snapshot, found, rank_idx, referenced)?);
    }
    let ranked = boost(fused, &facts, query, filter.active.as_ref());
    let mut rows: Vec<Option<ChunkRow>> = found.into_iter().map(|found| Some(found.row)).collect();
    Ok(ranked
        .into_iter()
        .filter(|(candidate, _)| candidate.score >= filter.min_score)
        .filter_map(|(candidate, idx)| {
            let row = rows[idx].take()?;
            Some(Ranked {
                row,
                score: candidate.score,
                reasons: candidate.reasons,
            })
        })
        .collect())
}

/// What the providers found, in the order of `ids`. Of one chunk found twice, the better match.
fn found_of(answers: Vec<Answer>, ids: &[Key]) -> Vec<Found> {
    let mut by_key: BTreeMap<Key, Found> = BTreeMap::new();
    for found in answers.into_iter().flat_map(|answer| answer.found) {
        let match_share = found.match_share;
        let known = by_key.entry(key(&found.row)).or_insert(found);
        known.match_share = known.match_share.max(match_share);
    }
    ids.iter()
        .map(|id| by_key.remove(id).expect("every fused id came from a row"))
        .collect()
}

/// Uses are counted for this many of the best candidates: further down they cannot change what is shown.
const COUNTED: usize = 20;

fn facts_of(
    snapshot: &Snapshot<'_>,
    found: &Found,
    rank_idx: usize,
    referenced: bool,
) -> Result<Facts, EngineError> {
    let row = &found.row;
    let n_users = match row.names.first() {
        Some(name) if rank_idx < COUNTED => snapshot.n_users(name, tuning::CENTRAL_FULL)?,
        _ => 0,
    };
    Ok(Facts {
        path: row.path.clone(),
        line_start: row.lines.start(),
        language: row.language.clone(),
        names: row.names.clone(),
        exported: row.exported,
        n_users,
        referenced,
        match_share: found.match_share,
    })
}
