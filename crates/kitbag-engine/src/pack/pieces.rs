//! Chunks become pieces: text as it is now, place, role, and every fact that scoring and outlines need.

use std::collections::BTreeMap;

use kitbag_pack::{Excluded, ExcludedReason, Origin, Piece, Role, coverage, recency};
use kitbag_rank::paths::{PathClass, classes};
use kitbag_repo::Ages;
use kitbag_store::{ChunkRow, Snapshot};
use kitbag_types::{Chunk, ChunkKind, LineRange, Query, Reason, RepoPath, SymbolKind, Timestamp};

use super::given::Given;
use super::lines;
use crate::current::{Head, Reader, Shape};
use crate::retrieve::Ranked;
use crate::{Engine, EngineError};

/// Providers whose names appear among a candidate's reasons.
const PROVIDERS: &[&str] = &["full_text", "reference", "symbol"];

/// Pieces whose matching lines are looked for.
const MOST_OUTLINED: usize = 150;

/// What all pieces of a pack share.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub ages: &'a Ages,
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
                label: ranked.row.label,
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
            .filter(|reason| PROVIDERS.contains(&reason.factor))
            .map(|reason| reason.factor.to_owned())
            .collect();
        let recency = self.recency_of(&row.path);
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
            role: role_of(&row.path, row.kind, &row.language),
            relevance,
            recency,
            pinned: found.pinned,
            named: found.reasons.iter().any(|reason| reason.factor == "reference"),
            pulled_by: found.pulled_by,
            heads,
            summary,
            focus: Vec::new(),
            at: "worktree".to_owned(),
            providers,
            reasons: found.reasons,
        });
        self.rows.push(Some(row));
        Ok(())
    }

    /// What somebody handed in: cut as the index would cut it, so that a chunk found twice is one piece.
    pub(crate) fn add_given(&mut self, given: &Given) {
        let parsed = &given.new.parsed;
        let path = RepoPath::new(given.path.clone()).ok().filter(|_| given.is_file);
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
                piece.pinned |= given.pinned;
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
            let recency = match (given.timestamp_ms, &path) {
                (Some(then), _) => recency((self.facts.now.0 - then) as f64 / 86_400_000.0),
                (None, Some(path)) => self.recency_of(path),
                // Handed in just now.
                (None, None) => 1.0,
            };
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
                role: path
                    .as_ref()
                    .map_or(Role::Docs, |path| role_of(path, chunk.kind, &given.new.language)),
                relevance,
                recency,
                pinned: given.pinned,
                named: false,
                pulled_by: None,
                heads,
                summary,
                focus: Vec::new(),
                at: "worktree".to_owned(),
                providers: Vec::new(),
                reasons: Vec::new(),
            });
            self.rows.push(None);
        }
    }

    /// The pieces, with the lines that match.
    pub(crate) fn finish(&mut self, query: &Query) -> Vec<Piece> {
        let mut pieces = std::mem::take(&mut self.pieces);
        // Outlines are made of what may be shown, and that is never far down.
        let mut best: Vec<&mut Piece> = pieces.iter_mut().collect();
        best.sort_by(|a, b| b.pinned.cmp(&a.pinned).then(b.relevance.total_cmp(&a.relevance)));
        best.truncate(MOST_OUTLINED);
        lines::find_focus(&mut best, query);
        pieces
    }

    fn recency_of(&mut self, path: &RepoPath) -> f64 {
        if let Some(known) = self.recency.get(path) {
            return *known;
        }
        let mtime_ns = self.engine.tree.stamp(path).map_or(0, |stamp| stamp.mtime_ns);
        let changed = self.facts.ages.last_change(path, mtime_ns);
        let fresh = changed.map_or(0.0, |then| {
            recency((self.facts.now.0 - then.0) as f64 / 86_400_000.0)
        });
        self.recency.insert(path.clone(), fresh);
        fresh
    }
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

pub(crate) fn role_of(path: &RepoPath, kind: ChunkKind, language: &str) -> Role {
    let classes = classes(path);
    let has = |class| classes.contains(&class);
    if has(PathClass::Test) && kind.is_code() {
        Role::Test
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
