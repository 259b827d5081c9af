//! What the pack lacks and how to get it (PACK-63): names it uses but does not define, words of the task that nothing here
//! has, candidates that did not fit. Every suggestion is a call that works as it stands, in the words of the door (`calls.rs`).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use kitbag_pack::{Excluded, ExcludedReason, Item, Resolution};
use kitbag_store::{ChunkRow, LinkRow, ParseId, Snapshot};
use kitbag_types::{LinkKind, Query, Stop, SymbolKind};

use super::Door;
use crate::EngineError;
use crate::matching::unknown_names;
use crate::uses::{Meaning, Tie, Uses};

/// Names that are looked into, most used first; and told, at most.
const NAMES_TRIED: usize = 8;
/// Items whose names are looked at: the best.
const ITEMS_READ: usize = 10;
const NAMES_TOLD: usize = 3;
const WORDS_TOLD: usize = 2;

/// Most useful first.
#[derive(Default)]
pub(crate) struct Advice {
    /// For the reader of the pack.
    pub hints: Vec<String>,
    /// The calls among them.
    pub commands: Vec<String>,
}

/// `rows`: the chunks behind the items, by path and first line.
pub(crate) fn advise(
    snapshot: &Snapshot<'_>,
    query: &Query,
    rows: &BTreeMap<(String, u32), ChunkRow>,
    items: &[Item],
    excluded: &[Excluded],
    (door, budget, stop): (&Door, usize, Stop<'_>),
) -> Result<Advice, EngineError> {
    let mut advice = Advice::default();
    for name in undefined(snapshot, rows, items, stop)? {
        let command = door.symbol(&name);
        advice
            .hints
            .push(format!("used here, defined elsewhere: {name} ({command})"));
        advice.commands.push(command);
    }
    let unknown = match snapshot.is_complete() {
        true => unknown_names(snapshot, query, stop)?,
        // A part of the index cannot tell.
        false => Vec::new(),
    };
    for word in unknown.into_iter().take(WORDS_TOLD) {
        advice
            .hints
            .push(format!("nothing in the project mentions {word}"));
    }
    let cut: Vec<&Excluded> = excluded
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
    rows: &BTreeMap<(String, u32), ChunkRow>,
    items: &[Item],
    stop: Stop<'_>,
) -> Result<Vec<String>, EngineError> {
    let defined: BTreeSet<&str> = items
        .iter()
        .flat_map(|item| item.piece.names.iter().map(String::as_str))
        .collect();
    let mut used: BTreeMap<String, (u32, LinkRow)> = BTreeMap::new();
    let shown = || {
        items
            .iter()
            .filter(|item| item.resolution >= Resolution::Outline)
            .take(ITEMS_READ)
    };
    let row_of = |item: &Item| rows.get(&(item.piece.path.clone(), item.piece.lines.start()));
    let mut links_of: BTreeMap<ParseId, Vec<LinkRow>> = BTreeMap::new();
    for item in shown() {
        stop.check()?;
        let Some(row) = row_of(item) else { continue };
        let links = match links_of.entry(row.at.parse) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(slot) => slot.insert(snapshot.links_of(row.at.file, row.at.parse)?),
        };
        for link in links.iter() {
            let is_use = matches!(
                link.kind,
                LinkKind::Call | LinkKind::Reference | LinkKind::Inherit
            );
            let here = item.lines.iter().any(|lines| lines.contains(link.line));
            if is_use && here && !defined.contains(link.name.as_str()) {
                let known = used.entry(link.name.clone()).or_insert_with(|| (0, link.clone()));
                known.0 += link.count;
            }
        }
    }
    let mut links: Vec<(u32, LinkRow)> = used.into_values().collect();
    links.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.name.cmp(&b.1.name)));
    let mut uses = Uses::new(snapshot, stop);
    let mut told = Vec::new();
    for (_, link) in links.into_iter().take(NAMES_TRIED) {
        stop.check()?;
        let meaning = uses.meaning(&link)?;
        let known = meaning.is_some_and(|Meaning { target, tie, .. }| {
            tie != Tie::Name && !matches!(target.kind, SymbolKind::Field | SymbolKind::Variable)
        });
        if known {
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
