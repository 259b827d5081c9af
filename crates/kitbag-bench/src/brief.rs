//! Briefs: a standard one with 50 patterns, chosen, written and counted exactly; and a package's through the engine.

use std::time::{Duration, Instant};

use kitbag_engine::Tokenizer;
use kitbag_engine::api::{self, PackRequest};
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
    let engine = engine(&corpus.root, &corpus.store);
    let times = (0..15).map(|_| {
        let request = PackRequest {
            map: true,
            update: false,
            tokenizer: Some(&tokenizer),
            ..PackRequest::default()
        };
        let start = Instant::now();
        let made = api::pack(&engine, &request, &mut |_| {}, &|| start.elapsed(), now());
        std::hint::black_box(made.expect("the index answers"));
        start.elapsed()
    });
    let times: Vec<Duration> = times.collect();
    rows.push(row(
        "map of the corpus, the first",
        format!("{:.1} ms", times[0].as_secs_f64() * 1e3),
        "–",
    ));
    rows.push(row(
        "map of the corpus, warm",
        show(&percentiles(times[1..].to_vec())),
        "50 ms",
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
