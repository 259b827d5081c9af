//! Measures how long hostile texts take: `cargo run --release -p kitbag-syntax --example soup -- [LANGUAGES|all] [KILOBYTES]
//! [SHAPES] [SEEDS]`.
//!
//! It makes texts that no grammar understands from the tokens of each language and from its fixture, and prints the slowest of some
//! seeds: processor time, and the result of [`kitbag_syntax::parse_within`]. With `bare` as a fifth word it also prints what the
//! prices in `grammar.rs` are based on: calls, calls after an error, blocks read. `soup files FOLDER…` prints the same for real
//! files.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measuring tool: reads files, clock and arguments"
)]

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use kitbag_syntax::{ChunkSettings, LANGUAGES, Language, parse_within};

const BLOCK: usize = 256;

struct Rng(u64);
impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

fn tokens(language: &Language) -> Vec<String> {
    let grammar = (language.grammar)();
    let mut tokens: Vec<String> = (0..grammar.node_kind_count() as u16)
        .filter(|id| !grammar.node_kind_is_named(*id) && grammar.node_kind_is_visible(*id))
        .filter_map(|id| grammar.node_kind_for_id(id))
        .map(str::to_owned)
        .collect();
    tokens.extend(["a", "x1", "0", "1.5", "\"s\"", "'c'", "$", "@", "\\"].map(str::to_owned));
    tokens.sort();
    tokens.dedup();
    tokens
}

fn fixture(language: &Language) -> String {
    let path = format!(
        "{}/fixtures/{}.{}",
        env!("CARGO_MANIFEST_DIR"),
        language.name,
        language.extensions[0]
    );
    std::fs::read_to_string(path).unwrap_or_default()
}

const SHAPES: &[&str] = &[
    "tokens", "dense", "words", "lines", "brackets", "bytes", "indents", "repeat1", "repeat2", "repeat3",
    "cuts",
];

fn soup(shape: &str, language: &Language, size: usize, seed: u64) -> String {
    let mut rng = Rng(seed);
    let tokens = tokens(language);
    let fixture = fixture(language);
    let mut text = String::with_capacity(size + 100);
    let mut n = 0;
    let words: Vec<&str> = fixture.split_whitespace().collect();
    let lines: Vec<&str> = fixture.lines().collect();
    let pattern: Vec<String> = (0..match shape {
        "repeat1" => 1,
        "repeat2" => 2,
        _ => 3,
    })
        .map(|_| tokens[rng.below(tokens.len())].clone())
        .collect();
    let sep = ["", " ", "\n"][rng.below(3)];
    while text.len() < size {
        n += 1;
        match shape {
            "tokens" => {
                text.push_str(&tokens[rng.below(tokens.len())]);
                text.push(if rng.below(12) == 0 { '\n' } else { ' ' });
            }
            "dense" => {
                text.push_str(&tokens[rng.below(tokens.len())]);
                if rng.below(40) == 0 {
                    text.push('\n');
                }
            }
            "words" => {
                text.push_str(words[rng.below(words.len())]);
                text.push(if rng.below(10) == 0 { '\n' } else { ' ' });
            }
            "lines" => {
                text.push_str(lines[rng.below(lines.len())]);
                text.push('\n');
            }
            "brackets" => {
                text.push_str(["(", "[", "{", ")", "]", "}", "<", ">", "a", ",", ";", " "][rng.below(12)]);
                if rng.below(60) == 0 {
                    text.push('\n');
                }
            }
            "bytes" => {
                text.push(char::from(32 + rng.below(95) as u8));
                if rng.below(60) == 0 {
                    text.push('\n');
                }
            }
            "indents" => {
                text.extend(std::iter::repeat_n(' ', rng.below(60)));
                for _ in 0..1 + rng.below(4) {
                    text.push_str(&tokens[rng.below(tokens.len())]);
                    text.push(' ');
                }
                text.push('\n');
            }
            "cuts" => {
                let mut start = rng.below(fixture.len());
                let mut end = (start + rng.below(40)).min(fixture.len());
                while !fixture.is_char_boundary(start) {
                    start -= 1;
                }
                while !fixture.is_char_boundary(end) {
                    end -= 1;
                }
                text.push_str(&fixture[start..end.max(start)]);
            }
            _ => {
                for part in &pattern {
                    text.push_str(part);
                    text.push_str(sep);
                }
                if n % 60 == 0 {
                    text.push('\n');
                }
            }
        }
    }
    text
}

struct Cost {
    time: Duration,
    calls: u64,
    errors: u64,
    reads: u64,
    /// The longest time between two calls.
    gap: Duration,
    reached: usize,
}

/// Parses with the callbacks of a budget, but without limits.
fn bare(language: &Language, text: &str, block: usize, most: Duration) -> Cost {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&(language.grammar)())
        .expect("the grammar fits");
    let mut cost = Cost {
        time: Duration::ZERO,
        calls: 0,
        errors: 0,
        reads: 0,
        gap: Duration::ZERO,
        reached: 0,
    };
    let start = cpu_time();
    let mut last = start;
    let (mut calls, mut errors, mut gap, mut reached) = (0, 0, Duration::ZERO, 0);
    let reads = std::cell::Cell::new(0);
    let mut callback = |state: &tree_sitter::ParseState| {
        calls += 1;
        errors += u64::from(state.has_error());
        reached = state.current_byte_offset();
        let now = cpu_time();
        gap = gap.max(now - last);
        last = now;
        if now - start > most {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let bytes = text.as_bytes();
    let mut read = |at: usize, _: tree_sitter::Point| {
        reads.set(reads.get() + 1);
        bytes.get(at..(at + block).min(bytes.len())).unwrap_or_default()
    };
    let options = tree_sitter::ParseOptions::new().progress_callback(&mut callback);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    cost.time = cpu_time() - start;
    drop(tree);
    cost.calls = calls;
    cost.errors = errors;
    cost.gap = gap;
    cost.reads = reads.get();
    cost.reached = reached;
    cost
}

/// The cost of real files: `soup files FOLDER…`.
fn files(folders: &[String]) {
    let mut left: Vec<std::path::PathBuf> = folders.iter().map(Into::into).collect();
    while let Some(path) = left.pop() {
        if let Ok(entries) = std::fs::read_dir(&path) {
            let mut below: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
            below.sort();
            left.extend(below);
            continue;
        }
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let Some(language) = kitbag_types::RepoPath::new(name)
            .ok()
            .and_then(|path| kitbag_syntax::language_of(&path, ""))
        else {
            continue;
        };
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        if text.len() < 2_000 || text.len() > 6 << 20 || text.lines().any(|line| line.len() > 20_000) {
            continue;
        }
        let cost = bare(language, &text, BLOCK, Duration::from_secs(20));
        println!(
            "F {} {} {} {} {} {:.0} {:.1} {}",
            language.name,
            text.len(),
            cost.calls,
            cost.errors,
            cost.reads,
            cost.time.as_secs_f64() * 1e6,
            cost.gap.as_secs_f64() * 1e3,
            path.display()
        );
    }
}

fn main() {
    if std::env::args().nth(1).is_some_and(|word| word == "files") {
        return files(&std::env::args().skip(2).collect::<Vec<_>>());
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let wanted = args.first().map_or("all", String::as_str);
    let kilobytes: usize = args.get(1).and_then(|word| word.parse().ok()).unwrap_or(64);
    let shape = args.get(2).map_or("all", String::as_str);
    let n_seeds: u64 = args.get(3).and_then(|word| word.parse().ok()).unwrap_or(3);
    let is_bare = args.get(4).is_some_and(|word| word == "bare");
    println!(
        "{:<11} {:<9} {:>5} | {:>8} {:>7} {:>7} {:>8} {:>7} {:>7} {:>5} | {:>8} notes",
        "language",
        "shape",
        "seed",
        "bare ms",
        "calls",
        "errors",
        "reads",
        "us/call",
        "gap ms",
        "done%",
        "parse ms"
    );
    for language in LANGUAGES {
        if wanted != "all" && !wanted.split(',').any(|name| name == language.name) {
            continue;
        }
        // The query is compiled once, which must not count.
        parse_within("", Some(language), &ChunkSettings::default(), cpu_time);
        for name in SHAPES {
            if shape != "all" && !shape.split(',').any(|wanted| wanted == *name) {
                continue;
            }
            let mut worst: Option<(Duration, String)> = None;
            for seed in 0..n_seeds {
                let text = soup(name, language, kilobytes << 10, seed);
                let start = cpu_time();
                let parsed = parse_within(&text, Some(language), &ChunkSettings::default(), cpu_time);
                let all = cpu_time() - start;
                let notes: Vec<&str> = parsed.notes.iter().map(|note| note.code).collect();
                let line = if is_bare {
                    let cost = bare(language, &text, BLOCK, Duration::from_secs(5));
                    let ms = cost.time.as_secs_f64() * 1e3;
                    format!(
                        "{:<11} {:<9} {seed:>5} | {ms:>8.0} {:>7} {:>7} {:>8} {:>7.0} {:>7.1} {:>5.0} | {:>8.0} {notes:?}",
                        language.name,
                        name,
                        cost.calls,
                        cost.errors,
                        cost.reads,
                        ms * 1e3 / cost.calls.max(1) as f64,
                        cost.gap.as_secs_f64() * 1e3,
                        cost.reached as f64 * 100.0 / text.len() as f64,
                        all.as_secs_f64() * 1e3,
                    )
                } else {
                    format!(
                        "{:<11} {:<9} {seed:>5} | {:>8.0} {notes:?}",
                        language.name,
                        name,
                        all.as_secs_f64() * 1e3,
                    )
                };
                if worst.as_ref().is_none_or(|(time, _)| all > *time) {
                    worst = Some((all, line));
                }
            }
            if let Some((_, line)) = worst {
                println!("{line}");
            }
        }
    }
}

/// The processor time of this thread (Linux); else the clock.
fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match stat.split(' ').next().and_then(|nanos| nanos.parse().ok()) {
        Some(nanos) => Duration::from_nanos(nanos),
        None => START.get_or_init(Instant::now).elapsed(),
    }
}
