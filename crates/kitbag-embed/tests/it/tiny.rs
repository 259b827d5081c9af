//! A small encoder with random weights that sentence-transformers saved: half precision, the vector of the first piece,
//! prompts, a text that is too long. Its vectors are known, so every run checks the encoder, not only slow ones.

use kitbag_embed::{EmbedError, Model, Source};

use crate::reference::{assert_near, bodies, fixtures, queries, reference};

#[test]
fn ret_12_an_encoder_gives_the_vectors_of_the_reference() {
    let model = Model::open(&Source::Folder(fixtures().join("tiny"))).unwrap();
    assert_eq!(model.dims(), 8);
    assert!(model.is_slow());

    let expected = reference("tiny.json");
    let queries = queries(&model, &expected.texts);
    assert_near(&expected.texts, &expected.vectors, &queries, 1e-4);
    let passages = bodies(&expected.texts);
    let passages = model.passages(&passages).unwrap();
    assert_near(&expected.texts, &expected.passages, &passages, 1e-4);
}

/// A copy of the folder with one text in one file changed.
fn changed(file: &str, from: &str, to: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("1_Pooling")).unwrap();
    for name in [
        "1_Pooling/config.json",
        "config.json",
        "config_sentence_transformers.json",
        "model.safetensors",
        "modules.json",
        "tokenizer.json",
        "tokenizer_config.json",
    ] {
        let bytes = std::fs::read(fixtures().join("tiny").join(name)).unwrap();
        let place = folder.path().join(name);
        if name == file {
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.contains(from), "{file} has no {from}");
            std::fs::write(place, text.replace(from, to)).unwrap();
        } else {
            std::fs::write(place, bytes).unwrap();
        }
    }
    folder
}

fn open(folder: &tempfile::TempDir) -> Result<Model, EmbedError> {
    Model::open(&Source::Folder(folder.path().to_owned()))
}

#[test]
fn ret_12_what_decides_the_vectors_is_in_the_identity() {
    let digest =
        |folder: &tempfile::TempDir| open(folder).unwrap().id().rsplit(':').next().unwrap().to_owned();
    let same = changed("config.json", "\"pad_token_id\": 0", "\"pad_token_id\": 1");
    let plain = digest(&same);
    assert_eq!(plain.len(), 12);
    assert_eq!(plain, digest(&changed("config.json", "0.7", "0.8")));
    for (file, from, to) in [
        ("1_Pooling/config.json", "cls", "mean"),
        ("config_sentence_transformers.json", "read: ", "find: "),
        ("tokenizer_config.json", "16", "12"),
        ("tokenizer.json", "write", "wrote"),
    ] {
        assert_ne!(plain, digest(&changed(file, from, to)), "{file}");
    }
}

#[test]
fn ret_12_a_model_that_is_not_understood_is_refused_by_name() {
    for (file, from, to, expected) in [
        ("config.json", "\"bert\"", "\"mpnet\"", "its model_type is mpnet"),
        (
            "config.json",
            "\"gelu\"",
            "\"relu\"",
            "hidden_act is relu; only gelu is computed here",
        ),
        (
            "config.json",
            "\"hidden_size\": 8",
            "\"hidden_size\": 16",
            "where config.json asks for [24, 16]",
        ),
        (
            "config.json",
            "\"num_attention_heads\": 2",
            "\"num_attention_heads\": 3",
            "8 numbers do not split into 3 heads",
        ),
        (
            "config.json",
            "\"num_hidden_layers\": 2",
            "\"num_hidden_layers\": 3",
            "no tensor encoder.layer.2.attention",
        ),
        (
            "config.json",
            "\"vocab_size\": 14",
            "\"vocab_size\": 0",
            "vocab_size is missing or no number",
        ),
        ("config.json", "{", "", "is damaged: it is no JSON"),
        (
            "modules.json",
            "normalize.Normalize",
            "dense.Dense",
            "it has a module Dense",
        ),
        (
            "modules.json",
            "1_Pooling",
            "../1_Pooling",
            "it is not a list of modules",
        ),
        (
            "1_Pooling/config.json",
            "cls",
            "max",
            "the pooling is max; mean and cls are computed here",
        ),
        (
            "1_Pooling/config.json",
            "true",
            "false",
            "include_prompt is false",
        ),
        (
            "tokenizer.json",
            "WordPiece",
            "Wordpeace",
            "it is not a tokenizer",
        ),
        (
            "tokenizer.json",
            "\"write\": 10",
            "\"write\": 10, \"more\": 14",
            "it has 15 pieces, the model 14",
        ),
    ] {
        let error = match open(&changed(file, from, to)) {
            Ok(model) => panic!("{to}: opened {}", model.id()),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(expected), "{error}");
    }
}
