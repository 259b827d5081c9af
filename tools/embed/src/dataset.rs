//! Pairs as numbers: a vocabulary is chosen, every text becomes the rows it touches, and all of it goes into one file.
//!
//! A term is chosen by the number of packages it occurs in: what one package says often, no other may ever say.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use kitbag_embed::{Feature, Field, Rows, Table, term_key};
use kitbag_types::terms::each_term;

use crate::args::{Args, Result};
use crate::exclude::Excluded;
use crate::numbers::{Reader, Writer};
use crate::random::hash;
use crate::record::{Kind, Pair};

const MAX_TERM_BYTES: usize = 24;

/// A feature in 32 bits: row 17, field 3, amount 12 (in 256ths).
#[derive(Clone, Copy)]
pub struct Packed(pub u32);

impl Packed {
    fn new(feature: &Feature) -> Packed {
        let amount = (feature.amount * 256.0).round().clamp(1.0, 4095.0) as u32;
        Packed(feature.row << 15 | (feature.field as u32) << 12 | amount)
    }

    pub fn row(self) -> usize {
        (self.0 >> 15) as usize
    }

    pub fn field(self) -> usize {
        (self.0 >> 12 & 7) as usize
    }

    pub fn amount(self) -> f32 {
        (self.0 & 0xFFF) as f32 / 256.0
    }
}

/// Everything that training reads.
#[derive(Default)]
pub struct Dataset {
    pub keys: Vec<u64>,
    pub n_buckets: usize,
    /// In how many passages a row occurs.
    pub frequency: Vec<u32>,
    pub package: Vec<u32>,
    pub kind: Vec<u8>,
    pub language: Vec<u8>,
    pub chunk: Vec<u64>,
    pub query_hash: Vec<u64>,
    /// Packages set apart to measure on.
    pub is_held_out: Vec<u8>,
    /// Where the features of a question and of its passage begin: `2 * pair` and `2 * pair + 1`.
    pub starts: Vec<u64>,
    pub features: Vec<u32>,
}

impl Dataset {
    pub fn n_rows(&self) -> usize {
        self.keys.len() + self.n_buckets
    }

    pub fn n_pairs(&self) -> usize {
        self.package.len()
    }

    pub fn query(&self, pair: usize) -> &[u32] {
        &self.features[self.starts[2 * pair] as usize..self.starts[2 * pair + 1] as usize]
    }

    pub fn passage(&self, pair: usize) -> &[u32] {
        &self.features[self.starts[2 * pair + 1] as usize..self.starts[2 * pair + 2] as usize]
    }

    pub fn save(&self, path: &Path) -> Result {
        let mut to = Writer::create(path)?;
        to.u64s(&self.keys)?;
        to.u64s(&[self.n_buckets as u64])?;
        to.u32s(&self.frequency)?;
        to.u32s(&self.package)?;
        to.bytes(&self.kind)?;
        to.bytes(&self.language)?;
        to.u64s(&self.chunk)?;
        to.u64s(&self.query_hash)?;
        to.bytes(&self.is_held_out)?;
        to.u64s(&self.starts)?;
        to.u32s(&self.features)
    }

    pub fn load(path: &Path) -> Result<Dataset> {
        let mut from = Reader::open(path)?;
        Ok(Dataset {
            keys: from.u64s()?,
            n_buckets: from.u64s()?[0] as usize,
            frequency: from.u32s()?,
            package: from.u32s()?,
            kind: from.bytes()?,
            language: from.bytes()?,
            chunk: from.u64s()?,
            query_hash: from.u64s()?,
            is_held_out: from.bytes()?,
            starts: from.u64s()?,
            features: from.u32s()?,
        })
    }
}

/// `vocabulary --pairs A,B --out FILE --terms N --buckets N`, or `--table FILE` for the terms of a table that is to learn on.
pub fn run(args: &Args) -> Result {
    let files: Vec<PathBuf> = args.text("pairs", "").split(',').map(PathBuf::from).collect();
    let n_terms = args.count("terms", 44_000)?;
    let excluded = Excluded::read();
    let (keys, n_buckets) = match args.path("table") {
        Ok(path) => {
            let parts = Table::from_bytes(std::fs::read(path)?)?.parts();
            (parts.keys, parts.n_buckets)
        }
        Err(_) => (
            vocabulary(&files, n_terms, &excluded)?,
            args.count("buckets", 12_288)?,
        ),
    };
    eprintln!("{} terms", keys.len());
    let mut data = Dataset {
        keys,
        n_buckets,
        ..Dataset::default()
    };
    data.frequency = vec![0; data.n_rows()];
    data.starts.push(0);
    let mut first_package = 0;
    for file in &files {
        let uses = uses_of(file, &excluded)?;
        let mut reader = BufReader::with_capacity(1 << 20, std::fs::File::open(file)?);
        loop {
            let batch = read_batch(&mut reader, 20_000)?;
            if batch.is_empty() {
                break;
            }
            add(&mut data, &batch, first_package, &uses, &excluded);
        }
        first_package += uses.len() as u32;
    }
    let n_held_out = data.is_held_out.iter().filter(|flag| **flag == 1).count();
    println!(
        "{} pairs ({n_held_out} held out), {} features",
        data.n_pairs(),
        data.features.len()
    );
    data.save(&args.path("out")?)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Train,
    /// A package in fifty, by its name.
    Measure,
    /// The list of exclusions has grown since it was mined.
    Nothing,
}

/// What each package of a file of pairs is for.
fn uses_of(file: &Path, excluded: &Excluded) -> Result<Vec<Use>> {
    let names = std::fs::read_to_string(file.with_extension("packages"))?;
    Ok(names.lines().map(|line| use_of(line, excluded)).collect())
}

fn use_of(line: &str, excluded: &Excluded) -> Use {
    let name = line.split(' ').nth(1).unwrap_or_default();
    if excluded.package(name) {
        Use::Nothing
    } else if hash(name.as_bytes()).is_multiple_of(50) {
        Use::Measure
    } else {
        Use::Train
    }
}

fn read_batch(reader: &mut impl std::io::Read, n: usize) -> Result<Vec<Pair>> {
    let mut batch = Vec::with_capacity(n);
    while batch.len() < n {
        match Pair::read(reader)? {
            Some(pair) => batch.push(pair),
            None => break,
        }
    }
    Ok(batch)
}

fn add(data: &mut Dataset, batch: &[Pair], first_package: u32, uses: &[Use], excluded: &Excluded) {
    let index: HashMap<u64, u32> = data
        .keys
        .iter()
        .enumerate()
        .map(|(idx, key)| (*key, idx as u32))
        .collect();
    let known = |key: u64| index.get(&key).copied();
    let (n_terms, n_buckets) = (data.keys.len() as u32, data.n_buckets as u32);
    let coded: Vec<(Vec<Feature>, Vec<Feature>)> = batch
        .par_iter()
        .map_with((), |(), pair| {
            let rows = Rows {
                known: &known,
                n_terms,
                n_buckets,
            };
            (rows.of_query(&asked(pair)), rows.of_passage(&pair.passage()))
        })
        .collect();
    for (pair, (query, passage)) in batch.iter().zip(coded) {
        let used = uses[pair.package as usize];
        if query.is_empty() || passage.len() < 5 || used == Use::Nothing || excluded.path(&pair.path) {
            continue;
        }
        for part in [&query, &passage] {
            data.features
                .extend(part.iter().map(|feature| Packed::new(feature).0));
            data.starts.push(data.features.len() as u64);
        }
        let mut rows: Vec<u32> = passage.iter().map(|feature| feature.row).collect();
        rows.dedup();
        rows.iter().for_each(|row| data.frequency[*row as usize] += 1);
        data.package.push(first_package + pair.package);
        data.kind.push(pair.kind);
        data.language.push(pair.language);
        data.chunk.push(pair.chunk);
        data.query_hash.push(hash(pair.query.to_lowercase().as_bytes()));
        data.is_held_out.push(u8::from(used == Use::Measure));
    }
}

/// The question as somebody would put it: bare words of a name get the words around them that questions have, so that
/// the table learns how little those say.
fn asked(pair: &Pair) -> Cow<'_, str> {
    const FRAMES: [(&str, &str); 9] = [
        ("how ", " works"),
        ("how does ", " work"),
        ("how is ", " implemented"),
        ("where is ", " handled"),
        ("", " implementation"),
        ("", " handling"),
        ("how ", " are processed and managed"),
        ("function to ", ""),
        ("code that does ", ""),
    ];
    let pick = hash(pair.query.as_bytes()) as usize % 30;
    match FRAMES.get(pick).filter(|_| pair.kind == Kind::Words as u8) {
        Some((before, after)) => Cow::Owned(format!("{before}{}{after}", pair.query)),
        None => Cow::Borrowed(&pair.query),
    }
}

/// The terms that most packages use, as ascending keys.
fn vocabulary(files: &[PathBuf], n_terms: usize, excluded: &Excluded) -> Result<Vec<u64>> {
    let mut counts: HashMap<u64, (u32, u32)> = HashMap::new();
    let mut first_package = 1;
    for file in files {
        let mut reader = BufReader::with_capacity(1 << 20, std::fs::File::open(file)?);
        let uses = uses_of(file, excluded)?;
        while let Some(pair) = Pair::read(&mut reader)? {
            if uses[pair.package as usize] != Use::Train || excluded.path(&pair.path) {
                continue;
            }
            let package = first_package + pair.package;
            let passage = pair.passage();
            let names = passage.names.iter().map(String::as_str);
            for text in [&pair.query, passage.path, passage.capsule, passage.body]
                .into_iter()
                .chain(names)
            {
                each_term(text, &mut |term| {
                    if term.len() <= MAX_TERM_BYTES {
                        let count = counts.entry(term_key(term.as_bytes())).or_default();
                        if count.1 != package {
                            *count = (count.0 + 1, package);
                        }
                    }
                });
            }
        }
        first_package += uses.len() as u32;
    }
    let mut ranked: Vec<(u32, u64)> = counts
        .into_iter()
        .map(|(key, (n, _))| (n, key))
        .filter(|(n, _)| *n > 3)
        .collect();
    ranked.sort_unstable_by(|a, b| b.cmp(a));
    ranked.truncate(n_terms);
    eprintln!(
        "the last term chosen is in {} packages",
        ranked.last().map_or(0, |(n, _)| *n)
    );
    let mut keys: Vec<u64> = ranked.into_iter().map(|(_, key)| key).collect();
    keys.sort_unstable();
    Ok(keys)
}

const _: () = assert!(Field::N <= 8);
