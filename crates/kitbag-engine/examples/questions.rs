//! What hostile questions cost, by hand: `cargo run -p kitbag-engine --example questions [CHUNKS]`. Makes a project of so many
//! chunks (10,000) in a temporary folder, indexes it, asks each question as a search and as a pack, and prints the processor time of
//! each and by how much the memory of the process grew.
//!
//! Times and sizes are of this machine, so nothing is asserted; `tests/it/questions.rs` counts work instead. Linux only.

#![expect(
    clippy::disallowed_methods,
    reason = "it makes files and reads what the system says of it"
)]
#![expect(clippy::print_stdout, reason = "the figures are its output")]

use std::fmt::Write as _;
use std::time::Duration;

use kitbag_engine::api::{self, IndexRequest, PackRequest, PackSource, SearchRequest};
use kitbag_engine::{Engine, Options, Timestamp, Tokenizer};

const NOW: Timestamp = Timestamp(4_000_000_000_000);
/// The largest question that is taken.
const SIZE: usize = 256 << 10;
const FUNCTIONS_OF_A_FILE: usize = 8;
const ORDINARY: &str = "how does handle_order check an order, compute its total and store it";

fn main() {
    let n_chunks = std::env::args().nth(1).and_then(|n| n.parse().ok());
    let n_chunks: usize = n_chunks.unwrap_or(10_000);
    let folder = std::env::temp_dir().join(format!("kitbag-questions-{}", std::process::id()));
    let root = folder.join("project");
    project(&root, n_chunks);
    let options = Options {
        clock: kitbag_testkit::fuzz::processor_time,
        ..Options::default()
    };
    let engine = Engine::open(&root, folder.join("store"), options).expect("it opens");
    let made = api::index(&engine, IndexRequest::default(), &mut |_| {}, NOW).expect("it is indexed");
    println!("{} files, {} chunks", made.files, made.chunks);
    let tokenizer = Tokenizer::of_model("gpt-4o").expect("it is known");
    let packed = |task: &str, tokens: usize, sources: &[PackSource]| {
        timed(&|| pack(&engine, &tokenizer, task, tokens, sources))
    };
    search(&engine, ORDINARY);
    packed(ORDINARY, 8_000, &[]);
    println!(
        "{:<28} {:>9} {:>9} {:>9}",
        "question", "search ms", "pack ms", "peak +MB"
    );
    for (name, question) in questions() {
        let idle = memory();
        let searched = timed(&|| search(&engine, &question));
        row(name, Some(searched), packed(&question, 8_000, &[]), idle);
    }
    for (name, tokens, sources) in [
        ("pack of 100,000 tokens", 100_000, Vec::new()),
        ("pack of 10,000,000 tokens", 10_000_000, Vec::new()),
        ("a log of 7 MB", 8_000, vec![log()]),
        (
            "a log line of 7 MB",
            8_000,
            vec![handed_in("tool_result", "log", &"error: a.rs:1 ".repeat(500_000))],
        ),
        (
            "a diff of 7 MB",
            8_000,
            vec![handed_in("tool_result", "diff", &filled(7 << 20, &diff))],
        ),
        (
            "passwords, 7 MB",
            8_000,
            vec![handed_in(
                "tool_result",
                "log",
                &filled(7 << 20, &|n| format!("password = hunter{n}\n")),
            )],
        ),
        ("C that parses slowly, 5 MB", 8_000, vec![slow(5 << 20)]),
        ("500 times such C, 15 KB", 8_000, vec![slow(15 << 10); 500]),
        ("500 sources", 8_000, (0..500).map(open_file).collect()),
        ("500 versions of a path", 8_000, (0..500).map(version).collect()),
        ("an open file and its lines", 8_000, open_file_and_lines()),
    ] {
        let idle = memory();
        row(name, None, packed(ORDINARY, tokens, &sources), idle);
    }
    let _ = std::fs::remove_dir_all(folder);
}

fn row(name: &str, searched: Option<Duration>, packed: Duration, idle: u64) {
    let ms = |time: Duration| time.as_millis().to_string();
    let searched = searched.map_or("-".to_owned(), ms);
    let peak = memory().saturating_sub(idle) >> 20;
    println!("{name:<28} {searched:>9} {:>9} {peak:>9}", ms(packed));
}

/// Functions that call each other, a few in a file.
fn project(root: &std::path::Path, n_chunks: usize) {
    for file in 0..n_chunks / FUNCTIONS_OF_A_FILE {
        let mut text = String::new();
        for n in file * FUNCTIONS_OF_A_FILE..(file + 1) * FUNCTIONS_OF_A_FILE {
            let _ = writeln!(
                text,
                "/// Handles order {n}: checks it, computes its total and stores it."
            );
            let _ = writeln!(
                text,
                "pub fn handle_order_{n}(order: &Order, store: &mut Store) -> Total {{"
            );
            for line in 0..25 {
                let called = (n + line) % 500;
                let _ = writeln!(
                    text,
                    "    let total_{line} = compute_{called}(order, store.row({line}));"
                );
            }
            let _ = writeln!(text, "    handle_order_{}(order, store)\n}}\n", n * 7 % n_chunks);
        }
        let path = root.join(file_name(file));
        std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("a temporary folder");
        std::fs::write(path, text).expect("a temporary folder");
    }
}

fn file_name(n: usize) -> String {
    format!("src/part_{}/file_{n}.rs", n % 40)
}

fn open_file(n: usize) -> PackSource {
    PackSource {
        kind: "open_file".to_owned(),
        path: Some(file_name(n)),
        pinned: true,
        ..PackSource::default()
    }
}

/// Of one path; differs from the others only in its last line.
fn version(n: usize) -> PackSource {
    PackSource {
        path: Some(file_name(0)),
        ..handed_in("open_file", "", &format!("{}{n}", "a\n".repeat(7_000)))
    }
}

/// An editor has other lines in it than the disk, and each reference means those.
fn open_file_and_lines() -> Vec<PackSource> {
    let path = Some(file_name(0));
    let open = handed_in("open_file", "", &"a\n".repeat(2_000_000));
    let line = PackSource {
        kind: "reference".to_owned(),
        path: path.clone(),
        line_start: Some(1),
        line_end: Some(1),
        ..PackSource::default()
    };
    let mut sources = vec![line; 499];
    sources.push(PackSource { path, ..open });
    sources
}

fn handed_in(kind: &str, label: &str, content: &str) -> PackSource {
    PackSource {
        kind: kind.to_owned(),
        label: Some(label.to_owned()),
        content: Some(content.to_owned()),
        ..PackSource::default()
    }
}

fn diff(n: usize) -> String {
    let path = file_name(n % 900);
    format!("--- a/{path}\n+++ b/{path}\n@@ -{n},2 +{n},2 @@\n-let total = 1;\n+let total = {n};\n")
}

/// What tree-sitter takes the square of its length for, until its time is up.
fn slow(size: usize) -> PackSource {
    handed_in("open_file", "slow.c", &"~=\n".repeat(size / 3))
}

fn log() -> PackSource {
    let line = |n: usize| {
        format!(
            "error: at handle_order_{n} ({}:{})\n",
            file_name(n % 900),
            n % 60 + 1
        )
    };
    PackSource {
        kind: "tool_result".to_owned(),
        content: Some(filled(7 << 20, &line)),
        ..PackSource::default()
    }
}

fn filled(size: usize, make: &dyn Fn(usize) -> String) -> String {
    let mut text = String::new();
    for n in 0.. {
        let next = make(n);
        if text.len() + next.len() > size {
            break;
        }
        text.push_str(&next);
    }
    text
}

fn questions() -> Vec<(&'static str, String)> {
    let most = |make: &dyn Fn(usize) -> String| filled(SIZE, make);
    let every_16000th = |n: usize| if n % 16_000 == 15_999 { " " } else { "x" };
    vec![
        ("ordinary", ORDINARY.to_owned()),
        ("one word of 256 KB", "a".repeat(SIZE)),
        ("one name of 256 KB", most(&|_| "aB_".to_owned())),
        ("sixteen words of 16 KB", most(&|n| every_16000th(n).to_owned())),
        ("distinct identifiers", most(&|n| format!("name_{n} "))),
        (
            "names of the project",
            most(&|n| format!("handle_order_{n} compute_{} ", n % 500)),
        ),
        ("names in back quotes", most(&|n| format!("`handle_order_{n}` "))),
        (
            "qualified names",
            most(&|n| format!("a::b{n}::handle_order_{n} ")),
        ),
        (
            "words of every file",
            most(&|n| format!("order total store row let pub fn {n} ")),
        ),
        (
            "a trace",
            most(&|n| format!("  at f ({}:{}:1)\n", file_name(n % 1_250), n % 200 + 1)),
        ),
        (
            "a trace of deep paths",
            most(&|n| format!("{}/file_{}.rs:{} ", "/b".repeat(140), n % 1_250, n + 1)),
        ),
        ("100,000 dots", ".".repeat(100_000)),
        ("100,000 brackets", "([{<".repeat(25_000)),
        ("100,000 quotes", "'\"".repeat(50_000)),
        ("100,000 back quotes", "`".repeat(100_000)),
        ("a:: 80,000 times", "a::".repeat(80_000)),
        ("Han without spaces", "名前".repeat(40_000)),
        (
            "slips of the keyboard",
            "hanlde_ordre comptue_totl hadnler stroe".to_owned(),
        ),
        ("many slips", most(&|n| format!("hnadl{n}ordre "))),
    ]
}

fn search(engine: &Engine, query: &str) {
    let request = SearchRequest {
        update: false,
        ..SearchRequest::new(query)
    };
    std::hint::black_box(api::search(engine, &request, &mut |_| {}, NOW).expect("it answers"));
}

fn pack(engine: &Engine, tokenizer: &Tokenizer, task: &str, tokens: usize, sources: &[PackSource]) {
    let request = PackRequest {
        update: false,
        sources: sources.to_vec(),
        ..PackRequest::new(task, tokens, tokenizer)
    };
    let made = api::pack(engine, &request, &mut |_| {}, &|| Duration::ZERO, NOW);
    std::hint::black_box(made.expect("it answers"));
}

fn timed(work: &dyn Fn()) -> Duration {
    let before = processor_time();
    work();
    processor_time() - before
}

/// Of all threads since the start of the process, in steps of 10 ms.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux has it");
    // The name may hold anything. After it: the twelfth and thirteenth field, in hundredths of a second.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks = fields
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok());
    Duration::from_millis(ticks.sum::<u64>() * 10)
}

/// The largest memory since the last call, in bytes.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    // Begins a new peak at what is in use now.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let kilobytes = peak.and_then(|peak| peak.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}
