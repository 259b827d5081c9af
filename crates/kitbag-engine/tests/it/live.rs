//! MCP-4, ENG-70: a project without an index answers from its files.

use std::cell::Cell;
use std::time::Duration;

use kitbag_engine::api::{self, SearchReply, SearchRequest};

use crate::world::{World, item};

const LIMIT: Duration = Duration::from_secs(3600);

/// With a clock that stands still: everything is looked at.
fn live(world: &World, request: &SearchRequest) -> SearchReply {
    api::live_search(&world.engine(), request, LIMIT, &|| Duration::ZERO).unwrap()
}

fn paths(reply: &SearchReply) -> Vec<&str> {
    reply.results.iter().map(|hit| hit.path.as_str()).collect()
}

#[test]
fn mcp_4_the_files_answer_where_there_is_no_index() {
    let world = World::sample();
    let reply = live(&world, &SearchRequest::new("open the session store"));
    assert_eq!(reply.results[0].path, "src/store.rs", "{:?}", paths(&reply));
    assert_eq!(reply.results[0].rank, 1);
    assert_eq!(
        reply.warnings,
        ["not indexed yet: looked at all 46 files directly"]
    );
    assert!(!reply.index.complete);
    for hit in &reply.results {
        assert_eq!(
            hit.text,
            world.lines(&hit.path, hit.line_start, hit.line_end),
            "{}",
            hit.path
        );
    }
    assert!(!world.store_dir().exists(), "the store is not touched");
    let found = live(&world, &SearchRequest::new("handle_error"));
    let best = &found.results[0];
    assert!(
        best.path == "app/errors.py" && best.label.contains("handle_error"),
        "{best:?}"
    );
    assert!(live(&world, &SearchRequest::new("zanzibar")).results.is_empty());
}

#[test]
fn mcp_4_rare_words_and_paths_decide() {
    let world = World::sample();
    world
        .tree
        .write("src/item_cache.rs", "pub fn keep(value: u32) -> u32 { value }\n");
    let reply = live(&world, &SearchRequest::new("item cache"));
    assert_eq!(reply.results[0].path, "src/item_cache.rs", "{:?}", paths(&reply));
    let reply = live(&world, &SearchRequest::new("compute the value of item 33"));
    assert_eq!(reply.results[0].path, "src/gen/item33.rs", "{:?}", paths(&reply));
}

#[test]
fn ret_23_filters_hold_here_too() {
    let world = World::sample();
    world.tree.write(".gitignore", "hidden.rs\n");
    world.tree.git(&["init", "-q"]);
    world.tree.write("src/hidden.rs", "pub struct Session;\n");
    let ask = |change: &dyn Fn(&mut SearchRequest)| {
        let mut request = SearchRequest::new("session errors handle");
        change(&mut request);
        live(&world, &request)
    };
    let all = ask(&|_| {});
    assert!(!paths(&all).contains(&"src/hidden.rs"));
    let only = ask(&|request| request.paths = vec!["app".into()]);
    assert!(!only.results.is_empty() && paths(&only).iter().all(|path| path.starts_with("app/")));
    let without = ask(&|request| request.exclude = vec!["app/**".into()]);
    assert!(!without.results.is_empty() && paths(&without).iter().all(|path| !path.starts_with("app/")));
    let python = ask(&|request| request.languages = vec!["python".into()]);
    assert!(!python.results.is_empty() && python.results.iter().all(|hit| hit.language == "python"));
    let kinds = ask(&|request| request.kinds = vec!["code_function".into()]);
    assert!(!kinds.results.is_empty() && kinds.results.iter().all(|hit| hit.kind == "code_function"));
    assert_eq!(ask(&|request| request.top = Some(2)).results.len(), 2);
    let error = api::live_search(
        &world.engine(),
        &SearchRequest {
            paths: vec!["[".into()],
            ..SearchRequest::new("x")
        },
        LIMIT,
        &|| Duration::ZERO,
    );
    assert_eq!(error.unwrap_err().code(), "INVALID_GLOB");
}

#[test]
fn mcp_4_time_is_kept_and_what_was_seen_answers() {
    let mut world = World::sample();
    world.options.workers = 1;
    for n in 0..600 {
        world
            .tree
            .write(format!("lib/part{}/unit{n}.rs", n % 30), item(n + 100, 1));
    }
    // A clock on which every look costs a fiftieth of the time.
    let ticking = || {
        let looks = Cell::new(0);
        move || {
            looks.set(looks.get() + 1);
            Duration::from_secs(looks.get() * 72)
        }
    };
    let ask = || {
        let request = SearchRequest::new("open the session");
        api::live_search(&world.engine(), &request, LIMIT, &ticking()).unwrap()
    };
    let reply = ask();
    let warning = reply.warnings[0].clone();
    assert!(!warning.contains("all"), "{warning}");
    assert!(!reply.results.is_empty());
    assert_eq!(reply.results[0].path, "src/session.rs", "{:?}", paths(&reply));
    let again = ask();
    assert_eq!(
        serde_json::to_string(&again).unwrap(),
        serde_json::to_string(&reply).unwrap(),
        "the same files seen, the same answer"
    );
    // No time at all: still an answer, of nothing.
    let nothing = api::live_search(
        &world.engine(),
        &SearchRequest::new("session"),
        Duration::ZERO,
        &|| Duration::from_secs(1),
    );
    assert!(nothing.unwrap().results.is_empty());
}

#[test]
fn one_thread_or_three_the_files_say_the_same() {
    let mut world = World::sample();
    let answer = |world: &World| {
        serde_json::to_string(&live(
            world,
            &SearchRequest::new("how are sessions and errors handled"),
        ))
        .unwrap()
    };
    world.options.workers = 1;
    let one = answer(&world);
    world.options.workers = 3;
    assert_eq!(answer(&world), one);
}

#[test]
fn sec_1_secrets_stay_where_they_are() {
    let world = World::new(
        "//- src/deploy.rs\nconst PASSWORD: &str = \"hunter2-Xk39vQ8LmPz\";\npub fn deploy_now() {}\n",
    );
    let reply = live(&world, &SearchRequest::new("deploy password"));
    assert_eq!(reply.results[0].path, "src/deploy.rs");
    assert!(
        !reply.results[0].text.contains("hunter2"),
        "{}",
        reply.results[0].text
    );
}
