//! Chooses the few lines of a chunk that are worth showing for a question, each with its real number.
//!
//! Lines are chosen by the words of the question, stemmed as in the index (`parsing` matches `parse_config`); a rare word
//! counts more than one that is on every line. A chunk that was found by its name or path alone shows its first
//! lines. Every line shown is a line of the text, at most shortened.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use kitbag_types::terms::{each_word, terms_of};

/// With fewer matches than this, the beginning of the chunk is shown too.
const MIN_LINES: usize = 3;
/// Characters shown of a line …
const MAX_CHARS: usize = 160;
/// … and of the text before its first match, if that is far to the right.
const LEAD_CHARS: usize = 40;

/// English words that say nothing about code. Only for excerpts: ranking has its own list.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "code",
    "do", "does", "for", "from", "get", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its",
    "me", "my", "no", "not", "of", "on", "or", "so", "that", "the", "their", "there", "this", "to", "us",
    "was", "we", "what", "when", "where", "which", "who", "why", "will", "with", "you",
];

/// The words of a question.
#[derive(Debug)]
pub(crate) struct Words(BTreeSet<String>);

/// A line to show.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Counted from 1, in the file.
    pub(crate) number: u32,
    /// Pieces of the line in order; `true` where it matches the question.
    pub(crate) pieces: Vec<(String, bool)>,
}

impl Words {
    /// All words, unless some of them mean something.
    pub(crate) fn new(query: &str) -> Words {
        let mut all = BTreeSet::new();
        let mut telling = BTreeSet::new();
        each_word(query, &mut |word| {
            let terms = terms_of(word);
            if !STOP_WORDS.contains(&word.to_lowercase().as_str()) {
                telling.extend(terms.iter().cloned());
            }
            all.extend(terms);
        });
        Words(if telling.is_empty() { all } else { telling })
    }

    /// The question's terms in a piece of text, and the bytes of the words that hold them.
    fn matches(&self, text: &str) -> (BTreeSet<&str>, Vec<Range<usize>>) {
        let mut found = BTreeSet::new();
        let mut places = Vec::new();
        each_word(text, &mut |word| {
            let mut hit = false;
            for term in terms_of(word) {
                if let Some(known) = self.0.get(&term) {
                    found.insert(known.as_str());
                    hit = true;
                }
            }
            if hit {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                places.push(start..start + word.len());
            }
        });
        (found, places)
    }
}

/// The lines of `text` worth showing, at most `most`; its first line is line `line_start` of the file, and `label` is what the whole is
/// called: where few lines match, the one that says this name is shown too.
pub(crate) fn excerpt(text: &str, line_start: u32, label: &str, words: &Words, most: usize) -> Vec<Line> {
    let lines: Vec<&str> = text.lines().collect();
    let found: Vec<_> = lines.iter().map(|line| words.matches(line)).collect();
    let mut n_lines_with: BTreeMap<&str, usize> = BTreeMap::new();
    for term in found.iter().flat_map(|(terms, _)| terms) {
        *n_lines_with.entry(term).or_default() += 1;
    }
    let score = |terms: &BTreeSet<&str>| -> f64 {
        terms
            .iter()
            .map(|term| (1.0 + lines.len() as f64 / n_lines_with[term] as f64).ln())
            .sum()
    };
    let mut ranked: Vec<(f64, usize)> = found
        .iter()
        .enumerate()
        .filter(|(_, (terms, _))| !terms.is_empty())
        .map(|(line_idx, (terms, _))| (score(terms), line_idx))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut chosen: BTreeSet<usize> = ranked.iter().take(most).map(|(_, line_idx)| *line_idx).collect();
    let name = name_of(label);
    let naming = lines
        .iter()
        .position(|line| !name.is_empty() && has_word(line, name));
    let beginning = (0..lines.len()).filter(|line_idx| !lines[*line_idx].trim().is_empty());
    for line_idx in naming.into_iter().chain(beginning) {
        if chosen.len() >= MIN_LINES.min(most) {
            break;
        }
        chosen.insert(line_idx);
    }
    chosen
        .into_iter()
        .map(|line_idx| Line {
            number: line_start + u32::try_from(line_idx).unwrap_or(u32::MAX - line_start),
            pieces: pieces(lines[line_idx].trim_end(), &found[line_idx].1),
        })
        .collect()
}

/// `Parser::next, peek` → `next`: what the definition's own line says.
fn name_of(label: &str) -> &str {
    let first = label.split(',').next().unwrap_or(label);
    first
        .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .unwrap_or(first)
}

fn has_word(line: &str, name: &str) -> bool {
    let mut found = false;
    each_word(line, &mut |word| found |= word == name);
    found
}

/// A line cut into matching and other pieces, and shortened if it is very long.
fn pieces(line: &str, matches: &[Range<usize>]) -> Vec<(String, bool)> {
    let window = window(line, matches.first());
    let mut pieces = Vec::new();
    let mut push = |range: Range<usize>, is_match: bool| {
        let range = range.start.max(window.start)..range.end.min(window.end);
        if range.start < range.end {
            pieces.push((line[range].to_owned(), is_match));
        }
    };
    let mut at = 0;
    for matched in matches {
        push(at..matched.start, false);
        push(matched.clone(), true);
        at = matched.end;
    }
    push(at..line.len(), false);
    if window.start > 0 {
        pieces.insert(0, ("…".to_owned(), false));
    }
    if window.end < line.len() {
        pieces.push(("…".to_owned(), false));
    }
    pieces
}

/// The bytes of a line to show: all of it, or a stretch around its first match.
fn window(line: &str, first_match: Option<&Range<usize>>) -> Range<usize> {
    if line.len() <= MAX_CHARS {
        return 0..line.len();
    }
    let starts: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
    if starts.len() <= MAX_CHARS {
        return 0..line.len();
    }
    let match_idx = first_match.map_or(0, |range| starts.partition_point(|at| *at < range.start));
    // From the left while the match can be seen from there.
    let start_idx = if match_idx + LEAD_CHARS <= MAX_CHARS {
        0
    } else {
        match_idx - LEAD_CHARS
    };
    let end = starts.get(start_idx + MAX_CHARS).copied().unwrap_or(line.len());
    starts[start_idx]..end
}
