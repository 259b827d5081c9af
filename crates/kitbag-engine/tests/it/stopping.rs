//! SEC-4: work that nobody waits for any more ends soon. A stop that fires at the n-th look counts how often it is looked at: first
//! how many looks the whole work takes, then how many follow after it fired.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kitbag_engine::api::{self, PackRequest, PackSource, QueryRequest, SearchRequest, SymbolRequest};
use kitbag_engine::{Engine, EngineError, Stop, Tokenizer};

use crate::world::{NOW, World};

/// Looks after the one that fired. Measuring items for a pack goes on without doing anything until its round ends.
const FURTHER: usize = 200;

/// `work` with a stop that fires after so many looks: what came of it, and how many looks there were.
fn looked(
    n_allowed: usize,
    work: &dyn Fn(Stop<'_>) -> Result<(), EngineError>,
) -> (Result<(), EngineError>, usize) {
    let n_looks = AtomicUsize::new(0);
    let is_stopped = || n_looks.fetch_add(1, Ordering::Relaxed) >= n_allowed;
    let done = work(Stop::when(&is_stopped));
    (done, n_looks.load(Ordering::Relaxed))
}

/// It looks at least `least` times, and wherever it is stopped, it ends.
#[track_caller]
fn check(least: usize, work: &dyn Fn(Stop<'_>) -> Result<(), EngineError>) {
    // The first time texts are counted that are only looked up afterwards.
    work(Stop::never()).unwrap();
    let (done, n_looks) = looked(usize::MAX, work);
    done.unwrap();
    assert!(n_looks >= least, "{n_looks} looks");
    let places = [0, 1, 2, 5, n_looks / 4, n_looks / 2, n_looks * 3 / 4, n_looks - 1];
    for n_allowed in places.into_iter().filter(|n| *n < n_looks) {
        let (done, n_then) = looked(n_allowed, work);
        assert!(
            matches!(done, Err(EngineError::Cancelled)),
            "{n_allowed} of {n_looks}: {done:?}"
        );
        assert!(
            n_then <= n_allowed + 1 + FURTHER,
            "{n_allowed} of {n_looks}: {n_then}"
        );
    }
}

fn prepared() -> (World, Engine, Tokenizer) {
    let world = World::sample();
    world.index();
    let engine = world.engine();
    (world, engine, Tokenizer::of_model("gpt-4o").unwrap())
}

#[test]
fn sec_4_a_search_ends_when_nobody_waits() {
    let (_world, engine, tokenizer) = prepared();
    for query in [
        "how is the value of an item computed",
        "Item7::compute",
        "zzyzx qwertz",
        "src/gen/item3.rs:1-9",
    ] {
        check(20, &|stop| {
            let request = SearchRequest {
                update: false,
                stop,
                ..SearchRequest::new(query)
            };
            api::search(&engine, &request, &mut |_| {}, NOW).map(|_| ())
        });
        check(20, &|stop| {
            let request = QueryRequest {
                update: false,
                stop,
                ..QueryRequest::new(query, &tokenizer)
            };
            api::query(&engine, &request, &mut |_| {}, NOW).map(|_| ())
        });
    }
}

#[test]
fn sec_4_a_pack_ends_when_nobody_waits() {
    let (_world, engine, tokenizer) = prepared();
    let template = "{% for s in sections %}{% for f in s.files %}{{ f.text }}{% endfor %}{% endfor %}";
    for template in [None, Some(template.to_owned())] {
        check(100, &|stop| {
            let request = PackRequest {
                update: false,
                template: template.clone(),
                symbols: vec!["compute".to_owned()],
                stop,
                ..PackRequest::new("how is the value of an item computed", 2_000, &tokenizer)
            };
            api::pack(&engine, &request, &mut |_| {}, &|| Duration::ZERO, NOW).map(|_| ())
        });
    }
    // Sources are read beside the search, so that the number of looks is not the same twice.
    for n_allowed in [0, 3, 10] {
        let (done, _) = looked(n_allowed, &|stop| {
            let source = PackSource {
                kind: "tool_result".to_owned(),
                content: Some("error: in src/gen/item3.rs:2\n".repeat(1_000)),
                ..PackSource::default()
            };
            let request = PackRequest {
                update: false,
                sources: vec![source; 20],
                stop,
                ..PackRequest::new("why does it fail", 2_000, &tokenizer)
            };
            api::pack(&engine, &request, &mut |_| {}, &|| Duration::ZERO, NOW).map(|_| ())
        });
        assert!(
            matches!(done, Err(EngineError::Cancelled)),
            "{n_allowed}: {done:?}"
        );
    }
}

#[test]
fn sec_4_a_name_and_a_look_at_the_files_end_when_nobody_waits() {
    let (_world, engine, _) = prepared();
    for name in ["compute", "Item7", "computte"] {
        check(2, &|stop| {
            let request = SymbolRequest {
                name: name.to_owned(),
                limit: Some(20),
                update: false,
                stop,
                ..SymbolRequest::new("")
            };
            api::symbol(&engine, &request, &mut |_| {}, NOW).map(|_| ())
        });
    }
    check(5, &|stop| {
        let request = SearchRequest {
            stop,
            ..SearchRequest::new("the value of an item")
        };
        api::live_search(&engine, &request, Duration::from_secs(3_600), &|| Duration::ZERO).map(|_| ())
    });
}

#[test]
fn sec_4_bringing_the_index_up_to_date_ends_too_and_a_stopped_search_leaves_the_store_alone() {
    let world = World::sample();
    let engine = world.engine();
    let (done, _) = looked(3, &|stop| {
        let request = SearchRequest {
            stop,
            ..SearchRequest::new("item")
        };
        api::search(&engine, &request, &mut |_| {}, NOW).map(|_| ())
    });
    assert!(matches!(done, Err(EngineError::Cancelled)), "{done:?}");
    assert_eq!(world.search("Item7").results[0].path, "src/gen/item7.rs");
}

/// Attributes that are each written as a chain of the one before: looked up step by step, the last one takes 9 to the power of
/// their number.
fn chains() -> String {
    let mut text = "class Chain:\n    def __init__(self):\n        self.b0 = Chain()\n".to_owned();
    for n in 1..8 {
        let chain = format!(".b{}", n - 1).repeat(9);
        text += &format!("        self.b{n} = self{chain}\n");
    }
    text + "\n    def go(self):\n        return 1\n\n    def run(self):\n        return self.b7.go()\n"
}

#[test]
fn sec_4_what_a_name_leads_to_is_looked_up_with_a_bound_and_until_nobody_waits() {
    let world = World::new("");
    world.tree.write("chain.py", chains());
    world.index();
    let engine = world.engine();
    let ask = |stop: Stop<'_>| {
        let request = SymbolRequest {
            update: false,
            stop,
            ..SymbolRequest::new("go")
        };
        api::symbol(&engine, &request, &mut |_| {}, NOW).map(|_| ())
    };
    let (done, n_looks) = looked(usize::MAX, &ask);
    done.unwrap();
    assert!((1_000..10_000).contains(&n_looks), "{n_looks}");
    check(1_000, &ask);
}
