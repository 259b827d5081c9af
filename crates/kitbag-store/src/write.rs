//! The only writer: it turns changes of files into rows and text documents.
//!
//! Changes arrive in batches; a batch is one transaction, so a reader sees a file before or after its change and never
//! between (IDX-31), and a kill loses at most the batch in flight. The text index follows: documents are handed over
//! after the transaction, and made searchable by [`Writer::publish`]. If the process dies between the two, the next
//! writer finds the index's number behind the tree's and replays what is missing, from rows alone.

mod collect;
mod embedding;
mod insert;
mod rebuild;

use std::path::Path;

use kitbag_types::{FileStamp, RepoPath};
use rusqlite::{OptionalExtension, params};

use crate::rows::{FileState, NewParse, ParseId, ParseKey, StoredFile, TreeId};
use crate::runs::{Fault, SeenUpTo};
use crate::text::{TextDoc, TextWriter};
use crate::{Store, StoreError, WriterLock, runs, snapshot};

pub use embedding::{ChunkText, Embedding, FileText, Unembedded};

/// What happened to a file.
#[derive(Clone, Debug)]
pub enum Change {
    /// It has this content now. `parse` may be left out where a product with that key is stored already.
    Indexed {
        file: StoredFile,
        parse: Option<Box<NewParse>>,
    },
    /// It was read and skipped.
    Skipped {
        path: RepoPath,
        stamp: FileStamp,
        reason: String,
    },
    /// It could not be read.
    Failed {
        path: RepoPath,
        stamp: FileStamp,
        kind: String,
        message: String,
    },
    /// Its time stamp changed, its content did not.
    Touched { path: RepoPath, stamp: FileStamp },
    /// It was deleted, or is no longer indexed.
    Gone { path: RepoPath },
}

/// Holds the lock for as long as it lives.
pub struct Writer<'s> {
    pub(crate) store: &'s mut Store,
    _lock: WriterLock,
    pub(crate) tree: TreeId,
    text: TextWriter,
    /// The last change handed to the text index.
    handed_seq: i64,
    /// The mark of this run was drawn (`runs.rs`).
    is_marked: bool,
    /// What was wrong with the text index, if it was made again.
    text_fault: Option<Fault>,
    /// Products that come with changes replace stored ones with the same key.
    replaces: bool,
}

impl<'s> Writer<'s> {
    /// Opens a tree for writing, making its row if it is new, and brings the text index up to date with the database.
    /// `verify` checks all of the text index against its checksums first.
    pub fn open(
        store: &'s mut Store,
        lock: WriterLock,
        root: &Path,
        verify: bool,
        now_ms: i64,
    ) -> Result<Self, StoreError> {
        rebuild::clear_beside(store, root)?;
        Self::open_tree(store, lock, &root.to_string_lossy(), verify, now_ms)
    }

    fn open_tree(
        store: &'s mut Store,
        lock: WriterLock,
        root: &str,
        verify: bool,
        now_ms: i64,
    ) -> Result<Self, StoreError> {
        store
            .conn
            .execute(
                "INSERT INTO trees (root, boundary, content_version, updated_at) VALUES (?1, x'', 0, ?2)
                 ON CONFLICT (root) DO NOTHING",
                params![root, now_ms],
            )
            .map_err(|error| store.fail(error))?;
        let state = snapshot::tree_state(store, root)?.expect("inserted above");
        let holds = |seen| store.holds(state.id, state.seq, seen);
        let (text, fault) = TextWriter::open(&store.dir, state.id, verify, &holds)?;
        let handed_seq = text.seen().seq;
        let mut writer = Self {
            store,
            _lock: lock,
            tree: state.id,
            text,
            handed_seq,
            is_marked: false,
            // A tree without changes needs no index.
            text_fault: fault.filter(|_| state.seq > 0),
            replaces: false,
        };
        if handed_seq < state.seq {
            writer.replay()?;
            writer.publish()?;
            // The index was committed before files were deleted whose rows are gone by now, so it never removed them. This
            // happens if an older list of its files was put back.
            if writer.text.n_documents()? != writer.n_searchable()? {
                writer.text = TextWriter::recreate(&writer.store.dir, state.id)?;
                writer.text_fault = Some(Fault::Astray);
                writer.replay()?;
                writer.publish()?;
            }
        }
        Ok(writer)
    }

    /// How many documents the text index has when it has seen everything.
    fn n_searchable(&self) -> Result<u64, StoreError> {
        self.store
            .conn
            .query_row(
                "SELECT count(*) FROM files JOIN chunks ON chunks.parse_id = files.parse_id WHERE files.tree_id = ?1",
                [self.tree.0],
                |row| row.get::<_, i64>(0),
            )
            .map(|n| n as u64)
            .map_err(|error| self.store.fail(error))
    }

    /// What was wrong with the text index when this writer was opened; it was repaired by making it again.
    pub fn text_fault(&self) -> Option<&Fault> {
        self.text_fault.as_ref()
    }

    /// Marks the beginning of a run: the index is incomplete until [`Self::finish`]. If the products are of another content
    /// version, the tree has no content version until then, so that an interrupted run does not make old products look new.
    pub fn begin(
        &mut self,
        boundary: &[u8],
        content_version: i64,
        n_expected: u64,
        expected_bytes: u64,
    ) -> Result<(), StoreError> {
        self.execute(
            "UPDATE trees SET boundary = ?2, n_expected = ?4, expected_bytes = ?5, complete = 0,
                 content_version = CASE content_version WHEN ?3 THEN ?3 ELSE 0 END
             WHERE id = ?1",
            params![
                self.tree.0,
                boundary,
                content_version,
                n_expected as i64,
                expected_bytes as i64
            ],
        )
    }

    /// Applies a whole batch, or nothing of it.
    pub fn apply(&mut self, changes: &[Change], now_ms: i64) -> Result<(), StoreError> {
        let fail_path = self.store.dir.join("kitbag.db");
        let fail = |error| StoreError::sqlite(&fail_path, error);
        let tx = self.store.conn.transaction().map_err(fail)?;
        if !self.is_marked {
            runs::begin(&tx, self.tree).map_err(fail)?;
        }
        let mut batch = insert::Batch::begin(&tx, self.tree, self.replaces, now_ms).map_err(fail)?;
        for change in changes {
            batch.apply(change).map_err(fail)?;
        }
        let (seq, touched) = batch.end().map_err(fail)?;
        tx.commit().map_err(fail)?;
        self.is_marked = true;
        for (change, file) in changes.iter().zip(touched) {
            let Some((file, parse)) = file else { continue };
            self.text.delete_file(file)?;
            match (change, parse) {
                (
                    Change::Indexed {
                        file: stored,
                        parse: Some(new),
                    },
                    Some(parse),
                ) => {
                    add_new(&mut self.text, file, parse, stored.path.as_str(), new)?;
                }
                (
                    Change::Indexed {
                        file: stored,
                        parse: None,
                    },
                    Some(parse),
                ) => {
                    self.add_stored(file, parse, stored.path.as_str())?;
                }
                _ => {}
            }
        }
        self.handed_seq = seq;
        Ok(())
    }

    /// Makes everything applied so far searchable.
    pub fn publish(&mut self) -> Result<(), StoreError> {
        if self.handed_seq == self.text.seen().seq {
            return Ok(());
        }
        let seen = runs::seen(&self.store.conn, self.tree, self.handed_seq);
        self.text.commit(seen.map_err(|error| self.store.fail(error))?)?;
        self.execute(
            "DELETE FROM files WHERE tree_id = ?1 AND state = ?2 AND seq <= ?3",
            params![self.tree.0, FileState::Gone.to_i64(), self.handed_seq],
        )
    }

    /// Ends a run: publishes, and stores the scan of the tree.
    pub fn finish(&mut self, scan: &[u8], content_version: i64, now_ms: i64) -> Result<(), StoreError> {
        self.publish()?;
        self.execute(
            "UPDATE trees SET complete = 1, updated_at = ?2, scan = ?3, content_version = ?4 WHERE id = ?1",
            params![self.tree.0, now_ms, scan, content_version],
        )
    }

    /// Drops products that no file uses, the longest unused first, until the rest fits in `keep_bytes` (IDX-35).
    pub fn collect(&mut self, keep_bytes: u64) -> Result<u64, StoreError> {
        let path = self.store.dir.join("kitbag.db");
        collect::collect(&mut self.store.conn, keep_bytes).map_err(|error| StoreError::sqlite(&path, error))
    }

    /// Waits for merges of the text index and releases the lock.
    pub fn close(self) -> Result<(), StoreError> {
        self.text.close()
    }

    /// Adds every change that the text index does not have yet, from rows.
    fn replay(&mut self) -> Result<(), StoreError> {
        for changed in self.changed_since(self.text.seen().seq)? {
            self.text.delete_file(changed.file)?;
            if let Some(parse) = changed.parse {
                self.add_stored(changed.file, parse, &changed.path)?;
            }
        }
        self.handed_seq = self.seq()?;
        Ok(())
    }

    fn changed_since(&self, seq: i64) -> Result<Vec<Changed>, StoreError> {
        let query = || -> rusqlite::Result<Vec<Changed>> {
            self.store
                .conn
                .prepare(
                    "SELECT id, path, parse_id, seq FROM files WHERE tree_id = ?1 AND seq > ?2 ORDER BY seq",
                )?
                .query_map(params![self.tree.0, seq], |row| {
                    let parse = row.get::<_, Option<i64>>(2)?.map(ParseId);
                    Ok(Changed {
                        file: row.get(0)?,
                        path: row.get(1)?,
                        parse,
                        seen: runs::seen(&self.store.conn, self.tree, row.get(3)?)?,
                    })
                })?
                .collect()
        };
        query().map_err(|error| self.store.fail(error))
    }

    pub(crate) fn seq(&self) -> Result<i64, StoreError> {
        self.store
            .conn
            .query_row("SELECT seq FROM trees WHERE id = ?1", [self.tree.0], |row| {
                row.get(0)
            })
            .map_err(|error| self.store.fail(error))
    }

    /// Adds a file's documents from a stored product.
    fn add_stored(&mut self, file: i64, parse: ParseId, path: &str) -> Result<(), StoreError> {
        let body = snapshot::parse_text(self.store, parse)?;
        let rows = snapshot::searchable(self.store, parse)?;
        for row in rows {
            let text = body.get(row.bytes.clone()).ok_or_else(|| StoreError::Corrupt {
                path: self.store.dir.clone(),
                what: "a chunk lies outside its text".into(),
            })?;
            self.text.add(&TextDoc {
                file,
                parse,
                idx: row.idx,
                body: text,
                names: &row.names,
                path,
                docs: &row.docs,
                capsule: &row.capsule,
            })?;
        }
        Ok(())
    }

    fn execute(&self, sql: &str, params: impl rusqlite::Params) -> Result<(), StoreError> {
        self.store
            .conn
            .execute(sql, params)
            .map(|_| ())
            .map_err(|error| self.store.fail(error))
    }
}

/// A file that the text index must update; without a product it was deleted.
struct Changed {
    file: i64,
    path: String,
    parse: Option<ParseId>,
    seen: SeenUpTo,
}

/// Adds a file's documents from a new product.
fn add_new(
    text: &mut TextWriter,
    file: i64,
    parse: ParseId,
    path: &str,
    new: &NewParse,
) -> Result<(), StoreError> {
    for (idx, chunk) in new.parsed.chunks.iter().enumerate() {
        text.add(&TextDoc {
            file,
            parse,
            idx: idx as u32,
            body: &new.text[chunk.bytes.clone()],
            names: &chunk.names.join(" "),
            path,
            docs: &chunk.docs,
            capsule: &chunk.capsule,
        })?;
    }
    Ok(())
}

fn parse_id(conn: &rusqlite::Connection, key: &ParseKey) -> rusqlite::Result<Option<ParseId>> {
    conn.prepare_cached("SELECT id FROM parses WHERE key = ?1")?
        .query_row([key.as_slice()], |row| row.get(0).map(ParseId))
        .optional()
}

#[cfg(test)]
mod tests;
