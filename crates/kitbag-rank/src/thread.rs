//! Scores for the pack of a message in a thread (MEM-4). Pure arithmetic; the requirement sets the numbers.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

/// Where a candidate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThreadOrigin {
    /// It was attached to the thread.
    Reference,
    /// It was served or opened recently.
    File,
    /// Search found it.
    Chunk,
    /// It is a message.
    Message,
}

impl ThreadOrigin {
    pub const ALL: [Self; 4] = [Self::Reference, Self::File, Self::Chunk, Self::Message];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::File => "file",
            Self::Chunk => "chunk",
            Self::Message => "message",
        }
    }

    fn value(self) -> f64 {
        match self {
            Self::Reference => 1.0,
            Self::File => 0.7,
            Self::Chunk => 0.6,
            Self::Message => 0.5,
        }
    }
}

/// What is known about a candidate, each from 0 to 1 except the age and the uses.
#[derive(Clone, Copy, Debug)]
pub struct ThreadFacts {
    /// The cosine of its words and the message's.
    pub similarity: f64,
    /// The share of the message's words that it has.
    pub keywords: f64,
    pub age_hours: f64,
    pub origin: ThreadOrigin,
    pub uses: u32,
}

/// 0 to 1.
pub fn thread_score(facts: &ThreadFacts) -> f64 {
    0.35 * facts.similarity.clamp(0.0, 1.0)
        + 0.25 * facts.keywords.clamp(0.0, 1.0)
        + 0.15 * (-0.01 * facts.age_hours.max(0.0)).exp()
        + 0.15 * facts.origin.value()
        + 0.10 * (f64::from(facts.uses) / 10.0).min(1.0)
}

/// The cosine of each text's terms and the question's, where rare terms count more. The texts are the corpus.
pub fn similarities(question: &[String], texts: &[Vec<String>]) -> Vec<f64> {
    let mut n_with: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        let mut terms: Vec<&str> = text.iter().map(String::as_str).collect();
        terms.sort_unstable();
        terms.dedup();
        for term in terms {
            *n_with.entry(term).or_default() += 1;
        }
    }
    let rarity = |term: &str| {
        let n = n_with.get(term).copied().unwrap_or(0);
        ((1.0 + texts.len() as f64) / (1.0 + n as f64)).ln() + 1.0
    };
    let vector = |terms: &[String]| -> BTreeMap<String, f64> {
        let mut weights = BTreeMap::new();
        for term in terms {
            *weights.entry(term.clone()).or_insert(0.0) += rarity(term);
        }
        weights
    };
    let asked = vector(question);
    let length =
        |vector: &BTreeMap<String, f64>| vector.values().map(|value| value * value).sum::<f64>().sqrt();
    let asked_length = length(&asked);
    texts
        .iter()
        .map(|text| {
            let said = vector(text);
            let dot: f64 = asked
                .iter()
                .filter_map(|(term, weight)| Some(weight * said.get(term)?))
                .sum();
            let lengths = asked_length * length(&said);
            if lengths > 0.0 { dot / lengths } else { 0.0 }
        })
        .collect()
}

/// The effect of feedback on a score, by how much more often something was useful than not: between 0.8 and 1.2 (MEM-5). It is
/// bounded, so that it reorders similar scores and never brings in what does not match.
pub fn feedback_factor(net: i64) -> f64 {
    1.0 + 0.05 * net.clamp(-4, 4) as f64
}
