//! Near doubles set apart (RET-30), and files by the time they changed (RET-23).

use kitbag_engine::api::{self, Hit, SearchRequest};

use crate::world::{NOW, World};

/// Four handlers that differ in a number, and one place that has the words but is something else.
fn doubles() -> World {
    let world = World::new(
        "
//- docs/parcels.md
# Parcels

A parcel that is lost is tracked by the office, by hand, on paper. Customers write letters, and an answer takes weeks.
",
    );
    for n in 0..4 {
        let text = format!(
            "def track_lost_parcel_{n}(parcel, office):\n    \"\"\"Tracks a lost parcel.\"\"\"\n    \
             lost = office.find(parcel, {n})\n    return office.track(lost, parcel, {n})\n"
        );
        world.tree.write(format!("app/track{n}.py"), text);
    }
    world
}

fn ask(world: &World, mmr_lambda: Option<f64>, without: &[&str]) -> Vec<Hit> {
    let request = SearchRequest {
        mmr_lambda,
        without: without.iter().map(|name| (*name).to_owned()).collect(),
        ..SearchRequest::new("track a lost parcel")
    };
    world.ask(&request).results
}

fn place_of(hits: &[Hit], path: &str) -> usize {
    hits.iter().position(|hit| hit.path == path).expect("it is found")
}

fn is_moved(hit: &Hit) -> bool {
    hit.reasons.iter().any(|reason| reason.factor == "diversity")
}

#[test]
fn ret_30_a_double_waits_with_vectors_and_without() {
    let world = doubles();
    for without in [&["dependency"][..], &["dependency", "semantic"]] {
        let plain = ask(&world, None, without);
        assert!(!plain.iter().any(is_moved));
        let last = place_of(&plain, "docs/parcels.md");
        assert!(last >= 2, "docs sink");
        let varied = ask(&world, Some(0.2), without);
        assert_eq!(place_of(&varied, "docs/parcels.md"), 1, "{without:?}");
        assert_eq!(varied[0].path, plain[0].path, "the best stays first");
        assert!(is_moved(&varied[1]));
        let scores = |hits: &[Hit]| hits.iter().map(|hit| hit.score).collect::<Vec<_>>();
        assert_eq!(scores(&varied), scores(&plain), "places keep their scores");
        let relevant = ask(&world, Some(1.0), without);
        assert!(!relevant.iter().any(is_moved), "1 is all relevance");
    }
}

#[test]
fn ret_30_lambda_is_between_0_and_1() {
    let world = doubles();
    for lambda in [-0.1, 1.1, f64::NAN] {
        let request = SearchRequest {
            mmr_lambda: Some(lambda),
            ..SearchRequest::new("parcel")
        };
        let error = api::search(&world.engine(), &request, &mut |_| {}, NOW).unwrap_err();
        assert_eq!(error.code(), "INVALID_LAMBDA");
    }
}

fn since(world: &World, since: i64) -> Vec<String> {
    let request = SearchRequest {
        since_ms: Some(since),
        ..SearchRequest::new("track a lost parcel")
    };
    let mut paths: Vec<String> = world
        .ask(&request)
        .results
        .into_iter()
        .map(|hit| hit.path)
        .collect();
    paths.sort();
    paths
}

#[test]
fn ret_23_since_asks_the_history_and_the_working_copy() {
    let world = doubles();
    world.tree.git(&["init", "-q"]);
    world.tree.git(&["add", "."]);
    // At 2024-01-02T03:04:05Z, as every commit of a test.
    world.tree.git(&["commit", "-qm", "one"]);
    world
        .tree
        .write("app/track1.py", "def track_lost_parcel():\n    return 1\n");
    world
        .tree
        .write("app/new.py", "def lost_parcel():\n    return 2\n");
    assert_eq!(since(&world, 1_704_153_600_000).len(), 6);
    assert_eq!(since(&world, 1_704_240_000_000), ["app/new.py", "app/track1.py"]);
    assert!(since(&world, NOW.0).is_empty());
}

#[test]
fn ret_23_since_asks_the_time_stamps_where_there_is_no_history() {
    let world = doubles();
    assert_eq!(since(&world, 0).len(), 5);
    assert!(since(&world, NOW.0).is_empty());
}
