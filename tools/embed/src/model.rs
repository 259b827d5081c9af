//! What is learned: a row and a weight a term, a difference of weight for questions, a weight a field. And how it becomes a table.

use std::path::Path;

use kitbag_embed::{Field, Table, TableParts};

use crate::args::Result;
use crate::dataset::{Dataset, Packed};
use crate::numbers::{Reader, Writer};
use crate::random::Random;

#[derive(Clone)]
pub struct Model {
    pub dims: usize,
    pub keys: Vec<u64>,
    pub n_buckets: usize,
    pub rows: Vec<f32>,
    /// Logarithm of a row's weight.
    pub weight: Vec<f32>,
    /// What is added to it in a question.
    pub asked: Vec<f32>,
    /// Logarithms too.
    pub field: Vec<f32>,
}

impl Model {
    /// Random directions, weighted by how rare a term is.
    pub fn start(data: &Dataset, dims: usize, seed: u64) -> Model {
        let mut random = Random::new(seed);
        let scale = 1.0 / (dims as f32).sqrt();
        let n_pairs = data.n_pairs() as f32;
        let rarity = |n: &u32| ((n_pairs + 1.0) / (*n as f32 + 1.0)).ln().max(0.3);
        Model {
            dims,
            keys: data.keys.clone(),
            n_buckets: data.n_buckets,
            rows: (0..data.n_rows() * dims)
                .map(|_| random.normal() * scale)
                .collect(),
            weight: data.frequency.iter().map(|n| (rarity(n) / 5.0).ln()).collect(),
            asked: vec![0.0; data.n_rows()],
            field: [0.7_f32, 1.5, 1.0, 0.7, 1.0, 1.0]
                .iter()
                .map(|weight| weight.ln())
                .collect(),
        }
    }

    /// What a table was made of, as far as it keeps it: rows at unit length, their weights in full. `raised`: what the weights of
    /// fields were multiplied with after training.
    pub fn from_table(table: &Table, raised: &[f32]) -> Model {
        let parts = table.parts();
        let dims = parts.dims;
        let (mut rows, mut weight, mut asked) = (Vec::new(), Vec::new(), Vec::new());
        for (idx, row) in parts.rows.chunks(dims).enumerate() {
            let length = row
                .iter()
                .map(|value| f32::from(*value).powi(2))
                .sum::<f32>()
                .sqrt()
                .max(1e-6);
            rows.extend(row.iter().map(|value| f32::from(*value) / length));
            let told = parts.passage_scales[idx].max(1e-12);
            weight.push((told * length).ln());
            asked.push((parts.query_scales[idx].max(1e-12) / told).ln());
        }
        let raised = raised.iter().copied().chain(std::iter::repeat(1.0));
        Model {
            dims,
            keys: parts.keys,
            n_buckets: parts.n_buckets,
            rows,
            weight,
            asked,
            field: parts
                .field_weights
                .iter()
                .zip(raised)
                .map(|(weight, raised)| (weight / raised).ln())
                .collect(),
        }
    }

    /// How much of its row a feature adds.
    pub fn share(&self, packed: u32) -> f32 {
        let feature = Packed(packed);
        let asked = if feature.field() == Field::Query as usize {
            self.asked[feature.row()]
        } else {
            0.0
        };
        feature.amount() * (self.weight[feature.row()] + asked + self.field[feature.field()]).exp()
    }

    /// The sum of a text's rows, not yet at unit length.
    pub fn sum(&self, features: &[u32], out: &mut [f32]) {
        out.fill(0.0);
        for packed in features {
            let share = self.share(*packed);
            let from = Packed(*packed).row() * self.dims;
            for (slot, value) in out.iter_mut().zip(&self.rows[from..from + self.dims]) {
                *slot += share * value;
            }
        }
    }

    pub fn save(&self, path: &Path) -> Result {
        let mut to = Writer::create(path)?;
        to.u64s(&self.keys)?;
        to.u64s(&[self.dims as u64, self.n_buckets as u64])?;
        for values in [&self.rows, &self.weight, &self.asked, &self.field] {
            to.f32s(values)?;
        }
        Ok(())
    }

    pub fn load(path: &Path) -> Result<Model> {
        let mut from = Reader::open(path)?;
        let keys = from.u64s()?;
        let sizes = from.u64s()?;
        Ok(Model {
            dims: sizes[0] as usize,
            n_buckets: sizes[1] as usize,
            keys,
            rows: from.f32s()?,
            weight: from.f32s()?,
            asked: from.f32s()?,
            field: from.f32s()?,
        })
    }

    /// Whole numbers of a byte, the weights in the scales.
    pub fn table(&self, name: &str) -> Result<Table> {
        let mut rows = Vec::with_capacity(self.rows.len());
        let (mut query_scales, mut passage_scales) = (Vec::new(), Vec::new());
        for (idx, row) in self.rows.chunks(self.dims).enumerate() {
            let top = row.iter().fold(1e-12_f32, |top, value| top.max(value.abs()));
            rows.extend(row.iter().map(|value| (value / top * 127.0).round() as i8));
            let scale = top / 127.0;
            passage_scales.push(scale * self.weight[idx].exp());
            query_scales.push(scale * (self.weight[idx] + self.asked[idx]).exp());
        }
        let mut field_weights = [0.0; Field::N];
        for (slot, weight) in field_weights.iter_mut().zip(&self.field) {
            *slot = weight.exp();
        }
        Ok(Table::from_parts(&TableParts {
            name: name.to_owned(),
            dims: self.dims,
            field_weights,
            keys: self.keys.clone(),
            n_buckets: self.n_buckets,
            query_scales,
            passage_scales,
            rows,
        })?)
    }
}
