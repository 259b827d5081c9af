//! Training: InfoNCE with the other pairs of the batch as negatives, both ways, one table for questions and passages.
//!
//! Two threads. Work is split by text, then by row, never by arrival: a run is the same for a given number of threads.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis};
use rayon::prelude::*;

use kitbag_embed::{Field, Table};

use crate::adam::Adam;
use crate::args::{Args, Result};
use crate::batch::batches;
use crate::dataset::{Dataset, Packed};
use crate::eval::held_out;
use crate::model::Model;
use crate::random::Random;

pub struct Options {
    pub batch: usize,
    pub block: usize,
    pub temperature: f32,
    /// Share of the loss that asks for the passage; the rest asks for the question.
    pub forward: f32,
    pub rate: f32,
    pub n_steps: usize,
    pub learns_fields: bool,
}

#[cfg(test)]
mod tests;

const WARM_UP: usize = 50;

/// `train --data FILE --out MODEL [--steps N --batch N --block N --temperature T --rate R --dims N --seed N --fields P,N,D,C,B]`.
/// `--from FILE` learns on from a model, or from a table (`.bin`) whose weights of fields were multiplied with `--raised`; `--near yes`
/// puts pairs next to each other that the model takes for alike.
pub fn run(args: &Args) -> Result {
    let data = Dataset::load(&args.path("data")?)?;
    let out = args.path("out")?;
    let options = Options {
        batch: args.count("batch", 1024)?,
        block: args.count("block", 48)?,
        temperature: args.number("temperature", 0.05)? as f32,
        forward: args.number("forward", 0.6)? as f32,
        rate: args.number("rate", 3e-3)? as f32,
        n_steps: args.count("steps", 3_000)?,
        learns_fields: args.text("fields", "").is_empty(),
    };
    let seed = args.count("seed", 4)? as u64;
    let raised = args.text("raised", "6,2,1,1,1");
    let raised: Vec<f32> = raised
        .split(',')
        .map(str::parse)
        .collect::<std::result::Result<_, _>>()?;
    let mut model = match args.path("from") {
        Ok(path) if path.extension().is_some_and(|extension| extension == "bin") => {
            Model::from_table(&Table::from_bytes(std::fs::read(path)?)?, &raised)
        }
        Ok(path) => Model::load(&path)?,
        Err(_) => Model::start(&data, args.count("dims", 256)?, seed),
    };
    let is_near = args.text("near", "no") == "yes";
    eprintln!("{}", held_out(&data, &model));
    // Weights of path, names, docs, capsule and body that are given stay as they are.
    let given = args.text("fields", "");
    let is_given = !given.is_empty();
    for (field, weight) in model.field.iter_mut().zip(given.split(',').filter(|_| is_given)) {
        *field = weight.parse::<f32>()?.ln();
    }
    let mut random = Random::new(seed + 1);
    let mut trainer = Trainer::new(&model, options.batch);
    let mut queue: Vec<Vec<u32>> = Vec::new();
    let mut mean = 0.0;
    for step in 0..options.n_steps {
        if queue.is_empty() {
            let near = is_near.then_some(&model);
            queue = batches(&data, (options.batch, options.block), near, &mut random);
            queue.reverse();
        }
        let Some(batch) = queue.pop() else {
            return Err("fewer pairs than a batch".into());
        };
        let rate = rate_at(step, &options);
        let loss = trainer.step(&data, &mut model, &batch, &options, (step, rate));
        mean = if step == 0 {
            loss
        } else {
            0.98 * mean + 0.02 * loss
        };
        if step % 100 == 99 {
            let fields: Vec<f32> = model
                .field
                .iter()
                .map(|weight| (weight.exp() * 100.0).round() / 100.0)
                .collect();
            eprintln!("step {} loss {mean:.4} fields {fields:?}", step + 1);
        }
        if step % 500 == 499 {
            model.save(&out)?;
            eprintln!("{}", held_out(&data, &model));
        }
    }
    model.save(&out)?;
    println!("{}", held_out(&data, &model));
    Ok(())
}

fn rate_at(step: usize, options: &Options) -> f32 {
    let warm = ((step + 1) as f32 / WARM_UP as f32).min(1.0);
    let left = 1.0 - step as f32 / options.n_steps as f32;
    options.rate * warm * left.max(0.01)
}

struct Trainer {
    first: Vec<f32>,
    second: Vec<f32>,
    /// Averages of the weights: first and second of `weight`, then of `asked`.
    scalars: Vec<[f32; 4]>,
    fields: [[f32; 2]; 8],
    vectors: [Array2<f32>; 2],
    lengths: [Vec<f32>; 2],
    gradients: [Array2<f32>; 2],
    logits: Array2<f32>,
}

impl Trainer {
    fn new(model: &Model, batch: usize) -> Trainer {
        let pair = || {
            [
                Array2::zeros((batch, model.dims)),
                Array2::zeros((batch, model.dims)),
            ]
        };
        Trainer {
            first: vec![0.0; model.rows.len()],
            second: vec![0.0; model.rows.len()],
            scalars: vec![[0.0; 4]; model.weight.len()],
            fields: [[0.0; 2]; 8],
            vectors: pair(),
            lengths: [vec![0.0; batch], vec![0.0; batch]],
            gradients: pair(),
            logits: Array2::zeros((batch, batch)),
        }
    }

    fn step(
        &mut self,
        data: &Dataset,
        model: &mut Model,
        batch: &[u32],
        options: &Options,
        (step, rate): (usize, f32),
    ) -> f32 {
        let texts = [
            batch
                .iter()
                .map(|pair| data.query(*pair as usize))
                .collect::<Vec<_>>(),
            batch
                .iter()
                .map(|pair| data.passage(*pair as usize))
                .collect::<Vec<_>>(),
        ];
        for (texts, (vectors, lengths)) in texts.iter().zip(self.vectors.iter_mut().zip(&mut self.lengths)) {
            embed(model, texts, vectors, lengths);
        }
        let [queries, passages] = &self.vectors;
        product(queries.view(), passages.t(), &mut self.logits);
        let loss = into_gradient(&mut self.logits, data, batch, options);
        let [for_queries, for_passages] = &mut self.gradients;
        product(self.logits.view(), passages.view(), for_queries);
        product(self.logits.t(), queries.view(), for_passages);
        for side in 0..2 {
            through_length(
                &mut self.gradients[side],
                &self.vectors[side],
                &self.lengths[side],
            );
        }
        if options.learns_fields {
            self.update_fields(model, &texts, step, rate);
        }
        self.update_rows(model, &texts, step, rate);
        loss
    }

    /// The weights of fields, from one text in sixteen: there are six of them and thousands of texts.
    fn update_fields(&mut self, model: &mut Model, texts: &[Vec<&[u32]>; 2], step: usize, rate: f32) {
        let mut gradient = [0.0_f32; 8];
        for (idx, features) in texts[1].iter().enumerate().skip(step % 16).step_by(16) {
            let given = self.gradients[1].row(idx);
            for packed in *features {
                let from = Packed(*packed).row() * model.dims;
                let along: f32 = model.rows[from..from + model.dims]
                    .iter()
                    .zip(given)
                    .map(|(a, b)| a * b)
                    .sum();
                gradient[Packed(*packed).field()] += 16.0 * along * model.share(*packed);
            }
        }
        let adam = Adam::at(step, rate);
        // Those of a passage: the weight of a question's only field would change nothing.
        let averages = self.fields.iter_mut().take(Field::Query as usize);
        for ((weight, [first, second]), gradient) in model.field.iter_mut().zip(averages).zip(gradient) {
            adam.step(weight, first, second, gradient);
        }
    }

    fn update_rows(&mut self, model: &mut Model, texts: &[Vec<&[u32]>; 2], step: usize, rate: f32) {
        let touched = Touched::of(model, texts);
        let adam = Adam::at(step, rate);
        let weight_adam = Adam::at(step, 2.0 * rate);
        let dims = model.dims;
        let gradients = &self.gradients;
        let rows = model
            .rows
            .par_chunks_mut(dims)
            .zip(self.first.par_chunks_mut(dims))
            .zip(self.second.par_chunks_mut(dims));
        let scalars = self
            .scalars
            .par_iter_mut()
            .zip(&mut model.weight)
            .zip(&mut model.asked);
        rows.zip(scalars).enumerate().with_min_len(256).for_each(
            |(row, (((values, first), second), ((scalar, weight), asked)))| {
                let uses = touched.uses(row);
                if uses.is_empty() {
                    return;
                }
                let mut sums = [vec![0.0_f32; dims], vec![0.0_f32; dims]];
                for (text, share) in uses {
                    let (side, idx) = ((text & 1) as usize, (text >> 1) as usize);
                    let given = gradients[side].row(idx);
                    let given = given.as_slice().unwrap_or_default();
                    for (slot, value) in sums[side].iter_mut().zip(given) {
                        *slot += share * value;
                    }
                }
                let along = |sum: &[f32]| values.iter().zip(sum).map(|(a, b)| a * b).sum::<f32>();
                let (for_asked, for_told) = (along(&sums[0]), along(&sums[1]));
                let [w1, w2, a1, a2] = scalar;
                weight_adam.step(weight, w1, w2, for_asked + for_told);
                weight_adam.step(asked, a1, a2, for_asked);
                for dim in 0..dims {
                    adam.step(
                        &mut values[dim],
                        &mut first[dim],
                        &mut second[dim],
                        sums[0][dim] + sums[1][dim],
                    );
                }
            },
        );
    }
}

/// Which texts use a row, and how much of it: lists in one, row by row.
struct Touched {
    starts: Vec<u32>,
    /// Text number (question even, passage odd) and share.
    uses: Vec<(u32, f32)>,
}

impl Touched {
    fn of(model: &Model, texts: &[Vec<&[u32]>; 2]) -> Touched {
        let mut starts = vec![0_u32; model.weight.len() + 1];
        let all = || {
            (0..2).flat_map(|side| {
                texts[side]
                    .iter()
                    .enumerate()
                    .map(move |(idx, features)| (side, idx, *features))
            })
        };
        for (_, _, features) in all() {
            features
                .iter()
                .for_each(|packed| starts[Packed(*packed).row() + 1] += 1);
        }
        for row in 1..starts.len() {
            starts[row] += starts[row - 1];
        }
        let mut next = starts.clone();
        let mut uses = vec![(0, 0.0); starts[starts.len() - 1] as usize];
        for (side, idx, features) in all() {
            for packed in features {
                let at = &mut next[Packed(*packed).row()];
                uses[*at as usize] = ((idx * 2 + side) as u32, model.share(*packed));
                *at += 1;
            }
        }
        Touched { starts, uses }
    }

    fn uses(&self, row: usize) -> &[(u32, f32)] {
        &self.uses[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

fn embed(model: &Model, texts: &[&[u32]], vectors: &mut Array2<f32>, lengths: &mut [f32]) {
    let dims = model.dims;
    let Some(flat) = vectors.as_slice_mut() else {
        return;
    };
    flat.par_chunks_mut(dims)
        .zip(lengths)
        .zip(texts)
        .with_min_len(64)
        .for_each(|((vector, length), features)| {
            model.sum(features, vector);
            *length = vector
                .iter()
                .map(|value| value * value)
                .sum::<f32>()
                .sqrt()
                .max(1e-6);
            vector.iter_mut().for_each(|value| *value /= *length);
        });
}

/// `into = a · b`, its rows in two halves on two threads.
fn product(a: ArrayView2<f32>, b: ArrayView2<f32>, into: &mut Array2<f32>) {
    let half = a.nrows() / 2;
    let (a1, a2) = a.split_at(Axis(0), half);
    let (mut i1, mut i2) = into.view_mut().split_at(Axis(0), half);
    let one = |a: &ArrayView2<f32>, into: &mut ArrayViewMut2<f32>| general_mat_mul(1.0, a, &b, 0.0, into);
    rayon::join(|| one(&a1, &mut i1), || one(&a2, &mut i2));
}

/// Similarities become the gradient of the loss by them; gives the loss.
fn into_gradient(logits: &mut Array2<f32>, data: &Dataset, batch: &[u32], options: &Options) -> f32 {
    let n = batch.len();
    let scale = 1.0 / options.temperature;
    let Some(flat) = logits.as_slice_mut() else {
        return 0.0;
    };
    let id = |list: &[u64]| {
        batch
            .iter()
            .map(|pair| list[*pair as usize])
            .collect::<Vec<u64>>()
    };
    let (chunk, query) = (id(&data.chunk), id(&data.query_hash));
    // Pairs of one chunk, or of one question, are not negatives of each other.
    let row_sums: Vec<(f32, f32)> = flat
        .par_chunks_mut(n)
        .enumerate()
        .with_min_len(64)
        .map(|(i, row)| {
            let right = row[i];
            for (j, value) in row.iter_mut().enumerate() {
                let is_same = i != j && (chunk[i] == chunk[j] || query[i] == query[j]);
                *value = if is_same {
                    0.0
                } else {
                    ((*value - 1.0) * scale).exp()
                };
            }
            (row.iter().sum(), right)
        })
        .collect();
    let column_sums: Vec<f32> = (0..n)
        .into_par_iter()
        .step_by(64)
        .flat_map_iter(|from| {
            let width = 64.min(n - from);
            let mut sums = vec![0.0_f32; width];
            for row in flat.chunks(n) {
                for (sum, value) in sums.iter_mut().zip(&row[from..from + width]) {
                    *sum += value;
                }
            }
            sums
        })
        .collect();
    let per_pair = scale / n as f32;
    flat.par_chunks_mut(n)
        .enumerate()
        .with_min_len(64)
        .for_each(|(i, row)| {
            let for_row = options.forward / row_sums[i].0;
            for (value, column_sum) in row.iter_mut().zip(&column_sums) {
                *value *= per_pair * (for_row + (1.0 - options.forward) / column_sum);
            }
            row[i] -= per_pair;
        });
    let losses = (0..n).map(|i| {
        let right = (row_sums[i].1 - 1.0) * scale;
        options.forward * (row_sums[i].0.ln() - right)
            + (1.0 - options.forward) * (column_sums[i].ln() - right)
    });
    losses.sum::<f32>() / n as f32
}

/// The gradient by a vector at unit length becomes the one by the vector before.
fn through_length(gradients: &mut Array2<f32>, vectors: &Array2<f32>, lengths: &[f32]) {
    let dims = vectors.ncols();
    let (Some(flat), Some(units)) = (gradients.as_slice_mut(), vectors.as_slice()) else {
        return;
    };
    flat.par_chunks_mut(dims)
        .zip(units.par_chunks(dims))
        .zip(lengths)
        .with_min_len(64)
        .for_each(|((gradient, unit), length)| {
            let along: f32 = gradient.iter().zip(unit).map(|(a, b)| a * b).sum();
            for (slot, value) in gradient.iter_mut().zip(unit) {
                *slot = (*slot - along * value) / length;
            }
        });
}
