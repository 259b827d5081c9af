//! Which steps of a run become lines.

use kitbag_engine::Work;

use super::*;

/// Every file has 1,000 bytes, and there is nothing but this phase.
fn step(phase: Phase, n_done: usize, n_total: usize) -> Progress<'static> {
    let is_counted = phase == Phase::Indexing;
    Progress {
        phase,
        n_done: if is_counted { n_done } else { 0 },
        n_total: if is_counted { n_total } else { 0 },
        work: Work {
            done: n_done as u64 * 1_000,
            total: n_total as u64 * 1_000,
        },
        path: None,
    }
}

fn said(steps: &[(u64, Phase, usize)]) -> Vec<String> {
    let mut throttle = Throttle::default();
    steps
        .iter()
        .filter_map(|(ms, phase, n_done)| {
            let at = Duration::from_millis(*ms);
            throttle.line(at, at, step(*phase, *n_done, 2_000))
        })
        .map(|line| line.trim_end().to_owned())
        .collect()
}

#[test]
fn cli_3_a_line_for_each_tenth_but_not_in_a_rush() {
    let steps: Vec<_> = (0..=2_000).map(|n| (n as u64, Phase::Indexing, n)).collect();
    assert_eq!(
        said(&steps),
        [
            "indexing: 0 of 2,000 files (0 % of the run)",
            "indexing: 1,000 of 2,000 files (50 % of the run, 1 s left)",
            "indexing: 2,000 of 2,000 files (100 % of the run, 0 s left)",
        ]
    );
}

#[test]
fn cli_3_a_slow_tenth_is_reported_every_five_seconds() {
    let steps: Vec<_> = (0..13).map(|n| (n as u64 * 1_000, Phase::Indexing, n)).collect();
    assert_eq!(said(&steps).len(), 3, "at 0, 5 and 10 s");
}

#[test]
fn cli_3_a_bar_says_how_far_and_how_long() {
    let at = |n_done, seconds| message(Duration::from_secs(seconds), step(Phase::Indexing, n_done, 4_000));
    assert_eq!(at(1_000, 2), "indexing 1,000/4,000 files, 6 s left");
    assert_eq!(at(0, 2), "indexing 0/4,000 files");
    assert_eq!(at(4_000, 1), "indexing 4,000/4,000 files, 0 s left");
    assert_eq!(at(1, 0), "indexing 1/4,000 files", "too early to tell");
}

#[test]
fn idx_41_the_time_left_goes_by_bytes_of_the_whole_run() {
    // All files of the phase are done, and three quarters of the run are not.
    let step = Progress {
        work: Work { done: 25, total: 100 },
        ..step(Phase::Indexing, 10, 10)
    };
    assert_eq!(
        message(Duration::from_secs(10), step),
        "indexing 10/10 files, 30 s left"
    );
}

#[test]
fn cli_3_a_new_phase_is_news() {
    let steps = [
        (0, Phase::Scanning, 0),
        (1, Phase::Indexing, 0),
        (2, Phase::Indexing, 1),
        (3, Phase::Publishing, 1),
    ];
    let said = said(&steps);
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said[2].starts_with("making it searchable ("), "{said:?}");
}
