//! Logs and diffs point at code (PACK-1).

use kitbag_types::{LineRange, Reference};

use super::steer;
use crate::api::PackSource;
use crate::conventions::analyse;

fn steered(content: &str) -> Vec<Reference> {
    let mut query = analyse("why does this fail");
    let source = PackSource {
        kind: "tool_result".to_owned(),
        content: Some(content.to_owned()),
        ..PackSource::default()
    };
    steer(&mut query, &[source]);
    query.references
}

fn at(path: &str, start: u32, end: u32) -> Reference {
    Reference::File {
        path: path.to_owned(),
        lines: Some(LineRange::new(start, end)),
    }
}

#[test]
fn pack_1_a_diff_points_at_the_lines_it_made() {
    let diff = "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -10,7 +12,8 @@ fn f\n+x\n@@ -40 +43 @@\n-y\n--- a/old.rs\n+++ /dev/null\n@@ -1,2 +0,0 @@\n";
    assert_eq!(steered(diff), [at("src/a.rs", 12, 19), at("src/a.rs", 43, 43)]);
}

#[test]
fn pack_1_a_log_points_at_the_files_it_names() {
    let found = steered("thread panicked at crates/ignore/src/walk.rs:1060:9:\nboom");
    let path = |reference: &Reference| matches!(reference, Reference::File { path, .. } if path.ends_with("walk.rs"));
    assert!(found.iter().any(path), "{found:?}");
    assert_eq!(steered("nothing to see"), []);
}
