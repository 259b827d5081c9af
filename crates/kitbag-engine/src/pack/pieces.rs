//! Chunks become pieces: text as it is now, place, role, and every fact that scoring and outlines need.

use std::collections::BTreeMap;

use kitbag_pack::{Excluded, ExcludedReason, Origin, Piece, Role, coverage, recency};
use kitbag_rank::paths::{PathClass, classes};
use kitbag_store::{ChunkRow, Snapshot};
use kitbag_types::{Chunk, ChunkKind, LineRange, Query, Reason, RepoPath, SymbolKind, Timestamp};

use super::given::Given;
use super::lines;
use crate::ages::Ages;
use crate::current::{Head, Reader, Shape};
use crate::providers::is_provider;
use crate::retrieve::Ranked;
use crate::{Engine, EngineError};

/// Pieces whose matching lines are looked for.
const MOST_OUTLINED: usize = 150;

/// The least relevance of a part of a file that was asked for.
const PREFERRED: f64 = 0.8;

/// What all pieces of a pack share.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub ages: &'a Ages<'a, 'a>,
    pub now: Timestamp,
    pub task_terms: &'a [String],
    /// The stored counts are the tokenizer's own.
    pub is_o200k: bool,
}

/// Makes pieces of chunks, each place once.
pub(crate) struct Collector<'a, 's> {
    engine: &'a Engine,
    reader: Reader<'a, 's>,
    facts: Facts<'a>,
    recency: BTreeMap<RepoPath, f64>,
    /// Which piece of a file stands where.
    places: BTreeMap<(String, LineRange), usize>,
    pub pieces: Vec<Piece>,
    /// Where the rows of the pieces stand, for pulling in what they use.
    pub rows: Vec<Option<ChunkRow>>,
    pub excluded: Vec<Excluded>,
    /// Files that changed since they were indexed.
    pub changed: Vec<String>,
}

/// How a chunk came to be a candidate.
pub(crate) struct Found {
    pub origin: Origin,
    /// `None`: how many of the task's words it has (PACK-11).
    pub relevance: Option<f64>,
    pub reasons: Vec<Reason>,
    pub pinned: bool,
    pub pulled_by: Option<String>,
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
        }
    }

    /// A search result. What is on the deny-list is not put into a pack, wherever it was found (PACK-2).
    pub(crate) fn add_ranked(&mut self, ranked: Ranked) -> Result<(), EngineError> {
        if let Some(rule) = self.engine.tree.denied(&ranked.row.path) {
            self.excluded.push(Excluded {
                path: ranked.row.path.to_string(),
                lines: Some(ranked.row.lines),
                // Its label may be its text.
                label: String::new(),
                reason: ExcludedReason::Denied,
                detail: rule,
                tokens: None,
            });
            return Ok(());
        }
        let found = Found {
            origin: Origin::Search,
            relevance: Some(ranked.score),
            reasons: ranked.reasons,
            pinned: false,
            pulled_by: None,
        };
        self.add(ranked.row, found)
    }

    /// A chunk of the index, as it is now. One that is gone is passed over; one that is there already keeps its place.
    pub(crate) fn add(&mut self, row: ChunkRow, found: Found) -> Result<(), EngineError> {
        let Some(current) = self.reader.current(&row)? else {
            return Ok(());
        };
        if current.changed && !self.changed.iter().any(|path| path == row.path.as_str()) {
            self.changed.push(row.path.to_string());
        }
        let relevance = found
            .relevance
            .unwrap_or_else(|| coverage(self.facts.task_terms, &current.text));
        let place = (row.path.to_string(), current.lines);
        if let Some(known) = self.places.get(&place) {
            let piece = &mut self.pieces[*known];
            piece.relevance = piece.relevance.max(relevance);
            piece.pinned |= found.pinned;
            piece.origin = piece.origin.min(found.origin);
            return Ok(());
        }
        let shape = self.reader.shape(&row, &current)?;
        let (heads, summary) = lines::heads(&shape, current.lines, &current.text);
        let language = kitbag_syntax::by_name(&row.language);
        let providers = found
            .reasons
            .iter()
            .filter(|reason| is_provider(reason.factor))
            .map(|reason| reason.factor.to_owned())
            .collect();
        let recency = self.recency_of(&row.path, current.changed)?;
        let at = self.version_of(&row.path, current.changed)?;
        self.places.insert(place, self.pieces.len());
        self.pieces.push(Piece {
            id: id_of(
                row.path.as_str(),
                &row.symbol_path,
                row.part.0,
                row.symbol_path.is_empty().then_some(current.lines.start()),
            ),
            path: row.path.to_string(),
            is_file: true,
            lines: current.lines,
            tokens: self.facts.is_o200k.then_some(current.tokens as usize),
            text: current.text,
            blank_after: shape.blank_after,
            language: row.language.clone(),
            line_comments: language.map_or(&[], |language| language.comments.line),
            kind: row.kind,
            label: current.label,
            names: row.names.clone(),
            origin: found.origin,
            role: role_of(&row.path, row.kind, &row.language, &row.label),
            relevance,
            recency,
            pinned: found.pinned,
            named: found.reasons.iter().any(|reason| reason.factor == "reference"),
            pulled_by: found.pulled_by,
            heads,
            summary,
            focus: Vec::new(),
            at,
            providers,
            reasons: found.reasons,
        });
        self.rows.push(Some(row));
        Ok(())
    }

    /// What somebody handed in: cut as the index would cut it, so that a chunk found twice is one piece.
    pub(crate) fn add_given(&mut self, given: &Given) -> Result<(), EngineError> {
        let parsed = &given.new.parsed;
        let path = RepoPath::new(given.path.clone()).ok().filter(|_| given.is_file);
        let (fresh, at) = match &path {
            Some(path) => {
                let changed = self.changed_since(path)?;
                (self.recency_of(path, changed)?, self.version_of(path, changed)?)
            }
            // Handed in just now.
            None => (1.0, "given".to_owned()),
        };
        for (idx, chunk) in parsed.chunks.iter().enumerate() {
            let shift = given.first_line - 1;
            let Some((lines, text)) = wanted(given, chunk) else {
                continue;
            };
            let cut = lines != chunk.lines;
            let lines = LineRange::new(lines.start() + shift, lines.end() + shift);
            let relevance = given
                .relevance
                .unwrap_or_else(|| coverage(self.facts.task_terms, text));
            let place = (given.path.clone(), lines);
            if let Some(known) = self.places.get(&place).filter(|_| given.is_file) {
                let piece = &mut self.pieces[*known];
                piece.relevance = piece.relevance.max(relevance);
                piece.pinned |= given.pinned && given.lines.is_some();
                piece.origin = piece.origin.min(given.origin);
                continue;
            }
            let heads: Vec<Head> = parsed
                .symbols
                .iter()
                .filter(|symbol| {
                    !matches!(symbol.kind, SymbolKind::Field | SymbolKind::Variable)
                        && chunk.lines.contains(symbol.name_line)
                        && lines.contains(symbol.name_line + shift)
                })
                .map(|symbol| Head {
                    lines: LineRange::new(symbol.lines.start() + shift, symbol.lines.end() + shift),
                    name_line: symbol.name_line + shift,
                    signature: symbol.signature.clone(),
                })
                .collect();
            let rest = given.new.text.get(chunk.bytes.end..).unwrap_or_default();
            let shape = Shape {
                blank_after: if cut {
                    0
                } else {
                    rest.split('\n')
                        .skip(1)
                        .take_while(|line| line.trim().is_empty())
                        .count() as u32
                },
                heads,
            };
            let (heads, summary) = lines::heads(&shape, lines, text);
            let recency = given.timestamp_ms.map_or(fresh, |then| {
                recency(days_between(Timestamp(then), self.facts.now))
            });
            let language = kitbag_syntax::by_name(&given.new.language);
            if given.is_file {
                self.places.insert(place, self.pieces.len());
            }
            self.pieces.push(Piece {
                id: id_of(
                    &given.path,
                    &chunk.symbol_path,
                    chunk.part.0,
                    (cut || chunk.symbol_path.is_empty()).then_some(lines.start()),
                ),
                path: given.path.clone(),
                is_file: given.is_file,
                lines,
                tokens: (self.facts.is_o200k && !cut).then(|| given.new.tokens[idx] as usize),
                text: text.to_owned(),
                blank_after: shape.blank_after,
                language: given.new.language.clone(),
                line_comments: language.map_or(&[], |language| language.comments.line),
                kind: chunk.kind,
                label: chunk.label.clone(),
                names: chunk.names.clone(),
                origin: given.origin,
                role: path.as_ref().map_or(Role::Docs, |path| {
                    role_of(path, chunk.kind, &given.new.language, &chunk.label)
                }),
                relevance,
                recency,
                // Of a whole file, its best part (see `prefer`).
                pinned: given.pinned && given.lines.is_some(),
                named: false,
                pulled_by: None,
                heads,
                summary,
                focus: Vec::new(),
                at: at.clone(),
                providers: Vec::new(),
                reasons: Vec::new(),
            });
            self.rows.push(None);
        }
        Ok(())
    }

    /// A whole file that was asked for: its best part comes before everything, the rest before what nobody asked for. All of
    /// it pinned would name every part of a large file and show none.
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
        // Outlines are made of what may be shown, and that is never far down.
        let mut best: Vec<&mut Piece> = pieces.iter_mut().collect();
        best.sort_by(|a, b| b.pinned.cmp(&a.pinned).then(b.relevance.total_cmp(&a.relevance)));
        best.truncate(MOST_OUTLINED);
        lines::find_focus(&mut best, query);
        pieces
    }

    /// The commit whose version of a file the working copy is, or `worktree` where it differs or that is not known.
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

    /// A file of the index that is not on disk as it was read. A stamp that was not to be believed says nothing.
    fn changed_since(&self, path: &RepoPath) -> Result<bool, EngineError> {
        let row = self.reader.snapshot().file(path)?;
        let now = self.engine.tree.stamp(path);
        Ok(row.is_some_and(|row| row.stamp.mtime_ns != i64::MIN && now.is_some_and(|now| now != row.stamp)))
    }
}

/// In whole hours: asked again a moment later, a file is as old as before, and a pack the same.
fn days_between(then: Timestamp, now: Timestamp) -> f64 {
    let hours = now.0.saturating_sub(then.0) / 3_600_000;
    hours as f64 / 24.0
}

/// From path, place in the structure and part; the line only where the structure has no name for the place.
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

/// The lines of a chunk that are asked for, and their text.
fn wanted<'t>(given: &'t Given, chunk: &Chunk) -> Option<(LineRange, &'t str)> {
    let text = given.new.text.get(chunk.bytes.clone())?;
    let Some(asked) = given.lines else {
        return Some((chunk.lines, text));
    };
    if !asked.overlaps(chunk.lines) {
        return None;
    }
    let start = asked.start().max(chunk.lines.start());
    let end = asked.end().min(chunk.lines.end());
    let mut offset = 0;
    let mut bounds = (0, text.len());
    for (number, line) in (chunk.lines.start()..).zip(text.split('\n')) {
        if number == start {
            bounds.0 = offset;
        }
        if number == end {
            bounds.1 = offset + line.len();
        }
        offset += line.len() + 1;
    }
    Some((LineRange::new(start, end), &text[bounds.0..bounds.1]))
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
    // Tests that stand in the file they test (`mod tests`).
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
