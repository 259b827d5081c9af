//! A hit is checked when it is served (IDX-36): what is shown is always the file as it is now.
//!
//! Size and time stamp first, then the hash; a file that changed is read and cut again on the spot, and the hit becomes
//! the chunk that stands in its place. The stored text is believed only if it still has the hash it was stored with.

use std::collections::BTreeMap;

use kitbag_store::{ChunkRow, FileRow, NewParse, ParseId, Snapshot, StoreError};
use kitbag_types::{LineRange, RepoPath, SourceFile};

use crate::index::{content_hash, parse, parse_key};
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

/// Looks files up once for all hits of an answer.
pub(crate) struct Reader<'a, 's> {
    engine: &'a Engine,
    snapshot: &'a Snapshot<'s>,
    files: BTreeMap<(RepoPath, ParseId), State>,
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

    fn state(&self, row: &ChunkRow) -> Result<State, EngineError> {
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
            Ok(source) => State::Changed(Box::new(self.cut(&source))),
            Err(_) => State::Gone,
        })
    }

    fn is_of_present_make(&self, file: &FileRow, row: &ChunkRow) -> Result<bool, EngineError> {
        let key = parse_key(self.engine, &file.hash, &file.language);
        Ok(self.snapshot.parse_key(row.at.parse)? == Some(key))
    }

    fn cut(&self, source: &SourceFile) -> NewParse {
        let language =
            kitbag_syntax::language_of(&source.path, source.text.lines().next().unwrap_or_default());
        let name = language.map_or("text", |language| language.name);
        parse(
            self.engine,
            source,
            language,
            parse_key(self.engine, &source.hash, name),
        )
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
