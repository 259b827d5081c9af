use super::*;

#[test]
fn the_bound_grows_with_cases() {
    assert!(bound(5, 5) < bound(50, 50));
    assert!(bound(48, 50) < bound(50, 50));
    assert!(bound(0, 0).abs() < f64::EPSILON);
}
