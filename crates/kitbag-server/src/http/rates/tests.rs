//! Buckets with simulated time.

use std::time::Duration;

use super::*;

const SLOW: RateLimit = RateLimit {
    per_second: 1.0,
    at_once: 10.0,
};

#[test]
fn http_2_ten_seconds_at_once_and_then_the_rate() {
    let (rates, began) = (Rates::default(), Instant::now());
    let n_let_in = |at: Instant| (0..100).filter(|_| rates.take(&"ann", SLOW, 1, at)).count();
    assert_eq!(n_let_in(began), 10);
    assert_eq!(n_let_in(began + Duration::from_secs(3)), 3);
    assert!(rates.take(&"ben", SLOW, 1, began), "others are not concerned");
    assert_eq!(n_let_in(began + Duration::from_secs(3_600)), 10);
}

#[test]
fn http_2_what_is_taken_at_once_is_paid_for() {
    let (rates, began) = (Rates::default(), Instant::now());
    let after = |seconds| began + Duration::from_secs(seconds);
    assert!(rates.take(&"ann", SLOW, 1, began));
    rates.charge(&"ann", 49);
    assert!(!rates.take(&"ann", SLOW, 1, after(40)));
    assert!(rates.take(&"ann", SLOW, 1, after(41)));
}

#[test]
fn sec_4_buckets_are_bounded() {
    let (rates, began) = (Rates::default(), Instant::now());
    for n in 0..MOST_BUCKETS {
        assert!(rates.take(&n, SLOW, 1, began));
    }
    assert!(!rates.take(&MOST_BUCKETS, SLOW, 1, began));
    assert!(rates.take(&7, SLOW, 1, began), "who is known is not");
    let later = began + Duration::from_secs(2);
    assert!(
        rates.take(&MOST_BUCKETS, SLOW, 1, later),
        "full ones are forgotten"
    );
    assert!(rates.left.lock().unwrap().len() < 10);
}
