//! How well an answer matches the question at all (RET-26), as every door shows it: a number, a word, and what the project
//! does not have.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::matching::Match;

/// Most words and names that are listed.
const MOST_TOLD: usize = 6;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Matched {
    /// How well the best result matches at all, 0 to 1. The same number means the same for every question.
    pub score: f64,
    /// `strong`, `fair`, `weak` or `none`; `unknown` where the answer comes from files or a part of the index.
    pub word: String,
    /// What the score is made of: the share of the significant words that the best results have, and how near the best vector is.
    pub coverage: f64,
    pub cosine: f64,
    /// Words of the question that occur nowhere in the project.
    pub unknown_words: Vec<String>,
    /// Names in the question that nothing in the project is called.
    pub unknown_names: Vec<String>,
}

impl Matched {
    pub(crate) fn of(matched: Match) -> Self {
        Self {
            score: rounded(matched.score),
            word: matched.word().to_owned(),
            coverage: rounded(matched.coverage),
            cosine: rounded(matched.cosine),
            unknown_words: matched.unknown_words,
            unknown_names: matched.unknown_names,
        }
    }

    /// For an answer from part of the index: it cannot tell what the whole project has.
    pub(crate) fn known_if(self, complete: bool) -> Self {
        if complete { self } else { Self::unknown() }
    }

    /// For an answer that was not measured.
    pub(crate) fn unknown() -> Self {
        Self {
            word: "unknown".to_owned(),
            ..Self::default()
        }
    }

    /// The best result is a guess.
    pub fn is_weak(&self) -> bool {
        self.word == "weak"
    }

    /// A note to show before the answer: names and words that do not exist first, then that the match is
    /// weak. `None` if there is nothing to say.
    pub fn say(&self) -> Option<String> {
        let mut said = Vec::new();
        if !self.unknown_names.is_empty() {
            let names: Vec<String> = self
                .unknown_names
                .iter()
                .map(|name| format!("`{name}`"))
                .collect();
            said.push(format!(
                "Nothing in this project is called {}.",
                listed(&names, "or")
            ));
        }
        if !self.unknown_words.is_empty() {
            said.push(format!(
                "Nothing in this project mentions {}.",
                listed(&self.unknown_words, "or")
            ));
        }
        if self.is_weak() {
            said.push(format!(
                "Weak match ({:.2} of 1): these are the best guesses, and may have nothing to do with the question.",
                self.score
            ));
        }
        (!said.is_empty()).then(|| said.join(" "))
    }
}

/// Rounded to six digits: more than a score means, and fewer than floats print.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// `a, b or c`; a long list is cut, with the number of the rest.
fn listed(words: &[String], or: &str) -> String {
    let (told, more) = words.split_at(words.len().min(MOST_TOLD));
    match (told, more.len()) {
        ([one], 0) => one.clone(),
        ([first @ .., last], 0) => format!("{} {or} {last}", first.join(", ")),
        (_, n_more) => format!("{} {or} {n_more} other words of the question", told.join(", ")),
    }
}

#[cfg(test)]
mod tests;
