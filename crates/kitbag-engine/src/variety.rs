//! Reorders a ranked list so that the first results are not nearly the same (RET-30). Vectors decide what is similar; without
//! them, shared words do.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use kitbag_rank::diversity::{diversify, overlap};
use kitbag_rank::tuning::DIVERSE;
use kitbag_store::{ParseId, Snapshot};
use kitbag_types::terms::{each_term, each_word};
use kitbag_types::{Reason, Stop};

use crate::EngineError;
use crate::engine::Candidate;
use crate::meaning::Meaning;

/// Reorders the candidates. Each position keeps its score; the factor `diversity` says how that changed the candidate's own.
pub(crate) fn varied(
    snapshot: &Snapshot<'_>,
    meaning: Option<&Meaning>,
    ranked: Vec<Candidate>,
    lambda: f64,
    stop: Stop<'_>,
) -> Result<Vec<Candidate>, EngineError> {
    let scores: Vec<f64> = ranked.iter().map(|hit| hit.score).collect();
    let words = match meaning {
        Some(_) => Vec::new(),
        None => words_of(snapshot, &ranked, stop)?,
    };
    let similarity = |a: usize, b: usize| match meaning {
        // A new file may not have vectors yet; then it is similar to nothing.
        Some(meaning) => meaning
            .similarity(ranked[a].chunk.at, ranked[b].chunk.at)
            .unwrap_or(0.0),
        None => overlap(&words[a], &words[b]),
    };
    let order = diversify(&scores, lambda, &similarity);
    let mut left: Vec<Option<Candidate>> = ranked.into_iter().map(Some).collect();
    let placed = order.into_iter().zip(scores).filter_map(|(idx, score)| {
        let mut hit = left[idx].take()?;
        if hit.score != score {
            let value = score / hit.score;
            hit.reasons.push(Reason {
                factor: "diversity",
                value,
            });
            hit.score = score;
        }
        Some(hit)
    });
    Ok(placed.collect())
}

/// The words of each candidate that may move, sorted and without repeats.
fn words_of(
    snapshot: &Snapshot<'_>,
    ranked: &[Candidate],
    stop: Stop<'_>,
) -> Result<Vec<Vec<String>>, EngineError> {
    let mut texts: BTreeMap<ParseId, String> = BTreeMap::new();
    let mut all = Vec::new();
    for hit in ranked.iter().take(DIVERSE) {
        stop.check()?;
        let at = hit.chunk.at.parse;
        let text = match texts.entry(at) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(slot) => slot.insert(snapshot.parse_text(at)?),
        };
        let mut words = Vec::new();
        each_word(
            text.get(hit.chunk.bytes.clone()).unwrap_or_default(),
            &mut |word| {
                each_term(word, &mut |term| words.push(term.to_owned()));
            },
        );
        words.sort_unstable();
        words.dedup();
        all.push(words);
    }
    Ok(all)
}
