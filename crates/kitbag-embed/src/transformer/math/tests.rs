//! Compares with the same functions in double precision.

use super::{exp, gelu, layer_norm, softmax};

fn steps(from: f32, to: f32, n: u32) -> impl Iterator<Item = f32> {
    (0..=n).map(move |i| from + (to - from) * i as f32 / n as f32)
}

/// The series of erf, which in double precision is good to 10⁻¹⁰ up to 4.
fn erf(z: f64) -> f64 {
    let mut term = z;
    let mut sum = z;
    for n in 1..200 {
        let n = f64::from(n);
        term *= -z * z / n;
        sum += term / (2.0 * n + 1.0);
    }
    sum * 2.0 / std::f64::consts::PI.sqrt()
}

#[test]
fn exp_is_right_to_a_few_units_in_the_last_place() {
    for x in steps(-86.0, 88.0, 100_000) {
        let (found, expected) = (f64::from(exp(x)), f64::from(x).exp());
        assert!(
            ((found - expected) / expected).abs() < 5e-7,
            "{x}: {found} {expected}"
        );
    }
    assert_eq!(exp(0.0), 1.0);
    for x in [-87.5, -1000.0, f32::MIN, f32::NEG_INFINITY] {
        assert!(exp(x) < 2e-38, "{x}");
    }
}

#[test]
fn gelu_is_the_exact_one() {
    for x in steps(-5.5, 5.5, 100_000) {
        let exact = f64::from(x) * 0.5 * (1.0 + erf(f64::from(x) / std::f64::consts::SQRT_2));
        assert!(
            (f64::from(gelu(x)) - exact).abs() < 2e-6,
            "{x}: {} {exact}",
            gelu(x)
        );
    }
    assert_eq!(gelu(0.0), 0.0);
    assert_eq!(gelu(100.0), 100.0);
    assert!(gelu(-100.0).abs() < 1e-30);
}

#[test]
fn softmax_makes_shares() {
    let mut rows = vec![0.0, 2.0_f32.ln(), 5.0_f32.ln(), 1000.0, 1000.0, -1000.0];
    softmax(&mut rows, 3, 1.0);
    for (found, expected) in rows.iter().zip([0.125, 0.25, 0.625, 0.5, 0.5, 0.0]) {
        assert!((found - expected).abs() < 1e-6, "{rows:?}");
    }
}

#[test]
fn layer_norm_leaves_mean_and_variance_to_its_weights() {
    // Eleven numbers: eight lanes and a rest.
    let mut row: Vec<f32> = (0..11).map(|i| i as f32).collect();
    layer_norm(&mut row, &[2.0; 11], &[1.0; 11], 1e-12);
    for (i, value) in row.iter().enumerate() {
        let expected = (i as f32 - 5.0) / 10.0_f32.sqrt() * 2.0 + 1.0;
        assert!((value - expected).abs() < 1e-6, "{value} {expected}");
    }
}
