//! Every number of the ranking, with its meaning and its source (RET-21). `--explain` prints these names.
//!
//! "dev" is the dev half of the code-search benchmark (docs/quality.md has the command). A number marked *prior* was taken from
//! published work or common sense and has not been measured here yet.

use kitbag_types::{Query, QueryShape, TextField};

// ---- full text (bm25.rs) ----

/// The weight of a term in each field relative to the body (`weight`), and how strongly long fields are damped (`b`) around a
/// typical length in terms (`length`). Fixed lengths instead of averages keep scores independent of what else is indexed; the
/// chunker sets the size of chunks, so their typical length is known.
pub const FIELDS: [(TextField, FieldWeight); 5] = [
    (
        TextField::Body,
        FieldWeight {
            weight: 1.0,
            b: 0.75,
            length: 160.0,
        },
    ),
    (
        TextField::Names,
        FieldWeight {
            weight: 3.0,
            b: 0.5,
            length: 6.0,
        },
    ),
    (
        TextField::Path,
        FieldWeight {
            weight: 2.0,
            b: 0.4,
            length: 8.0,
        },
    ),
    (
        TextField::Docs,
        FieldWeight {
            weight: 1.0,
            b: 0.6,
            length: 24.0,
        },
    ),
    (
        TextField::Capsule,
        FieldWeight {
            weight: 1.0,
            b: 0.6,
            length: 30.0,
        },
    ),
];

/// A row of [`FIELDS`].
#[derive(Clone, Copy, Debug)]
pub struct FieldWeight {
    pub weight: f32,
    pub b: f32,
    pub length: f32,
}

/// How quickly repeats of a term stop counting. *prior*: the usual 1.2 to 1.5.
pub const K1: f32 = 1.4;
/// A chunk that matches all of the question's weight keeps its score, one that matches none of it loses this share. So chunks that
/// match the whole question beat those that repeat one word of it.
pub const COVERAGE_SHARE: f32 = 0.5;
/// The most terms of a question, the most telling first: whole issue texts stay fast.
pub const MAX_QUERY_TERMS: usize = 96;
/// The weight of a term in the title of a long text, and of one in quoted code.
pub const TITLE_TERM: f32 = 2.0;
pub const CODE_TERM: f32 = 0.5;
/// A longer word is data (a hash, an encoded file) and not searched for. The longest names that people write, those of tests, have
/// about 150 bytes.
pub const MAX_WORD_BYTES: usize = 256;
/// The most names of a question that are looked up, per kind: words that look like code, and names marked as code. Each look-up
/// takes 20 to 50 µs; an issue with its logs has a few dozen.
pub const MAX_QUERY_NAMES: usize = 256;
/// The most files and frames of a trace that are looked up.
pub const MAX_QUERY_FILES: usize = 200;
/// The most distinct words that are compared with paths and names. Long issues have 300.
pub const MAX_QUERY_WORDS: usize = 512;
/// The most chunks that a question names and fusion takes: a whole large file, but not a whole project.
pub const REFERENCE_CANDIDATES: usize = 400;
/// Chunks taken from full text into fusion.
pub const TEXT_CANDIDATES: usize = 150;
/// The number of chunks whose text match is known to the ranking, whichever provider found them. Chunks further down count as if they
/// had none of the words. When only the first [`TEXT_CANDIDATES`] were known, 39 % of the candidates of issues had no text match, among them
/// most of the right definitions that ranked low (docs/quality.md).
pub const TEXT_EVIDENCE: usize = 2_000;
/// Chunks taken from the symbol table into fusion.
pub const SYMBOL_CANDIDATES: usize = 60;
/// Chunks taken from the nearest vectors into fusion.
pub const SEMANTIC_CANDIDATES: usize = 100;
/// The least cosine at which a chunk counts as near. On dev the best chunk of a question has 0.32 to 1.0 (half of them above 0.63);
/// for questions that have nothing to do with the project, at most 0.27.
pub const SEMANTIC_FLOOR: f32 = 0.3;
/// Files taken from the history into fusion.
pub const HISTORY_CANDIDATES: usize = 30;
/// Chunks taken from the neighbours of the best into fusion.
pub const DEPENDENCY_CANDIDATES: usize = 12;
/// Commits that a question is answered from.
pub const COMMITS: usize = 50;
/// A commit that touches more files says nothing about any of them.
pub const WIDEST_COMMIT: usize = 100;
/// Terms of a typical commit message: longer ones are damped.
pub const COMMIT_TERMS: f64 = 25.0;
/// With fewer text matches than this, names and paths are matched fuzzily too (RET-10).
pub const FUZZY_BELOW: usize = 3;
/// The share of common trigrams from which two names count as a misspelling of each other.
pub const FUZZY_SIMILARITY: f64 = 0.45;

// ---- fusion (fuse.rs) ----

/// `Σ weight / (RRF_K + rank)`. *prior*: the constant of RET-15 and of the literature.
pub const RRF_K: f64 = 60.0;
/// Weights of the providers in fusion; configuration may change them.
pub const FULL_TEXT_WEIGHT: f64 = 1.0;
pub const SYMBOL_WEIGHT: f64 = 0.6;
pub const SEMANTIC_WEIGHT: f64 = 0.5;
pub const HISTORY_WEIGHT: f64 = 0.3;
pub const DEPENDENCY_WEIGHT: f64 = 0.2;

// ---- diversity (diversity.rs) ----

/// The number of candidates that are diversified; nobody looks for duplicates further down.
pub const DIVERSE: usize = 100;

// ---- factors (factors.rs) ----

/// Kinds of questions with different weights of factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// A name.
    Symbol,
    /// A few words.
    Words,
    /// A text: an issue, a commit message, a log.
    Text,
}

/// A question of more keywords than this is a text.
pub const TEXT_KEYWORDS: usize = 14;

impl Group {
    pub fn of(query: &Query) -> Self {
        if query.shape == QueryShape::Symbol {
            Self::Symbol
        } else if query.keywords.len() <= TEXT_KEYWORDS {
            Self::Words
        } else {
            Self::Text
        }
    }
}

/// A factor and its weights for [`Group::Symbol`], [`Group::Words`] and [`Group::Text`].
pub struct Factor {
    pub name: &'static str,
    pub weights: [f64; 3],
}

const fn factor(name: &'static str, weights: [f64; 3]) -> Factor {
    Factor { name, weights }
}

/// All factors. docs/ranking.md explains them. The weights were learned on the dev halves of the three benchmarks (coordinate
/// ascent on NDCG@10 from hand-set values, the mean over repositories, averaged over four folds of repositories; decision 008 has
/// the figures), except `near_active` and `active_package`, which no benchmark covers (decision 018 has figures of the second), and
/// `reference` for the first two groups: a named file is wanted. Those for texts were learned again, for the right definition too,
/// on issues, questions and mined changes.
pub const FACTORS: &[Factor] = &[
    factor("fused", [1.10, 0.54, 0.78]),
    factor("text_match", [0.57, 1.02, 2.18]),
    factor("coverage", [0.28, 0.33, 1.12]),
    factor("file_text", [0.22, 0.39, 0.22]),
    factor("meaning", [0.53, 1.33, 0.14]),
    factor("linked", [0.00, 0.36, 0.50]),
    factor("file_meaning", [0.44, 1.00, 0.00]),
    factor("history", [0.63, 0.83, 1.29]),
    factor("reference", [2.00, 2.00, 1.00]),
    factor("central", [0.36, 0.14, 0.26]),
    factor("code", [0.11, 0.83, 2.39]),
    factor("definition", [1.57, 0.54, 0.12]),
    factor("stem_is_symbol", [1.04, 0.50, 0.85]),
    factor("stem_words", [0.23, 0.70, 0.49]),
    factor("stem_covered", [0.48, 0.52, 0.12]),
    factor("folder_words", [0.17, 0.59, 0.33]),
    factor("name_covered", [0.55, 0.22, 0.17]),
    factor("title_stem_is_symbol", [0.00, 0.00, 0.12]),
    factor("title_stem_words", [0.00, 0.00, 0.46]),
    factor("title_stem_covered", [0.00, 0.00, 0.35]),
    factor("title_meaning", [0.00, 0.00, 1.13]),
    factor("near_active", [0.80, 0.80, 0.80]),
    factor("active_package", [0.80, 0.80, 0.80]),
    factor("test", [-0.74, -2.49, -2.86]),
    factor("example", [-0.60, -0.64, -0.81]),
    factor("vendored", [-0.60, -0.73, -0.67]),
    factor("legacy", [-0.46, -0.51, -0.47]),
    factor("reexport", [-0.36, -0.43, -0.22]),
    factor("declaration", [-0.17, -0.27, -0.24]),
    factor("changelog", [-0.60, -0.80, -0.88]),
    factor("docs", [-0.59, -0.89, -0.79]),
    factor("config", [-0.50, -0.54, -0.54]),
];

/// The value of a definition whose name differs only in case.
pub const DEFINITION_FOLDED: f64 = 0.6;
/// The number of users at which `central` is full.
pub const CENTRAL_FULL: u32 = 64;
/// `repeat`: the factor for each further chunk of a file already in the list, per [`Group`]. For a few words the page should show
/// files (code search 0.877 at 0.5, 0.880 at 0.3 and 0.15, hand-set weights); a text is about a place in a file, and strong damping
/// pushed the right definition off the page (decision 008 has the figures).
pub const REPEAT: [f64; 3] = [0.15, 0.15, 0.6];

/// How well the best results match at all (RET-26), 0 to 1: a logistic curve. `coverage`: the share of the question's telling words
/// that the best result has, of `n_words`; with more words, the same share says more. `cosine`: that of the nearest of the best
/// results, if there are vectors. `named`: the share of the question's names that exist, if it has any.
///
/// The weights of the first two come from a logistic regression on 388 dev questions in eight repositories: their own, and
/// questions of other repositories as those without an answer. Left out one repository at a time, AUROC 0.944 (0.934 by the cosine
/// alone, 0.78 by coverage alone). The weight of names was set by hand: those questions have too few.
pub fn matching(coverage: f64, n_words: usize, cosine: Option<f64>, named: Option<f64>) -> f64 {
    let words = coverage * (1.0 + n_words as f64).ln();
    let sum = match cosine {
        Some(cosine) => 2.05 * words + 13.5 * cosine - 8.07,
        None => 6.0 * (coverage - 0.5),
    };
    // Names that do not exist lower the result strongly; those that do say little beyond the words.
    let names = named.map_or(0.0, |share| share - 6.0 * (1.0 - share));
    1.0 / (1.0 + (-(sum + names)).exp())
}

/// The least score of a strong match.
pub const STRONG_MATCH: f64 = 0.7;
/// The least score of a fair match; below it is weak. 3 % of the dev questions that have an answer are below, and 80 % of those
/// from another repository; most of the others do have an answer there ("render HTML templates").
pub const FAIR_MATCH: f64 = 0.2;

/// The word for a match: `strong`, `fair` or `weak`; `none` for 0.
pub fn match_word(score: f64) -> &'static str {
    if score >= STRONG_MATCH {
        "strong"
    } else if score >= FAIR_MATCH {
        "fair"
    } else if score > 0.0 {
        "weak"
    } else {
        "none"
    }
}

/// If the match is weak, this many of the best results go into a pack: enough to show the guess, too few to fill a budget with
/// unrelated code.
pub const WEAK_GUESSES: usize = 3;
/// The same for a long text: it has words and names that no project knows (those of the reporter's machine), and is classified as
/// weak too often. Twelve results left half of a budget of 8,000 tokens empty; thirty fill it (docs/quality.md).
pub const WEAK_GUESSES_OF_TEXT: usize = 30;
