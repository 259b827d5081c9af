//! Measures loading and counting: `cargo run --release -p kitbag-tokens --example throughput -- FILE…`
//!
//! For each family and each file named `*tokenizer.json`, prints the time of loading and the MB/s over all other files:
//! counted whole, cut into pieces of about 2 KB as the index does, and the same pieces from the cache. The libraries have
//! caches of their own, so the first two are measured in a second pass with a fresh cache of Kitbag.
#![expect(
    clippy::disallowed_methods,
    reason = "a measuring program needs files and a clock"
)]
#![expect(clippy::print_stdout, reason = "its output is its purpose")]

use std::time::{Duration, Instant};

use kitbag_tokens::{Family, Tokenizer};

fn main() {
    let (vocabularies, others): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|path| path.ends_with("tokenizer.json"));
    let texts: Vec<String> = others
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .collect();
    println!("{} files", texts.len());
    for family in Family::ALL {
        measure(&texts, &|| Tokenizer::of_family(family));
    }
    for path in vocabularies {
        let json = std::fs::read(&path).expect("the file can be read");
        measure(&texts, &|| {
            Tokenizer::from_json(path.clone(), &json).expect("it is a tokenizer")
        });
    }
}

fn measure(texts: &[String], load: &dyn Fn() -> Tokenizer) {
    let start = Instant::now();
    let tokenizer = load();
    tokenizer.count("x");
    let loaded = start.elapsed();
    let whole: Vec<&str> = texts.iter().map(String::as_str).collect();
    let pieces: Vec<&str> = texts.iter().flat_map(|text| cut(text, 2048)).collect();
    println!(
        "{} loaded in {:.1} ms",
        tokenizer.name(),
        loaded.as_secs_f64() * 1e3
    );
    for (name, inputs) in [("whole", whole), ("pieces", pieces)] {
        let run = |tokenizer: &Tokenizer| {
            let start = Instant::now();
            let tokens: usize = inputs.iter().map(|text| tokenizer.count(text).tokens).sum();
            (start.elapsed(), tokens)
        };
        run(&tokenizer);
        let fresh = load();
        let (counted, tokens) = run(&fresh);
        let (remembered, _) = run(&fresh);
        let bytes: usize = inputs.iter().map(|text| text.len()).sum();
        let rate = |took: Duration| bytes as f64 / took.as_secs_f64() / 1e6;
        println!(
            "  {name:6} {} texts, {tokens} tokens: counted {:.1} MB/s, remembered {:.1} MB/s",
            inputs.len(),
            rate(counted),
            rate(remembered)
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
