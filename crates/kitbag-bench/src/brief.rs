//! Briefs: a standard one with 50 patterns, chosen, written and counted exactly; a package's through the engine; an answer that was
//! given before (ENG-60); and what the second request of a session costs (ENG-40).

use std::path::Path;
use std::time::{Duration, Instant};

use kitbag_engine::Tokenizer;
use kitbag_engine::api::{self, PackRequest, PackagesRequest};
use kitbag_pack::{
    Brief, BriefPlan, BriefSection, Depth, Format, Insight, Intent, PackOptions, ShownInsight, Style,
    brief_text, choose, choose_brief, write,
};
use kitbag_types::Stop;

use crate::corpus::Corpus;
use crate::measure::{Row, percentiles, row, show};
use crate::setup::{engine, now};

pub(crate) fn brief(corpus: &Corpus) -> Vec<Row> {
    let tokenizer = Tokenizer::of_model("o200k").expect("it is built in");
    let times = (0..15).map(|_| chosen(&tokenizer));
    let mut rows = vec![row(
        "standard brief with 50 patterns, 20 rules, 20 entry points: chosen, written, counted",
        show(&percentiles(times.collect())),
        "5 ms",
    )];
    rows.extend(of_project(&corpus.root, &corpus.store));
    rows
}

/// Of a project that is indexed.
pub(crate) fn of_project(root: &Path, store: &Path) -> Vec<Row> {
    let tokenizer = Tokenizer::of_model("o200k").expect("it is built in");
    let engine = engine(root, store);
    let asked = |request: PackRequest<'_>| {
        let request = PackRequest {
            update: false,
            tokenizer: Some(&tokenizer),
            ..request
        };
        let start = Instant::now();
        let made = api::pack(&engine, &request, &mut |_| {}, &|| start.elapsed(), now());
        (start.elapsed(), made.expect("the index answers"))
    };
    let package = || {
        let request = PackagesRequest::default();
        let known = api::packages(&engine, &request, false, &mut |_| {}, now()).expect("the index answers");
        let largest = known.packages.into_iter().max_by_key(|one| one.lines);
        largest.map(|one| if one.path == "." { one.name } else { one.path })
    };
    let lines = api::project_stats(&engine, &mut |_| {}, now()).map_or(0, |stats| stats.lines);
    let name = package().unwrap_or_default();
    let told = |reuse| PackRequest {
        packages: vec![name.clone()],
        reuse,
        ..PackRequest::default()
    };
    let map = || PackRequest {
        map: true,
        ..PackRequest::default()
    };
    let cold = asked(told(false)).0;
    let mut rows = vec![row(
        format!("package pack of a project of {lines} lines, the first in a process"),
        format!("{:.1} ms", cold.as_secs_f64() * 1e3),
        "–",
    )];
    let many = |what: &dyn Fn() -> PackRequest<'static>| {
        let times = (0..15).map(|_| asked(what()).0);
        show(&percentiles(times.collect()))
    };
    rows.push(row("the same, warm", many(&|| told(false)), "50 ms"));
    rows.push(row("map of it, warm", many(&map), "–"));
    asked(told(true));
    let mut hits: Vec<Duration> = (0..101).map(|_| asked(told(true)).0).collect();
    hits.sort_unstable();
    rows.push(row(
        "the same package pack, given before (ENG-60)",
        format!("p50 {} µs, p95 {} µs", hits[50].as_micros(), hits[95].as_micros()),
        "100 µs",
    ));
    let task = |session: &str| PackRequest {
        task: "fix the error that is returned when the input is empty".to_owned(),
        max_tokens: Some(4_000),
        include_brief: Some(true),
        session: Some(session.to_owned()),
        ..PackRequest::default()
    };
    let session = format!("bench-{}", now().0);
    let first = asked(task(&session)).1;
    if let Some(delivery) = first
        .session
        .as_ref()
        .and_then(|session| session.delivery.as_ref())
    {
        delivery.confirm().expect("the store can be written");
    }
    let second = asked(task(&session)).1;
    let saved = 100.0 * (1.0 - second.tokens as f64 / first.tokens.max(1) as f64);
    rows.push(row(
        "second request of a session, brief included",
        format!("{} of {} tokens, {saved:.0} % fewer", second.tokens, first.tokens),
        "30 % fewer",
    ));
    rows
}

fn insights() -> Vec<Insight> {
    let lots = [
        (BriefSection::Patterns, "conventions", 50),
        (BriefSection::Constraints, "constraints", 20),
        (BriefSection::EntryPoints, "entry_points", 20),
        (BriefSection::KeyFiles, "architectural", 10),
        (BriefSection::Memories, "memories", 10),
    ];
    let of = |(section, category, n): (BriefSection, &'static str, usize)| {
        (0..n).map(move |n| {
            let text = format!(
                "Functions of the module number {n} return a Result and name their path in it ({} of 120)",
                100 + n % 20
            );
            let one = Insight::new(section, category, format!("{n}"), text);
            Insight {
                occurrences: n as u64,
                confidence: 1.0 - n as f64 / 100.0,
                ..one
            }
        })
    };
    lots.into_iter().flat_map(of).collect()
}

fn chosen(tokenizer: &Tokenizer) -> Duration {
    let style = Style {
        format: Format::Markdown,
        template: None,
        line_numbers: false,
    };
    let all = insights();
    let start = Instant::now();
    let count = |text: &str| tokenizer.count(text).tokens;
    let cost = |insight: &Insight| {
        let alone = ShownInsight {
            insight: insight.clone(),
            base: 0.0,
            score: 0.0,
            tokens: 0,
            delivered_in: Vec::new(),
            changed_since: None,
        };
        count(&brief_text(&[alone], &style))
    };
    let plan = BriefPlan {
        depth: Depth::Standard,
        intent: Intent::AddFeature,
        budget: Depth::Standard.tokens(),
        min_confidence: 0.0,
        categories: &[],
        cost: &cost,
        heading: &|_| 4,
    };
    let told = choose_brief(all, &plan);
    let options = PackOptions::new(Depth::Standard.tokens(), style.clone());
    let brief = Brief {
        task: "bench",
        told: &told,
        options: &options,
        session: None,
        count: &count,
        stop: Stop::never(),
    };
    let made = choose(Vec::new(), brief).and_then(|chosen| write(chosen, Vec::new()));
    std::hint::black_box(made.expect("it fits"));
    start.elapsed()
}
