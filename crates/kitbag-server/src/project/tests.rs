//! What happens to a request that panics.

use kitbag_door::surroundings::Options;
use kitbag_testkit::TempTree;
use serde_json::Value;

use super::*;
use crate::operations::OPERATIONS;
use crate::{Operation, Set};

#[test]
fn sec_2_a_request_that_breaks_us_is_told_by_its_id_and_not_by_what_was_in_a_file() {
    let (tree, home) = (TempTree::new("//- README.md\n# Shop\n"), TempTree::empty());
    let variables = vec![("HOME".to_owned(), home.root().display().to_string())];
    let given = Options {
        root: Some(tree.root().to_owned()),
        ..Options::default()
    };
    let around = Surroundings::new(given, variables).unwrap();
    let project = Project::open(around, Vec::new()).unwrap();
    let broken = Operation {
        set: Set::Program,
        cached: false,
        run: |_, _, _| panic!("cannot parse: the password is hunter2"),
        ..OPERATIONS[0]
    };
    let asked = Call {
        door: "http",
        in_terminal: false,
        project: None,
        user: "",
        id: "19ad-7",
        now: project.now(),
        tell: &|_| {},
        stop: &|| false,
    };
    let failure = broken.answer(&project, Value::Null, &asked).unwrap_err();
    assert_eq!(failure.code, "INTERNAL_ERROR");
    assert!(failure.message.contains("19ad-7"), "{}", failure.message);
    assert!(!format!("{failure:?}").contains("hunter2"), "{failure:?}");
}
