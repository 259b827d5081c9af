//! Sessions in a real database: what is given back, to whom, for how long, and how much of it.

use super::*;

const IDLE: Duration = Duration::from_secs(1_800);
const START: i64 = 1_000_000_000;

struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn journal(&self, root: &str) -> Journal {
        Journal::open(self.dir.path(), std::path::Path::new(root)).unwrap()
    }
}

/// One answer that is made and handed over.
trait Answers {
    fn answer(&mut self, session: &str, shown: &[NewDelivery], now: Timestamp) -> u32;
}

impl Answers for Journal {
    fn answer(&mut self, session: &str, shown: &[NewDelivery], now: Timestamp) -> u32 {
        let number = self.next_answer(session, IDLE, now).unwrap();
        self.deliver(session, number, shown, now).unwrap();
        number
    }
}

fn at(minutes: i64) -> Timestamp {
    Timestamp(START + minutes * 60_000)
}

fn shown(path: &str, line_start: u32, hashes: &[u64]) -> NewDelivery {
    NewDelivery {
        path: path.to_owned(),
        label: "thing".to_owned(),
        line_start,
        hashes: hashes.to_vec(),
        resolution: "full",
        intent: "understand",
    }
}

fn places(journal: &Journal, session: &str, now: Timestamp) -> Vec<(u32, String, u32, Vec<u64>)> {
    journal
        .delivered(session, IDLE, now)
        .unwrap()
        .into_iter()
        .map(|row| (row.answer, row.path, row.line_start, row.hashes))
        .collect()
}

#[test]
fn eng_41_what_was_delivered_is_known_to_the_next_process() {
    let world = World::new();
    let mut first = world.journal("/a");
    let long = u64::MAX - 1;
    assert_eq!(first.answer("s", &[shown("x.rs", 3, &[1, long])], at(0)), 1);
    drop(first);
    let mut second = world.journal("/a");
    assert_eq!(
        places(&second, "s", at(1)),
        [(1, "x.rs".to_owned(), 3, vec![1, long])]
    );
    assert_eq!(second.answer("s", &[shown("y.rs", 1, &[7])], at(2)), 2);
    assert_eq!(
        second.answer("s", &[], at(3)),
        3,
        "an answer of references counts"
    );
    let rows = second.delivered("s", IDLE, at(3)).unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(
        (
            rows[1].label.as_str(),
            rows[1].resolution.as_str(),
            rows[1].intent.as_str()
        ),
        ("thing", "full", "understand")
    );
}

#[test]
fn eng_40_other_sessions_and_projects_see_nothing() {
    let world = World::new();
    let (mut a, mut b) = (world.journal("/a"), world.journal("/b"));
    a.answer("s", &[shown("x.rs", 1, &[1])], at(0));
    assert_eq!(places(&a, "t", at(0)), []);
    assert_eq!(places(&b, "s", at(0)), []);
    assert_eq!(b.answer("s", &[], at(0)), 1);
    assert_eq!(places(&a, "s", at(0)).len(), 1);
}

#[test]
fn eng_40_thirty_minutes_without_use_end_a_session() {
    let world = World::new();
    let mut journal = world.journal("/a");
    journal.answer("s", &[shown("x.rs", 1, &[1])], at(0));
    journal.answer("t", &[shown("x.rs", 1, &[1])], at(0));
    assert_eq!(places(&journal, "s", at(30)).len(), 1);
    assert_eq!(places(&journal, "s", at(31)), []);
    assert_eq!(journal.answer("s", &[], at(20)), 2);
    assert_eq!(places(&journal, "s", at(45)).len(), 1, "use keeps it alive");
    assert_eq!(journal.answer("s", &[], at(10)), 3);
    assert_eq!(
        places(&journal, "s", at(50)).len(),
        1,
        "a clock that went back does not make it older"
    );
    // Writing any session sweeps up those that ended.
    journal.answer("u", &[], at(60));
    let left: i64 = journal
        .conn
        .query_row(
            "SELECT (SELECT count(*) FROM sessions) * 100 + (SELECT count(*) FROM deliveries)",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(left, 100);
    assert_eq!(journal.answer("s", &[], at(61)), 1, "it begins anew");
}

#[test]
fn sec_4_the_oldest_go_when_there_are_too_many() {
    let world = World::new();
    let mut journal = world.journal("/a");
    let many: Vec<NewDelivery> = (0..MOST_DELIVERIES + 7)
        .map(|n| shown("x.rs", n + 1, &[1]))
        .collect();
    journal.answer("s", &many, at(0));
    let left = places(&journal, "s", at(0));
    assert_eq!((left.len(), left[0].2), (MOST_DELIVERIES as usize, 8));
    let mut other = world.journal("/b");
    other.answer("s", &[shown("x.rs", 1, &[1])], at(0));
    for n in 0..i64::from(MOST_SESSIONS) {
        let now = Timestamp(at(1).0 + n);
        journal.answer(&format!("n{n}"), &[shown("x.rs", 1, &[1])], now);
    }
    assert_eq!(places(&journal, "s", at(2)), [], "the oldest of 201");
    assert_eq!(places(&journal, "n0", at(2)).len(), 1);
    assert_eq!(
        places(&other, "s", at(2)).len(),
        1,
        "another project has room of its own"
    );
    // Older than all by the clock, but in use.
    journal.answer("late", &[shown("x.rs", 1, &[1])], at(0));
    assert_eq!(places(&journal, "late", at(2)).len(), 1);
}

#[test]
fn eng_41_threads_with_journals_of_their_own_count_without_gaps() {
    let world = World::new();
    let answers: Vec<u32> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|_| {
                scope.spawn(|| {
                    let mut journal = world.journal("/a");
                    (0..10)
                        .map(|_| journal.answer("s", &[shown("x.rs", 1, &[1])], at(0)))
                        .collect::<Vec<u32>>()
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    let mut sorted = answers;
    sorted.sort_unstable();
    assert_eq!(sorted, (1..=60).collect::<Vec<u32>>());
}

#[test]
fn eng_40_an_answer_that_was_never_handed_over_leaves_a_number_and_nothing_else() {
    let world = World::new();
    let mut journal = world.journal("/a");
    assert_eq!(journal.next_answer("s", IDLE, at(0)).unwrap(), 1);
    assert_eq!(places(&journal, "s", at(0)), []);
    assert_eq!(journal.answer("s", &[shown("x.rs", 1, &[1])], at(1)), 2);
    assert_eq!(places(&journal, "s", at(1)), [(2, "x.rs".to_owned(), 1, vec![1])]);
    // Handed over late, after others; and after its session had ended.
    journal.deliver("s", 1, &[shown("y.rs", 1, &[2])], at(2)).unwrap();
    assert_eq!(journal.next_answer("s", IDLE, at(2)).unwrap(), 3);
    journal.next_answer("t", IDLE, at(60)).unwrap();
    journal
        .deliver("s", 3, &[shown("z.rs", 1, &[3])], at(60))
        .unwrap();
    assert_eq!(places(&journal, "s", at(60)).len(), 1);
    assert_eq!(journal.next_answer("s", IDLE, at(60)).unwrap(), 4);
}
