//! What stands in a pack and what does not: one piece at the resolution it is shown in, and one that was left out with the
//! reason.

use std::sync::Arc;

use kitbag_types::LineRange;

use crate::piece::{Piece, Resolution};
use crate::section::Section;
use crate::session::SeenBefore;

/// One piece in the pack.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Shared, because items are copied while a pack settles.
    pub piece: Arc<Piece>,
    /// From 1.
    pub rank: usize,
    pub score: f64,
    pub section: Section,
    pub resolution: Resolution,
    /// The lines that are in the text: sorted ranges that do not touch.
    pub lines: Vec<LineRange>,
    /// Cut off at the budget, because no smaller form of it says as much.
    pub truncated: bool,
    pub citation: String,
    /// Other places with the same text, as `path:10-20`.
    pub copies: Vec<String>,
    /// Other places with nearly the same text.
    pub like: Vec<Like>,
    /// Tokens of its own part of the text; with [`crate::Pack::frame_tokens`] they sum to the tokens of the text (PACK-74).
    pub tokens: usize,
    /// Why it is in, and at this resolution.
    pub why: String,
    /// Why it is in although something with a better score is not (PACK-44).
    pub ahead: Option<Ahead>,
    /// What the session knows of it.
    pub seen: Option<SeenBefore>,
}

impl Item {
    /// An item that shows nothing yet, from a piece and its score.
    pub(crate) fn new(piece: Piece, score: f64) -> Self {
        Self {
            section: Section::of(&piece),
            piece: Arc::new(piece),
            rank: 0,
            score,
            resolution: Resolution::Reference,
            lines: Vec::new(),
            truncated: false,
            citation: String::new(),
            copies: Vec::new(),
            like: Vec::new(),
            tokens: 0,
            why: String::new(),
            ahead: None,
            seen: None,
        }
    }

    /// Lines shown above it that come before it in the file: the heads of the definitions that it is in.
    pub fn head_lines(&self) -> Vec<LineRange> {
        let mut runs: Vec<LineRange> = Vec::new();
        for (number, _) in self.piece.above.iter().filter(|_| !self.lines.is_empty()) {
            match runs.last_mut() {
                Some(run) if run.end() + 1 == *number => *run = LineRange::new(run.start(), *number),
                _ => runs.push(LineRange::new(*number, *number)),
            }
        }
        runs
    }
}

/// A copy with edits that was folded into an item (PACK-22).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Like {
    /// `path:10-20`.
    pub place: String,
    /// The share of all lines of both that both have, in percent.
    pub percent: usize,
    /// The lines of that place that the item does not have.
    pub differs: Vec<LineRange>,
}

/// Why an item is in although something with a better score is left out for lack of room or share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    AskedFor,
    NamedByTask,
    /// It is a log that was handed in: the lines that tell of the failure always have a place.
    HandedIn,
    /// Part of the budget is kept for naming the best piece of as many files as possible.
    BestOfFile,
    /// The better ones were held back: their section, file or kind of source had used up its share.
    Share,
    /// It takes fewer tokens than any of the better ones would.
    Smaller,
    /// It was named already or shares a heading, so it fitted into the rest of the budget and the better ones did not.
    Fitted,
}

impl Ahead {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AskedFor => "asked_for",
            Self::NamedByTask => "named_by_task",
            Self::HandedIn => "handed_in",
            Self::BestOfFile => "best_of_file",
            Self::Share => "share",
            Self::Smaller => "smaller",
            Self::Fitted => "fitted",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExcludedReason {
    Duplicate,
    Overlap,
    Budget,
    Balance,
    BelowThreshold,
    Denied,
    Binary,
    Missing,
    Timeout,
}

impl ExcludedReason {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::Overlap => "overlap",
            Self::Budget => "budget",
            Self::Balance => "balance",
            Self::BelowThreshold => "below_threshold",
            Self::Denied => "denied",
            Self::Binary => "binary",
            Self::Missing => "missing",
            Self::Timeout => "timeout",
        }
    }
}

/// Something that is not in the pack, and why (PACK-44).
#[derive(Clone, Debug, PartialEq)]
pub struct Excluded {
    pub path: String,
    /// `None`: the whole of it.
    pub lines: Option<LineRange>,
    pub label: String,
    pub reason: ExcludedReason,
    pub detail: String,
    /// `None`: it was never a candidate.
    pub score: Option<f64>,
    /// Among what was left after deduplication, from 1.
    pub rank: Option<usize>,
    /// Of its whole text. `None`: it was never a candidate.
    pub tokens: Option<usize>,
}

impl Excluded {
    /// A candidate that is left out.
    pub(crate) fn of(
        piece: &Piece,
        score: f64,
        count: &dyn Fn(&str) -> usize,
        reason: ExcludedReason,
        detail: String,
    ) -> Self {
        Self {
            path: piece.path.clone(),
            lines: Some(piece.lines),
            label: piece.label.clone(),
            reason,
            detail,
            score: Some(score),
            rank: None,
            tokens: Some(piece.tokens.unwrap_or_else(|| count(&piece.text))),
        }
    }

    /// A source that was asked for and could not be used.
    pub fn refused(path: String, lines: Option<LineRange>, reason: ExcludedReason, detail: String) -> Self {
        Self {
            path,
            lines,
            label: String::new(),
            reason,
            detail,
            score: None,
            rank: None,
            tokens: None,
        }
    }
}
