//! Which steps of a run become lines.

use super::*;

fn said(steps: &[(u64, Phase, usize)]) -> Vec<String> {
    let mut throttle = Throttle::default();
    steps
        .iter()
        .filter_map(|(ms, phase, n_done)| {
            let progress = Progress {
                phase: *phase,
                n_done: *n_done,
                n_total: 2_000,
                path: None,
            };
            throttle.line(Duration::from_millis(*ms), progress)
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
            "indexing: 0 of 2,000 files (0 %)",
            "indexing: 1,000 of 2,000 files (50 %)",
            "indexing: 2,000 of 2,000 files (100 %)",
        ]
    );
}

#[test]
fn cli_3_a_slow_tenth_is_reported_every_five_seconds() {
    let steps: Vec<_> = (0..13).map(|n| (n as u64 * 1_000, Phase::Indexing, n)).collect();
    assert_eq!(said(&steps).len(), 3, "at 0, 5 and 10 s");
}

#[test]
fn cli_3_a_bar_says_how_fast_and_how_long() {
    let at = |n_done, seconds| {
        let progress = Progress {
            phase: Phase::Indexing,
            n_done,
            n_total: 4_000,
            path: None,
        };
        message(Duration::from_secs(seconds), progress)
    };
    assert_eq!(at(1_000, 2), "indexing 1,000/4,000 files, 500/s, 6 s left");
    assert_eq!(at(0, 2), "indexing 0/4,000 files, 0/s");
    assert_eq!(at(4_000, 1), "indexing 4,000/4,000 files, 4000/s, 0 s left");
    assert_eq!(at(1, 0), "indexing 1/4,000 files, 1000/s", "too early to tell");
}

#[test]
fn cli_3_a_new_phase_is_news() {
    let steps = [
        (0, Phase::Scanning, 0),
        (1, Phase::Indexing, 0),
        (2, Phase::Indexing, 1),
        (3, Phase::Publishing, 0),
    ];
    assert_eq!(
        said(&steps),
        ["looking", "indexing: 0 of 2,000 files (0 %)", "publishing"]
    );
}
