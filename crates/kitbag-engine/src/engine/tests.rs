//! What an engine keeps between questions.

use kitbag_testkit::TempTree;

use super::*;

#[test]
fn sec_4_stores_that_nobody_uses_are_kept_in_small_numbers() {
    let tree = TempTree::new("//- a.rs\nfn a() {}\n");
    let engine = Engine::open(tree.root(), tree.path("store"), Options::default()).unwrap();
    let lent: Vec<_> = (0..MOST_IDLE * 3).map(|_| engine.open_store().unwrap()).collect();
    assert_eq!(engine.idle().len(), 0);
    drop(lent);
    assert_eq!(engine.idle().len(), MOST_IDLE);
    drop(engine.open_store().unwrap());
    assert_eq!(engine.idle().len(), MOST_IDLE, "one was taken and came back");
}
