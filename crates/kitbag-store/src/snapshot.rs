//! Reading: one consistent view of a tree, whatever a writer does meanwhile.
//!
//! The text index is opened before the read transaction begins, so every document in it has its rows in the database
//! (products are collected much later). The other way round a document could point at rows not yet visible.

mod names;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use kitbag_types::{ChunkKind, FileStamp, LineRange, RepoPath};
use rusqlite::{OptionalExtension, Row, Transaction, params};

use crate::rows::{
    ChunkRef, ChunkRow, Covered, FileFailure, FileRow, FileState, ParseId, ParseKey, TreeId, TreeState,
};
use crate::runs::Fault;
use crate::text::{self, TextIndex};
use crate::vectors::Vectors;
use crate::{Store, StoreError, codec};

/// A view of one tree.
pub struct Snapshot<'s> {
    store: &'s Store,
    state: TreeState,
    text: Arc<TextIndex>,
    _tx: Transaction<'s>,
}

impl<'s> Snapshot<'s> {
    /// `None` if this root was never indexed in this store.
    pub fn open(store: &'s Store, root: &Path) -> Result<Option<Self>, StoreError> {
        let root = root.to_string_lossy();
        while let Some(state) = tree_state(store, &root)? {
            let text = store.text(state.id);
            let tx = store
                .conn
                .unchecked_transaction()
                .map_err(|error| store.fail(error))?;
            // The transaction begins with its first read. A rebuild may have put another tree in this one's place since the
            // line above; then that one answers.
            if let Some(state) = tree_state_by_id(store, state.id)? {
                let begun = store.recent.borrow_mut().begin(&store.conn, state.id);
                begun.map_err(|error| store.fail(error))?;
                // The text was opened first, so the database cannot have less than it has seen, unless it fell back.
                let text = if store.holds(state.id, state.seq, text.seen())? {
                    text
                } else {
                    Arc::new(TextIndex::empty(Some(Fault::Astray)))
                };
                return Ok(Some(Self {
                    store,
                    state,
                    text,
                    _tx: tx,
                }));
            }
        }
        Ok(None)
    }

    pub fn state(&self) -> &TreeState {
        &self.state
    }

    pub fn text(&self) -> &TextIndex {
        &self.text
    }

    /// The vectors of a model, if there are any. They may be behind: [`Vectors::seq`] says how far they are.
    pub fn vectors(&self, model: &str, dims: usize) -> Option<Arc<Vectors>> {
        self.store.vectors(self.state.id, self.state.seq, model, dims)
    }

    /// Why the text index is not used, if there should be one.
    pub fn text_fault(&self) -> Option<&Fault> {
        self.text.fault().filter(|_| self.state.seq > 0)
    }

    /// Checks every byte of the text index.
    pub fn check_text(&self) -> Option<Fault> {
        text::fault(&text::folder(&self.store.dir, self.state.id)).filter(|_| self.state.seq > 0)
    }

    /// The text index has everything the database has.
    pub fn text_is_current(&self) -> bool {
        self.text.seq() == self.state.seq && self.text_fault().is_none()
    }

    /// The last run is complete, and the text index has all of it.
    pub fn is_complete(&self) -> bool {
        self.state.complete && self.text_is_current()
    }

    /// Every file that is there, sorted by path.
    pub fn files(&self) -> Result<Vec<FileRow>, StoreError> {
        self.list(
            "SELECT id, path, state, size, mtime_ns, hash, language, parse_id, reason FROM files
             WHERE tree_id = ?1 AND state <> 3 ORDER BY path",
            params![self.state.id.0],
            file_row,
        )
    }

    pub fn file(&self, path: &RepoPath) -> Result<Option<FileRow>, StoreError> {
        self.one(
            "SELECT id, path, state, size, mtime_ns, hash, language, parse_id, reason FROM files
             WHERE tree_id = ?1 AND path = ?2 AND state <> 3",
            params![self.state.id.0, path.as_str()],
            file_row,
        )
    }

    /// Indexed files whose path is `suffix` or ends in `/suffix`, sorted by path.
    pub fn files_ending(&self, suffix: &str) -> Result<Vec<FileRow>, StoreError> {
        self.list(
            "SELECT id, path, state, size, mtime_ns, hash, language, parse_id, reason FROM files
             WHERE tree_id = ?1 AND state = 0 AND (path = ?2 OR substr(path, -length(?2) - 1) = '/' || ?2) ORDER BY path",
            params![self.state.id.0, suffix],
            file_row,
        )
    }

    /// The indexed files as of change `seq`.
    pub fn covered(&self, seq: i64) -> Result<Covered, StoreError> {
        let covered = self.one(
            "SELECT count(*), coalesce(sum(size), 0) FROM files WHERE tree_id = ?1 AND state = 0 AND seq <= ?2",
            params![self.state.id.0, seq],
            |row| {
                Ok(Covered {
                    files: row.get::<_, i64>(0)? as u64,
                    bytes: row.get::<_, i64>(1)? as u64,
                })
            },
        )?;
        Ok(covered.unwrap_or_default())
    }

    /// What the working tree looked like at the last run, as it was given to [`crate::Writer::finish`].
    pub fn scan(&self) -> Result<Vec<u8>, StoreError> {
        let scan = self.one("SELECT scan FROM trees WHERE id = ?1", [self.state.id.0], |row| {
            row.get(0)
        })?;
        Ok(scan.unwrap_or_default())
    }

    pub fn failures(&self) -> Result<Vec<FileFailure>, StoreError> {
        self.list(
            "SELECT path, kind, message, retries FROM bootstrap_errors WHERE tree_id = ?1 ORDER BY path",
            [self.state.id.0],
            |row| {
                Ok(FileFailure {
                    path: path(row, 0)?,
                    kind: row.get(1)?,
                    message: row.get(2)?,
                    retries: row.get(3)?,
                })
            },
        )
    }

    /// (language, files, lines, bytes) of what is indexed, by name.
    pub fn languages(&self) -> Result<Vec<(String, u64, u64, u64)>, StoreError> {
        self.list(
            "SELECT files.language, count(*), sum(parses.n_lines), sum(parses.n_bytes)
             FROM files JOIN parses ON parses.id = files.parse_id
             WHERE tree_id = ?1 AND state = 0 GROUP BY files.language ORDER BY files.language",
            [self.state.id.0],
            |row| {
                let number = |idx| row.get::<_, i64>(idx).map(|n| n as u64);
                Ok((row.get(0)?, number(1)?, number(2)?, number(3)?))
            },
        )
    }

    /// (symbols, redacted secrets) of what is indexed.
    pub fn totals(&self) -> Result<(u64, u64), StoreError> {
        let totals = self.one(
            "SELECT coalesce(sum(parses.n_symbols), 0), coalesce(sum(parses.n_redacted), 0)
             FROM files JOIN parses ON parses.id = files.parse_id WHERE tree_id = ?1 AND state = 0",
            [self.state.id.0],
            |row| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64)),
        )?;
        Ok(totals.unwrap_or_default())
    }

    /// The chunk of a document in the text index. `None` if its product is no longer there.
    pub fn chunk(&self, at: ChunkRef) -> Result<Option<Arc<ChunkRow>>, StoreError> {
        if let Some(known) = self.store.recent.borrow().chunk(at) {
            return Ok(Some(known));
        }
        let row = self.one(
            &format!(
                "SELECT {CHUNK_COLUMNS} FROM chunks JOIN files ON files.id = ?1
                 WHERE chunks.parse_id = ?2 AND chunks.idx = ?3 AND files.tree_id = ?4 AND files.state = 0"
            ),
            params![at.file, at.parse.0, at.idx, self.state.id.0],
            |row| chunk_row(row).map(Arc::new),
        )?;
        if let Some(row) = &row {
            self.store.recent.borrow_mut().keep_chunk(at, row);
        }
        Ok(row)
    }

    /// All chunks of a file, in file order.
    pub fn chunks_of(&self, file: i64, parse: ParseId) -> Result<Vec<ChunkRow>, StoreError> {
        self.list(
            &format!(
                "SELECT {CHUNK_COLUMNS} FROM chunks JOIN files ON files.id = ?1
                 WHERE chunks.parse_id = ?2 ORDER BY chunks.idx"
            ),
            params![file, parse.0],
            chunk_row,
        )
    }

    /// The chunk of a product that holds a line, or the nearest before it.
    pub fn chunk_at(&self, file: i64, parse: ParseId, line: u32) -> Result<Option<ChunkRow>, StoreError> {
        if let Some(known) = self.store.recent.borrow().at_line(file, parse, line) {
            return Ok(Some((*known).clone()));
        }
        let row = self.one(
            &format!(
                "SELECT {CHUNK_COLUMNS} FROM chunks JOIN files ON files.id = ?1
                 WHERE chunks.parse_id = ?2 AND chunks.line_start <= ?3 ORDER BY chunks.idx DESC LIMIT 1"
            ),
            params![file, parse.0, line],
            |row| chunk_row(row).map(Arc::new),
        )?;
        if let Some(row) = &row {
            self.store
                .recent
                .borrow_mut()
                .keep_at_line(file, parse, line, row);
        }
        Ok(row.map(Arc::unwrap_or_clone))
    }

    /// The path of an indexed file of this tree.
    pub fn path_of(&self, file: i64) -> Result<Option<RepoPath>, StoreError> {
        self.one(
            "SELECT path FROM files WHERE id = ?1 AND tree_id = ?2 AND state = 0",
            params![file, self.state.id.0],
            |row| path(row, 0),
        )
    }

    /// The key of a product, which depends on the rules and settings that made it.
    pub fn parse_key(&self, parse: ParseId) -> Result<Option<ParseKey>, StoreError> {
        self.one("SELECT key FROM parses WHERE id = ?1", [parse.0], |row| {
            row.get(0)
        })
    }

    /// The text of a product: the file without its secrets.
    pub fn parse_text(&self, parse: ParseId) -> Result<String, StoreError> {
        parse_text(self.store, parse)
    }

    pub(crate) fn list<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = || -> rusqlite::Result<Vec<T>> {
            self.store
                .conn
                .prepare_cached(sql)?
                .query_map(params, read)?
                .collect()
        };
        rows().map_err(|error| self.store.fail(error))
    }

    pub(crate) fn one<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        let row = || {
            self.store
                .conn
                .prepare_cached(sql)?
                .query_row(params, read)
                .optional()
        };
        row().map_err(|error| self.store.fail(error))
    }
}

const CHUNK_COLUMNS: &str = "files.id, chunks.parse_id, chunks.idx, files.path, files.language, chunks.line_start, \
     chunks.line_end, chunks.byte_start, chunks.byte_end, chunks.kind, chunks.label, chunks.part, chunks.parts, \
     chunks.tokens, chunks.exported, chunks.hash, chunks.symbol_path, chunks.names, chunks.docs, \
     files.parse_id IS chunks.parse_id";

fn chunk_row(row: &Row<'_>) -> rusqlite::Result<ChunkRow> {
    Ok(ChunkRow {
        at: ChunkRef {
            file: row.get(0)?,
            parse: ParseId(row.get(1)?),
            idx: row.get(2)?,
        },
        path: path(row, 3)?,
        language: row.get(4)?,
        lines: lines(row, 5)?,
        bytes: bytes(row, 7)?,
        kind: parsed(row, 9, ChunkKind::parse)?,
        label: row.get(10)?,
        part: (row.get(11)?, row.get(12)?),
        tokens: row.get(13)?,
        exported: row.get(14)?,
        hash: row.get(15)?,
        symbol_path: row.get(16)?,
        names: row
            .get_ref(17)?
            .as_str()?
            .split('\n')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
        docs: row.get(18)?,
        current: row.get(19)?,
    })
}

fn file_row(row: &Row<'_>) -> rusqlite::Result<FileRow> {
    Ok(FileRow {
        id: row.get(0)?,
        path: path(row, 1)?,
        state: FileState::from_i64(row.get(2)?),
        stamp: FileStamp {
            size: row.get::<_, i64>(3)? as u64,
            mtime_ns: row.get(4)?,
        },
        hash: row.get(5)?,
        language: row.get(6)?,
        parse: row.get::<_, Option<i64>>(7)?.map(ParseId),
        reason: row.get(8)?,
    })
}

/// A column that must hold one of our own words. Anything else means the file was tampered with or torn.
fn parsed<T>(row: &Row<'_>, idx: usize, parse: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    let text = row.get_ref(idx)?.as_str()?;
    parse(text).ok_or_else(|| unexpected(idx))
}

pub(crate) fn path(row: &Row<'_>, idx: usize) -> rusqlite::Result<RepoPath> {
    RepoPath::new(row.get::<_, String>(idx)?).map_err(|_| unexpected(idx))
}

fn lines(row: &Row<'_>, idx: usize) -> rusqlite::Result<LineRange> {
    let (start, end) = (row.get(idx)?, row.get(idx + 1)?);
    if start < 1 || start > end {
        Err(unexpected(idx))
    } else {
        Ok(LineRange::new(start, end))
    }
}

fn bytes(row: &Row<'_>, idx: usize) -> rusqlite::Result<Range<usize>> {
    let (start, end) = (row.get::<_, i64>(idx)?, row.get::<_, i64>(idx + 1)?);
    if start < 0 || start > end {
        Err(unexpected(idx))
    } else {
        Ok(start as usize..end as usize)
    }
}

fn unexpected(idx: usize) -> rusqlite::Error {
    rusqlite::Error::IntegralValueOutOfRange(idx, 0)
}

const TREE_COLUMNS: &str =
    "id, boundary, content_version, seq, complete, n_expected, n_files, n_chunks, updated_at, expected_bytes";

fn tree_row(row: &Row<'_>) -> rusqlite::Result<TreeState> {
    let number = |idx| row.get::<_, i64>(idx).map(|n| n as u64);
    Ok(TreeState {
        id: TreeId(row.get(0)?),
        boundary: row.get(1)?,
        content_version: row.get(2)?,
        seq: row.get(3)?,
        complete: row.get(4)?,
        n_expected: number(5)?,
        n_files: number(6)?,
        n_chunks: number(7)?,
        updated_at: row.get(8)?,
        expected_bytes: number(9)?,
    })
}

pub(crate) fn tree_state(store: &Store, root: &str) -> Result<Option<TreeState>, StoreError> {
    store
        .conn
        .query_row(
            &format!("SELECT {TREE_COLUMNS} FROM trees WHERE root = ?1"),
            [root],
            tree_row,
        )
        .optional()
        .map_err(|error| store.fail(error))
}

pub(crate) fn tree_state_by_id(store: &Store, tree: TreeId) -> Result<Option<TreeState>, StoreError> {
    store
        .conn
        .query_row(
            &format!("SELECT {TREE_COLUMNS} FROM trees WHERE id = ?1"),
            [tree.0],
            tree_row,
        )
        .optional()
        .map_err(|error| store.fail(error))
}

pub(crate) fn parse_text(store: &Store, parse: ParseId) -> Result<String, StoreError> {
    let damaged = |what: &str| StoreError::Corrupt {
        path: store.dir.clone(),
        what: what.into(),
    };
    let (packed, n_bytes): (Vec<u8>, i64) = store
        .conn
        .prepare_cached("SELECT text, n_bytes FROM parses WHERE id = ?1")
        .and_then(|mut query| {
            query
                .query_row([parse.0], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()
        })
        .map_err(|error| store.fail(error))?
        .ok_or_else(|| damaged("a file points at a product that is not there"))?;
    codec::unpack(&packed, n_bytes as usize).ok_or_else(|| damaged("a stored text does not unpack"))
}

/// What the text index needs of a stored chunk.
pub(crate) struct Searchable {
    pub idx: u32,
    pub bytes: Range<usize>,
    pub names: String,
    pub docs: String,
    pub capsule: String,
}

pub(crate) fn searchable(store: &Store, parse: ParseId) -> Result<Vec<Searchable>, StoreError> {
    let rows = || -> rusqlite::Result<Vec<Searchable>> {
        store
            .conn
            .prepare_cached(
                "SELECT idx, byte_start, byte_end, names, docs, capsule FROM chunks WHERE parse_id = ?1 ORDER BY idx",
            )?
            .query_map([parse.0], |row| {
                Ok(Searchable {
                    idx: row.get(0)?,
                    bytes: bytes(row, 1)?,
                    names: row.get(3)?,
                    docs: row.get(4)?,
                    capsule: row.get(5)?,
                })
            })?
            .collect()
    };
    rows().map_err(|error| store.fail(error))
}
