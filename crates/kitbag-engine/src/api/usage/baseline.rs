//! What an agent without Kitbag would read to get to a file (MET-2): it greps for the keywords of the question and reads the
//! lines around what matches, file by file, until it has the file.
//!
//! A model of an agent, not a measurement of one, and a modest one: it knows which three words are rarest, looks first at what
//! has most of them, reads a window of lines around a match and not the whole file, reads nothing twice, pays nothing for grep's
//! own output, and stops when half of a model's window is full. If the file does not come up among the first fifty, nothing is
//! claimed, although the agent would have read the most then.

use std::collections::{BTreeMap, BTreeSet};

use kitbag_store::{ChunkRef, Snapshot, StoreError};
use kitbag_types::RepoPath;

use crate::conventions::analyse;
use crate::{Engine, EngineError};

/// Words that are searched for, the rarest of the question.
const KEYWORDS: usize = 3;
/// What it reads around a match, in tokens: about forty lines.
const WINDOW_TOKENS: u64 = 400;
/// What it reads at most: half of a window of 200,000 tokens, since it has a task and answers in it too.
pub(super) const MOST_TOKENS: u64 = 100_000;
/// Files that the agent opens before it gives up.
const PATIENCE: usize = 50;
/// Files with equally many of the words among which one is looked for.
const WIDEST: usize = 400;

/// Of an answer whose best file is `best`. `None`: there is none, or the agent would not have come to it.
pub(super) fn of_answer(
    engine: &Engine,
    question: &str,
    best: Option<&str>,
) -> Result<Option<u64>, EngineError> {
    let Some(best) = best.and_then(|best| RepoPath::new(best).ok()) else {
        return Ok(None);
    };
    let store = engine.open_store()?;
    let Some(snapshot) = Snapshot::open(&store, engine.root())? else {
        return Ok(None);
    };
    Ok(grep_tokens(&snapshot, question, &best)?)
}

/// Tokens of what is read up to and including the wanted file.
pub(crate) fn grep_tokens(
    snapshot: &Snapshot<'_>,
    question: &str,
    wanted_path: &RepoPath,
) -> Result<Option<u64>, StoreError> {
    let Some(wanted) = snapshot.file(wanted_path)?.map(|file| file.id) else {
        return Ok(None);
    };
    let matching = matching_files(snapshot, question)?;
    let Some(n_wanted) = matching.get(&wanted).map(|matched| matched.n_keywords) else {
        return Ok(None);
    };
    let with = |n_keywords: usize| {
        matching
            .iter()
            .filter(move |(_, matched)| matched.n_keywords == n_keywords)
            .map(|(file, _)| *file)
    };
    let mut opened: Vec<i64> = (n_wanted + 1..=KEYWORDS).flat_map(with).collect();
    // Files with equally many keywords are opened by path. More of them than this are not worth looking at: grep's answer is
    // too long for anyone to read through.
    if with(n_wanted).count() > WIDEST {
        return Ok(None);
    }
    for file in with(n_wanted) {
        let path = snapshot.path_of(file)?;
        if path.is_some_and(|path| path <= *wanted_path) {
            opened.push(file);
        }
    }
    if opened.len() > PATIENCE {
        return Ok(None);
    }
    let mut tokens = 0;
    for file in opened {
        for chunk in &matching[&file].chunks {
            let row = snapshot.chunk(*chunk)?;
            tokens += row.map_or(0, |row| u64::from(row.tokens).min(WINDOW_TOKENS));
        }
    }
    Ok(Some(tokens.min(MOST_TOKENS)))
}

/// Where a file has the rarest words.
#[derive(Default)]
struct Matching {
    n_keywords: usize,
    chunks: BTreeSet<ChunkRef>,
}

/// Files that hold any of the rarest words.
fn matching_files(snapshot: &Snapshot<'_>, question: &str) -> Result<BTreeMap<i64, Matching>, StoreError> {
    let terms: Vec<String> = analyse(question)
        .terms
        .into_iter()
        .map(|(term, _)| term)
        .collect();
    let text = snapshot.text();
    let postings = text.postings(&terms, &|_, _, _| 1.0)?;
    let mut rarest: Vec<usize> = (0..terms.len())
        .filter(|idx| !postings[*idx].is_empty())
        .collect();
    rarest.sort_by_key(|idx| (postings[*idx].len(), &terms[*idx]));
    rarest.dedup_by_key(|idx| &terms[*idx]);
    let mut matching: BTreeMap<i64, Matching> = BTreeMap::new();
    for idx in rarest.into_iter().take(KEYWORDS) {
        let mut files = BTreeSet::new();
        for (doc, _) in &postings[idx] {
            let chunk = text.chunk(*doc);
            matching.entry(chunk.file).or_default().chunks.insert(chunk);
            files.insert(chunk.file);
        }
        for file in files {
            matching.entry(file).or_default().n_keywords += 1;
        }
    }
    Ok(matching)
}
