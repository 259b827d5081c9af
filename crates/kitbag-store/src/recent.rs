//! Rows that questions have read lately. A question reads some 250 chunks, one row each, and the next question reads many of the same
//! ones: taking them from memory saves a third of its time.
//!
//! They are of one state of the database. SQLite tells when another connection has changed it, and how much this one has.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::Connection;

use crate::rows::{ChunkRef, ChunkRow, ParseId, TreeId};

/// Most bytes of texts that are kept. When there are more, all are dropped: that is rare, and keeping an order would cost every read.
const MAX_BYTES: usize = 16_000_000;
/// What a row takes besides its texts, roughly.
const ROW_BYTES: usize = 300;

/// One state of a tree of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    tree: TreeId,
    /// Changes when another connection has committed something.
    data_version: i64,
    n_own_changes: u64,
}

#[derive(Debug, Default)]
pub(crate) struct RecentRows {
    state: Option<State>,
    chunks: HashMap<ChunkRef, Arc<ChunkRow>>,
    /// The chunk that holds a line of a product, for a file.
    at_lines: HashMap<(i64, ParseId, u32), Arc<ChunkRow>>,
    n_bytes: usize,
}

impl RecentRows {
    /// Drops what is of another state. To be asked at the beginning of a read transaction.
    pub(crate) fn begin(&mut self, conn: &Connection, tree: TreeId) -> rusqlite::Result<()> {
        let state = State {
            tree,
            data_version: conn
                .prepare_cached("PRAGMA data_version")?
                .query_row([], |row| row.get(0))?,
            n_own_changes: conn.total_changes(),
        };
        if self.state != Some(state) {
            self.clear();
            self.state = Some(state);
        }
        Ok(())
    }

    pub(crate) fn chunk(&self, at: ChunkRef) -> Option<Arc<ChunkRow>> {
        self.chunks.get(&at).cloned()
    }

    pub(crate) fn at_line(&self, file: i64, parse: ParseId, line: u32) -> Option<Arc<ChunkRow>> {
        self.at_lines.get(&(file, parse, line)).cloned()
    }

    pub(crate) fn keep_chunk(&mut self, at: ChunkRef, row: &Arc<ChunkRow>) {
        self.make_room(row);
        self.chunks.insert(at, Arc::clone(row));
    }

    pub(crate) fn keep_at_line(&mut self, file: i64, parse: ParseId, line: u32, row: &Arc<ChunkRow>) {
        self.make_room(row);
        self.at_lines.insert((file, parse, line), Arc::clone(row));
    }

    fn make_room(&mut self, row: &ChunkRow) {
        let names: usize = row.names.iter().map(|name| name.len() + 24).sum();
        let texts = row.label.len() + row.symbol_path.len() + row.docs.len() + row.path.as_str().len();
        self.n_bytes += ROW_BYTES + names + texts;
        if self.n_bytes > MAX_BYTES {
            self.clear();
        }
    }

    fn clear(&mut self) {
        self.chunks.clear();
        self.at_lines.clear();
        self.n_bytes = 0;
    }
}

#[cfg(test)]
mod tests;
