//! Compares chunking with bare parsing: `cargo run --release -p kitbag-syntax --example throughput -- <folder> …`.
//!
//! It reads every file of a known language below the folders, then times bare tree-sitter parsing and the whole of `parse`, per
//! language, each the best of three rounds. The goal is a ratio of at most 1.6.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measuring tool: reads files, clock and arguments"
)]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kitbag_syntax::{ChunkSettings, Language, by_name, language_of, parse};
use kitbag_types::RepoPath;

const MAX_BYTES_PER_LANGUAGE: usize = 24 << 20;
const N_ROUNDS: usize = 3;

fn main() {
    let mut texts: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for folder in std::env::args().skip(1) {
        collect(Path::new(&folder), &mut texts);
    }
    println!(
        "{:<12} {:>6} {:>8} {:>8} {:>8} {:>6} {:>8} {:>8}",
        "language", "files", "MB", "parse/s", "all/s", "ratio", "chunks", "slow ms"
    );
    for (name, texts) in &texts {
        let Some(language) = by_name(name) else { continue };
        let bytes: usize = texts.iter().map(String::len).sum();
        let bare = best(|| bare(language, texts));
        let mut n_chunks = 0;
        let mut notes: BTreeMap<&str, usize> = BTreeMap::new();
        let mut slowest = Duration::ZERO;
        let all = best(|| {
            n_chunks = 0;
            notes.clear();
            for text in texts {
                let start = cpu_time();
                let parsed = black_box(parse(text, Some(language), &ChunkSettings::default()));
                slowest = slowest.max(cpu_time() - start);
                n_chunks += parsed.chunks.len();
                for note in parsed.notes {
                    *notes.entry(note.code).or_default() += 1;
                }
            }
        });
        let megabytes = bytes as f64 / 1e6;
        println!(
            "{name:<12} {:>6} {megabytes:>8.2} {:>8.2} {:>8.2} {:>6.2} {n_chunks:>8} {:>8.0} {notes:?}",
            texts.len(),
            megabytes / bare.as_secs_f64(),
            megabytes / all.as_secs_f64(),
            all.as_secs_f64() / bare.as_secs_f64(),
            slowest.as_secs_f64() * 1e3,
        );
    }
}

/// The processor time of this thread (Linux), so that a busy machine does not change the figures; else the clock.
fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match stat.split(' ').next().and_then(|nanos| nanos.parse().ok()) {
        Some(nanos) => Duration::from_nanos(nanos),
        None => START.get_or_init(Instant::now).elapsed(),
    }
}

fn best(mut run: impl FnMut()) -> Duration {
    let round = |_| {
        let start = cpu_time();
        run();
        cpu_time() - start
    };
    (0..N_ROUNDS).map(round).min().unwrap_or_default()
}

fn bare(language: &Language, texts: &[String]) {
    let mut parser = tree_sitter::Parser::new();
    if parser.set_language(&(language.grammar)()).is_ok() {
        for text in texts {
            black_box(parser.parse(text, None));
        }
    }
}

fn collect(folder: &Path, texts: &mut BTreeMap<&str, Vec<String>>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, texts);
            continue;
        }
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let Some(language) = RepoPath::new(name).ok().and_then(|path| language_of(&path, "")) else {
            continue;
        };
        let known = texts.entry(language.name).or_default();
        if known.iter().map(String::len).sum::<usize>() < MAX_BYTES_PER_LANGUAGE
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            known.push(text);
        }
    }
}
