//! The one thing that is done to every vector, whoever made it: it gets the length 1 (RET-12), so that a product of two
//! is the cosine of their angle. What is zero stays zero: nothing is known of that text.

/// The sum is taken in `f64`: squares of what a server may send do not fit into `f32`.
pub(crate) fn normalise(vector: &mut [f32]) {
    let squares: f64 = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
    let length = squares.sqrt();
    if length > 0.0 {
        for value in vector {
            *value = (f64::from(*value) / length) as f32;
        }
    }
}
