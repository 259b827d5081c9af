//! Packs: whole ones through the engine, and the parts of making one on pieces of real source.

use std::time::{Duration, Instant};

use kitbag_engine::api::{self, PackReply, PackRequest, PackSource};
use kitbag_engine::{Engine, Tokenizer};
use kitbag_pack::{Brief, Format, Origin, PackOptions, Piece, Role, Style, choose, write};
use kitbag_store::{OpenMode, Snapshot, Store};
use kitbag_types::Stop;

use crate::corpus::Corpus;
use crate::measure::{Row, percentiles, queries, resident_mb, row, show};
use crate::setup::{engine, now};

const BUDGET: usize = 8_000;

pub(crate) fn packing(corpus: &Corpus) -> Vec<Row> {
    let engine = engine(&corpus.root, &corpus.store);
    let tokenizer = Tokenizer::of_model("o200k").expect("it is built in");
    let questions = queries(&corpus.root, &corpus.store, 60);
    let memory = resident_mb("VmRSS:");
    let asked: Vec<(Duration, PackReply)> = questions
        .iter()
        .map(|question| ask(&engine, &tokenizer, question, Vec::new()))
        .collect();
    let stage = |name: &str| {
        let ms = asked
            .iter()
            .map(|(_, reply)| reply.timings_ms.get(name).copied().unwrap_or(0.0));
        show(&percentiles(
            ms.map(|ms| Duration::from_secs_f64(ms / 1000.0)).collect(),
        ))
    };
    let what = format!("pack of a question, {BUDGET} tokens, warm, 10 k chunks");
    let times = percentiles(asked.iter().map(|(time, _)| *time).collect());
    let mut rows = vec![row(what, show(&times), "–")];
    for name in ["retrieve", "collect", "choose", "brief", "pack"] {
        rows.push(row(format!("of that: {name}"), stage(name), "–"));
    }
    let list = api::list_indexable(&engine, now()).expect("the corpus can be listed");
    for (n, aim) in [(100, "20 ms"), (500, "–")] {
        let sources: Vec<PackSource> = list
            .files
            .iter()
            .take(n)
            .map(|file| PackSource {
                kind: "open_file".into(),
                path: Some(file.path.clone()),
                ..PackSource::default()
            })
            .collect();
        let times = questions
            .iter()
            .take(10)
            .map(|question| ask(&engine, &tokenizer, question, sources.clone()).0);
        rows.push(row(
            format!("pack of {n} sources (files of the index)"),
            show(&percentiles(times.collect())),
            aim,
        ));
    }
    rows.push(row(
        "memory while packing, over the open index",
        format!("{:.0} MB", resident_mb("VmHWM:") - memory),
        "50 MB",
    ));
    rows.extend(parts(corpus, &tokenizer));
    rows
}

fn ask(
    engine: &Engine,
    tokenizer: &Tokenizer,
    task: &str,
    sources: Vec<PackSource>,
) -> (Duration, PackReply) {
    let request = PackRequest {
        sources,
        update: false,
        ..PackRequest::new(task, BUDGET, tokenizer)
    };
    let start = Instant::now();
    let reply =
        api::pack(engine, &request, &mut |_| {}, &|| start.elapsed(), now()).expect("the index answers");
    let time = start.elapsed();
    assert!(reply.tokens <= BUDGET, "a pack over its budget");
    (time, reply)
}

/// Scoring, deduplication, selection, formatting and counting, apart from each other.
fn parts(corpus: &Corpus, tokenizer: &Tokenizer) -> Vec<Row> {
    let pieces = pieces(corpus, 1000);
    let time = |n: usize, budget: usize, count: &dyn Fn(&str) -> usize| {
        let style = Style {
            format: Format::Markdown,
            template: None,
            line_numbers: false,
        };
        let options = PackOptions::new(budget, style);
        let run = |_| {
            let pieces = pieces[..n.min(pieces.len())].to_vec();
            let start = Instant::now();
            let brief = Brief {
                task: "bench",
                told: &[],
                options: &options,
                session: None,
                count,
                stop: Stop::never(),
            };
            let made = choose(pieces, brief).and_then(|chosen| write(chosen, Vec::new()));
            std::hint::black_box(made.expect("it fits"));
            start.elapsed()
        };
        percentiles((0..15).map(run).collect())
    };
    let cheap = |text: &str| text.len() / 4;
    let exact = |text: &str| tokenizer.count(text).tokens;
    let text: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
    let counting = |n_bytes: usize| {
        let start = (0..text.len())
            .rev()
            .find(|at| text.is_char_boundary(*at) && text.len() - at >= n_bytes);
        let mut cut = text[start.unwrap_or(0)..].to_owned();
        let run = |n: i32| {
            // A new text each time: what is counted twice is remembered.
            cut.push_str(&n.to_string());
            let start = Instant::now();
            std::hint::black_box(tokenizer.count(&cut));
            start.elapsed()
        };
        percentiles((0..15).map(run).collect())
    };
    vec![
        row(
            "score, sort and deduplicate 200 pieces",
            show(&time(200, 0, &cheap)),
            "1 ms",
        ),
        row("the same for 1,000", show(&time(1000, 0, &cheap)), "–"),
        row(
            format!("and choose and write {BUDGET} tokens of 200, counting by length"),
            show(&time(200, BUDGET, &cheap)),
            "–",
        ),
        row(
            format!("and choose and write {BUDGET} tokens of 200, counting exactly"),
            show(&time(200, BUDGET, &exact)),
            "–",
        ),
        row("count 10 KB", show(&counting(10_000)), "0.3 ms"),
        row("count 50,000 characters", show(&counting(50_000)), "2 ms"),
    ]
}

/// Chunks spread over the corpus, as pieces.
fn pieces(corpus: &Corpus, n_pieces: usize) -> Vec<Piece> {
    let store = Store::open(&corpus.store, OpenMode::ReadOnly).expect("the corpus is indexed");
    let root = corpus.root.canonicalize().expect("it exists");
    let snapshot = Snapshot::open(&store, &root)
        .expect("it opens")
        .expect("the corpus is indexed");
    let mut pieces = Vec::new();
    for file in snapshot.files().expect("the store can be read") {
        let Some(parse) = file.parse else { continue };
        let text = snapshot.parse_text(parse).expect("the store can be read");
        for row in snapshot
            .chunks_of(file.id, parse)
            .expect("the store can be read")
            .into_iter()
            .take(4)
        {
            let n = pieces.len();
            pieces.push(Piece {
                id: format!("{n:016x}"),
                path: row.path.to_string(),
                is_file: true,
                given: 0,
                lines: row.lines,
                text: text[row.bytes.clone()].to_owned(),
                tokens: None,
                blank_after: 1,
                language: row.language,
                line_comments: &[],
                kind: row.kind,
                label: row.label,
                names: row.names,
                origin: Origin::Search,
                role: Role::Code,
                relevance: 1.0 - n as f64 / n_pieces as f64,
                recency: 0.0,
                pinned: false,
                asked: Vec::new(),
                is_log: false,
                named: false,
                pulled_by: None,
                note: String::new(),
                heads: vec![kitbag_types::LineRange::new(row.lines.start(), row.lines.start())],
                above: Vec::new(),
                part: None,
                summary: Vec::new(),
                focus: Vec::new(),
                at: "worktree".into(),
                providers: Vec::new(),
                reasons: Vec::new(),
            });
            if n + 1 == n_pieces {
                return pieces;
            }
        }
    }
    pieces
}
