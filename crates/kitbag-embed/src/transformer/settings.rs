//! Reads the small files of a sentence-transformers folder, which determine how vectors are computed.
//!
//! What is not supported is refused by name: a model without one of its layers gives vectors that look right and are wrong.

use std::path::Path;

use serde_json::Value;

use crate::EmbedError;
use crate::folder::{self, CONFIG};

/// Everything here affects the vectors: its `Debug` text is part of the model's id.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    pub(crate) shape: Shape,
    pub(crate) pooling: Pooling,
    /// Including those that wrap the text.
    pub(crate) max_pieces: usize,
    pub(crate) lower_case: bool,
    /// The prompts that the model puts before a question and before a passage.
    pub(crate) query_prompt: String,
    pub(crate) passage_prompt: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) n_words: usize,
    pub(crate) n_positions: usize,
    pub(crate) n_types: usize,
    pub(crate) n_hidden: usize,
    pub(crate) n_inner: usize,
    pub(crate) n_layers: usize,
    pub(crate) n_heads: usize,
    pub(crate) epsilon: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pooling {
    /// The mean over all pieces.
    Mean,
    /// The piece before the text, `[CLS]`.
    First,
}

pub(crate) fn read(folder: &Path) -> Result<Settings, EmbedError> {
    let path = folder.join(CONFIG);
    let shape = shape(&path, &folder::json(&path)?.unwrap_or_default())?;
    let pooling = pooling(folder)?;
    let sentences = folder::json(&folder.join("sentence_bert_config.json"))?.unwrap_or_default();
    let tokenizer = folder::json(&folder.join("tokenizer_config.json"))?.unwrap_or_default();
    // The second may be 10³⁰, which means no limit.
    let longest = sentences
        .get("max_seq_length")
        .and_then(Value::as_u64)
        .or_else(|| tokenizer.get("model_max_length").and_then(Value::as_u64))
        .and_then(|n| usize::try_from(n).ok())
        .unwrap_or(usize::MAX);
    let prompts = folder::json(&folder.join("config_sentence_transformers.json"))?.unwrap_or_default();
    Ok(Settings {
        shape,
        pooling,
        max_pieces: longest.clamp(MIN_PIECES, shape.n_positions),
        lower_case: sentences.get("do_lower_case") == Some(&Value::Bool(true)),
        query_prompt: prompt(&prompts, &["query"]),
        passage_prompt: prompt(&prompts, &["document", "passage", "corpus"]),
    })
}

/// Room for the wrapping pieces and some text.
const MIN_PIECES: usize = 8;
/// The largest encoders have 4,096 numbers per piece and 48 layers; larger values are an error in the file.
const MAX_SIZE: u64 = 1 << 20;

fn shape(path: &Path, config: &Value) -> Result<Shape, EmbedError> {
    let size = |name: &str| {
        let n = config
            .get(name)
            .and_then(Value::as_u64)
            .filter(|n| (1..=MAX_SIZE).contains(n));
        n.and_then(|n| usize::try_from(n).ok()).ok_or_else(|| {
            EmbedError::damaged(
                path,
                format!("{name} is missing or no number from 1 to {MAX_SIZE}"),
            )
        })
    };
    for (name, only) in [("hidden_act", "gelu"), ("position_embedding_type", "absolute")] {
        let value = config.get(name).and_then(Value::as_str).unwrap_or(only);
        if value != only {
            return Err(EmbedError::unsupported(
                path,
                format!("{name} is {value}; only {only} is computed here"),
            ));
        }
    }
    if config.get("is_decoder") == Some(&Value::Bool(true)) {
        return Err(EmbedError::unsupported(
            path,
            "it is a decoder, which does not look ahead",
        ));
    }
    let shape = Shape {
        n_words: size("vocab_size")?,
        n_positions: size("max_position_embeddings")?,
        n_types: size("type_vocab_size")?,
        n_hidden: size("hidden_size")?,
        n_inner: size("intermediate_size")?,
        n_layers: size("num_hidden_layers")?,
        n_heads: size("num_attention_heads")?,
        epsilon: config
            .get("layer_norm_eps")
            .and_then(Value::as_f64)
            .unwrap_or(1e-12) as f32,
    };
    if !shape.n_hidden.is_multiple_of(shape.n_heads) || shape.n_positions < MIN_PIECES {
        return Err(EmbedError::damaged(
            path,
            format!(
                "{} numbers do not split into {} heads, or {} positions are too few",
                shape.n_hidden, shape.n_heads, shape.n_positions
            ),
        ));
    }
    Ok(shape)
}

fn pooling(folder: &Path) -> Result<Pooling, EmbedError> {
    let mut pooling = None;
    for module in folder::modules(folder)? {
        match module.name.as_str() {
            // Every vector is normalised to length 1 anyway.
            "Transformer" | "Normalize" => {}
            "Pooling" => pooling = Some(folder.join(module.path).join(CONFIG)),
            other => {
                let what =
                    format!("it has a module {other}; Transformer, Pooling and Normalize are computed here");
                return Err(EmbedError::unsupported(folder, what));
            }
        }
    }
    // Without modules.json the reference takes the mean, unless the usual folder says otherwise.
    let path = pooling.unwrap_or_else(|| folder.join("1_Pooling").join(CONFIG));
    let config = folder::json(&path)?.unwrap_or_default();
    let mut modes: Vec<&str> = config
        .get("pooling_mode")
        .and_then(Value::as_str)
        .into_iter()
        .collect();
    let flags = config.as_object().into_iter().flatten();
    modes.extend(
        flags
            .filter(|(_, on)| **on == Value::Bool(true))
            .filter_map(|(name, _)| name.strip_prefix("pooling_mode_")),
    );
    if config.get("include_prompt") == Some(&Value::Bool(false)) {
        return Err(EmbedError::unsupported(
            &path,
            "its prompt does not count (include_prompt is false)",
        ));
    }
    match modes.as_slice() {
        [] | ["mean" | "mean_tokens"] => Ok(Pooling::Mean),
        ["cls" | "cls_token"] => Ok(Pooling::First),
        others => Err(EmbedError::unsupported(
            &path,
            format!(
                "the pooling is {}; mean and cls are computed here",
                others.join(" + ")
            ),
        )),
    }
}

/// The first of these prompts that the model has, else its default, else empty.
fn prompt(config: &Value, names: &[&str]) -> String {
    let prompts = config.get("prompts");
    let default = config.get("default_prompt_name").and_then(Value::as_str);
    let found = names
        .iter()
        .copied()
        .chain(default)
        .find_map(|name| prompts?.get(name)?.as_str());
    found.unwrap_or_default().to_owned()
}
