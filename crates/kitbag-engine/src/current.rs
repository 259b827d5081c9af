//! Checks every hit when it is served (IDX-36): what is shown is always the file as it is now.
//!
//! Size and time stamp first, then the hash; a file that changed is read and cut again on the spot, and the hit becomes
//! the chunk that stands in its place. The stored text is used only if it still has the hash that was stored with it.

use std::collections::BTreeMap;

use kitbag_store::{ChunkRow, FileRow, NewParse, ParseId, Snapshot, StoreError, SymbolRow};
use kitbag_types::{Chunk, LineRange, Parsed, RepoPath, Symbol, SymbolKind};

use crate::cut::{ParseTime, content_hash, cut_within, parse_key};
use crate::{Engine, EngineError};

/// A chunk's text and place as they are now.
pub(crate) struct Current {
    pub lines: LineRange,
    pub label: String,
    pub tokens: u32,
    pub text: String,
    /// The file changed since it was indexed, and this is the new text.
    pub changed: bool,
    /// Which part of a split definition it is, and of how many; `(1, 1)`: all of it.
    pub part: (u32, u32),
}

/// What an outline of a chunk needs to know about its file.
#[derive(Default)]
pub(crate) struct Shape {
    /// Blank lines right after the chunk.
    pub blank_after: u32,
    /// Definitions that begin in the chunk.
    pub heads: Vec<Head>,
    /// Lines before the chunk, by number: where the definitions begin that it is in (PACK-47).
    pub above: Vec<(u32, String)>,
}

/// A gap between a head and the shown lines of its definition is filled if it is smaller than this: a mark costs as much.
const SMALLEST_GAP: u32 = 3;

/// The definitions that `lines` are in and that begin above them: for each its kind, all its lines, and the line of its
/// name.
pub(crate) fn above<'s>(
    lines: LineRange,
    text: &str,
    starts: &[usize],
    symbols: impl Iterator<Item = (SymbolKind, LineRange, u32)> + 's,
) -> Vec<(u32, String)> {
    let is_around = |kind: SymbolKind, whole: LineRange, name_line: u32| {
        let holds_code = !matches!(
            kind,
            SymbolKind::Module
                | SymbolKind::Section
                | SymbolKind::Constant
                | SymbolKind::Variable
                | SymbolKind::Field
        );
        holds_code && name_line < lines.start() && whole.contains(lines.start())
    };
    let mut wanted: Vec<u32> = symbols
        .filter(|(kind, whole, name_line)| is_around(*kind, *whole, *name_line))
        .map(|(_, _, name_line)| name_line)
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    if let Some(last) = wanted.last().copied()
        && lines.start() - last <= SMALLEST_GAP
    {
        wanted.extend(last + 1..lines.start());
    }
    let line_at = |number: &u32| {
        let start = *starts.get((*number as usize).checked_sub(1)?)?;
        let line = text.get(start..)?.split('\n').next()?;
        Some((*number, line.strip_suffix('\r').unwrap_or(line).to_owned()))
    };
    wanted.iter().filter_map(line_at).collect()
}

/// Where each line of a text begins.
pub(crate) fn line_starts(text: &str) -> Vec<usize> {
    let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
}

/// A definition, as far as its head goes.
pub(crate) struct Head {
    /// With its doc comment and attributes.
    pub lines: LineRange,
    pub name_line: u32,
    pub signature: String,
}

impl Head {
    fn of(symbol: &Symbol) -> Self {
        Self {
            lines: symbol.lines,
            name_line: symbol.name_line,
            signature: symbol.signature.clone(),
        }
    }

    fn holds(&self, lines: LineRange) -> bool {
        self.lines.start() <= lines.start() && lines.end() <= self.lines.end()
    }
}

/// The same as [`Reader::whole`], for a chunk that was cut on the spot.
pub(crate) fn whole_in(parsed: &Parsed, chunk: &Chunk) -> Option<Head> {
    let is_part = chunk.part.1 > 1;
    let mut heads = parsed
        .symbols
        .iter()
        .filter(|symbol| is_part && symbol.qualified() == chunk.symbol_path)
        .map(Head::of);
    heads.rfind(|head| head.holds(chunk.lines))
}

/// Looks files up once for all hits of an answer.
pub(crate) struct Reader<'a, 's> {
    engine: &'a Engine,
    snapshot: &'a Snapshot<'s>,
    files: BTreeMap<(RepoPath, ParseId), FileState>,
    /// Texts that replace files: what an editor has and has not saved.
    instead: BTreeMap<RepoPath, NewParse>,
    symbols: BTreeMap<(i64, ParseId), Vec<SymbolRow>>,
    /// Where the lines of each file begin.
    starts: BTreeMap<(RepoPath, ParseId), Vec<usize>>,
    /// For the files that changed.
    time: ParseTime,
}

enum FileState {
    /// As indexed; the stored text of the product.
    Same(String),
    /// Read and cut anew.
    Changed(Box<NewParse>),
    /// No longer there, or no longer readable.
    Gone,
}

impl<'a, 's> Reader<'a, 's> {
    pub(crate) fn snapshot(&self) -> &'a Snapshot<'s> {
        self.snapshot
    }

    pub(crate) fn new(engine: &'a Engine, snapshot: &'a Snapshot<'s>) -> Self {
        Self {
            engine,
            snapshot,
            files: BTreeMap::new(),
            instead: BTreeMap::new(),
            symbols: BTreeMap::new(),
            starts: BTreeMap::new(),
            time: ParseTime::new(),
        }
    }

    /// Uses this text as the content of the file from now on.
    pub(crate) fn replace(&mut self, path: RepoPath, new: NewParse) {
        self.instead.insert(path, new);
    }

    /// `None`: the file, or this part of it, is no longer there.
    pub(crate) fn current(&mut self, row: &ChunkRow) -> Result<Option<Current>, EngineError> {
        let key = (row.path.clone(), row.at.parse);
        if !self.files.contains_key(&key) {
            let state = self.state(row)?;
            self.files.insert(key.clone(), state);
        }
        Ok(match &self.files[&key] {
            FileState::Same(text) => {
                let text = text.get(row.bytes.clone()).unwrap_or_default();
                if content_hash(text) != row.hash {
                    let path = self.engine.store_dir().to_owned();
                    return Err(StoreError::Corrupt {
                        path,
                        what: "a stored text does not match its hash".into(),
                    }
                    .into());
                }
                Some(Current {
                    lines: row.lines,
                    label: row.label.clone(),
                    tokens: row.tokens,
                    text: text.to_owned(),
                    changed: false,
                    part: row.part,
                })
            }
            FileState::Changed(new) => find_again(row, new),
            FileState::Gone => None,
        })
    }

    /// The shape of what [`Self::current`] gave for the same row.
    pub(crate) fn shape(&mut self, row: &ChunkRow, current: &Current) -> Result<Shape, EngineError> {
        let key = (row.path.clone(), row.at.parse);
        let (text, end) = match self.files.get(&key) {
            Some(FileState::Same(text)) => (text.as_str(), row.bytes.end),
            Some(FileState::Changed(new)) => {
                let chunk = new
                    .parsed
                    .chunks
                    .iter()
                    .find(|chunk| chunk.lines == current.lines);
                (
                    new.text.as_str(),
                    chunk.map_or(new.text.len(), |chunk| chunk.bytes.end),
                )
            }
            Some(FileState::Gone) | None => return Ok(Shape::default()),
        };
        let rest = text.get(end..).unwrap_or_default().split('\n').skip(1);
        let blank_after = rest.take_while(|line| line.trim().is_empty()).count() as u32;
        let is_head = |kind: SymbolKind| !matches!(kind, SymbolKind::Field | SymbolKind::Variable);
        let mut heads = Vec::new();
        let mut around = Vec::new();
        self.each_definition(row, &mut |kind, _, head| {
            around.push((kind, head.lines, head.name_line));
            if is_head(kind) && current.lines.contains(head.name_line) {
                heads.push(head);
            }
        })?;
        let text = match self.files.get(&key) {
            Some(FileState::Same(text)) => text.as_str(),
            Some(FileState::Changed(new)) => new.text.as_str(),
            Some(FileState::Gone) | None => "",
        };
        let starts = self.starts.entry(key).or_insert_with(|| line_starts(text));
        let above = above(current.lines, text, starts, around.into_iter());
        Ok(Shape {
            blank_after,
            heads,
            above,
        })
    }

    /// The definition that this is one part of (IDX-18). `None` if it is not a part, or if what was split is a scope and not
    /// a definition.
    pub(crate) fn whole(&mut self, row: &ChunkRow, current: &Current) -> Result<Option<Head>, EngineError> {
        let mut found = None;
        if current.part.1 > 1 {
            self.each_definition(row, &mut |_, path, head| {
                // Of definitions with the same path, the innermost.
                if path == row.symbol_path && head.holds(current.lines) {
                    found = Some(head);
                }
            })?;
        }
        Ok(found)
    }

    /// Calls `see` with every definition of the file as it is now: kind, `container::name`, head. In file order.
    fn each_definition(
        &mut self,
        row: &ChunkRow,
        see: &mut dyn FnMut(SymbolKind, String, Head),
    ) -> Result<(), EngineError> {
        let key = (row.path.clone(), row.at.parse);
        if let Some(FileState::Changed(new)) = self.files.get(&key) {
            for symbol in &new.parsed.symbols {
                see(symbol.kind, symbol.qualified(), Head::of(symbol));
            }
            return Ok(());
        }
        let known = (row.at.file, row.at.parse);
        if !self.symbols.contains_key(&known) {
            let symbols = self.snapshot.symbols_of(row.at.file, row.at.parse)?;
            self.symbols.insert(known, symbols);
        }
        for symbol in &self.symbols[&known] {
            let head = Head {
                lines: symbol.lines,
                name_line: symbol.name_line,
                signature: symbol.signature.clone(),
            };
            see(symbol.kind, symbol.qualified(), head);
        }
        Ok(())
    }

    fn state(&self, row: &ChunkRow) -> Result<FileState, EngineError> {
        if let Some(new) = self.instead.get(&row.path) {
            return Ok(FileState::Changed(Box::new(new.clone())));
        }
        // An index that was made before a file was denied still has it until the next run (SEC-7).
        if self.engine.tree.denied(&row.path).is_some() {
            return Ok(FileState::Gone);
        }
        let file = self.snapshot.file(&row.path)?.filter(|_| row.current);
        // A product made by other rules for secrets may hold what the present rules would remove.
        let file = match file {
            Some(file) if self.is_of_present_make(&file, row)? => Some(file),
            _ => None,
        };
        let stamp = self.engine.tree.stamp(&row.path);
        if file.as_ref().is_some_and(|file| stamp == Some(file.stamp)) {
            return Ok(FileState::Same(self.snapshot.parse_text(row.at.parse)?));
        }
        Ok(match self.engine.tree.read(&row.path) {
            Ok(source) if file.is_some_and(|file| file.hash == source.hash) => {
                FileState::Same(self.snapshot.parse_text(row.at.parse)?)
            }
            Ok(source) => FileState::Changed(Box::new(cut_within(self.engine, &source, &self.time))),
            Err(_) => FileState::Gone,
        })
    }

    fn is_of_present_make(&self, file: &FileRow, row: &ChunkRow) -> Result<bool, EngineError> {
        let key = parse_key(self.engine, &file.hash, &file.language);
        Ok(self.snapshot.parse_key(row.at.parse)? == Some(key))
    }
}

/// The chunk of the changed file that is most like the hit: the one with the same text, else the same place in the structure,
/// else the one around its first line.
fn find_again(row: &ChunkRow, new: &NewParse) -> Option<Current> {
    let chunks = || new.parsed.chunks.iter().enumerate();
    let line = row.lines.start();
    let found = chunks()
        .find(|(idx, _)| new.hashes[*idx] == row.hash)
        .or_else(|| {
            let same = |symbol_path: &str| !symbol_path.is_empty() && symbol_path == row.symbol_path;
            chunks()
                .filter(|(_, chunk)| same(&chunk.symbol_path))
                .min_by_key(|(_, chunk)| chunk.part.0.abs_diff(row.part.0))
        })
        .or_else(|| chunks().rfind(|(_, chunk)| chunk.lines.start() <= line))?;
    let (idx, chunk) = found;
    Some(Current {
        lines: chunk.lines,
        label: chunk.label.clone(),
        part: chunk.part,
        tokens: new.tokens[idx],
        text: new.text[chunk.bytes.clone()].to_owned(),
        changed: true,
    })
}
