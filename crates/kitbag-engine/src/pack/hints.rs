//! What the pack lacks and how to get it (PACK-63): names that it uses but does not define, words of the task that the project
//! does not have, candidates that did not fit. Every suggestion is a call that works as written at the reader's door (`door.rs`).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use kitbag_pack::{Chosen, Excluded, ExcludedReason, Item, Resolution};
use kitbag_rank::tuning::Group;
use kitbag_store::{LinkRow, ParseId, Snapshot};
use kitbag_types::Stop;

use super::{PackJob, ParsedTask};
use crate::EngineError;
use crate::matching::unknown_names;
use crate::neighbours::{Walk, most_used};
use crate::providers::Row;

/// Most names that are looked up, most used first; and most that are shown.
const NAMES_TRIED: usize = 8;
/// Number of the best items whose names are looked up.
const ITEMS_READ: usize = 10;
const NAMES_TOLD: usize = 3;
const WORDS_TOLD: usize = 2;

/// Most useful first.
#[derive(Default)]
pub(crate) struct Advice {
    /// For the reader of the pack.
    pub hints: Vec<String>,
    /// The calls in them.
    pub commands: Vec<String>,
}

/// What the chosen items lack. `rows`: the chunks behind them, by path and first line.
pub(super) fn hint(
    job: PackJob<'_>,
    asked: &ParsedTask,
    rows: &BTreeMap<(String, u32), Row>,
    chosen: &Chosen<'_>,
) -> Result<Advice, EngineError> {
    let (snapshot, query, stop) = (job.snapshot, &asked.own, job.request.stop);
    let (door, budget) = (&job.request.door, asked.budget);
    let mut advice = Advice::default();
    for name in undefined(snapshot, rows, &chosen.items, stop)? {
        let command = door.symbol(&name);
        advice
            .hints
            .push(format!("used here, defined elsewhere: {name} ({command})"));
        advice.commands.push(command);
    }
    let unknown = match snapshot.is_complete() {
        true => unknown_names(snapshot, query, stop)?,
        // An incomplete index cannot tell.
        false => Vec::new(),
    };
    // A long text has words about the reporter's machine, so only those of its title count.
    let is_told = |word: &String| Group::of(query) != Group::Text || query.title.text.contains(word.as_str());
    for word in unknown.into_iter().filter(is_told).take(WORDS_TOLD) {
        advice
            .hints
            .push(format!("nothing in the project mentions {word}"));
    }
    let cut: Vec<&Excluded> = chosen
        .excluded
        .iter()
        .filter(|one| matches!(one.reason, ExcludedReason::Budget | ExcludedReason::Balance))
        .collect();
    if let Some(first) = cut.first() {
        let task = short(&query.text);
        let n = cut.len();
        let s = if n == 1 { "place" } else { "places" };
        match door.more(&task, budget) {
            Some(more) => {
                advice.hints.push(format!("{n} more {s} did not fit: {more}"));
                advice.commands.push(more);
            }
            None => advice.hints.push(format!("{n} more {s} did not fit")),
        }
        if let Some(lines) = first.lines {
            advice.commands.push(door.place(&task, &first.path, lines));
        }
    }
    if !snapshot.is_complete() {
        let state = door.state();
        advice.hints.push(format!("the index was not complete: {state}"));
        advice.commands.push(state);
    }
    Ok(advice)
}

/// Names that the shown lines use and that the project defines outside the pack, most used first.
fn undefined(
    snapshot: &Snapshot<'_>,
    rows: &BTreeMap<(String, u32), Row>,
    items: &[Item],
    stop: Stop<'_>,
) -> Result<Vec<String>, EngineError> {
    let defined: BTreeSet<&str> = items
        .iter()
        .flat_map(|item| item.piece.names.iter().map(String::as_str))
        .collect();
    let shown = items
        .iter()
        .filter(|item| item.resolution >= Resolution::Outline)
        .take(ITEMS_READ);
    let mut links_of: BTreeMap<ParseId, Vec<LinkRow>> = BTreeMap::new();
    let mut used = Vec::new();
    for item in shown {
        stop.check()?;
        let Some(row) = rows.get(&(item.piece.path.clone(), item.piece.lines.start())) else {
            continue;
        };
        let links = match links_of.entry(row.at.parse) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(slot) => slot.insert(snapshot.links_of(row.at.file, row.at.parse)?),
        };
        let is_here = |link: &&LinkRow| item.lines.iter().any(|lines| lines.contains(link.line));
        let is_undefined = |link: &&LinkRow| !defined.contains(link.name.as_str());
        used.extend(links.iter().filter(is_here).filter(is_undefined).cloned());
    }
    let mut walk = Walk::new(snapshot, stop);
    let mut told = Vec::new();
    for link in most_used(used, |link| link.name.clone())
        .into_iter()
        .take(NAMES_TRIED)
    {
        stop.check()?;
        if walk.is_defined(&link)? {
            told.push(link.name);
        }
        if told.len() == NAMES_TOLD {
            break;
        }
    }
    Ok(told)
}

/// The first line, shortened between two words.
fn short(task: &str) -> String {
    let line = task
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or("");
    let end = line.char_indices().nth(200).map_or(line.len(), |(at, _)| at);
    let cut = line[..end].rfind(' ').filter(|_| end < line.len()).unwrap_or(end);
    line[..cut].to_owned()
}
