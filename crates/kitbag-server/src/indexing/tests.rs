//! What is reported about background indexing (IDX-41).

use super::*;

fn step(phase: Phase, done: u64) -> Progress<'static> {
    Progress {
        phase,
        n_done: 0,
        n_total: 0,
        work: Work { done, total: 200 },
        path: None,
    }
}

#[test]
fn idx_41_percent_never_falls_within_a_run_and_a_look_takes_nothing_away() {
    let indexing = Indexing::default();
    let run = [
        (Phase::Waiting, 0),
        (Phase::Scanning, 0),
        (Phase::Indexing, 10),
        (Phase::Indexing, 120),
        (Phase::Publishing, 130),
        (Phase::Embedding, 190),
        (Phase::Finishing, 199),
    ];
    let percents: Vec<u64> = run
        .iter()
        .map(|(phase, done)| {
            indexing.report(&step(*phase, *done));
            indexing.steps().percent()
        })
        .collect();
    assert_eq!(percents, [0, 0, 5, 60, 65, 95, 99]);
    indexing.finish(None);
    assert_eq!(indexing.steps().percent(), 100);
    // The next run scans the files and finds nothing to do.
    indexing.report(&step(Phase::Scanning, 0));
    assert_eq!(indexing.steps().percent(), 100);
}
