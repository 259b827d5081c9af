//! A vocabulary that the user brought: the text of a Hugging Face `tokenizer.json` in, counts out.
//!
//! The file is somebody else's and describes a whole pipeline, not a ruler, so what would bend the count is switched off:
//! truncation (many embedding models cut at 128 tokens, and a count that never exceeds 128 is a trap), padding, dropout
//! (random), and the template that wraps a prompt. Special tokens that the text merely spells stay text, as in the built-in
//! families; but a model whose pieces include the spelling itself (Unigram's `<s>`) takes it for one piece.
//!
//! Hugging Face's own library does the cutting, with `fancy-regex` instead of the C library Oniguruma; a reimplementation
//! would be exact until the first odd normalizer. It may panic on files that nobody tried before, so it runs behind
//! `catch_unwind`, and a text that it cannot cut is counted as one token a byte and said to be inexact.
//!
//! Measured in November 2026 on 241 source files of 17 types, against the Python package 0.23.3 (Oniguruma): all counts
//! equal, with the vocabularies of all-MiniLM-L6-v2 (WordPiece), Claude 2 and DeepSeek V3 (BPE).

mod inspect;
#[cfg(test)]
mod tests;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokenizers::models::ModelWrapper;
use tokenizers::{DecoderWrapper, PostProcessorWrapper, Tokenizer};

use crate::Count;

/// The largest published ones have about 60 MB (a million pieces for a hundred languages).
pub const MAX_JSON_BYTES: usize = 100_000_000;

/// The library takes up to 110 bytes for each byte of a text, so this much is just under a gigabyte; no model reads more.
const MAX_TEXT_BYTES: usize = 8_000_000;

/// `fancy-regex` gives up after a million steps in one match, and the library takes that for the last match: on a million
/// spaces before a letter it counted up to one in a thousand too few. One match stays within a run of white space or one
/// of the rest, at a few steps for each character.
const MAX_RUN_CHARS: usize = 250_000;

/// Long enough for every reason the library gives, too short for the vocabulary it may quote.
const MAX_REASON_CHARS: usize = 200;

const WHICH_FILE: &str = "give the `tokenizer.json` of the model's repository on Hugging Face, not its `tokenizer_config.json`, `vocab.json` or `tokenizer.model`";

/// Why a file is not a tokenizer, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidTokenizer {
    /// Half a sentence about "it", the file.
    pub what: String,
    pub advice: &'static str,
}

impl fmt::Display for InvalidTokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what, self.advice)
    }
}

impl std::error::Error for InvalidTokenizer {}

pub(crate) struct CustomVocabulary {
    tokenizer: Tokenizer,
    max_text_bytes: usize,
}

pub(crate) fn load(json: &[u8]) -> Result<CustomVocabulary, InvalidTokenizer> {
    if json.starts_with(b"version https://git-lfs") {
        return Err(InvalidTokenizer {
            what: "it only points to a file in Git LFS".to_owned(),
            advice: "run `git lfs pull` where it came from",
        });
    }
    read(json).map_err(|what| InvalidTokenizer {
        what,
        advice: WHICH_FILE,
    })
}

fn read(json: &[u8]) -> Result<CustomVocabulary, String> {
    if json.len() > MAX_JSON_BYTES {
        return Err(format!("it has more than {MAX_JSON_BYTES} bytes"));
    }
    let growth = inspect::growth(json)?;
    let loaded = catch_unwind(AssertUnwindSafe(|| {
        Tokenizer::from_bytes(json)
            .and_then(straightened)
            .map_err(|error| error.to_string())
    }));
    let tokenizer = loaded
        .unwrap_or_else(|_| Err("a part of it contradicts another".to_owned()))
        .map_err(|reason| {
            format!(
                "it is not a tokenizer that Kitbag understands: {}",
                shortened(&reason)
            )
        })?;
    if tokenizer.get_vocab_size(true) == 0 {
        // It would count every text as nothing.
        return Err("its vocabulary is empty".to_owned());
    }
    Ok(CustomVocabulary {
        tokenizer,
        max_text_bytes: MAX_TEXT_BYTES / growth.max(1),
    })
}

/// With all switched off that is not cutting.
fn straightened(mut tokenizer: Tokenizer) -> tokenizers::Result<Tokenizer> {
    tokenizer.with_truncation(None)?;
    tokenizer.with_padding(None);
    tokenizer.with_post_processor(None::<PostProcessorWrapper>);
    tokenizer.with_decoder(None::<DecoderWrapper>);
    tokenizer.set_encode_special_tokens(true);
    if let ModelWrapper::BPE(model) = tokenizer.get_model()
        && model.dropout.is_some()
    {
        let mut steady = model.clone();
        steady.dropout = None;
        tokenizer.with_model(steady);
    }
    Ok(tokenizer)
}

pub(crate) fn count(custom: &CustomVocabulary, text: &str) -> Count {
    let encode = || custom.tokenizer.encode_fast(text, false);
    let cuttable = text.len() <= custom.max_text_bytes && longest_run(text) <= MAX_RUN_CHARS;
    match cuttable.then(|| catch_unwind(AssertUnwindSafe(encode))) {
        Some(Ok(Ok(encoding))) => Count {
            tokens: encoding.len(),
            exact: true,
            headroom_percent: 0,
        },
        _ => Count {
            tokens: text.len(),
            exact: false,
            headroom_percent: 0,
        },
    }
}

/// The longest stretch of white space, or of anything else, in characters.
fn longest_run(text: &str) -> usize {
    if text.len() <= MAX_RUN_CHARS {
        return text.len();
    }
    let (mut longest, mut run, mut white) = (0_usize, 0, false);
    for c in text.chars() {
        if c.is_whitespace() != white {
            white = !white;
            run = 0;
        }
        run += 1;
        longest = longest.max(run);
    }
    longest
}

fn shortened(reason: &str) -> String {
    let mut kept: String = reason.chars().take(MAX_REASON_CHARS).collect();
    if kept.len() < reason.len() {
        kept.push('…');
    }
    kept
}
