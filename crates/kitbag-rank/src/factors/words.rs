//! Matches the question's words with the words of names and paths.

use kitbag_types::terms::{parts_of, stemmed};

/// The question's words, prepared for matching, each with its weight.
pub(super) struct Words<'q> {
    words: Vec<Word<'q>>,
    total: f64,
}

/// A word of a name or path: stemmed once, compared with every word of the question.
#[derive(Clone)]
pub(super) struct Part {
    text: String,
    stem: String,
}

impl Part {
    pub(super) fn of(name: &str) -> Vec<Self> {
        let parts = parts_of(name).into_iter();
        parts
            .map(|text| Self {
                stem: stemmed(&text),
                text,
            })
            .collect()
    }
}

struct Word<'q> {
    text: &'q str,
    stem: String,
    telling: f64,
}

impl<'q> Words<'q> {
    pub(super) fn of(keywords: &'q [String], telling: &[f64]) -> Self {
        let words: Vec<Word<'q>> = keywords
            .iter()
            .enumerate()
            .map(|(idx, text)| Word {
                text,
                stem: stemmed(text),
                telling: telling.get(idx).copied().unwrap_or(1.0),
            })
            .collect();
        let total = words.iter().map(|word| word.telling).sum();
        Self { words, total }
    }

    /// The weight of the question's words among `parts`, as a share of the weight of all.
    pub(super) fn share(&self, parts: &[Part]) -> f64 {
        if self.total <= 0.0 || parts.is_empty() {
            return 0.0;
        }
        let matched = self
            .words
            .iter()
            .filter(|word| parts.iter().any(|part| word.fits(part)));
        matched.map(|word| word.telling).sum::<f64>() / self.total
    }

    /// The share of `parts` that the question has.
    pub(super) fn covered(&self, parts: &[Part]) -> f64 {
        let long = parts.iter().filter(|part| part.text.len() > 2);
        let (mut n_parts, mut n_covered) = (0, 0);
        for part in long {
            n_parts += 1;
            n_covered += usize::from(self.words.iter().any(|word| word.fits(part)));
        }
        if n_parts == 0 {
            return 0.0;
        }
        n_covered as f64 / n_parts as f64
    }
}

impl Word<'_> {
    /// Whether they match: exactly, by stem, or one as the beginning of the other.
    fn fits(&self, part: &Part) -> bool {
        let text = part.text.as_str();
        let (short, long) = if text.len() < self.text.len() {
            (text, self.text)
        } else {
            (self.text, text)
        };
        text == self.text || (short.len() >= 3 && long.starts_with(short)) || part.stem == self.stem
    }
}
