//! A search without an index, for the first seconds on a project that has none, and for a store that is broken (MCP-4, ENG-70).
//!
//! Folders are listed and files read step by step, the most promising first. Files are scored by the question's terms that they
//! have; a term that few of the files have counts more. The best files are cut by the real chunker, so that lines and labels are
//! those of the index. There is no list of all files first, because that would take too long. The caller's clock is asked between
//! small steps and ends the search; from the same files the answer is the same.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use kitbag_rank::bm25;
use kitbag_rank::paths::PathClass;
use kitbag_repo::ScannedFile;
use kitbag_store::NewParse;
use kitbag_types::terms::each_term;
use kitbag_types::{Filter, Query, RepoPath, Stop};

use crate::conventions::classes;
use crate::cut::cut;
use crate::globs::globs;
use crate::parallel::side_by_side;
use crate::{Engine, EngineError};

/// Shares of the time: folders are listed until the first, files are read until the second. The rest is for cutting.
const LIST_SHARE: f64 = 0.4;
const READ_SHARE: f64 = 0.85;
/// Files that one thread reads between two looks at the clock.
const STEP: usize = 8;
/// Larger files are skipped: most are data, and one takes the time of many.
const MAX_BYTES: u64 = 256 << 10;
/// Weight of a term in the path, which says more than one somewhere in the text.
const PATH_WEIGHT: f64 = 3.0;
/// Weight of a term that a chunk defines, which says more than one that it mentions.
const NAME_WEIGHT: f64 = 2.0;
/// Most files that are cut, and most chunks of one file.
const MAX_FILES: usize = 24;
const MAX_CHUNKS: usize = 3;
/// Most terms: each is one bit of a number. No question has more terms that matter.
const MAX_TERMS: usize = 64;

pub(crate) struct Live {
    /// Best first.
    pub found: Vec<LiveChunk>,
    pub n_read: usize,
    /// Nothing was left out for lack of time.
    pub complete: bool,
}

pub(crate) struct LiveChunk {
    pub path: RepoPath,
    pub parse: std::sync::Arc<NewParse>,
    pub chunk_idx: usize,
    /// 0 to 1, relative to the best.
    pub score: f64,
}

/// A file that may answer.
struct Candidate {
    file: ScannedFile,
    /// Bit `n`: it has term `n` in its path.
    in_path: u64,
    in_text: u64,
}

pub(crate) fn search(
    engine: &Engine,
    query: &Query,
    filter: &Filter,
    limit: Duration,
    clock: &dyn Fn() -> Duration,
    stop: Stop<'_>,
) -> Result<Live, EngineError> {
    let terms = Terms::of(query);
    let start = clock();
    let is_over = |share: f64| stop.is_stopped() || clock().saturating_sub(start) >= limit.mul_f64(share);
    let passes = FileFilter::new(filter)?;

    let mut candidates = Vec::new();
    let listed_all = engine
        .tree
        .explore(&|folder| turn(&terms, folder, query), &mut |files| {
            for file in files {
                if passes.file(&file) {
                    let in_path = terms.in_text(file.path.as_str());
                    candidates.push(Candidate {
                        file,
                        in_path,
                        in_text: 0,
                    });
                }
            }
            !is_over(LIST_SHARE)
        })?;

    candidates.sort_by_cached_key(|candidate| {
        let path = &candidate.file.path;
        let named = terms.weight(candidate.in_path, &|_| 1.0);
        let depth = path.as_str().matches('/').count();
        ((-named * 1e6) as i64, class(path, query), depth, path.clone())
    });
    let n_threads = engine.n_workers();
    let mut n_read = 0;
    while n_read < candidates.len() && !is_over(READ_SHARE) {
        let end = candidates.len().min(n_read + n_threads * STEP);
        let step = &mut candidates[n_read..end];
        let texts = side_by_side(n_threads, step, &|candidate| {
            engine
                .tree
                .read(&candidate.file.path)
                .map_or(0, |source| terms.in_text(&source.text))
        });
        for (candidate, in_text) in step.iter_mut().zip(texts) {
            candidate.in_text = in_text;
        }
        n_read = end;
    }
    let complete = listed_all && n_read == candidates.len();
    candidates.truncate(n_read);

    stop.check()?;
    let rarity = terms.rarity(&candidates);
    let best = best_files(candidates, &terms, &rarity, query);

    let mut found = Vec::new();
    for (step_idx, step) in best.chunks(n_threads.max(1)).enumerate() {
        // The best are always cut: a late answer is better than none.
        if step_idx > 0 && is_over(1.0) {
            break;
        }
        let parses = side_by_side(n_threads, step, &|(_, candidate)| {
            read_and_cut(engine, &candidate.file.path)
        });
        for ((score, candidate), parse) in step.iter().zip(parses) {
            let Some(parse) = parse.filter(|parse| passes.language(&parse.language)) else {
                continue;
            };
            found.extend(chunks(
                &terms,
                &rarity,
                filter,
                *score,
                &candidate.file.path,
                parse,
            ));
        }
    }
    stop.check()?;
    let best_score = found.iter().map(|chunk| chunk.score).fold(0.0, f64::max);
    found.iter_mut().for_each(|chunk| chunk.score /= best_score);
    found.retain(|chunk| chunk.score >= filter.min_score);
    found.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.path.cmp(&b.path))
            .then_with(|| a.chunk_idx.cmp(&b.chunk_idx))
    });
    Ok(Live {
        found,
        n_read,
        complete,
    })
}

/// The best few files for the question, with their scores.
fn best_files(
    candidates: Vec<Candidate>,
    terms: &Terms,
    rarity: &[f64],
    query: &Query,
) -> Vec<(f64, Candidate)> {
    let score = |candidate: &Candidate| {
        let said = terms.weight(candidate.in_text, &|term| rarity[term]);
        let named = terms.weight(candidate.in_path, &|term| rarity[term]);
        (said + PATH_WEIGHT * named) * standing(&candidate.file.path, query)
    };
    let mut best: Vec<(f64, Candidate)> = candidates
        .into_iter()
        .map(|candidate| (score(&candidate), candidate))
        .filter(|(score, _)| *score > 0.0)
        .collect();
    best.sort_by(|a, b| {
        b.0.total_cmp(&a.0)
            .then_with(|| a.1.file.path.cmp(&b.1.file.path))
    });
    best.truncate(MAX_FILES);
    best
}

/// The best few chunks of a file for the question.
fn chunks(
    terms: &Terms,
    rarity: &[f64],
    filter: &Filter,
    file_score: f64,
    path: &RepoPath,
    parse: NewParse,
) -> Vec<LiveChunk> {
    let parse = std::sync::Arc::new(parse);
    let mut found: Vec<LiveChunk> = Vec::new();
    for (chunk_idx, chunk) in parse.parsed.chunks.iter().enumerate() {
        if !filter.kinds.is_empty() && !filter.kinds.contains(&chunk.kind) {
            continue;
        }
        let said = terms.in_text(&parse.text[chunk.bytes.clone()]);
        let defined = chunk
            .names
            .iter()
            .fold(0, |mask, name| mask | terms.in_text(name));
        let own = terms.weight(said, &|term| rarity[term])
            + NAME_WEIGHT * terms.weight(defined, &|term| rarity[term]);
        // If the question names the file and no chunk matches, its beginning is the answer.
        if own > 0.0 || chunk_idx == 0 {
            found.push(LiveChunk {
                path: path.clone(),
                parse: std::sync::Arc::clone(&parse),
                chunk_idx,
                score: file_score + own,
            });
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk_idx.cmp(&b.chunk_idx)));
    found.truncate(MAX_CHUNKS);
    found
}

fn read_and_cut(engine: &Engine, path: &RepoPath) -> Option<NewParse> {
    let source = engine.tree.read(path).ok()?;
    // A grammar that fails on one file must not affect the others.
    catch_unwind(AssertUnwindSafe(|| cut(engine, &source))).ok()
}

/// The question's terms, each with its weight there and a bit of its own.
struct Terms(Vec<(String, f64)>);

impl Terms {
    fn of(query: &Query) -> Self {
        let mut terms: Vec<(String, f64)> = query
            .terms
            .iter()
            .map(|(term, weight)| (term.clone(), f64::from(*weight)))
            .collect();
        terms.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        terms.truncate(MAX_TERMS);
        terms.sort_by(|a, b| a.0.cmp(&b.0));
        Self(terms)
    }

    fn in_text(&self, text: &str) -> u64 {
        let mut mask = 0;
        each_term(text, &mut |term| {
            if let Ok(idx) = self.0.binary_search_by(|(known, _)| known.as_str().cmp(term)) {
                mask |= 1 << idx;
            }
        });
        mask
    }

    fn weight(&self, mask: u64, of_term: &dyn Fn(usize) -> f64) -> f64 {
        let has = |idx: usize| mask & (1 << idx) != 0;
        let terms = self.0.iter().enumerate().filter(|(idx, _)| has(*idx));
        terms.map(|(idx, (_, weight))| weight * of_term(idx)).sum()
    }

    /// The weight of each term: the fewer of the files that were read have it, the higher.
    fn rarity(&self, candidates: &[Candidate]) -> Vec<f64> {
        let n_with = |idx: usize| {
            let has = |candidate: &&Candidate| (candidate.in_path | candidate.in_text) & (1 << idx) != 0;
            candidates.iter().filter(has).count() as u64
        };
        (0..self.0.len())
            .map(|idx| f64::from(bm25::idf(candidates.len() as u64, n_with(idx))))
            .collect()
    }
}

/// Which files may answer.
struct FileFilter<'f> {
    filter: &'f Filter,
    paths: globset::GlobSet,
    exclude: globset::GlobSet,
}

impl<'f> FileFilter<'f> {
    fn new(filter: &'f Filter) -> Result<Self, EngineError> {
        Ok(Self {
            filter,
            paths: globs(&filter.paths)?,
            exclude: globs(&filter.exclude)?,
        })
    }

    fn file(&self, file: &ScannedFile) -> bool {
        let path = file.path.as_str();
        // The first line may also tell the language; that is known only when the file is cut.
        let language = kitbag_syntax::language_of(&file.path, "").map(|language| language.name);
        (self.filter.paths.is_empty() || self.paths.is_match(path))
            && !self.exclude.is_match(path)
            && language.is_none_or(|language| self.language(language))
            && file.stamp.size <= MAX_BYTES
            && self
                .filter
                .since
                .is_none_or(|since| file.stamp.mtime_ns.div_euclid(1_000_000) >= since.0)
    }

    fn language(&self, language: &str) -> bool {
        self.filter.languages.is_empty() || self.filter.languages.iter().any(|wanted| wanted == language)
    }
}

/// The order in which folders are listed: those that the question names, then the project's own source, then the rest.
fn turn(terms: &Terms, folder: &str, query: &Query) -> u8 {
    if terms.in_text(folder) != 0 {
        return 0;
    }
    // The class depends on the folders in the path, so any file name will do.
    RepoPath::new(format!("{folder}/x")).map_or(2, |path| 1 + class(&path, query).min(1))
}

/// The order in which files are read: source, then prose and tests, then settings and data.
fn class(path: &RepoPath, query: &Query) -> u8 {
    let classes = classes(path);
    let is = |class: PathClass| classes.contains(&class);
    if is(PathClass::Vendored) || is(PathClass::Legacy) || is(PathClass::Changelog) {
        return 4;
    }
    if (is(PathClass::Test) && !query.wants_tests) || is(PathClass::Example) {
        return 2;
    }
    if is(PathClass::Docs) && !query.wants_docs {
        return 1;
    }
    let is_known = path.as_str().ends_with("/x") || kitbag_syntax::language_of(path, "").is_some();
    if is(PathClass::Config) || !is_known { 3 } else { 0 }
}

/// The weight of the same words by the place where they are.
fn standing(path: &RepoPath, query: &Query) -> f64 {
    [1.0, 0.8, 0.6, 0.5, 0.4][usize::from(class(path, query))]
}
