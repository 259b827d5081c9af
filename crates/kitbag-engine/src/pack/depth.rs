//! Relevance for packs. A result list wants variety: search damps the second chunk of a file. A pack wants the file that
//! matters in depth and learns of the others by name, so here the damping is taken back and a chunk counts for its own match
//! and for the best match of its file. Of the few best files the rest comes along too, behind everything that matches: what
//! is to be changed often stands beside what the task talks about.

use std::collections::BTreeMap;

use kitbag_store::{Snapshot, StoreError};
use kitbag_types::Reason;

use crate::retrieve::Ranked;

/// What the best chunk of its file counts, next to a chunk's own match. Measured in docs/quality.md.
const FILE_WEIGHT: f64 = 1.5;

/// Files whose remaining chunks become candidates, and what such a chunk counts of its file's best match.
const WHOLE_FILES: usize = 4;
const REST_SHARE: f64 = 0.45;

/// Rescored and sorted anew: 0 to 1, the best first, equals as they came.
pub(crate) fn deepen(snapshot: &Snapshot<'_>, mut ranked: Vec<Ranked>) -> Result<Vec<Ranked>, StoreError> {
    for hit in &mut ranked {
        let damping: f64 = hit
            .reasons
            .iter()
            .filter(|reason| reason.factor == "repeat")
            .map(|reason| reason.value)
            .product();
        if damping > 0.0 {
            hit.score /= damping;
        }
    }
    let best = ranked.iter().map(|hit| hit.score).fold(0.0, f64::max);
    if best <= 0.0 {
        return Ok(ranked);
    }
    let mut of_file: BTreeMap<String, f64> = BTreeMap::new();
    for hit in &mut ranked {
        hit.score /= best;
        let file = of_file.entry(hit.row.path.to_string()).or_insert(0.0);
        *file = file.max(hit.score);
    }
    for hit in &mut ranked {
        let file = of_file.get(hit.row.path.as_str()).copied().unwrap_or(0.0);
        hit.score = (hit.score + FILE_WEIGHT * file) / (1.0 + FILE_WEIGHT);
    }
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    let rest = rest_of_best(snapshot, &ranked)?;
    ranked.extend(rest);
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(ranked)
}

/// The chunks of the best files that nothing found.
fn rest_of_best(snapshot: &Snapshot<'_>, ranked: &[Ranked]) -> Result<Vec<Ranked>, StoreError> {
    let mut files: Vec<&Ranked> = Vec::new();
    for hit in ranked.iter().filter(|hit| hit.row.kind.is_code()) {
        if files.len() < WHOLE_FILES && files.iter().all(|known| known.row.path != hit.row.path) {
            files.push(hit);
        }
    }
    let mut rest = Vec::new();
    for file in files {
        for row in snapshot.chunks_of(file.row.at.file, file.row.at.parse)? {
            if ranked.iter().all(|known| known.row.at != row.at) {
                rest.push(Ranked {
                    row,
                    score: file.score * REST_SHARE,
                    cosine: 0.0,
                    reasons: vec![Reason {
                        factor: "same_file",
                        value: REST_SHARE,
                    }],
                });
            }
        }
    }
    Ok(rest)
}
