use proptest::prelude::*;

use super::*;

/// Three similar results, then another.
const RELEVANCE: [f64; 4] = [1.0, 0.9, 0.8, 0.5];

fn alike(a: usize, b: usize) -> f64 {
    if a < 3 && b < 3 { 0.9 } else { 0.1 }
}

#[test]
fn ret_30_a_double_waits_for_something_else() {
    // After 0: 1 has 0.45 - 0.45 = 0, 3 has 0.25 - 0.05 = 0.2. After 3: 1 has 0, 2 has 0.4 - 0.45.
    assert_eq!(diversify(&RELEVANCE, 0.5, &alike), [0, 3, 1, 2]);
    // 0.8 × 0.9 - 0.2 × 0.9 = 0.54 against 0.8 × 0.5 - 0.2 × 0.1 = 0.38.
    assert_eq!(diversify(&RELEVANCE, 0.8, &alike), [0, 1, 2, 3]);
}

#[test]
fn ret_30_lambda_from_all_diversity_to_all_relevance() {
    assert_eq!(diversify(&RELEVANCE, 1.0, &|_, _| 1.0), [0, 1, 2, 3]);
    // After the first, only difference counts; equal ones keep their order.
    assert_eq!(diversify(&RELEVANCE, 0.0, &alike), [0, 3, 1, 2]);
    assert_eq!(diversify(&RELEVANCE, 0.0, &|_, _| 0.0), [0, 1, 2, 3]);
    assert!(diversify(&[], 0.5, &|_, _| 0.0).is_empty());
}

#[test]
fn ret_30_what_is_far_down_stays_there() {
    let relevance: Vec<f64> = (0..DIVERSE + 5).map(|idx| 1.0 / (idx + 1) as f64).collect();
    let order = diversify(&relevance, 0.3, &|a, b| if a < 50 && b < 50 { 1.0 } else { 0.0 });
    assert_eq!(order[DIVERSE..], (DIVERSE..DIVERSE + 5).collect::<Vec<_>>());
    assert_eq!(order[..3], [0, 50, 51]);
    assert_eq!(order[51..53], [1, 2]);
}

#[test]
fn ret_30_overlap_is_what_is_common_of_all() {
    assert_eq!(overlap(&["a", "b", "c"], &["b", "c", "d"]), 0.5);
    assert_eq!(overlap(&["a"], &["a"]), 1.0);
    assert_eq!(overlap(&["a"], &["b"]), 0.0);
    assert_eq!(overlap::<&str>(&[], &[]), 0.0);
}

proptest! {
    #[test]
    fn every_place_is_taken_once(
        mut relevance in proptest::collection::vec(0.0f64..1.0, 0..130),
        lambda in 0.0f64..=1.0,
        salt in 0usize..97,
    ) {
        relevance.sort_by(|a, b| b.total_cmp(a));
        let similarity = |a: usize, b: usize| ((a * b + salt) % 97) as f64 / 97.0;
        let mut order = diversify(&relevance, lambda, &similarity);
        if !order.is_empty() {
            prop_assert_eq!(order[0], 0, "the best stays first");
        }
        order.sort_unstable();
        prop_assert_eq!(order, (0..relevance.len()).collect::<Vec<_>>());
    }
}
