//! Measures how long it takes to look at a tree: `cargo run --release -p kitbag-repo --example measure -- <folder> [<seconds>]`.
//!
//! Prints the ages of files, a full scan, a rescan with nothing changed, reading everything, and redaction alone.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement reads the clock and prints"
)]

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use kitbag_repo::secrets::SecretRules;
use kitbag_repo::{Ages, BoundaryOptions, Tree};
use kitbag_types::Timestamp;

fn best<T>(what: &str, mut work: impl FnMut() -> T) -> (T, f64) {
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..5 {
        let start = Instant::now();
        last = Some(work());
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{what}: {:.1} ms", best * 1000.0);
    (last.expect("five runs"), best)
}

fn main() {
    let root = PathBuf::from(std::env::args().nth(1).expect("a folder"));
    let tree = Tree::open(
        &root,
        BoundaryOptions::default(),
        SecretRules::new(&[]).expect("no patterns"),
    )
    .expect("a tree");
    let now = Timestamp(
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .expect("after 1970")
            .as_millis() as i64,
    );
    // An old clone has no recent history, so the current time can be given, in seconds.
    let then = std::env::args().nth(2).map_or(now, |seconds| {
        Timestamp(seconds.parse::<i64>().expect("seconds") * 1000)
    });
    for days in [30, 90] {
        best(&format!("ages, {days} days"), || {
            Ages::read(&root, then, days, Duration::from_secs(10))
        });
    }
    best("diff", || tree.diff(None).ok());
    let (scan, _) = best("scan", || tree.scan(now).expect("readable"));
    println!(
        "{} files, {} folders, {} skipped",
        scan.files.len(),
        scan.folders.len(),
        scan.skipped.len()
    );
    let (again, _) = best("rescan", || tree.rescan(&scan, now).expect("readable"));
    assert!(again == scan, "nothing changed meanwhile");
    let (texts, _) = best("read", || {
        scan.files
            .iter()
            .filter_map(|file| tree.read(&file.path).ok())
            .map(|file| file.text)
            .collect::<Vec<_>>()
    });
    let n_bytes: usize = texts.iter().map(String::len).sum();
    let rules = SecretRules::new(&[]).expect("no patterns");
    let (n_found, seconds) = best("redact", || {
        texts.iter().map(|text| rules.redact(text).1.len()).sum::<usize>()
    });
    println!(
        "{:.1} MB at {:.0} MB/s on one core, {n_found} findings left",
        n_bytes as f64 / 1e6,
        n_bytes as f64 / 1e6 / seconds
    );
}
