//! Measures loading and counting: `cargo run --release -p kitbag-tokens --example throughput -- FILE…`
//!
//! Prints, for each family, the time of the first call (loads the vocabulary) and MB/s over all given files, each
//! counted as a whole and cut into pieces of about 2 KB as the index does. Second pass, so that caches are warm.
#![expect(
    clippy::disallowed_methods,
    reason = "a measuring program needs files and a clock"
)]
#![expect(clippy::print_stdout, reason = "its output is its purpose")]

use std::time::Instant;

use kitbag_tokens::{Family, count};

fn main() {
    let texts: Vec<String> = std::env::args()
        .skip(1)
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .collect();
    let pieces: Vec<&str> = texts.iter().flat_map(|text| cut(text, 2048)).collect();
    let mb = texts.iter().map(String::len).sum::<usize>() as f64 / 1e6;
    println!("{} files, {} pieces, {mb:.1} MB", texts.len(), pieces.len());
    for family in Family::ALL {
        let start = Instant::now();
        count("x", family);
        let load = start.elapsed();
        let mut report = String::new();
        for (name, inputs) in [
            ("whole", texts.iter().map(String::as_str).collect()),
            ("pieces", pieces.clone()),
        ] {
            let run = |inputs: &Vec<&str>| {
                inputs
                    .iter()
                    .map(|text| count(text, family).tokens)
                    .sum::<usize>()
            };
            run(&inputs);
            let start = Instant::now();
            let tokens = run(&inputs);
            let seconds = start.elapsed().as_secs_f64();
            report += &format!("  {name}: {:.1} MB/s ({tokens} tokens)", mb / seconds);
        }
        println!(
            "{:7} load {:5.1} ms{report}",
            family.as_str(),
            load.as_secs_f64() * 1e3
        );
    }
}

/// Pieces of at least `size` bytes, cut at line ends.
fn cut(text: &str, size: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (idx, _) in text.match_indices('\n') {
        if idx + 1 - start >= size {
            pieces.push(&text[start..=idx]);
            start = idx + 1;
        }
    }
    pieces.push(&text[start..]);
    pieces
}
