//! Normalises vectors of every model to length 1 (RET-12), so that the product of two is the cosine of their angle. A zero
//! vector stays zero: no term of that text is known.

/// Sums in `f64`: squares of numbers that a server may send do not fit into `f32`.
pub(crate) fn normalise(vector: &mut [f32]) {
    let squares: f64 = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
    let length = squares.sqrt();
    if length > 0.0 {
        for value in vector {
            *value = (f64::from(*value) / length) as f32;
        }
    }
}
