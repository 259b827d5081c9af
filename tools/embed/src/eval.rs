//! Measuring: on packages set apart, and on a code-search set of queries (the table alone, one result a file).

use std::collections::BTreeMap;

use rayon::prelude::*;

use kitbag_embed::Table;
use kitbag_syntax::LANGUAGES;

use crate::args::{Args, Result};
use crate::dataset::Dataset;
use crate::model::Model;
use crate::record::KINDS;
use crate::search::{self, Hit, Repository};

const POOL: usize = 1_000;

/// Recall at 1 and 10 among up to a thousand passages of one language, over pairs of packages that were not learned from.
pub fn held_out(data: &Dataset, model: &Model) -> String {
    let mut pools: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
    for pair in (0..data.n_pairs()).filter(|pair| data.is_held_out[*pair] == 1) {
        pools.entry(data.language[pair]).or_default().push(pair);
    }
    pools.retain(|_, pool| pool.len() >= 200);
    for pool in pools.values_mut() {
        pool.sort_by_key(|pair| data.chunk[*pair] ^ data.query_hash[*pair]);
        pool.truncate(POOL);
    }
    let unit = |features: &[u32]| {
        let mut vector = vec![0.0; model.dims];
        model.sum(features, &mut vector);
        let length = dot(&vector, &vector).sqrt().max(1e-6);
        vector.iter_mut().for_each(|value| *value /= length);
        vector
    };
    let mut by_kind = vec![[0.0_f64; 3]; KINDS.len()];
    let mut by_language = Vec::new();
    for (language, pool) in &pools {
        let passages: Vec<Vec<f32>> = pool.par_iter().map(|pair| unit(data.passage(*pair))).collect();
        let ranks: Vec<usize> = (0..pool.len())
            .into_par_iter()
            .map(|idx| {
                let query = unit(data.query(pool[idx]));
                let right = dot(&query, &passages[idx]);
                passages
                    .iter()
                    .filter(|passage| dot(&query, passage) > right)
                    .count()
            })
            .collect();
        let share =
            |below: usize| ranks.iter().filter(|rank| **rank < below).count() as f64 / ranks.len() as f64;
        by_language.push((
            LANGUAGES
                .get(usize::from(*language))
                .map_or("none", |row| row.name),
            share(1),
            share(10),
        ));
        for (pair, rank) in pool.iter().zip(&ranks) {
            let row = &mut by_kind[usize::from(data.kind[*pair])];
            row[0] += 1.0;
            row[1] += f64::from(u8::from(*rank < 1));
            row[2] += f64::from(u8::from(*rank < 10));
        }
    }
    let n = by_language.len().max(1) as f64;
    let mean = |pick: fn(&(&str, f64, f64)) -> f64| by_language.iter().map(pick).sum::<f64>() / n;
    let mut text = format!(
        "held out: recall@1 {:.4} @10 {:.4} over {n} languages;",
        mean(|row| row.1),
        mean(|row| row.2)
    );
    for (kind, row) in KINDS.iter().zip(&by_kind).filter(|(_, row)| row[0] > 0.0) {
        text += &format!(" {kind:?} {:.3}/{:.3}", row[1] / row[0], row[2] / row[0]);
    }
    text += ";";
    for (language, at_1, at_10) in &by_language {
        text += &format!(" {language} {at_1:.2}/{at_10:.2}");
    }
    text
}

/// `eval --tables A,B --bench DIR --trees DIR --cache FILE`, or `--models` for what training wrote;
/// `--fields 1,1,2,1,1+1,2,1,1,1` tries other weights of path, names, docs, capsule, body, as multiples of those learned.
pub fn run(args: &Args) -> Result {
    let repositories = search::load(args)?;
    let list = |key: &str| {
        args.text(key, "")
            .split(',')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let turns = args.text("fields", "1");
    let table = |path: &str, fields: &str| -> Result<Table> {
        let mut model = Model::load(path.as_ref())?;
        for (field, times) in model.field.iter_mut().zip(fields.split(',')) {
            *field += times.parse::<f32>()?.ln();
        }
        model.table("kitbag-code")
    };
    for path in list("models") {
        for fields in turns.split('+') {
            report(&format!("{path} {fields}"), &table(&path, fields)?, &repositories);
        }
    }
    for path in list("tables") {
        report(&path, &Table::from_bytes(std::fs::read(&path)?)?, &repositories);
    }
    if let Ok(out) = args.path("export") {
        let model = list("models").pop().ok_or("--models is missing")?;
        std::fs::write(out, table(&model, &turns)?.to_bytes())?;
    }
    Ok(())
}

/// How much the table counts beside BM25 in reciprocal rank fusion; the first is the table alone.
const WEIGHTS: [Option<f64>; 4] = [None, Some(0.0), Some(0.5), Some(1.0)];

struct Score {
    category: String,
    /// NDCG@10, for each of [`WEIGHTS`].
    values: [f64; WEIGHTS.len()],
}

fn report(path: &str, table: &Table, repositories: &[Repository]) {
    let scores: Vec<Vec<Score>> = repositories
        .par_iter()
        .map(|repository| scores(table, repository))
        .collect();
    let of_repository = |own: &Vec<Score>, which: usize| mean(own.iter().map(|score| score.values[which]));
    let overall = |which: usize| mean(scores.iter().map(|own| of_repository(own, which)));
    let category = |name: &str| {
        let own = scores.iter().flatten().filter(|score| score.category == name);
        format!("{name} {:.4}", mean(own.map(|score| score.values[0])))
    };
    let by_category = ["semantic", "architecture", "symbol"].map(category).join(" ");
    println!(
        "{path} {}: NDCG@10 alone {:.4} ({by_category})",
        table.id(),
        overall(0)
    );
    println!(
        "  BM25 {:.4}, with the table at 0.5 {:.4}, at 1 {:.4}",
        overall(1),
        overall(2),
        overall(3)
    );
    let each = repositories
        .iter()
        .zip(&scores)
        .map(|(repository, own)| format!("{} {:.2}", repository.name, of_repository(own, 0)));
    println!("  {}", each.collect::<Vec<_>>().join(", "));
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
    if n > 0.0 { sum / n } else { 0.0 }
}

fn scores(table: &Table, repository: &Repository) -> Vec<Score> {
    let vectors: Vec<Vec<f32>> = repository
        .chunks
        .iter()
        .map(|chunk| table.embed_passage(&chunk.passage()))
        .collect();
    let score = |query: &search::Query| {
        let asked = table.embed_query(&query.text);
        let near: Vec<f32> = vectors.iter().map(|vector| dot(&asked, vector)).collect();
        let (by_table, by_words) = (
            files(repository, &near),
            files(repository, &repository.words.scores(&query.text)),
        );
        let values = WEIGHTS.map(|weight| {
            let fused = weight.map(|weight| fused(repository, &by_words, &by_table, weight));
            let hits: Vec<Hit> = fused
                .as_ref()
                .unwrap_or(&by_table)
                .iter()
                .take(10)
                .map(|idx| search::hit(&repository.chunks[*idx]))
                .collect();
            search::ndcg(&hits, &query.targets)
        });
        Score {
            category: query.category.clone(),
            values,
        }
    };
    repository.queries.iter().map(score).collect()
}

/// The best chunk of every file that has a score, best first.
fn files(repository: &Repository, scores: &[f32]) -> Vec<usize> {
    let mut best: BTreeMap<&str, (f32, usize)> = BTreeMap::new();
    for (idx, (chunk, score)) in repository
        .chunks
        .iter()
        .zip(scores)
        .enumerate()
        .filter(|(_, (_, score))| **score > 0.0)
    {
        let slot = best.entry(&chunk.path).or_insert((*score, idx));
        if *score > slot.0 {
            *slot = (*score, idx);
        }
    }
    let mut ranked: Vec<(f32, usize)> = best.into_values().collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.into_iter().map(|(_, idx)| idx).collect()
}

/// Reciprocal ranks added up by file; the chunk is that of the first list which has the file.
fn fused(repository: &Repository, by_words: &[usize], by_table: &[usize], weight: f64) -> Vec<usize> {
    let mut sums: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for (list, weight) in [(by_words, 1.0), (by_table, weight)] {
        for (rank, idx) in list.iter().enumerate() {
            sums.entry(&repository.chunks[*idx].path).or_insert((0.0, *idx)).0 +=
                weight / (60.0 + rank as f64);
        }
    }
    let mut ranked: Vec<(f64, usize)> = sums.into_values().collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.into_iter().map(|(_, idx)| idx).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
