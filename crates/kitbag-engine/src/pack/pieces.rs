//! Chunks become pieces: text as it is now, place, role, and every fact that scoring and outlines need.

use std::collections::BTreeMap;

use kitbag_pack::{Excluded, ExcludedReason, Origin, Piece, Role, coverage, recency};
use kitbag_rank::paths::PathClass;
use kitbag_store::{NewParse, Snapshot};
use kitbag_types::{
    Chunk, ChunkKind, LineRange, Query, Reason, RepoPath, Stop, Symbol, SymbolKind, Timestamp,
};

use super::lines;
use super::log::parts;
use super::sources::ReadSource;
use crate::ages::Ages;
use crate::conventions::classes;
use crate::current::{Head, Reader, Shape, above};
use crate::engine::Candidate;
use crate::providers::{REFERENCE, Row};
use crate::{Engine, EngineError};

/// Most pieces whose matching lines are searched.
const MOST_OUTLINED: usize = 150;

/// The least relevance of a part of a file that was asked for.
const PREFERRED: f64 = 0.8;

/// What all pieces of a pack share.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub ages: &'a Ages<'a, 'a>,
    pub now: Timestamp,
    pub task_terms: &'a [String],
    /// The stored token counts are those of the pack's tokenizer.
    pub is_o200k: bool,
    pub stop: Stop<'a>,
}

/// Makes pieces of chunks, each place once.
pub(crate) struct Collector<'a, 's> {
    engine: &'a Engine,
    reader: Reader<'a, 's>,
    facts: Facts<'a>,
    recency: BTreeMap<RepoPath, f64>,
    /// Positions of the pieces, by file and lines.
    places: BTreeMap<(String, LineRange), usize>,
    pub pieces: Vec<Piece>,
    /// The rows of the pieces, for adding what they use.
    pub rows: Vec<Option<Row>>,
    pub excluded: Vec<Excluded>,
    /// Files that changed since they were indexed.
    pub changed: Vec<String>,
    /// Files that an editor has open and has not saved, and the numbers of their texts.
    buffers: BTreeMap<String, u32>,
}

/// The value of `at` for a text that was handed in.
const GIVEN: &str = "given";

/// How a chunk came to be a candidate.
pub(crate) struct CandidateOrigin {
    pub origin: Origin,
    /// `None`: computed from the share of the task's words that it has (PACK-11).
    pub relevance: Option<f64>,
    pub pinned: bool,
    pub pulled_by: Option<String>,
    /// See [`Piece::note`].
    pub note: String,
    /// It is only in the same file as something that was found, and comes after everything that was found.
    pub is_rest: bool,
    /// Providers that found it.
    pub found_by: Vec<&'static str>,
    pub reasons: Vec<Reason>,
}

impl CandidateOrigin {
    /// For a chunk that was handed in or looked up, and not found by a search.
    pub(crate) fn new(origin: Origin, relevance: Option<f64>) -> Self {
        Self {
            origin,
            relevance,
            pinned: false,
            pulled_by: None,
            note: String::new(),
            is_rest: false,
            found_by: Vec::new(),
            reasons: Vec::new(),
        }
    }
}

impl<'a, 's> Collector<'a, 's> {
    pub(crate) fn new(engine: &'a Engine, snapshot: &'a Snapshot<'s>, facts: Facts<'a>) -> Self {
        Self {
            engine,
            reader: Reader::new(engine, snapshot),
            facts,
            recency: BTreeMap::new(),
            places: BTreeMap::new(),
            pieces: Vec::new(),
            rows: Vec::new(),
            excluded: Vec::new(),
            changed: Vec::new(),
            buffers: BTreeMap::new(),
        }
    }

    /// Uses the unsaved text of an editor as the content of its file from now on.
    pub(crate) fn replace(&mut self, given: &ReadSource) {
        if let Ok(path) = RepoPath::new(given.path.clone()) {
            self.buffers.insert(given.path.clone(), given.number);
            self.reader.replace(path, NewParse::clone(&given.new));
        }
    }

    /// Adds a search result. Files on the deny-list are not put into a pack, whoever found them (PACK-2).
    pub(crate) fn add_found(&mut self, found: Candidate) -> Result<(), EngineError> {
        let row = found.chunk;
        if let Some(rule) = self.engine.tree.denied(&row.path) {
            // Without its label, which may be part of its text.
            let (path, lines) = (row.path.to_string(), Some(row.lines));
            let denied = Excluded::refused(path, lines, ExcludedReason::Denied, rule);
            self.excluded.push(denied);
            return Ok(());
        }
        let how = CandidateOrigin {
            is_rest: found.found_by.is_empty(),
            found_by: found.found_by,
            reasons: found.reasons,
            ..CandidateOrigin::new(Origin::Search, Some(found.score))
        };
        self.add(row, how)
    }

    /// Adds a chunk of the index, as it is now. One that is gone is ignored; one that is a piece already keeps its place.
    pub(crate) fn add(&mut self, row: Row, how: CandidateOrigin) -> Result<(), EngineError> {
        self.facts.stop.check()?;
        let Some(current) = self.reader.current(&row)? else {
            return Ok(());
        };
        let buffer = self.buffers.get(row.path.as_str()).copied();
        let is_told = buffer.is_some() || self.changed.iter().any(|path| path == row.path.as_str());
        if current.changed && !is_told {
            self.changed.push(row.path.to_string());
        }
        let relevance = how
            .relevance
            .unwrap_or_else(|| coverage(self.facts.task_terms, &current.text));
        let place = (row.path.to_string(), current.lines);
        if let Some(known) = self.places.get(&place) {
            let piece = &mut self.pieces[*known];
            piece.relevance = piece.relevance.max(relevance);
            piece.pinned |= how.pinned;
            piece.origin = piece.origin.min(how.origin);
            if piece.note.is_empty() {
                piece.note = how.note;
            }
            return Ok(());
        }
        let shape = self.reader.shape(&row, &current)?;
        let (heads, summary) = lines::heads(&shape, current.lines, &current.text);
        let language = kitbag_syntax::by_name(&row.language);
        let recency = match how.is_rest {
            true => 0.0,
            false => self.recency_of(&row.path, current.changed)?,
        };
        let at = match buffer {
            Some(_) => GIVEN.to_owned(),
            None => self.version_of(&row.path, current.changed)?,
        };
        self.places.insert(place, self.pieces.len());
        self.pieces.push(Piece {
            id: id_of(
                row.path.as_str(),
                &row.symbol_path,
                row.part.0,
                row.symbol_path.is_empty().then_some(current.lines.start()),
            ),
            path: row.path.to_string(),
            is_file: buffer.is_none(),
            given: buffer.unwrap_or(0),
            lines: current.lines,
            tokens: self.facts.is_o200k.then_some(current.tokens as usize),
            text: current.text,
            blank_after: shape.blank_after,
            language: row.language.clone(),
            line_comments: language.map_or(&[], |language| language.comments.line),
            kind: row.kind,
            label: current.label,
            names: row.names.clone(),
            origin: how.origin,
            role: role_of(&row.path, row.kind, &row.language, &row.label),
            relevance,
            recency,
            pinned: how.pinned,
            asked: Vec::new(),
            is_log: false,
            named: how.found_by.contains(&REFERENCE),
            pulled_by: how.pulled_by,
            note: how.note,
            heads,
            above: shape.above,
            part: Some(current.part).filter(|(_, of)| *of > 1),
            summary,
            focus: Vec::new(),
            at,
            providers: how.found_by.iter().map(|name| (*name).to_owned()).collect(),
            reasons: how.reasons,
        });
        self.rows.push(Some(row));
        Ok(())
    }

    /// Adds a source that was handed in: lines that were asked for as they are, a log by its failures, other texts cut as the index
    /// cuts them, so that a chunk that is also found is one piece.
    pub(crate) fn add_given(&mut self, given: &ReadSource) -> Result<(), EngineError> {
        self.facts.stop.check()?;
        let chunks = &given.new.parsed.chunks;
        if let Some(asked) = given.lines {
            let first = chunks.iter().find(|chunk| chunk.lines.end() >= asked.start());
            if let Some(chunk) = first.or(chunks.last()) {
                let is_asked = given.pinned || given.origin == Origin::Reference;
                let piece = self.piece_of(given, chunk, asked)?;
                self.put(
                    given,
                    Piece {
                        pinned: is_asked,
                        asked: if is_asked { vec![piece.lines] } else { Vec::new() },
                        part: None,
                        ..piece
                    },
                );
            }
            return Ok(());
        }
        if let (Some(failure), Some(chunk)) = (&given.failure, chunks.first()) {
            for lines in parts(&given.new.text, failure) {
                let piece = self.piece_of(given, chunk, lines)?;
                let shift = given.first_line - 1;
                let focus: Vec<(u32, f32)> = failure
                    .iter()
                    .filter(|(line, _)| lines.contains(*line))
                    .map(|(line, strength)| (line + shift, *strength))
                    .collect();
                let log = Piece {
                    is_log: true,
                    label: String::new(),
                    heads: Vec::new(),
                    summary: Vec::new(),
                    above: Vec::new(),
                    part: None,
                    focus,
                    ..piece
                };
                self.put(given, log);
            }
            return Ok(());
        }
        for (idx, chunk) in chunks.iter().enumerate() {
            let mut piece = self.piece_of(given, chunk, chunk.lines)?;
            piece.tokens = self.facts.is_o200k.then(|| given.new.tokens[idx] as usize);
            self.put(given, piece);
        }
        Ok(())
    }

    /// Adds a piece; if there is one at the same place, joins the two.
    fn put(&mut self, given: &ReadSource, piece: Piece) {
        let place = (piece.path.clone(), piece.lines);
        let has_places = given.is_file || self.buffers.get(&given.path) == Some(&given.number);
        if let Some(known) = self.places.get(&place).filter(|_| has_places) {
            let known = &mut self.pieces[*known];
            known.relevance = known.relevance.max(piece.relevance);
            known.pinned |= piece.pinned;
            known.origin = known.origin.min(piece.origin);
            known.asked.extend(piece.asked);
            return;
        }
        if has_places {
            self.places.insert(place, self.pieces.len());
        }
        self.pieces.push(piece);
        self.rows.push(None);
    }

    /// These lines of a text that was handed in; `chunk` is where they begin.
    fn piece_of(
        &mut self,
        given: &ReadSource,
        chunk: &Chunk,
        wanted: LineRange,
    ) -> Result<Piece, EngineError> {
        let path = RepoPath::new(given.path.clone())
            .ok()
            .filter(|_| given.is_file || given.has_path);
        let shift = given.first_line - 1;
        let moved = |lines: LineRange| LineRange::new(lines.start() + shift, lines.end() + shift);
        let is_chunk = wanted == chunk.lines;
        let start_of = |line: u32| given.starts.get(line as usize - 1).copied();
        let start = start_of(wanted.start()).unwrap_or(given.new.text.len());
        let end = start_of(wanted.end() + 1).map_or(given.new.text.len(), |next| next - 1);
        let text = given.new.text.get(start..end).unwrap_or_default().to_owned();
        let lines = moved(wanted);
        let relevance = given
            .relevance
            .unwrap_or_else(|| coverage(self.facts.task_terms, &text));
        let shape = shape_of(given, chunk, wanted);
        let (heads, summary) = lines::heads(&shape, lines, &text);
        let (fresh, at) = match path.as_ref().filter(|_| given.is_file) {
            Some(path) => {
                let changed = self.changed_since(path)?;
                (self.recency_of(path, changed)?, self.version_of(path, changed)?)
            }
            // Handed in just now, or what a commit did.
            None => (1.0, given.commit.clone().unwrap_or_else(|| GIVEN.to_owned())),
        };
        let recency = given.timestamp_ms.map_or(fresh, |then| {
            recency(days_between(Timestamp(then), self.facts.now))
        });
        let language = kitbag_syntax::by_name(&given.new.language);
        Ok(Piece {
            id: id_of(
                &given.path,
                if is_chunk { &chunk.symbol_path } else { "" },
                if is_chunk { chunk.part.0 } else { 0 },
                (!is_chunk || chunk.symbol_path.is_empty()).then_some(lines.start()),
            ),
            path: given.path.clone(),
            is_file: given.is_file,
            given: given.number,
            lines,
            tokens: None,
            text,
            blank_after: shape.blank_after,
            language: given.new.language.clone(),
            line_comments: language.map_or(&[], |language| language.comments.line),
            kind: chunk.kind,
            label: chunk.label.clone(),
            names: chunk.names.clone(),
            origin: given.origin,
            role: match path.as_ref().filter(|_| given.is_file) {
                Some(path) => role_of(path, chunk.kind, &given.new.language, &chunk.label),
                None => Role::Docs,
            },
            relevance,
            recency,
            // Only the best part of a whole file (see `prefer`).
            pinned: false,
            asked: Vec::new(),
            is_log: false,
            named: false,
            pulled_by: None,
            note: String::new(),
            heads,
            above: shape.above,
            part: Some(chunk.part).filter(|(_, of)| *of > 1),
            summary,
            focus: Vec::new(),
            at,
            providers: Vec::new(),
            reasons: Vec::new(),
        })
    }

    /// Sorts pieces that were asked for first, then by relevance.
    pub(crate) fn by_relevance(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.pieces.len()).collect();
        order.sort_by(|a, b| {
            let (a, b) = (&self.pieces[*a], &self.pieces[*b]);
            b.pinned.cmp(&a.pinned).then(b.relevance.total_cmp(&a.relevance))
        });
        order
    }

    /// For a whole file that was asked for: its best part comes before everything, the rest before what nobody asked for. If all
    /// parts were pinned, every part of a large file would be named and none shown.
    pub(crate) fn prefer(&mut self, path: &str) {
        let mut best: Option<(usize, f64)> = None;
        for (idx, piece) in self.pieces.iter_mut().enumerate() {
            if piece.path != path {
                continue;
            }
            if best.is_none_or(|(_, known)| piece.relevance > known) {
                best = Some((idx, piece.relevance));
            }
            piece.relevance = PREFERRED + (1.0 - PREFERRED) * piece.relevance;
        }
        if let Some((idx, _)) = best {
            self.pieces[idx].pinned = true;
        }
    }

    /// The pieces, with the lines that match.
    pub(crate) fn finish(&mut self, query: &Query) -> Vec<Piece> {
        let mut pieces = std::mem::take(&mut self.pieces);
        tell_apart(&mut pieces);
        // Only pieces near the top are shown as outlines.
        let mut best: Vec<&mut Piece> = pieces.iter_mut().collect();
        best.sort_by(|a, b| b.pinned.cmp(&a.pinned).then(b.relevance.total_cmp(&a.relevance)));
        // A log has the lines of its failure instead.
        best.retain(|piece| !piece.is_log);
        best.truncate(MOST_OUTLINED);
        lines::find_focus(&mut best, query);
        pieces
    }

    /// The commit whose version of the file is in the working copy, or `worktree` if it differs or that is not known.
    fn version_of(&self, path: &RepoPath, changed: bool) -> Result<String, EngineError> {
        let commit = if changed {
            None
        } else {
            self.facts.ages.commit_of(path)?
        };
        Ok(commit.unwrap_or("worktree").to_owned())
    }

    /// `changed`: since it was indexed.
    fn recency_of(&mut self, path: &RepoPath, changed: bool) -> Result<f64, EngineError> {
        if let Some(known) = self.recency.get(path) {
            return Ok(*known);
        }
        let mtime_ns = self.engine.tree.stamp(path).map_or(0, |stamp| stamp.mtime_ns);
        let last = self.facts.ages.last_change(path, mtime_ns, changed)?;
        let fresh = last.map_or(0.0, |then| recency(days_between(then, self.facts.now)));
        self.recency.insert(path.clone(), fresh);
        Ok(fresh)
    }

    /// Whether a file changed on disk since it was indexed. A time stamp that is too recent to be trusted says nothing.
    fn changed_since(&self, path: &RepoPath) -> Result<bool, EngineError> {
        let row = self.reader.snapshot().file(path)?;
        let now = self.engine.tree.stamp(path);
        Ok(row.is_some_and(|row| row.stamp.mtime_ns != i64::MIN && now.is_some_and(|now| now != row.stamp)))
    }
}

/// The age in whole hours, so that the same question a moment later gives the same pack.
fn days_between(then: Timestamp, now: Timestamp) -> f64 {
    let hours = now.0.saturating_sub(then.0) / 3_600_000;
    hours as f64 / 24.0
}

/// An id from path, place in the structure and part; with the line only if the place has no name.
pub(crate) fn id_of(path: &str, symbol_path: &str, part: u32, line: Option<u32>) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(path.as_bytes())
        .update(&[0])
        .update(symbol_path.as_bytes())
        .update(&[0])
        .update(&part.to_le_bytes());
    if let Some(line) = line {
        hasher.update(&line.to_le_bytes());
    }
    hex(&hasher.finalize().as_bytes()[..8])
}

/// Overloads and methods of one name have one place in the structure: the second and later ones get ids of their own.
fn tell_apart(pieces: &mut [Piece]) {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by(|a, b| {
        let key = |idx: &usize| (&pieces[*idx].id, pieces[*idx].lines);
        key(a).cmp(&key(b)).then(a.cmp(b))
    });
    let mut previous: Option<(String, u32)> = None;
    for idx in order {
        let id = pieces[idx].id.clone();
        let n = previous
            .take()
            .filter(|(known, _)| *known == id)
            .map_or(0, |(_, n)| n + 1);
        if n > 0 {
            pieces[idx].id = id_of(&pieces[idx].path, &id, n, None);
        }
        previous = Some((id, n));
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

const MANIFESTS: &[&str] = &[
    "cargo.toml",
    "package.json",
    "go.mod",
    "pyproject.toml",
    "requirements.txt",
    "setup.cfg",
    "gemfile",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "package.swift",
    "mix.exs",
    "build.sbt",
    "stack.yaml",
    "pipfile",
];

pub(crate) fn role_of(path: &RepoPath, kind: ChunkKind, language: &str, label: &str) -> Role {
    let classes = classes(path);
    let has = |class| classes.contains(&class);
    // Tests in the file that they test (`mod tests`).
    let inline = label.split("::").any(|part| matches!(part, "tests" | "test"));
    if (has(PathClass::Test) || inline) && kind.is_code() {
        Role::Test
    } else if label == "imports" {
        Role::Manifest
    } else if label == "module docs" {
        Role::Docs
    } else if MANIFESTS.contains(&path.file_name().to_lowercase().as_str()) {
        Role::Manifest
    } else if has(PathClass::Docs) || has(PathClass::Changelog) || kind == ChunkKind::MarkdownSection {
        Role::Docs
    } else if has(PathClass::Config)
        || matches!(kind, ChunkKind::YamlBlock | ChunkKind::ConfigBlock)
        || language == "toml"
    {
        Role::Config
    } else if has(PathClass::Test) {
        Role::Test
    } else {
        Role::Code
    }
}

/// The heads and blank lines of these lines of a text that was handed in; `chunk` is where they begin.
fn shape_of(given: &ReadSource, chunk: &Chunk, wanted: LineRange) -> Shape {
    let parsed = &given.new.parsed;
    let shift = given.first_line - 1;
    let moved = |lines: LineRange| LineRange::new(lines.start() + shift, lines.end() + shift);
    let is_head = |symbol: &&Symbol| {
        !matches!(symbol.kind, SymbolKind::Field | SymbolKind::Variable) && wanted.contains(symbol.name_line)
    };
    let heads = parsed.symbols.iter().filter(is_head).map(|symbol| Head {
        lines: moved(symbol.lines),
        name_line: symbol.name_line + shift,
        signature: symbol.signature.clone(),
    });
    let around = parsed
        .symbols
        .iter()
        .map(|symbol| (symbol.kind, symbol.lines, symbol.name_line));
    let rest = given.new.text.get(chunk.bytes.end..).unwrap_or_default();
    let n_blank = rest
        .split('\n')
        .skip(1)
        .take_while(|line| line.trim().is_empty())
        .count();
    Shape {
        blank_after: if wanted == chunk.lines { n_blank as u32 } else { 0 },
        heads: heads.collect(),
        above: above(wanted, &given.new.text, &given.starts, around)
            .into_iter()
            .map(|(number, line)| (number + shift, line))
            .collect(),
    }
}
