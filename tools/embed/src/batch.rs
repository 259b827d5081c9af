//! Which pairs are learned together. A batch is made of blocks of pairs of one package: the other passages of a package are
//! the hardest to tell from the right one, and telling them apart is the task. Harder still are those that the model itself takes
//! for alike: with a model, a block is a pair and the pairs of its package whose passages are nearest to its own.

use rayon::prelude::*;

use crate::dataset::Dataset;
use crate::model::Model;
use crate::random::Random;

/// All batches of one pass over the data.
pub fn batches(
    data: &Dataset,
    (size, block): (usize, usize),
    near: Option<&Model>,
    random: &mut Random,
) -> Vec<Vec<u32>> {
    let mut by_package: Vec<Vec<u32>> = Vec::new();
    let mut package = u32::MAX;
    for pair in 0..data.n_pairs() {
        if data.is_held_out[pair] == 1 {
            continue;
        }
        if data.package[pair] != package {
            package = data.package[pair];
            by_package.push(Vec::new());
        }
        if let Some(own) = by_package.last_mut() {
            own.push(pair as u32);
        }
    }
    by_package.iter_mut().for_each(|own| random.shuffle(own));
    if let Some(model) = near {
        by_package
            .par_iter_mut()
            .for_each(|own| order_by_nearness(data, model, own, block));
    }
    let mut blocks: Vec<Vec<u32>> = Vec::new();
    for own in by_package {
        blocks.extend(own.chunks(block).map(<[u32]>::to_vec));
    }
    random.shuffle(&mut blocks);
    let all: Vec<u32> = blocks.concat();
    all.chunks_exact(size).map(<[u32]>::to_vec).collect()
}

/// Each pair that begins a block is followed by those that are nearest to it of what is left.
fn order_by_nearness(data: &Dataset, model: &Model, own: &mut [u32], block: usize) {
    let mut vectors: Vec<Vec<f32>> = own
        .iter()
        .map(|pair| {
            let mut vector = vec![0.0; model.dims];
            model.sum(data.passage(*pair as usize), &mut vector);
            let length = dot(&vector, &vector).sqrt().max(1e-6);
            vector.iter_mut().for_each(|value| *value /= length);
            vector
        })
        .collect();
    let mut from = 0;
    while from + block < own.len() {
        let near: Vec<f32> = vectors[from..]
            .iter()
            .map(|vector| dot(vector, &vectors[from]))
            .collect();
        let mut order: Vec<usize> = (1..near.len()).collect();
        order.sort_by(|a, b| near[*b].total_cmp(&near[*a]).then(a.cmp(b)));
        order.insert(0, 0);
        let pairs: Vec<u32> = order.iter().map(|idx| own[from + idx]).collect();
        let moved: Vec<Vec<f32>> = order
            .iter()
            .map(|idx| std::mem::take(&mut vectors[from + idx]))
            .collect();
        own[from..].copy_from_slice(&pairs);
        vectors.truncate(from);
        vectors.extend(moved);
        from += block;
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
