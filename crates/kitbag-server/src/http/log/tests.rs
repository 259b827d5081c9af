//! How fast strangers can make a log grow.

use super::*;

#[test]
fn sec_4_strangers_get_a_few_lines_in_a_second_and_one_that_counts_the_rest() {
    let log = Log::new(false);
    let at = Duration::from_millis(5_200);
    let n_written = (0..1_000).filter(|_| log.turn(at, 1).0).count() as u64;
    assert_eq!(n_written, MOST_LINES);
    log.count();
    assert_eq!(
        log.turn(Duration::from_millis(5_999), 0).1,
        0,
        "the second is not over"
    );
    let next = Duration::from_millis(6_100);
    assert_eq!(log.turn(next, 0).1, 1_000 - MOST_LINES + 1);
    assert_eq!(log.turn(next, 1), (true, 0), "told once, and there is room again");
}
