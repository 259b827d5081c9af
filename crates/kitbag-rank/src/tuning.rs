//! Every number of the ranking, with its meaning and what set it (RET-21). `--explain` prints these names.
//!
//! "dev" is the dev half of the code-search benchmark (docs/quality.md has the command). A number marked *prior* was
//! taken from published work or plain sense and has not been measured here yet.

use kitbag_types::TextField;

// ---- full text (bm25.rs) ----

/// How much a term in each field counts against one in the body: `weight`, and how strongly long fields are damped (`b`)
/// around a typical length in terms (`length`). Fixed lengths instead of averages keep scores independent of what else is
/// indexed; chunks are cut to a size, so the typical length is ours to know.
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

/// See [`FIELDS`].
#[derive(Clone, Copy, Debug)]
pub struct FieldWeight {
    pub weight: f32,
    pub b: f32,
    pub length: f32,
}

/// How soon repeating a term stops paying. *prior*: the usual 1.2 to 1.5.
pub const K1: f32 = 1.4;
/// A chunk that matches all the question's weight keeps its score, one that matches none of it loses this share. Chunks
/// that answer the whole question beat those that repeat one word of it.
pub const COVERAGE_SHARE: f32 = 0.5;
/// Questions are cut to this many terms, the most telling first: whole issue texts stay fast.
pub const MAX_QUERY_TERMS: usize = 64;
/// Chunks taken from full text into fusion.
pub const TEXT_CANDIDATES: usize = 150;
/// Chunks taken from the symbol table into fusion.
pub const SYMBOL_CANDIDATES: usize = 60;
/// Fewer text matches than this bring the fuzzy matching of names and paths in (RET-10).
pub const FUZZY_BELOW: usize = 3;
/// Share of trigrams two names must have in common to be taken for a slip of the keyboard.
pub const FUZZY_SIMILARITY: f64 = 0.45;

// ---- fusion (fuse.rs) ----

/// `Σ weight / (RRF_K + rank)`. *prior*: the constant of RET-15 and of the literature.
pub const RRF_K: f64 = 60.0;
/// Weights of the providers in fusion; configuration may change them.
pub const FULL_TEXT_WEIGHT: f64 = 1.0;
pub const SYMBOL_WEIGHT: f64 = 0.6;

// ---- code knowledge (boost.rs); additive factors are shares of the best fused score ----

/// `text_match`: its text score as a share of the best one. Ranks alone flatten a clear winner: golden queries 26 → 29 of 34;
/// dev 0.823 at 1.0, 0.830 at 0.4.
pub const TEXT_MATCH: f64 = 0.5;
/// `file_coherence`: the best chunk of a file whose chunks score well together.
pub const FILE_COHERENCE: f64 = 0.2;
/// `definition`: the chunk defines a name the question is, letter for letter.
pub const DEFINITION: f64 = 3.0;
/// The same where the letters differ in case only.
pub const DEFINITION_FOLDED: f64 = 2.0;
/// The same for a name that only occurs in a longer question.
pub const DEFINITION_IN_PROSE: f64 = 1.5;
/// `definition` again, where the file is named like the symbol.
pub const STEM_IS_SYMBOL: f64 = 1.5;
/// `path_words`: share of the question's words that the file stem and folder hold. dev 0.834 at 1.0, 0.836 at 1.3.
pub const PATH_WORDS: f64 = 1.3;
/// Below this share a word in the path is chance.
pub const PATH_WORDS_FLOOR: f64 = 0.1;
/// `name_words`: share of the question's words in the names the chunk defines. Small, because `names` is a field of the text
/// score already: dev 0.830 at 0.5, 0.832 at 0.3, 0.834 at 0.15.
pub const NAME_WORDS: f64 = 0.15;
/// `reference`: the question names this file or symbol outright (RET-2).
pub const REFERENCE: f64 = 3.0;
/// `exported`: other files can use what it defines.
pub const EXPORTED: f64 = 0.05;
/// `central`: files that use a name it defines, logarithmic, at most this. Breaks near-ties only: dev does not move between 0
/// and 0.1 (with `path_words`, 0.834 to 0.836).
pub const CENTRAL: f64 = 0.03;
/// Users at which `central` is full.
pub const CENTRAL_FULL: u32 = 64;
/// `near_active`: same folder as the active file; same language counts a third of it.
pub const NEAR_ACTIVE: f64 = 0.15;

// ---- multiplicative: where a file stands ----

/// `test`: test code, unless the question is about tests.
pub const TEST: f64 = 0.3;
/// `example`: examples, samples, demos and snippets of documentation.
pub const EXAMPLE: f64 = 0.3;
/// `vendored`: other people's code and what a program wrote.
pub const VENDORED: f64 = 0.3;
/// `legacy`: compatibility layers and deprecated folders.
pub const LEGACY: f64 = 0.4;
/// `reexport`: files that mostly pass other files' names on.
pub const REEXPORT: f64 = 0.5;
/// `declaration`: type declarations beside an implementation (`.d.ts`, `.pyi`).
pub const DECLARATION: f64 = 0.7;
/// `changelog`: change logs, release notes, licences.
pub const CHANGELOG: f64 = 0.3;
/// `docs`: prose, when the question is about code. dev 0.832 at 0.5, 0.834 at 0.35 (together with `config`).
pub const DOCS: f64 = 0.35;
/// `config`: data and configuration, when the question is about code. See `docs`.
pub const CONFIG: f64 = 0.35;
/// `repeat`: each further chunk of a file already in the list.
pub const REPEAT: f64 = 0.5;
