//! The two steps to a pack: [`choose`] scores, orders, deduplicates and takes what fits; [`write()`] adds hints and writes.
//! Between the two the caller looks at what was chosen, to make hints about what is missing.

use std::collections::BTreeSet;

use kitbag_types::Stopped;

use crate::brief::{Brief, Pack, PackError};
use crate::briefing::Insight;
use crate::cite::citations;
use crate::dedup::dedup;
use crate::item::{Excluded, ExcludedReason, Item};
use crate::piece::Piece;
use crate::score::score;
use crate::section::Section;
use crate::session::{KnownPiece, SeenBefore, Session, mark_told};
use crate::settle::{PackWriter, Settled, add_hints, explain_order, refer, refer_told, settle, share_out};

/// What goes into a pack, before hints are added to it.
pub struct Chosen<'b> {
    /// Best first.
    pub items: Vec<Item>,
    /// Best first within each reason.
    pub excluded: Vec<Excluded>,
    settled: Settled,
    desk: PackWriter<'b>,
    /// What the session has seen of each candidate, by rank.
    known: Option<Vec<KnownPiece<'b>>>,
}

impl Chosen<'_> {
    /// Of the text as it is so far.
    pub fn tokens(&self) -> usize {
        self.settled.tokens
    }

    /// Tells only what `concerns` the items that were chosen. The room that this frees stays free.
    pub fn tell_only(&mut self, concerns: &dyn Fn(&Insight, &[Item]) -> bool) -> Result<(), PackError> {
        let n = self.desk.told.len();
        let items = &self.items;
        self.desk.told.retain(|one| concerns(&one.insight, items));
        if self.desk.told.len() < n {
            self.settled.rewrite(items, &self.desk)?;
        }
        Ok(())
    }
}

/// Takes the best of `pieces` that fit the budget.
pub fn choose<'b>(pieces: Vec<Piece>, brief: Brief<'b>) -> Result<Chosen<'b>, PackError> {
    let mut excluded = Vec::new();
    let mut candidates = candidates(pieces, &brief, &mut excluded)?;
    let known = brief
        .session
        .map(|session| mark_changed(&mut candidates, &session));
    let mut desk = PackWriter::new(brief)?;
    if let Some(session) = brief.session {
        mark_told(&mut desk.told, &session);
        // That it was told otherwise is part of what it costs; that it was told is seen to at the end, as for code.
        desk.told.iter_mut().for_each(|one| one.delivered_in.clear());
    }
    desk.fit_brief()?;
    let (items, settled) = settle(&candidates, &desk, &mut excluded)?;
    Ok(Chosen {
        items,
        excluded,
        settled,
        desk,
        known,
    })
}

/// Writes what was chosen. `hints` say what the pack lacks, most useful first (PACK-63); those that fit are written too.
pub fn write(chosen: Chosen<'_>, hints: Vec<String>) -> Result<Pack, PackError> {
    let Chosen {
        mut items,
        excluded,
        mut settled,
        mut desk,
        known,
    } = chosen;
    let hints = add_hints(&mut settled, &items, hints, &desk)?;
    let mut tokens_saved = 0;
    if let (Some(session), Some(known)) = (desk.brief.session, &known) {
        tokens_saved += refer_told(&mut settled, &items, &hints, &mut desk, &session)?;
        tokens_saved += refer(&mut settled, &mut items, &hints, &desk, (&session, known))?;
    }
    let budget = desk.brief.options.budget;
    if settled.tokens > budget {
        return Err(PackError::Overflow {
            tokens: settled.tokens,
            budget,
        });
    }
    let mut brief = desk.told;
    let frame_tokens = share_out(&settled, &mut items, &mut brief, desk.brief.count);
    explain_order(&mut items, &excluded);
    Ok(Pack {
        text: settled.written.text,
        tokens: settled.tokens,
        frame_tokens,
        ran_out: settled.ran_out,
        items,
        excluded,
        brief,
        hints,
        tokens_saved,
    })
}

/// Marks what has changed since the session saw it, before anything is chosen, so that the mark is part of every cost. Returns what is known of
/// each item, in order.
fn mark_changed<'d>(items: &mut [Item], session: &Session<'d>) -> Vec<KnownPiece<'d>> {
    let mark = |item: &mut Item| {
        let known = KnownPiece::of(&item.piece, session);
        item.seen = known.changed_since.map(|since| SeenBefore::Changed { since });
        known
    };
    items.iter_mut().map(mark).collect()
}

/// Scores and sorts the pieces and drops repeats. Nothing is chosen yet.
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
    // A stable sort: equal pieces stay in the order in which they came (PACK-10).
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
        // A merged piece may define more names than before.
        item.section = Section::of(&item.piece);
        (item.rank, item.citation) = (idx + 1, citation);
    }
    join_sections(&mut items);
    Ok(items)
}

/// Keeps a file in one section: its imports, its module docs and other parts go where its definitions are.
fn join_sections(items: &mut [Item]) {
    let key = |item: &Item| (item.piece.path.clone(), item.piece.at.clone(), item.piece.given);
    let with_definitions: BTreeSet<_> = items
        .iter()
        .filter(|item| item.section == Section::Definitions)
        .map(key)
        .collect();
    for item in items {
        let joins = !matches!(
            item.section,
            Section::Definitions | Section::Given | Section::Tests
        );
        if joins && with_definitions.contains(&key(item)) {
            item.section = Section::Definitions;
        }
    }
}
