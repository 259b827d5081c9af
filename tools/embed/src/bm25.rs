//! A plain BM25 over the same chunks, to see what a table adds to words alone. The index of Kitbag ranks better than this; what
//! counts here is the difference.

use std::collections::HashMap;

use kitbag_types::terms::each_term;

use crate::record::Pair;

const K1: f32 = 1.2;
const B: f32 = 0.75;

pub struct Bm25 {
    /// Chunks and weighted counts of a term, in the order of chunks.
    postings: HashMap<String, Vec<(u32, f32)>>,
    lengths: Vec<f32>,
    mean: f32,
}

impl Bm25 {
    pub fn new(chunks: &[Pair]) -> Bm25 {
        let mut postings: HashMap<String, Vec<(u32, f32)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (idx, chunk) in chunks.iter().enumerate() {
            let mut counts: HashMap<String, f32> = HashMap::new();
            let names = chunk.names.join(" ");
            for (text, weight) in [
                (&chunk.body, 1.0),
                (&names, 2.0),
                (&chunk.path, 2.0),
                (&chunk.docs, 0.5),
                (&chunk.capsule, 0.5),
            ] {
                each_term(text, &mut |term| {
                    *counts.entry(term.to_owned()).or_default() += weight
                });
            }
            lengths.push(counts.values().sum());
            let mut counts: Vec<(String, f32)> = counts.into_iter().collect();
            counts.sort_by(|a, b| a.0.cmp(&b.0));
            for (term, count) in counts {
                postings.entry(term).or_default().push((idx as u32, count));
            }
        }
        let mean = lengths.iter().sum::<f32>() / lengths.len().max(1) as f32;
        Bm25 {
            postings,
            lengths,
            mean,
        }
    }

    /// The score of every chunk.
    pub fn scores(&self, query: &str) -> Vec<f32> {
        let mut scores = vec![0.0; self.lengths.len()];
        let n = self.lengths.len() as f32;
        each_term(query, &mut |term| {
            let Some(list) = self.postings.get(term) else {
                return;
            };
            let found = list.len() as f32;
            let rarity = (1.0 + (n - found + 0.5) / (found + 0.5)).ln();
            for (idx, count) in list {
                let length = 1.0 - B + B * self.lengths[*idx as usize] / self.mean;
                scores[*idx as usize] += rarity * count * (K1 + 1.0) / (count + K1 * length);
            }
        });
        scores
    }
}
