//! What the best pieces stand on (PACK-43): the definitions of the functions they call and the types they name come along,
//! and the tests that call them are named. One step, from the best few only.

use kitbag_pack::Origin;
use kitbag_store::Snapshot;
use kitbag_types::{LinkKind, RepoPath, Stop};

use super::pieces::{Collector, How};
use crate::EngineError;
use crate::conventions::is_test;
use crate::neighbours::Walk;
use crate::providers::Row;

/// Pieces whose uses are followed.
const BEST: usize = 5;
/// What a definition that is used counts, of what its user counts.
const PULLED_SHARE: f64 = 0.5;
/// And a test that calls it.
const TEST_SHARE: f64 = 0.35;

/// Adds to `collector` what its best pieces use.
pub(crate) fn pull_in(
    collector: &mut Collector<'_, '_>,
    snapshot: &Snapshot<'_>,
    stop: Stop<'_>,
) -> Result<(), EngineError> {
    let mut walk = Walk::new(snapshot, stop);
    // What was asked for first, then the most relevant.
    let mut order: Vec<usize> = (0..collector.pieces.len()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (&collector.pieces[*a], &collector.pieces[*b]);
        b.pinned.cmp(&a.pinned).then(b.relevance.total_cmp(&a.relevance))
    });
    let is_test_file = |path: &str| RepoPath::new(path).is_ok_and(|path| is_test(&path));
    let best: Vec<(Row, f64)> = order
        .into_iter()
        .map(|idx| (&collector.pieces[idx], &collector.rows[idx]))
        .filter(|(piece, _)| piece.kind.is_code() && !is_test_file(&piece.path))
        .filter_map(|(piece, row)| Some((row.clone()?, piece.relevance)))
        .take(BEST)
        .collect();
    for (row, relevance) in best {
        stop.check()?;
        for (definition, kind) in walk.definitions_for(&row)? {
            let how = match kind {
                LinkKind::Call => "called by",
                _ => "used by",
            };
            let how = pulled(relevance * PULLED_SHARE, format!("{how} {}", row.label));
            collector.add(definition.into(), how)?;
        }
        for test in walk.tests_of(&row)? {
            let how = pulled(relevance * TEST_SHARE, format!("tests {}", row.label));
            collector.add(test.into(), how)?;
        }
    }
    Ok(())
}

fn pulled(relevance: f64, by: String) -> How {
    How {
        pulled_by: Some(by),
        ..How::new(Origin::Search, Some(relevance))
    }
}
