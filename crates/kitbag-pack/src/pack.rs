//! The two steps to a pack: [`choose`] scores, orders, deduplicates and takes what fits; [`write()`] adds hints and writes.
//! Between them the caller looks at what was chosen to say what it lacks.

use std::fmt;
use std::sync::Arc;

use kitbag_types::{LineRange, Stop, Stopped};

use crate::cite::citations;
use crate::dedup::dedup;
use crate::format::{BadTemplate, Style, Unwritten};
use crate::piece::{Piece, Resolution};
use crate::score::{Weights, score};
use crate::section::{Section, Shares};
use crate::session::{Known, Seen, Session};
use crate::settle::{Desk, Settled, add_hints, explain_order, refer, settle, share_out};
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
    /// A piece with its score, of which nothing is shown yet.
    fn new(piece: Piece, score: f64) -> Self {
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
    /// Those of the hints that stand in the text.
    pub hints: Vec<String>,
    /// What references to earlier answers of the session saved.
    pub tokens_saved: usize,
}

/// What a pack is made for.
#[derive(Clone, Copy)]
pub struct Brief<'b> {
    pub task: &'b str,
    pub options: &'b PackOptions,
    /// What the reader has seen (ENG-40). `None`: nothing yet.
    pub session: Option<Session<'b>>,
    /// The tokenizer; it must count the empty text as 0.
    pub count: &'b dyn Fn(&str) -> usize,
    /// Says that nobody waits for the pack any more.
    pub stop: Stop<'b>,
}

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

/// What goes into a pack, before hints are added to it.
pub struct Chosen<'b> {
    /// Best first.
    pub items: Vec<Item>,
    /// Best first within each reason.
    pub excluded: Vec<Excluded>,
    settled: Settled,
    desk: Desk<'b>,
    /// What the session knows of each candidate, by rank.
    known: Option<Vec<Known<'b>>>,
}

/// Takes the best of `pieces` that fit the budget.
pub fn choose<'b>(pieces: Vec<Piece>, brief: Brief<'b>) -> Result<Chosen<'b>, PackError> {
    let mut excluded = Vec::new();
    let mut candidates = candidates(pieces, &brief, &mut excluded)?;
    let known = brief
        .session
        .map(|session| mark_changed(&mut candidates, &session));
    let desk = Desk::new(brief)?;
    let (items, settled) = settle(&candidates, &desk, &mut excluded)?;
    Ok(Chosen {
        items,
        excluded,
        settled,
        desk,
        known,
    })
}

/// Writes what was chosen. `hints`: what the pack lacks, most useful first (PACK-63); those that fit are written with it.
pub fn write(chosen: Chosen<'_>, hints: Vec<String>) -> Result<Pack, PackError> {
    let Chosen {
        mut items,
        excluded,
        mut settled,
        desk,
        known,
    } = chosen;
    let hints = add_hints(&mut settled, &items, hints, &desk)?;
    let tokens_saved = match (desk.brief.session, &known) {
        (Some(session), Some(known)) => refer(&mut settled, &mut items, &hints, &desk, (&session, known))?,
        _ => 0,
    };
    let budget = desk.brief.options.budget;
    if settled.tokens > budget {
        return Err(PackError::Overflow {
            tokens: settled.tokens,
            budget,
        });
    }
    let frame_tokens = share_out(&settled, &mut items, desk.brief.count);
    explain_order(&mut items, &excluded);
    Ok(Pack {
        text: settled.written.text,
        tokens: settled.tokens,
        frame_tokens,
        ran_out: settled.ran_out,
        items,
        excluded,
        hints,
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
    brief: &Brief<'_>,
    excluded: &mut Vec<Excluded>,
) -> Result<Vec<Item>, Stopped> {
    let (options, count) = (brief.options, brief.count);
    let scored = |piece: Piece| {
        let score = score(&piece, &options.weights, &options.priorities);
        Item::new(piece, score)
    };
    let mut items: Vec<Item> = pieces.into_iter().map(scored).collect();
    // Stable: equals stay as they came (PACK-10).
    items.sort_by(|a, b| {
        let by_wish = b.piece.pinned.cmp(&a.piece.pinned);
        by_wish.then(b.score.total_cmp(&a.score))
    });
    let items = dedup(items, options, count, excluded, brief.stop)?;
    let (mut items, low): (Vec<Item>, Vec<Item>) = items
        .into_iter()
        .partition(|item| item.score >= options.min_score || item.piece.pinned);
    excluded.extend(low.iter().map(|item| {
        let detail = format!("score {:.3} is below {:.3}", item.score, options.min_score);
        let reason = ExcludedReason::BelowThreshold;
        Excluded::of(&item.piece, item.score, count, reason, detail)
    }));
    let citations = citations(items.iter().map(|item| &*item.piece));
    for (idx, (item, citation)) in items.iter_mut().zip(citations).enumerate() {
        // Pieces that were merged may define more than they did.
        item.section = Section::of(&item.piece);
        (item.rank, item.citation) = (idx + 1, citation);
    }
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
