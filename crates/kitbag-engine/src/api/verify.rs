//! `verify`: which items of a pack are still in the working tree as they were, which moved, which changed (PACK-62); and `refresh`,
//! a pack of those that changed, as they are now.
//!
//! An item is identified by the hash of its lines. If its lines are elsewhere, the nearest run of as many lines with the
//! same hash is the item, moved. Otherwise its id, which is made from its place in the structure, finds the changed text.

use std::collections::BTreeMap;

use kitbag_repo::ReadFailure;
use kitbag_store::NewParse;
use kitbag_tokens::Tokenizer;
use kitbag_types::{Chunk, LineRange, RepoPath};
use schemars::JsonSchema;
use serde::Serialize;

use super::{PackItem, PackReply, PackRequest, PackSource, SavedPack};
use crate::Engine;
use crate::cut::{content_hash, cut};
use crate::pack::{hex, id_of};

/// Most bytes that are hashed to find one item: enough for a file of a megabyte and an item of a thousand lines.
const MOST_HASHED_BYTES: usize = 256 << 20;

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct VerifyReply {
    pub task: String,
    pub items: Vec<VerifiedItem>,
    pub same: usize,
    pub moved: usize,
    pub changed: usize,
    pub gone: usize,
    /// It was handed in: there is no file to compare with.
    pub given: usize,
}

#[derive(Clone, Debug, Serialize, JsonSchema, PartialEq)]
pub struct VerifiedItem {
    pub citation: String,
    pub snippet_id: String,
    pub path: String,
    pub line_start: u32,
    pub line_end: u32,
    pub label: String,
    /// `same`, `moved`, `changed`, `gone` or `given`.
    pub state: &'static str,
    /// Its present place, or that of the changed text.
    pub new_line_start: Option<u32>,
    pub new_line_end: Option<u32>,
    pub detail: String,
}

impl VerifyReply {
    /// Whether everything in the pack is still as it was.
    pub fn holds(&self) -> bool {
        self.changed + self.gone == 0
    }
}

/// Compares every item with its file. Reads files, not the index.
pub fn verify(engine: &Engine, pack: &PackReply) -> VerifyReply {
    let mut files: BTreeMap<&str, Result<NewParse, String>> = BTreeMap::new();
    let mut reply = VerifyReply {
        task: pack.task.clone(),
        items: Vec::with_capacity(pack.items.len()),
        same: 0,
        moved: 0,
        changed: 0,
        gone: 0,
        given: 0,
    };
    for item in &pack.items {
        let now = if item.is_file {
            let file = files
                .entry(&item.path)
                .or_insert_with(|| read(engine, &item.path));
            match file {
                Ok(file) => state_in(file, item),
                Err(why) => ItemState::Gone(why.clone()),
            }
        } else {
            ItemState::Given
        };
        *match now {
            ItemState::Same => &mut reply.same,
            ItemState::Moved(_) => &mut reply.moved,
            ItemState::Changed(_) => &mut reply.changed,
            ItemState::Gone(_) => &mut reply.gone,
            ItemState::Given => &mut reply.given,
        } += 1;
        reply.items.push(verified(item, now));
    }
    reply
}

enum ItemState {
    Same,
    Moved(LineRange),
    Changed(LineRange),
    Gone(String),
    Given,
}

fn verified(item: &PackItem, state: ItemState) -> VerifiedItem {
    let (name, lines, detail) = match state {
        ItemState::Same => ("same", None, String::new()),
        ItemState::Moved(lines) => ("moved", Some(lines), String::new()),
        ItemState::Changed(lines) => ("changed", Some(lines), String::new()),
        ItemState::Gone(why) => ("gone", None, why),
        ItemState::Given => ("given", None, "handed in, not read from a file".to_owned()),
    };
    VerifiedItem {
        citation: item.citation.clone(),
        snippet_id: item.snippet_id.clone(),
        path: item.path.clone(),
        line_start: item.line_start,
        line_end: item.line_end,
        label: item.label.clone(),
        state: name,
        new_line_start: lines.map(LineRange::start),
        new_line_end: lines.map(LineRange::end),
        detail,
    }
}

/// A file as it is now, cut as the index cuts it; or why it cannot be read.
fn read(engine: &Engine, path: &str) -> Result<NewParse, String> {
    let path = RepoPath::new(path).map_err(|error| error.to_string())?;
    let file = engine.tree.read(&path).map_err(|failure| match failure {
        _ if engine.tree.stamp(&path).is_none() => "there is no such file any more".to_owned(),
        ReadFailure::Skipped(skip) if skip.detail.is_empty() => skip.reason.as_str().to_owned(),
        ReadFailure::Skipped(skip) => skip.detail,
        ReadFailure::Failed { message, .. } => message,
    })?;
    Ok(cut(engine, &file))
}

fn state_in(file: &NewParse, item: &PackItem) -> ItemState {
    match find_text(&file.text, item) {
        Some(line) if line == item.line_start => ItemState::Same,
        Some(line) => ItemState::Moved(LineRange::new(line, line + (item.line_end - item.line_start))),
        None => match find_place(file, item) {
            Some(lines) => ItemState::Changed(lines),
            None if item.label.is_empty() => ItemState::Gone("the file no longer has these lines".to_owned()),
            None => ItemState::Gone(format!("the file no longer has {}", item.label)),
        },
    }
}

/// The line where the item's text begins now, the nearest to its old place.
fn find_text(text: &str, item: &PackItem) -> Option<u32> {
    let n_lines = item.line_end.checked_sub(item.line_start)? as usize + 1;
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let end_of = |line_idx: usize| starts.get(line_idx + 1).map_or(text.len(), |next| next - 1);
    let n_places = (starts.len() + 1).checked_sub(n_lines)?;
    let old = item.line_start.checked_sub(1)? as usize;
    let mut places: Vec<usize> = (0..n_places).collect();
    places.sort_by_key(|line_idx| (line_idx.abs_diff(old), *line_idx));
    let mut n_hashed = 0;
    for line_idx in places {
        let there = &text[starts[line_idx]..end_of(line_idx + n_lines - 1)];
        if hex(&content_hash(there)) == item.content_hash {
            return u32::try_from(line_idx + 1).ok();
        }
        n_hashed += there.len();
        if n_hashed > MOST_HASHED_BYTES {
            break;
        }
    }
    None
}

/// The lines of the changed item: the chunk with its id, else with its name, else, if it has no name, around its first line.
fn find_place(file: &NewParse, item: &PackItem) -> Option<LineRange> {
    let chunks = &file.parsed.chunks;
    let nearness = |chunk: &&Chunk| (chunk.lines.start().abs_diff(item.line_start), chunk.lines.start());
    // Overloads share an id: the nearest is meant.
    let same_id = chunks
        .iter()
        .filter(|chunk| {
            !chunk.symbol_path.is_empty()
                && id_of(&item.path, &chunk.symbol_path, chunk.part.0, None) == item.snippet_id
        })
        .min_by_key(nearness);
    let same_name = || {
        chunks
            .iter()
            .filter(|chunk| !item.label.is_empty() && chunk.label == item.label)
            .min_by_key(nearness)
    };
    let around = || {
        let nameless = chunks
            .iter()
            .filter(|chunk| item.label.is_empty() || chunk.label.is_empty());
        nameless
            .into_iter()
            .find(|chunk| chunk.lines.contains(item.line_start))
    };
    same_id
        .or_else(same_name)
        .or_else(around)
        .map(|chunk| chunk.lines)
}

/// The request for a pack of the changed items, as they are now: the same task, budget and form, and only items of the old
/// pack.
pub fn refresh<'r>(saved: &SavedPack, verified: &VerifyReply, tokenizer: &'r Tokenizer) -> PackRequest<'r> {
    let old = &saved.reply;
    let changed = verified.items.iter().filter(|item| item.state == "changed");
    let sources = changed.map(|item| PackSource {
        kind: "reference".to_owned(),
        path: Some(item.path.clone()),
        line_start: item.new_line_start,
        line_end: item.new_line_end,
        pinned: true,
        ..PackSource::default()
    });
    let mut request = PackRequest {
        intent: Some(old.intent.clone()),
        template: saved.template.clone(),
        line_numbers: saved.line_numbers,
        sources: sources.collect(),
        sources_only: true,
        include_brief: Some(false),
        ..PackRequest::new(old.task.clone(), old.budget, tokenizer)
    };
    // A template replaces the format.
    if saved.template.is_none() {
        request.format = Some(old.format.clone());
    }
    request
}
