//! What is cached, what is dropped, and that neither changes a count.

use std::cell::Cell;
use std::num::NonZeroUsize;

use super::{CAPACITY, CountCache, MIN_BYTES};
use crate::Count;

fn cache(capacity: usize) -> CountCache {
    CountCache::new(NonZeroUsize::new(capacity).unwrap())
}

fn long(n: usize) -> String {
    format!("{n:0MIN_BYTES$}")
}

/// Counts bytes, and counts its calls in `n_counted`.
fn ask(cache: &CountCache, text: &str, n_counted: &Cell<usize>) -> Count {
    let counted = cache.get_or_count(text, |text| {
        n_counted.set(n_counted.get() + 1);
        Ok(Count {
            tokens: text.len(),
            exact: true,
            headroom_percent: 0,
        })
    });
    counted.unwrap()
}

#[test]
fn pack_34_a_text_is_counted_once() {
    let (cache, n_counted) = (cache(10), Cell::new(0));
    for _ in 0..3 {
        assert_eq!(ask(&cache, &long(1), &n_counted).tokens, MIN_BYTES);
        assert_eq!(
            ask(&cache, &(long(1) + "x"), &n_counted).tokens,
            MIN_BYTES + 1,
            "another text"
        );
    }
    assert_eq!(n_counted.get(), 2);
}

#[test]
fn pack_34_the_least_recently_used_is_forgotten() {
    let (cache, n_counted) = (cache(2), Cell::new(0));
    for n in [1, 2, 1, 3] {
        ask(&cache, &long(n), &n_counted);
    }
    assert_eq!(n_counted.get(), 3);
    ask(&cache, &long(1), &n_counted);
    assert_eq!(n_counted.get(), 3, "1 was used after 2, so it stayed");
    ask(&cache, &long(2), &n_counted);
    assert_eq!(n_counted.get(), 4, "2 had to go for 3");
}

#[test]
fn pack_34_never_more_than_ten_thousand() {
    let (cache, n_counted) = (CountCache::new(CAPACITY), Cell::new(0));
    for n in 0..10_001 {
        ask(&cache, &long(n), &n_counted);
    }
    assert_eq!(cache.lock().len(), 10_000);
    ask(&cache, &long(0), &n_counted);
    assert_eq!(n_counted.get(), 10_002);
}

#[test]
fn short_texts_take_no_room() {
    let (cache, n_counted) = (cache(10), Cell::new(0));
    for text in ["", "x", &"x".repeat(MIN_BYTES - 1)] {
        ask(&cache, text, &n_counted);
    }
    assert_eq!((n_counted.get(), cache.lock().len()), (3, 0));
}

#[test]
fn a_panic_while_counting_spoils_nothing() {
    let (cache, n_counted) = (cache(10), Cell::new(0));
    let unlucky = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        cache.get_or_count(&long(1), |_| panic!("no count"))
    }));
    assert!(unlucky.is_err());
    assert_eq!(ask(&cache, &long(1), &n_counted).tokens, MIN_BYTES);
}
