//! Which answers are found again, and which are not.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Cache, MOST_ANSWERS, MOST_BYTES, Stamp};
use crate::OperationReply;

fn stamp(index: usize) -> Stamp {
    Stamp {
        configuration: 1,
        index,
        last_change: 7,
    }
}

fn answer(text: &str) -> OperationReply {
    OperationReply::new(text.to_owned(), &json!({}))
}

fn found(cache: &Cache, question: &str, stamp: Stamp, now: Instant) -> Option<String> {
    cache.find(question, stamp, now).map(|done| done.text)
}

#[test]
fn eng_60_an_answer_is_found_until_something_changes_or_it_is_old() {
    let (cache, now) = (Cache::default(), Instant::now());
    cache.keep("a".into(), stamp(1), now, &answer("A"));
    assert_eq!(found(&cache, "a", stamp(1), now).as_deref(), Some("A"));
    assert_eq!(found(&cache, "b", stamp(1), now), None);
    let written_by_another = Stamp {
        last_change: 8,
        ..stamp(1)
    };
    let other = Cache::default();
    other.keep("a".into(), stamp(1), now, &answer("A"));
    assert_eq!(found(&other, "a", written_by_another, now), None);
    let later = now + Duration::from_secs(299);
    assert_eq!(found(&cache, "a", stamp(1), later).as_deref(), Some("A"));
    assert_eq!(found(&cache, "a", stamp(1), now + Duration::from_secs(300)), None);
    cache.keep("a".into(), stamp(1), now, &answer("A"));
    assert_eq!(found(&cache, "a", stamp(2), now), None);
    assert_eq!(
        found(&cache, "a", stamp(1), now),
        None,
        "what is old is forgotten"
    );
}

#[test]
fn eng_60_the_longest_unused_goes_first() {
    let (cache, now) = (Cache::default(), Instant::now());
    for n in 0..MOST_ANSWERS {
        cache.keep(n.to_string(), stamp(1), now, &answer("x"));
    }
    assert!(found(&cache, "0", stamp(1), now).is_some());
    cache.keep("new".into(), stamp(1), now, &answer("y"));
    assert!(found(&cache, "0", stamp(1), now).is_some());
    assert_eq!(found(&cache, "1", stamp(1), now), None);
}

#[test]
fn sec_4_answers_take_no_more_memory_than_allowed() {
    let (cache, now) = (Cache::default(), Instant::now());
    let large = OperationReply::new("x".repeat(MOST_BYTES / 4), &json!({"items": ["y".repeat(1_000)]}));
    for question in ["a", "b", "c", "d"] {
        cache.keep(question.into(), stamp(1), now, &large);
    }
    assert_eq!(
        found(&cache, "a", stamp(1), now),
        None,
        "four of them are too many"
    );
    assert!(found(&cache, "b", stamp(1), now).is_some());
    cache.keep("e".into(), stamp(1), now, &answer(&"x".repeat(MOST_BYTES + 1)));
    assert_eq!(
        found(&cache, "e", stamp(1), now),
        None,
        "too large for all the room there is"
    );
    assert!(
        found(&cache, "d", stamp(1), now).is_some(),
        "and nobody had to go for it"
    );
}
