//! Bringing the vectors of a model up to date: which files it has not seen, their texts, and where the vectors go.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Writer;
use crate::rows::ParseId;
use crate::runs::{self, Fault, SeenUpTo};
use crate::vectors::{VectorKey, VectorWriter};
use crate::{Store, StoreError, snapshot};

/// A file whose chunks the model has not seen, as of a change of the tree.
#[derive(Clone, Debug)]
pub struct Unembedded {
    pub path: String,
    /// Of its text.
    pub n_bytes: u64,
    file: i64,
    /// `None`: it has no text any more.
    parse: Option<ParseId>,
    /// Identifies the content, because row numbers of products are reused.
    content: u32,
    seen: SeenUpTo,
}

/// The text of such a file and its chunks, in file order.
#[derive(Clone, Debug)]
pub struct FileText {
    pub path: String,
    pub text: String,
    pub chunks: Vec<ChunkText>,
}

#[derive(Clone, Debug)]
pub struct ChunkText {
    /// Within the file's text.
    pub bytes: Range<usize>,
    pub names: Vec<String>,
    pub docs: String,
    pub capsule: String,
}

/// Takes vectors as long as the writer lives.
pub struct Embedding<'w> {
    store: &'w Store,
    out: VectorWriter,
    pending: Vec<Unembedded>,
    /// The last change of the tree.
    last: SeenUpTo,
}

impl Writer<'_> {
    /// The vectors of `model`, and what they lack.
    pub fn embedding(&mut self, model: &str, dims: usize) -> Result<Embedding<'_>, StoreError> {
        let last_seq = self.seq()?;
        let last =
            runs::seen(&self.store.conn, self.tree, last_seq).map_err(|error| self.store.fail(error))?;
        // What cannot be looked up does not count: then vectors are made that might have been kept.
        let holds = |seen| self.store.holds(self.tree, last_seq, seen).unwrap_or(false);
        let mut out = VectorWriter::open(&self.store.dir, self.tree, model, dims, &holds)?;
        let mut pending = Vec::new();
        for changed in self.changed_since(out.seen().seq)? {
            // In the order of the changes, those without a text too: a number in the file says that all before it are there.
            let (content, n_bytes) = self.content_of(changed.parse)?;
            pending.push(Unembedded {
                content,
                n_bytes,
                path: changed.path,
                file: changed.file,
                parse: changed.parse,
                seen: changed.seen,
            });
        }
        // Files that went leave no row behind once the text index knows.
        let there: BTreeSet<i64> = self.file_ids()?.into_iter().collect();
        for file in out.files().into_iter().filter(|file| !there.contains(file)) {
            out.add((file, ParseId(0), 0), out.seen(), &[])?;
        }
        Ok(Embedding {
            store: self.store,
            out,
            pending,
            last,
        })
    }

    /// Four bytes of the key that a product is stored under, and how long its text is.
    fn content_of(&self, parse: Option<ParseId>) -> Result<(u32, u64), StoreError> {
        let Some(parse) = parse else { return Ok((0, 0)) };
        let (key, n_bytes): ([u8; 32], i64) = self
            .store
            .conn
            .prepare_cached("SELECT key, n_bytes FROM parses WHERE id = ?1")
            .and_then(|mut query| query.query_row([parse.0], |row| Ok((row.get(0)?, row.get(1)?))))
            .map_err(|error| self.store.fail(error))?;
        Ok((
            u32::from_le_bytes([key[0], key[1], key[2], key[3]]),
            n_bytes as u64,
        ))
    }

    fn file_ids(&self) -> Result<Vec<i64>, StoreError> {
        let ids = || -> rusqlite::Result<Vec<i64>> {
            self.store
                .conn
                .prepare("SELECT id FROM files WHERE tree_id = ?1")?
                .query_map([self.tree.0], |row| row.get(0))?
                .collect()
        };
        ids().map_err(|error| self.store.fail(error))
    }
}

impl Unembedded {
    /// It is one of the files that are counted: those that are gone or not text have none.
    pub fn has_text(&self) -> bool {
        self.parse.is_some()
    }

    fn state(&self) -> VectorKey {
        (self.file, self.parse.unwrap_or(ParseId(0)), self.content)
    }
}

impl Embedding<'_> {
    /// In the order of their changes, which is the order they must be added in.
    pub fn pending(&self) -> &[Unembedded] {
        &self.pending
    }

    /// What was wrong with the vectors that were there. Those that are lost are among the pending.
    pub fn fault(&self) -> Option<&Fault> {
        self.out.fault()
    }

    pub fn text(&self, file: &Unembedded) -> Result<FileText, StoreError> {
        let Some(parse) = file.parse else {
            return Ok(FileText {
                path: file.path.clone(),
                text: String::new(),
                chunks: Vec::new(),
            });
        };
        let text = snapshot::parse_text(self.store, parse)?;
        let rows = snapshot::searchable(self.store, parse)?;
        let chunks = rows
            .into_iter()
            .map(|row| {
                if text.get(row.bytes.clone()).is_none() {
                    return Err(StoreError::Corrupt {
                        path: self.store.dir.clone(),
                        what: "a chunk lies outside its text".into(),
                    });
                }
                Ok(ChunkText {
                    bytes: row.bytes,
                    names: row.names.split('\n').map(str::to_owned).collect(),
                    docs: row.docs,
                    capsule: row.capsule,
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(FileText {
            path: file.path.clone(),
            text,
            chunks,
        })
    }

    /// Adds a file in a state that it had before, from what was made then. `false`: there is nothing of it.
    pub fn add_known(&mut self, file: &Unembedded) -> Result<bool, StoreError> {
        self.out.add_known(file.state(), file.seen)
    }

    /// One vector per chunk, all with the model's dimensions.
    pub fn add(&mut self, file: &Unembedded, vectors: &[Vec<f32>]) -> Result<(), StoreError> {
        self.out.add(file.state(), file.seen, vectors)
    }

    /// Shows what was added to readers. `complete`: nothing is missing.
    pub fn finish(mut self, complete: bool) -> Result<(), StoreError> {
        if complete && self.out.seen().seq < self.last.seq {
            // File 0 is none: rows of the database begin with 1.
            self.out.add((0, ParseId(0), 0), self.last, &[])?;
        }
        self.out.finish()
    }
}
