//! Compares two runs over the same queries: is the difference more than chance?
//!
//! Queries of one repository are similar, so if there are several repositories, the bootstrap draws repositories and not queries.
//! It uses our own generator with a fixed seed: the same two runs give the same interval on every machine.

/// Draws of the bootstrap. Twice as many change the interval by less than is printed.
const DRAWS: usize = 10_000;
const SEED: u64 = 42;
/// Smaller differences are rounding errors of sums in another order.
const TIE: f64 = 1e-9;

/// The result of [`paired`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    /// The mean within each group, then over the groups.
    pub mean: f64,
    /// The 95 % interval of the mean.
    pub low: f64,
    pub high: f64,
    pub n_up: usize,
    pub n_down: usize,
    pub n_same: usize,
}

/// The differences of one figure per query, in groups (repositories). With one group, its queries are drawn.
pub fn paired(groups: &[Vec<f64>]) -> Paired {
    let flat: Vec<f64> = groups.iter().flatten().copied().collect();
    let means: Vec<f64> = groups
        .iter()
        .filter(|group| !group.is_empty())
        .map(|group| mean(group))
        .collect();
    let drawn = if means.len() > 1 { &means } else { &flat };
    let mut random = SplitMix(SEED);
    let mut draws: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let sum: f64 = drawn.iter().map(|_| drawn[random.below(drawn.len())]).sum();
            sum / drawn.len().max(1) as f64
        })
        .collect();
    draws.sort_by(f64::total_cmp);
    Paired {
        mean: mean(&means),
        low: quantile(&draws, 0.025),
        high: quantile(&draws, 0.975),
        n_up: flat.iter().filter(|value| **value > TIE).count(),
        n_down: flat.iter().filter(|value| **value < -TIE).count(),
        n_same: flat.iter().filter(|value| value.abs() <= TIE).count(),
    }
}

/// The quantile `at` of sorted values, interpolated between neighbours; 0 if there are none.
pub fn quantile(sorted: &[f64], at: f64) -> f64 {
    let Some(last_idx) = sorted.len().checked_sub(1) else {
        return 0.0;
    };
    let place = at.clamp(0.0, 1.0) * last_idx as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(last_idx);
    sorted[below] + (sorted[above] - sorted[below]) * place.fract()
}

fn mean(values: &[f64]) -> f64 {
    // An empty sum is -0 in Rust.
    (values.iter().sum::<f64>() + 0.0) / values.len().max(1) as f64
}

/// SplitMix64: small, and good enough for drawing.
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        // The upper half times n is more evenly distributed than a remainder.
        ((u128::from(z) * n as u128) >> 64) as usize
    }
}
