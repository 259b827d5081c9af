//! The hostile corpus of the testkit, small: every project in it is indexed in the end, and the honest file beside it is found
//! (SEC-4, IDX-15). `cargo xtask torture --only files` runs it with every command, five megabytes of each and bounds.
#![cfg(unix)]

use kitbag_testkit::TempTree;
use kitbag_testkit::hostile::{self, HONEST, Hostile};

use crate::hostile::ends;
use crate::world::World;

/// Enough to overflow a stack or to meet a limit in a loop, little enough for a debug build.
const BYTES: usize = 20_000;

fn check(corpus: &[Hostile]) {
    for one in corpus {
        let world = World {
            project: TempTree::empty(),
            home: TempTree::empty(),
        };
        hostile::make(one, world.project.root(), BYTES, 1);
        // It indexes first.
        let ran = ends(&world, &["search", HONEST]);
        if one.is_refused {
            assert_eq!(ran.code, Some(2), "{}: {ran:?}", one.name);
            assert!(ran.err.contains("kitbag.toml"), "{}: {ran:?}", one.name);
        } else {
            assert_eq!(ran.code, Some(0), "{}: {ran:?}", one.name);
            assert!(ran.out.contains("honest.rs"), "{}: {ran:?}", one.name);
        }
        assert!(!world.project.path("started").exists(), "{}", one.name);
    }
}

#[test]
fn sec_4_odd_files_hide_no_honest_one() {
    check(&hostile::odd_files());
}

#[test]
fn idx_15_hostile_texts_hide_no_honest_one() {
    check(&hostile::texts());
}

#[test]
fn sec_4_crafted_git_folders_hide_no_honest_file() {
    check(&hostile::git_folders());
}
