//! IDX-41: what a run says of itself while it works, checked at the moment it says it.

use kitbag_engine::api::{self, IndexRequest, IndexState, SearchRequest};
use kitbag_engine::{AnswerKind, Engine, NewAnswer, Phase};

use crate::world::{NOW, World};

fn word(n: usize) -> String {
    let letter = |n: usize| char::from(b'a' + n as u8);
    format!("quagga{}{}", letter(n / 26), letter(n % 26))
}

/// Small files and large ones, each with a word of its own.
fn world() -> World {
    let world = World::new("");
    for n in 0..60 {
        world
            .tree
            .write(format!("src/small{n}.rs"), format!("pub fn {}() {{}}\n", word(n)));
    }
    for n in 60..66 {
        let filler: String = (0..60_000)
            .map(|line| format!("filler line {line} of much text\n"))
            .collect();
        world
            .tree
            .write(format!("docs/large{n}.txt"), format!("{}\n{filler}", word(n)));
    }
    world
}

fn index(engine: &Engine, tell: &mut dyn FnMut(kitbag_engine::Progress<'_>)) {
    let request = IndexRequest {
        wait: true,
        ..IndexRequest::default()
    };
    api::index(engine, request, tell, NOW).unwrap();
}

fn found(engine: &Engine, n: usize) -> bool {
    let request = SearchRequest {
        update: false,
        without: vec!["semantic".to_owned()],
        ..SearchRequest::new(word(n))
    };
    let reply = api::search(engine, &request, &mut |_| {}, NOW).unwrap();
    let path = if n < 60 {
        format!("src/small{n}.rs")
    } else {
        format!("docs/large{n}.txt")
    };
    reply.results.iter().any(|hit| hit.path == path)
}

#[test]
fn idx_41_percent_never_falls_and_ends_at_100() {
    let world = world();
    for _ in 0..2 {
        let mut percents = Vec::new();
        let mut phases = Vec::new();
        index(&world.engine(), &mut |step| {
            percents.push(step.work.percent());
            phases.push(step.phase);
        });
        assert!(percents.is_sorted(), "{percents:?}");
        assert_eq!(percents.last(), Some(&100));
        assert!(phases.contains(&Phase::Embedding), "{phases:?}");
        // The second run has one file to do.
        world
            .tree
            .write("src/small0.rs", format!("pub fn {}() {{ changed() }}\n", word(0)));
    }
}

#[test]
fn idx_41_percent_goes_by_bytes() {
    let world = world();
    let mut at_small = None;
    index(&world.engine(), &mut |step| {
        if step.phase == Phase::Indexing && step.n_done == 60 {
            at_small = Some((step.n_total, step.work.percent()));
        }
    });
    // 60 of 66 files, and nearly nothing of the text.
    let (n_total, percent) = at_small.unwrap();
    assert_eq!(n_total, 66);
    assert!(percent < 10, "{percent}");
}

#[test]
fn idx_41_what_is_said_to_be_searchable_is_found_at_that_moment() {
    let world = world();
    let (engine, reader) = (world.engine(), world.engine());
    let mut seen: Vec<IndexState> = Vec::new();
    let mut in_rows = 0;
    let mut last = 0;
    index(&engine, &mut |step| {
        let Ok(Some(state)) = api::index_state(&reader) else {
            return;
        };
        if step.phase == Phase::Indexing {
            in_rows = step.n_done;
        }
        // Every step costs a look; a search for every file only where something was published.
        if state.files != last || step.phase == Phase::Embedding {
            last = state.files;
            let n_found = (0..66).filter(|n| found(&reader, *n)).count() as u64;
            // Names are looked up in rows, so a little more may be found than is published.
            assert!(
                n_found >= state.files,
                "{n_found}: {state:?} at {:?} {in_rows}",
                step.phase
            );
        }
        if matches!(step.phase, Phase::Indexing | Phase::Publishing) {
            assert!(!state.complete, "{state:?} at {:?}", step.phase);
        }
        assert!(
            !state.complete || (state.text == 1.0 && state.vectors == 1.0),
            "{state:?}"
        );
        seen.push(state);
    });
    assert!(
        seen.is_sorted_by(|a, b| a.text <= b.text && a.files <= b.files),
        "{seen:?}"
    );
    // It was published on the way, and not only at the end.
    assert!(
        seen.iter().any(|state| state.text > 0.2 && state.text < 0.9),
        "{seen:?}"
    );
    let state = api::index_state(&reader).unwrap().unwrap();
    assert_eq!(
        (state.files, state.text, state.vectors, state.complete),
        (66, 1.0, 1.0, true)
    );
}

#[test]
fn idx_41_an_answer_without_vectors_is_not_complete() {
    let world = world();
    let (engine, reader) = (world.engine(), world.engine());
    let mut said = Vec::new();
    index(&engine, &mut |step| {
        if step.phase == Phase::Embedding && said.is_empty() {
            let request = SearchRequest {
                update: false,
                ..SearchRequest::new(word(3))
            };
            let reply = api::search(&reader, &request, &mut |_| {}, NOW).unwrap();
            let status = api::status(&reader).unwrap();
            assert_eq!(status.complete, reply.index.complete);
            said.push((reply.index, reply.warnings));
        }
    });
    let (state, warnings) = &said[0];
    assert_eq!((state.text, state.complete), (1.0, false), "{state:?}");
    assert!(state.vectors < 1.0, "{state:?}");
    assert!(
        warnings
            .iter()
            .any(|warning| warning.contains("100 % of the text and")),
        "{warnings:?}"
    );
}

#[test]
fn eng_60_the_mark_of_the_data_moves_with_the_writing_of_others_and_nothing_is_kept_while_they_write() {
    let world = world();
    let (writer, reader) = (world.engine(), world.engine());
    let keep = |question: &str| {
        let mark = reader.data_mark();
        if let Some(mark) = mark {
            let new = NewAnswer {
                question: question.to_owned(),
                kind: AnswerKind::Insights,
                mark,
                weight: 1,
                answer: 7_u32,
            };
            reader.keep_answer(new, &[], NOW);
        }
    };
    let kept = |question: &str| reader.kept_answer::<u32>(question, &reader.data_mark().unwrap(), NOW);
    index(&writer, &mut |step| {
        if matches!(step.phase, Phase::Indexing | Phase::Publishing) {
            keep("while writing");
        }
    });
    assert_eq!(kept("while writing"), None);
    keep("after");
    assert_eq!(kept("after"), Some(7));
    let first = reader.data_mark();
    world.tree.write("src/small0.rs", "pub fn changed() {}\n");
    index(&writer, &mut |_| {});
    assert_ne!(reader.data_mark(), first);
    assert_eq!(kept("after"), None);
}

#[test]
fn idx_7_progress_counts_what_will_be_indexed() {
    let world = world();
    for n in 0..20 {
        world.tree.write(format!("data/blob{n}.txt"), b"a\0b");
    }
    let mut totals = Vec::new();
    index(&world.engine(), &mut |step| {
        if matches!(step.phase, Phase::Indexing | Phase::Embedding) {
            totals.push(step.n_total);
        }
    });
    assert!(totals.iter().all(|total| *total == 66), "{totals:?}");
}
