//! How fast Kitbag is, as ratios within one run: `cargo xtask bench [FOLDER]` prints the table of docs/performance.md.
//!
//! The corpus is any folder of source (default: the sources in the Cargo registry of this machine). Files are copied to
//! a temporary folder in path order until there are enough, so that runs on one machine measure the same thing. Nothing
//! here asserts a time: the machine is noisy, and a ratio taken in the same minute says more than a stopwatch.

#![expect(
    clippy::disallowed_methods,
    reason = "a bench reads the clock, copies files and starts programs"
)]
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod brief;
mod corpus;
mod links;
mod measure;
mod packing;
mod parse;
mod setup;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use measure::Row;

/// Chunks and files of the two sizes the specification names.
const SMALL_CHUNKS: u64 = 10_000;
const LARGE_CHUNKS: u64 = 100_000;
const TREE_FILES: usize = 10_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // A process of its own, so that its memory is its own.
    if let [verb, root, store] = arguments.as_slice()
        && verb == "--index-and-report"
    {
        return measure::index_and_report(Path::new(root), Path::new(store));
    }
    // Questions and nothing else, for a profiler: `perf record target/release/kitbag-bench --search ROOT STORE`.
    if let [verb, root, store] = arguments.as_slice()
        && verb == "--search"
    {
        measure::search_only(Path::new(root), Path::new(store));
        return ExitCode::SUCCESS;
    }
    // The rows about packs alone, of a folder: `kitbag-bench --pack FOLDER`.
    if let [verb, folder] = arguments.as_slice()
        && verb == "--pack"
    {
        let tree = corpus::with_chunks(Path::new(folder), SMALL_CHUNKS);
        measure::settled(&tree);
        let rows = packing::packing(&tree).into_iter().chain(brief::brief(&tree));
        for Row { what, measured, aim } in rows {
            println!("| {what} | {measured} | {aim} |");
        }
        return ExitCode::SUCCESS;
    }
    // The rows about briefs alone, of a project and its store: `kitbag-bench --brief ROOT STORE`.
    if let [verb, root, store] = arguments.as_slice()
        && verb == "--brief"
    {
        for Row { what, measured, aim } in brief::of_project(Path::new(root), Path::new(store)) {
            println!("| {what} | {measured} | {aim} |");
        }
        return ExitCode::SUCCESS;
    }
    // Every link of an index with what it leads to, for measuring against other resolvers (IDX-23).
    if let Some((verb, rest)) = arguments.split_first()
        && verb == "links"
    {
        return links::print(rest);
    }
    let source = match arguments.as_slice() {
        [] => default_corpus(),
        [folder] => Some(PathBuf::from(folder)),
        _ => None,
    };
    let Some(source) = source.filter(|source| source.is_dir()) else {
        println!("usage: cargo xtask bench [FOLDER]   (no Cargo registry found; name a folder of source)");
        return ExitCode::from(2);
    };
    let program = std::env::current_exe().expect("the bench knows where it is");
    let kitbag = program.with_file_name("kitbag");
    println!("corpus: {}\n", source.display());
    let rows = run(
        &source,
        &program,
        kitbag.exists().then_some(kitbag.as_path()),
        (SMALL_CHUNKS, LARGE_CHUNKS, TREE_FILES),
    );
    println!("| what | measured | aim |\n| --- | --- | --- |");
    for Row { what, measured, aim } in rows {
        println!("| {what} | {measured} | {aim} |");
    }
    ExitCode::SUCCESS
}

/// Everything, in the order of the table.
fn run(source: &Path, program: &Path, kitbag: Option<&Path>, sizes: (u64, u64, usize)) -> Vec<Row> {
    let (small, large, n_files) = sizes;
    let mut rows = Vec::new();
    let tree = corpus::with_files(source, n_files);
    rows.extend(measure::indexing(&tree, program));
    rows.extend(measure::increments(&tree));
    drop(tree);
    for n_chunks in [small, large] {
        let tree = corpus::with_chunks(source, n_chunks);
        rows.extend(measure::searching(&tree, n_chunks, kitbag));
        if n_chunks == small {
            rows.extend(packing::packing(&tree));
            rows.extend(brief::brief(&tree));
        }
    }
    rows
}

/// The sources of the crates that this machine has built from.
fn default_corpus() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")))?;
    let registry = home.join("registry/src");
    let mut sources: Vec<PathBuf> = std::fs::read_dir(registry)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    sources.sort();
    sources.pop()
}

#[cfg(test)]
mod tests;
