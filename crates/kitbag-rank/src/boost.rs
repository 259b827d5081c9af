//! What Kitbag knows about code (RET-20): reorders a fused list by where things are defined, how files are named, what is a
//! test, what others use.
//!
//! The order of the steps matters. Additive factors first (shares of the best fused score, so that they mean the same in
//! every list), then multipliers, then the damping of further chunks of one file, which must see final scores. Each step
//! leaves its name and value behind.

use std::collections::BTreeMap;

use kitbag_types::terms::{parts_of, stem};
use kitbag_types::{Candidate, Query, QueryShape, Reason, RepoPath};

use crate::paths::{PathClass, classes};
use crate::query::symbol_of;
use crate::tuning as t;

/// What ranking needs to know of a candidate.
#[derive(Clone, Debug)]
pub struct Facts {
    pub path: RepoPath,
    pub line_start: u32,
    pub language: String,
    /// Names the chunk defines.
    pub names: Vec<String>,
    pub exported: bool,
    /// Files that use one of its names, counted up to [`t::CENTRAL_FULL`].
    pub n_users: u32,
    /// The question names it outright.
    pub referenced: bool,
    /// How well its text matches, as a share of the best match.
    pub match_share: f64,
}

/// Reorders. Gives candidates with scores in [0, 1] relative to the best (RET-22), ordered by score, path, line.
pub fn boost<Id: Clone>(
    fused: Vec<Candidate<Id>>,
    facts: &[Facts],
    query: &Query,
    active: Option<&RepoPath>,
) -> Vec<(Candidate<Id>, usize)> {
    let unit = fused.iter().map(|candidate| candidate.score).fold(0.0, f64::max);
    let mut list: Vec<(Candidate<Id>, usize)> = fused
        .into_iter()
        .enumerate()
        .map(|(idx, candidate)| (candidate, idx))
        .collect();
    file_coherence(&mut list, facts, unit);
    let words = Words::of(query);
    for (candidate, idx) in &mut list {
        let facts = &facts[*idx];
        for (factor, share) in additive(facts, query, &words, active) {
            add(candidate, factor, share * unit);
        }
        for class in classes(&facts.path) {
            if !lifted(class, query, facts) {
                let (factor, value) = class.factor();
                candidate.score *= value;
                candidate.reasons.push(Reason { factor, value });
            }
        }
    }
    sort(&mut list, facts);
    damp_repeats(&mut list, facts);
    sort(&mut list, facts);
    let best = list.first().map_or(1.0, |(candidate, _)| candidate.score);
    if best > 0.0 {
        for (candidate, _) in &mut list {
            candidate.score /= best;
        }
    }
    list
}

fn add<Id>(candidate: &mut Candidate<Id>, factor: &'static str, value: f64) {
    if value > 0.0 {
        candidate.score += value;
        candidate.reasons.push(Reason { factor, value });
    }
}

/// Score, then path, then line: total, and blind to the order of arrival.
fn sort<Id>(list: &mut [(Candidate<Id>, usize)], facts: &[Facts]) {
    list.sort_by(|(a, a_idx), (b, b_idx)| {
        let (a_facts, b_facts) = (&facts[*a_idx], &facts[*b_idx]);
        b.score
            .total_cmp(&a.score)
            .then_with(|| a_facts.path.cmp(&b_facts.path))
            .then_with(|| a_facts.line_start.cmp(&b_facts.line_start))
    });
}

/// Several good chunks in one file lift the best of them.
fn file_coherence<Id>(list: &mut [(Candidate<Id>, usize)], facts: &[Facts], unit: f64) {
    let mut files: BTreeMap<&RepoPath, (f64, usize)> = BTreeMap::new();
    for (at, (candidate, idx)) in list.iter().enumerate() {
        let entry = files.entry(&facts[*idx].path).or_insert((0.0, at));
        entry.0 += candidate.score;
        let best = &list[entry.1];
        let better = candidate.score > best.0.score
            || (candidate.score == best.0.score && facts[*idx].line_start < facts[best.1].line_start);
        if better {
            entry.1 = at;
        }
    }
    let most = files.values().map(|(sum, _)| *sum).fold(0.0, f64::max);
    if most > 0.0 {
        for (sum, at) in files.into_values() {
            add(
                &mut list[at].0,
                "file_coherence",
                t::FILE_COHERENCE * unit * sum / most,
            );
        }
    }
}

/// The question's words, ready for matching.
struct Words<'q> {
    symbol: Option<&'q str>,
    stems: Vec<String>,
}

impl<'q> Words<'q> {
    fn of(query: &'q Query) -> Self {
        Self {
            symbol: symbol_of(query),
            stems: query.keywords.iter().map(|word| stemmed(word)).collect(),
        }
    }

    /// Share of the question's words that are among `parts`, exactly, by stem, or one beginning with the other.
    fn share(&self, query: &Query, parts: &[String]) -> f64 {
        if query.keywords.is_empty() {
            return 0.0;
        }
        let matched = query
            .keywords
            .iter()
            .zip(&self.stems)
            .filter(|(word, word_stem)| {
                parts.iter().any(|part| {
                    let (short, long) = if part.len() < word.len() {
                        (part, *word)
                    } else {
                        (*word, part)
                    };
                    part == *word
                        || (short.len() >= 3 && long.starts_with(short.as_str()))
                        || stemmed(part) == **word_stem
                })
            });
        matched.count() as f64 / query.keywords.len() as f64
    }
}

fn stemmed(word: &str) -> String {
    let mut word = word.to_owned();
    stem(&mut word);
    word
}

/// The additive factors of one candidate, as shares of the best fused score.
fn additive(
    facts: &Facts,
    query: &Query,
    words: &Words<'_>,
    active: Option<&RepoPath>,
) -> Vec<(&'static str, f64)> {
    let mut found = Vec::new();
    if facts.referenced {
        found.push(("reference", t::REFERENCE));
    }
    found.push(("text_match", t::TEXT_MATCH * facts.match_share));
    found.push(("definition", definition(facts, query, words)));
    if query.shape != QueryShape::Symbol {
        let mut parts = parts_of(facts.path.stem());
        parts.extend(parts_of(facts.path.folder().rsplit('/').next().unwrap_or("")));
        let share = words.share(query, &parts);
        if share >= t::PATH_WORDS_FLOOR {
            found.push(("path_words", t::PATH_WORDS * share));
        }
        let parts: Vec<String> = facts.names.iter().flat_map(|name| parts_of(name)).collect();
        found.push(("name_words", t::NAME_WORDS * words.share(query, &parts)));
    }
    if facts.exported {
        found.push(("exported", t::EXPORTED));
    }
    let full = f64::from(1 + t::CENTRAL_FULL).ln();
    found.push((
        "central",
        t::CENTRAL * (f64::from(1 + facts.n_users.min(t::CENTRAL_FULL)).ln() / full),
    ));
    if let Some(active) = active {
        let same_folder = active.folder() == facts.path.folder();
        let same_language = active.extension() == facts.path.extension();
        let share = if same_folder { 1.0 } else { 0.0 } + if same_language { 1.0 / 3.0 } else { 0.0 };
        found.push(("near_active", t::NEAR_ACTIVE * share));
    }
    found
}

/// How much it speaks for a chunk that it defines a name of the question.
fn definition(facts: &Facts, query: &Query, words: &Words<'_>) -> f64 {
    let share_of = |wanted: &str, exact: f64, folded: f64| {
        let best = if facts.names.iter().any(|name| name == wanted) {
            exact
        } else if facts.names.iter().any(|name| name.eq_ignore_ascii_case(wanted)) {
            folded
        } else {
            return 0.0;
        };
        let same = |a: &str, b: &str| parts_of(a).concat() == parts_of(b).concat();
        if same(facts.path.stem(), wanted) {
            best * t::STEM_IS_SYMBOL
        } else {
            best
        }
    };
    match words.symbol {
        Some(symbol) => share_of(symbol, t::DEFINITION, t::DEFINITION_FOLDED),
        None => query
            .identifiers
            .iter()
            .map(|name| share_of(name, t::DEFINITION_IN_PROSE, t::DEFINITION_IN_PROSE / 2.0))
            .fold(0.0, f64::max),
    }
}

/// Does the question ask for what this class would sink?
fn lifted(class: PathClass, query: &Query, facts: &Facts) -> bool {
    facts.referenced
        || match class {
            PathClass::Test => query.wants_tests,
            PathClass::Example | PathClass::Docs | PathClass::Changelog => query.wants_docs,
            PathClass::Config => query.wants_docs || query.languages.contains(&facts.language),
            _ => false,
        }
}

/// Each further chunk of a file counts half of the one before, so that one file does not fill the page.
fn damp_repeats<Id>(list: &mut [(Candidate<Id>, usize)], facts: &[Facts]) {
    let mut seen: BTreeMap<&RepoPath, i32> = BTreeMap::new();
    for (candidate, idx) in list.iter_mut() {
        let n_before = seen.entry(&facts[*idx].path).or_insert(0);
        if *n_before > 0 {
            let value = t::REPEAT.powi(*n_before);
            candidate.score *= value;
            candidate.reasons.push(Reason {
                factor: "repeat",
                value,
            });
        }
        *n_before += 1;
    }
}

#[cfg(test)]
mod tests;
