//! How much a memory concerns a task: by its words, by its meaning, and by the files and names that both speak of (MEM-2).

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use kitbag_rank::query::is_stop_word;
use kitbag_store::MemoryRow;
use kitbag_types::terms::terms_of;

use super::check::place;
use super::cite::last_name;
use crate::Engine;

/// What the task is about.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked<'q> {
    pub text: &'q str,
    pub files: &'q [String],
    pub symbols: &'q [String],
}

/// Cosines below say nothing, above they say the same thing.
const MEANING_FROM: f64 = 0.45;
const MEANING_FULL: f64 = 0.9;
/// Of memories that a model looks at per task; their words speak for the others.
const MOST_MEANT: usize = 500;
/// A memory about the very definition, or about a file that the pack shows.
const SAME_SYMBOL: f64 = 1.0;
const SAME_FILE: f64 = 0.7;

/// 0 to 1 for each. Without a task, files and symbols: 1 for all.
pub(crate) fn relevance(engine: &Engine, rows: &[MemoryRow], asked: &Asked<'_>) -> Vec<f64> {
    let has_text = !asked.text.trim().is_empty();
    if !has_text && asked.files.is_empty() && asked.symbols.is_empty() {
        return vec![1.0; rows.len()];
    }
    let words = by_words(rows, asked.text);
    let meaning = by_meaning(engine, rows, asked.text);
    let places = rows.iter().map(|row| by_place(row, asked));
    words
        .into_iter()
        .zip(meaning)
        .zip(places)
        .map(|((words, meaning), place)| words.max(meaning).max(place))
        .collect()
}

/// The share of the task's words that it has, rare ones counting more. Of a long task a few are enough.
pub(crate) fn by_words(rows: &[MemoryRow], text: &str) -> Vec<f64> {
    let words = |row: &MemoryRow| -> BTreeSet<String> {
        let cited = row
            .citations
            .iter()
            .flat_map(|citation| [&citation.symbol, &citation.path]);
        let texts = std::iter::once(&row.content).chain(&row.tags).chain(&row.files);
        texts.chain(cited).flat_map(|text| terms_of(text)).collect()
    };
    let sets: Vec<BTreeSet<String>> = rows.iter().map(words).collect();
    word_shares(&sets, text)
}

/// The same for any texts, each given as its terms.
pub(crate) fn word_shares(sets: &[BTreeSet<String>], text: &str) -> Vec<f64> {
    let wanted: BTreeSet<String> = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !is_stop_word(&word.to_lowercase()))
        .flat_map(terms_of)
        .collect();
    let weights: BTreeMap<&String, f64> = wanted
        .iter()
        .map(|term| {
            let n = sets.iter().filter(|set| set.contains(term)).count();
            (term, (1.0 + sets.len() as f64 / (1.0 + n as f64)).ln())
        })
        .collect();
    let mut heaviest: Vec<f64> = weights.values().copied().collect();
    heaviest.sort_by(|a, b| b.total_cmp(a));
    let total: f64 = heaviest.iter().take(ENOUGH_WORDS).sum();
    sets.iter()
        .map(|set| {
            let has: f64 = weights
                .iter()
                .filter(|(term, _)| set.contains(**term))
                .map(|(_, weight)| weight)
                .sum();
            if total > 0.0 { (has / total).min(1.0) } else { 0.0 }
        })
        .collect()
}

/// Words of a task that a memory needs at most to be all about it.
const ENOUGH_WORDS: usize = 6;

fn by_meaning(engine: &Engine, rows: &[MemoryRow], text: &str) -> Vec<f64> {
    let none = || vec![0.0; rows.len()];
    let model = engine.model();
    if text.trim().is_empty() || model.is_slow() || !engine.is_on("semantic") {
        return none();
    }
    let Ok(asked) = model.query(text) else {
        return none();
    };
    let near = |row: &MemoryRow| {
        let said = model.query(&row.content).unwrap_or_default();
        let cosine = f64::from(cosine(&asked, &said));
        ((cosine - MEANING_FROM) / (MEANING_FULL - MEANING_FROM)).clamp(0.0, 1.0)
    };
    let mut found: Vec<f64> = rows.iter().take(MOST_MEANT).map(near).collect();
    found.resize(rows.len(), 0.0);
    found
}

pub(crate) fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let length = |vector: &[f32]| vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    let lengths = length(a) * length(b);
    if lengths > 0.0 { dot / lengths } else { 0.0 }
}

fn by_place(row: &MemoryRow, asked: &Asked<'_>) -> f64 {
    let cites = |symbol: &String| {
        row.citations.iter().any(|citation| {
            !citation.symbol.is_empty()
                && (citation.symbol == *symbol || last_name(&citation.symbol) == last_name(symbol))
        })
    };
    if asked.symbols.iter().any(cites) {
        return SAME_SYMBOL;
    }
    let speaks_of = |file: &String| {
        row.files.contains(file) || row.citations.iter().any(|citation| place(citation) == file)
    };
    if asked.files.iter().any(speaks_of) {
        return SAME_FILE;
    }
    0.0
}
