//! Finds names that nearly match what was typed.

use std::collections::BTreeSet;

use kitbag_types::terms::parts_of;

/// A longer word is not a misspelt name, and comparing it with every name takes long (SEC-4).
const MAX_WORD_BYTES: usize = 128;

/// A word to compare with many names: its trigrams are made once.
pub struct Word(BTreeSet<[char; 3]>);

/// A name to compare with several words, likewise.
pub struct Name(BTreeSet<[char; 3]>);

impl Name {
    pub fn new(text: &str) -> Self {
        Self(trigrams(text))
    }
}

impl Word {
    /// `None` for a text that is too long to be a name.
    pub fn new(text: &str) -> Option<Self> {
        (text.len() <= MAX_WORD_BYTES).then(|| Self(trigrams(text)))
    }

    /// The share of common trigrams of the word and a name (Dice), 0 to 1, ignoring case.
    pub fn similarity(&self, name: &Name) -> f64 {
        let common = self.0.intersection(&name.0).count();
        2.0 * common as f64 / (self.0.len() + name.0.len()).max(1) as f64
    }
}

/// Trigrams with the ends marked, so that beginnings count more than middles.
fn trigrams(text: &str) -> BTreeSet<[char; 3]> {
    let mut chars = vec!['\u{1}', '\u{1}'];
    chars.extend(
        text.chars()
            .flat_map(char::to_lowercase)
            .filter(|c| c.is_alphanumeric())
            // The end of a longer name is ignored: it cannot be near.
            .take(2 * MAX_WORD_BYTES),
    );
    chars.push('\u{2}');
    chars.windows(3).map(|w| [w[0], w[1], w[2]]).collect()
}

/// `hCl` or `hc` finds `HttpClient`: each letter group of the query begins the next part of the name, in order, without gaps.
pub fn is_hump_match(query: &str, name: &str) -> bool {
    let query: Vec<char> = query
        .chars()
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric())
        .collect();
    let parts: Vec<Vec<char>> = parts_of(name).iter().map(|part| part.chars().collect()).collect();
    (2..=8).contains(&parts.len()) && query.len() >= parts.len() && humps(&query, &parts)
}

fn humps(query: &[char], parts: &[Vec<char>]) -> bool {
    match parts.split_first() {
        None => query.is_empty(),
        Some((part, rest)) => {
            let common = part.iter().zip(query).take_while(|(a, b)| a == b).count();
            // Longest first; names have few parts, so trying shorter ones stays cheap.
            (1..=common).rev().any(|taken| humps(&query[taken..], rest))
        }
    }
}

#[cfg(test)]
mod tests;
