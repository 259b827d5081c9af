//! The hard rule (PACK-31): the finished text is what is counted. A selection is made for the estimated room, written and
//! counted, then made again with more or less room, until the text is as full as possible and not over the budget.
//!
//! Costs of single items do not add up to the tokens of the whole (headings are shared, tokens span line breaks), so no
//! arithmetic on them is trusted. A round is a selection over costs already known, a rendering and one count.

use std::collections::BTreeMap;

use kitbag_types::LineRange;

use crate::brief::{Brief, PackError};
use crate::briefing::ShownInsight;
use crate::format::{Effort, Format, Frame, Style, Written, render, shown_text};
use crate::item::{Ahead, Excluded, ExcludedReason, Item};
use crate::outline::lines_in;
use crate::piece::Resolution;
use crate::select::{Choice, Costs, Longer, Miss, naming_order, select};
use crate::session::{KnownPiece, SeenBefore, Session, mark_told};
use crate::tuning;

/// A text that fits.
pub(crate) struct Settled {
    pub written: Written,
    pub tokens: usize,
    /// Every candidate is in, in full.
    pub ran_out: bool,
}

impl Settled {
    /// The same items with another brief.
    pub(crate) fn rewrite(&mut self, items: &[Item], desk: &PackWriter<'_>) -> Result<(), PackError> {
        let is_empty = items.is_empty() && desk.told.is_empty();
        (self.written, self.tokens) = match is_empty {
            true => (Written::default(), 0),
            false => desk.write(&items.iter().collect::<Vec<_>>(), &[])?,
        };
        Ok(())
    }
}

/// Where a pack is written and its tokens are counted.
pub(crate) struct PackWriter<'b> {
    pub brief: Brief<'b>,
    /// The note at the top of the text; empty if it would leave no room for anything else.
    note: &'b str,
    /// What the brief tells.
    pub told: Vec<ShownInsight>,
    /// How single items are written to be measured. A stranger's template is run a few times and not for every item: an item
    /// costs what it would cost in Markdown, and the rounds make up for the difference.
    measured: Style,
    effort: Effort<'b>,
}

impl<'b> PackWriter<'b> {
    pub(crate) fn new(brief: Brief<'b>) -> Result<Self, PackError> {
        let style = &brief.options.style;
        let mut desk = Self {
            brief,
            note: &brief.options.note,
            told: Vec::new(),
            measured: match style.template {
                None => style.clone(),
                Some(_) => Style {
                    format: Format::Markdown,
                    template: None,
                    line_numbers: style.line_numbers,
                },
            },
            effort: Effort::new(brief.stop),
        };
        if !desk.note.is_empty() && desk.write(&[], &[])?.1 > brief.options.budget / 2 {
            desk.note = "";
        }
        desk.told = brief.told.to_vec();
        Ok(desk)
    }

    /// Leaves out of the brief what is too much, the least valuable first, until its part of the finished text has its share.
    pub(crate) fn fit_brief(&mut self) -> Result<(), PackError> {
        let options = self.brief.options;
        let told = std::mem::take(&mut self.told);
        let bare = self.write(&[], &[])?.1;
        self.told = told;
        let most = options.budget.min(bare.saturating_add(options.brief_tokens));
        while !self.told.is_empty() && self.write(&[], &[])?.1 > most {
            let scores = self.told.iter().enumerate();
            let least =
                scores.min_by(|(a_at, a), (b_at, b)| a.score.total_cmp(&b.score).then(b_at.cmp(a_at)));
            match least.map(|(position, _)| position) {
                Some(position) => self.told.remove(position),
                None => break,
            };
        }
        Ok(())
    }

    /// The finished text and its tokens.
    fn write(&self, items: &[&Item], hints: &[String]) -> Result<(Written, usize), PackError> {
        self.write_with(&self.brief.options.style, &self.told, items, hints)
    }

    /// The same without the brief, which costs the same whatever stands beside it.
    fn write_as(
        &self,
        style: &Style,
        items: &[&Item],
        hints: &[String],
    ) -> Result<(Written, usize), PackError> {
        self.write_with(style, &[], items, hints)
    }

    fn write_with(
        &self,
        style: &Style,
        told: &[ShownInsight],
        items: &[&Item],
        hints: &[String],
    ) -> Result<(Written, usize), PackError> {
        let frame = Frame {
            task: self.brief.task,
            note: self.note,
            told,
            hints,
        };
        let written = render(items, frame, style, &self.effort)?;
        let tokens = (self.brief.count)(&written.text);
        Ok((written, tokens))
    }
}

/// The best text so far, and what it is made of.
struct Best {
    items: Vec<Item>,
    misses: Vec<Miss>,
    written: Written,
    tokens: usize,
}

/// The items that are shown, with how much of each, and their text.
pub(crate) fn settle(
    candidates: &[Item],
    desk: &PackWriter<'_>,
    excluded: &mut Vec<Excluded>,
) -> Result<(Vec<Item>, Settled), PackError> {
    let options = desk.brief.options;
    let bare_tokens = desk.write_as(&desk.measured, &[], &[])?.1;
    let measure = |item: &Item, resolution: Resolution, lines: &[LineRange]| {
        let mut alone = item.clone();
        alone.resolution = resolution;
        alone.lines = lines.to_vec();
        // Writing fails here only if nobody waits for the pack any more; the next round reports that.
        desk.write_as(&desk.measured, &[&alone], &[])
            .map_or(usize::MAX / 4, |(_, tokens)| tokens.saturating_sub(bare_tokens))
    };
    let mut costs = Costs::new(candidates.len(), desk.measured.shares_headings(), &measure);
    let target = options
        .budget
        .saturating_sub(hints_room(candidates, options.budget));
    let best = match fill(candidates, target, &mut costs, desk)? {
        Some(best) => best,
        None => name_one(candidates, desk)?,
    };
    let best = if options.style.template.is_some() {
        best
    } else {
        top_up(best, candidates, target, &mut costs, desk)?
    };
    let Best {
        mut items,
        misses,
        mut written,
        mut tokens,
    } = best;
    if items.is_empty() {
        // A title alone is not a pack; a brief is.
        (written, tokens) = match desk.told.is_empty() {
            true => (Written::default(), 0),
            false => desk.write(&[], &[])?,
        };
    }
    let out = left_out(candidates, &items, &misses, &mut costs, desk.brief.count);
    excluded.extend(out);
    explain(&mut items, candidates.len());
    let is_all =
        items.len() == candidates.len() && items.iter().all(|item| item.resolution == Resolution::Full);
    let settled = Settled {
        written,
        tokens,
        ran_out: options.searched_all && is_all,
    };
    Ok((items, settled))
}

/// Adds the hints that fit to the text, and returns them.
pub(crate) fn add_hints(
    settled: &mut Settled,
    items: &[Item],
    hints: Vec<String>,
    desk: &PackWriter<'_>,
) -> Result<Vec<String>, PackError> {
    let budget = desk.brief.options.budget;
    let is_full = settled.tokens as f64 >= tuning::FULL * budget as f64;
    let nothing_more = (settled.ran_out && !is_full).then(|| NOTHING_MORE.to_owned());
    let shown: Vec<&Item> = items.iter().collect();
    let mut added = Vec::new();
    for hint in nothing_more.into_iter().chain(hints) {
        if items.is_empty() || hint.trim().is_empty() {
            continue;
        }
        added.push(hint);
        let (written, tokens) = desk.write(&shown, &added)?;
        if tokens <= budget {
            (settled.written, settled.tokens) = (written, tokens);
        } else {
            added.pop();
        }
    }
    Ok(added)
}

/// The warning of a pack that is not full because there is nothing more to put in (PACK-33).
const NOTHING_MORE: &str =
    "nothing else was found for this task: all of it is here, and the budget is not used up";

/// Tokens that are kept for hints; none if lines were asked for, because those come first.
fn hints_room(candidates: &[Item], budget: usize) -> usize {
    if candidates.iter().any(|item| !item.piece.asked.is_empty()) {
        return 0;
    }
    ((budget as f64 * tuning::HINTS_SHARE) as usize).min(tuning::HINTS_TOKENS)
}

/// The fullest text of at most `target` tokens that a few rounds find. `None` if every round was over.
fn fill(
    candidates: &[Item],
    target: usize,
    costs: &mut Costs<'_>,
    desk: &PackWriter<'_>,
) -> Result<Option<Best>, PackError> {
    let frame_tokens = desk.write(&[], &[])?.1;
    let names_room = (target as f64 * tuning::NAMES_SHARE) as usize;
    let mut room = target.saturating_sub(frame_tokens);
    let mut best: Option<Best> = None;
    let mut tried = Vec::new();
    let mut n_over = 0;
    // The largest room that fitted, and the smallest that did not.
    let (mut low, mut high) = (0, usize::MAX);
    while !candidates.is_empty() && !tried.contains(&room) {
        if best.is_some() && tried.len() >= tuning::SETTLE_ROUNDS {
            break;
        }
        tried.push(room);
        let selection = select(candidates, costs, room, names_room, desk.brief.options);
        let items = chosen(candidates, &selection.choices);
        let (written, n) = desk.write(&items.iter().collect::<Vec<_>>(), &[])?;
        if n > target {
            // Twice as far each time: a selection that is over by a little may be over by as much with a little less room.
            n_over += 1;
            high = high.min(room);
            let next = room.saturating_sub((n - target) << n_over);
            room = if next <= low { low.midpoint(high) } else { next };
            continue;
        }
        let all =
            items.len() == candidates.len() && items.iter().all(|item| item.resolution == Resolution::Full);
        let enough = n as f64 >= tuning::FULL_ENOUGH * target as f64;
        if best.as_ref().is_none_or(|known| n > known.tokens) {
            best = Some(Best {
                items,
                misses: selection.misses,
                written,
                tokens: n,
            });
        }
        if all || enough {
            break;
        }
        low = low.max(room);
        let next = room + (target - n);
        room = if next >= high { low.midpoint(high) } else { next };
    }
    Ok(best)
}

/// Names more of what is left out, as long as that fits: rounds are coarse, and the last few tokens are less than one step.
fn top_up(
    mut best: Best,
    candidates: &[Item],
    target: usize,
    costs: &mut Costs<'_>,
    desk: &PackWriter<'_>,
) -> Result<Best, PackError> {
    let is_out = |idx: &usize| !best.items.iter().any(|item| item.rank == candidates[*idx].rank);
    let out: Vec<usize> = naming_order(candidates).filter(is_out).collect();
    for idx in out.into_iter().take(tuning::TOP_UP_NAMES) {
        let candidate = &candidates[idx];
        if best.items.is_empty() {
            break;
        }
        let cost = costs.of_name(candidates, idx);
        if best.tokens + cost > target {
            break;
        }
        let mut items = best.items.clone();
        let at = items.partition_point(|item| item.rank < candidate.rank);
        let mut named = candidate.clone();
        named.tokens = cost;
        items.insert(at, named);
        let (written, tokens) = desk.write(&items.iter().collect::<Vec<_>>(), &[])?;
        if tokens > target {
            break;
        }
        (best.items, best.written, best.tokens) = (items, written, tokens);
    }
    let is_partly = |item: &Item| {
        let is_shown = matches!(item.resolution, Resolution::Outline | Resolution::Signature);
        is_shown && !item.truncated
    };
    // Do not grow an item while a better one is left out.
    let is_in = |candidate: &&Item| best.items.iter().any(|item| item.rank == candidate.rank);
    let waiting = candidates.iter().filter(|candidate| !is_in(candidate));
    let best_out = waiting.map(|item| item.score).fold(f64::NEG_INFINITY, f64::max);
    let partly: Vec<usize> = (0..best.items.len())
        .filter(|idx| is_partly(&best.items[*idx]) && best.items[*idx].score >= best_out)
        .collect();
    for idx in partly.into_iter().take(tuning::FULL_FIRST) {
        if best.tokens as f64 >= tuning::TOPPED_UP * target as f64 {
            break;
        }
        lengthen(&mut best, idx, target, desk)?;
    }
    Ok(best)
}

/// Shows as many more lines of an item as fit the finished text.
fn lengthen(best: &mut Best, idx: usize, target: usize, desk: &PackWriter<'_>) -> Result<(), PackError> {
    let longer = Longer::of(&best.items[idx]);
    let (mut low, mut high) = (0, longer.n_steps());
    while low < high {
        let middle = (low + high).div_ceil(2);
        let mut items = best.items.clone();
        let lines = longer.lines(middle);
        if lines_in(&lines) > lines_in(&items[idx].lines) {
            let is_whole = lines == [items[idx].piece.lines];
            items[idx].resolution = if is_whole {
                Resolution::Full
            } else {
                Resolution::Outline
            };
            items[idx].lines = lines;
        }
        let (written, tokens) = desk.write(&items.iter().collect::<Vec<_>>(), &[])?;
        if tokens <= target {
            low = middle;
            if tokens > best.tokens {
                (best.items, best.written, best.tokens) = (items, written, tokens);
            }
        } else {
            high = middle - 1;
        }
    }
    Ok(())
}

/// If every round was over the budget: the first item that can be named.
fn name_one(candidates: &[Item], desk: &PackWriter<'_>) -> Result<Best, PackError> {
    let mut best = Best {
        items: Vec::new(),
        misses: vec![Miss::Room; candidates.len()],
        written: Written::default(),
        tokens: 0,
    };
    for candidate in candidates.iter().take(tuning::MOST_MISSES) {
        let (written, tokens) = desk.write(&[candidate], &[])?;
        if tokens <= desk.brief.options.budget {
            (best.written, best.tokens) = (written, tokens);
            best.items.push(candidate.clone());
            break;
        }
    }
    Ok(best)
}

/// Gives each item the tokens of its own part of the text, and returns those of the rest (PACK-74). A part that is counted by
/// itself may have a token more than it has in the whole, where a word spans its end; the frame has room for that, and where it
/// has not, the largest items give.
pub(crate) fn share_out(
    settled: &Settled,
    items: &mut [Item],
    told: &mut [ShownInsight],
    count: &dyn Fn(&str) -> usize,
) -> usize {
    let text = &settled.written.text;
    let part_of = |part: &std::ops::Range<usize>| &text[part.start.min(text.len())..part.end.min(text.len())];
    told.iter_mut().for_each(|one| one.tokens = 0);
    for (position, part) in &settled.written.told {
        told[*position].tokens = count(part_of(part));
    }
    if !settled.written.parts.is_empty() {
        items.iter_mut().for_each(|item| item.tokens = 0);
    }
    let mut own: BTreeMap<usize, usize> = BTreeMap::new();
    for (rank, part) in &settled.written.parts {
        *own.entry(*rank).or_default() += count(part_of(part));
    }
    for item in &mut *items {
        if let Some(tokens) = own.get(&item.rank) {
            item.tokens = *tokens;
        }
    }
    let mut parts: Vec<&mut usize> = items
        .iter_mut()
        .map(|item| &mut item.tokens)
        .chain(told.iter_mut().map(|one| &mut one.tokens))
        .collect();
    let mut sum: usize = parts.iter().map(|tokens| **tokens).sum();
    while sum > settled.tokens {
        let Some(largest) = parts.iter_mut().max_by_key(|tokens| ***tokens) else {
            break;
        };
        let less = (sum - settled.tokens).min(largest.div_ceil(2));
        **largest -= less;
        sum -= less;
    }
    settled.tokens - sum
}

/// Replaces what the session was told by a line for each section that says where, and gives the tokens that this saves.
pub(crate) fn refer_told(
    settled: &mut Settled,
    items: &[Item],
    hints: &[String],
    desk: &mut PackWriter<'_>,
    session: &Session<'_>,
) -> Result<usize, PackError> {
    let in_full = desk.told.clone();
    mark_told(&mut desk.told, session);
    let (written, tokens) = desk.write(&items.iter().collect::<Vec<_>>(), hints)?;
    let saved = settled.tokens.saturating_sub(tokens);
    if saved > 0 {
        (settled.written, settled.tokens) = (written, tokens);
    } else {
        desk.told = in_full;
    }
    Ok(saved)
}

/// Replaces what the session has seen by references, where those are shorter, and gives the tokens that this saves. Nothing
/// else changes: the room stays free. `known`: by rank.
pub(crate) fn refer(
    settled: &mut Settled,
    items: &mut Vec<Item>,
    hints: &[String],
    desk: &PackWriter<'_>,
    (session, known): (&Session<'_>, &[KnownPiece<'_>]),
) -> Result<usize, PackError> {
    // As while settling: single items are measured as Markdown.
    let frame_tokens = desk.write_as(&desk.measured, &[], &[])?.1;
    let mut referred = items.clone();
    let n_candidates = known.len();
    let mut any = false;
    for item in &mut referred {
        let known = &known[item.rank - 1];
        let Some(answers) = known.delivered_in(&item.lines, item.resolution, session.intent) else {
            continue;
        };
        let how = format!("delivered in {}", SeenBefore::answers(&answers));
        let reason = reason_of(item, n_candidates);
        let mut reference = Item {
            lines: Vec::new(),
            truncated: false,
            why: format!("{reason}; {how}, {} there", item.resolution.as_str()),
            seen: Some(SeenBefore::Delivered {
                answers,
                resolution: item.resolution,
            }),
            resolution: Resolution::Reference,
            ..item.clone()
        };
        let alone = desk.write_as(&desk.measured, &[&reference], &[])?.1;
        reference.tokens = alone.saturating_sub(frame_tokens);
        // The heading may be shared and stay, so only the text counts as saved.
        if reference.tokens < (desk.brief.count)(&shown_text(item, &desk.brief.options.style)) {
            *item = reference;
            any = true;
        }
    }
    if !any {
        return Ok(0);
    }
    let (written, tokens) = desk.write(&referred.iter().collect::<Vec<_>>(), hints)?;
    // A template may leave out what it is given.
    let saved = settled.tokens.saturating_sub(tokens);
    if saved > 0 {
        (settled.written, settled.tokens, *items) = (written, tokens, referred);
    }
    Ok(saved)
}

fn chosen(candidates: &[Item], choices: &[Option<Choice>]) -> Vec<Item> {
    let pairs = candidates.iter().zip(choices);
    pairs
        .filter_map(|(item, choice)| {
            let choice = choice.as_ref()?;
            let mut item = item.clone();
            item.resolution = choice.resolution;
            item.lines = choice.lines.clone();
            item.truncated = choice.truncated;
            item.tokens = choice.cost;
            item.ahead = choice.best_of_file.then_some(Ahead::BestOfFile);
            Some(item)
        })
        .collect()
}

/// The items that are left out, for lack of room or because a share was used up (PACK-44).
fn left_out(
    candidates: &[Item],
    items: &[Item],
    misses: &[Miss],
    costs: &mut Costs<'_>,
    count: &dyn Fn(&str) -> usize,
) -> Vec<Excluded> {
    let mut excluded = Vec::new();
    let mut included = items.iter().map(|item| item.rank).peekable();
    for (idx, candidate) in candidates.iter().enumerate() {
        if included.next_if_eq(&candidate.rank).is_some() {
            continue;
        }
        let (rank, piece) = (candidate.rank, &candidate.piece);
        let (reason, why) = match misses[idx] {
            Miss::Room => (ExcludedReason::Budget, "no room was left for it".to_owned()),
            Miss::Section => {
                let why = format!("its section, {}, has its share", candidate.section.as_str());
                (ExcludedReason::Balance, why)
            }
            Miss::File => (ExcludedReason::Balance, "its file has its share".to_owned()),
            Miss::Source => {
                let why = format!("its source, {}, has its share", piece.origin.as_str());
                (ExcludedReason::Balance, why)
            }
        };
        let detail = format!("rank {rank}: {why}");
        let mut one = Excluded::of(piece, candidate.score, count, reason, detail);
        one.rank = Some(rank);
        // Its cost as measured; else its text and its name.
        let name = costs.of_name(candidates, idx);
        one.tokens = costs.of_whole(idx).or(one.tokens.map(|text| text + name));
        excluded.push(one);
    }
    excluded
}

/// The fewest tokens among the items with a better score that had no room.
fn smallest_above(excluded: &[Excluded], score: f64) -> usize {
    let above = excluded
        .iter()
        .filter(|one| one.reason == ExcludedReason::Budget && one.score.is_some_and(|other| other > score));
    above.filter_map(|one| one.tokens).min().unwrap_or(usize::MAX)
}

/// For each item that is in although a better one is out: notes why (PACK-44).
pub(crate) fn explain_order(items: &mut [Item], excluded: &[Excluded]) {
    let is_waiting = |reason| matches!(reason, ExcludedReason::Budget | ExcludedReason::Balance);
    let waiting: Vec<(f64, ExcludedReason)> = excluded
        .iter()
        .filter(|one| is_waiting(one.reason))
        .filter_map(|one| Some((one.score?, one.reason)))
        .collect();
    let best_of = |wanted: ExcludedReason| {
        let scores = waiting.iter().filter(|(_, reason)| *reason == wanted);
        scores.map(|(score, _)| *score).fold(f64::NEG_INFINITY, f64::max)
    };
    let (no_room, held_back) = (best_of(ExcludedReason::Budget), best_of(ExcludedReason::Balance));
    for item in items {
        let was_named_first = item.ahead.take() == Some(Ahead::BestOfFile);
        if item.score >= no_room && item.score >= held_back {
            continue;
        }
        item.ahead = Some(if item.piece.pinned {
            Ahead::AskedFor
        } else if item.piece.named {
            Ahead::NamedByTask
        } else if item.piece.is_log {
            Ahead::HandedIn
        } else if was_named_first {
            Ahead::BestOfFile
        } else if item.score >= no_room {
            Ahead::Share
        } else if item.tokens < smallest_above(excluded, item.score) {
            Ahead::Smaller
        } else {
            Ahead::Fitted
        });
        item.why += match item.ahead {
            Some(Ahead::BestOfFile) => "; ahead of better ones as the best of its file",
            Some(Ahead::Share) => "; ahead of better ones that have their share",
            Some(Ahead::Smaller) => "; ahead of better ones that are larger",
            Some(Ahead::Fitted) => "; ahead of better ones that did not fit what was left",
            _ => "",
        };
    }
}

fn explain(items: &mut [Item], n_candidates: usize) {
    for item in items {
        let reason = reason_of(item, n_candidates);
        let how = match item.resolution {
            _ if item.truncated => "cut to what fits",
            Resolution::Full => "in full",
            Resolution::Outline => "as an outline: in full it did not fit",
            Resolution::Signature => "signature only: more did not fit",
            Resolution::Reference => "by name only: more did not fit",
        };
        item.why = format!("{reason}; {how}");
    }
}

/// Why an item is in.
fn reason_of(item: &Item, n_candidates: usize) -> String {
    if item.piece.pinned {
        "asked for".to_owned()
    } else if let Some(by) = &item.piece.pulled_by {
        by.clone()
    } else if item.piece.named {
        "named by the task".to_owned()
    } else {
        format!("rank {} of {n_candidates}", item.rank)
    }
}
