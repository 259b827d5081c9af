//! `reference`: files and symbols that the question names explicitly (RET-2).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use kitbag_rank::paths::PathClass;
use kitbag_rank::query::split_name;
use kitbag_rank::tuning::{self, Group};
use kitbag_store::{ChunkRef, ChunkRow, FileRow, ParseId, Snapshot, StoreError};
use kitbag_types::{Reference, RepoPath};

use super::{Answer, Ask, Evidence, Provider, REFERENCE, Row};
use crate::EngineError;
use crate::conventions::classes;
use crate::names::{is_letter, meant, of_letter};

/// A name that fits more files than this is ignored.
const MOST_FILES: usize = 5;
/// Number of chunks of a file that is named without lines.
const CHUNKS_OF_A_FILE: usize = 3;

/// The limit in a long text, for a file name without a folder and for a plain word that is a definition: there it is often the
/// reporter's own `settings.py`, or a word in back quotes.
const MOST_BARE: usize = 2;
const MOST_PLAIN: usize = 2;

/// It cannot be switched off (RET-2).
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
    let is_text = Group::of(query) == Group::Text;
    for reference in &query.references {
        ask.stop.check()?;
        match reference {
            Reference::File { path, lines } => {
                for (file, parse) in files.named(snapshot, path, is_text)? {
                    let chunks = files.chunks(snapshot, file, parse)?;
                    match lines {
                        Some(lines) => chunks
                            .iter()
                            .filter(|chunk| chunk.lines.overlaps(*lines))
                            .for_each(&mut push),
                        None => best_of(ask, file, chunks).into_iter().for_each(&mut push),
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
                if is_text && is_plain_word(name) {
                    symbols.retain(|symbol| !has_folder(&symbol.path, exact));
                    if symbols.len() > MOST_PLAIN {
                        continue;
                    }
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

/// A few chunks of a file that is named as a whole: those that full text ranks first; if it found none, the first that define
/// something.
fn best_of<'c>(ask: &Ask<'_>, file: i64, chunks: &'c [ChunkRow]) -> Vec<&'c ChunkRow> {
    let matching = ask.lists.iter().flat_map(|list| &list.found);
    let matching = matching.filter(|(row, _)| row.at.file == file);
    let mut best: Vec<&ChunkRow> = Vec::new();
    for (row, _) in matching {
        let found = chunks.iter().find(|chunk| chunk.at == row.at);
        best.extend(found.filter(|found| !best.iter().any(|known| known.at == found.at)));
        if best.len() == CHUNKS_OF_A_FILE {
            return best;
        }
    }
    if best.is_empty() {
        best.extend(
            chunks
                .iter()
                .filter(|chunk| !chunk.names.is_empty())
                .take(CHUNKS_OF_A_FILE),
        );
    }
    if best.is_empty() {
        best.extend(chunks.iter().take(CHUNKS_OF_A_FILE));
    }
    best
}

/// Whether it is a word of prose that happens to be in back quotes.
fn is_plain_word(name: &str) -> bool {
    name.chars().all(|c| c.is_lowercase() || c.is_numeric())
}

/// Whether a folder in the path has this name: then it is the name of the project or of one of its parts.
fn has_folder(path: &RepoPath, name: &str) -> bool {
    let mut parts: Vec<&str> = path.as_str().split('/').collect();
    parts.pop();
    parts.iter().any(|part| part.eq_ignore_ascii_case(name))
}

/// Whether it is a test or an example, which often have the same names as a user's files.
fn is_aside(path: &RepoPath) -> bool {
    let classes = classes(path);
    classes.contains(&PathClass::Test) || classes.contains(&PathClass::Example)
}

/// A cache of lookups: the frames of a stack trace name the same few files again and again, and each lookup reads all paths.
#[derive(Default)]
struct Files {
    by_name: BTreeMap<String, Vec<FileRow>>,
    chunks: BTreeMap<(i64, ParseId), Vec<ChunkRow>>,
}

impl Files {
    /// The files that a path means. A stack trace has absolute paths of another machine: leading folders are dropped until a file
    /// fits. `is_text`: it is in a long text, which may also mention files of the reporter.
    fn named(
        &mut self,
        snapshot: &Snapshot<'_>,
        path: &str,
        is_text: bool,
    ) -> Result<Vec<(i64, ParseId)>, StoreError> {
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
            let mut found: Vec<&FileRow> = files.iter().filter(ends).collect();
            let is_bare = is_text && !suffix.contains('/') && found.len() > 1;
            if is_bare {
                found.retain(|file| !is_aside(&file.path));
            }
            if found.len() > if is_bare { MOST_BARE } else { MOST_FILES } {
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
