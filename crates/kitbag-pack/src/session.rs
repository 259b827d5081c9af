//! What a reader has been shown before in a session (ENG-40): text that was delivered is replaced by a reference, text that
//! changed since is sent again and marked as changed.
//!
//! Pure: earlier deliveries come in as data, and so does the hash of a line. A pack is chosen as if nothing had been
//! delivered, and only then are items replaced by references; the room that this frees stays free. To fill it would send
//! ever weaker pieces, so that asking twice cost as much as asking for twice the budget, and the point of a session is that the
//! second answer is small.

use std::collections::BTreeSet;

use kitbag_types::LineRange;

use crate::briefing::{Insight, ShownInsight, category_weight};
use crate::piece::{Piece, Resolution};
use crate::score::Intent;

/// A run of lines that stood in an earlier answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// Number of the answer in the session, from 1.
    pub answer: u32,
    pub path: String,
    pub label: String,
    pub line_start: u32,
    /// One hash per line.
    pub hashes: Vec<u64>,
    pub resolution: Resolution,
    pub intent: Intent,
}

/// The session that an answer belongs to.
#[derive(Clone, Copy)]
pub struct Session<'s> {
    pub delivered: &'s [Delivered],
    /// The intent of this request.
    pub intent: Intent,
    /// Hash of a line without its line break. An argument, because a good hash needs another crate.
    pub hash: &'s dyn Fn(&str) -> u64,
}

/// Whether an item was delivered before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeenBefore {
    /// These answers have its text, which would have been shown at this resolution; here it is only named.
    Delivered {
        answers: Vec<u32>,
        resolution: Resolution,
    },
    /// That answer showed an older version of it.
    Changed { since: u32 },
}

impl SeenBefore {
    /// `answer 2`, `answers 1, 3`.
    pub fn answers(answers: &[u32]) -> String {
        let numbers: Vec<String> = answers.iter().map(u32::to_string).collect();
        let s = if answers.len() == 1 { "" } else { "s" };
        format!("answer{s} {}", numbers.join(", "))
    }
}

/// The runs of a piece that were shown, with the hashes of their lines: what a later answer needs to know.
pub fn runs_of(piece: &Piece, lines: &[LineRange], hash: &dyn Fn(&str) -> u64) -> Vec<(u32, Vec<u64>)> {
    let hashes = line_hashes(piece, hash);
    let run = |range: &LineRange| {
        let start = (range.start() - piece.lines.start()) as usize;
        let end = (range.end() - piece.lines.start()) as usize;
        (range.start(), hashes[start..=end].to_vec())
    };
    lines.iter().map(run).collect()
}

fn line_hashes(piece: &Piece, hash: &dyn Fn(&str) -> u64) -> Vec<u64> {
    piece
        .numbered()
        .map(|(_, line)| hash(line.strip_suffix('\r').unwrap_or(line)))
        .collect()
}

/// The path under which a session keeps what briefs told; no file is called so.
pub const BRIEF_PATH: &str = "<brief>";

/// Stands for what an insight says; equal words, equal hash.
pub fn insight_hash(insight: &Insight, hash: &dyn Fn(&str) -> u64) -> u64 {
    let code = insight.code.as_ref().map_or("", |code| code.text.as_str());
    hash(&format!("{}\n{code}", insight.text))
}

/// Marks what earlier answers of the session told as it is, and what they told otherwise. What counts more for this intent than it did for
/// the one it was told for is told again.
pub(crate) fn mark_told(told: &mut [ShownInsight], session: &Session<'_>) {
    for one in told {
        let of_this = |run: &&Delivered| run.path == BRIEF_PATH && run.label == one.insight.id;
        let last = session
            .delivered
            .iter()
            .filter(of_this)
            .max_by_key(|run| run.answer);
        let Some(last) = last else { continue };
        let is_same = last.hashes == [insight_hash(&one.insight, session.hash)];
        let weight = |intent| category_weight(intent, &one.insight.category);
        match is_same {
            true if weight(session.intent) <= weight(last.intent) => one.delivered_in = vec![last.answer],
            true => {}
            false => one.changed_since = Some(last.answer),
        }
    }
}

/// What a session knows of one piece.
#[derive(Debug, Default)]
pub(crate) struct KnownPiece<'d> {
    first: u32,
    /// For each line of the piece, the deliveries that showed it as it is now.
    lines: Vec<Vec<&'d Delivered>>,
    /// The last answer that showed an older version.
    pub changed_since: Option<u32>,
}

impl<'d> KnownPiece<'d> {
    pub(crate) fn of(piece: &Piece, session: &Session<'d>) -> Self {
        let mut known = Self {
            first: piece.lines.start(),
            ..Self::default()
        };
        let here = |run: &&&Delivered| run.path == piece.path && !run.hashes.is_empty();
        let runs: Vec<&Delivered> = session.delivered.iter().filter(|run| here(&run)).collect();
        if runs.is_empty() {
            return known;
        }
        let hashes = line_hashes(piece, session.hash);
        known.lines = vec![Vec::new(); hashes.len()];
        let (mut here, mut changed) = (None, None);
        for run in runs {
            match stands(run, piece, &hashes) {
                RunPosition::Here(lines) => {
                    lines.for_each(|idx| known.lines[idx].push(run));
                    here = here.max(Some(run.answer));
                }
                RunPosition::Changed => changed = changed.max(Some(run.answer)),
                RunPosition::Elsewhere => {}
            }
        }
        // If a later answer shows the present version, the reader knows of the change.
        known.changed_since = changed.filter(|_| changed >= here);
        known
    }

    /// The answers that have these lines as they are now; only one, if one has them all. `None` if not all were delivered, if part of
    /// the piece has changed since, or if the present intent needs more of it than the earlier one did.
    pub(crate) fn delivered_in(
        &self,
        lines: &[LineRange],
        resolution: Resolution,
        intent: Intent,
    ) -> Option<Vec<u32>> {
        if self.changed_since.is_some() || lines.is_empty() || self.lines.is_empty() {
            return None;
        }
        let shown = lines.iter().flat_map(|range| range.start()..=range.end());
        let by: Vec<&Vec<&Delivered>> = shown
            .map(|line| &self.lines[(line - self.first) as usize])
            .collect();
        let last_of = |runs: &&Vec<&Delivered>| runs.iter().map(|run| run.answer).max();
        // The latest answer is the one that the reader remembers best.
        let latest: BTreeSet<u32> = by.iter().map(last_of).collect::<Option<_>>()?;
        let has_all = |answer: &u32| by.iter().all(|runs| runs.iter().any(|run| run.answer == *answer));
        let all_answers: BTreeSet<u32> = by
            .iter()
            .flat_map(|runs| runs.iter().map(|run| run.answer))
            .collect();
        let answers = match all_answers.iter().rev().find(|answer| has_all(answer)) {
            Some(answer) => vec![*answer],
            None => latest.into_iter().collect(),
        };
        let mut of_these = by
            .iter()
            .flat_map(|runs| runs.iter())
            .filter(|run| answers.contains(&run.answer));
        let enough = of_these.any(|run| run.intent == intent || run.resolution >= resolution);
        enough.then_some(answers)
    }
}

/// Where a delivered run of lines is in the present piece.
enum RunPosition {
    /// At these lines of the piece, counted from 0.
    Here(std::ops::Range<usize>),
    /// It was part of this piece, and the piece has changed.
    Changed,
    /// It belongs to something else.
    Elsewhere,
}

fn stands(run: &Delivered, piece: &Piece, hashes: &[u64]) -> RunPosition {
    // The part of the run with line numbers of the piece.
    let first = piece.lines.start();
    let from = run.line_start.max(first);
    let to = (run.line_start.saturating_add(run.hashes.len() as u32)).min(first + hashes.len() as u32);
    let n_there = to.saturating_sub(from) as usize;
    let (mut n_same, mut place) = (0, 0..0);
    if n_there > 0 {
        let in_run = (from - run.line_start) as usize;
        let in_piece = (from - first) as usize;
        place = in_piece..in_piece + n_there;
        let pairs = run.hashes[in_run..in_run + n_there]
            .iter()
            .zip(&hashes[place.clone()]);
        n_same = pairs.filter(|(then, now)| then == now).count();
    }
    if n_there > 0 && n_same == n_there {
        return RunPosition::Here(place);
    }
    // Lines were added or removed above it.
    let n = run.hashes.len();
    if let Some(at) = hashes.windows(n).position(|window| window == run.hashes) {
        return RunPosition::Here(at..at + n);
    }
    if run.hashes.windows(hashes.len()).any(|window| window == hashes) {
        return RunPosition::Here(0..hashes.len());
    }
    let now: BTreeSet<u64> = hashes.iter().copied().collect();
    let n_left = run.hashes.iter().filter(|hash| now.contains(hash)).count();
    let is_alike = n_left * 2 >= n;
    let is_same_thing = if run.label == piece.label {
        n_there > 0 || (is_alike && !piece.label.is_empty())
    } else {
        // A merged piece has another name.
        is_alike && n_same * 2 > n_there
    };
    if is_same_thing {
        RunPosition::Changed
    } else {
        RunPosition::Elsewhere
    }
}
