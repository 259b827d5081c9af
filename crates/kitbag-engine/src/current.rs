//! A hit is checked when it is served (IDX-36): what is shown is always the file as it is now.
//!
//! Size and time stamp first, then the hash; a file that changed is read and cut again on the spot, and the hit becomes
//! the chunk that stands in its place. The stored text is believed only if it still has the hash it was stored with.

use std::collections::BTreeMap;

use kitbag_store::{ChunkRow, FileRow, NewParse, ParseId, Snapshot, StoreError, SymbolRow};
use kitbag_types::{LineRange, RepoPath, SymbolKind};

use crate::index::{content_hash, cut, parse_key};
use crate::{Engine, EngineError};

/// A chunk's text and place as they are now.
pub(crate) struct Current {
    pub lines: LineRange,
    pub label: String,
    pub tokens: u32,
    pub text: String,
    /// The file changed since it was indexed, and this is the new text.
    pub changed: bool,
}

/// What an outline of a chunk needs to know about its file.
#[derive(Default)]
pub(crate) struct Shape {
    /// Blank lines right after the chunk.
    pub blank_after: u32,
    /// Definitions that begin in the chunk.
    pub heads: Vec<Head>,
}

/// A definition, as far as its head goes.
pub(crate) struct Head {
    /// With its doc comment and attributes.
    pub lines: LineRange,
    pub name_line: u32,
    pub signature: String,
}

/// Looks files up once for all hits of an answer.
pub(crate) struct Reader<'a, 's> {
    engine: &'a Engine,
    snapshot: &'a Snapshot<'s>,
    files: BTreeMap<(RepoPath, ParseId), State>,
    symbols: BTreeMap<(i64, ParseId), Vec<SymbolRow>>,
}

enum State {
    /// As indexed; the stored text of the product.
    Same(String),
    /// Read and cut anew.
    Changed(Box<NewParse>),
    /// No longer there, or no longer readable.
    Gone,
}

impl<'a, 's> Reader<'a, 's> {
    pub(crate) fn new(engine: &'a Engine, snapshot: &'a Snapshot<'s>) -> Self {
        Self {
            engine,
            snapshot,
            files: BTreeMap::new(),
            symbols: BTreeMap::new(),
        }
    }

    /// `None`: the file, or this part of it, is no longer there.
    pub(crate) fn current(&mut self, row: &ChunkRow) -> Result<Option<Current>, EngineError> {
        let key = (row.path.clone(), row.at.parse);
        if !self.files.contains_key(&key) {
            let state = self.state(row)?;
            self.files.insert(key.clone(), state);
        }
        Ok(match &self.files[&key] {
            State::Same(text) => {
                let text = text.get(row.bytes.clone()).unwrap_or_default();
                if content_hash(text) != row.hash {
                    let path = self.engine.store_dir().to_owned();
                    return Err(StoreError::Corrupt {
                        path,
                        what: "a stored text is not what was stored".into(),
                    }
                    .into());
                }
                Some(Current {
                    lines: row.lines,
                    label: row.label.clone(),
                    tokens: row.tokens,
                    text: text.to_owned(),
                    changed: false,
                })
            }
            State::Changed(new) => find_again(row, new),
            State::Gone => None,
        })
    }

    /// The shape of what [`Self::current`] gave for the same row.
    pub(crate) fn shape(&mut self, row: &ChunkRow, current: &Current) -> Result<Shape, EngineError> {
        let key = (row.path.clone(), row.at.parse);
        let (text, end) = match self.files.get(&key) {
            Some(State::Same(text)) => (text.as_str(), row.bytes.end),
            Some(State::Changed(new)) => {
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
            Some(State::Gone) | None => return Ok(Shape::default()),
        };
        let rest = text.get(end..).unwrap_or_default().split('\n').skip(1);
        let blank_after = rest.take_while(|line| line.trim().is_empty()).count() as u32;
        let is_head = |kind: SymbolKind| !matches!(kind, SymbolKind::Field | SymbolKind::Variable);
        let mut heads = Vec::new();
        let mut head = |kind, lines: LineRange, name_line, signature: &str| {
            if is_head(kind) && current.lines.contains(name_line) {
                heads.push(Head {
                    lines,
                    name_line,
                    signature: signature.to_owned(),
                });
            }
        };
        match self.files.get(&key) {
            Some(State::Changed(new)) => {
                for symbol in &new.parsed.symbols {
                    head(symbol.kind, symbol.lines, symbol.name_line, &symbol.signature);
                }
            }
            _ => {
                let known = (row.at.file, row.at.parse);
                if !self.symbols.contains_key(&known) {
                    let symbols = self.snapshot.symbols_of(row.at.file, row.at.parse)?;
                    self.symbols.insert(known, symbols);
                }
                for symbol in &self.symbols[&known] {
                    head(symbol.kind, symbol.lines, symbol.name_line, &symbol.signature);
                }
            }
        }
        Ok(Shape { blank_after, heads })
    }

    fn state(&self, row: &ChunkRow) -> Result<State, EngineError> {
        // An index that was made before a file was denied still has it until the next run (SEC-7).
        if self.engine.tree.denied(&row.path).is_some() {
            return Ok(State::Gone);
        }
        let file = self.snapshot.file(&row.path)?.filter(|_| row.current);
        // A product made by other rules may hold what the present ones would cut out.
        let file = match file {
            Some(file) if self.is_of_present_make(&file, row)? => Some(file),
            _ => None,
        };
        let stamp = self.engine.tree.stamp(&row.path);
        if file.as_ref().is_some_and(|file| stamp == Some(file.stamp)) {
            return Ok(State::Same(self.snapshot.parse_text(row.at.parse)?));
        }
        Ok(match self.engine.tree.read(&row.path) {
            Ok(source) if file.is_some_and(|file| file.hash == source.hash) => {
                State::Same(self.snapshot.parse_text(row.at.parse)?)
            }
            Ok(source) => State::Changed(Box::new(cut(self.engine, &source))),
            Err(_) => State::Gone,
        })
    }

    fn is_of_present_make(&self, file: &FileRow, row: &ChunkRow) -> Result<bool, EngineError> {
        let key = parse_key(self.engine, &file.hash, &file.language);
        Ok(self.snapshot.parse_key(row.at.parse)? == Some(key))
    }
}

/// The chunk of a file cut anew that is most like the hit: same text, else same place in the structure, else the one around
/// its first line.
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
        tokens: new.tokens[idx],
        text: new.text[chunk.bytes.clone()].to_owned(),
        changed: true,
    })
}
