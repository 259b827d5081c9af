//! `pack`: a task in, the text to put into a prompt out, with the account of every line of it.

mod check;
mod reply;

use std::collections::BTreeMap;
use std::time::Duration;

use kitbag_pack::{Format, Intent, Item, Origin, Pack, Seen, clean_text};
use kitbag_store::{NewDelivery, Snapshot, StoreError};
use kitbag_tokens::Tokenizer;
use kitbag_types::{Scope, Stop, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::search::{Hit, language_names, one_of, update, yes};
use crate::health::needs_mending;
use crate::pack::{Door, Job, make};
use crate::session::{Delivery, LOST, Visit, shown};
use crate::{Engine, EngineError, Progress};
pub(crate) use check::tokens_for;
use check::{Checked, check};
pub(super) use reply::pack_excluded;
use reply::reply_of;
pub use reply::{
    PackExcluded, PackFactor, PackItem, PackLike, PackReply, PackSession, PackStats, PackWarning, PackWeights,
};

/// More than any model takes.
pub const MAX_BUDGET: usize = 10_000_000;

/// Something handed in (PACK-1): content, or a path with lines if only some are meant.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
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

/// A task. Every door reads and writes this struct: the command line fills it, a server takes it as JSON.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackRequest<'r> {
    pub task: String,
    /// Tokens; without it and without a window, by the settings and the task, about 8000.
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_BUDGET))]
    pub max_tokens: Option<usize>,
    /// Instead of max_tokens: what a model's window leaves.
    #[serde(default)]
    pub window: Option<PackWindow>,
    /// How hard the task is, 1 to 10: moves the default where neither max_tokens nor a window is given.
    #[serde(default)]
    #[schemars(range(min = 1, max = 10))]
    pub complexity: Option<u8>,
    /// Whose tokens are counted; without it, as configured.
    #[serde(default)]
    pub model: Option<String>,
    /// Without one it is inferred from the task.
    #[serde(default)]
    #[schemars(extend("enum" = intents()))]
    pub intent: Option<String>,
    /// Without one: markdown.
    #[serde(default)]
    #[schemars(extend("enum" = formats()))]
    pub format: Option<String>,
    /// Used instead of a format. A server takes it only where server.templates is set.
    #[serde(default)]
    pub template: Option<String>,
    #[serde(default)]
    pub line_numbers: bool,
    /// What is handed in: kind, path or content, lines, relevance, pinned.
    #[serde(default)]
    pub sources: Vec<PackSource>,
    /// Search nothing: pack only the sources and symbols (PACK-4).
    #[serde(default)]
    pub sources_only: bool,
    /// Names whose definitions come before everything else.
    #[serde(default)]
    pub symbols: Vec<String>,
    /// Globs: one must match.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Globs: none may match.
    #[serde(default)]
    pub exclude: Vec<String>,
    #[serde(default)]
    #[schemars(extend("items" = one_of(&language_names())))]
    pub languages: Vec<String>,
    /// Names or folders: only these are searched, and what scope reaches from there.
    #[serde(default)]
    pub packages: Vec<String>,
    /// Without packages: from that of the first open file among the sources, else from those of the files that the task names.
    #[serde(default, with = "crate::scope::word")]
    #[schemars(with = "Option<String>", extend("enum" = super::scopes()))]
    pub scope: Option<Scope>,
    /// What this session was sent before is referred to, not sent again (ENG-40).
    #[serde(default)]
    pub session: Option<String>,
    /// The text is only looked at: nothing counts as sent to the session.
    #[serde(default)]
    pub preview: bool,
    /// The reply lists everything that was left out, not only what was handed in and could not be used.
    #[serde(default)]
    pub explain: bool,
    /// False: use the index as it is.
    #[serde(default = "yes")]
    pub update: bool,
    /// Counts instead of the model's: one that is open already, or that somebody brought.
    #[serde(skip)]
    pub tokenizer: Option<&'r Tokenizer>,
    /// In whose words it says how to go on.
    #[serde(skip)]
    pub door: Door,
    /// Ends the pack with [`EngineError::Cancelled`].
    #[serde(skip)]
    pub stop: Stop<'r>,
}

/// A model's window. The pack gets what the reserves leave.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct PackWindow {
    pub total: usize,
    /// For the system prompt.
    pub system_reserve: usize,
    /// For the answer.
    pub response_reserve: usize,
}

impl<'r> PackRequest<'r> {
    pub fn new(task: impl Into<String>, max_tokens: usize, tokenizer: &'r Tokenizer) -> Self {
        Self {
            task: task.into(),
            max_tokens: Some(max_tokens),
            tokenizer: Some(tokenizer),
            update: true,
            ..Self::default()
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
    let checked = check(engine, request)?;
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
    warnings: Vec<String>,
    now: Timestamp,
) -> Result<PackReply, EngineError> {
    let store = engine.open_store()?;
    let Some(snapshot) = Snapshot::open(&store, engine.root())? else {
        return Err(StoreError::Missing {
            path: engine.store_dir().to_owned(),
        }
        .into());
    };
    let job = Job {
        engine,
        snapshot: &snapshot,
        request,
        tokenizer: request
            .tokenizer
            .or(checked.tokenizer.as_ref())
            .expect("a request without a tokenizer was given one when it was checked"),
        intent: checked.intent,
        languages: &checked.languages,
        style: &checked.style,
        clock: watch.clock,
        now,
    };
    let mut made = make(job, &mut |stage| watch.lap(stage))?;
    let said = warnings
        .into_iter()
        .chain(std::mem::take(&mut made.asked.warnings));
    let mut warnings: Vec<PackWarning> = said.map(|text| warning("index", text)).collect();
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
        timings_ms: watch.times,
        ..reply_of(job, made, warnings)
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
