//! How fast a table is: opening it, and embedding chunks and questions on one core.

use std::time::Instant;

use kitbag_embed::Table;

use crate::args::{Args, Result};
use crate::search;

/// `bench --bench DIR --trees DIR --cache FILE [--table FILE]`; the built-in table without one.
pub fn run(args: &Args) -> Result {
    let start = Instant::now();
    let built_in = Table::built_in();
    let query = built_in.embed_query("read a file");
    println!(
        "first question of the built-in table ({} dimensions): {:?}",
        query.len(),
        start.elapsed()
    );
    let loaded;
    let table = match args.path("table") {
        Ok(path) => {
            loaded = Table::from_bytes(std::fs::read(path)?)?;
            &loaded
        }
        Err(_) => built_in,
    };
    let repositories = search::load(args)?;
    let chunks: Vec<_> = repositories
        .iter()
        .flat_map(|repository| &repository.chunks)
        .collect();
    let bytes: usize = chunks.iter().map(|chunk| chunk.body.len()).sum();
    let start = Instant::now();
    let total: f32 = chunks
        .iter()
        .map(|chunk| table.embed_passage(&chunk.passage())[0])
        .sum();
    let took = start.elapsed().as_secs_f64();
    println!(
        "{} chunks, {} MB in {took:.2} s: {:.0} chunks per second ({total})",
        chunks.len(),
        bytes >> 20,
        chunks.len() as f64 / took
    );
    let queries: Vec<_> = repositories
        .iter()
        .flat_map(|repository| &repository.queries)
        .collect();
    let start = Instant::now();
    let total: f32 = queries
        .iter()
        .map(|query| table.embed_query(&query.text)[0])
        .sum();
    println!("{} questions in {:?} ({total})", queries.len(), start.elapsed());
    Ok(())
}
