//! A static table in the format of model2vec: one vector per piece of text; the vector of a text is their mean.
//!
//! Pieces that are not in the vocabulary are skipped, and long texts are cut as model2vec cuts them, first by characters and
//! then by pieces, so that the vectors are the same. Vectors always have length 1, whatever `normalize` says, because they
//! are compared by angle.

use std::path::Path;

use serde_json::Value;

use crate::EmbedError;
use crate::folder::{self, CONFIG, TOKENIZER, WEIGHTS};
use crate::pieces::Pieces;
use crate::vector::normalise;
use crate::weights::Weights;

/// The most pieces of a text that are used, unless the model says otherwise.
const MAX_PIECES: u64 = 512;

pub struct StaticFolder {
    id: String,
    pieces: Pieces,
    unknown: Option<u32>,
    max_chars: usize,
    n_dims: usize,
    /// One row per vector.
    rows: Vec<f32>,
    /// The row of each piece; if empty, row and piece have the same number.
    mapping: Vec<usize>,
    /// The weight of each piece; 1 if empty.
    importance: Vec<f32>,
}

impl StaticFolder {
    pub(crate) fn open(folder: &Path, place: &Path) -> Result<StaticFolder, EmbedError> {
        let config = folder::json(&folder.join(CONFIG))?.unwrap_or_default();
        let max_pieces = config
            .get("max_length")
            .and_then(Value::as_u64)
            .unwrap_or(MAX_PIECES);
        let max_pieces = usize::try_from(max_pieces.clamp(1, 100_000)).unwrap_or(usize::MAX);
        let (pieces, tokenizer_json) = Pieces::open(&place.join(TOKENIZER), max_pieces, false)?;

        let path = place.join(WEIGHTS);
        let weights = Weights::open(&path)?;
        let name = ["embeddings", "embedding.weight"]
            .into_iter()
            .find(|name| weights.has(name));
        let Some(name) = name else {
            return Err(EmbedError::NotAModel {
                path: folder.to_owned(),
                what: format!(
                    "{WEIGHTS} has no tensor `embeddings`, as a static table has, and {CONFIG} no model_type, as an encoder has"
                ),
            });
        };
        let table = weights.tensor(name)?;
        let &[n_rows, n_dims] = table.shape.as_slice() else {
            return Err(EmbedError::damaged(
                &path,
                format!("the tensor {name} is not a table"),
            ));
        };
        if n_rows == 0 || n_dims == 0 {
            return Err(EmbedError::damaged(&path, format!("the tensor {name} is empty")));
        }
        let mapping = if weights.has("mapping") {
            weights.positions("mapping")?
        } else {
            Vec::new()
        };
        let importance = if weights.has("weights") {
            weights.tensor("weights")?.values
        } else {
            Vec::new()
        };
        let n_mapped = if mapping.is_empty() { n_rows } else { mapping.len() };
        let fits = n_mapped >= pieces.n_pieces()
            && mapping.iter().all(|row| *row < n_rows)
            && (importance.is_empty() || importance.len() >= pieces.n_pieces());
        if !fits {
            let what = format!("it does not fit the {} pieces of {TOKENIZER}", pieces.n_pieces());
            return Err(EmbedError::damaged(&path, what));
        }
        Ok(StaticFolder {
            id: folder::id(
                "static",
                folder,
                &[weights.bytes(), &tokenizer_json, &max_pieces.to_le_bytes()],
            ),
            unknown: pieces.unknown(),
            max_chars: max_pieces.saturating_mul(pieces.median_length()),
            pieces,
            n_dims,
            rows: table.values,
            mapping,
            importance,
        })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn n_dims(&self) -> usize {
        self.n_dims
    }

    /// The most bytes of a text that are read; a character has up to four.
    pub(crate) fn max_bytes(&self) -> usize {
        self.max_chars.saturating_mul(4)
    }

    pub(crate) fn embed(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let end = text
            .char_indices()
            .nth(self.max_chars)
            .map_or(text.len(), |(at, _)| at);
        let mut sum = vec![0.0_f32; self.n_dims];
        for id in self.pieces.ids(&text[..end])? {
            if Some(id) == self.unknown {
                continue;
            }
            let id = id as usize;
            let row = if self.mapping.is_empty() {
                Some(id)
            } else {
                self.mapping.get(id).copied()
            };
            // Ids may have gaps, so a piece can be beyond the table even if there are enough rows.
            let Some(row) = row.and_then(|row| self.rows.chunks_exact(self.n_dims).nth(row)) else {
                continue;
            };
            let counts = self.importance.get(id).copied().unwrap_or(1.0);
            for (sum, value) in sum.iter_mut().zip(row) {
                *sum += value * counts;
            }
        }
        normalise(&mut sum);
        Ok(sum)
    }
}
