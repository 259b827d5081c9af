//! From a question to a ranked list of chunks. The one path that every answer takes.

use kitbag_rank::boost::{Facts, boost};
use kitbag_rank::fuse::{List, fuse};
use kitbag_rank::tuning;
use kitbag_store::{ChunkRow, Snapshot};
use kitbag_types::{Filter, Query, Reason, RepoPath};

use crate::providers::{Allowed, Answer, ask_all};
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
            ids: answer.rows.iter().map(key).collect(),
        })
        .collect();
    let fused = fuse(&lists);
    let rows = rows_of(
        answers,
        &fused
            .iter()
            .map(|candidate| candidate.id.clone())
            .collect::<Vec<_>>(),
    );
    let mut facts = Vec::with_capacity(rows.len());
    for (rank_idx, (row, candidate)) in rows.iter().zip(&fused).enumerate() {
        let referenced = candidate
            .reasons
            .iter()
            .any(|reason| reason.factor == "reference");
        facts.push(facts_of(snapshot, row, rank_idx, referenced)?);
    }
    let ranked = boost(fused, &facts, query, filter.active.as_ref());
    let mut rows: Vec<Option<ChunkRow>> = rows.into_iter().map(Some).collect();
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

/// The providers' rows in the order of `ids`.
fn rows_of(answers: Vec<Answer>, ids: &[Key]) -> Vec<ChunkRow> {
    let rows = answers
        .into_iter()
        .flat_map(|answer| answer.rows)
        .map(|row| (key(&row), row));
    let mut by_key: std::collections::BTreeMap<Key, ChunkRow> = rows.collect();
    ids.iter()
        .map(|id| by_key.remove(id).expect("every fused id came from a row"))
        .collect()
}

/// Uses are counted for this many of the best candidates: further down they cannot change what is shown.
const COUNTED: usize = 40;

fn facts_of(
    snapshot: &Snapshot<'_>,
    row: &ChunkRow,
    rank_idx: usize,
    referenced: bool,
) -> Result<Facts, EngineError> {
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
    })
}
