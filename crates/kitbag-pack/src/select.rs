//! Chooses items and how much of each is shown (PACK-40 to PACK-43): greedy in rank order, explainable and deterministic.
//!
//! Breadth first: a small share of the budget names the best piece of as many files as it can, whatever happens next. Then
//! depth: in rank order the best are shown in full, the next as outlines, the tail as signatures, and what is left goes to
//! the best again; the last room is filled line by line. The two orders differ on purpose: a reader wants to know of every
//! file that may matter, and to read the one that probably does.
//!
//! A cost is that of the item alone in the chosen format, counted once; `settle` corrects for headings that items share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kitbag_types::LineRange;

use crate::brief::PackOptions;
use crate::item::Item;
use crate::outline::{asked, beginning, first_asked, lines_in, lines_of, outline};
use crate::piece::{Piece, Resolution};
use crate::section::Section;
use crate::tuning;

/// Tokens of an item alone, showing these lines.
pub(crate) type Measure<'c> = &'c dyn Fn(&Item, Resolution, &[LineRange]) -> usize;
/// The lines of a resolution, and what they cost.
type Cost = (Vec<LineRange>, usize);

/// What an item costs, measured once per resolution.
pub(crate) struct Costs<'c> {
    pub measure: Measure<'c>,
    known: Vec<[Option<Cost>; 4]>,
    /// Cost of the heading of a file, by path.
    headings: BTreeMap<String, usize>,
    /// The format writes the items of a file under one heading.
    shared: bool,
}

impl<'c> Costs<'c> {
    pub(crate) fn new(n_items: usize, shared: bool, measure: Measure<'c>) -> Self {
        Self {
            measure,
            known: vec![[const { None }; 4]; n_items],
            headings: BTreeMap::new(),
            shared,
        }
    }

    fn of(&mut self, items: &[Item], idx: usize, resolution: Resolution) -> Cost {
        let cost = self.measured(items, idx, resolution);
        let is_part = matches!(resolution, Resolution::Outline | Resolution::Signature);
        if !is_part || items[idx].piece.lines.n_lines() > tuning::SHORT_LINES {
            return cost;
        }
        // Gap marks cost tokens too: a part of a short piece may cost more than the whole.
        let whole = self.measured(items, idx, Resolution::Full);
        if whole.1 <= cost.1 { whole } else { cost }
    }

    fn measured(&mut self, items: &[Item], idx: usize, resolution: Resolution) -> Cost {
        let measure = self.measure;
        self.known[idx][resolution as usize]
            .get_or_insert_with(|| {
                let lines = lines_of(&items[idx].piece, resolution);
                let cost = measure(&items[idx], resolution, &lines);
                (lines, cost)
            })
            .clone()
    }

    /// Tokens of the name of an item.
    pub(crate) fn of_name(&mut self, items: &[Item], idx: usize) -> usize {
        self.of(items, idx, Resolution::Reference).1
    }

    /// Tokens of a whole item, if they were measured.
    pub(crate) fn of_whole(&self, idx: usize) -> Option<usize> {
        self.known[idx][Resolution::Full as usize]
            .as_ref()
            .map(|(_, cost)| *cost)
    }

    fn heading(&mut self, item: &Item) -> usize {
        if !self.shared {
            return 0;
        }
        let measure = self.measure;
        let alone = || {
            let lines = LineRange::new(item.piece.lines.start(), item.piece.lines.start());
            let bare = Item {
                piece: Arc::new(Piece {
                    text: String::new(),
                    lines,
                    ..Piece::clone(&item.piece)
                }),
                ..item.clone()
            };
            // One empty line and the item's own citation do not belong to the heading.
            measure(&bare, Resolution::Full, &[lines]).saturating_sub(ITEM_TOKENS)
        };
        *self.headings.entry(item.piece.path.clone()).or_insert_with(alone)
    }
}

/// About how many tokens an item's own citation and range take.
const ITEM_TOKENS: usize = 12;

/// How an item is shown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    pub resolution: Resolution,
    pub lines: Vec<LineRange>,
    pub truncated: bool,
    pub cost: usize,
    /// It was named as the best of its file before anything was shown.
    pub best_of_file: bool,
}

/// Why an item is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// There was no room for even its signature.
    Room,
    /// There was room, but its section had used up its share,
    Section,
    /// or its file,
    File,
    /// or its kind of source.
    Source,
}

/// What was chosen, and why the rest was not.
pub(crate) struct Selection {
    /// One per item; `None` for those left out.
    pub choices: Vec<Option<Choice>>,
    pub misses: Vec<Miss>,
}

/// Makes a choice for each item. `room`: tokens for items; `names_room`: tokens for names.
pub(crate) fn select(
    items: &[Item],
    costs: &mut Costs<'_>,
    room: usize,
    names_room: usize,
    options: &PackOptions,
) -> Selection {
    let mut state = SelectionState {
        items,
        costs,
        options,
        room,
        chosen: vec![None; items.len()],
        misses: vec![Miss::Room; items.len()],
        used: 0,
        by_section: [0; 7],
        by_file: BTreeMap::new(),
        by_origin: [0; 6],
        open: BTreeSet::new(),
        n_shown: 0,
        one_origin: items
            .windows(2)
            .all(|two| two[0].piece.origin == two[1].piece.origin),
    };
    state.show_asked();
    state.show_failures();
    let first = state.used;
    state.name(&classed(items), first + names_room, true);
    use Resolution::{Full, Outline, Signature};
    // Whole pieces in rank order, and parts of those that do not fit. Pieces whose share is used up come last.
    let passes = [
        (&[Full, Outline, Signature][..], true),
        (&[Full, Outline], true),
        (&[Full, Outline, Signature], false),
    ];
    let order = showing_order(items);
    for (resolutions, capped) in passes {
        let mut n_misses = 0;
        for (n, idx) in order.iter().copied().enumerate() {
            let left = room.saturating_sub(state.used);
            if n_misses == tuning::MOST_MISSES || (n >= tuning::FULL_FIRST && left < tuning::SMALLEST_GROWTH)
            {
                break;
            }
            // The rest of a log is shown only if nothing else needs the room.
            if items[idx].piece.is_log && state.chosen[idx].is_some() && capped {
                continue;
            }
            match state.show(idx, resolutions, capped) {
                true => n_misses = 0,
                false => n_misses += 1,
            }
            if n == 0 {
                state.grow_best(idx, (room as f64 * tuning::FULL_SHARE) as usize);
            }
        }
    }
    state.cut_first();
    state.grow();
    // The rest of the room is used to name more.
    state.name(&classed(items), room, false);
    Selection {
        choices: state.chosen,
        misses: state.misses,
    }
}

/// Orders by rank. But if only some lines of a piece were asked for and those are shown already, the rest of it is placed by its
/// score alone.
fn showing_order(items: &[Item]) -> Vec<usize> {
    let is_first = |item: &Item| {
        let is_whole = item.piece.asked.is_empty() || item.piece.asked == [item.piece.lines];
        item.piece.pinned && is_whole
    };
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|a, b| {
        let (x, y) = (&items[*a], &items[*b]);
        is_first(y)
            .cmp(&is_first(x))
            .then(y.score.total_cmp(&x.score))
            .then(a.cmp(b))
    });
    order
}

/// Items in the order in which they are named.
pub(crate) fn naming_order(items: &[Item]) -> impl Iterator<Item = usize> {
    classed(items).into_iter().map(|(_, idx)| idx)
}

/// First the few best items and those that the asker or the task named, then the best of each file, then the rest.
fn classed(items: &[Item]) -> Vec<(u8, usize)> {
    let mut files: BTreeSet<&str> = BTreeSet::new();
    let mut order: Vec<(u8, usize)> = items
        .iter()
        .enumerate()
        .map(|(idx, item)| {
            let first = files.insert(item.piece.path.as_str());
            let class = match (
                idx < tuning::FULL_FIRST || item.piece.pinned || item.piece.named,
                first,
            ) {
                (true, _) => 0,
                (false, true) => BEST_OF_FILE,
                (false, false) => 2,
            };
            (class, idx)
        })
        .collect();
    order.sort_unstable();
    order
}

/// The class of an item that is named because nothing better of its file is named.
const BEST_OF_FILE: u8 = 1;

struct SelectionState<'s, 'c> {
    items: &'s [Item],
    costs: &'s mut Costs<'c>,
    options: &'s PackOptions,
    room: usize,
    chosen: Vec<Option<Choice>>,
    misses: Vec<Miss>,
    used: usize,
    by_section: [usize; 7],
    by_file: BTreeMap<&'s str, usize>,
    by_origin: [usize; 6],
    /// (section, path) of files that have a heading already.
    open: BTreeSet<(usize, &'s str)>,
    n_shown: usize,
    /// All items come from one kind of source: then none can crowd out another.
    one_origin: bool,
}

impl<'s> SelectionState<'s, '_> {
    /// Shows the lines that were asked for before everything else; if they do not all fit, as many as do (PACK-4).
    fn show_asked(&mut self) {
        let items = self.items;
        for (idx, item) in items.iter().enumerate() {
            let piece = &item.piece;
            if piece.asked.is_empty() {
                continue;
            }
            let n_asked = lines_in(&piece.asked) as usize;
            let left = self.room.saturating_sub(self.used);
            let tried = [asked(piece, true), asked(piece, false)];
            let mut fitting = tried.into_iter().map(|lines| {
                let cost = (self.costs.measure)(item, Resolution::Outline, &lines);
                (self.marginal(idx, cost), lines)
            });
            if let Some((cost, lines)) = fitting.find(|(cost, _)| *cost <= left) {
                let resolution = if lines == [piece.lines] {
                    Resolution::Full
                } else {
                    Resolution::Outline
                };
                self.take(idx, resolution, lines, cost);
                continue;
            }
            let (mut low, mut high) = (0, n_asked);
            let mut best = None;
            while low < high {
                let middle = (low + high).div_ceil(2);
                let lines = first_asked(piece, middle);
                let cost = (self.costs.measure)(item, Resolution::Outline, &lines);
                let cost = self.marginal(idx, cost);
                if cost <= left {
                    best = Some((lines, cost));
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            if let Some((lines, cost)) = best {
                self.take(idx, Resolution::Outline, lines, cost);
                if let Some(choice) = self.chosen[idx].as_mut() {
                    choice.truncated = true;
                }
            }
        }
    }

    /// Shows the failures in the logs that were handed in, up to the share of their section, which the logs divide equally.
    fn show_failures(&mut self) {
        let n_logs = self.items.iter().filter(|item| item.piece.is_log).count();
        if n_logs == 0 {
            return;
        }
        let share = self.options.shares.0[Section::Given as usize] * self.room as f64;
        let each = share as usize / n_logs;
        for idx in 0..self.items.len() {
            if self.items[idx].piece.is_log && self.chosen[idx].is_none() {
                let limit = self.used + each;
                let nothing = Choice {
                    resolution: Resolution::Reference,
                    lines: Vec::new(),
                    truncated: false,
                    cost: 0,
                    best_of_file: false,
                };
                let order = self.items[idx].piece.focus.clone();
                self.grow_one(idx, &nothing, limit, order);
            }
        }
    }

    /// Names the first of `order` that fit. `first`: before anything is shown.
    fn name(&mut self, order: &[(u8, usize)], names_room: usize, first: bool) {
        for (n, (class, idx)) in order.iter().enumerate() {
            if self.chosen[*idx].is_some() {
                continue;
            }
            let (lines, cost) = self.costs.of(self.items, *idx, Resolution::Reference);
            let guaranteed = self.items[*idx].piece.pinned || self.items[*idx].piece.named;
            let limit = if guaranteed {
                self.room
            } else {
                names_room.min(self.room)
            };
            if self.used + cost > limit && n > 0 {
                return;
            }
            self.take(*idx, Resolution::Reference, lines, cost);
            if let Some(choice) = self.chosen[*idx].as_mut() {
                choice.best_of_file = first && *class == BEST_OF_FILE;
            }
        }
    }

    /// Shows an item at the first of `resolutions` that fits and shows more than now. Returns false if none fits.
    fn show(&mut self, idx: usize, resolutions: &[Resolution], capped: bool) -> bool {
        let mut held_back = Miss::Room;
        for resolution in resolutions {
            if self.chosen[idx]
                .as_ref()
                .is_some_and(|now| *resolution <= now.resolution)
            {
                return true;
            }
            let Some((resolution, lines, cost)) = self.form(idx, *resolution) else {
                continue;
            };
            let cost = self.marginal(idx, cost);
            match self.fits(idx, cost, capped) {
                Ok(()) => {
                    self.take(idx, resolution, lines, cost);
                    return true;
                }
                Err(miss) => held_back = miss,
            }
        }
        match held_back {
            // It is too large in every form: name it before a worse item takes the room (PACK-40).
            Miss::Room => {
                self.name_one(idx, self.room);
            }
            // If its smallest form was held back once, that is the reason it is out, even if its room is used later.
            miss => self.misses[idx] = miss,
        }
        false
    }

    /// The lines that a resolution of an item shows, and their cost. `None` if they say too little for the cost.
    fn form(&mut self, idx: usize, wanted: Resolution) -> Option<(Resolution, Vec<LineRange>, usize)> {
        let item = &self.items[idx];
        let (lines, cost) = self.costs.of(self.items, idx, wanted);
        // An outline that shows every line is the whole piece.
        if lines == [item.piece.lines] {
            return Some((Resolution::Full, lines, cost));
        }
        let is_first_line = wanted == Resolution::Signature && item.piece.heads.is_empty();
        let whole = self.costs.of(self.items, idx, Resolution::Full).1;
        let pays = (cost as f64) < tuning::PART_SHARE * whole as f64;
        (pays && !is_first_line).then_some((wanted, lines, cost))
    }

    /// Names an item that is not in yet. Returns false if that does not fit.
    fn name_one(&mut self, idx: usize, limit: usize) -> bool {
        if self.chosen[idx].is_some() {
            return true;
        }
        let (lines, cost) = self.costs.of(self.items, idx, Resolution::Reference);
        let fits = self.used + cost <= limit;
        if fits {
            self.take(idx, Resolution::Reference, lines, cost);
        }
        fits
    }

    /// The cost of showing an item, given what is shown already.
    fn marginal(&mut self, idx: usize, cost: usize) -> usize {
        let item = &self.items[idx];
        let shown = self.chosen[idx]
            .as_ref()
            .is_some_and(|choice| choice.resolution > Resolution::Reference);
        if !shown
            && self
                .open
                .contains(&(item.section as usize, item.piece.path.as_str()))
        {
            cost.saturating_sub(self.costs.heading(item)).max(1)
        } else {
            cost
        }
    }

    fn fits(&self, idx: usize, cost: usize, capped: bool) -> Result<(), Miss> {
        let item = &self.items[idx];
        let now = self.chosen[idx].as_ref().map_or(0, |choice| choice.cost);
        let more = cost.saturating_sub(now);
        if self.used + more > self.room {
            return Err(Miss::Room);
        }
        if !capped {
            return Ok(());
        }
        let within = |used: usize, share: f64| (used + more) as f64 <= share * self.room as f64;
        if !within(
            self.by_section[item.section as usize],
            self.options.shares.0[item.section as usize],
        ) {
            return Err(Miss::Section);
        }
        if !self.options.balance || self.n_shown < tuning::BALANCE_AFTER {
            return Ok(());
        }
        let of_file = self.by_file.get(item.piece.path.as_str()).copied().unwrap_or(0);
        if !within(of_file, tuning::BALANCE_SHARE) {
            return Err(Miss::File);
        }
        if !self.one_origin && !within(self.by_origin[item.piece.origin as usize], tuning::BALANCE_SHARE) {
            return Err(Miss::Source);
        }
        Ok(())
    }

    fn take(&mut self, idx: usize, resolution: Resolution, lines: Vec<LineRange>, cost: usize) {
        let item = &self.items[idx];
        let before = self.chosen[idx].as_ref().map_or(0, |choice| choice.cost);
        let was_shown = self.chosen[idx]
            .as_ref()
            .is_some_and(|choice| choice.resolution > Resolution::Reference);
        let change = |sum: &mut usize| *sum = *sum + cost - before;
        change(&mut self.used);
        change(&mut self.by_section[item.section as usize]);
        change(self.by_file.entry(&item.piece.path).or_default());
        change(&mut self.by_origin[item.piece.origin as usize]);
        if resolution > Resolution::Reference {
            self.open.insert((item.section as usize, &item.piece.path));
            self.n_shown += usize::from(!was_shown);
        }
        let best_of_file = self.chosen[idx].as_ref().is_some_and(|now| now.best_of_file);
        self.chosen[idx] = Some(Choice {
            resolution,
            lines,
            truncated: false,
            cost,
            best_of_file,
        });
    }

    /// If nothing at all could be shown, the best item is cut to what fits (PACK-42).
    fn cut_first(&mut self) {
        if self.n_shown > 0 || self.items.is_empty() {
            return;
        }
        let best = 0;
        let item = &self.items[best];
        let now = self.chosen[best].as_ref().map_or(0, |choice| choice.cost);
        let room = self.room.saturating_sub(self.used - now);
        let measure = self.costs.measure;
        let fits = |lines: &[LineRange]| measure(item, Resolution::Outline, lines) <= room;
        if let Some(lines) = beginning(&item.piece, &fits) {
            let cost = measure(item, Resolution::Outline, &lines);
            self.take(best, Resolution::Outline, lines, cost);
            if let Some(choice) = self.chosen[best].as_mut() {
                choice.truncated = true;
            }
        }
    }

    /// Fills what is left with more lines of the best items that are not whole.
    fn grow(&mut self) {
        for idx in showing_order(self.items) {
            if self.room.saturating_sub(self.used) < tuning::SMALLEST_GROWTH {
                return;
            }
            let Some(now) = self.chosen[idx].clone() else {
                continue;
            };
            if now.resolution == Resolution::Full || now.truncated {
                continue;
            }
            self.grow_one(idx, &now, self.room, fill_order(&self.items[idx]));
        }
    }

    /// Gives the very best item as many lines as fit, before anything else is shown in full.
    fn grow_best(&mut self, best: usize, limit: usize) {
        let now = self.chosen[best].clone();
        if let Some(now) = now.filter(|now| now.resolution < Resolution::Full && !now.truncated)
            && limit > self.used
        {
            self.grow_one(best, &now, limit, fill_order(&self.items[best]));
        }
    }

    /// As many of the lines `in_order` as fit, with the lines around them.
    fn grow_one(&mut self, idx: usize, now: &Choice, room: usize, in_order: Vec<(u32, f32)>) {
        let item = &self.items[idx];
        let limit = room.min(self.room).saturating_sub(self.used) + now.cost;
        let mut piece = Piece::clone(&item.piece);
        piece.focus = in_order;
        let measure = self.costs.measure;
        let (mut low, mut high) = (0, piece.focus.len());
        let mut best = None;
        while low < high {
            let middle = (low + high).div_ceil(2);
            let lines = outline(&piece, middle);
            let cost = measure(item, Resolution::Outline, &lines);
            let cost = if now.resolution == Resolution::Reference {
                self.marginal(idx, cost)
            } else {
                cost
            };
            if cost <= limit {
                best = Some((lines, cost));
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        // It must not shrink.
        let Some((lines, cost)) = best.filter(|(_, cost)| *cost > now.cost) else {
            return;
        };
        let whole = lines == [item.piece.lines];
        let resolution = if whole {
            Resolution::Full
        } else {
            Resolution::Outline
        };
        // The first lines alone are not an outline: cut at a boundary, and say that it is cut (PACK-42).
        let is_cut_anywhere = item.piece.is_log || !item.piece.asked.is_empty();
        let at_start = lines.len() == 1 && lines[0].start() == item.piece.lines.start();
        let cut = !whole && at_start && !is_cut_anywhere;
        let n_lines = lines_in(&lines);
        let ended = cut
            .then(|| beginning(&item.piece, &|lines| lines_in(lines) <= n_lines))
            .flatten();
        self.take(idx, resolution, ended.unwrap_or(lines), cost);
        if let Some(choice) = self.chosen[idx].as_mut() {
            choice.truncated = cut;
        }
    }
}

/// An item line by line: each step shows more of its lines.
pub(crate) struct Longer(Piece);

impl Longer {
    pub(crate) fn of(item: &Item) -> Self {
        Self(Piece {
            focus: fill_order(item),
            ..Piece::clone(&item.piece)
        })
    }

    pub(crate) fn n_steps(&self) -> usize {
        self.0.focus.len()
    }

    pub(crate) fn lines(&self, n_steps: usize) -> Vec<LineRange> {
        outline(&self.0, n_steps)
    }
}

/// All lines of a piece: those that match first, then the others from the top.
fn fill_order(item: &Item) -> Vec<(u32, f32)> {
    let piece = &item.piece;
    let mut order = piece.focus.clone();
    let known: BTreeSet<u32> = order.iter().map(|(line, _)| *line).collect();
    order.extend(
        (piece.lines.start()..=piece.lines.end())
            .filter(|line| !known.contains(line))
            .map(|line| (line, 0.0)),
    );
    order
}
