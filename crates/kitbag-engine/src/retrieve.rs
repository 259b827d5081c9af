//! From a question to a ranked list of chunks. The one path that every answer takes.

use std::collections::BTreeMap;

use kitbag_rank::bm25;
use kitbag_rank::factors::{Asked, Facts, rank};
use kitbag_rank::fuse::{List, fuse};
use kitbag_rank::tuning;
use kitbag_store::{ChunkRow, Snapshot};
use kitbag_types::terms::stemmed;
use kitbag_types::{Candidate, Filter, Query, Reason, RepoPath, Stop};

use crate::history::Past;
use crate::linked::{self, Linked};
use crate::meaning::Meaning;
use crate::providers::{Allowed, Answer, Ask, Found, LAST, PROVIDERS, ask_all, ends_all};
use crate::scope::Reach;
use crate::variety::varied;
use crate::{Engine, EngineError};

/// A chunk, how good it is (0 to 1, relative to the best), and why.
pub(crate) struct Ranked {
    pub row: ChunkRow,
    pub score: f64,
    /// How near its vector is to the question's, 0 to 1; 0 where there is none.
    pub cosine: f64,
    pub reasons: Vec<Reason>,
}

/// What tells candidates apart and orders equals: place in the project, never a row number.
type Key = (RepoPath, u32, u32);

fn key(row: &ChunkRow) -> Key {
    (row.path.clone(), row.lines.start(), row.at.idx)
}

/// Asks every provider, fuses their lists, lets code knowledge reorder. Best first.
pub(crate) fn gather(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    query: &Query,
    filter: &Filter,
    warnings: &mut Vec<String>,
    stop: Stop<'_>,
) -> Result<Vec<Ranked>, EngineError> {
    stop.check()?;
    let reach = Reach::of(snapshot, filter, &query.references, warnings)?;
    let allowed = Allowed::new(engine, snapshot, filter, reach.as_ref())?;
    let off = |name: &str| filter.without.iter().any(|off| off == name);
    let meaning = if off("semantic") || !engine.options.semantic.enabled {
        None
    } else {
        if let Some(error) = engine.model_failure() {
            warnings.push(format!("the built-in model answers: {error}"));
        }
        Meaning::of(engine, snapshot, query).unwrap_or_else(|error| {
            warnings.push(format!("provider semantic failed: {error}"));
            None
        })
    };
    let past = if off("git_history") {
        Past::default()
    } else {
        tolerated("git_history", Past::of(engine, snapshot, query, stop), warnings)?
    };
    let ask = Ask {
        snapshot,
        query,
        allowed: &allowed,
        meaning: meaning.as_ref(),
        past: &past,
        linked: &Linked::default(),
        stop,
    };
    let mut answers = ask_all(&ask, PROVIDERS, filter, &engine.options, warnings)?;
    let mut fused = fused(engine, &answers);
    let linked = if off("dependency") || !engine.options.dependency.enabled {
        Linked::default()
    } else {
        tolerated("dependency", linked_to(&ask, &fused, &answers), warnings)?
    };
    let ask = Ask {
        linked: &linked,
        ..ask
    };
    let last = ask_all(&ask, LAST, filter, &engine.options, warnings)?;
    if last.iter().any(|answer| !answer.found.is_empty()) {
        answers.extend(last);
        fused = self::fused(engine, &answers);
    }
    let ids: Vec<Key> = fused.iter().map(|candidate| candidate.id.clone()).collect();
    let found = found_of(answers, &ids);
    let mut facts = Vec::with_capacity(found.len());
    for (rank_idx, (found, candidate)) in found.iter().zip(&fused).enumerate() {
        let referenced = candidate
            .reasons
            .iter()
            .any(|reason| reason.factor == "reference");
        stop.check()?;
        let package = reach.as_ref().map_or(1.0, |reach| reach.weight(&found.row.path));
        facts.push(Facts {
            package,
            ..facts_of(&ask, found, rank_idx, referenced)?
        });
    }
    let asked = Asked {
        query,
        telling: &telling(snapshot, &query.keywords)?,
        title_telling: &if tuning::Group::of(query) == tuning::Group::Text {
            telling(snapshot, &query.title.keywords)?
        } else {
            Vec::new()
        },
        active: filter.active.as_ref(),
        without: &filter.without,
    };
    let ranked = rank(fused, &facts, &asked);
    let mut rows: Vec<Option<ChunkRow>> = found.into_iter().map(|found| Some(found.row)).collect();
    let ranked: Vec<Ranked> = ranked
        .into_iter()
        .filter(|(candidate, _)| candidate.score >= filter.min_score)
        .filter_map(|(candidate, idx)| {
            let row = rows[idx].take()?;
            Some(Ranked {
                cosine: meaning.as_ref().map_or(0.0, |meaning| meaning.cosine(row.at)),
                row,
                score: candidate.score,
                reasons: candidate.reasons,
            })
        })
        .collect();
    match filter.mmr_lambda {
        Some(lambda) => varied(snapshot, meaning.as_ref(), ranked, lambda, stop),
        None => Ok(ranked),
    }
}

/// One that fails is named in the warnings and leaves the others alone.
fn tolerated<T: Default>(
    provider: &str,
    outcome: Result<T, EngineError>,
    warnings: &mut Vec<String>,
) -> Result<T, EngineError> {
    match outcome {
        Err(error) if ends_all(&error) => Err(error),
        Err(error) => {
            warnings.push(format!("provider {provider} failed: {error}"));
            Ok(T::default())
        }
        found => found,
    }
}

fn fused(engine: &Engine, answers: &[Answer]) -> Vec<Candidate<Key>> {
    let lists: Vec<List<Key>> = answers
        .iter()
        .map(|answer| List {
            provider: answer.provider,
            weight: answer.weight,
            found: answer
                .found
                .iter()
                .map(|found| (key(&found.row), found.share))
                .collect(),
        })
        .collect();
    fuse(&lists, engine.options.fusion)
}

/// What hangs on the best so far.
fn linked_to(ask: &Ask<'_>, fused: &[Candidate<Key>], answers: &[Answer]) -> Result<Linked, EngineError> {
    let rows = || {
        answers
            .iter()
            .flat_map(|answer| &answer.found)
            .map(|found| &found.row)
    };
    let is = |row: &ChunkRow, (path, start, idx): &Key| {
        row.at.idx == *idx && row.lines.start() == *start && row.path == *path
    };
    let unit = fused.first().map_or(1.0, |candidate| candidate.score);
    let best: Vec<(&ChunkRow, f64)> = fused
        .iter()
        .take(linked::BEST)
        .filter(|candidate| candidate.score > 0.0)
        .filter_map(|candidate| {
            let row = rows().find(|row| is(row, &candidate.id))?;
            Some((row, candidate.score / unit))
        })
        .collect();
    Linked::of(ask, &best, &rows().collect::<Vec<_>>())
}

/// What the providers found, in the order of `ids`. Of one chunk found twice, the better match.
fn found_of(answers: Vec<Answer>, ids: &[Key]) -> Vec<Found> {
    let mut by_key: BTreeMap<Key, Found> = BTreeMap::new();
    for found in answers.into_iter().flat_map(|answer| answer.found) {
        let text = found.text;
        let known = by_key.entry(key(&found.row)).or_insert(found);
        known.text = known.text.max(&text);
    }
    ids.iter()
        .map(|id| by_key.remove(id).expect("every fused id came from a row"))
        .collect()
}

/// Uses are counted for this many of the best candidates: further down they cannot change what is shown.
const COUNTED: usize = 24;

fn facts_of(ask: &Ask<'_>, found: &Found, rank_idx: usize, referenced: bool) -> Result<Facts, EngineError> {
    let row = &found.row;
    let n_users = match row.names.first() {
        Some(name) if rank_idx < COUNTED => ask.snapshot.n_users(name, tuning::CENTRAL_FULL)?,
        _ => 0,
    };
    Ok(Facts {
        path: row.path.clone(),
        line_start: row.lines.start(),
        language: row.language.clone(),
        kind: row.kind,
        names: row.names.clone(),
        n_users,
        referenced,
        text: found.text.share,
        coverage: found.text.coverage,
        file_text: found.text.file_share,
        meaning: ask.meaning.map_or(0.0, |meaning| meaning.share(row.at)),
        file_meaning: ask.meaning.map_or(0.0, |meaning| meaning.file_share(row.at)),
        history: ask.past.share(&row.path),
        title_meaning: ask.meaning.map_or(0.0, |meaning| meaning.title_share(row.at)),
        linked: ask.linked.share(row.at),
        package: 1.0,
    })
}

/// What each keyword tells: its rarity among the chunks.
fn telling(snapshot: &Snapshot<'_>, keywords: &[String]) -> Result<Vec<f64>, EngineError> {
    let text = snapshot.text();
    let stems: Vec<String> = keywords.iter().map(|word| stemmed(word)).collect();
    let postings = text.postings(&stems, &|_, _, _| 1.0)?;
    let rarity = |list: &Vec<(u32, f32)>| f64::from(bm25::idf(text.n_docs(), list.len() as u64));
    Ok(postings.iter().map(rarity).collect())
}
