//! Relevance for packs. A result list wants variety: search damps the second chunk of a file. A pack wants the file that
//! matters in depth and learns of the others by name, so here the damping is taken back and a chunk counts for its own match
//! and for the best match of its file.

use std::collections::BTreeMap;

use crate::retrieve::Ranked;

/// What the best chunk of its file counts, next to a chunk's own match. Measured in docs/quality.md.
const FILE_WEIGHT: f64 = 1.5;

/// Rescored and sorted anew: 0 to 1, the best first, equals as they came.
pub(crate) fn deepen(mut ranked: Vec<Ranked>) -> Vec<Ranked> {
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
        return ranked;
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
    ranked
}
