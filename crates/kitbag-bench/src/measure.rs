//! The measurements, each a few rows of the table.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use kitbag_engine::api::{self, IndexReply, SearchRequest};
use kitbag_store::{OpenMode, Snapshot, Store};

use crate::corpus::Corpus;
use crate::parse;
use crate::setup::{engine, now};

/// A row of the table.
pub(crate) struct Row {
    pub what: String,
    pub measured: String,
    pub aim: &'static str,
}

pub(crate) fn row(what: impl Into<String>, measured: String, aim: &'static str) -> Row {
    Row {
        what: what.into(),
        measured,
        aim,
    }
}

fn index(corpus: &Corpus) -> (IndexReply, Duration) {
    let start = Instant::now();
    let request = api::IndexRequest {
        wait: true,
        thorough: false,
        stop: None,
    };
    let reply = api::index(&engine(&corpus.root, &corpus.store), request, &mut |_| {}, now());
    (reply.expect("the corpus can be indexed"), start.elapsed())
}

/// Indexing from nothing, in a process of its own, against bare parsing before and after it.
pub(crate) fn indexing(corpus: &Corpus, program: &Path) -> Vec<Row> {
    let before = parse::bare(&corpus.root, &corpus.store);
    let start = Instant::now();
    let output = Command::new(program)
        .arg("--index-and-report")
        .args([&corpus.root, &corpus.store])
        .output()
        .expect("the bench can start itself");
    let whole = start.elapsed();
    let after = parse::bare(&corpus.root, &corpus.store);
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = |name: &str| -> f64 {
        let line = report.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.trim().parse().ok()).unwrap_or(f64::NAN)
    };
    let bare = (before.time + after.time) / 2;
    let mb = before.n_bytes as f64 / 1e6;
    let chunks = number("chunks");
    vec![
        row(
            format!(
                "index {} files, {:.0} MB, {} lines",
                before.n_files, mb, before.n_lines
            ),
            format!(
                "{:.1} s: {:.0} lines/s, {:.1} MB/s",
                whole.as_secs_f64(),
                before.n_lines as f64 / whole.as_secs_f64(),
                mb / whole.as_secs_f64()
            ),
            "≥ 3,000 lines/s",
        ),
        row(
            "against bare tree-sitter parsing, same files, same threads",
            format!(
                "{:.2}× ({:.1} s)",
                whole.as_secs_f64() / bare.as_secs_f64(),
                bare.as_secs_f64()
            ),
            "≤ 2×",
        ),
        row(
            "peak memory of that",
            format!("{:.0} MB for {chunks:.0} chunks", number("memory")),
            "< 300 MB for 100 k",
        ),
        row(
            "bytes on disk a chunk",
            format!("{:.0}", number("bytes") / chunks),
            "≤ 30,000, target 3,000",
        ),
    ]
}

/// The child of [`indexing`].
pub(crate) fn index_and_report(root: &Path, store: &Path) -> ExitCode {
    let request = api::IndexRequest {
        wait: true,
        thorough: false,
        stop: None,
    };
    let engine = engine(root, store);
    let Ok(reply) = api::index(&engine, request, &mut |_| {}, now()) else {
        return ExitCode::FAILURE;
    };
    let bytes = api::status(&engine).map_or(0, |status| status.bytes);
    println!(
        "chunks {}\nbytes {bytes}\nmemory {:.1}",
        reply.chunks,
        resident_mb("VmHWM:")
    );
    ExitCode::SUCCESS
}

/// A line of `/proc/self/status`, in MB; not a number where the system does not tell.
pub(crate) fn resident_mb(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kb = status
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .and_then(|rest| rest.split_whitespace().next());
    kb.and_then(|kb| kb.parse::<f64>().ok())
        .map_or(f64::NAN, |kb| kb / 1024.0)
}

/// Stamps younger than two seconds are not believed; lets them age, then notes them.
pub(crate) fn settled(corpus: &Corpus) -> IndexReply {
    std::thread::sleep(Duration::from_millis(2500));
    index(corpus).0
}

/// Runs with nothing and with one file changed, in an indexed tree.
pub(crate) fn increments(corpus: &Corpus) -> Vec<Row> {
    let state = settled(corpus);
    let nothing = percentiles((0..15).map(|_| index(corpus).1).collect());
    let list =
        api::list_indexable(&engine(&corpus.root, &corpus.store), now()).expect("the corpus can be listed");
    let victim = corpus.root.join(&list.files[list.files.len() / 2].path);
    let text = std::fs::read(&victim).expect("it was just listed");
    let changed = (0..15u8)
        .map(|n| {
            let mut text = text.clone();
            text.extend_from_slice(format!("\n// {n}\n").as_bytes());
            std::fs::write(&victim, text).expect("the copy can be written");
            index(corpus).1
        })
        .collect();
    let changed = percentiles(changed);
    vec![
        row(
            format!("index run, nothing changed, {} files", state.files),
            show(&nothing),
            "100 ms",
        ),
        row("index run, one file changed", show(&changed), "150 ms"),
    ]
}

/// Questions, warm in one process and cold in many.
pub(crate) fn searching(corpus: &Corpus, n_chunks: u64, kitbag: Option<&Path>) -> Vec<Row> {
    let state = settled(corpus);
    let engine = engine(&corpus.root, &corpus.store);
    let queries = queries(&corpus.root, &corpus.store, 200);
    let ask = |query: &str, update: bool| {
        let request = SearchRequest {
            update,
            ..SearchRequest::new(query)
        };
        let start = Instant::now();
        std::hint::black_box(api::search(&engine, &request, &mut |_| {}, now()).expect("the index answers"));
        start.elapsed()
    };
    for query in queries.iter().take(20) {
        ask(query, false);
    }
    let warm = percentiles(queries.iter().map(|query| ask(query, false)).collect());
    let checked = percentiles(queries.iter().take(50).map(|query| ask(query, true)).collect());
    let size = format!("{} k chunks ({})", n_chunks / 1000, state.chunks);
    let mut rows = vec![
        row(format!("search, warm, {size}"), show(&warm), "2 ms"),
        row(
            format!(
                "search with a check for changed files, {} files, {size}",
                state.files
            ),
            show(&checked),
            "–",
        ),
    ];
    if let Some(kitbag) = kitbag {
        let cold = |query: &str| {
            let start = Instant::now();
            let output = Command::new(kitbag)
                .args(["search", "--json", "--root"])
                .arg(&corpus.root)
                .arg("--store")
                .arg(&corpus.store)
                .args(["--", query])
                .output()
                .expect("kitbag starts");
            std::hint::black_box(output);
            start.elapsed()
        };
        let times = percentiles(queries.iter().take(40).map(|query| cold(query)).collect());
        rows.push(row(
            format!("search, cold process, check included, {size}"),
            show(&times),
            "30 ms",
        ));
    }
    rows
}

/// Asks the same questions over and over, of an index that is there.
pub(crate) fn search_only(root: &Path, store: &Path) {
    let engine = engine(root, store);
    let queries = queries(root, store, 200);
    let mut times = Vec::new();
    for query in queries.iter().cycle().take(2000) {
        let request = SearchRequest {
            update: false,
            ..SearchRequest::new(query)
        };
        let start = Instant::now();
        std::hint::black_box(api::search(&engine, &request, &mut |_| {}, now()).expect("the index answers"));
        times.push(start.elapsed());
    }
    println!("{}", show(&percentiles(times)));
}

/// Half names, half first sentences of doc comments, spread over the corpus.
pub(crate) fn queries(root: &Path, store: &Path, n_queries: usize) -> Vec<String> {
    let store = Store::open(store, OpenMode::ReadOnly).expect("the corpus is indexed");
    let snapshot = Snapshot::open(&store, &root.canonicalize().expect("it exists")).expect("it opens");
    let snapshot = snapshot.expect("the corpus is indexed");
    let mut found = Vec::new();
    let files = snapshot.files().expect("the store can be read");
    for file in files.iter().step_by((files.len() / (2 * n_queries)).max(1)) {
        let Some(parse) = file.parse else { continue };
        let symbols = snapshot
            .symbols_of(file.id, parse)
            .expect("the store can be read");
        let documented = symbols
            .iter()
            .find(|symbol| symbol.doc.split_whitespace().count() > 3);
        match documented {
            Some(symbol) if found.len() % 2 == 0 => found.push(symbol.doc.clone()),
            _ => found.extend(symbols.first().map(|symbol| symbol.name.clone())),
        }
        if found.len() == n_queries {
            break;
        }
    }
    found
}

/// Sorted.
pub(crate) fn percentiles(mut times: Vec<Duration>) -> Vec<Duration> {
    times.sort();
    times
}

pub(crate) fn show(sorted: &[Duration]) -> String {
    let at =
        |share: f64| sorted.get(((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1)));
    let ms = |time: Option<&Duration>| time.map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0);
    format!("p50 {:.1} ms, p95 {:.1} ms", ms(at(0.5)), ms(at(0.95)))
}
