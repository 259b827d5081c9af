//! A sentence-transformers folder with a BERT encoder in, vectors of texts out: the same as those of the reference to
//! 10⁻⁴ (tests/it/minilm.rs).
//!
//! We use our own encoder over a fast matrix product, because the frameworks take minutes to build and are not faster here
//! (docs/decisions/007-own-encoder.md). Each thread encodes one text at a time: no padding is computed, no vector depends on
//! other texts in a batch, and the bytes do not depend on the number of threads.

mod encoder;
mod math;
mod settings;

use std::path::Path;

use rayon::prelude::*;

use crate::EmbedError;
use crate::folder::{self, TOKENIZER, WEIGHTS};
use crate::pieces::Pieces;
use crate::vector::normalise;
use crate::weights::Weights;
use encoder::Encoder;
use settings::{Pooling, Settings};

/// A piece has at most about this many bytes of text; what is beyond would be cut off anyway.
const MAX_BYTES_PER_PIECE: usize = 64;

pub struct Transformer {
    id: String,
    settings: Settings,
    pieces: Pieces,
    encoder: Encoder,
}

impl Transformer {
    pub(crate) fn open(folder: &Path) -> Result<Transformer, EmbedError> {
        let settings = settings::read(folder)?;
        let (pieces, tokenizer_json) = Pieces::open(&folder.join(TOKENIZER), settings.max_pieces, true)?;
        let path = folder.join(WEIGHTS);
        let weights = Weights::open(&path)?;
        let encoder = Encoder::read(&weights, settings.shape)?;
        if pieces.n_pieces() > settings.shape.n_words {
            let what = format!(
                "it has {} pieces, the model {}",
                pieces.n_pieces(),
                settings.shape.n_words
            );
            return Err(EmbedError::damaged(&folder.join(TOKENIZER), what));
        }
        let decides = format!("{settings:?}");
        Ok(Transformer {
            id: folder::id(
                "transformer",
                folder,
                &[weights.bytes(), &tokenizer_json, decides.as_bytes()],
            ),
            settings,
            pieces,
            encoder,
        })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn n_dims(&self) -> usize {
        self.settings.shape.n_hidden
    }

    pub(crate) fn max_bytes(&self) -> usize {
        self.settings.max_pieces * MAX_BYTES_PER_PIECE
    }

    pub(crate) fn query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.embed(&self.ids(&self.settings.query_prompt, text)?)
    }

    pub(crate) fn passages(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let prompt = &self.settings.passage_prompt;
        let mut order: Vec<(usize, Vec<u32>)> = texts
            .par_iter()
            .enumerate()
            .map(|(idx, text)| Ok((idx, self.ids(prompt, text)?)))
            .collect::<Result<_, EmbedError>>()?;
        // The longest first: if a thread began the longest last, the others would wait.
        order.sort_by_key(|(idx, ids)| (std::cmp::Reverse(ids.len()), *idx));
        let mut vectors: Vec<(usize, Vec<f32>)> = order
            .into_par_iter()
            .with_max_len(1)
            .map(|(idx, ids)| Ok((idx, self.embed(&ids)?)))
            .collect::<Result<_, EmbedError>>()?;
        vectors.sort_by_key(|(idx, _)| *idx);
        Ok(vectors.into_iter().map(|(_, vector)| vector).collect())
    }

    fn ids(&self, prompt: &str, text: &str) -> Result<Vec<u32>, EmbedError> {
        let text = format!("{prompt}{}", kitbag_types::prefix(text, self.max_bytes()));
        if self.settings.lower_case {
            self.pieces.ids(&text.to_lowercase())
        } else {
            self.pieces.ids(&text)
        }
    }

    fn embed(&self, ids: &[u32]) -> Result<Vec<f32>, EmbedError> {
        let n_hidden = self.settings.shape.n_hidden;
        let hidden = self.encoder.encode(ids);
        let mut vector = match self.settings.pooling {
            Pooling::First => hidden.get(..n_hidden).unwrap_or_default().to_vec(),
            Pooling::Mean => {
                let mut sum = vec![0.0; n_hidden];
                for row in hidden.chunks_exact(n_hidden) {
                    for (sum, value) in sum.iter_mut().zip(row) {
                        *sum += value;
                    }
                }
                sum
            }
        };
        vector.resize(n_hidden, 0.0);
        normalise(&mut vector);
        Ok(vector)
    }
}
