//! Which pairs are learned together. A batch is made of blocks of pairs of one package: the other passages of a package are
//! the hardest to tell from the right one, and telling them apart is the task.

use crate::dataset::Dataset;
use crate::random::Random;

/// All batches of one pass over the data.
pub fn batches(data: &Dataset, size: usize, block: usize, random: &mut Random) -> Vec<Vec<u32>> {
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
    let mut blocks: Vec<Vec<u32>> = Vec::new();
    for mut own in by_package {
        random.shuffle(&mut own);
        blocks.extend(own.chunks(block).map(<[u32]>::to_vec));
    }
    random.shuffle(&mut blocks);
    let all: Vec<u32> = blocks.concat();
    all.chunks_exact(size).map(<[u32]>::to_vec).collect()
}
