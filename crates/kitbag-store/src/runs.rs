//! Marks of runs: they distinguish a change number from the same number given a second time.
//!
//! Changes of a tree are numbered, and what is derived from rows (text index, vectors) says how far it has seen. If a database
//! falls back, because a power cut lost its last transactions or because an older file was put in its place, it gives the
//! lost numbers again, to other changes. So every run that writes draws a random mark, which stands in the
//! database and in whatever was derived from its changes. A state counts as seen only if number and mark agree. Since a run
//! goes on from what was valid before, the last number and its mark vouch for everything before them.
//!
//! Marks stay inside the store: nothing that is answered depends on them.

use rusqlite::{Connection, OptionalExtension, params};

use crate::rows::TreeId;

/// Number of runs that are stored per tree. Whatever was derived before them is made again.
const KEPT: u32 = 4_096;

/// How far something derived has seen a tree: the last change, and the mark of the run that made it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SeenUpTo {
    pub seq: i64,
    pub mark: i64,
}

/// Why something derived from rows is not used as it is on disk. The next writer makes it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is missing.
    Missing,
    /// It cannot be read, or its checksum is wrong.
    Damaged { what: String },
    /// It was made from rows that this database does not have.
    Astray,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => out.write_str("missing"),
            Self::Damaged { what } => write!(out, "damaged ({what})"),
            Self::Astray => out.write_str("made from changes that the database has lost"),
        }
    }
}

/// Draws a mark for the changes of a tree from here on. Runs in the transaction of the first of them.
pub(crate) fn begin(tx: &Connection, tree: TreeId) -> rusqlite::Result<()> {
    // A run that changed nothing left a mark under the same number.
    tx.execute(
        "INSERT INTO runs (tree_id, seq, mark) SELECT id, seq, random() FROM trees WHERE id = ?1
         ON CONFLICT (tree_id, seq) DO UPDATE SET mark = excluded.mark",
        [tree.0],
    )?;
    tx.execute(
        "DELETE FROM runs WHERE tree_id = ?1 AND seq <=
         (SELECT seq FROM runs WHERE tree_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)",
        params![tree.0, KEPT],
    )
    .map(|_| ())
}

/// A change as something derived remembers it.
pub(crate) fn seen(conn: &Connection, tree: TreeId, seq: i64) -> rusqlite::Result<SeenUpTo> {
    let mark = conn
        .prepare_cached("SELECT mark FROM runs WHERE tree_id = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT 1")?
        .query_row([tree.0, seq], |row| row.get(0))
        .optional()?;
    Ok(SeenUpTo {
        seq,
        mark: mark.unwrap_or(0),
    })
}

/// The last change of a tree.
pub(crate) fn last_seq(conn: &Connection, tree: TreeId) -> rusqlite::Result<i64> {
    let seq = conn
        .query_row("SELECT seq FROM trees WHERE id = ?1", [tree.0], |row| row.get(0))
        .optional()?;
    Ok(seq.unwrap_or(0))
}

/// Whether something derived is still valid, for text and vectors alike. `last_seq`: the last change of the tree.
pub(crate) fn holds(
    conn: &Connection,
    tree: TreeId,
    last_seq: i64,
    state: SeenUpTo,
) -> rusqlite::Result<bool> {
    Ok(state.seq == 0 || (state.seq <= last_seq && seen(conn, tree, state.seq)? == state))
}

#[cfg(test)]
mod tests;
