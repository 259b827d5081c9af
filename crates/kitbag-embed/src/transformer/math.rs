//! The operations of a layer other than matrix products: functions of single numbers and of rows.
//!
//! `exp` and `erf` are our own. Those of the C library cost as much as the matrix products, because they handle one number at
//! a time and branch. These have no branches, so the compiler can vectorise them. They are accurate to a few units in the
//! last place (tests) and the same on every machine. Sums run in eight fixed lanes, because a single sum in order cannot be
//! vectorised.

#[cfg(test)]
mod tests;

use std::f32::consts::{FRAC_1_SQRT_2, LN_2, LOG2_E};

/// eˣ, for x ≤ 88; below −87 it is 0.
///
/// eˣ = 2ⁿ · eʳ with whole n and |r| ≤ ln 2 / 2, where seven terms of the series leave an error of 10⁻⁷.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // 1.5 · 2²³: adding it leaves a whole number in the low bits, which rounds without a branch.
    const ROUND: f32 = 12_582_912.0;
    // ln 2 in two parts, so that n · ln 2 loses nothing.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    const _: () = assert!((LN_2_HIGH + LN_2_LOW - LN_2).abs() < 1e-7);
    let x = x.max(-87.0);
    let shifted = x * LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = x - n * LN_2_HIGH - n * LN_2_LOW;
    let series = 1.0
        + r * (1.0
            + r * (1.0 / 2.0 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0))))));
    // The low bits of `shifted` are n; moved into the exponent they are 2ⁿ.
    let power = f32::from_bits(shifted.to_bits().wrapping_shl(23).wrapping_add(127 << 23));
    series * power
}

/// x · Φ(x), with the exact normal distribution, as BERT was trained.
///
/// Φ by formula 7.1.26 of Abramowitz and Stegun, which gives erf to 1.5 · 10⁻⁷.
#[inline(always)]
pub(crate) fn gelu(x: f32) -> f32 {
    let z = (x * FRAC_1_SQRT_2).abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let polynomial =
        t * (0.254_829_6 + t * (-0.284_496_74 + t * (1.421_413_7 + t * (-1.453_152 + t * 1.061_405_4))));
    let tail = polynomial * exp(-z * z);
    // erfc(z)/2 is the probability beyond |x|.
    let beyond = 0.5 * tail;
    if x < 0.0 { x * beyond } else { x * (1.0 - beyond) }
}

/// Adds `bias` to each row and applies [`gelu`].
pub(crate) fn bias_gelu(rows: &mut [f32], bias: &[f32]) {
    for row in rows.chunks_exact_mut(bias.len()) {
        for (value, bias) in row.iter_mut().zip(bias) {
            *value = gelu(*value + bias);
        }
    }
}

pub(crate) fn add_bias(rows: &mut [f32], bias: &[f32]) {
    for row in rows.chunks_exact_mut(bias.len()) {
        for (value, bias) in row.iter_mut().zip(bias) {
            *value += bias;
        }
    }
}

/// Scales each row to mean 0 and variance 1, then scales and shifts it by the weights.
pub(crate) fn layer_norm(rows: &mut [f32], scale: &[f32], shift: &[f32], epsilon: f32) {
    let n = scale.len() as f32;
    for row in rows.chunks_exact_mut(scale.len()) {
        let mean = sum(row, |x| x) / n;
        let variance = sum(row, |x| (x - mean) * (x - mean)) / n;
        let factor = 1.0 / (variance + epsilon).sqrt();
        for ((value, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
            *value = (*value - mean) * factor * scale + shift;
        }
    }
}

/// Turns each row of `width` numbers, multiplied by `factor`, into shares with the sum 1.
pub(crate) fn softmax(rows: &mut [f32], width: usize, factor: f32) {
    for row in rows.chunks_exact_mut(width) {
        let largest = row.iter().copied().fold(f32::MIN, f32::max);
        for value in row.iter_mut() {
            *value = exp((*value - largest) * factor);
        }
        let share = 1.0 / sum(row, |x| x);
        for value in row.iter_mut() {
            *value *= share;
        }
    }
}

#[inline(always)]
fn sum(values: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = values.as_chunks::<8>();
    let mut lanes = [0.0_f32; 8];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += term(*value);
        }
    }
    let rest: f32 = rest.iter().map(|value| term(*value)).sum();
    lanes.iter().sum::<f32>() + rest
}
