//! Finds central files: PageRank over the graph of uses (IDX-22).

/// The usual probability of following a link instead of jumping.
const DAMPING: f64 = 0.85;
/// Enough for six stable digits on graphs of all usual sizes.
const ROUNDS: usize = 40;

/// Ranks of the nodes `0..n_nodes`, with the sum 1. `edges`: (from, to, weight). `start`: where a jump lands, one weight per node;
/// all zero means anywhere. The order of the edges does not change the result.
pub fn pagerank(n_nodes: usize, edges: &[(u32, u32, f64)], start: &[f64]) -> Vec<f64> {
    if n_nodes == 0 {
        return Vec::new();
    }
    let mut edges = edges.to_vec();
    edges.sort_by(|a, b| (a.1, a.0).cmp(&(b.1, b.0)).then(a.2.total_cmp(&b.2)));
    let mut out = vec![0.0; n_nodes];
    for (from, _, weight) in &edges {
        out[*from as usize] += weight;
    }
    let total: f64 = start.iter().sum();
    let jump: Vec<f64> = (0..n_nodes)
        .map(|node| {
            if total > 0.0 {
                start.get(node).copied().unwrap_or(0.0) / total
            } else {
                1.0 / n_nodes as f64
            }
        })
        .collect();
    let mut rank = jump.clone();
    for _ in 0..ROUNDS {
        let dangling: f64 = (0..n_nodes)
            .filter(|node| out[*node] == 0.0)
            .map(|node| rank[node])
            .sum();
        let mut next: Vec<f64> = jump
            .iter()
            .map(|share| (1.0 - DAMPING) * share + DAMPING * dangling * share)
            .collect();
        for (from, to, weight) in &edges {
            next[*to as usize] += DAMPING * rank[*from as usize] * weight / out[*from as usize];
        }
        rank = next;
    }
    rank
}

#[cfg(test)]
mod tests;
