//! The yardstick: what tree-sitter alone takes for the same files on the same threads.

use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use kitbag_engine::{RepoPath, api};
use tree_sitter::Parser;

use crate::setup::{engine, now};

pub(crate) struct Bare {
    pub time: Duration,
    pub n_bytes: u64,
    pub n_lines: u64,
    pub n_files: usize,
}

/// Reads and parses every file of a known language, with one thread per core, and throws the trees away.
pub(crate) fn bare(root: &Path, store: &Path) -> Bare {
    let list = api::list_indexable(&engine(root, store), now()).expect("the corpus can be listed");
    let jobs: Vec<_> = list
        .files
        .iter()
        .filter_map(|file| {
            let path = RepoPath::new(file.path.clone()).ok()?;
            let language = kitbag_syntax::language_of(&path, "")?;
            Some((root.join(&file.path), language))
        })
        .collect();
    let (next, n_bytes, n_lines) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                let mut parser = Parser::new();
                while let Some((path, language)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Ok(text) = std::fs::read(path) else { continue };
                    parser
                        .set_language(&(language.grammar)())
                        .expect("the grammar loads");
                    std::hint::black_box(parser.parse(&text, None));
                    n_bytes.fetch_add(text.len() as u64, Ordering::Relaxed);
                    n_lines.fetch_add(
                        text.iter().filter(|byte| **byte == b'\n').count() as u64,
                        Ordering::Relaxed,
                    );
                }
            });
        }
    });
    Bare {
        time: start.elapsed(),
        n_bytes: n_bytes.into_inner(),
        n_lines: n_lines.into_inner(),
        n_files: jobs.len(),
    }
}
