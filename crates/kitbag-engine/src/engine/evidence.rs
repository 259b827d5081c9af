//! What providers know of chunks, whoever found them: how well a text matches, how near its meaning is, what the history says,
//! how chunks are linked. Ranking asks it of every candidate.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use kitbag_rank::factors::Facts;
use kitbag_store::ChunkRef;
use kitbag_types::RepoPath;

use super::Row;
use crate::meaning::Meaning;

/// See the module. All shares are 0 to 1.
#[derive(Default)]
pub struct Evidence {
    /// Looked up, never listed.
    text: HashMap<ChunkRef, TextMatch>,
    named: BTreeSet<ChunkRef>,
    meaning: Option<Meaning>,
    history: BTreeMap<RepoPath, f64>,
    linked: BTreeMap<ChunkRef, f64>,
}

/// How well a text matches.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextMatch {
    /// Its score as a share of the best one.
    pub share: f64,
    /// How much of the question's weight it has.
    pub coverage: f64,
    /// The score of its file as a share of the best file.
    pub file_share: f64,
}

impl Evidence {
    /// The question names these chunks outright.
    pub fn named(rows: &[Row]) -> Self {
        Self {
            named: rows.iter().map(|row| row.at).collect(),
            ..Self::default()
        }
    }

    /// How strongly chunks hang on what else was found.
    pub fn linked(shares: impl IntoIterator<Item = (ChunkRef, f64)>) -> Self {
        Self {
            linked: shares.into_iter().collect(),
            ..Self::default()
        }
    }

    /// How much the history of files sounds like the question.
    pub fn history(shares: impl IntoIterator<Item = (RepoPath, f64)>) -> Self {
        Self {
            history: shares.into_iter().collect(),
            ..Self::default()
        }
    }

    pub(crate) fn text(matches: HashMap<ChunkRef, TextMatch>) -> Self {
        Self {
            text: matches,
            ..Self::default()
        }
    }

    pub(crate) fn near(meaning: Meaning) -> Self {
        Self {
            meaning: Some(meaning),
            ..Self::default()
        }
    }

    /// How near every chunk is to the question, where there are vectors.
    pub(crate) fn meaning(&self) -> Option<&Meaning> {
        self.meaning.as_ref()
    }

    /// Of two shares of one thing, the larger counts.
    pub(crate) fn add(&mut self, other: Self) {
        self.text.extend(other.text);
        self.named.extend(other.named);
        self.meaning = self.meaning.take().or(other.meaning);
        for (path, share) in other.history {
            let known = self.history.entry(path).or_default();
            *known = known.max(share);
        }
        for (chunk, share) in other.linked {
            let known = self.linked.entry(chunk).or_default();
            *known = known.max(share);
        }
    }

    /// What ranking needs to know of a chunk, all but how many use it and whether it is in the package that is meant.
    pub(crate) fn of(&self, row: &Row) -> Facts {
        let text = self.text.get(&row.at).copied().unwrap_or_default();
        let meaning = |share: fn(&Meaning, ChunkRef) -> f64| {
            self.meaning
                .as_ref()
                .map_or(0.0, |meaning| share(meaning, row.at))
        };
        Facts {
            path: row.path.clone(),
            line_start: row.lines.start(),
            language: row.language.clone(),
            kind: row.kind,
            names: row.names.clone(),
            n_users: 0,
            referenced: self.named.contains(&row.at),
            text: text.share,
            coverage: text.coverage,
            file_text: text.file_share,
            meaning: meaning(Meaning::share),
            file_meaning: meaning(Meaning::file_share),
            title_meaning: meaning(Meaning::title_share),
            history: self.history.get(&row.path).copied().unwrap_or(0.0),
            linked: self.linked.get(&row.at).copied().unwrap_or(0.0),
            active_package: false,
            package: 1.0,
            feedback: 1.0,
        }
    }

    /// The cosine of a chunk and the question; 0 where there are no vectors.
    pub(crate) fn cosine(&self, chunk: ChunkRef) -> f64 {
        self.meaning.as_ref().map_or(0.0, |meaning| meaning.cosine(chunk))
    }
}
