//! The bench on a tiny corpus, so that it cannot rot.

use super::*;

#[test]
fn the_bench_runs() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kitbag-types/src");
    let tree = corpus::with_files(&source, 5);
    assert_eq!(parse::bare(&tree.root, &tree.store).n_files, 5);
    let tree = corpus::with_chunks(&source, 20);
    let rows = measure::searching(&tree, 20, None);
    assert_eq!(rows.len(), 2);
    assert!(
        rows.iter()
            .all(|row| row.measured.contains("p50") && !row.measured.contains("NaN"))
    );
    let rows = brief::of_project(&tree.root, &tree.store);
    assert_eq!(rows.len(), 5);
    assert!(rows.iter().all(|row| !row.measured.contains("NaN")));
    assert!(
        measure::increments(&tree)
            .iter()
            .all(|row| !row.measured.contains("NaN"))
    );
}
