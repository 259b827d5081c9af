use kitbag_testkit::TempTree;

use super::*;

const PROJECT: &str = "
//- src/billing.rs
fn invoice() -> u32 {
    7
}
//- src/way_in.rs
fn gate() -> bool {
    true
}
";

#[test]
fn lib_1_a_model_from_outside_finds_by_its_own_meaning() {
    let tree = TempTree::new(PROJECT);
    let store = tempfile::tempdir().unwrap();
    let engine = Engine::open(tree.root(), store.path().join("store"), Options::default()).unwrap();
    let engine = engine.with_model(Box::new(Topics));
    // None of these words stands in the project: only the model knows what they have to do with it.
    for (question, expected) in [("money owed", "src/billing.rs"), ("open door", "src/way_in.rs")] {
        let request = SearchRequest::new(question);
        let reply = api::search(&engine, &request, &mut |_| {}, Timestamp(4_000_000_000_000)).unwrap();
        let first = reply.results.first().map(|hit| hit.path.as_str());
        assert_eq!(first, Some(expected), "{reply:?}");
    }
}
