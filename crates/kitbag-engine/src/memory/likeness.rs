//! Whether two memories say the same or the opposite (MEM-3). By words: what is near only in meaning is left to the reader, to whom
//! both are shown.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use kitbag_rank::query::is_stop_word;
use kitbag_store::MemoryRow;
use kitbag_types::terms::terms_of;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    Alike,
    Contradicts,
}

/// Shares of words that two have in common: enough by themselves, and enough if both are about the same place.
const ALIKE: f64 = 0.5;
const ALIKE_IN_PLACE: f64 = 0.3;
/// Words that turn a sentence around.
const DENIALS: &[&str] = &[
    "avoid",
    "cannot",
    "deprecated",
    "disallowed",
    "don't",
    "dont",
    "forbidden",
    "instead",
    "mustn't",
    "never",
    "no",
    "not",
    "nobody",
    "none",
    "without",
    "won't",
];

/// Word for word the same, apart from case, space and punctuation.
pub(crate) fn same_words(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let (a_words, b_words) = (words(a), words(b));
    match a_words.is_empty() {
        true => a.trim() == b.trim(),
        false => a_words == b_words,
    }
}

pub(crate) fn likeness(a: &MemoryRow, b: &MemoryRow) -> Option<Likeness> {
    let (a_terms, b_terms) = (telling(&a.content), telling(&b.content));
    let n_common = a_terms.intersection(&b_terms).count();
    let n_all = a_terms.union(&b_terms).count();
    if n_common == 0 {
        return None;
    }
    let share = n_common as f64 / n_all as f64;
    let needed = if share_a_place(a, b) {
        ALIKE_IN_PLACE
    } else {
        ALIKE
    };
    if share < needed {
        return None;
    }
    let is_opposite = denies(&a.content) != denies(&b.content) || numbers(&a.content) != numbers(&b.content);
    Some(if is_opposite {
        Likeness::Contradicts
    } else {
        Likeness::Alike
    })
}

fn telling(text: &str) -> BTreeSet<String> {
    let is_telling = |word: &&str| {
        let word = word.to_lowercase();
        !is_stop_word(&word) && !DENIALS.contains(&word.as_str()) && !word.chars().all(|c| c.is_ascii_digit())
    };
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .filter(is_telling)
        .flat_map(terms_of)
        .collect()
}

fn denies(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.any(|word| DENIALS.contains(&word))
}

fn numbers(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter(|number| !number.is_empty())
        .map(str::to_owned)
        .collect()
}

fn share_a_place(a: &MemoryRow, b: &MemoryRow) -> bool {
    let places = |row: &MemoryRow| -> BTreeSet<(String, String)> {
        let cited = row.citations.iter();
        cited.map(|one| (one.path.clone(), one.symbol.clone())).collect()
    };
    !places(a).is_disjoint(&places(b))
}
