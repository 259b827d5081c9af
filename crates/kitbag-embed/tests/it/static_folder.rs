//! A folder that model2vec saved, with half-precision rows, a mapping and weights, must give the vectors of model2vec.

use kitbag_embed::{EmbedError, Model, Passage, Source};
use safetensors::tensor::{Dtype, TensorView};

use crate::reference::{assert_near, fixtures, reference};

#[test]
fn ret_12_a_static_folder_gives_the_vectors_of_model2vec() {
    let model = Model::open(&Source::Folder(fixtures().join("static"))).unwrap();
    assert_eq!(model.dims(), 8);
    assert!(!model.is_slow());
    assert!(model.id().starts_with("static:static:"), "{}", model.id());

    let expected = reference("static.json");
    let queries: Vec<Vec<f32>> = expected
        .texts
        .iter()
        .map(|text| model.query(text).unwrap())
        .collect();
    // The reference keeps half precision to the end.
    assert_near(&expected.texts, &expected.vectors, &queries, 1e-3);
    assert_eq!(queries[0], [0.0; 8]);
    let length: f32 = queries[2].iter().map(|x| x * x).sum();
    assert!((length - 1.0).abs() < 1e-6);

    let names = ["read".to_owned(), "path".to_owned()];
    let passage = Passage {
        path: "file",
        names: &names,
        body: "the file",
        ..Passage::default()
    };
    let vectors = model.passages(&[passage]).unwrap();
    assert_eq!(vectors, [model.query("file\nread path\nthe file").unwrap()]);
}

/// The same folder with other weights, written by the crate `safetensors`.
fn folder_with(tensors: &[(&str, Dtype, Vec<usize>, Vec<u8>)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["config.json", "tokenizer.json"] {
        std::fs::copy(fixtures().join("static").join(name), folder.path().join(name)).unwrap();
    }
    let views = tensors
        .iter()
        .map(|(name, dtype, shape, bytes)| (*name, TensorView::new(*dtype, shape.clone(), bytes).unwrap()));
    let bytes = safetensors::serialize(views, None).unwrap();
    std::fs::write(folder.path().join("model.safetensors"), bytes).unwrap();
    folder
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn ret_12_a_table_without_mapping_and_weights_is_a_plain_mean() {
    // Piece 3 is `read`, piece 4 `file`.
    let mut rows = vec![0.0; 11 * 2];
    rows[3 * 2] = 4.0;
    rows[4 * 2 + 1] = 3.0;
    for name in ["embeddings", "embedding.weight"] {
        let folder = folder_with(&[(name, Dtype::F32, vec![11, 2], floats(&rows))]);
        let model = Model::open(&Source::Folder(folder.path().to_owned())).unwrap();
        let vector = model.query("read file").unwrap();
        assert!(
            (vector[0] - 0.8).abs() < 1e-6 && (vector[1] - 0.6).abs() < 1e-6,
            "{vector:?}"
        );
    }
}

#[test]
fn ret_12_a_folder_that_does_not_fit_together_is_refused() {
    let refused = |tensors: &[(&str, Dtype, Vec<usize>, Vec<u8>)]| {
        let folder = folder_with(tensors);
        match Model::open(&Source::Folder(folder.path().to_owned())) {
            Ok(model) => panic!("opened {}", model.id()),
            Err(error) => (error.code(), error.to_string()),
        }
    };
    let positions = |n: i64| -> Vec<u8> { (0..11).flat_map(|_| n.to_le_bytes()).collect() };
    let small = ("embeddings", Dtype::F32, vec![2, 2], floats(&[1.0; 4]));

    let (code, text) = refused(std::slice::from_ref(&small));
    assert_eq!(code, "EMBEDDING_ERROR");
    assert!(
        text.ends_with("it does not fit the 11 pieces of tokenizer.json"),
        "{text}"
    );

    for (row, end) in [
        (2, "it does not fit the 11 pieces of tokenizer.json"),
        (-1, "the tensor mapping points before the first row"),
    ] {
        let (_, text) = refused(&[small.clone(), ("mapping", Dtype::I64, vec![11], positions(row))]);
        assert!(text.ends_with(end), "{text}");
    }
    let (_, text) = refused(&[("embeddings", Dtype::F32, vec![22], floats(&[1.0; 22]))]);
    assert!(text.ends_with("the tensor embeddings is not a table"), "{text}");
    let (code, text) = refused(&[("something", Dtype::F32, vec![1], floats(&[1.0]))]);
    assert_eq!(code, "CONFIG_ERROR");
    assert!(text.contains("has no tensor `embeddings`"), "{text}");
    let (_, text) = refused(&[("embeddings", Dtype::F32, vec![11, 1], floats(&[f32::NAN; 11]))]);
    assert!(text.ends_with("numbers that are not finite"), "{text}");
}

#[test]
fn ret_12_a_folder_that_is_no_model_says_what_is_missing() {
    let error = |path: std::path::PathBuf| match Model::open(&Source::Folder(path)) {
        Ok(model) => panic!("opened {}", model.id()),
        Err(error) => error,
    };
    let folder = tempfile::tempdir().unwrap();
    let missing = error(folder.path().join("nothing"));
    assert!(matches!(missing, EmbedError::NotAModel { .. }));
    assert!(
        missing.to_string().ends_with("there is no such folder"),
        "{missing}"
    );
    let empty = error(folder.path().to_owned()).to_string();
    assert!(
        empty.ends_with("is not a model: model.safetensors and tokenizer.json are missing"),
        "{empty}"
    );
}
