//! IDX-41: what a run says of itself while it works, checked at the moment it says it.

use kitbag_engine::api::{self, IndexRequest, IndexState, SearchRequest};
use kitbag_engine::{Engine, Phase};

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
fn eng_60_the_number_of_the_whole_index_moves_with_the_writing_of_others_and_is_none_while_they_write() {
    let world = world();
    let (writer, reader) = (world.engine(), world.engine());
    let mut while_writing = Vec::new();
    index(&writer, &mut |step| {
        if matches!(step.phase, Phase::Indexing | Phase::Publishing | Phase::Embedding) {
            while_writing.push(api::whole_index(&reader).unwrap());
        }
    });
    let first = api::whole_index(&reader).unwrap();
    assert!(first.is_some());
    assert!(!while_writing.is_empty());
    world.tree.write("src/small0.rs", "pub fn changed() {}\n");
    index(&writer, &mut |step| {
        if matches!(step.phase, Phase::Publishing | Phase::Embedding) {
            while_writing.push(api::whole_index(&reader).unwrap());
        }
    });
    while_writing.retain(Option::is_some);
    // The last step of a run may be told when all is done.
    assert!(while_writing.len() <= 2, "{while_writing:?}");
    assert!(api::whole_index(&reader).unwrap() > first);
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
