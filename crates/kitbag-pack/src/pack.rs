//! The whole way: score, order, deduplicate, choose, write, count.

use std::fmt;
use std::sync::Arc;

use kitbag_types::{LineRange, Stop, Stopped};

use crate::cite::citations;
use crate::dedup::dedup;
use crate::format::{BadTemplate, Effort, Style, Unwritten};
use crate::piece::{Piece, Resolution};
use crate::score::{Weights, score};
use crate::section::{Section, Shares};
use crate::session::{Known, Seen, Session};
use crate::settle::{explain_order, refer, settle, share_out};
use crate::tuning;

/// What a pack obeys.
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
    /// Stands at the top of the text; empty: nothing does.
    pub note: String,
    /// The pieces are all that a search could find. False: more was left aside on purpose, or nothing was searched, so running
    /// out of pieces says nothing about the project.
    pub searched_all: bool,
    pub style: Style,
}

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
    /// The lines that stand in the text: sorted, apart from each other.
    pub lines: Vec<LineRange>,
    /// Cut off because nothing smaller than the budget says as much.
    pub truncated: bool,
    pub citation: String,
    /// `path:10-20` of places with the same text that it stands for.
    pub copies: Vec<String>,
    /// Places with nearly the same text that it stands for.
    pub like: Vec<Like>,
    /// Of its own part of the text; with [`Pack::frame_tokens`] they sum to the tokens of the text (PACK-74).
    pub tokens: usize,
    /// Why it is in, and at this resolution.
    pub why: String,
    /// Why it is in although something with a better score is not (PACK-44).
    pub ahead: Option<Ahead>,
    /// What the session knows of it.
    pub seen: Option<Seen>,
}

impl Item {
    /// The lines before it that stand above it: heads of definitions that it is in.
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
    /// Of the lines of both, those that both have.
    pub percent: usize,
    /// The lines of that place that the item does not have.
    pub differs: Vec<LineRange>,
}

/// Why an item is in although something with a better score is left out for lack of room or share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    AskedFor,
    NamedByTask,
    /// A log that was handed in: what failed has a place.
    HandedIn,
    /// Part of the room names the best piece of as many files as it can.
    BestOfFile,
    /// The better ones were held back: their section, file or kind of source has its share.
    Share,
    /// It takes fewer tokens than any of the better ones would.
    Smaller,
    /// It was named already, or shares a heading, and so fitted into what was left when the better ones did not.
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

    /// What was asked for and could not be used.
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

#[derive(Clone, Debug, PartialEq)]
pub struct Pack {
    pub text: String,
    pub tokens: usize,
    /// Of everything that is not an item's own: headings, fences, citations, hints.
    pub frame_tokens: usize,
    /// Every candidate is in, in full: a larger budget would change nothing.
    pub ran_out: bool,
    /// Best first.
    pub items: Vec<Item>,
    /// Best first within each reason.
    pub excluded: Vec<Excluded>,
    /// Those of the guide's hints that stand in the text.
    pub hints: Vec<String>,
    /// What references to earlier answers of the session saved.
    pub tokens_saved: usize,
}

/// What the caller knows besides: hints for what the pack lacks, most useful first (PACK-63).
pub type Guide<'g> = &'g dyn Fn(&[Item], &[Excluded]) -> Vec<String>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackError {
    /// The text is larger than the budget after all: a bug, told instead of handed out (PACK-31).
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

/// Makes a pack of `pieces`, for a reader who has seen nothing yet. `count` is the tokenizer; it must count the empty text as 0.
pub fn pack(
    task: &str,
    pieces: Vec<Piece>,
    options: &PackOptions,
    count: &dyn Fn(&str) -> usize,
    guide: Guide<'_>,
) -> Result<Pack, PackError> {
    pack_in_session(task, pieces, options, None, count, guide, Stop::never())
}

/// The same, for a reader who has seen what the session delivered (ENG-40), until `stop` says that nobody waits for it.
pub fn pack_in_session(
    task: &str,
    pieces: Vec<Piece>,
    options: &PackOptions,
    session: Option<&Session<'_>>,
    count: &dyn Fn(&str) -> usize,
    guide: Guide<'_>,
    stop: Stop<'_>,
) -> Result<Pack, PackError> {
    let mut excluded = Vec::new();
    let mut items = candidates(pieces, options, count, &mut excluded, stop)?;
    let effort = &Effort::new(stop);
    let known = session.map(|session| mark_changed(&mut items, session));
    let mut settled = settle(task, items, options, count, &mut excluded, guide, effort)?;
    let mut tokens_saved = 0;
    if let Some((session, known)) = session.zip(known) {
        tokens_saved = refer(&mut settled, task, options, session, &known, count, effort)?;
    }
    if settled.tokens > options.budget {
        return Err(PackError::Overflow {
            tokens: settled.tokens,
            budget: options.budget,
        });
    }
    let frame_tokens = share_out(&mut settled, count);
    explain_order(&mut settled.items, &excluded);
    Ok(Pack {
        text: settled.written.text,
        tokens: settled.tokens,
        frame_tokens,
        ran_out: settled.ran_out,
        items: settled.items,
        excluded,
        hints: settled.hints,
        tokens_saved,
    })
}

/// Before anything is chosen, so that the mark is part of every cost. Gives what is known of each item, in order.
fn mark_changed<'d>(items: &mut [Item], session: &Session<'d>) -> Vec<Known<'d>> {
    let mark = |item: &mut Item| {
        let known = Known::of(&item.piece, session);
        item.seen = known.changed_since.map(|since| Seen::Changed { since });
        known
    };
    items.iter_mut().map(mark).collect()
}

/// Scored, sorted and without repeats; nothing chosen yet.
pub(crate) fn candidates(
    pieces: Vec<Piece>,
    options: &PackOptions,
    count: &dyn Fn(&str) -> usize,
    excluded: &mut Vec<Excluded>,
    stop: Stop<'_>,
) -> Result<Vec<Item>, Stopped> {
    let mut scored: Vec<(Piece, f64)> = pieces
        .into_iter()
        .map(|piece| {
            let score = score(&piece, &options.weights, &options.priorities);
            (piece, score)
        })
        .collect();
    // Stable: equals stay as they came (PACK-10).
    scored.sort_by(|a, b| b.0.pinned.cmp(&a.0.pinned).then(b.1.total_cmp(&a.1)));
    let kept = dedup(scored, options, count, excluded, stop)?;
    let (kept, low): (Vec<_>, Vec<_>) = kept
        .into_iter()
        .partition(|kept| kept.score >= options.min_score || kept.piece.pinned);
    excluded.extend(low.iter().map(|kept| {
        let detail = format!("score {:.3} is below {:.3}", kept.score, options.min_score);
        Excluded::of(
            &kept.piece,
            kept.score,
            count,
            ExcludedReason::BelowThreshold,
            detail,
        )
    }));
    let citations = citations(kept.iter().map(|kept| &kept.piece));
    let items = kept
        .into_iter()
        .zip(citations)
        .enumerate()
        .map(|(idx, (kept, citation))| Item {
            section: Section::of(&kept.piece),
            piece: Arc::new(kept.piece),
            rank: idx + 1,
            score: kept.score,
            resolution: Resolution::Reference,
            lines: Vec::new(),
            truncated: false,
            citation,
            copies: kept.copies,
            like: kept.like,
            tokens: 0,
            why: String::new(),
            ahead: None,
            seen: None,
        })
        .collect();
    Ok(items)
}

impl PackOptions {
    /// The defaults, for a budget.
    pub fn new(budget: usize, style: Style) -> Self {
        Self {
            budget,
            weights: Weights::of(crate::Intent::Understand),
            priorities: tuning::PRIORITIES,
            shares: Shares(tuning::SHARES),
            overlap_share: tuning::OVERLAP_SHARE,
            ignore_comments: false,
            ignore_case: false,
            balance: true,
            min_score: 0.0,
            note: String::new(),
            searched_all: true,
            style,
        }
    }
}
