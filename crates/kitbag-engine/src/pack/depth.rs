//! Relevance for packs. A list of results needs variety, so search lowers the second chunk of a file. A pack needs depth,
//! so that is undone here: a chunk's score is its own match and a little of the best match of its file. The other chunks of the
//! few best files follow after everything that matches, the nearest to a match first (PACK-46).

use std::collections::{BTreeMap, BTreeSet};

use kitbag_store::{ChunkRow, Snapshot};
use kitbag_types::{Reason, Stop};

use crate::EngineError;
use crate::engine::Candidate;

/// Weight of the best chunk of the file, relative to a chunk's own match. Measured in docs/quality.md.
const FILE_WEIGHT: f64 = 0.25;

/// Number of files whose remaining chunks become candidates; the weight of such a chunk right beside a match; and the distance in
/// lines at which it has a third of that.
const WHOLE_FILES: usize = 4;
const REST_SHARE: f64 = 0.02;
const NEAR_LINES: f64 = 30.0;
/// More files follow until the candidates hold this share of the budget: some are copies, and some do not fit (PACK-33).
const ENOUGH: f64 = 1.3;

/// Scores the candidates again and sorts them: 0 to 1, the best first, a stable sort. `budget`: tokens to fill.
pub(crate) fn deepen(
    snapshot: &Snapshot<'_>,
    mut ranked: Vec<Candidate>,
    budget: usize,
    stop: Stop<'_>,
) -> Result<Vec<Candidate>, EngineError> {
    for hit in &mut ranked {
        hit.score /= hit.damping;
    }
    let best = ranked.iter().map(|hit| hit.score).fold(0.0, f64::max);
    if best <= 0.0 {
        return Ok(ranked);
    }
    let mut of_file: BTreeMap<String, f64> = BTreeMap::new();
    for hit in &mut ranked {
        hit.score /= best;
        let file = of_file.entry(hit.chunk.path.to_string()).or_insert(0.0);
        *file = file.max(hit.score);
    }
    for hit in &mut ranked {
        let file = of_file.get(hit.chunk.path.as_str()).copied().unwrap_or(0.0);
        hit.score = (hit.score + FILE_WEIGHT * file) / (1.0 + FILE_WEIGHT);
    }
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    let rest = rest_of_best(snapshot, &ranked, budget, stop)?;
    ranked.extend(rest);
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(ranked)
}

/// Score of a chunk that no provider found: very small, so that it comes after all that were found, and smaller the further it is
/// from what was found in its file.
fn nearness(ranked: &[Candidate], row: &ChunkRow) -> f64 {
    let near = ranked.iter().filter(|hit| hit.chunk.path == row.path).map(|hit| {
        let (a, b) = (hit.chunk.lines, row.lines);
        let n_between = b
            .start()
            .saturating_sub(a.end())
            .max(a.start().saturating_sub(b.end()));
        hit.score * (-f64::from(n_between) / NEAR_LINES).exp()
    });
    REST_SHARE * near.fold(0.0, f64::max)
}

/// Whether it is a licence, imports or re-exports: without a match these say nothing about a task.
fn is_preamble(row: &ChunkRow) -> bool {
    row.label == "imports" || (row.names.is_empty() && row.lines.start() == 1)
}

/// The chunks of the best files that no provider found: of a few files, and of more files if the budget has room for them.
fn rest_of_best(
    snapshot: &Snapshot<'_>,
    ranked: &[Candidate],
    budget: usize,
    stop: Stop<'_>,
) -> Result<Vec<Candidate>, EngineError> {
    let mut files: Vec<&Candidate> = Vec::new();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    // Code first, because a task changes code. Prose follows if there is room.
    let by_kind = |is_code: bool| {
        ranked
            .iter()
            .filter(move |hit| hit.chunk.kind.is_code() == is_code)
    };
    for hit in by_kind(true).chain(by_kind(false)) {
        if known.insert(hit.chunk.path.as_str()) {
            files.push(hit);
        }
    }
    let found: BTreeSet<_> = ranked.iter().map(|hit| hit.chunk.at).collect();
    let n_code = files.iter().filter(|file| file.chunk.kind.is_code()).count();
    let enough = budget as f64 * ENOUGH;
    let mut n_tokens: f64 = ranked.iter().map(|hit| f64::from(hit.chunk.tokens)).sum();
    let mut rest = Vec::new();
    for (n, file) in files.into_iter().enumerate() {
        if n >= WHOLE_FILES.min(n_code) && n_tokens >= enough {
            break;
        }
        stop.check()?;
        for row in snapshot.chunks_of(file.chunk.at.file, file.chunk.at.parse)? {
            if found.contains(&row.at) || is_preamble(&row) {
                continue;
            }
            n_tokens += f64::from(row.tokens);
            let score = nearness(ranked, &row);
            rest.push(Candidate {
                chunk: row.into(),
                score,
                found_by: Vec::new(),
                damping: 1.0,
                reasons: vec![Reason {
                    factor: "same_file",
                    value: REST_SHARE,
                }],
            });
        }
    }
    Ok(rest)
}
