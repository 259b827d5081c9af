//! What is found again, and what no longer is.

use std::sync::Arc;

use kitbag_store::JournalChanges;
use kitbag_types::{FileStamp, RepoPath, Timestamp};

use super::{AnswerKind, Answers, DataMark, KeptAnswer, MOST_ANSWERS, MOST_BYTES, ShownFile};

const NOW: Timestamp = Timestamp(1_000_000);

fn mark(index: u8, memory: i64, threads: i64) -> DataMark {
    DataMark {
        index: [index; 32],
        remembered: JournalChanges { memory, threads },
        files: Vec::new(),
    }
}

fn kept(question: &str, kind: AnswerKind) -> KeptAnswer {
    KeptAnswer {
        question: question.to_owned(),
        kind,
        mark: mark(1, 1, 1),
        at: NOW,
        weight: 10,
        answer: Arc::new(question.to_uppercase()),
    }
}

fn found(answers: &Answers, question: &str, mark: &DataMark, after_ms: i64) -> Option<String> {
    let found = answers.find(question, mark, Timestamp(NOW.0 + after_ms), &|_| true)?;
    found.downcast_ref::<String>().cloned()
}

#[test]
fn eng_60_an_answer_is_found_until_what_it_used_changes() {
    use AnswerKind::{Insights, Thread};
    let answers = Answers::default();
    for (changed, insights, thread) in [
        (mark(1, 1, 1), true, true),
        (mark(2, 1, 1), false, false),
        (mark(1, 2, 1), false, false),
        (mark(1, 1, 2), true, false),
    ] {
        answers.keep(kept("a", Insights));
        answers.keep(kept("t", Thread));
        let has = |question| found(&answers, question, &changed, 0).is_some();
        assert_eq!((has("a"), has("t")), (insights, thread), "{changed:?}");
        assert_eq!(found(&answers, "b", &changed, 0), None);
    }
}

#[test]
fn eng_60_answers_live_five_minutes_and_those_of_threads_thirty_seconds() {
    for (kind, life_ms) in [(AnswerKind::Insights, 300_000), (AnswerKind::Thread, 30_000)] {
        let answers = Answers::default();
        answers.keep(kept("a", kind));
        let at = |ms| found(&answers, "a", &mark(1, 1, 1), ms);
        assert_eq!(at(life_ms - 1).as_deref(), Some("A"));
        assert_eq!(at(life_ms), None, "{kind:?}");
        assert_eq!(at(0), None, "what is old is forgotten");
    }
}

#[test]
fn eng_60_a_file_that_changed_makes_the_answers_old_that_show_it_and_no_others() {
    let answers = Answers::default();
    let stamp = |mtime_ns| Some(FileStamp { size: 1, mtime_ns });
    for (question, path) in [("a", "src/a.rs"), ("b", "src/b.rs")] {
        let mut new = kept(question, AnswerKind::Insights);
        new.mark.files = vec![(RepoPath::new(path).unwrap(), stamp(1))];
        answers.keep(new);
    }
    let is_unchanged = |(path, was): &ShownFile| {
        let is = if path.as_str() == "src/a.rs" {
            stamp(2)
        } else {
            stamp(1)
        };
        is == *was
    };
    let found = |question| {
        answers
            .find(question, &mark(1, 1, 1), NOW, &is_unchanged)
            .is_some()
    };
    assert_eq!((found("a"), found("b")), (false, true));
}

#[test]
fn eng_60_the_longest_unused_goes_first() {
    let answers = Answers::default();
    for n in 0..MOST_ANSWERS {
        answers.keep(kept(&n.to_string(), AnswerKind::Insights));
    }
    let has = |question: &str| found(&answers, question, &mark(1, 1, 1), 0).is_some();
    assert!(has("0"));
    answers.keep(kept("new", AnswerKind::Insights));
    assert!(has("0") && has("new"));
    assert!(!has("1"));
}

#[test]
fn sec_4_answers_take_no_more_memory_than_allowed() {
    let answers = Answers::default();
    let large = |question: &str, weight| KeptAnswer {
        weight,
        ..kept(question, AnswerKind::Insights)
    };
    for question in ["a", "b", "c", "d", "e"] {
        answers.keep(large(question, MOST_BYTES / 4));
    }
    let has = |question: &str| found(&answers, question, &mark(1, 1, 1), 0).is_some();
    assert!(!has("a"), "five of them are too many");
    assert!(has("b"));
    answers.keep(large("f", MOST_BYTES + 1));
    assert!(!has("f"), "too large for all the room there is");
    assert!(has("e"), "and nobody had to go for it");
}
