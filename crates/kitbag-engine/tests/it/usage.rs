//! MET-1, MET-2: what is noted of requests, and what it is compared with.

use std::time::Duration;

use kitbag_engine::api::{self, SearchRequest, UsageEntry};

use crate::world::{NOW, World};

/// A word that three files have, one that two have, one that one has.
const FIXTURE: &str = "\
//- a.rs
pub fn quartz() { lantern() }
//- b.rs
pub fn lantern() { meadow() }
//- c.rs
pub fn meadow() { lantern(); quartz() }
//- d.rs
pub fn unrelated_thing() {}
";

fn baseline(world: &World, question: &str) -> (Option<u64>, String) {
    let reply = world.ask(&SearchRequest::new(question));
    let entry = api::usage_of_search(&world.engine(), "cli", &reply, Duration::ZERO).unwrap();
    (entry.baseline_tokens, reply.results[0].path.clone())
}

/// Tokens of whole files, by the same tokenizer.
fn tokens(world: &World, paths: &[&str]) -> u64 {
    let text = |path: &&str| std::fs::read_to_string(world.tree.path(path)).unwrap();
    let count = |path: &&str| u64::from(kitbag_tokens::count_o200k(&text(path)));
    paths.iter().map(count).sum()
}

#[test]
fn met_2_the_agent_opens_what_matches_most_until_it_has_the_file() {
    let world = World::new(FIXTURE);
    world.index();
    // All three words are in c.rs, so it is opened first, and alone.
    let (found, best) = baseline(&world, "quartz lantern meadow");
    if best == "c.rs" {
        assert_eq!(found, Some(tokens(&world, &["c.rs"])));
    } else {
        // Two words each: by path, after c.rs.
        let before: &[&str] = if best == "a.rs" {
            &["c.rs", "a.rs"]
        } else {
            &["c.rs", "a.rs", "b.rs"]
        };
        assert_eq!(found, Some(tokens(&world, before)), "{best}");
    }
    let (found, best) = baseline(&world, "quartz");
    let before: &[&str] = if best == "a.rs" {
        &["a.rs"]
    } else {
        &["a.rs", "c.rs"]
    };
    assert_eq!(found, Some(tokens(&world, before)), "{best}");
}

#[test]
fn met_2_a_window_of_lines_is_read_and_not_the_whole_file() {
    let world = World::new(FIXTURE);
    let filler: String = (0..3_000)
        .map(|n| format!("// line {n} of much else\n\n"))
        .collect();
    world
        .tree
        .write("large.rs", format!("pub fn obsidian() {{}}\n\n{filler}"));
    world.index();
    let (found, best) = baseline(&world, "obsidian");
    assert_eq!(best, "large.rs");
    let whole = tokens(&world, &["large.rs"]);
    assert!(whole > 10_000 && found.unwrap() <= 400, "{found:?} of {whole}");
}

#[test]
fn met_2_a_file_that_grep_does_not_find_is_not_counted() {
    let world = World::new(FIXTURE);
    world.index();
    let mut reply = world.ask(&SearchRequest::new("quartz"));
    reply.results[0].path = "d.rs".into();
    let entry = api::usage_of_search(&world.engine(), "cli", &reply, Duration::ZERO).unwrap();
    assert_eq!(entry.baseline_tokens, None);
    reply.results.clear();
    let entry = api::usage_of_search(&world.engine(), "cli", &reply, Duration::ZERO).unwrap();
    assert_eq!((entry.baseline_tokens, entry.items), (None, 0));
}

#[test]
fn met_1_what_is_recorded_is_added_up() {
    let world = World::new(FIXTURE);
    let engine = world.engine();
    assert_eq!(api::usage_stats(&engine, 30, NOW).unwrap().requests, 0);
    assert!(!world.store_dir().exists(), "looking leaves no trace");
    let reply = world.ask(&SearchRequest::new("quartz"));
    let entry = api::usage_of_search(&engine, "mcp", &reply, Duration::from_millis(12)).unwrap();
    let other = UsageEntry {
        door: "http",
        operation: "pack",
        tokens: 100,
        budget: 400,
        cache_hit: true,
        ..UsageEntry::default()
    };
    for entry in [&entry, &other] {
        api::record(&engine, entry, 90, NOW).unwrap();
    }
    let stats = api::usage_stats(&engine, 30, NOW).unwrap();
    assert_eq!((stats.requests, stats.cache_hits), (2, 1));
    assert_eq!(stats.doors.keys().collect::<Vec<_>>(), ["http", "mcp"]);
    assert_eq!(stats.tokens_delivered, entry.tokens + 100);
    assert_eq!((stats.saving.counted, stats.saving.unknown), (1, 1));
    assert_eq!(stats.utilisation, Some(0.25));
    assert_eq!(stats.latency[1].p50_ms, 12.0);
    assert!(
        stats
            .providers
            .iter()
            .any(|provider| provider.name == "full_text"),
        "{stats:?}"
    );
    assert_eq!(stats.languages[0].name, "rust");
}
