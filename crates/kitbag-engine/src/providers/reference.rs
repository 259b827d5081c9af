//! `reference`: files and symbols that the question names outright (RET-2).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use kitbag_rank::query::split_name;
use kitbag_rank::tuning;
use kitbag_store::{ChunkRef, ChunkRow, FileRow, ParseId, Snapshot, StoreError};
use kitbag_types::Reference;

use super::{Answer, Ask, Evidence, Provider, REFERENCE, Row};
use crate::EngineError;
use crate::names::{is_letter, meant, of_letter};

/// A name that fits more files than this names none of them.
const MOST_FILES: usize = 5;
/// Chunks of a file that is named without lines.
const CHUNKS_OF_A_FILE: usize = 3;

/// It has no switch: RET-2 is a promise.
pub(super) struct References;

impl Provider for References {
    fn name(&self) -> &'static str {
        REFERENCE
    }

    fn run(&self, ask: &Ask<'_>) -> Result<Answer, EngineError> {
        let rows: Vec<Row> = named(ask)?.into_iter().map(Row::from).collect();
        Ok(Answer {
            evidence: Evidence::named(&rows),
            ..Answer::ordered(rows)
        })
    }
}

fn named(ask: &Ask<'_>) -> Result<Vec<ChunkRow>, EngineError> {
    let Ask {
        snapshot,
        query,
        allowed,
        ..
    } = *ask;
    let mut rows: Vec<ChunkRow> = Vec::new();
    let mut known: BTreeSet<ChunkRef> = BTreeSet::new();
    let mut push = |row: &ChunkRow| {
        if rows.len() < tuning::REFERENCE_CANDIDATES && allowed.row(row) && known.insert(row.at) {
            rows.push(row.clone());
        }
    };
    let mut files = Files::default();
    for reference in &query.references {
        ask.stop.check()?;
        match reference {
            Reference::File { path, lines } => {
                for (file, parse) in files.named(snapshot, path)? {
                    let chunks = files.chunks(snapshot, file, parse)?;
                    match lines {
                        Some(lines) => chunks
                            .iter()
                            .filter(|chunk| chunk.lines.overlaps(*lines))
                            .for_each(&mut push),
                        None => chunks.iter().take(CHUNKS_OF_A_FILE).for_each(&mut push),
                    }
                }
            }
            Reference::Symbol(name) => {
                let exact = split_name(name).name;
                let mut symbols = meant(snapshot, name)?.fitting;
                symbols.retain(|symbol| symbol.name == exact);
                if is_letter(exact) {
                    symbols = of_letter(symbols);
                }
                for symbol in symbols.iter().take(tuning::REFERENCE_CANDIDATES) {
                    ask.stop.check()?;
                    if let Some(row) = snapshot.chunk_at(symbol.file, symbol.parse, symbol.name_line)? {
                        push(&row);
                    }
                }
            }
        }
    }
    Ok(rows)
}

/// What was looked up: the frames of a trace name the same few files again and again, and each look goes over all paths.
#[derive(Default)]
struct Files {
    by_name: BTreeMap<String, Vec<FileRow>>,
    chunks: BTreeMap<(i64, ParseId), Vec<ChunkRow>>,
}

impl Files {
    /// A stack trace names files by absolute paths of another machine: the front is dropped until something fits.
    fn named(&mut self, snapshot: &Snapshot<'_>, path: &str) -> Result<Vec<(i64, ParseId)>, StoreError> {
        let name = path.rsplit('/').next().unwrap_or(path);
        if !self.by_name.contains_key(name) {
            let files = snapshot.files_ending(name)?;
            self.by_name.insert(name.to_owned(), files);
        }
        let files = &self.by_name[name];
        let mut suffix = path;
        loop {
            let ends = |file: &&FileRow| {
                let front = file.path.as_str().strip_suffix(suffix);
                front.is_some_and(|front| front.is_empty() || front.ends_with('/'))
            };
            let found: Vec<&FileRow> = files.iter().filter(ends).collect();
            if found.len() > MOST_FILES {
                return Ok(Vec::new());
            }
            if !found.is_empty() {
                let indexed = found.into_iter().filter_map(|file| Some((file.id, file.parse?)));
                return Ok(indexed.collect());
            }
            match suffix.split_once('/') {
                Some((_, rest)) => suffix = rest,
                None => return Ok(Vec::new()),
            }
        }
    }

    fn chunks(
        &mut self,
        snapshot: &Snapshot<'_>,
        file: i64,
        parse: ParseId,
    ) -> Result<&[ChunkRow], StoreError> {
        Ok(match self.chunks.entry((file, parse)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(slot) => slot.insert(snapshot.chunks_of(file, parse)?),
        })
    }
}
