//! From text to rows of the table: which rows a chunk or a question uses, and how much of each.
//!
//! Terms are counted by field, because a word in a name says more than one in a body; the weights of the fields were learned
//! and are in the table. A term that the table knows has one row. An unknown term shares rows with others: one for the whole
//! word and some for its runs of four letters, so that unseen identifiers still match similar ones. Counts are whole numbers
//! (64 per occurrence), and their logarithm uses additions, multiplications and divisions only: the mathematics library
//! rounds differently on different machines, and vectors must not differ.

use kitbag_types::terms::each_term;

#[cfg(test)]
mod tests;

/// A chunk, with what the index knows about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Passage<'a> {
    pub path: &'a str,
    pub names: &'a [String],
    pub docs: &'a str,
    pub capsule: &'a str,
    pub body: &'a str,
}

/// The field that a term is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Field {
    Path,
    Names,
    Docs,
    Capsule,
    Body,
    Query,
}

impl Field {
    pub const N: usize = 6;
}

/// How much of a row a text has, in one field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feature {
    pub row: u32,
    pub field: Field,
    /// ln(1 + occurrences).
    pub amount: f32,
}

/// The count for one occurrence of a known term. Unknown terms count less, because they share rows.
const OCCURRENCE: u32 = 64;
const UNKNOWN_WORD: u32 = 38;
const UNKNOWN_RUNS: u32 = 38;
const RUN_BYTES: usize = 4;
/// Longer unknown terms are compounds, whose parts are terms themselves: runs of their letters add nothing.
const MAX_RUN_WORD_BYTES: usize = 16;

/// The rows of a table: first one per known term, then the shared ones.
pub struct Rows<'a> {
    /// The row of a known term, by [`term_key`].
    pub known: &'a dyn Fn(u64) -> Option<u32>,
    pub n_terms: u32,
    pub n_buckets: u32,
}

impl Rows<'_> {
    pub fn of_passage(&self, passage: &Passage) -> Vec<Feature> {
        let mut hits = Vec::with_capacity(256);
        self.count(Field::Path, passage.path, &mut hits);
        for name in passage.names {
            self.count(Field::Names, name, &mut hits);
        }
        self.count(Field::Docs, passage.docs, &mut hits);
        self.count(Field::Capsule, passage.capsule, &mut hits);
        self.count(Field::Body, passage.body, &mut hits);
        merged(hits)
    }

    pub fn of_query(&self, text: &str) -> Vec<Feature> {
        let mut hits = Vec::new();
        self.count(Field::Query, text, &mut hits);
        merged(hits)
    }

    fn count(&self, field: Field, text: &str, hits: &mut Vec<(u32, Field, u32)>) {
        each_term(text, &mut |term| {
            let key = term_key(term.as_bytes());
            match (self.known)(key) {
                Some(row) => hits.push((row, field, OCCURRENCE)),
                None => self.count_unknown(field, term.as_bytes(), key, hits),
            }
        });
    }

    fn count_unknown(&self, field: Field, term: &[u8], key: u64, hits: &mut Vec<(u32, Field, u32)>) {
        if self.n_buckets == 0 {
            return;
        }
        hits.push((self.bucket(key), field, UNKNOWN_WORD));
        if term.len() > MAX_RUN_WORD_BYTES || term.len() <= RUN_BYTES {
            return;
        }
        let n_runs = (term.len() - RUN_BYTES + 1) as u32;
        for run in term.windows(RUN_BYTES) {
            // Runs and words have different hashes: the word `code` is not the run `code` of `decoder`.
            let key = term_key(run) ^ 0x9E37_79B9_7F4A_7C15;
            hits.push((self.bucket(mixed(key)), field, UNKNOWN_RUNS / n_runs));
        }
    }

    fn bucket(&self, key: u64) -> u32 {
        self.n_terms + (((key >> 32) * u64::from(self.n_buckets)) >> 32) as u32
    }
}

/// A hash of a term. No two terms of a vocabulary have the same (checked when a table is made).
pub fn term_key(term: &[u8]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for byte in term {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    mixed(hash)
}

fn mixed(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    hash ^ (hash >> 33)
}

/// Sums up entries with the same row and field, in the order of rows.
fn merged(mut hits: Vec<(u32, Field, u32)>) -> Vec<Feature> {
    hits.sort_unstable();
    let mut features: Vec<Feature> = Vec::with_capacity(hits.len());
    for same in hits.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let n: u32 = same.iter().map(|hit| hit.2).sum();
        features.push(Feature {
            row: same[0].0,
            field: same[0].1,
            amount: ln_1p(n as f32 / OCCURRENCE as f32),
        });
    }
    features
}

/// ln(1 + x) for x ≥ 0, to seven digits, in operations that all machines round alike.
fn ln_1p(x: f32) -> f32 {
    let mut rest = 1.0 + x;
    let mut n_halvings = 0.0;
    while rest > 1.5 {
        rest *= 0.5;
        n_halvings += 1.0;
    }
    let t = (rest - 1.0) / (rest + 1.0);
    let square = t * t;
    let series = 1.0 + square * (1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0 + square * (1.0 / 9.0))));
    n_halvings * std::f32::consts::LN_2 + 2.0 * t * series
}
