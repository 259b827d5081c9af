//! Edges that must pass and edges that must not.

use serde_json::{Value, json};

use super::check;

fn metadata(from: &str, to: &str, kind: Value) -> Value {
    json!({ "packages": [
        { "name": from, "dependencies": [{ "name": to, "kind": kind }] },
        { "name": "kitbag-store", "dependencies": [] },
        { "name": "kitbag-testkit", "dependencies": [] },
    ]})
}

#[test]
fn edges_of_the_table_pass() {
    for (from, to, kind) in [
        ("kitbag-repo", "libc", Value::Null),
        ("kitbag-syntax", "tree-sitter-rust", Value::Null),
        ("kitbag-engine", "kitbag-store", Value::Null),
        ("kitbag-rank", "kitbag-testkit", json!("dev")),
        ("kitbag-rank", "proptest", json!("dev")),
        ("kitbag-bench", "criterion", Value::Null),
    ] {
        assert_eq!(
            check(&metadata(from, to, kind)),
            Vec::<String>::new(),
            "{from} -> {to}"
        );
    }
}

#[test]
fn new_edges_fail_and_say_where_to_go() {
    for (from, to, kind) in [
        ("kitbag-rank", "serde", Value::Null),
        ("kitbag-rank", "kitbag-store", Value::Null),
        ("kitbag-types", "cc", json!("build")),
        ("kitbag", "kitbag-store", Value::Null),
        ("kitbag-engine", "kitbag-testkit", Value::Null),
    ] {
        let problems = check(&metadata(from, to, kind));
        assert_eq!(problems.len(), 1, "{from} -> {to}: {problems:?}");
        assert!(
            problems[0].starts_with(&format!("{from}: new edge to {to}.")),
            "{problems:?}"
        );
        assert!(problems[0].contains("xtask/src/tidy/edges.rs"), "{problems:?}");
    }
}

#[test]
fn a_neighbour_as_dev_dependency_fails() {
    let problems = check(&metadata("kitbag-rank", "kitbag-store", json!("dev")));
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].starts_with("kitbag-rank: dev-dependency on kitbag-store;"),
        "{problems:?}"
    );
}

#[test]
fn an_unknown_crate_fails() {
    let problems = check(&json!({ "packages": [{ "name": "kitbag-util", "dependencies": [] }] }));
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].starts_with("kitbag-util: a crate without a row in ROOMS"),
        "{problems:?}"
    );
}
