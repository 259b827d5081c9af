//! `search` with `all` (RET-28): every line on which a name or a literal stands, by path and line, in pages. The cursor of a page is the
//! last place on it, so that pages neither repeat nor skip a line while the project stays as it is; where it changed, that is said.

use std::collections::BTreeMap;

use kitbag_repo::Scan;
use kitbag_store::{FileState, Snapshot};
use kitbag_types::{Filter, Stop};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::occurrences::{FoundFile, Sought, occurrences};
use crate::providers::allowed_files;
use crate::scope::PackageScope;
use crate::{Engine, EngineError};

/// Lines on a page where nobody says.
const DEFAULT_PAGE: usize = 100;

/// Every place of a name or a literal, one page of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AllPlaces {
    /// Without the quotes.
    pub sought: String,
    /// It is a name: parts of longer names are not meant.
    pub whole_word: bool,
    pub ignore_case: bool,
    /// Lines that have it, in all pages.
    pub total_lines: u64,
    /// How often it stands on them.
    pub total_occurrences: u64,
    pub total_files: u64,
    /// Lines before this page.
    pub skipped: u64,
    /// By path, lines in order.
    pub files: Vec<FilePlaces>,
    /// For the next page; null on the last one.
    pub cursor: Option<String>,
    /// The list is all that the indexed files have.
    pub complete: bool,
    /// The same in words, with what was left out.
    pub statement: String,
    /// Indexed files that were looked at.
    pub files_looked_at: u64,
    /// Paths that are not indexed, by reason; a folder counts once.
    pub left_out: Vec<LeftOut>,
    /// The state of the project; in every cursor.
    #[serde(skip)]
    seq: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FilePlaces {
    pub path: String,
    pub lines: Vec<PlaceLine>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlaceLine {
    pub line: u32,
    /// How often it stands there.
    pub count: u32,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    pub reason: String,
    pub paths: u64,
}

/// The last place of a page, and the state of the project that it was of.
struct Cursor {
    seq: i64,
    line: u32,
    path: String,
}

impl Cursor {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '.');
        Some(Self {
            seq: parts.next()?.parse().ok()?,
            line: parts.next()?.parse().ok()?,
            path: parts.next().filter(|path| !path.is_empty())?.to_owned(),
        })
    }

    fn write(seq: i64, path: &str, line: u32) -> String {
        format!("{seq}.{line}.{path}")
    }
}

/// Which page of what.
#[derive(Clone, Copy)]
pub(super) struct PageRequest<'r> {
    pub query: &'r str,
    pub ignore_case: bool,
    pub cursor: Option<&'r str>,
    pub lines: Option<usize>,
    pub stop: Stop<'r>,
}

/// A page.
pub(super) fn all_places(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    request: PageRequest<'_>,
    filter: &Filter,
    warnings: &mut Vec<String>,
) -> Result<AllPlaces, EngineError> {
    let invalid = |code, message: String| EngineError::Invalid { code, message };
    let sought = Sought::new(request.query, request.ignore_case)?;
    if !filter.kinds.is_empty() {
        let message = "with `all`, lines are listed, which have no kind: leave `kinds` out".to_owned();
        return Err(invalid("INVALID_KIND", message));
    }
    let cursor = request.cursor.map(|text| {
        Cursor::parse(text).ok_or_else(|| {
            let message = "a cursor is what the page before gave; leave it out to begin".to_owned();
            invalid("INVALID_CURSOR", message)
        })
    });
    let cursor = cursor.transpose()?;
    let seq = snapshot.state().seq;
    if cursor.as_ref().is_some_and(|cursor| cursor.seq != seq) {
        warnings.push(
            "the project changed since the page before: places may be missing or told twice; begin again without a cursor for \
             a complete list"
                .to_owned(),
        );
    }
    let reach = PackageScope::of(snapshot, filter, &[], warnings)?;
    let allowed = allowed_files(engine, snapshot, filter, reach.as_ref())?;
    let (found, n_looked, n_lost) = occurrences(
        engine,
        snapshot,
        &sought,
        &|file| allowed.file(file.id),
        request.stop,
    )?;
    let page = request.lines.unwrap_or(DEFAULT_PAGE);
    let mut places = cut(&found, cursor.as_ref(), page, seq);
    places.sought = sought.text;
    places.whole_word = sought.is_name;
    places.ignore_case = sought.ignore_case;
    places.files_looked_at = n_looked;
    places.left_out = left_out(snapshot, n_lost)?;
    places.complete = snapshot.is_complete() && n_lost == 0;
    let is_limited = !filter.paths.is_empty()
        || !filter.exclude.is_empty()
        || !filter.languages.is_empty()
        || filter.since.is_some()
        || reach.is_some();
    places.statement = statement(&places, is_limited);
    Ok(places)
}

fn cut(found: &[FoundFile], cursor: Option<&Cursor>, page: usize, seq: i64) -> AllPlaces {
    let mut places = AllPlaces {
        sought: String::new(),
        whole_word: false,
        ignore_case: false,
        total_lines: 0,
        total_occurrences: 0,
        total_files: found.len() as u64,
        skipped: 0,
        files: Vec::new(),
        cursor: None,
        complete: false,
        statement: String::new(),
        files_looked_at: 0,
        left_out: Vec::new(),
        seq,
    };
    let mut n_shown = 0;
    for (path, lines) in found {
        for line in lines {
            places.total_lines += 1;
            places.total_occurrences += u64::from(line.count);
            let is_before = cursor
                .is_some_and(|cursor| (path.as_str(), line.line) <= (cursor.path.as_str(), cursor.line));
            if is_before {
                places.skipped += 1;
                continue;
            }
            if n_shown == page {
                places.cursor = places.cursor.take().or_else(|| last_place(&places));
                continue;
            }
            n_shown += 1;
            if places.files.last().is_none_or(|last| last.path != path.as_str()) {
                places.files.push(FilePlaces {
                    path: path.to_string(),
                    lines: Vec::new(),
                });
            }
            if let Some(last) = places.files.last_mut() {
                last.lines.push(PlaceLine {
                    line: line.line,
                    count: line.count,
                    text: line.text.clone(),
                });
            }
        }
    }
    places
}

fn last_place(places: &AllPlaces) -> Option<String> {
    let last = places.files.last()?;
    Some(Cursor::write(places.seq, &last.path, last.lines.last()?.line))
}

/// What is not in the index, by reason: what the rules keep out, and what could not be read.
fn left_out(snapshot: &Snapshot<'_>, n_lost: u64) -> Result<Vec<LeftOut>, EngineError> {
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    let scan = Scan::from_bytes(&snapshot.scan()?);
    for (_, skip) in scan.iter().flat_map(|scan| &scan.skipped) {
        *reasons.entry(skip.reason.as_str().to_owned()).or_default() += 1;
    }
    for file in snapshot.files()? {
        if matches!(file.state, FileState::Skipped | FileState::Failed) {
            // The reason may be followed by what exactly.
            let word = file
                .reason
                .split([':', ' '])
                .next()
                .unwrap_or_default()
                .to_owned();
            *reasons.entry(word).or_default() += 1;
        }
    }
    if n_lost > 0 {
        *reasons.entry("unreadable".to_owned()).or_default() += n_lost;
    }
    let reasons = reasons.into_iter();
    Ok(reasons.map(|(reason, paths)| LeftOut { reason, paths }).collect())
}

fn statement(places: &AllPlaces, is_limited: bool) -> String {
    let counted = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let (lines, files) = (
        counted(places.total_lines, "line"),
        counted(places.total_files, "file"),
    );
    let looked = counted(places.files_looked_at, "indexed file");
    let which = if is_limited {
        " that the filters let through"
    } else {
        ""
    };
    let list = match places.complete {
        true => format!("Complete: {lines} in {files}, of {looked}{which}."),
        false => {
            format!("Not complete, because the index is not: {lines} in {files}, of {looked}{which} so far.")
        }
    };
    let n_left_out: u64 = places.left_out.iter().map(|one| one.paths).sum();
    if n_left_out == 0 {
        return format!("{list} Nothing was left out.");
    }
    let reasons: Vec<String> = places
        .left_out
        .iter()
        .map(|one| format!("{} {}", one.paths, one.reason))
        .collect();
    let paths = counted(n_left_out, "path");
    format!(
        "{list} Not indexed, so not looked at: {paths} ({}).",
        reasons.join(", ")
    )
}

impl AllPlaces {
    /// The statement, then files and their lines, as much of the page as fits into `budget`, and at least one line; with the cursor that
    /// goes on from there.
    pub(super) fn text_within(
        &self,
        budget: usize,
        count: &dyn Fn(&str) -> usize,
    ) -> (String, Option<String>) {
        let mut text = format!("{}\n", self.statement);
        let mut n_tokens = count(&text);
        let mut last: Option<(&str, u32)> = None;
        for file in &self.files {
            let mut heading = format!("{}\n", file.path);
            for line in &file.lines {
                let next = format!(
                    "{}{}: {}\n",
                    std::mem::take(&mut heading),
                    line.line,
                    line.text.trim_end()
                );
                n_tokens += count(&next);
                if let Some((path, line)) = last.filter(|_| n_tokens > budget) {
                    return (text, Some(Cursor::write(self.seq, path, line)));
                }
                text.push_str(&next);
                last = Some((&file.path, line.line));
            }
        }
        (text, self.cursor.clone())
    }
}
