//! The harness itself: that a failure is saved, and that a seed gives the same inputs.

use std::cell::RefCell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{FuzzRun, Material, run};

fn material() -> Material {
    Material::new(&["key = value\n[table]\n"], &["=", "[", "]", "key"])
}

fn course(n_runs: u64, is_long: bool) -> FuzzRun {
    FuzzRun {
        seed: 7,
        n_runs,
        most_time: None,
        is_long,
    }
}

#[test]
fn sec_6_a_seed_gives_the_same_inputs() {
    let folder = tempfile::tempdir().expect("a folder");
    let inputs = |n| {
        let seen = RefCell::new(Vec::new());
        run("same", &material(), &course(n, false), folder.path(), &|input| {
            seen.borrow_mut().push(input.to_vec());
        });
        seen.into_inner()
    };
    let (first, again) = (inputs(100), inputs(100));
    assert_eq!(first, again);
    assert_eq!(first[..50], inputs(50));
}

#[test]
fn sec_6_an_input_that_fails_is_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let has_both = |input: &[u8]| input.contains(&b'[') && input.contains(&b'=');
    let failed = catch_unwind(AssertUnwindSafe(|| {
        run(
            "fails",
            &material(),
            &course(1_000, true),
            folder.path(),
            &|input| {
                assert!(!has_both(input));
            },
        );
    }));
    assert!(failed.is_err());
    let saved = fs::read(folder.path().join("fails.failed")).expect("it is saved");
    assert!(has_both(&saved));
    let current = fs::read(folder.path().join("fails.current")).expect("so is the one that was being tried");
    assert_eq!(saved, current);
}
