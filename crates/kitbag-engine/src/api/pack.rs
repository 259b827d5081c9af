//! `pack`: a task in, the text to put into a prompt out, with the account of every line of it.

mod check;
mod reply;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use kitbag_pack::{
    Excluded, ExcludedReason, Format, Intent, Item, Origin, Pack, PackError, PackOptions, Seen, Shares,
    Weights, clean_text, pack_in_session as make_pack,
};
use kitbag_rank::query::analyse;
use kitbag_rank::tuning::WEAK_GUESSES;
use kitbag_store::{ChunkRow, NewDelivery, ParseId, Snapshot, StoreError};
use kitbag_tokens::Tokenizer;
use kitbag_types::{Filter, Query, Stop, Timestamp};
use serde::{Deserialize, Serialize};

use super::matched::Matched;
use super::search::{Hit, incomplete, index_state_of, update};
use super::symbol::definitions_of;
use super::tokens::count_until;
use crate::ages::Ages;
use crate::health::needs_mending;
use crate::matching::Match;
use crate::pack::{Advice, Collector, Door, Facts, Found, advise, deepen, pull_in, read_all, steer};
use crate::retrieve::gather;
use crate::session::{Delivery, LOST, Visit, shown};
use crate::{Engine, EngineError, Progress};
use check::{Checked, check, tokens_for, window_warning};
pub(super) use reply::pack_excluded;
use reply::{FRAME, pack_item, stats};
pub use reply::{
    PackExcluded, PackFactor, PackItem, PackLike, PackReply, PackSession, PackStats, PackWarning, PackWeights,
};

/// How much there is room for (PACK-30).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many tokens.
    Tokens(usize),
    /// A model's window, less what the system prompt and the answer need.
    Window {
        total: usize,
        system_reserve: usize,
        response_reserve: usize,
    },
    /// The configured default, adjusted to the task (CFG-4). `complexity`: 1 to 10.
    ByTask { complexity: Option<u8> },
}

/// Something handed in (PACK-1): content, or a path with lines if only some are meant.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct PackSource {
    /// `tool_result`, `open_file`, `search`, `reference`, `message` or `memory`.
    pub kind: String,
    pub path: Option<String>,
    pub line_start: Option<u32>,
    pub line_end: Option<u32>,
    pub content: Option<String>,
    /// What a content without a path is called.
    pub label: Option<String>,
    /// 0 to 1; without it, how many of the task's words it has.
    pub relevance: Option<f64>,
    pub timestamp_ms: Option<i64>,
    /// Comes before everything that was not asked for by name.
    pub pinned: bool,
}

/// A hit that somebody found, as a source of a pack: before there is an index, a live scan finds.
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

#[derive(Debug)]
pub struct PackRequest<'r> {
    pub task: String,
    pub budget: Budget,
    pub tokenizer: &'r Tokenizer,
    /// Without one it is inferred from the task.
    pub intent: Option<String>,
    pub format: String,
    /// Used instead of `format`.
    pub template: Option<String>,
    pub line_numbers: bool,
    pub sources: Vec<PackSource>,
    /// Nothing is searched: the pack is made of `sources` and `symbols` alone (PACK-4).
    pub sources_only: bool,
    /// Names to look up: their definitions come before everything else.
    pub symbols: Vec<String>,
    pub paths: Vec<String>,
    pub exclude: Vec<String>,
    pub languages: Vec<String>,
    /// What this session was sent before is referred to, not sent again (ENG-40).
    pub session: Option<String>,
    /// Nobody gets the text: the session is looked at and nothing counts as sent.
    pub preview: bool,
    pub update: bool,
    /// In whose words it says how to go on.
    pub door: Door,
    /// Ends the pack with [`EngineError::Cancelled`].
    pub stop: Stop<'r>,
}

impl<'r> PackRequest<'r> {
    pub fn new(task: impl Into<String>, budget: Budget, tokenizer: &'r Tokenizer) -> Self {
        Self {
            task: task.into(),
            budget,
            tokenizer,
            intent: None,
            format: Format::Markdown.as_str().to_owned(),
            template: None,
            line_numbers: false,
            sources: Vec::new(),
            sources_only: false,
            symbols: Vec::new(),
            paths: Vec::new(),
            exclude: Vec::new(),
            languages: Vec::new(),
            session: None,
            preview: false,
            update: true,
            door: Door::Terminal,
            stop: Stop::never(),
        }
    }
}

/// What `intent` of a request may be.
pub fn intents() -> Vec<&'static str> {
    Intent::ALL.map(Intent::as_str).to_vec()
}

/// What `format` of a request may be.
pub fn formats() -> Vec<&'static str> {
    Format::ALL.map(Format::as_str).to_vec()
}

/// Times of the stages; the clock is the door's.
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
    let checked = check(request)?;
    let (mut reply, repaired) = engine.repairing(|again| {
        let mut watch = Stopwatch::new(clock);
        let mut warnings = Vec::new();
        if request.update || again || needs_mending(engine) {
            update(engine, request.stop, progress, now, &mut warnings)?;
            watch.lap("update");
        }
        answer(engine, request, &checked, watch, warnings, now)
    })?;
    let repaired = repaired.into_iter().map(|what| warning("store", what));
    reply.warnings.extend(repaired);
    Ok(reply)
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
    mut warnings: Vec<String>,
    now: Timestamp,
) -> Result<PackReply, EngineError> {
    let store = engine.open_store()?;
    let Some(snapshot) = Snapshot::open(&store, engine.root())? else {
        return Err(StoreError::Missing {
            path: engine.store_dir().to_owned(),
        }
        .into());
    };
    let languages: Vec<&str> = kitbag_syntax::LANGUAGES
        .iter()
        .map(|language| language.name)
        .collect();
    // A secret in the task is one in the title of the pack and in what is kept of it.
    let task = engine.tree.redact(&request.task).0.into_owned();
    // What the task itself asks for; places that a log names are looked up too, but nobody asked whether they exist.
    let asked = analyse(&task, &languages);
    let mut query = asked.clone();
    steer(&mut query, &request.sources, &languages);
    warnings.extend(asked.left_out.iter().cloned());
    let stop = request.stop;
    let is_steered = query.references.len() > asked.references.len();
    let filter = Filter {
        paths: request.paths.clone(),
        exclude: request.exclude.clone(),
        languages: checked.languages.clone(),
        mmr_lambda: engine.options.packing.mmr_lambda,
        ..Filter::default()
    };
    let deadline = (watch.clock)() + engine.options.packing.source_limit;
    let left = || match stop.is_stopped() {
        true => Duration::ZERO,
        false => deadline.saturating_sub((watch.clock)()),
    };
    let (indexed, to_read) = known_files(engine, &snapshot, &request.sources)?;
    let (given, ranked) = std::thread::scope(|scope| {
        let given = scope.spawn(|| read_all(engine, &to_read, &left));
        // Loading a vocabulary takes longer than a search.
        scope.spawn(|| request.tokenizer.count("a"));
        let ranked = if request.sources_only {
            Ok(Vec::new())
        } else {
            gather(engine, &snapshot, &query, &filter, &mut warnings, stop)
        };
        (joined(given), ranked)
    });
    let intent = checked.intent.unwrap_or_else(|| Intent::infer(&task));
    let budget = tokens_for(request.budget, &engine.options.packing, intent, query.shape)?;
    let mut ranked = ranked?;
    // What could not be read in time was perhaps only not wanted any more.
    stop.check()?;
    let mut matched =
        Matched::of(Match::of(&snapshot, &asked, &ranked, stop)?).known_if(snapshot.is_complete());
    if request.sources_only || (is_steered && matched.is_weak()) {
        // The words of the task did not decide what was found, so they do not tell how well it fits.
        matched = Matched::unknown();
    }
    let is_weak = matched.is_weak();
    if is_weak {
        // Guesses are shown to be judged, not to fill the budget (RET-26).
        ranked.truncate(WEAK_GUESSES);
    } else {
        ranked = deepen(&snapshot, ranked, budget, stop)?;
    }
    let index = index_state_of(engine, &snapshot)?;
    warnings.extend(incomplete(&index));
    watch.lap("retrieve");
    let ages = Ages::of(engine, &snapshot, now)?;
    warnings.extend(ages.warning());
    let task_terms: Vec<String> = query.terms.iter().map(|(term, _)| term.clone()).collect();
    let facts = Facts {
        ages: &ages,
        now,
        task_terms: &task_terms,
        is_o200k: request.tokenizer.name() == "o200k",
        stop,
    };
    let mut collector = Collector::new(engine, &snapshot, facts);
    let (given, mut excluded) = given;
    for buffer in given.iter().filter(|one| one.is_buffer) {
        collector.replace(buffer);
    }
    for hit in ranked {
        collector.add_ranked(hit)?;
    }
    for (source, file, parse) in &indexed {
        let mut path = None;
        for row in snapshot.chunks_of(*file, *parse)? {
            let found = Found {
                origin: Origin::parse(&source.kind).unwrap_or(Origin::Reference),
                relevance: source.relevance,
                reasons: Vec::new(),
                pinned: false,
                pulled_by: None,
            };
            path = Some(row.path.to_string());
            collector.add(row, found)?;
        }
        if let Some(path) = path.filter(|_| source.pinned) {
            collector.prefer(&path);
        }
    }
    for one in &given {
        collector.add_given(one)?;
        if one.pinned && one.lines.is_none() {
            collector.prefer(&one.path);
        }
    }
    warnings.extend(given.iter().filter_map(|one| one.note.clone()));
    add_symbols(&mut collector, &snapshot, request, &mut excluded)?;
    if !request.sources_only && !is_weak {
        pull_in(&mut collector, &snapshot, stop)?;
    }
    excluded.append(&mut collector.excluded);
    let pieces = collector.finish(&query);
    let changed_files = std::mem::take(&mut collector.changed);
    let rows: BTreeMap<(String, u32), ChunkRow> = pieces
        .iter()
        .zip(std::mem::take(&mut collector.rows))
        .filter_map(|(piece, row)| Some(((piece.path.clone(), piece.lines.start()), row?)))
        .collect();
    watch.lap("collect");
    let n_candidates = pieces.len();
    let packing = &engine.options.packing;
    let options = PackOptions {
        weights: packing.weights.unwrap_or_else(|| Weights::of(intent)),
        priorities: packing.priorities,
        overlap_share: packing.overlap_share,
        ignore_comments: packing.ignore_comments,
        ignore_case: packing.ignore_case,
        balance: packing.balance,
        min_score: packing.min_score,
        note: noted(&matched, &asked),
        searched_all: !is_weak && !request.sources_only,
        shares: Shares::of(intent, query.wants_tests, query.wants_docs),
        ..PackOptions::new(budget, checked.style.clone())
    };
    let count = |text: &str| count_until(request.tokenizer, text, stop);
    let advice: RefCell<Result<Advice, EngineError>> = RefCell::new(Ok(Advice::default()));
    let guide = |items: &[Item], left_out: &[Excluded]| {
        let wish = (&request.door, budget, stop);
        let made = advise(&snapshot, &asked, &rows, items, left_out, wish);
        let hints = made
            .as_ref()
            .map_or_else(|_| Vec::new(), |advice| advice.hints.clone());
        *advice.borrow_mut() = made;
        hints
    };
    let visit = request.session.as_deref().map(|id| Visit::begin(engine, id, now));
    let session = visit.as_ref().map(|visit| visit.session(intent));
    let mut packed =
        make_pack(&task, pieces, &options, session.as_ref(), &count, &guide, stop).map_err(pack_error)?;
    let advice = advice.into_inner()?;
    stop.check()?;
    excluded.append(&mut packed.excluded);
    packed.excluded = excluded;
    watch.lap("pack");
    let items: Vec<PackItem> = packed
        .items
        .iter()
        .map(|item| pack_item(item, &options.priorities))
        .collect();
    let mut warnings: Vec<PackWarning> = warnings.into_iter().map(|text| warning("index", text)).collect();
    let session = visit.map(|visit| end_visit(visit, request, &packed, intent, &mut warnings, now));
    warnings.extend(window_warning(
        request,
        packed.tokens,
        packing.warn_threshold_percent,
    ));
    let stats = stats(&packed, n_candidates, budget, changed_files);
    let mut sections = BTreeMap::new();
    for item in &items {
        *sections.entry(item.section.clone()).or_insert(0) += item.tokens;
    }
    if packed.frame_tokens > 0 {
        sections.insert(FRAME.to_owned(), packed.frame_tokens);
    }
    Ok(PackReply {
        tokens: packed.tokens,
        budget,
        tokenizer: request.tokenizer.name().to_owned(),
        exact: request.tokenizer.is_exact(),
        task: task.clone(),
        intent: intent.as_str().to_owned(),
        intent_inferred: checked.intent.is_none(),
        weights: PackWeights {
            relevance: options.weights.relevance,
            recency: options.weights.recency,
            source: options.weights.source,
        },
        format: if request.template.is_some() {
            "template".to_owned()
        } else {
            checked.style.format.as_str().to_owned()
        },
        matched,
        index,
        items,
        excluded: packed.excluded.iter().map(pack_excluded).collect(),
        sections,
        frame_tokens: packed.frame_tokens,
        candidates_ran_out: packed.ran_out,
        suggested_next_queries: advice.commands,
        missing_context_hints: advice.hints,
        warnings,
        session,
        stats,
        timings_ms: watch.times,
        text: packed.text,
    })
}

/// What the pack shows is to be written down when it was handed over, unless nobody gets to see it.
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
    let deliveries: Vec<NewDelivery> = packed
        .items
        .iter()
        .filter(|item| stands(item))
        .flat_map(|item| shown(&item.piece, &item.lines, item.resolution, intent))
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
        referred: of(|item| matches!(item.seen, Some(Seen::Delivered { .. }))),
        changed: of(|item| matches!(item.seen, Some(Seen::Changed { .. })) && !item.lines.is_empty()),
        tokens_saved: packed.tokens_saved,
        delivery,
    }
}

/// What the reader should know first: what does not exist, how weak the match is, what was not looked for.
fn noted(matched: &Matched, asked: &Query) -> String {
    let left_out = asked.left_out.iter().map(|what| format!("Note: {what}."));
    let said: Vec<String> = matched.say().into_iter().chain(left_out).collect();
    said.join(" ")
}

fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn pack_error(error: PackError) -> EngineError {
    match error {
        PackError::Template(error) => EngineError::Invalid {
            code: "FORMATTING_ERROR",
            message: format!("the template: {error}"),
        },
        PackError::Stopped => EngineError::Cancelled,
        overflow @ PackError::Overflow { .. } => EngineError::Internal {
            message: overflow.to_string(),
        },
    }
}

/// A source and the file of the index that it is, whole.
type KnownFile<'s> = (&'s PackSource, i64, ParseId);

/// Sources that are whole files of the index need not be read and cut again: a hit is checked when it is served. The rest
/// is read.
fn known_files<'s>(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    sources: &'s [PackSource],
) -> Result<(Vec<KnownFile<'s>>, Vec<PackSource>), EngineError> {
    let mut known = Vec::new();
    let mut rest = Vec::new();
    for source in sources {
        let has_lines = source.line_start.or(source.line_end).is_some();
        let whole = source.content.is_none() && !has_lines && source.timestamp_ms.is_none();
        let path = source.path.as_ref().filter(|_| whole);
        let path = path.and_then(|path| engine.tree.resolve(Path::new(path), engine.root()).ok());
        let path = path.filter(|path| engine.tree.denied(path).is_none());
        let file = match path {
            Some(path) => snapshot.file(&path)?,
            None => None,
        };
        match file.and_then(|file| Some((file.id, file.parse?))) {
            Some((file, parse)) => known.push((source, file, parse)),
            None => rest.push(source.clone()),
        }
    }
    Ok((known, rest))
}

/// Definitions that were asked for by name.
fn add_symbols(
    collector: &mut Collector<'_, '_>,
    snapshot: &Snapshot<'_>,
    request: &PackRequest<'_>,
    excluded: &mut Vec<Excluded>,
) -> Result<(), EngineError> {
    for name in &request.symbols {
        request.stop.check()?;
        let found = definitions_of(snapshot, name)?;
        if found.is_empty() {
            let detail = "neither a file nor a name that the project defines".to_owned();
            excluded.push(Excluded {
                label: name.clone(),
                ..Excluded::refused(name.clone(), None, ExcludedReason::Missing, detail)
            });
        }
        for symbol in found {
            let Some(row) = snapshot.chunk_at(symbol.file, symbol.parse, symbol.name_line)? else {
                continue;
            };
            let found = Found {
                origin: Origin::Reference,
                relevance: Some(1.0),
                reasons: Vec::new(),
                pinned: true,
                pulled_by: None,
            };
            collector.add(row, found)?;
        }
    }
    Ok(())
}
