//! BM25 over fields: the frequencies of the fields are weighted and added first, then saturated once, so that a word in name, path
//! and body counts as one strong match and not as three.

use kitbag_types::TextField;

use crate::tuning::{COVERAGE_SHARE, FIELDS, K1};

/// The weight of `frequency` occurrences in a field of `length` terms, for the text index.
pub fn weigh(field: TextField, frequency: u32, length: u32) -> f32 {
    let (_, tuning) = FIELDS[field as usize];
    let norm = 1.0 - tuning.b + tuning.b * (length as f32 / tuning.length);
    tuning.weight * frequency as f32 / norm
}

/// A scored document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    pub doc: u32,
    pub score: f32,
    /// The share of the question's weight that it matches, 0 to 1.
    pub coverage: f32,
    /// How well its whole file matches: per term, the best of the file's documents.
    pub file_score: f32,
}

/// The input of the scoring: per term one list of (document, weighted frequency), each document at most once in it, and the weight
/// of each term in the question.
pub struct Matches<'a> {
    pub postings: &'a [Vec<(u32, f32)>],
    pub weights: &'a [f32],
    /// The number of documents that are not deleted.
    pub n_docs: u64,
    /// The number of the file, by document number.
    pub files: &'a [u32],
}

/// The `most` best documents that `keep` accepts, best first. `order` breaks ties: document numbers cannot, because they change
/// when an index is merged.
pub fn score(
    matches: &Matches<'_>,
    keep: &dyn Fn(u32) -> bool,
    order: &dyn Fn(u32) -> u64,
    most: usize,
) -> Vec<Scored> {
    let n_slots = matches.files.len();
    let n_files = matches.files.iter().max().map_or(0, |file| *file as usize + 1);
    let mut scores = vec![0f32; n_slots];
    let mut matched = vec![0f32; n_slots];
    let mut file_scores = vec![0f32; n_files];
    let mut file_best = vec![0f32; n_files];
    let mut docs = Vec::new();
    let mut all = 0f32;
    for (list, weight) in matches.postings.iter().zip(matches.weights) {
        if list.is_empty() {
            continue;
        }
        let idf = weight * idf(matches.n_docs, list.len() as u64);
        all += idf;
        for (doc, frequency) in list {
            let slot = *doc as usize;
            if matched[slot] == 0.0 {
                docs.push(*doc);
            }
            matched[slot] += idf;
            let gain = idf * frequency * (K1 + 1.0) / (K1 + frequency);
            scores[slot] += gain;
            let best = &mut file_best[matches.files[slot] as usize];
            *best = best.max(gain);
        }
        for (doc, _) in list {
            let file = matches.files[*doc as usize] as usize;
            file_scores[file] += std::mem::take(&mut file_best[file]);
        }
    }
    let finished = |doc: u32| {
        let coverage = matched[doc as usize] / all;
        Scored {
            doc,
            score: scores[doc as usize] * (1.0 - COVERAGE_SHARE * (1.0 - coverage)),
            coverage,
            file_score: file_scores[matches.files[doc as usize] as usize],
        }
    };
    let mut best: Vec<Scored> = docs.into_iter().filter(|doc| keep(*doc)).map(finished).collect();
    let compare = |a: &Scored, b: &Scored| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| order(a.doc).cmp(&order(b.doc)))
    };
    if best.len() > most && most > 0 {
        best.select_nth_unstable_by(most - 1, compare);
    }
    best.truncate(most);
    best.sort_by(compare);
    best
}

/// The weight of a term: rare terms say more. Never negative, so a term that occurs everywhere still counts a little.
pub fn idf(n_docs: u64, n_with: u64) -> f32 {
    let (n, with) = (n_docs as f64, n_with as f64);
    (1.0 + (n - with + 0.5).max(0.0) / (with + 0.5)).ln() as f32
}

#[cfg(test)]
mod tests;
