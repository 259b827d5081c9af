//! IDX-41: percent and time left.

use std::time::Duration;

use super::*;

fn step(phase: Phase, done: u64, total: u64) -> Progress<'static> {
    Progress {
        work: Work { done, total },
        ..phase.begins()
    }
}

fn course() -> RunProgress {
    RunProgress::new(WorkAhead {
        n_files: 100,
        bytes: 1_000_000,
        embedded_bytes: 1_000_000,
        is_slow: false,
    })
}

#[test]
fn idx_41_percent_grows_through_all_phases_and_ends_at_100() {
    let mut course = course();
    let mut steps = vec![step(Phase::Indexing, 0, 1_000_000)];
    steps.extend((1..=10).map(|n| step(Phase::Indexing, n * 100_000, 1_000_000)));
    steps.push(Phase::Publishing.begins());
    // More than was foreseen, and a step back.
    steps.extend([0, 5, 2, 9, 20].map(|n| step(Phase::Embedding, n, 20)));
    steps.push(Phase::Finishing.begins());
    steps.push(step(Phase::Finishing, 1, 1));
    let percents: Vec<u64> = steps
        .into_iter()
        .map(|step| course.whole(step).work.percent())
        .collect();
    assert!(percents.is_sorted(), "{percents:?}");
    assert_eq!((percents[0], percents[percents.len() - 1]), (0, 100));
    assert!(
        percents[percents.len() - 2] < 100,
        "not before the end: {percents:?}"
    );
}

#[test]
fn idx_41_a_phase_that_had_nothing_to_do_is_passed_over() {
    let mut course = course();
    let before = course.whole(step(Phase::Indexing, 1, 2)).work;
    let after = course.whole(Phase::Finishing.begins()).work;
    assert!(after.done > before.done && after.done < after.total);
}

#[test]
fn idx_41_time_left_goes_by_bytes() {
    let at = |done, total| Work { done, total }.left(Duration::from_secs(10));
    assert_eq!(at(0, 100), None);
    assert_eq!(at(25, 100), Some(Duration::from_secs(30)));
    assert_eq!(at(100, 100), Some(Duration::ZERO));
    // Nine small files are done and the one that has nearly all the bytes is not.
    let mut course = RunProgress::new(WorkAhead {
        n_files: 10,
        bytes: 100_000_000,
        embedded_bytes: 0,
        is_slow: false,
    });
    let work = course
        .whole(step(Phase::Indexing, cost(9_000, 9), cost(100_000_000, 10)))
        .work;
    assert_eq!(work.percent(), 0);
    assert!(work.left(Duration::from_secs(1)) > Some(Duration::from_secs(1_000)));
}
