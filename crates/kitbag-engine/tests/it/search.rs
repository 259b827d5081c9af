//! Questions and what comes back.

use kitbag_engine::api::{self, SearchRequest};

use crate::world::{NOW, World};

#[test]
fn ret_11_a_symbol_finds_its_definition() {
    let world = World::sample();
    for (query, path, line) in [
        ("Session", "src/session.rs", 1),
        ("SessionStore", "src/store.rs", 1),
        ("open_store", "src/store.rs", 1),
        ("openStore", "src/store.rs", 1),
        ("Item7", "src/gen/item7.rs", 1),
        ("AppError", "app/errors.py", 1),
        ("handle_error", "app/errors.py", 1),
    ] {
        let hits = world.search(query).results;
        assert_eq!(hits[0].path, path, "{query}");
        assert!(hits[0].line_start >= line, "{query}");
        assert_eq!(hits[0].score, 1.0, "{query}");
    }
}

#[test]
fn idx_40_the_first_question_indexes() {
    let world = World::sample();
    let mut phases = Vec::new();
    let reply = api::search(
        &world.engine(),
        &SearchRequest::new("session"),
        &mut |step| phases.push(step.n_total),
        NOW,
    )
    .unwrap();
    assert!(
        reply.index.complete && !reply.results.is_empty() && reply.warnings.is_empty(),
        "{:?}",
        reply.warnings
    );
    assert!(phases.contains(&(reply.index.files as usize)));
}

#[test]
fn every_snippet_is_the_files_lines() {
    let world = World::sample();
    for query in ["session", "errors", "item compute value", "sample docs"] {
        for hit in world.search(query).results {
            assert_eq!(
                hit.text,
                world.lines(&hit.path, hit.line_start, hit.line_end),
                "{}",
                hit.path
            );
        }
    }
}

#[test]
fn ret_2_what_is_named_is_found() {
    let world = World::sample();
    let found = world.search("zebra unicorn config.toml:2");
    assert_eq!(found.results[0].path, "config.toml");
    assert!(
        found.results[0]
            .reasons
            .iter()
            .any(|reason| reason.factor == "reference")
    );
    let trace = "Traceback (most recent call last):\n  File \"/srv/build/app/errors.py\", line 11, in handle_error\nValueError";
    assert_eq!(world.paths(trace)[0], "app/errors.py");
}

#[test]
fn ret_10_slips_find_something() {
    let world = World::sample();
    assert_eq!(world.paths("SesionStor")[0], "src/store.rs");
}

#[test]
fn ret_20_ret_27_the_text_of_a_chunk_counts_whoever_found_it() {
    // More chunks have the words than full text takes. The question names a file that has only the commonest.
    let world = World::new("");
    for n in 0..200 {
        let file = format!("fn gauge{n}() {{\n    // pressure of the gauge valve\n}}\n");
        world.tree.write(format!("src/gauge{n}.rs"), file);
    }
    let filler: String = (0..30).map(|n| format!("    let other{n} = {n};\n")).collect();
    let file = format!("fn boiler_of() {{\n{filler}    // pressure\n}}\n");
    world.tree.write("src/pressure.rs", file);
    let request = SearchRequest {
        top: Some(300),
        ..SearchRequest::new("gauge valve in src/pressure.rs")
    };
    let reply = world.ask(&request);
    let hit = reply
        .results
        .iter()
        .find(|hit| hit.path == "src/pressure.rs")
        .unwrap();
    let factors: Vec<&str> = hit.reasons.iter().map(|reason| reason.factor.as_ref()).collect();
    assert!(!factors.contains(&"full_text"), "{factors:?}");
    for known in ["text_match", "coverage", "file_text"] {
        assert!(factors.contains(&known), "{known}: {factors:?}");
    }
}

#[test]
fn ret_20_tests_sink_and_rise() {
    let world = World::sample();
    assert_eq!(world.paths("handle error")[0], "app/errors.py");
    assert_eq!(world.paths("test for handle error")[0], "app/test_errors.py");
}

#[test]
fn ret_23_filters() {
    let world = World::sample();
    let ask = |change: &dyn Fn(&mut SearchRequest)| {
        let mut request = SearchRequest {
            top: Some(100),
            ..SearchRequest::new("session errors item")
        };
        change(&mut request);
        world.ask(&request).results
    };
    let all = ask(&|_| {});
    assert!(all.len() > 10);
    let python = ask(&|request| request.languages = vec!["python".into()]);
    assert!(!python.is_empty() && python.iter().all(|hit| hit.language == "python"));
    let below = ask(&|request| request.paths = vec!["src/gen".into()]);
    assert!(below.len() > 10 && below.iter().all(|hit| hit.path.starts_with("src/gen/")));
    let glob = ask(&|request| request.paths = vec!["*.md".into()]);
    assert!(!glob.is_empty() && glob.iter().all(|hit| hit.path.ends_with(".md")));
    let without = ask(&|request| request.exclude = vec!["src/**".into()]);
    assert!(!without.is_empty() && without.iter().all(|hit| !hit.path.starts_with("src/")));
    let sections = ask(&|request| request.kinds = vec!["markdown_section".into()]);
    assert!(!sections.is_empty() && sections.iter().all(|hit| hit.kind == "markdown_section"));
    let good = ask(&|request| request.min_score = Some(0.5));
    assert!(good.len() < all.len() && good.iter().all(|hit| hit.score >= 0.5));
}

#[test]
fn wrong_requests_say_what_is_allowed() {
    let world = World::sample();
    world.index();
    let ask = |change: &dyn Fn(&mut SearchRequest)| {
        let mut request = SearchRequest::new("session");
        change(&mut request);
        let error = api::search(&world.engine(), &request, &mut |_| {}, NOW).unwrap_err();
        (error.code(), error.to_string())
    };
    assert_eq!(ask(&|request| request.query = "  ".into()).0, "INVALID_QUERY");
    assert_eq!(
        ask(&|request| request.query = "x".repeat(1 << 20)).0,
        "INVALID_QUERY"
    );
    assert_eq!(ask(&|request| request.top = Some(0)).0, "INVALID_TOP");
    assert_eq!(ask(&|request| request.paths = vec!["[".into()]).0, "INVALID_GLOB");
    assert_eq!(
        ask(&|request| request.active = Some("../x".into())).0,
        "PATH_DENIED"
    );
    let (code, message) = ask(&|request| request.languages = vec!["klingon".into()]);
    assert!(
        code == "INVALID_LANGUAGE" && message.contains("python"),
        "{message}"
    );
    let (code, message) = ask(&|request| request.kinds = vec!["poem".into()]);
    assert!(
        code == "INVALID_KIND" && message.contains("code_function"),
        "{message}"
    );
}

#[test]
fn odd_questions_are_questions_too() {
    let world = World::sample();
    for query in [
        "???",
        "the",
        "日本語",
        "a\0b",
        "\u{202e}x",
        "'; DROP TABLE files; --",
        "%",
        "*",
        "(",
        &"word ".repeat(2000),
    ] {
        world.search(query);
    }
}

#[test]
fn near_active_rises() {
    let world = World::new("//- a/one.rs\npub fn load() {}\n//- b/two.rs\npub fn load() {}\n");
    let first = |active: &str| {
        let request = SearchRequest {
            active: Some(active.into()),
            ..SearchRequest::new("load something")
        };
        world.ask(&request).results[0].path.clone()
    };
    assert_eq!(first("a/x.rs"), "a/one.rs");
    assert_eq!(first("b/x.rs"), "b/two.rs");
}
