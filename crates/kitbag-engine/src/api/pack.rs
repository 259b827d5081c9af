//! `pack`: from a task to the text for a prompt, with the reasons for every line of it.

mod check;
mod freshness;
mod reply;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use kitbag_pack::{Intent, Item, Origin, Pack, SeenBefore, ShownInsight, clean_text};
use kitbag_store::{NewDelivery, Snapshot};
use kitbag_types::Timestamp;

use super::search::{Hit, update};
use crate::health::needs_mending;
use crate::matched::rounded;
use crate::pack::{MadePack, PackJob, make};
use crate::request::{PackRequest, PackSource};
use crate::retrieve::WITHOUT_PROVIDER;
use crate::session::{Delivery, LOST, Visit, shown, told};
use crate::{AnswerKind, DataMark, Engine, EngineError, NewAnswer, Progress};
use check::{Checked, check};
use freshness::freshness_of;
pub use freshness::{DataAge, PackFreshness};
pub(super) use reply::pack_excluded;
use reply::reply_of;
pub use reply::{
    PackBrief, PackExcluded, PackFactor, PackInsight, PackItem, PackLike, PackReply, PackSession, PackStats,
    PackWarning, PackWeights,
};

/// A hit as a source of a pack. Before there is an index, a live scan finds hits.
impl From<&Hit> for PackSource {
    fn from(hit: &Hit) -> Self {
        Self {
            kind: Origin::Search.as_str().to_owned(),
            path: Some(hit.path.clone()),
            line_start: Some(hit.line_start),
            line_end: Some(hit.line_end),
            relevance: Some(hit.score),
            ..Self::default()
        }
    }
}

/// The source of the warning that tokens are over-estimated: `exact` says so too.
const TOKENIZER: &str = "tokenizer";

/// Begins the name of a provider's time among the times of the stages; it is part of `retrieve`.
pub(super) const PROVIDER_TIMES: &str = "providers.";

/// Measures the stages with the door's clock.
struct Stopwatch<'c> {
    clock: &'c (dyn Fn() -> Duration + Sync),
    last: Duration,
    times: BTreeMap<String, f64>,
}

impl<'c> Stopwatch<'c> {
    fn new(clock: &'c (dyn Fn() -> Duration + Sync)) -> Self {
        Self {
            clock,
            last: clock(),
            times: BTreeMap::new(),
        }
    }

    fn lap(&mut self, stage: &str) {
        let now = (self.clock)();
        let ms = now.saturating_sub(self.last).as_secs_f64() * 1000.0;
        self.times
            .insert(stage.to_owned(), (ms * 1000.0).round() / 1000.0);
        self.last = now;
    }
}

pub fn pack(
    engine: &Engine,
    request: &PackRequest<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
    clock: &(dyn Fn() -> Duration + Sync),
    now: Timestamp,
) -> Result<PackReply, EngineError> {
    let checked = check(engine, request)?;
    let question = question(request, &checked);
    if let Some(kept) = question.as_ref().filter(|_| !request.update)
        && let Some(reply) = kept_reply(engine, kept, now)
    {
        return Ok(reply);
    }
    let (mut reply, repaired) = engine.repairing(|again| {
        let mut watch = Stopwatch::new(clock);
        let mut warnings = Vec::new();
        if request.update || again || needs_mending(engine) {
            update(engine, request.stop, progress, now, &mut warnings)?;
            watch.lap("update");
        }
        let Some(question) = &question else {
            return answer(engine, request, &checked, watch, warnings, now);
        };
        if let Some(reply) = kept_reply(engine, question, now).filter(|_| warnings.is_empty()) {
            return Ok(reply);
        }
        let mark = engine.data_mark();
        let reply = answer(engine, request, &checked, watch, warnings, now)?;
        if let Some(mark) = mark {
            keep_reply(engine, question, mark, &reply, now);
        }
        Ok(reply)
    })?;
    let repaired = repaired.into_iter().map(|what| warning("store", what));
    reply.warnings.extend(repaired);
    Ok(reply)
}

/// What an answer is kept under. `None`: it is not kept. What a session was sent is not the same the second time, and a commit moves
/// what a diff is against and leaves the files as they are.
fn question(request: &PackRequest<'_>, checked: &Checked) -> Option<String> {
    let is_fixed = request.reuse && request.session.is_none() && request.diff.is_none();
    let tokenizer = request.tokenizer.or(checked.tokenizer.as_ref())?;
    let fields = is_fixed.then(|| serde_json::to_string(request).ok()).flatten()?;
    let PackRequest {
        user, door, watched, ..
    } = request;
    Some(format!(
        "pack\0{user}\0{door:?}\0{watched}\0{}\0{fields}",
        tokenizer.name()
    ))
}

fn kept_reply(engine: &Engine, question: &str, now: Timestamp) -> Option<PackReply> {
    let kept: PackReply = engine.kept_answer(question, &engine.data_mark()?, now)?;
    Some(PackReply {
        cache_hit: true,
        generation_ms: 0.0,
        timings_ms: BTreeMap::new(),
        ..kept
    })
}

/// An answer with a warning is not kept: its reason may be gone the next time, unless it is the tokenizer.
fn keep_reply(engine: &Engine, question: &str, mark: DataMark, reply: &PackReply, now: Timestamp) {
    if reply.warnings.iter().any(|one| one.source != TOKENIZER) {
        return;
    }
    // A source that could not be used may be there later.
    let refused = reply.excluded.iter().filter(|one| one.is_refused());
    let shown = reply.items.iter().map(|item| item.path.as_str());
    let paths: BTreeSet<&str> = shown.chain(refused.map(|one| one.path.as_str())).collect();
    let new = NewAnswer {
        question: question.to_owned(),
        kind: AnswerKind::Insights,
        mark,
        weight: 2 * reply.text.len() + 1_000 * (reply.items.len() + reply.excluded.len()),
        answer: reply.clone(),
    };
    engine.keep_answer(new, &paths.into_iter().collect::<Vec<_>>(), now);
}

fn warning(source: &str, reason: String) -> PackWarning {
    PackWarning {
        source: source.to_owned(),
        reason,
        fallback: String::new(),
    }
}

fn answer(
    engine: &Engine,
    request: &PackRequest<'_>,
    checked: &Checked,
    mut watch: Stopwatch<'_>,
    warnings: Vec<String>,
    now: Timestamp,
) -> Result<PackReply, EngineError> {
    // A run that could not be made says so in a warning.
    let is_updated = request.watched || watch.times.contains_key("update") && warnings.is_empty();
    let store = engine.open_store()?;
    let snapshot = engine.snapshot(&store)?;
    let job = job_of(engine, &snapshot, request, checked, (watch.clock, now));
    let mut made = make(job, &mut |stage| watch.lap(stage))?;
    let said = warnings
        .into_iter()
        .chain(std::mem::take(&mut made.asked.warnings));
    let mut warnings: Vec<PackWarning> = said.map(|text| warning("index", text)).collect();
    warnings.extend(made.missing.drain(..).map(|missing| PackWarning {
        source: missing.source.to_owned(),
        reason: missing.reason,
        fallback: missing.fallback.to_owned(),
    }));
    warnings.extend(made.asked.failed.drain(..).map(|failed| PackWarning {
        source: failed.name.to_owned(),
        reason: failed.reason,
        fallback: WITHOUT_PROVIDER.to_owned(),
    }));
    if !job.tokenizer.is_exact() {
        warnings.push(PackWarning {
            source: TOKENIZER.to_owned(),
            reason: format!("there is no exact tokenizer for {}", job.tokenizer.name()),
            fallback: "tokens are over-estimated".to_owned(),
        });
    }
    let freshness = freshness_of(job, is_updated)?;
    warnings.extend(freshness.warnings(now));
    let generation_ms = rounded(watch.times.values().sum());
    let providers = made.asked.times.drain(..).map(|(name, spent)| {
        let ms = (spent.as_secs_f64() * 1_000_000.0).round() / 1000.0;
        (format!("{PROVIDER_TIMES}{name}"), ms)
    });
    watch.times.extend(providers);
    let visit = made.visit.take();
    let session = visit.map(|visit| {
        end_visit(
            visit,
            request,
            &made.packed,
            made.asked.intent,
            &mut warnings,
            now,
        )
    });
    Ok(PackReply {
        session,
        generation_ms,
        timings_ms: watch.times,
        freshness,
        ..reply_of(job, made, warnings)
    })
}

/// Makes only the pack, from an open snapshot: the index is not updated, and nothing is saved or recorded.
pub(super) fn made(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    request: &PackRequest<'_>,
    clock: &(dyn Fn() -> Duration + Sync),
    now: Timestamp,
) -> Result<MadePack, EngineError> {
    let checked = check(engine, request)?;
    let job = job_of(engine, snapshot, request, &checked, (clock, now));
    make(job, &mut |_| {})
}

fn job_of<'j>(
    engine: &'j Engine,
    snapshot: &'j Snapshot<'j>,
    request: &'j PackRequest<'j>,
    checked: &'j Checked,
    (clock, now): (&'j (dyn Fn() -> Duration + Sync), Timestamp),
) -> PackJob<'j> {
    PackJob {
        engine,
        snapshot,
        request,
        tokenizer: request
            .tokenizer
            .or(checked.tokenizer.as_ref())
            .expect("a request without a tokenizer was given one when it was checked"),
        intent: checked.intent,
        depth: checked.depth,
        languages: &checked.languages,
        style: &checked.style,
        clock,
        now,
    }
}

/// What the pack shows is recorded when it was delivered, unless it is a preview.
fn end_visit(
    visit: Visit,
    request: &PackRequest<'_>,
    packed: &Pack,
    intent: Intent,
    warnings: &mut Vec<PackWarning>,
    now: Timestamp,
) -> PackSession {
    // A template may leave out what it was given.
    let stands = |item: &Item| {
        request.template.is_none()
            || item.piece.numbered().all(|(number, line)| {
                !item.lines.iter().any(|lines| lines.contains(number))
                    || packed.text.contains(&*clean_text(line.trim()))
            })
    };
    let is_told = |one: &ShownInsight| one.tokens > 0 && one.delivered_in.is_empty();
    let deliveries: Vec<NewDelivery> = packed
        .items
        .iter()
        .filter(|item| stands(item))
        .flat_map(|item| shown(&item.piece, &item.lines, item.resolution, intent))
        .chain(
            packed
                .brief
                .iter()
                .filter(|one| is_told(one))
                .map(|one| told(&one.insight, intent)),
        )
        .collect();
    let delivery = if request.preview {
        None
    } else {
        let ended = visit.end(deliveries, now);
        warnings.extend(ended.as_ref().err().cloned().flatten().map(|reason| PackWarning {
            source: "session".to_owned(),
            reason,
            fallback: LOST.to_owned(),
        }));
        ended.ok()
    };
    let of = |is: fn(&Item) -> bool| packed.items.iter().filter(|item| is(item)).count();
    PackSession {
        id: request.session.clone().unwrap_or_default(),
        answer: delivery.as_ref().map(Delivery::answer),
        referred: of(|item| matches!(item.seen, Some(SeenBefore::Delivered { .. })))
            + packed
                .brief
                .iter()
                .filter(|one| !one.delivered_in.is_empty())
                .count(),
        changed: of(|item| matches!(item.seen, Some(SeenBefore::Changed { .. })) && !item.lines.is_empty()),
        tokens_saved: packed.tokens_saved,
        delivery,
    }
}
