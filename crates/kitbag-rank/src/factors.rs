//! What Kitbag knows about code (RET-20): reorders a fused list by how well text and meaning match, by definitions, file names,
//! tests and uses.
//!
//! Every factor is a number between 0 and 1 that says how far something is true of a candidate. Its weights are in
//! [`crate::tuning::FACTORS`], one per kind of question. The score is `exp(Σ weight × value)`: each factor multiplies, so it reads
//! as "times 2.1" or "times 0.4" and means the same in every list. At the end each further chunk of a file is damped, which needs
//! the final scores.

mod words;

use std::collections::BTreeMap;

use kitbag_types::terms::fold;
use kitbag_types::{Candidate, ChunkKind, Conventions, Query, Reason, RepoPath};

use crate::paths::{PathClass, classes};
use crate::query::symbol_of;
use crate::tuning::{self as t, FACTORS, Group};
use words::{Part, Words};

/// What ranking knows about a candidate. Shares are relative to the best candidate, 0 to 1.
#[derive(Clone, Debug)]
pub struct Facts {
    pub path: RepoPath,
    pub line_start: u32,
    pub language: String,
    pub kind: ChunkKind,
    /// Names the chunk defines.
    pub names: Vec<String>,
    /// Files that use one of its names, counted up to [`t::CENTRAL_FULL`].
    pub n_users: u32,
    /// Whether the question names it explicitly.
    pub referenced: bool,
    /// How well its text matches.
    pub text: f64,
    /// How much of the question's weight it matches.
    pub coverage: f64,
    /// How well the text of its whole file matches.
    pub file_text: f64,
    /// The similarity of its vector to the question's.
    pub meaning: f64,
    /// The same for the nearest chunk of its file.
    pub file_meaning: f64,
    /// How well the messages of commits that touched its file match the question.
    pub history: f64,
    /// The similarity of its vector to that of the question's title.
    pub title_meaning: f64,
    /// How strongly it is linked to the best candidates: they use it, or it uses them.
    pub linked: f64,
    /// Whether it is in the package of the active file.
    pub active_package: bool,
    /// The factor of its package (ENG-20): 1, or less if the requested package only depends on it.
    pub package: f64,
    /// The factor of this user's feedback on it (MEM-5): 1, or a little more or less.
    pub feedback: f64,
}

/// The question and its context.
pub struct QuestionContext<'a> {
    pub query: &'a Query,
    /// The weight of each of the question's keywords, in their order: rare words weigh more.
    pub telling: &'a [f64],
    /// The same for the keywords of its title.
    pub title_telling: &'a [f64],
    pub active: Option<&'a RepoPath>,
    /// The naming conventions of the project's files.
    pub conventions: &'a Conventions,
    /// Factors that are switched off, to measure their effect.
    pub without: &'a [String],
}

/// Reorders. `facts` has one entry per candidate, in their order. The result has scores in [0, 1] relative to the best (RET-22),
/// ordered by score, path, line.
pub fn rank<Id: Clone>(
    fused: Vec<Candidate<Id>>,
    facts: &[Facts],
    asked: &QuestionContext<'_>,
) -> Vec<Candidate<Id>> {
    let group = Group::of(asked.query);
    let question = Question::of(asked, group);
    let weights: BTreeMap<&str, f64> = FACTORS
        .iter()
        .map(|factor| (factor.name, factor.weights[group as usize]))
        .collect();
    // Many candidates are of the same few files.
    let mut files: BTreeMap<&RepoPath, FileNames> = BTreeMap::new();
    let unit = fused.iter().map(|candidate| candidate.score).fold(0.0, f64::max);
    let mut list: Vec<(Candidate<Id>, usize)> = fused
        .into_iter()
        .enumerate()
        .map(|(idx, candidate)| (candidate, idx))
        .collect();
    for (candidate, idx) in &mut list {
        let facts = &facts[*idx];
        let fused = if unit > 0.0 { candidate.score / unit } else { 0.0 };
        let mut sum = 0.0;
        let file = files
            .entry(&facts.path)
            .or_insert_with_key(|path| FileNames::of(path, asked.conventions));
        for (name, value) in values(facts, file, fused, asked, &question) {
            if value == 0.0 {
                continue;
            }
            let Some(weight) = weights.get(name) else {
                debug_assert!(false, "the factor {name} has no row in FACTORS");
                continue;
            };
            if *weight == 0.0 || asked.without.iter().any(|off| off == name) {
                continue;
            }
            sum += weight * value;
            candidate.reasons.push(Reason {
                factor: name,
                value: (weight * value).exp(),
            });
        }
        candidate.score = sum.exp();
        for (factor, value) in [("package", facts.package), ("feedback", facts.feedback)] {
            if value != 1.0 && !asked.without.iter().any(|off| off == factor) {
                candidate.score *= value;
                candidate.reasons.push(Reason { factor, value });
            }
        }
    }
    sort(&mut list, facts);
    if !asked.without.iter().any(|off| off == "repeat") {
        damp_repeats(&mut list, facts, t::REPEAT[group as usize]);
        sort(&mut list, facts);
    }
    let best = list.first().map_or(1.0, |(candidate, _)| candidate.score);
    for (candidate, _) in &mut list {
        candidate.score /= best;
    }
    list.into_iter().map(|(candidate, _)| candidate).collect()
}

/// Score, then path, then line: a total order, independent of the input order.
fn sort<Id>(list: &mut [(Candidate<Id>, usize)], facts: &[Facts]) {
    list.sort_by(|(a, a_idx), (b, b_idx)| {
        let (a_facts, b_facts) = (&facts[*a_idx], &facts[*b_idx]);
        b.score
            .total_cmp(&a.score)
            .then_with(|| a_facts.path.cmp(&b_facts.path))
            .then_with(|| a_facts.line_start.cmp(&b_facts.line_start))
    });
}

/// The parts of the question that are compared with every candidate, made once.
struct Question<'q> {
    words: Words<'q>,
    wanted: Vec<WantedName<'q>>,
    /// The words and names of the title, if the question is a long text.
    title: Option<(Words<'q>, Vec<WantedName<'q>>)>,
}

/// A requested name, as written and without its style.
struct WantedName<'q> {
    name: &'q str,
    folded: String,
}

impl<'q> Question<'q> {
    fn of(asked: &QuestionContext<'q>, group: Group) -> Self {
        let query = asked.query;
        let wanted = |name: &'q str| WantedName {
            name,
            folded: fold(name),
        };
        let all = |names: &'q [String]| names.iter().map(|name| wanted(name)).collect();
        let title = || {
            let words = Words::of(&query.title.keywords, asked.title_telling);
            (words, all(&query.title.identifiers))
        };
        Self {
            words: Words::of(&query.keywords, asked.telling),
            wanted: match symbol_of(query) {
                Some(symbol) => vec![wanted(symbol)],
                None => all(&query.identifiers),
            },
            title: (group == Group::Text).then(title),
        }
    }
}

/// The factors of one candidate by name, each between 0 and 1.
fn values(
    facts: &Facts,
    file: &FileNames,
    fused: f64,
    asked: &QuestionContext<'_>,
    question: &Question<'_>,
) -> Vec<(&'static str, f64)> {
    let mut found = vec![
        ("fused", fused),
        ("text_match", facts.text),
        ("coverage", facts.coverage),
        ("file_text", facts.file_text),
        ("meaning", facts.meaning),
        ("file_meaning", facts.file_meaning),
        ("history", facts.history),
        ("linked", facts.linked),
        ("reference", flag(facts.referenced)),
        ("central", central(facts.n_users)),
        ("code", flag(facts.kind.is_code())),
    ];
    let words = &question.words;
    found.extend([
        ("definition", definition(facts, &question.wanted)),
        ("stem_is_symbol", flag(file.is_stem(&question.wanted))),
        ("stem_words", words.share(&file.stem)),
        ("stem_covered", words.covered(&file.stem)),
        ("folder_words", words.share(&file.folder)),
        ("name_covered", name_covered(facts, words)),
    ]);
    if let Some((title, wanted)) = &question.title {
        found.extend([
            ("title_stem_is_symbol", flag(file.is_stem(wanted))),
            ("title_stem_words", title.share(&file.stem)),
            ("title_stem_covered", title.covered(&file.stem)),
            ("title_meaning", facts.title_meaning),
        ]);
    }
    if let Some(active) = asked.active {
        let same_folder = active.folder() == facts.path.folder();
        let same_language = active.extension() == facts.path.extension();
        found.push((
            "near_active",
            0.75 * flag(same_folder) + 0.25 * flag(same_language),
        ));
        found.push(("active_package", flag(facts.active_package)));
    }
    for class in &file.classes {
        if !lifted(*class, asked.query, facts) {
            found.push((class.factor(), 1.0));
        }
    }
    found
}

fn flag(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

/// The words in the name and folders of a file, and its classes.
struct FileNames {
    stem: Vec<Part>,
    folded_stem: String,
    folder: Vec<Part>,
    classes: Vec<PathClass>,
}

impl FileNames {
    fn of(path: &RepoPath, conventions: &Conventions) -> Self {
        let folder = path.folder().rsplit('/').next().unwrap_or("");
        Self {
            stem: Part::of(path.stem()),
            folded_stem: fold(path.stem()),
            folder: Part::of(folder),
            classes: classes(path, conventions),
        }
    }

    /// Whether the file has one of these names.
    fn is_stem(&self, wanted: &[WantedName<'_>]) -> bool {
        wanted.iter().any(|wanted| wanted.folded == self.folded_stem)
    }
}

/// The largest share of the words of a defined name that the question has.
fn name_covered(facts: &Facts, words: &Words<'_>) -> f64 {
    let names = facts.names.iter();
    names
        .map(|name| words.covered(&Part::of(name)))
        .fold(0.0, f64::max)
}

fn central(n_users: u32) -> f64 {
    let full = f64::from(1 + t::CENTRAL_FULL).ln();
    f64::from(1 + n_users.min(t::CENTRAL_FULL)).ln() / full
}

/// How much it counts that a chunk defines one of the names.
fn definition(facts: &Facts, wanted: &[WantedName<'_>]) -> f64 {
    let values = wanted.iter().map(|wanted| {
        if facts.names.iter().any(|name| name == wanted.name) {
            1.0
        } else if facts
            .names
            .iter()
            .any(|name| name.eq_ignore_ascii_case(wanted.name))
        {
            t::DEFINITION_FOLDED
        } else {
            0.0
        }
    });
    values.fold(0.0, f64::max)
}

/// Whether the question asks for this class, which is then not ranked lower.
fn lifted(class: PathClass, query: &Query, facts: &Facts) -> bool {
    facts.referenced
        || match class {
            PathClass::Test => query.wants_tests,
            PathClass::Example | PathClass::Docs | PathClass::Changelog => query.wants_docs,
            PathClass::Config => query.wants_docs || query.languages.contains(&facts.language),
            _ => false,
        }
}

/// Lowers each further chunk of a file, so that one file does not fill the page.
fn damp_repeats<Id>(list: &mut [(Candidate<Id>, usize)], facts: &[Facts], repeat: f64) {
    let mut seen: BTreeMap<&RepoPath, i32> = BTreeMap::new();
    for (candidate, idx) in list.iter_mut() {
        let n_before = seen.entry(&facts[*idx].path).or_insert(0);
        if *n_before > 0 {
            let value = repeat.powi(*n_before);
            candidate.score *= value;
            candidate.damping = value;
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
