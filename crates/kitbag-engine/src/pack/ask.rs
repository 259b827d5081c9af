//! The first step: a task is taken apart, looked up in the index, and what was handed in with it is read.

use std::path::Path;
use std::time::Duration;

use kitbag_pack::{Excluded, Intent, Origin};
use kitbag_rank::tuning::{Group, WEAK_GUESSES, WEAK_GUESSES_OF_TEXT};
use kitbag_store::ParseId;
use kitbag_types::{Filter, Query, QueryShape, RepoPath};

use super::PackJob;
use super::change::{self, Change};
use super::depth::deepen;
use super::past;
use super::sources::{ReadSource, read_all};
use super::steer::steer;
use super::tell::WITHOUT_TASK;
use super::titled::{fuse, title_of};
use crate::EngineError;
use crate::added;
use crate::budget::{tokens_for, window_of};
use crate::conventions::analyse;
use crate::engine::Candidate;
use crate::index_state::{IndexState, incomplete, index_state_of};
use crate::matched::Matched;
use crate::matching::Match;
use crate::request::{PackSource, check_packages};
use crate::retrieve::{FailedProvider, gather};

/// A task, taken apart.
pub(crate) struct ParsedTask {
    /// Without secrets.
    pub task: String,
    pub intent: Intent,
    /// Tokens.
    pub budget: usize,
    /// The file that the person has open.
    pub active: Option<RepoPath>,
    /// What the task itself asks for.
    pub own: Query,
    /// The same with the places that handed-in logs and diffs name. Nobody asked whether those exist.
    pub query: Query,
    /// False: the pack is made of what was handed in and named.
    pub is_searched: bool,
    pub matched: Matched,
    pub index: IndexState,
    /// Providers that the pack was made without.
    pub failed: Vec<FailedProvider>,
    /// Processor time of each provider.
    pub times: Vec<(&'static str, Duration)>,
    pub warnings: Vec<String>,
}

/// What a pack can be made of: what was found, and what was handed in.
pub(super) struct Material {
    /// Best first.
    pub candidates: Vec<Candidate>,
    /// Sources that are whole files of the index.
    pub whole: Vec<WholeFile>,
    /// The other sources, read.
    pub given: Vec<ReadSource>,
    /// What is being worked on.
    pub change: Option<Change>,
    /// Sources that cannot be used.
    pub excluded: Vec<Excluded>,
}

/// A source that is a file of the index, whole. It need not be read and cut again: a hit is checked when it is served.
pub(super) struct WholeFile {
    pub source: PackSource,
    pub file: i64,
    pub parse: ParseId,
}

impl ParsedTask {
    /// What the reader should know first: what does not exist, how weak the match is, what was not looked for.
    pub(super) fn note(&self) -> String {
        let left_out = self.own.left_out.iter().map(|what| format!("Note: {what}."));
        let said: Vec<String> = self.matched.say().into_iter().chain(left_out).collect();
        said.join(" ")
    }
}

pub(super) fn ask(job: PackJob<'_>) -> Result<(ParsedTask, Material), EngineError> {
    let PackJob {
        engine,
        snapshot,
        request,
        ..
    } = job;
    let stop = request.stop;
    // A secret in the task is one in the title of the pack and in what is kept of it.
    let task = engine.tree.redact(&titled(job)).0.into_owned();
    let change = change::read(job)?;
    let filter = filter(job)?;
    let past = past::read(job, &task, change.is_some(), &filter)?;
    // What a question about history is about is what code is looked for.
    let own = analyse(past.as_ref().map_or(&task, |past| &past.about));
    let mut query = own.clone();
    // "Review this change" says nothing about what to look for: the change itself does. Nor does "what changed lately?".
    let is_told = past.as_ref().is_none_or(|past| !past.about.is_empty());
    let is_searched = job.wants_snippets()
        && !request.sources_only
        && is_told
        && (change.is_none() || change::tells(&task));
    steer(&mut query, &request.sources);
    let is_steered = query.references.len() > own.references.len();
    let mut warnings = own.left_out.clone();
    let (whole, mut to_read) = whole_files(job)?;
    if let Some(change) = &change {
        to_read.extend(change.source.clone());
        warnings.extend(change.warnings.iter().cloned());
    }
    if let Some(past) = &past {
        to_read.extend(past.sources.iter().cloned());
        warnings.extend(past.warnings.iter().cloned());
    }
    if is_searched {
        to_read.extend(added::sources(engine, request.user, &task));
    }
    let deadline = (job.clock)() + engine.options.packing.source_limit;
    let left = || match stop.is_stopped() {
        true => Duration::ZERO,
        false => deadline.saturating_sub((job.clock)()),
    };
    let ((given, excluded), gathered) = std::thread::scope(|scope| {
        let given = scope.spawn(|| read_all(engine, &to_read, &left));
        // Loading a vocabulary takes longer than a search.
        scope.spawn(|| job.tokenizer.count("a"));
        let gathered = is_searched.then(|| gather(engine, snapshot, &query, &filter, &mut warnings, stop));
        (joined(given), gathered)
    });
    let (intent, budget) = intent_and_budget(job, &task, query.shape)?;
    let gathered = gathered.transpose()?;
    // What could not be read in time was perhaps only not wanted any more.
    stop.check()?;
    let mut matched = Matched::unknown();
    let (mut candidates, mut failed, mut times) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(gathered) = gathered {
        matched = Matched::of(Match::of(snapshot, &own, &gathered, stop)?).known_if(snapshot.is_complete());
        if is_steered && matched.is_weak() {
            // The words of the task did not decide what was found, so they do not tell how well it fits.
            matched = Matched::unknown();
        }
        (candidates, failed, times) = (gathered.candidates, gathered.failed, gathered.times);
        if let Some(title) = title_of(&own).filter(|_| !is_steered) {
            // What it warns of, the whole text was warned of.
            let titled = gather(engine, snapshot, &title, &filter, &mut Vec::new(), stop)?;
            candidates = fuse(candidates, titled.candidates);
        }
    }
    candidates = match matched.is_weak() {
        true => guesses(&own, candidates),
        false => deepen(snapshot, candidates, budget, stop)?,
    };
    let share = found_share(past.as_ref(), change.is_some());
    candidates.iter_mut().for_each(|hit| hit.score *= share);
    let index = index_state_of(engine, snapshot)?;
    warnings.extend(incomplete(&index));
    let asked = ParsedTask {
        task,
        intent,
        budget,
        active: open_file(&request.sources),
        own,
        query,
        is_searched,
        matched,
        index,
        failed,
        times,
        warnings,
    };
    let material = Material {
        candidates,
        whole,
        given,
        change,
        excluded,
    };
    Ok((asked, material))
}

/// Guesses are shown to be judged, not to fill the budget (RET-26).
fn guesses(own: &Query, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.truncate(match Group::of(own) {
        Group::Text => WEAK_GUESSES_OF_TEXT,
        _ => WEAK_GUESSES,
    });
    candidates
}

/// What a search result counts beside commits that answer the question, or beside a change.
fn found_share(past: Option<&past::PastSources>, has_change: bool) -> f64 {
    match past.filter(|past| !past.sources.is_empty()) {
        Some(past) => past.found_share,
        None if has_change => change::FOUND_SHARE,
        None => 1.0,
    }
}

/// The task, or what stands for one in the title of a pack that has none.
fn titled(job: PackJob<'_>) -> String {
    let request = job.request;
    let root = || {
        let name = job.engine.root().file_name();
        name.map_or_else(
            || "the project".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        )
    };
    match (request.task.trim().is_empty(), request.packages.first()) {
        (false, _) => request.task.clone(),
        (true, _) if request.map => format!("Map of {}", root()),
        (true, Some(package)) => format!("Package {}", called(job, package)),
        (true, None) => root(),
    }
}

fn intent_and_budget(
    job: PackJob<'_>,
    task: &str,
    shape: QueryShape,
) -> Result<(Intent, usize), EngineError> {
    if job.request.task.trim().is_empty() {
        return Ok((job.intent.unwrap_or(WITHOUT_TASK), tokens_without_task(job)?));
    }
    let intent = job.intent.unwrap_or_else(|| Intent::infer(task));
    let budget = tokens_for(job.request, &job.engine.options.packing, intent, shape)?;
    Ok((intent, budget))
}

/// A package by its name, however it was asked for.
fn called(job: PackJob<'_>, wanted: &str) -> String {
    let known = crate::packages::stored(job.snapshot).ok().flatten();
    let name = known.and_then(|known| {
        let at = known.packages.find(wanted).ok()?;
        Some(known.packages.list()[at].name.clone())
    });
    name.unwrap_or_else(|| wanted.to_owned())
}

/// A pack that tells about a package is as large as its depth (ENG-10).
fn tokens_without_task(job: PackJob<'_>) -> Result<usize, EngineError> {
    let request = job.request;
    match (request.max_tokens, request.window) {
        (Some(tokens), _) => Ok(tokens),
        (None, Some(window)) => window_of(window),
        (None, None) if request.map => Ok(MAP_TOKENS),
        (None, None) => Ok(job.depth.unwrap_or_default().tokens()),
    }
}

/// A map is one page.
const MAP_TOKENS: usize = 3_000;

fn filter(job: PackJob<'_>) -> Result<Filter, EngineError> {
    Ok(Filter {
        paths: job.request.paths.clone(),
        exclude: job.request.exclude.clone(),
        languages: job.languages.to_vec(),
        packages: check_packages(&job.request.packages)?,
        scope: job.request.scope,
        at: open_file(&job.request.sources),
        mmr_lambda: job.engine.options.packing.mmr_lambda,
        user: job.request.user.to_owned(),
        ..Filter::default()
    })
}

/// The file that the person has open.
fn open_file(sources: &[PackSource]) -> Option<RepoPath> {
    let mut open = sources
        .iter()
        .filter(|source| Origin::parse(&source.kind) == Some(Origin::OpenFile));
    open.find_map(|source| RepoPath::new(source.path.as_deref()?).ok())
}

fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The sources that are whole files of the index, and the rest, which is to be read.
fn whole_files(job: PackJob<'_>) -> Result<(Vec<WholeFile>, Vec<PackSource>), EngineError> {
    let tree = &job.engine.tree;
    let mut whole = Vec::new();
    let mut rest = Vec::new();
    for source in &job.request.sources {
        let has_lines = source.line_start.or(source.line_end).is_some();
        let is_whole = source.content.is_none() && !has_lines && source.timestamp_ms.is_none();
        let path = source.path.as_ref().filter(|_| is_whole);
        let path = path.and_then(|path| tree.resolve(Path::new(path), job.engine.root()).ok());
        let path = path.filter(|path| tree.denied(path).is_none());
        let file = match path {
            Some(path) => job.snapshot.file(&path)?,
            None => None,
        };
        let source = source.clone();
        match file.and_then(|file| Some((file.id, file.parse?))) {
            Some((file, parse)) => whole.push(WholeFile { source, file, parse }),
            None => rest.push(source),
        }
    }
    Ok((whole, rest))
}
