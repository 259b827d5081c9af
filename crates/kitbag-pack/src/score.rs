//! How good a piece is: relevance, recency and source, weighted by the intent of the task (PACK-10 to PACK-14).

use kitbag_types::terms::each_term;

use crate::piece::{Origin, Piece};
use crate::tuning;

/// The intent of a task (ENG-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Intent {
    Understand,
    AddFeature,
    FixBug,
    Refactor,
    SecurityReview,
    AddTest,
}

impl Intent {
    pub const ALL: [Self; 6] = [
        Self::Understand,
        Self::AddFeature,
        Self::FixBug,
        Self::Refactor,
        Self::SecurityReview,
        Self::AddTest,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Understand => "understand",
            Self::AddFeature => "add_feature",
            Self::FixBug => "fix_bug",
            Self::Refactor => "refactor",
            Self::SecurityReview => "security_review",
            Self::AddTest => "add_test",
        }
    }

    /// Also understands the alias `security_audit`, and `-` for `_`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.replace('-', "_");
        if text == "security_audit" {
            return Some(Self::SecurityReview);
        }
        Self::ALL.into_iter().find(|intent| intent.as_str() == text)
    }

    /// Infers the intent from the words of a task: the first list that has one of the words wins, the most telling list first.
    pub fn infer(task: &str) -> Self {
        // The first words say what is wanted; a pasted log further down only mentions other things.
        let opening: Vec<String> = task
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .take(tuning::INTENT_WORDS)
            .map(str::to_lowercase)
            .collect();
        let has = |list: &[&str]| opening.iter().any(|word| list.contains(&word.as_str()));
        if has(tuning::SECURITY_WORDS) {
            Self::SecurityReview
        } else if wants_a_test(&opening) {
            Self::AddTest
        } else if has(tuning::BUG_WORDS) {
            Self::FixBug
        } else if has(tuning::REFACTOR_WORDS) {
            Self::Refactor
        } else if has(tuning::ADD_WORDS) {
            Self::AddFeature
        } else {
            Self::Understand
        }
    }
}

/// "Add a test", "write more unit tests": the two words are close together, at the beginning.
fn wants_a_test(words: &[String]) -> bool {
    let is = |word: &String, list: &[&str]| list.contains(&word.as_str());
    words.iter().take(6).enumerate().any(|(idx, word)| {
        is(word, tuning::ADD_WORDS)
            && words[idx..]
                .iter()
                .take(4)
                .any(|near| is(near, tuning::TEST_WORDS))
    })
}

/// The weight of each part of a score. They sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    pub relevance: f64,
    pub recency: f64,
    pub source: f64,
}

impl Weights {
    /// `None` if they do not sum to 1.
    pub fn new(relevance: f64, recency: f64, source: f64) -> Option<Self> {
        let parts = [relevance, recency, source];
        let ok = parts.iter().all(|part| (0.0..=1.0).contains(part));
        (ok && (parts.iter().sum::<f64>() - 1.0).abs() < 1e-6).then_some(Self {
            relevance,
            recency,
            source,
        })
    }

    pub fn of(intent: Intent) -> Self {
        let (relevance, recency, source) = tuning::WEIGHTS[intent as usize];
        Self {
            relevance,
            recency,
            source,
        }
    }
}

/// 0 to 1.
pub(crate) fn score(piece: &Piece, weights: &Weights, priorities: &[u32; 6]) -> f64 {
    let source = priority(piece.origin, priorities);
    let sum = weights.relevance * share(piece.relevance)
        + weights.recency * share(piece.recency)
        + weights.source * source;
    share(sum)
}

/// Clamps to 0 to 1; NaN becomes 0.
fn share(value: f64) -> f64 {
    if value.is_nan() {
        0.0
    } else {
        value.clamp(0.0, 1.0)
    }
}

/// The weight of a source, 0 to 1 (PACK-13).
pub fn priority(origin: Origin, priorities: &[u32; 6]) -> f64 {
    f64::from(priorities[origin as usize].min(100)) / 100.0
}

/// The recency of a file that last changed `days` ago (PACK-12): 0.9 and more within a day, 0.05 after a month.
pub fn recency(days: f64) -> f64 {
    share((-days / tuning::RECENCY_DAYS).exp())
}

/// The share of the task's words that are in a text (PACK-11), for text that no search ranked. 0: none, 1: all.
pub fn coverage(task_terms: &[String], text: &str) -> f64 {
    if task_terms.is_empty() {
        return 0.0;
    }
    let mut sorted: Vec<(&str, bool)> = task_terms.iter().map(|term| (term.as_str(), false)).collect();
    sorted.sort_unstable();
    each_term(text, &mut |term| {
        let first = sorted.partition_point(|(known, _)| *known < term);
        for (_, found) in sorted[first..].iter_mut().take_while(|(known, _)| *known == term) {
            *found = true;
        }
    });
    let n = sorted.iter().filter(|(_, found)| *found).count();
    n as f64 / task_terms.len() as f64
}
