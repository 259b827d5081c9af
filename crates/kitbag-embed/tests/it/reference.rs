//! The vectors that `tests/reference.py` made.

use std::path::{Path, PathBuf};

use kitbag_embed::{Model, Passage};

pub(crate) struct Reference {
    pub(crate) texts: Vec<String>,
    pub(crate) vectors: Vec<Vec<f32>>,
    /// If passages are embedded differently from questions.
    pub(crate) passages: Vec<Vec<f32>>,
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

pub(crate) fn reference(name: &str) -> Reference {
    let text = std::fs::read_to_string(fixtures().join(name)).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let list = |key: &str| value[key].as_array().cloned().unwrap_or_default();
    let number = |x: &serde_json::Value| x.as_f64().unwrap() as f32;
    let vectors = |key: &str| -> Vec<Vec<f32>> {
        let vector = |vector: &serde_json::Value| vector.as_array().unwrap().iter().map(number).collect();
        list(key).iter().map(vector).collect()
    };
    Reference {
        texts: list("texts")
            .iter()
            .map(|text| text.as_str().unwrap().to_owned())
            .collect(),
        vectors: vectors("vectors"),
        passages: vectors("passages"),
    }
}

/// Compares every number of every vector and shows the largest difference.
pub(crate) fn assert_near(texts: &[String], expected: &[Vec<f32>], found: &[Vec<f32>], tolerance: f32) {
    assert!(!texts.is_empty());
    assert_eq!(texts.len(), expected.len());
    assert_eq!(expected.len(), found.len());
    for ((text, expected), found) in texts.iter().zip(expected).zip(found) {
        assert_eq!(expected.len(), found.len());
        let difference = expected
            .iter()
            .zip(found)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f32::max);
        let start: String = text.chars().take(40).collect();
        assert!(difference < tolerance, "{start:?} differs by {difference}");
    }
}

/// Each text as a question.
pub(crate) fn queries(model: &Model, texts: &[String]) -> Vec<Vec<f32>> {
    texts.iter().map(|text| model.query(text).unwrap()).collect()
}

/// Each text as a passage with only a body.
pub(crate) fn bodies(texts: &[String]) -> Vec<Passage<'_>> {
    let passage = |body| Passage {
        body,
        ..Passage::default()
    };
    texts.iter().map(|text| passage(text)).collect()
}
