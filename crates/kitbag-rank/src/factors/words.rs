//! The question's words against the words of names and paths.

use kitbag_types::terms::stem;

/// The question's words, ready for matching, each with what it tells.
pub(super) struct Words<'q> {
    words: Vec<Word<'q>>,
    total: f64,
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

    /// What the question's words among `parts` tell, as a share of what all of them do.
    pub(super) fn share(&self, parts: &[String]) -> f64 {
        if self.total <= 0.0 || parts.is_empty() {
            return 0.0;
        }
        let matched = self
            .words
            .iter()
            .filter(|word| parts.iter().any(|part| word.fits(part)));
        matched.map(|word| word.telling).sum::<f64>() / self.total
    }

    /// Share of `parts` that the question has.
    pub(super) fn covered(&self, parts: &[String]) -> f64 {
        let long = parts.iter().filter(|part| part.len() > 2);
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
    /// Exactly, by stem, or one beginning with the other.
    fn fits(&self, part: &str) -> bool {
        let (short, long) = if part.len() < self.text.len() {
            (part, self.text)
        } else {
            (self.text, part)
        };
        part == self.text || (short.len() >= 3 && long.starts_with(short)) || stemmed(part) == self.stem
    }
}

fn stemmed(word: &str) -> String {
    let mut word = word.to_owned();
    stem(&mut word);
    word
}
