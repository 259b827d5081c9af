//! The same files as a scan, in the requested order.

use kitbag_testkit::TempTree;
use kitbag_types::Timestamp;

use crate::secrets::SecretRules;
use crate::{BoundaryOptions, Tree};

const FILES: &str = "//- a/one.rs\n//- a/deep/er/two.rs\n//- b/three.rs\n//- b/out.log\n//- top.rs\n//- .gitignore\n*.log\n\
                     //- node_modules/x/y.js\n";

fn explored(tree: &Tree, turn: &dyn Fn(&str) -> u8, n_steps: usize) -> (Vec<String>, bool) {
    let (mut seen, mut left) = (Vec::new(), n_steps);
    let done = tree
        .explore(turn, &mut |files| {
            seen.extend(files.into_iter().map(|file| file.path.to_string()));
            left -= 1;
            left > 0
        })
        .unwrap();
    (seen, done)
}

#[test]
fn mcp_4_a_walk_to_the_end_finds_what_a_scan_finds() {
    let files = TempTree::new(FILES);
    files.git(&["init", "-q"]);
    let tree = Tree::open(files.root(), BoundaryOptions::default(), SecretRules::off()).unwrap();
    let (mut seen, done) = explored(&tree, &|_| 0, usize::MAX);
    assert!(done);
    seen.sort();
    let scan = tree.scan(Timestamp(4_000_000_000_000)).unwrap();
    let scanned: Vec<String> = scan.files.iter().map(|file| file.path.to_string()).collect();
    assert_eq!(seen, scanned);
}

#[test]
fn mcp_4_what_is_asked_for_comes_first_and_enough_is_enough() {
    let files = TempTree::new(FILES);
    let tree = Tree::open(files.root(), BoundaryOptions::default(), SecretRules::off()).unwrap();
    let (seen, done) = explored(&tree, &|_| 0, 2);
    assert_eq!(seen.last().map(String::as_str), Some("b/three.rs"), "{seen:?}");
    assert!(
        seen.contains(&"a/one.rs".to_owned()) && !done,
        "level by level: {seen:?}"
    );
    let later = |path: &str| u8::from(path.starts_with('a'));
    let (seen, _) = explored(&tree, &later, usize::MAX);
    let at = |path: &str| seen.iter().position(|seen| seen == path).unwrap();
    assert!(at("b/three.rs") < at("a/one.rs"), "{seen:?}");
}
