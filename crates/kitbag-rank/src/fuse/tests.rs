use proptest::prelude::*;

use super::*;

fn list(provider: &'static str, weight: f64, ids: &[u32]) -> List<u32> {
    List {
        provider,
        weight,
        found: ids.iter().map(|id| (*id, None)).collect(),
    }
}

fn with_shares(provider: &'static str, weight: f64, found: &[(u32, f64)]) -> List<u32> {
    List {
        provider,
        weight,
        found: found.iter().map(|(id, share)| (*id, Some(*share))).collect(),
    }
}

/// Ids with scores, best first.
fn fused(lists: &[List<u32>], fusion: Fusion) -> Vec<(u32, f64)> {
    let fused = fuse(lists, fusion).into_iter();
    fused
        .map(|candidate| (candidate.chunk, (candidate.score * 1e9).round() / 1e9))
        .collect()
}

#[test]
fn ret_15_reciprocal_ranks_add_up() {
    let fused = fuse(&[list("a", 1.0, &[1, 2]), list("b", 1.0, &[2, 3])], Fusion::Rrf);
    assert_eq!(
        fused.iter().map(|candidate| candidate.chunk).collect::<Vec<_>>(),
        [2, 1, 3]
    );
    assert_eq!(fused[0].score, 1.0 / 62.0 + 1.0 / 61.0);
    assert_eq!(fused[0].reasons.len(), 2);
}

#[test]
fn a_provider_counts_once_with_its_better_place() {
    for fusion in Fusion::ALL {
        let twice = fuse(&[list("a", 1.0, &[5, 5, 5])], fusion);
        let once = fuse(&[list("a", 1.0, &[5])], fusion);
        assert_eq!(twice, once, "{fusion:?}");
    }
}

#[test]
fn ret_15_a_weighted_average_of_shares() {
    let lists = [
        with_shares("a", 3.0, &[(1, 1.0), (2, 0.5), (3, 0.2)]),
        with_shares("b", 1.0, &[(3, 1.0), (2, 0.8)]),
    ];
    // 3: (3 × 0.2 + 1.0) / 4, 2: (3 × 0.5 + 0.8) / 4, 1: 3 / 4.
    assert_eq!(
        fused(&lists, Fusion::WeightedAverage),
        [(1, 0.75), (2, 0.575), (3, 0.4)]
    );
}

#[test]
fn ret_15_a_place_stands_in_for_a_share() {
    let lists = [
        list("a", 1.0, &[1, 2, 3, 4]),
        with_shares("b", 1.0, &[(4, 1.0), (1, 0.1)]),
    ];
    // In `a` the places are worth 1, 0.75, 0.5, 0.25.
    assert_eq!(
        fused(&lists, Fusion::WeightedAverage),
        [(4, 0.625), (1, 0.55), (2, 0.375), (3, 0.25)]
    );
    // A place without a share is never worth more than the one before it.
    let mut mixed = with_shares("a", 1.0, &[(7, 0.4), (8, 0.3)]);
    mixed.found.push((9, None));
    assert_eq!(
        fused(&[mixed], Fusion::WeightedAverage),
        [(7, 0.4), (8, 0.3), (9, 0.3)]
    );
}

#[test]
fn ret_15_a_cascade_only_fills_up() {
    let lists = [
        list("light", 0.2, &[9, 1, 8]),
        list("heavy", 1.0, &[3, 1]),
        list("middle", 0.5, &[1, 4]),
    ];
    let fused = fuse(&lists, Fusion::Cascade);
    assert_eq!(
        fused.iter().map(|candidate| candidate.chunk).collect::<Vec<_>>(),
        [3, 1, 4, 9, 8]
    );
    assert_eq!(fused[0].score, 1.0 / 61.0);
    assert_eq!(fused[4].score, 1.0 / 65.0);
    // All providers that found it are named; the one that placed it first has the whole score.
    let reasons: Vec<(&str, f64)> = fused[1]
        .reasons
        .iter()
        .map(|reason| (reason.factor, reason.value))
        .collect();
    assert_eq!(reasons, [("heavy", 1.0 / 62.0), ("light", 0.0), ("middle", 0.0)]);
}

#[test]
fn no_weight_is_no_division_by_zero() {
    for fusion in Fusion::ALL {
        for candidate in fuse(&[list("a", 0.0, &[2, 1]), list("b", 0.0, &[])], fusion) {
            assert!(candidate.score.is_finite(), "{fusion:?}");
        }
        assert!(fuse::<u32>(&[], fusion).is_empty());
    }
}

#[test]
fn names_and_ways_are_the_same() {
    for fusion in Fusion::ALL {
        assert_eq!(Fusion::parse(fusion.as_str()), Some(fusion));
    }
    assert_eq!(Fusion::parse("RRF"), None);
    assert_eq!(Fusion::default(), Fusion::Rrf);
}

proptest! {
    #[test]
    fn fusing_is_blind_to_the_order_of_providers(
        a in proptest::collection::vec(0u32..30, 0..20),
        b in proptest::collection::vec(0u32..30, 0..20),
        c in proptest::collection::vec((0u32..30, 0.0..1.0), 0..20),
    ) {
        let lists = [list("a", 1.0, &a), list("b", 0.6, &b), with_shares("c", 0.3, &c)];
        for fusion in Fusion::ALL {
            let expected = fuse(&lists, fusion);
            for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                let shuffled: Vec<List<u32>> = order.iter().map(|idx| lists[*idx].clone()).collect();
                prop_assert_eq!(&fuse(&shuffled, fusion), &expected);
            }
            for pair in expected.windows(2) {
                prop_assert!(pair[0].score > pair[1].score || (pair[0].score == pair[1].score && pair[0].chunk < pair[1].chunk));
            }
        }
    }
}
