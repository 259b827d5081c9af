//! How well the best results match the question at all (RET-26). Scores only say how good each is relative to the best.
//!
//! Ranking always has a best result; whether it answers the question is another matter. Three things decide: how many of the
//! question's significant words the best results have (the rarer a word in the project, the more significant; one that occurs
//! nowhere is most significant), how near the best vector is, and whether the names in the question exist. `rank::tuning` holds the numbers.

use std::collections::BTreeSet;

use kitbag_rank::{bm25, tuning};
use kitbag_store::{Snapshot, StoreError};
use kitbag_types::terms::{fold, parts_of, stemmed, terms_of};
use kitbag_types::{Query, Reference, Stop};

use crate::EngineError;
use crate::engine::Candidate;
use crate::retrieve::Gathered;

/// The first results that are checked: those that a reader looks at first.
const BEST: usize = 5;
/// Most words of a question that count. A long question says in its title what it is about.
const MOST_WORDS: usize = 32;
/// Most names that are looked up.
const MOST_NAMES: usize = 16;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Match {
    /// 0 to 1.
    pub score: f64,
    /// Share of the significant words that the best result and its file have, weighted by significance.
    pub coverage: f64,
    /// The cosine of the nearest of the best results.
    pub cosine: f64,
    /// Words of the question that occur nowhere in the project, in the order of the question.
    pub unknown_words: Vec<String>,
    /// Names in the question that the project neither defines nor mentions.
    pub unknown_names: Vec<String>,
}

impl Match {
    pub(crate) fn of(
        snapshot: &Snapshot<'_>,
        query: &Query,
        found: &Gathered,
        stop: Stop<'_>,
    ) -> Result<Self, EngineError> {
        let best = &found.candidates[..found.candidates.len().min(BEST)];
        let words = &query.title.keywords[..query.title.keywords.len().min(MOST_WORDS)];
        let unknown_names = unknown_names(snapshot, query, stop)?;
        let (coverage, unknown_words) = coverage(snapshot, words, best, stop)?;
        let cosines = best.iter().map(|hit| found.evidence.cosine(hit.chunk.at));
        let cosine = cosines.fold(0.0, f64::max);
        let n_names = names(query).len();
        let named = if n_names == 0 {
            None
        } else {
            Some(1.0 - unknown_names.len() as f64 / n_names as f64)
        };
        let score = if best.is_empty() {
            0.0
        } else {
            // A chunk without a vector is not far away, only unknown.
            let near = (cosine > 0.0).then_some(cosine);
            tuning::matching(coverage, words.len(), near, named)
        };
        let in_names: BTreeSet<String> = unknown_names.iter().flat_map(|name| parts_of(name)).collect();
        Ok(Self {
            score,
            coverage,
            cosine,
            unknown_words: unknown_words
                .into_iter()
                .filter(|word| !in_names.contains(word))
                .collect(),
            unknown_names,
        })
    }

    /// `strong`, `fair`, `weak` or `none`.
    pub(crate) fn word(&self) -> &'static str {
        tuning::match_word(self.score)
    }
}

/// The best share of the words' weight that a result has, half from its chunk and half from its file; and the words that occur
/// nowhere.
fn coverage(
    snapshot: &Snapshot<'_>,
    words: &[String],
    best: &[Candidate],
    stop: Stop<'_>,
) -> Result<(f64, Vec<String>), EngineError> {
    let text = snapshot.text();
    let stems: Vec<String> = words.iter().map(|word| stemmed(word)).collect();
    let postings = text.postings(&stems, &|_, _, _| 1.0)?;
    let files = text.files();
    let mut all = 0.0;
    let mut unknown = Vec::new();
    // By result: what its chunk has, and what its file has.
    let mut had = vec![(0.0, 0.0); best.len()];
    for (word, list) in words.iter().zip(&postings) {
        stop.check()?;
        let tells = f64::from(bm25::idf(text.n_docs(), list.len() as u64));
        all += tells;
        if list.is_empty() {
            if !has_kin(snapshot, word)? {
                unknown.push(word.clone());
            }
            continue;
        }
        let mut chunks = vec![false; best.len()];
        let mut in_files = vec![false; best.len()];
        for (doc, _) in list {
            let file = i64::from(files[*doc as usize]);
            for (idx, hit) in best.iter().enumerate() {
                if hit.chunk.at.file == file {
                    in_files[idx] = true;
                    chunks[idx] |= text.chunk(*doc) == hit.chunk.at;
                }
            }
        }
        for (idx, (chunk, file)) in had.iter_mut().enumerate() {
            *chunk += if chunks[idx] { tells } else { 0.0 };
            *file += if in_files[idx] { tells } else { 0.0 };
        }
    }
    if all == 0.0 {
        return Ok((0.0, unknown));
    }
    let shares = had.iter().map(|(chunk, file)| (chunk + file) / (2.0 * all));
    Ok((shares.fold(0.0, f64::max), unknown))
}

/// English endings, and what they replace. The index stems only a little: `verified` and `verify`
/// are two words in it. To say that nothing mentions `verified` if something mentions `verify` would mislead.
const ENDINGS: &[(&str, &str)] = &[
    ("ied", "y"),
    ("ies", "y"),
    ("ier", "y"),
    ("ication", "y"),
    ("ation", "ate"),
    ("ation", "e"),
    ("ation", ""),
    ("ion", "e"),
    ("ion", ""),
    ("ment", ""),
    ("er", "e"),
    ("er", ""),
    ("or", "e"),
    ("or", ""),
    ("able", "e"),
    ("able", ""),
    ("ally", ""),
    ("ly", ""),
    ("ness", ""),
    ("al", ""),
];

/// Whether the project has a missing word in another form, or as the beginning of a name.
fn has_kin(snapshot: &Snapshot<'_>, word: &str) -> Result<bool, StoreError> {
    const LEAST: usize = 3;
    let other_forms: Vec<String> = ENDINGS
        .iter()
        .filter_map(|(ending, instead)| Some((word.strip_suffix(ending)?, instead)))
        .filter(|(stem, _)| stem.len() >= LEAST)
        .map(|(stem, instead)| stemmed(&format!("{stem}{instead}")))
        .collect();
    let found = snapshot.text().postings(&other_forms, &|_, _, _| 1.0)?;
    Ok(found.iter().any(|list| !list.is_empty()) || !snapshot.names_from(&fold(word), 1)?.is_empty())
}

/// Words that look like names, and names marked as code.
fn names(query: &Query) -> Vec<String> {
    let mut names = query.title.identifiers.clone();
    for reference in &query.references {
        if let Reference::Symbol(name) = reference {
            let last = name.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next();
            names.extend(last.filter(|last| last.len() > 1).map(str::to_owned));
        }
    }
    names.truncate(MOST_NAMES);
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(fold(name)));
    names
}

/// Names that nothing in the project defines or mentions.
pub(crate) fn unknown_names(
    snapshot: &Snapshot<'_>,
    query: &Query,
    stop: Stop<'_>,
) -> Result<Vec<String>, EngineError> {
    let mut unknown = Vec::new();
    for name in names(query) {
        stop.check()?;
        let whole = fold(&name);
        let terms = terms_of(&name);
        // A name of one part is indexed by its stem.
        let term = match terms.as_slice() {
            [one] => one.clone(),
            _ => whole.clone(),
        };
        let mentioned = snapshot.text().postings(&[term], &|_, _, _| 1.0)?;
        // The beginning of a name does not count as missing.
        if mentioned.iter().all(Vec::is_empty) && snapshot.names_from(&whole, 1)?.is_empty() {
            unknown.push(name);
        }
    }
    Ok(unknown)
}
