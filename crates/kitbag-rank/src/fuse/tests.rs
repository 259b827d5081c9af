use proptest::prelude::*;

use super::*;

fn list(provider: &'static str, weight: f64, ids: &[u32]) -> List<u32> {
    List {
        provider,
        weight,
        ids: ids.to_vec(),
    }
}

#[test]
fn ret_15_reciprocal_ranks_add_up() {
    let fused = fuse(&[list("a", 1.0, &[1, 2]), list("b", 1.0, &[2, 3])]);
    assert_eq!(
        fused.iter().map(|candidate| candidate.id).collect::<Vec<_>>(),
        [2, 1, 3]
    );
    assert_eq!(fused[0].score, 1.0 / 62.0 + 1.0 / 61.0);
    assert_eq!(fused[0].reasons.len(), 2);
}

#[test]
fn a_provider_counts_once_with_its_better_place() {
    assert_eq!(fuse(&[list("a", 1.0, &[5, 5, 5])])[0].score, 1.0 / 61.0);
}

proptest! {
    #[test]
    fn fusing_is_blind_to_the_order_of_providers(
        a in proptest::collection::vec(0u32..30, 0..20),
        b in proptest::collection::vec(0u32..30, 0..20),
        c in proptest::collection::vec(0u32..30, 0..20),
    ) {
        let lists = [list("a", 1.0, &a), list("b", 0.6, &b), list("c", 0.3, &c)];
        let expected = fuse(&lists);
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let shuffled: Vec<List<u32>> = order.iter().map(|idx| lists[*idx].clone()).collect();
            prop_assert_eq!(&fuse(&shuffled), &expected);
        }
        for pair in expected.windows(2) {
            prop_assert!(pair[0].score > pair[1].score || (pair[0].score == pair[1].score && pair[0].id < pair[1].id));
        }
    }
}
