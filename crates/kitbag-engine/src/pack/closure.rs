//! What the best pieces depend on (PACK-43): the definitions of the functions they call and of the types they name are added; their
//! callers are named with the lines of the calls, and so are the tests that call them. One step, from the best few only. The
//! intent decides how much: all callers for a refactoring, a test with its fixtures if a test is to be written.

use kitbag_pack::{Intent, Origin};
use kitbag_store::Snapshot;
use kitbag_types::{LinkKind, RepoPath, Stop};

use super::pieces::{CandidateOrigin, Collector};
use crate::EngineError;
use crate::conventions::is_test;
use crate::neighbours::Walk;
use crate::providers::Row;

/// Number of pieces whose uses are followed.
const BEST: usize = 5;
/// Weight of a definition that is used, as a share of its user's.
const PULLED_SHARE: f64 = 0.5;
/// The same for a test that calls it.
const TEST_SHARE: f64 = 0.35;
/// The same for one of its callers.
const CALLER_SHARE: f64 = 0.3;
/// Number of pieces whose callers are named; most callers of each, and most if every call site has to change.
const CALLED: usize = 2;
const CALLERS: usize = 4;
const ALL_CALLERS: usize = 60;
/// If a test is to be written: the weight of an existing test, as a share of what it tests; what the test uses has half of that.
const MODEL_TEST: f64 = 0.95;

/// Adds to `collector` what its best pieces use, who uses them, and their tests.
pub(crate) fn pull_in(
    collector: &mut Collector<'_, '_>,
    snapshot: &Snapshot<'_>,
    intent: Intent,
    stop: Stop<'_>,
) -> Result<(), EngineError> {
    let mut walk = Walk::new(snapshot, stop);
    let is_test_file = |path: &str| RepoPath::new(path).is_ok_and(|path| is_test(&path));
    let best: Vec<(Row, f64)> = collector
        .by_relevance()
        .into_iter()
        .map(|idx| (&collector.pieces[idx], &collector.rows[idx]))
        .filter(|(piece, _)| piece.kind.is_code() && !is_test_file(&piece.path))
        .filter_map(|(piece, row)| Some((row.clone()?, piece.relevance)))
        .take(BEST)
        .collect();
    let mut has_model = false;
    for (n, (row, relevance)) in best.into_iter().enumerate() {
        stop.check()?;
        for (definition, kind) in walk.definitions_for(&row)? {
            let how = match kind {
                LinkKind::Call => "called by",
                _ => "used by",
            };
            let how = pulled(relevance * PULLED_SHARE, format!("{how} {}", row.label));
            collector.add(definition.into(), how)?;
        }
        let n_callers = match intent {
            Intent::Refactor if n == 0 => ALL_CALLERS,
            _ if n < CALLED => CALLERS,
            _ => 0,
        };
        if n_callers > 0 {
            for caller in walk.callers_of(&row, n_callers)? {
                let how = CandidateOrigin {
                    note: caller.say(),
                    ..pulled(relevance * CALLER_SHARE, format!("calls {}", row.label))
                };
                collector.add(caller.row.into(), how)?;
            }
        }
        for test in walk.tests_of(&row)? {
            let is_model = intent == Intent::AddTest && !has_model;
            has_model |= is_model;
            let share = if is_model { MODEL_TEST } else { TEST_SHARE };
            let fixtures = match is_model {
                true => walk.definitions_for(&test)?,
                false => Vec::new(),
            };
            let how = pulled(relevance * share, format!("tests {}", row.label));
            let label = test.label.clone();
            collector.add(test.into(), how)?;
            for (fixture, _) in fixtures {
                if is_test_file(fixture.path.as_str()) {
                    let how = pulled(relevance * share * PULLED_SHARE, format!("used by {label}"));
                    collector.add(fixture.into(), how)?;
                }
            }
        }
    }
    Ok(())
}

pub(super) fn pulled(relevance: f64, by: String) -> CandidateOrigin {
    CandidateOrigin {
        pulled_by: Some(by),
        ..CandidateOrigin::new(Origin::Search, Some(relevance))
    }
}
