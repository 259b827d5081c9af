use super::*;

#[test]
fn idx_22_what_is_used_most_ranks_highest() {
    let edges = [(0, 2, 1.0), (1, 2, 1.0), (2, 3, 1.0), (3, 0, 0.1)];
    let ranks = pagerank(4, &edges, &[]);
    assert!((ranks.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let best = (0..4).max_by(|a, b| ranks[*a].total_cmp(&ranks[*b]));
    assert_eq!(best, Some(2));
}

#[test]
fn the_order_of_edges_does_not_matter_to_the_bit() {
    let mut edges: Vec<(u32, u32, f64)> = (0..200u32)
        .map(|n| (n * 7 % 40, n * 13 % 40, f64::from(n % 5) + 0.1))
        .collect();
    let expected = pagerank(40, &edges, &[]);
    edges.reverse();
    assert_eq!(pagerank(40, &edges, &[]), expected);
}

#[test]
fn a_personal_start_pulls_its_neighbours_up() {
    let edges = [(0, 1, 1.0), (2, 3, 1.0)];
    let ranks = pagerank(4, &edges, &[1.0, 0.0, 0.0, 0.0]);
    assert!(ranks[1] > ranks[3]);
    assert_eq!(pagerank(0, &[], &[]), Vec::<f64>::new());
}
