//! What hangs on what was found (RET-14), and the ways lists become one (RET-15).

use kitbag_engine::Fusion;
use kitbag_engine::api::{Hit, SearchRequest};

use crate::world::World;

/// Only the first of these has the words "customer ledger".
const BILLING: &str = r#"
//- src/billing.rs
use crate::seal::seal_envelope;

/// Writes to the customer ledger.
pub fn charge_invoice(amount: u32) -> u32 {
    seal_envelope(amount)
}
//- src/seal.rs
pub fn seal_envelope(x: u32) -> u32 {
    x ^ 7
}
//- src/nightly.rs
pub fn nightly() -> u32 {
    charge_invoice(3)
}
//- src/apart.rs
pub fn weather() -> u32 {
    12
}
//- checks/test_charge.rs
fn charges_once() {
    charge_invoice(1);
}
"#;

/// Without vectors, which find everything in a small project.
fn ask(world: &World, query: &str, without: &[&str]) -> Vec<Hit> {
    let request = SearchRequest {
        without: without
            .iter()
            .chain(&["semantic"])
            .map(|name| (*name).to_owned())
            .collect(),
        ..SearchRequest::new(query)
    };
    world.ask(&request).results
}

fn paths(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.path.as_str()).collect()
}

/// Those that `dependency` found, in order of path.
fn neighbours(hits: &[Hit]) -> Vec<&str> {
    let is_neighbour = |hit: &&Hit| hit.reasons.iter().any(|reason| reason.factor == "dependency");
    let mut found: Vec<&str> = hits
        .iter()
        .filter(is_neighbour)
        .map(|hit| hit.path.as_str())
        .collect();
    found.sort_unstable();
    found
}

#[test]
fn ret_14_what_the_best_use_and_who_uses_them_comes_along() {
    let world = World::new(BILLING);
    let hits = ask(&world, "customer ledger", &[]);
    assert_eq!(hits[0].path, "src/billing.rs");
    assert_eq!(neighbours(&hits), ["src/nightly.rs", "src/seal.rs"]);
    assert_eq!(hits.len(), 3);
    let without = ask(&world, "customer ledger", &["dependency"]);
    assert_eq!(paths(&without), ["src/billing.rs"]);
}

#[test]
fn ret_14_tests_come_along_where_they_are_asked_for() {
    let world = World::new(BILLING);
    let hits = ask(&world, "tests for the customer ledger", &[]);
    assert!(
        neighbours(&hits).contains(&"checks/test_charge.rs"),
        "{:?}",
        paths(&hits)
    );
}

#[test]
fn ret_14_a_switch_and_a_filter_hold() {
    let mut world = World::new(BILLING);
    world.index();
    let request = SearchRequest {
        exclude: vec!["src/seal.rs".into()],
        without: vec!["semantic".into()],
        ..SearchRequest::new("customer ledger")
    };
    assert_eq!(neighbours(&world.ask(&request).results), ["src/nightly.rs"]);
    world.options.dependency.enabled = false;
    assert_eq!(paths(&ask(&world, "customer ledger", &[])), ["src/billing.rs"]);
}

#[test]
fn ret_14_a_name_that_everybody_defines_says_nothing() {
    let world = World::new(
        "
//- src/main.py
def ledger():
    return common_step() + rare_step()
//- src/rare.py
def rare_step():
    return 1
",
    );
    for n in 0..8 {
        world
            .tree
            .write(format!("src/step{n}.py"), "def common_step():\n    return 2\n");
    }
    assert_eq!(neighbours(&ask(&world, "ledger", &[])), ["src/rare.py"]);
}

#[test]
fn ret_14_of_two_definitions_the_imported_one_is_meant() {
    let world = World::new(
        r#"
//- app/session.py
from app.disk import save_state


def ledger():
    return save_state()
//- app/disk.py
def save_state():
    return 1
//- app/net.py
def save_state():
    return 2
"#,
    );
    assert_eq!(neighbours(&ask(&world, "ledger", &[])), ["app/disk.py"]);
}

#[test]
fn ret_15_every_way_of_fusing_finds_and_names_the_providers() {
    for fusion in Fusion::ALL {
        let mut world = World::sample();
        world.options.fusion = fusion;
        let hits = world.search("`Session` in src/session.rs").results;
        assert_eq!(hits[0].path, "src/session.rs", "{fusion:?}");
        assert_eq!(hits[0].score, 1.0, "{fusion:?}");
        for provider in ["full_text", "reference", "semantic"] {
            assert!(
                hits[0].reasons.iter().any(|reason| reason.factor == provider),
                "{fusion:?} {provider}"
            );
        }
    }
}
