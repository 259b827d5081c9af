//! `search`: from a question to ranked chunks.

use std::borrow::Cow;

use kitbag_rank::query::{HistoryQuestion, history_question};
use kitbag_store::{Snapshot, Store, StoreError};
use kitbag_types::{ChunkKind, Filter, RepoPath, Scope, Stop, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::all_places::{AllPlaces, PageRequest, all_places};
use super::past_reply::HistoryReply;
use crate::added::{self, AddedChunk};
use crate::conventions::analyse;
use crate::current::{Head, Reader};
use crate::globs;
use crate::health::needs_mending;
use crate::index::run;
use crate::index_state::{IndexState, incomplete, index_state_of};
use crate::matched::{Matched, rounded};
use crate::matching::Match;
use crate::past::of_question;
use crate::providers::switches;
use crate::request::{MAX_GLOB_BYTES, MOST_GLOBS, check_packages, language_names, one_of, yes};
use crate::retrieve::gather;
use crate::run::RunOptions;
use crate::scope::scopes;
use crate::{Engine, EngineError, Progress};

/// Longer questions are refused; the text of a whole issue is a tenth of this (SEC-4).
const MAX_QUERY_BYTES: usize = 256 << 10;
/// Most results of one search.
pub const MAX_TOP: usize = 1000;
/// A question. Every door reads and writes this struct: the command line fills it, a server takes it as JSON.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest<'s> {
    pub query: String,
    /// How many results; without it, as configured.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_TOP))]
    pub top: Option<usize>,
    /// Globs: one must match.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Globs: none may match.
    #[serde(default)]
    pub exclude: Vec<String>,
    #[serde(default)]
    #[schemars(extend("items" = one_of(&language_names())))]
    pub languages: Vec<String>,
    #[serde(default)]
    #[schemars(extend("items" = one_of(&ChunkKind::ALL.map(ChunkKind::as_str))))]
    pub kinds: Vec<String>,
    /// Names or folders of packages: results are from these, and from what scope adds to them.
    #[serde(default)]
    pub packages: Vec<String>,
    /// Without it: only the named packages, or the whole repository if none are named. With it and without packages, it starts from
    /// the package of the active file, else from those of the files that the query names (ENG-20).
    #[serde(default, with = "crate::scope::word")]
    #[schemars(with = "Option<String>", extend("enum" = scopes()))]
    pub scope: Option<Scope>,
    /// Only files that changed then or later, in milliseconds since 1970: by the history, or by their time stamps if there is none.
    #[serde(default)]
    #[schemars(range(min = 0, max = LAST_MS))]
    pub since_ms: Option<i64>,
    /// The lowest score of a result; without it, as configured.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub min_score: Option<f64>,
    /// Results that repeat better ones move down: 0 is all diversity, 1 all relevance (RET-30). Without it, nothing
    /// moves.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub mmr_lambda: Option<f64>,
    /// The file that is open: results in its folder and language move up.
    #[serde(default)]
    pub active: Option<String>,
    /// False: use the index as it is.
    #[serde(default = "yes")]
    pub update: bool,
    /// Providers and factors to switch off, to see their effect.
    #[serde(default)]
    #[schemars(extend("items" = one_of(&switches())))]
    pub without: Vec<String>,
    /// Every line on which the query stands, a name or a literal, instead of the best places for it; `top` lines on a page (RET-28).
    #[serde(default)]
    pub all: bool,
    /// What the page before gave, for the next one.
    #[serde(default)]
    pub cursor: Option<String>,
    /// With all: capitals or not.
    #[serde(default)]
    pub ignore_case: bool,
    /// Who asks; empty if there is one user. A door says so, not a request.
    #[serde(skip)]
    pub user: &'s str,
    /// Stops the search with [`EngineError::Cancelled`].
    #[serde(skip)]
    pub stop: Stop<'s>,
}

impl SearchRequest<'_> {
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            update: true,
            ..Self::default()
        }
    }

    /// Every place is wanted; who has a cursor wants the next page.
    pub fn is_all(&self) -> bool {
        self.all || self.cursor.is_some()
    }
}

/// The end of the year 9999.
pub(super) const LAST_MS: i64 = 253_402_300_799_999;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SearchReply {
    pub query: String,
    pub index: IndexState,
    /// How well the best result matches at all; scores are relative to it.
    #[serde(rename = "match", default)]
    pub matched: Matched,
    pub results: Vec<Hit>,
    /// With all: every place; then there are no results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<AllPlaces>,
    /// If the query asks about history: the commits that answer it (RET-13). The results are the code that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<Box<HistoryReply>>,
    pub warnings: Vec<String>,
}

impl SearchReply {
    /// A reply without results, with the reason.
    pub fn nothing(query: &str, warning: String) -> Self {
        Self {
            query: query.to_owned(),
            index: IndexState::default(),
            matched: Matched::unknown(),
            results: Vec::new(),
            places: None,
            history: None,
            warnings: vec![warning],
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    pub rank: usize,
    pub path: String,
    pub line_start: u32,
    pub line_end: u32,
    pub kind: Cow<'static, str>,
    pub label: String,
    /// Part 2 of 3 is `[2, 3]`; null if the definition is not split.
    #[serde(default)]
    pub part: Option<[u32; 2]>,
    /// The definition that it is a part of; null if it is not a part.
    #[serde(default)]
    pub definition: Option<Whole>,
    pub language: String,
    /// 0 to 1, relative to the best result.
    pub score: f64,
    pub reasons: Vec<Factor>,
    /// Names of the providers that found it; not in the JSON, because the reasons have them too.
    #[serde(skip)]
    pub found_by: Vec<&'static str>,
    /// Exact, by the o200k tokenizer.
    pub tokens: u32,
    pub text: String,
}

/// A definition that is split into parts (IDX-18).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Whole {
    /// With its doc comment and attributes.
    pub line_start: u32,
    pub line_end: u32,
    /// The line of its name.
    pub head_line: u32,
    pub signature: String,
}

impl From<Head> for Whole {
    fn from(head: Head) -> Self {
        Self {
            line_start: head.lines.start(),
            line_end: head.lines.end(),
            head_line: head.name_line,
            signature: head.signature,
        }
    }
}

impl Hit {
    /// The label, with the part: `Parser::next (part 2 of 3)`.
    pub fn label_with_part(&self) -> String {
        match self.part {
            Some([part, n_parts]) => format!("{} (part {part} of {n_parts})", self.label),
            None => self.label.clone(),
        }
    }
}

/// One factor of a score. The names are documented in docs/ranking.md.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Factor {
    pub factor: Cow<'static, str>,
    pub value: f64,
}

pub fn search(
    engine: &Engine,
    request: &SearchRequest<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<SearchReply, EngineError> {
    let filter = check(engine, request)?;
    let (mut reply, repaired) = engine.repairing(|again| {
        let mut warnings = Vec::new();
        if request.update || again || needs_mending(engine) {
            update(engine, request.stop, progress, now, &mut warnings)?;
        }
        answer(engine, request, &filter, warnings)
    })?;
    reply.warnings.extend(repaired);
    Ok(reply)
}

/// Brings the index up to date, repairs it if it is damaged, and returns warnings about both.
pub(super) fn brought_up_to_date(
    engine: &Engine,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<Vec<String>, EngineError> {
    let mut warnings = Vec::new();
    let (_, repaired) = engine.repairing(|_| update(engine, Stop::never(), progress, now, &mut warnings))?;
    warnings.extend(repaired);
    Ok(warnings)
}

/// Brings the index up to date. If that is not possible now, the index still answers as it is, with a warning.
pub(super) fn update(
    engine: &Engine,
    stop: Stop<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
    warnings: &mut Vec<String>,
) -> Result<(), EngineError> {
    let options = RunOptions {
        stop,
        ..RunOptions::default()
    };
    let outcome = match run(engine, options, progress, now) {
        // Worktrees share a store: while another one is indexed, this one may have no index yet. Then it waits.
        Err(EngineError::Store(StoreError::Busy { .. })) if !has_tree(engine) => run(
            engine,
            RunOptions {
                wait: true,
                ..options
            },
            progress,
            now,
        ),
        other => other,
    };
    match outcome {
        Ok(report) => warnings.extend(report.warnings),
        Err(EngineError::Store(StoreError::Busy { .. })) => {
            warnings.push("another process is indexing; this is what it has published so far".into());
        }
        Err(EngineError::Store(
            error @ (StoreError::ReadOnly { .. } | StoreError::Full { .. } | StoreError::Unwritable { .. }),
        )) => {
            warnings.push(format!("the index could not be brought up to date: {error}"));
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Whether anything of this project is stored; true if that is not known.
fn has_tree(engine: &Engine) -> bool {
    let has_tree = |store: &Store| Ok(Snapshot::open(store, engine.root())?.is_some());
    engine
        .open_store()
        .and_then(|store| has_tree(&store))
        .unwrap_or(true)
}

fn answer(
    engine: &Engine,
    request: &SearchRequest<'_>,
    filter: &Filter,
    mut warnings: Vec<String>,
) -> Result<SearchReply, EngineError> {
    let store = engine.open_store()?;
    let snapshot = engine.snapshot(&store)?;
    let index = index_state_of(engine, &snapshot)?;
    warnings.extend(incomplete(&index));
    let mut reply = SearchReply {
        index,
        ..SearchReply::nothing(&request.query, String::new())
    };
    if request.is_all() {
        let page = PageRequest {
            query: &request.query,
            ignore_case: request.ignore_case,
            cursor: request.cursor.as_deref(),
            lines: request.top,
            stop: request.stop,
        };
        reply.places = Some(all_places(engine, &snapshot, page, filter, &mut warnings)?);
        reply.warnings = warnings;
        return Ok(reply);
    }
    let question = asked_of_history(engine, request);
    if let Some(question) = &question {
        let past = of_question(engine, &snapshot, question, filter, request.stop)?;
        warnings.extend(past.warnings.iter().cloned());
        reply.history = Some(Box::new(HistoryReply::of(past))).filter(|past| !past.is_empty());
    }
    // What a question about history is about is what code is looked for.
    let about = question.map_or_else(|| request.query.clone(), |question| question.subject);
    if !about.trim().is_empty() {
        let request = SearchRequest {
            query: about,
            ..request.clone()
        };
        (reply.results, reply.matched) = hits(engine, &snapshot, &request, filter, &mut warnings)?;
        add_texts(engine, &request, filter, &mut reply.results);
    }
    reply.warnings = warnings;
    Ok(reply)
}

/// What the query asks of history, if it does and history may be asked.
fn asked_of_history(engine: &Engine, request: &SearchRequest<'_>) -> Option<HistoryQuestion> {
    let is_off = request.without.iter().any(|name| name == "git_history");
    history_question(&request.query).filter(|_| engine.is_on("git_history") && !is_off)
}

/// What was handed in to be searched stands among the results by the words that it has; a text that stands for a file is shown
/// instead of it.
fn add_texts(engine: &Engine, request: &SearchRequest<'_>, filter: &Filter, results: &mut Vec<Hit>) {
    let texts = added::texts(engine, request.user);
    if texts.is_empty() || !filter.packages.is_empty() || filter.since.is_some() {
        return;
    }
    results.retain(|hit| !texts.iter().any(|added| added.name == hit.path));
    let is_wanted = |chunk: &AddedChunk| {
        (filter.languages.is_empty() || filter.languages.contains(&chunk.language))
            && (filter.kinds.is_empty() || filter.kinds.contains(&chunk.chunk.kind))
            && chunk.share >= filter.min_score
            && globs::allows(&filter.paths, &filter.exclude, &chunk.name)
    };
    let found = added::found(engine, &texts, &request.query);
    results.extend(found.into_iter().filter(is_wanted).map(Hit::from));
    results.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score
            .then_with(|| a.path.cmp(&b.path))
            .then_with(|| a.line_start.cmp(&b.line_start))
    });
    results.truncate(request.top.unwrap_or(engine.options.searching.top));
    for (idx, hit) in results.iter_mut().enumerate() {
        hit.rank = idx + 1;
    }
}

/// The hits of a checked request, from an open snapshot.
pub(super) fn hits(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    request: &SearchRequest<'_>,
    filter: &Filter,
    warnings: &mut Vec<String>,
) -> Result<(Vec<Hit>, Matched), EngineError> {
    let query = analyse(&request.query);
    warnings.extend(query.left_out.iter().cloned());
    let found = gather(engine, snapshot, &query, filter, warnings, request.stop)?;
    warnings.extend(found.failed.iter().map(|one| one.reason.clone()));
    let matched =
        Matched::of(Match::of(snapshot, &query, &found, request.stop)?).known_if(snapshot.is_complete());
    let mut reader = Reader::new(engine, snapshot);
    let top = request.top.unwrap_or(engine.options.searching.top);
    let mut results: Vec<Hit> = Vec::new();
    for hit in found.candidates {
        if results.len() == top {
            break;
        }
        request.stop.check()?;
        let Some(current) = reader.current(&hit.chunk)? else {
            continue;
        };
        let path = hit.chunk.path.as_str();
        // Two stale hits may have become one chunk.
        if current.changed
            && results
                .iter()
                .any(|known| known.path == path && known.line_start == current.lines.start())
        {
            continue;
        }
        let whole = reader.whole(&hit.chunk, &current)?;
        results.push(Hit {
            rank: results.len() + 1,
            path: path.to_owned(),
            line_start: current.lines.start(),
            line_end: current.lines.end(),
            kind: hit.chunk.kind.as_str().into(),
            label: current.label,
            part: (current.part.1 > 1).then_some(current.part.into()),
            definition: whole.map(Whole::from),
            language: hit.chunk.language.clone(),
            score: rounded(hit.score),
            reasons: hit
                .reasons
                .iter()
                .map(|reason| Factor {
                    factor: reason.factor.into(),
                    value: rounded(reason.value),
                })
                .collect(),
            found_by: hit.found_by,
            tokens: current.tokens,
            text: current.text,
        });
    }
    Ok((results, matched))
}

pub(super) fn check(engine: &Engine, request: &SearchRequest<'_>) -> Result<Filter, EngineError> {
    let invalid = |code, message| EngineError::Invalid { code, message };
    if request.query.trim().is_empty() {
        return Err(invalid("INVALID_QUERY", "the query is empty".into()));
    }
    if request.query.len() > MAX_QUERY_BYTES {
        let n_bytes = request.query.len();
        let message = format!("the query has {n_bytes} bytes; at most {MAX_QUERY_BYTES} are taken");
        return Err(invalid("INVALID_QUERY", message));
    }
    if let Some(top) = request.top.filter(|top| !(1..=MAX_TOP).contains(top)) {
        let message = format!("top must be between 1 and {MAX_TOP}, not {top}");
        return Err(invalid("INVALID_TOP", message));
    }
    let min_score = request.min_score.unwrap_or(engine.options.searching.min_score);
    if !(0.0..=1.0).contains(&min_score) {
        let message = format!("min_score must be between 0 and 1, not {min_score}");
        return Err(invalid("INVALID_SCORE", message));
    }
    if let Some(since) = request.since_ms.filter(|since| !(0..=LAST_MS).contains(since)) {
        let message = format!("since_ms must be between 0 and {LAST_MS}, not {since}");
        return Err(invalid("INVALID_TIME", message));
    }
    if let Some(lambda) = request.mmr_lambda.filter(|lambda| !(0.0..=1.0).contains(lambda)) {
        return Err(invalid(
            "INVALID_LAMBDA",
            format!("mmr_lambda must be between 0 and 1, not {lambda}"),
        ));
    }
    let languages = check_languages(&request.languages)?;
    check_globs(&request.paths)?;
    check_globs(&request.exclude)?;
    if let Some(name) = request
        .without
        .iter()
        .find(|name| !engine.switches().contains(&name.as_str()))
    {
        let known = engine.switches().join(", ");
        let message = format!("nothing called `{name}` can be left out; known are {known}");
        return Err(invalid("INVALID_SWITCH", message));
    }
    if request.kinds.len() > ChunkKind::ALL.len() {
        let (n, most) = (request.kinds.len(), ChunkKind::ALL.len());
        return Err(invalid(
            "INVALID_KIND",
            format!("{n} kinds; there are only {most}"),
        ));
    }
    let mut kinds = Vec::new();
    for kind in &request.kinds {
        let names = || ChunkKind::ALL.map(ChunkKind::as_str).join(", ");
        let parsed = ChunkKind::parse(kind).ok_or_else(|| {
            invalid(
                "INVALID_KIND",
                format!("unknown kind `{kind}`; known are {}", names()),
            )
        })?;
        kinds.push(parsed);
    }
    let active = request.active.as_deref().map(RepoPath::new).transpose();
    let active = active.map_err(|error| invalid("PATH_DENIED", format!("the active file: {error}")))?;
    Ok(Filter {
        paths: request.paths.clone(),
        exclude: request.exclude.clone(),
        languages,
        kinds,
        packages: check_packages(&request.packages)?,
        scope: request.scope,
        at: active.clone(),
        since: request.since_ms.map(Timestamp),
        min_score,
        mmr_lambda: request.mmr_lambda,
        active,
        user: request.user.to_owned(),
        without: request.without.clone(),
    })
}

/// Checks the number and length of patterns: too many would take longer than the search (SEC-4).
pub(super) fn check_globs(globs: &[String]) -> Result<(), EngineError> {
    if globs.len() > MOST_GLOBS || globs.iter().any(|glob| glob.len() > MAX_GLOB_BYTES) {
        return Err(EngineError::Invalid {
            code: "INVALID_PATH",
            message: format!("at most {MOST_GLOBS} path patterns of {MAX_GLOB_BYTES} bytes are taken"),
        });
    }
    Ok(())
}

/// The languages that the words mean: names of `kitbag languages`, their extensions and other names (`js`, `c++`), or `text`.
pub(super) fn check_languages(languages: &[String]) -> Result<Vec<String>, EngineError> {
    let n_known = kitbag_syntax::LANGUAGES.len() + 1;
    if languages.len() > n_known {
        return Err(EngineError::Invalid {
            code: "INVALID_LANGUAGE",
            message: format!("{} languages; there are only {n_known}", languages.len()),
        });
    }
    let mut names: Vec<String> = Vec::new();
    for word in languages {
        let meant = match word.as_str() {
            "text" => vec!["text"],
            word => kitbag_syntax::meant_by(word),
        };
        if meant.is_empty() {
            let known: Vec<&str> = kitbag_syntax::LANGUAGES.iter().map(|row| row.name).collect();
            return Err(EngineError::Invalid {
                code: "INVALID_LANGUAGE",
                message: format!("unknown language `{word}`; known are {}, text", known.join(", ")),
            });
        }
        names.extend(meant.into_iter().map(str::to_owned));
    }
    Ok(names)
}
