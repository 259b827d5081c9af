//! A model's `tokenizer.json` in; the ids of a text's pieces out, at most as many as the model takes.
//!
//! Hugging Face's own library splits the text (as in kitbag-tokens): the vectors must equal those of the reference, and a
//! reimplementation would differ at the first unusual normalizer. The file's truncation and padding are replaced, as the
//! reference does; dropout, which is random, is switched off. The library may panic on unusual files, so it runs inside
//! `catch_unwind`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use tokenizers::models::ModelWrapper;
use tokenizers::{Tokenizer, TruncationParams};

use crate::EmbedError;
use crate::folder;

/// The largest published files have about 60 MB.
const MAX_FILE_BYTES: u64 = 100_000_000;

pub(crate) struct Pieces {
    path: PathBuf,
    tokenizer: Tokenizer,
    /// Whether to put the text between `[CLS]` and `[SEP]`, or the tokens that the file names.
    wrapped: bool,
}

impl Pieces {
    /// Returns the bytes of the file too, which are part of the model's id.
    pub(crate) fn open(
        path: &Path,
        max_pieces: usize,
        wrapped: bool,
    ) -> Result<(Pieces, Vec<u8>), EmbedError> {
        let json = folder::read_limited(path, MAX_FILE_BYTES)?;
        let load = || Tokenizer::from_bytes(&json).and_then(|tokenizer| prepared(tokenizer, max_pieces));
        match catch_unwind(AssertUnwindSafe(load)) {
            Ok(Ok(tokenizer)) => Ok((
                Pieces {
                    path: path.to_owned(),
                    tokenizer,
                    wrapped,
                },
                json,
            )),
            Ok(Err(error)) => {
                let reason: String = error.to_string().chars().take(200).collect();
                Err(EmbedError::damaged(
                    path,
                    format!("it is not a tokenizer: {reason}"),
                ))
            }
            Err(_) => Err(EmbedError::damaged(path, "a part of it contradicts another")),
        }
    }

    pub(crate) fn ids(&self, text: &str) -> Result<Vec<u32>, EmbedError> {
        let encode = || self.tokenizer.encode_fast(text, self.wrapped);
        match catch_unwind(AssertUnwindSafe(encode)) {
            Ok(Ok(encoding)) => Ok(encoding.get_ids().to_vec()),
            _ => Err(EmbedError::damaged(&self.path, "it cannot cut a text")),
        }
    }

    pub(crate) fn n_pieces(&self) -> usize {
        self.tokenizer.get_vocab_size(true)
    }

    /// The id for text that is not in the vocabulary.
    pub(crate) fn unknown(&self) -> Option<u32> {
        let piece = match self.tokenizer.get_model() {
            ModelWrapper::WordPiece(model) => Some(model.unk_token.as_str()),
            ModelWrapper::WordLevel(model) => Some(model.unk_token.as_str()),
            ModelWrapper::BPE(model) => model.unk_token.as_deref(),
            // The library has no accessor for it.
            ModelWrapper::Unigram(model) => {
                let json = serde_json::to_value(model).ok()?;
                return json.get("unk_id")?.as_u64()?.try_into().ok();
            }
        };
        self.tokenizer.token_to_id(piece?)
    }

    /// In characters, rounded down, as in model2vec.
    pub(crate) fn median_length(&self) -> usize {
        let vocabulary = self.tokenizer.get_vocab(true);
        let mut lengths: Vec<usize> = vocabulary.keys().map(|piece| piece.chars().count()).collect();
        lengths.sort_unstable();
        let at = |idx: usize| lengths.get(idx).copied().unwrap_or(1);
        (at(lengths.len().saturating_sub(1) / 2) + at(lengths.len() / 2)) / 2
    }
}

fn prepared(mut tokenizer: Tokenizer, max_pieces: usize) -> tokenizers::Result<Tokenizer> {
    tokenizer.with_padding(None);
    tokenizer.with_truncation(Some(TruncationParams {
        max_length: max_pieces,
        ..TruncationParams::default()
    }))?;
    if let ModelWrapper::BPE(model) = tokenizer.get_model()
        && model.dropout.is_some()
    {
        let mut steady = model.clone();
        steady.dropout = None;
        tokenizer.with_model(steady);
    }
    Ok(tokenizer)
}
