//! Every query asked of one open snapshot and judged; with `ablate`, again with each switch off.

use std::collections::BTreeMap;
use std::time::Duration;

use kitbag_rank::measure::{GoldRule, PathRule, Place, Target, distinct_files, is_path, judge};
use kitbag_store::Snapshot;
use kitbag_types::{RepoPath, Timestamp};

use super::definitions::definitions_of;
use super::packs::PackDesk;
use super::{
    EvalAblation, EvalFigures, EvalFound, EvalGold, EvalMeasures, EvalQuery, EvalRequest, EvalResult,
    EvalRun, EvalSummary, EvalTiming, indexed_languages, of_query, search_request,
};
use crate::api::search::{check, hits};
use crate::api::usage::grep_tokens;
use crate::matched::rounded;
use crate::{Engine, EngineError};

/// Distinct files that a result names.
const N_FIRST: usize = 10;

pub(super) fn run(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    request: &EvalRequest,
    (clock, now): (&(dyn Fn() -> Duration + Sync), Timestamp),
    mut warnings: Vec<String>,
) -> Result<EvalRun, EngineError> {
    let state = snapshot.state();
    if !state.complete {
        warnings.push(format!("the index is not complete yet: {} files", state.n_files));
    }
    let languages = indexed_languages(snapshot)?;
    let ctx = Ctx {
        engine,
        snapshot,
        request,
        languages: &languages,
    };
    let desk = match request.packs.is_empty() {
        true => None,
        false => Some(PackDesk::new(
            engine,
            snapshot,
            request.include_brief,
            clock,
            now,
        )?),
    };
    let mut results = Vec::new();
    let mut times = Vec::new();
    for query in &request.queries {
        let (mut result, time) = ctx.ask(query, None, &mut warnings, clock)?;
        result.baseline_tokens = ctx.grepped(query)?;
        if let Some(desk) = desk.as_ref().filter(|_| !query.gold_lines.is_empty()) {
            let packs = request.packs.iter().map(|budget| desk.judged(query, *budget));
            result.packs = packs.collect::<Result<_, _>>()?;
        }
        results.push(result);
        times.push(time);
    }
    warnings.extend(missing(&results));
    warnings.dedup();
    let mut ablation = Vec::new();
    if request.ablate {
        for switch in ctx.engine.switches() {
            // A provider and its factor may share a name: they go off together, once.
            let is_known = ablation.iter().any(|off: &EvalAblation| off.without == switch);
            if !is_known && !request.without.iter().any(|off| off == switch) {
                ablation.push(ctx.ablated(switch, &results)?);
            }
        }
    }
    Ok(EvalRun {
        top: request.top,
        without: request.without.clone(),
        files: state.n_files,
        chunks: state.n_chunks,
        summary: EvalSummary::of(&results),
        results,
        ablation,
        notes: Vec::new(),
        warnings,
        timing: EvalTiming::of(&times),
    })
}

struct Ctx<'a, 's> {
    engine: &'a Engine,
    snapshot: &'a Snapshot<'s>,
    request: &'a EvalRequest,
    /// Of every indexed file.
    languages: &'a BTreeMap<RepoPath, String>,
}

impl Ctx<'_, '_> {
    /// The answer to one query, judged, and how long the search took.
    fn ask(
        &self,
        query: &EvalQuery,
        off: Option<&str>,
        warnings: &mut Vec<String>,
        clock: &dyn Fn() -> Duration,
    ) -> Result<(EvalResult, Duration), EngineError> {
        let search = search_request(self.request, query, off);
        let filter = check(self.engine, &search).map_err(|error| of_query(error, query))?;
        let start = clock();
        let (hits, matched) = hits(self.engine, self.snapshot, &search, &filter, warnings)?;
        let time = clock().saturating_sub(start);
        let passed_over = &self.request.passed_over;
        let places: Vec<Place<'_>> = hits
            .iter()
            .filter(|hit| !passed_over.contains(&hit.path))
            .map(|hit| Place {
                path: &hit.path,
                lines: (hit.line_start, hit.line_end),
                tokens: hit.tokens,
            })
            .collect();
        let mut result = self.judged(query, &places);
        result.match_score = matched.score;
        result.definitions = definitions_of(self.snapshot, query, &places)?;
        Ok((result, time))
    }

    fn judged(&self, query: &EvalQuery, places: &[Place<'_>]) -> EvalResult {
        let targets: Vec<Target> = query
            .gold
            .iter()
            .map(|gold| Target {
                path: gold.path.clone(),
                lines: gold.lines,
            })
            .collect();
        let rule = rule(query);
        let wanted = if query.any { GoldRule::Any } else { GoldRule::All };
        let judged = judge(places, &targets, rule, wanted);
        let known: Vec<Option<&str>> = query.gold.iter().map(|gold| self.language(gold, rule)).collect();
        let found = query.gold.iter().enumerate().map(|(idx, gold)| EvalFound {
            path: gold.path.clone(),
            lines: gold.lines,
            rank: judged.file_ranks[idx],
            chunk_rank: judged.ranks[idx],
            indexed: known[idx].is_some(),
        });
        let language = || known.iter().flatten().next().map(|name| (*name).to_owned());
        let own_name = || {
            self.engine
                .root()
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        let files = distinct_files(places);
        EvalResult {
            id: query.id.clone(),
            repo: if query.repo.is_empty() {
                own_name()
            } else {
                query.repo.clone()
            },
            query: query.query.clone(),
            category: query.category.clone(),
            language: query.language.clone().or_else(language),
            any: query.any,
            gold: found.collect(),
            first: files.into_iter().take(N_FIRST).map(str::to_owned).collect(),
            measures: EvalMeasures::of(&judged.measures),
            tokens_to_gold: tokens_to_gold(query, places),
            baseline_tokens: None,
            match_score: 0.0,
            unanswerable: !query.answerable,
            definitions: Vec::new(),
            packs: Vec::new(),
        }
    }

    /// The least that an agent with grep reads to get to any of the gold files.
    fn grepped(&self, query: &EvalQuery) -> Result<Option<u64>, EngineError> {
        let mut least: Option<u64> = None;
        for path in self.languages.keys().filter(|path| is_gold(query, path.as_str())) {
            let tokens = grep_tokens(self.snapshot, &query.query, path)?;
            least = least.into_iter().chain(tokens).min();
        }
        Ok(least)
    }

    /// The language of the indexed file that a gold path names.
    fn language(&self, gold: &EvalGold, rule: PathRule) -> Option<&str> {
        let mut files = self.languages.iter();
        let found = files.find(|(path, _)| is_path(path.as_str(), &gold.path, rule));
        found.map(|(_, language)| language.as_str())
    }

    fn ablated(&self, switch: &str, before: &[EvalResult]) -> Result<EvalAblation, EngineError> {
        let no_clock = || Duration::ZERO;
        let mut results = Vec::new();
        for query in &self.request.queries {
            let (result, _) = self.ask(query, Some(switch), &mut Vec::new(), &no_clock)?;
            results.push(result);
        }
        let changed = before
            .iter()
            .zip(&results)
            .filter(|(before, after)| before.measures.ndcg10 != after.measures.ndcg10)
            .count();
        let (before, after) = (EvalFigures::of(before), EvalFigures::of(&results));
        Ok(EvalAblation {
            without: switch.to_owned(),
            ndcg10: rounded(after.ndcg10 - before.ndcg10),
            all5: rounded(after.all5 - before.all5),
            recall10: rounded(after.recall10 - before.recall10),
            changed,
        })
    }
}

fn is_gold(query: &EvalQuery, path: &str) -> bool {
    query
        .gold
        .iter()
        .any(|gold| is_path(path, &gold.path, rule(query)))
}

fn tokens_to_gold(query: &EvalQuery, places: &[Place<'_>]) -> Option<u64> {
    let first = places.iter().position(|place| is_gold(query, place.path))?;
    Some(places[..=first].iter().map(|place| u64::from(place.tokens)).sum())
}

fn rule(query: &EvalQuery) -> PathRule {
    if query.path_ends {
        PathRule::End
    } else {
        PathRule::Equal
    }
}

/// Whoever asks the wrong folder should not have to guess it from bad figures.
fn missing(results: &[EvalResult]) -> Option<String> {
    let gold = || results.iter().flat_map(|result| &result.gold);
    let mut missing = gold().filter(|gold| !gold.indexed).peekable();
    let example = missing.peek()?.path.clone();
    let n_missing = missing.count();
    let n_gold = gold().count();
    Some(format!(
        "{n_missing} of {n_gold} gold files are not in the index and cannot be found, {example} among them"
    ))
}
