//! The built-in model: one row of small whole numbers per term, and two scales per row (for questions and for chunks).
//!
//! The vector of a text is the sum of its rows, each multiplied by its scale, its amount and the weight of the field,
//! normalised to length 1. The file is used in place: opening it checks sizes and copies nothing, since a process of Kitbag
//! often answers a single question. Terms are looked up by their hash. Hashes are evenly spread, so the place in the sorted
//! list can be computed almost exactly and no index is needed. Sums run in the order of rows, for the same bytes on every
//! machine.

mod layout;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::EmbedError;
use crate::passage::{Feature, Field, Passage, Rows};
use crate::table::layout::Layout;

pub use layout::TableParts;

static BUILT_IN: LazyLock<Table> = LazyLock::new(|| {
    Table::open(Cow::Borrowed(include_bytes!("../model/code.bin")))
        .expect("the file in the source tree is a table: a test opens it")
});

/// The built-in model, or one that was trained.
#[derive(Debug)]
pub struct Table {
    bytes: Cow<'static, [u8]>,
    layout: Layout,
    id: String,
}

impl Table {
    /// The model in the binary.
    pub fn built_in() -> &'static Table {
        &BUILT_IN
    }

    pub fn from_bytes(bytes: Vec<u8>) -> Result<Table, EmbedError> {
        Self::open(Cow::Owned(bytes))
    }

    /// Makes a table from its numbers; [`Table::to_bytes`] gives the file.
    pub fn from_parts(parts: &TableParts) -> Result<Table, EmbedError> {
        Self::from_bytes(layout::written(parts)?)
    }

    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its numbers, to continue training.
    pub fn parts(&self) -> TableParts {
        layout::parts(&self.bytes, &self.layout)
    }

    fn open(bytes: Cow<'static, [u8]>) -> Result<Table, EmbedError> {
        let layout = Layout::read(&bytes)?;
        let id = format!("{}-{:016x}", layout.name(&bytes)?, layout.digest);
        Ok(Table { bytes, layout, id })
    }

    /// Name and digest. Only vectors of tables with the same id can be compared.
    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn dims(&self) -> usize {
        self.layout.dims
    }

    /// Whether the content matches the digest in its header. Reads everything: for tests and for files of unknown origin.
    pub fn is_intact(&self) -> bool {
        layout::digest(&self.bytes) == self.layout.digest
    }

    /// Of length 1; zeros if no term is known.
    pub fn embed_passage(&self, passage: &Passage) -> Vec<f32> {
        self.with_rows(|rows| self.pooled(&rows.of_passage(passage), self.layout.passage_scales))
    }

    /// Of length 1; zeros if no term is known.
    pub fn embed_query(&self, text: &str) -> Vec<f32> {
        self.with_rows(|rows| self.pooled(&rows.of_query(text), self.layout.query_scales))
    }

    fn with_rows<T>(&self, run: impl FnOnce(&Rows) -> T) -> T {
        run(&Rows {
            known: &|key| self.layout.row_of(&self.bytes, key),
            n_terms: self.layout.n_terms as u32,
            n_buckets: self.layout.n_buckets as u32,
        })
    }

    fn pooled(&self, features: &[Feature], scales_at: usize) -> Vec<f32> {
        let dims = self.layout.dims;
        let mut sum = vec![0.0_f32; dims];
        for same_row in features.chunk_by(|a, b| a.row == b.row) {
            let row = same_row[0].row as usize;
            let amount: f32 = same_row
                .iter()
                .map(|feature| feature.amount * self.field_weight(feature.field))
                .sum();
            let weight = amount * layout::f32_at(&self.bytes, scales_at + 4 * row);
            let from = self.layout.rows + row * dims;
            for (slot, value) in sum.iter_mut().zip(&self.bytes[from..from + dims]) {
                *slot += weight * f32::from(value.cast_signed());
            }
        }
        let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length > 0.0 {
            sum.iter_mut().for_each(|value| *value /= length);
        }
        sum
    }

    fn field_weight(&self, field: Field) -> f32 {
        self.layout.field_weights[field as usize]
    }
}
