//! `query`: answers a question with a small text for a model; used by `query_context` over MCP and HTTP (MCP-2, MCP-3).
//!
//! `search` finds the hits. This module decides how much of each is shown within `max_tokens`, and replaces what the
//! session has seen before. The two steps are separate, because hits may come from elsewhere: before there is an
//! index, from a live scan.

use std::borrow::Cow;

use kitbag_pack::{Entry, Intent, ListOptions, Origin, Piece, Resolution, Role, SeenBefore, list};
use kitbag_store::NewDelivery;
use kitbag_tokens::Tokenizer;
use kitbag_types::{ChunkKind, LineRange, Query, RepoPath, Scope, Stop, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

use super::live::NOT_INDEXED;
use super::{
    AllPlaces, HistoryReply, Hit, IndexState, Matched, PackSession, SearchReply, SearchRequest, search,
};
use crate::budget::count_until;
use crate::conventions::analyse;
use crate::pack::find_focus;
use crate::session::{Delivery, LOST, Visit, check_id, shown};
use crate::{Engine, EngineError, Progress};

/// The range and the default of `max_tokens`.
const MIN_TOKENS: usize = 200;
const MAX_TOKENS: usize = 25_000;
const DEFAULT_TOKENS: usize = 2_000;

#[derive(Debug)]
pub struct QueryRequest<'r> {
    pub query: String,
    /// The most tokens of the finished text, 200 to 25,000.
    pub max_tokens: usize,
    /// Text that this session was sent before is replaced by references (ENG-40).
    pub session: Option<String>,
    pub paths: Vec<String>,
    pub exclude: Vec<String>,
    pub languages: Vec<String>,
    /// As in [`SearchRequest`].
    pub packages: Vec<String>,
    pub scope: Option<Scope>,
    /// How many results are used; without it, as configured.
    pub top: Option<usize>,
    /// Kinds of chunks; empty: all.
    pub kinds: Vec<String>,
    /// From 0 to 1, relative to the best; without it, as configured.
    pub min_score: Option<f64>,
    /// Who asks; empty if there is one user.
    pub user: &'r str,
    pub tokenizer: &'r Tokenizer,
    /// `text`, or `json` for programs.
    pub format: String,
    /// Every line on which the query stands, a name or a literal, with the cursor of the page before (RET-28).
    pub all: bool,
    pub cursor: Option<String>,
    pub update: bool,
    /// Ends the query with [`EngineError::Cancelled`].
    pub stop: Stop<'r>,
}

impl<'r> QueryRequest<'r> {
    pub fn new(query: impl Into<String>, tokenizer: &'r Tokenizer) -> Self {
        Self {
            query: query.into(),
            max_tokens: DEFAULT_TOKENS,
            session: None,
            paths: Vec::new(),
            exclude: Vec::new(),
            languages: Vec::new(),
            packages: Vec::new(),
            scope: None,
            top: None,
            kinds: Vec::new(),
            min_score: None,
            user: "",
            tokenizer,
            format: "text".to_owned(),
            all: false,
            cursor: None,
            update: true,
            stop: Stop::never(),
        }
    }
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct QueryReply {
    /// For the model, never more than `max_tokens`.
    pub text: String,
    pub tokens: usize,
    /// Best first.
    pub results: Vec<QueryResult>,
    /// How many were found, shown or not.
    pub total: usize,
    /// Results that did not fit, not even by name.
    pub omitted: usize,
    pub session: Option<PackSession>,
    pub index: IndexState,
    #[serde(rename = "match")]
    pub matched: Matched,
    /// With all: every place; its cursor goes on where the text ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<AllPlaces>,
    /// If the query asks about history: the commits that answer it (RET-13).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Box<HistoryReply>>,
    pub warnings: Vec<String>,
}

/// A result and how the text shows it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct QueryResult {
    pub rank: usize,
    pub path: String,
    pub line_start: u32,
    pub line_end: u32,
    pub kind: Cow<'static, str>,
    pub label: String,
    pub language: String,
    pub score: f64,
    /// `full`, `outline` (its important lines), `reference` (only its place) or `omitted`.
    pub shown: &'static str,
    /// The lines that are in the text.
    pub lines_shown: Vec<[u32; 2]>,
    /// The answers of the session that show it; then it is only named here.
    pub delivered_in: Vec<u32>,
    /// The answer of the session that shows an older version of it.
    pub changed_since: Option<u32>,
}

pub fn query(
    engine: &Engine,
    request: &QueryRequest<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<QueryReply, EngineError> {
    check(request)?;
    let search_request = SearchRequest {
        top: request.top,
        paths: request.paths.clone(),
        exclude: request.exclude.clone(),
        languages: request.languages.clone(),
        packages: request.packages.clone(),
        scope: request.scope,
        all: request.all,
        cursor: request.cursor.clone(),
        kinds: request.kinds.clone(),
        min_score: request.min_score,
        user: request.user,
        update: request.update,
        stop: request.stop,
        ..SearchRequest::new(request.query.clone())
    };
    let found = search(engine, &search_request, progress, now)?;
    render_hits(engine, request, found, now)
}

/// Of the answer to a question about history, this share of the tokens may be commits; the rest is code.
const HISTORY_SHARE: f64 = 0.65;
/// Two texts that are joined may have a token or two more than apart.
const SEAM: usize = 4;

/// Every place of a name or a literal, as many lines as fit.
fn render_places(request: &QueryRequest<'_>, found: SearchReply, mut places: AllPlaces) -> QueryReply {
    let count = |text: &str| count_until(request.tokenizer, text, request.stop);
    let (mut text, cursor) = places.text_within(request.max_tokens.saturating_sub(60), &count);
    if let Some(cursor) = &cursor {
        text.push_str(&format!("There is more: ask again with cursor `{cursor}`.\n"));
    }
    places.cursor = cursor;
    QueryReply {
        total: 0,
        tokens: count(&text),
        text,
        results: Vec::new(),
        omitted: 0,
        session: None,
        index: found.index,
        matched: found.matched,
        places: Some(places),
        history: None,
        warnings: found.warnings,
    }
}

/// The commits that answer a question, whole ones, as many as fit, and their tokens.
fn history_text(
    history: Option<&HistoryReply>,
    budget: usize,
    count: &dyn Fn(&str) -> usize,
) -> (String, usize) {
    let mut shown = String::new();
    let mut n_tokens = 0;
    for text in history.map(HistoryReply::texts).unwrap_or_default() {
        let text = text + "\n";
        let n = count(&text);
        if n_tokens + n <= budget {
            n_tokens += n;
            shown.push_str(&text);
        }
    }
    (shown, n_tokens)
}

/// Answers a request from hits that are found already, by [`search()`] or otherwise.
pub fn render_hits(
    engine: &Engine,
    request: &QueryRequest<'_>,
    found: SearchReply,
    now: Timestamp,
) -> Result<QueryReply, EngineError> {
    check(request)?;
    request.stop.check()?;
    // Files that must not be shown are left out, whoever found them (PACK-2).
    let is_denied =
        |hit: &Hit| RepoPath::new(hit.path.clone()).is_ok_and(|path| engine.tree.denied(&path).is_some());
    let mut found = found;
    if let Some(places) = found.places.take() {
        return Ok(render_places(request, found, places));
    }
    let stop = request.stop;
    let count = |text: &str| count_until(request.tokenizer, text, stop);
    let history = found.history.take();
    let share = (request.max_tokens as f64 * HISTORY_SHARE) as usize;
    let is_text = request.format == "text";
    let (past, n_past) = history_text(history.as_deref().filter(|_| is_text), share, &count);
    let n_past = if past.is_empty() { 0 } else { n_past + SEAM };
    let results = std::mem::take(&mut found.results);
    let hits: Vec<Hit> = results.into_iter().filter(|hit| !is_denied(hit)).collect();
    let asked = analyse(&request.query);
    let pieces = pieces(&asked, &hits);
    let intent = Intent::infer(&request.query);
    let options = ListOptions {
        budget: request.max_tokens - n_past,
        json: request.format == "json",
        note: note(
            request,
            &found,
            &asked.left_out,
            hits.is_empty() && history.is_none(),
        ),
    };
    let visit = request.session.as_deref().map(|id| Visit::begin(engine, id, now));
    let session = visit.as_ref().map(|visit| visit.session(intent));
    let listing = list(&pieces, &options, session.as_ref(), &count, stop)?;
    let mut warnings = found.warnings;
    let all = || pieces.iter().zip(&listing.entries);
    let session = visit.map(|visit| {
        let deliveries: Vec<NewDelivery> = all()
            .filter_map(|(piece, entry)| Some(shown(piece, &entry.lines, entry.resolution?, intent)))
            .flatten()
            .collect();
        let ended = visit.end(deliveries, now);
        let lost = ended.as_ref().err().and_then(Option::as_ref);
        warnings.extend(lost.map(|reason| format!("{reason}; {LOST}")));
        let delivery = ended.ok();
        let of = |is: fn(&Entry) -> bool| listing.entries.iter().filter(|entry| is(entry)).count();
        PackSession {
            id: request.session.clone().unwrap_or_default(),
            answer: delivery.as_ref().map(Delivery::answer),
            referred: of(|entry| matches!(entry.seen, Some(SeenBefore::Delivered { .. }))),
            changed: of(|entry| {
                matches!(entry.seen, Some(SeenBefore::Changed { .. })) && !entry.lines.is_empty()
            }),
            tokens_saved: listing.tokens_saved,
            delivery,
        }
    });
    let results = hits
        .iter()
        .zip(&listing.entries)
        .map(|(hit, entry)| result(hit, entry));
    Ok(QueryReply {
        total: listing.entries.len(),
        results: results.collect(),
        omitted: listing
            .entries
            .iter()
            .filter(|entry| entry.resolution.is_none())
            .count(),
        session,
        index: found.index,
        matched: found.matched,
        places: None,
        history,
        warnings,
        tokens: listing.tokens + n_past,
        text: past + &listing.text,
    })
}

fn check(request: &QueryRequest<'_>) -> Result<(), EngineError> {
    let invalid = |code, message| Err(EngineError::Invalid { code, message });
    if !(MIN_TOKENS..=MAX_TOKENS).contains(&request.max_tokens) {
        let message = format!(
            "max_tokens must be between {MIN_TOKENS} and {MAX_TOKENS}, not {}",
            request.max_tokens
        );
        return invalid("BUDGET_ERROR", message);
    }
    if !["text", "json"].contains(&request.format.as_str()) {
        let message = format!("unknown format `{}`; known are text, json", request.format);
        return invalid("INVALID_FORMAT", message);
    }
    request.session.as_deref().map_or(Ok(()), check_id)
}

/// A note before the answer: how much of the project was searched, and what to do if nothing was found.
fn note(request: &QueryRequest<'_>, found: &SearchReply, left_out: &[String], nothing: bool) -> String {
    let (index, warnings) = (&found.index, &found.warnings);
    let matched = found.matched.say();
    let mut said: Vec<String> = matched
        .iter()
        .map(|said| said.trim_end_matches('.').to_owned())
        .collect();
    said.extend_from_slice(left_out);
    if !index.complete {
        let more = if nothing { "" } else { "; there may be more" };
        // A live scan says how many files it searched.
        let looked = warnings.iter().filter(|warning| warning.starts_with(NOT_INDEXED));
        let looked: String = looked.map(|warning| format!("; {warning}")).collect();
        said.push(format!(
            "index not complete: {} are searchable ({} of about {} files){looked}{more}",
            index.say(),
            index.files,
            index.expected
        ));
    }
    if nothing {
        let filters = [
            ("paths", !request.paths.is_empty()),
            ("exclude", !request.exclude.is_empty()),
            ("languages", !request.languages.is_empty()),
            ("package", !request.packages.is_empty()),
            ("scope", request.scope.is_some()),
        ];
        let used: Vec<&str> = filters
            .iter()
            .filter(|(_, used)| *used)
            .map(|(name, _)| *name)
            .collect();
        let mut tries = vec![
            "other words".to_owned(),
            "the name of a function, type or file".to_owned(),
        ];
        if !used.is_empty() {
            tries.insert(0, format!("without {}", used.join(", ")));
        }
        if !index.complete {
            tries.push("again when more is indexed".to_owned());
        }
        said.push(format!("nothing found; try {}", tries.join(", or ")));
    }
    said.join("; ")
}

fn pieces(question: &Query, hits: &[Hit]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = hits.iter().map(piece).collect();
    find_focus(&mut pieces.iter_mut().collect::<Vec<_>>(), question);
    pieces
}

/// A piece with only what a listing needs.
fn piece(hit: &Hit) -> Piece {
    // A live scan may count a last line break as a line.
    let n_lines = u32::try_from(hit.text.split('\n').count()).unwrap_or(u32::MAX);
    let first = hit.line_start.max(1);
    Piece {
        id: String::new(),
        path: hit.path.clone(),
        is_file: true,
        given: 0,
        lines: LineRange::new(first, first.saturating_add(n_lines - 1)),
        text: hit.text.clone(),
        tokens: None,
        blank_after: 0,
        language: hit.language.clone(),
        line_comments: &[],
        kind: ChunkKind::parse(&hit.kind).unwrap_or(ChunkKind::CodeBlock),
        label: hit.label_with_part(),
        names: Vec::new(),
        origin: Origin::Search,
        role: Role::Code,
        relevance: hit.score,
        recency: 0.0,
        pinned: false,
        asked: Vec::new(),
        is_log: false,
        named: false,
        pulled_by: None,
        note: String::new(),
        heads: Vec::new(),
        above: Vec::new(),
        part: None,
        summary: Vec::new(),
        focus: Vec::new(),
        at: "worktree".to_owned(),
        providers: Vec::new(),
        reasons: Vec::new(),
    }
}

fn result(hit: &Hit, entry: &Entry) -> QueryResult {
    QueryResult {
        rank: hit.rank,
        path: hit.path.clone(),
        line_start: hit.line_start,
        line_end: hit.line_end,
        kind: hit.kind.clone(),
        label: hit.label.clone(),
        language: hit.language.clone(),
        score: hit.score,
        shown: entry.resolution.map_or("omitted", Resolution::as_str),
        lines_shown: entry
            .lines
            .iter()
            .map(|lines| [lines.start(), lines.end()])
            .collect(),
        delivered_in: match &entry.seen {
            Some(SeenBefore::Delivered { answers, .. }) => answers.clone(),
            _ => Vec::new(),
        },
        changed_since: match entry.seen {
            Some(SeenBefore::Changed { since }) if !entry.lines.is_empty() => Some(since),
            _ => None,
        },
    }
}
