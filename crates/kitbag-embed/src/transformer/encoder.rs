//! The encoder of BERT: ids of pieces in, one vector per piece out.
//!
//! Each layer first combines every piece with every other (attention), then transforms each piece alone (two wide products
//! with a non-linear function between them). Nearly all time goes into matrix products, which `ndarray` passes to
//! `matrixmultiply`: it is safe to call, builds quickly, and at 75–80 GFLOP/s is within a seventh of the fastest crate
//! (docs/decisions/007-own-encoder.md). Weights keep the layout of the file, one row per output.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, Axis, Slice};

use super::math::{add_bias, bias_gelu, layer_norm, softmax};
use super::settings::Shape;
use crate::EmbedError;
use crate::weights::Weights;

pub(crate) struct Encoder {
    shape: Shape,
    words: Vec<f32>,
    /// With the embedding of the first segment added: there is never a second one.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    /// Queries, keys and values: three products in one.
    attend: Linear,
    attended: Linear,
    attention_norm: Norm,
    widen: Linear,
    narrow: Linear,
    norm: Norm,
}

struct Linear {
    n_in: usize,
    n_out: usize,
    weight: Vec<f32>,
    bias: Vec<f32>,
}

struct Norm {
    scale: Vec<f32>,
    shift: Vec<f32>,
}

impl Encoder {
    pub(crate) fn read(weights: &Weights<'_>, shape: Shape) -> Result<Encoder, EmbedError> {
        // Checkpoints saved with a training head have all names one level deeper.
        let prefix = if weights.has("bert.embeddings.word_embeddings.weight") {
            "bert."
        } else {
            ""
        };
        let named = |name: &str| format!("{prefix}{name}");
        let h = shape.n_hidden;
        let table =
            |name: &str, n| weights.shaped(&named(&format!("embeddings.{name}_embeddings.weight")), &[n, h]);
        let norm = |name: String| {
            Ok::<_, EmbedError>(Norm {
                scale: weights.shaped(&format!("{name}.weight"), &[h])?,
                shift: weights.shaped(&format!("{name}.bias"), &[h])?,
            })
        };
        let linear = |name: String, n_in: usize, n_out: usize| {
            Ok::<_, EmbedError>(Linear {
                n_in,
                n_out,
                weight: weights.shaped(&format!("{name}.weight"), &[n_out, n_in])?,
                bias: weights.shaped(&format!("{name}.bias"), &[n_out])?,
            })
        };
        let layer = |idx: usize| {
            let at = |name: &str| named(&format!("encoder.layer.{idx}.{name}"));
            let mut attend = linear(at("attention.self.query"), h, h)?;
            for name in ["attention.self.key", "attention.self.value"] {
                let more = linear(at(name), h, h)?;
                attend.n_out += h;
                attend.weight.extend(more.weight);
                attend.bias.extend(more.bias);
            }
            Ok(Layer {
                attend,
                attended: linear(at("attention.output.dense"), h, h)?,
                attention_norm: norm(at("attention.output.LayerNorm"))?,
                widen: linear(at("intermediate.dense"), h, shape.n_inner)?,
                narrow: linear(at("output.dense"), shape.n_inner, h)?,
                norm: norm(at("output.LayerNorm"))?,
            })
        };
        let mut positions = table("position", shape.n_positions)?;
        let types = table("token_type", shape.n_types)?;
        add_bias(&mut positions, &types[..h]);
        Ok(Encoder {
            shape,
            words: table("word", shape.n_words)?,
            positions,
            norm: norm(named("embeddings.LayerNorm"))?,
            layers: (0..shape.n_layers)
                .map(layer)
                .collect::<Result<_, EmbedError>>()?,
        })
    }

    /// One row per piece. Pieces beyond the last position, or not in the table, are left out.
    pub(crate) fn encode(&self, ids: &[u32]) -> Vec<f32> {
        let h = self.shape.n_hidden;
        let mut hidden = Vec::with_capacity(ids.len() * h);
        for (id, position) in ids.iter().zip(self.positions.chunks_exact(h)) {
            let start = *id as usize * h;
            let Some(word) = self.words.get(start..start + h) else {
                continue;
            };
            hidden.extend(word.iter().zip(position).map(|(word, position)| word + position));
        }
        self.norm.apply(&mut hidden, self.shape.epsilon);
        let n = hidden.len() / h;
        if n > 0 {
            let mut buffers = Buffers::new(n, self.shape);
            for layer in &self.layers {
                layer.apply(&mut hidden, &mut buffers, n, self.shape);
            }
        }
        hidden
    }
}

/// Buffers for the intermediate results of a layer; all layers share them.
struct Buffers {
    attend: Vec<f32>,
    scores: Vec<f32>,
    mixed: Vec<f32>,
    inner: Vec<f32>,
}

impl Buffers {
    fn new(n: usize, shape: Shape) -> Buffers {
        Buffers {
            attend: vec![0.0; n * shape.n_hidden * 3],
            scores: vec![0.0; n * n],
            mixed: vec![0.0; n * shape.n_hidden],
            inner: vec![0.0; n * shape.n_inner],
        }
    }
}

impl Layer {
    fn apply(&self, hidden: &mut [f32], buffers: &mut Buffers, n: usize, shape: Shape) {
        let h = shape.n_hidden;
        self.attend.multiply(hidden, 0.0, &mut buffers.attend, n);
        add_bias(&mut buffers.attend, &self.attend.bias);
        attend(buffers, n, shape);

        self.attended.multiply(&buffers.mixed, 1.0, hidden, n);
        add_bias(hidden, &self.attended.bias);
        self.attention_norm.apply(hidden, shape.epsilon);

        self.widen.multiply(hidden, 0.0, &mut buffers.inner, n);
        bias_gelu(&mut buffers.inner, &self.widen.bias);
        self.narrow.multiply(&buffers.inner, 1.0, hidden, n);
        add_bias(hidden, &self.narrow.bias);
        self.norm.apply(hidden, shape.epsilon);
        debug_assert_eq!(hidden.len(), n * h);
    }
}

/// Per head: the attention of each piece to each other, then the weighted sum of values.
fn attend(buffers: &mut Buffers, n: usize, shape: Shape) {
    let h = shape.n_hidden;
    let width = h / shape.n_heads;
    let factor = 1.0 / (width as f32).sqrt();
    let all = rows(&buffers.attend, n, 3 * h);
    let mut mixed = rows_mut(&mut buffers.mixed, n, h);
    for head in 0..shape.n_heads {
        let columns = |part: usize| {
            let start = part * h + head * width;
            all.slice_axis(Axis(1), Slice::from(start..start + width))
        };
        let mut scores = rows_mut(&mut buffers.scores, n, n);
        general_mat_mul(1.0, &columns(0), &columns(1).t(), 0.0, &mut scores);
        softmax(&mut buffers.scores, n, factor);
        let mut out = mixed.slice_axis_mut(Axis(1), Slice::from(head * width..(head + 1) * width));
        general_mat_mul(1.0, &rows(&buffers.scores, n, n), &columns(2), 0.0, &mut out);
    }
}

impl Linear {
    /// `out = keep · out + input × weightᵀ`. The caller adds the bias, because it loops over the rows anyway.
    fn multiply(&self, input: &[f32], keep: f32, out: &mut [f32], n: usize) {
        let weight = rows(&self.weight, self.n_out, self.n_in);
        general_mat_mul(
            1.0,
            &rows(input, n, self.n_in),
            &weight.t(),
            keep,
            &mut rows_mut(out, n, self.n_out),
        );
    }
}

impl Norm {
    fn apply(&self, rows: &mut [f32], epsilon: f32) {
        layer_norm(rows, &self.scale, &self.shift, epsilon);
    }
}

const FITS: &str = "every buffer is made for its number of rows";

fn rows(values: &[f32], n: usize, width: usize) -> ArrayView2<'_, f32> {
    ArrayView2::from_shape((n, width), values).expect(FITS)
}

fn rows_mut(values: &mut [f32], n: usize, width: usize) -> ArrayViewMut2<'_, f32> {
    ArrayViewMut2::from_shape((n, width), values).expect(FITS)
}
