//! The task and the reader of a pack, its options, and the finished pack.

use std::fmt;

use kitbag_types::{Stop, Stopped};

use crate::briefing::ShownInsight;
use crate::format::{BadTemplate, Style, Unwritten};
use crate::item::{Excluded, Item};
use crate::score::{Intent, Weights};
use crate::section::Shares;
use crate::session::Session;
use crate::tuning;

/// The options of a pack: its budget, style and limits.
#[derive(Clone, Debug, PartialEq)]
pub struct PackOptions {
    /// Tokens the finished text may have.
    pub budget: usize,
    pub weights: Weights,
    /// By [`crate::Origin`] in its order, 0 to 100.
    pub priorities: [u32; 6],
    pub shares: Shares,
    /// PACK-21.
    pub overlap_share: f64,
    /// For finding equal texts (PACK-20).
    pub ignore_comments: bool,
    pub ignore_case: bool,
    /// PACK-43.
    pub balance: bool,
    /// Pieces that score less are left out.
    pub min_score: f64,
    /// A note at the top of the text; empty for none.
    pub note: String,
    /// The pieces are all that a search could find. If false, some were left aside on purpose or nothing was searched; a pack that
    /// runs out of pieces then says nothing about the project.
    pub searched_all: bool,
    /// Tokens of the finished text that the brief may take.
    pub brief_tokens: usize,
    pub style: Style,
}

impl PackOptions {
    /// The defaults, for a budget.
    pub fn new(budget: usize, style: Style) -> Self {
        Self {
            budget,
            weights: Weights::of(Intent::Understand),
            priorities: tuning::PRIORITIES,
            shares: Shares(tuning::SHARES),
            overlap_share: tuning::OVERLAP_SHARE,
            ignore_comments: false,
            ignore_case: false,
            balance: true,
            min_score: 0.0,
            note: String::new(),
            searched_all: true,
            brief_tokens: budget,
            style,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Pack {
    pub text: String,
    pub tokens: usize,
    /// Tokens of everything that does not belong to an item: headings, fences, citations, hints.
    pub frame_tokens: usize,
    /// Every candidate is in, in full: a larger budget would change nothing.
    pub ran_out: bool,
    /// Best first.
    pub items: Vec<Item>,
    /// Best first within each reason.
    pub excluded: Vec<Excluded>,
    /// What the brief tells, in the order of the text.
    pub brief: Vec<ShownInsight>,
    /// Those of the hints that stand in the text.
    pub hints: Vec<String>,
    /// Tokens saved by references to earlier answers of the session.
    pub tokens_saved: usize,
}

/// The task, the reader and the tokenizer that a pack is made for.
#[derive(Clone, Copy)]
pub struct Brief<'b> {
    pub task: &'b str,
    /// What is told about the project, in the order of the text (ENG-30). What does not fit is left out, the least first.
    pub told: &'b [ShownInsight],
    pub options: &'b PackOptions,
    /// What the reader has seen (ENG-40). `None`: nothing yet.
    pub session: Option<Session<'b>>,
    /// The tokenizer; it must count the empty text as 0.
    pub count: &'b dyn Fn(&str) -> usize,
    /// Returns true once nobody waits for the pack any more.
    pub stop: Stop<'b>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackError {
    /// The text is larger than the budget: a bug, reported instead of delivered (PACK-31).
    Overflow {
        tokens: usize,
        budget: usize,
    },
    Template(BadTemplate),
    /// Nobody waits for the pack any more.
    Stopped,
}

impl From<Stopped> for PackError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<Unwritten> for PackError {
    fn from(why: Unwritten) -> Self {
        match why {
            Unwritten::Bad(bad) => Self::Template(bad),
            Unwritten::Stopped => Self::Stopped,
        }
    }
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overflow { tokens, budget } => {
                write!(
                    f,
                    "the finished pack has {tokens} tokens, more than the {budget} it may have"
                )
            }
            Self::Template(error) => error.fmt(f),
            Self::Stopped => f.write_str("the pack is no longer wanted"),
        }
    }
}

impl std::error::Error for PackError {}
