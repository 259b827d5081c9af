use kitbag_testkit::TempTree;

use super::*;

const PROJECT: &str = "
//- src/billing/invoice.rs
fn issue() -> u32 {
    7
}
//- src/gate.rs
fn enter() -> bool {
    true
}
";

/// Paths of the hits that `Owners` found.
fn found(request: &SearchRequest<'_>) -> Vec<String> {
    let tree = TempTree::new(PROJECT);
    let store = tempfile::tempdir().unwrap();
    let owners = Owners(vec![("src/billing/", "payments")]);
    let engine = Engine::open(tree.root(), store.path().join("store"), Options::default()).unwrap();
    let engine = engine.with_provider(Box::new(owners)).unwrap();
    let reply = api::search(&engine, request, &mut |_| {}, Timestamp(4_000_000_000_000)).unwrap();
    assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
    let hits = reply.results.into_iter();
    let by_owner = hits.filter(|hit| hit.reasons.iter().any(|reason| reason.factor == "owners"));
    by_owner.map(|hit| hit.path).collect()
}

#[test]
fn lib_1_a_provider_from_outside_finds_explains_and_can_be_left_out() {
    let request = SearchRequest::new("what is owned by payments");
    assert_eq!(found(&request), ["src/billing/invoice.rs"]);
    let without = SearchRequest {
        without: vec!["owners".to_owned()],
        ..request.clone()
    };
    assert!(found(&without).is_empty());
    let elsewhere = SearchRequest {
        exclude: vec!["src/billing".to_owned()],
        ..request
    };
    assert!(found(&elsewhere).is_empty());
}
