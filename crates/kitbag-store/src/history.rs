//! The commits of a tree (RET-13): the terms of their messages, and the files they touched.
//!
//! They are replaced as a whole when another commit is checked out: a thousand commits are a few thousand rows. Terms lie in
//! rows of their own so that a question reads only what it asks for.

use rusqlite::{OptionalExtension, params};

use crate::{Snapshot, StoreError, Writer};

/// A commit to store; lists have the newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCommit {
    pub id: String,
    /// Under today's names, each once.
    pub paths: Vec<String>,
    /// The terms of its message, repeats included, in any order.
    pub terms: Vec<String>,
}

/// A commit as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitRow {
    pub id: String,
    pub paths: Vec<String>,
}

/// (commit, how often it says the term, how many terms it has)
pub type Mention = (u32, u32, u32);

impl Writer<'_> {
    /// Replaces the history of the tree. `stamp` identifies the checkout.
    pub fn set_history(&mut self, stamp: &str, commits: &[NewCommit]) -> Result<(), StoreError> {
        let fail_path = self.store.dir.join("kitbag.db");
        let fail = |error| StoreError::sqlite(&fail_path, error);
        let tree = self.tree.0;
        let mut mentions: std::collections::BTreeMap<&str, Vec<Mention>> = std::collections::BTreeMap::new();
        for (idx, commit) in commits.iter().enumerate() {
            let mut terms: Vec<&str> = commit.terms.iter().map(String::as_str).collect();
            terms.sort_unstable();
            for same in terms.chunk_by(|a, b| a == b) {
                let mention = (idx as u32, same.len() as u32, terms.len() as u32);
                mentions.entry(same[0]).or_default().push(mention);
            }
        }
        let tx = self.store.conn.transaction().map_err(fail)?;
        let write = || -> rusqlite::Result<()> {
            for table in ["histories", "commits", "commit_terms"] {
                tx.execute(&format!("DELETE FROM {table} WHERE tree_id = ?1"), [tree])?;
            }
            tx.execute(
                "INSERT INTO histories (tree_id, stamp, n_commits) VALUES (?1, ?2, ?3)",
                params![tree, stamp, commits.len() as i64],
            )?;
            let mut insert =
                tx.prepare("INSERT INTO commits (tree_id, idx, id, paths) VALUES (?1, ?2, ?3, ?4)")?;
            for (idx, commit) in commits.iter().enumerate() {
                insert.execute(params![tree, idx as i64, commit.id, commit.paths.join("\n")])?;
            }
            let mut insert =
                tx.prepare("INSERT INTO commit_terms (tree_id, term, mentions) VALUES (?1, ?2, ?3)")?;
            for (term, mentions) in &mentions {
                insert.execute(params![tree, term, packed(mentions)])?;
            }
            Ok(())
        };
        write().map_err(fail)?;
        tx.commit().map_err(fail)
    }
}

impl Writer<'_> {
    /// The stamp that the stored history was given.
    pub fn history_stamp(&self) -> Result<Option<String>, StoreError> {
        self.store
            .conn
            .query_row(
                "SELECT stamp FROM histories WHERE tree_id = ?1",
                [self.tree.0],
                |row| row.get(0),
            )
            .optional()
            .map_err(|error| self.store.fail(error))
    }
}

impl Snapshot<'_> {
    /// The stamp that was given with the history, and how many commits it has. `None`: none was ever stored.
    pub fn history(&self) -> Result<Option<(String, u64)>, StoreError> {
        self.one(
            "SELECT stamp, n_commits FROM histories WHERE tree_id = ?1",
            [self.state().id.0],
            |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)),
        )
    }

    /// The commits whose messages have a term, newest first.
    pub fn mentions(&self, term: &str) -> Result<Vec<Mention>, StoreError> {
        let packed = self.one(
            "SELECT mentions FROM commit_terms WHERE tree_id = ?1 AND term = ?2",
            params![self.state().id.0, term],
            |row| row.get::<_, Vec<u8>>(0),
        )?;
        Ok(packed.map(|bytes| unpacked(&bytes)).unwrap_or_default())
    }

    /// All commits, newest first.
    pub fn commits(&self) -> Result<Vec<CommitRow>, StoreError> {
        self.list(
            "SELECT id, paths FROM commits WHERE tree_id = ?1 ORDER BY idx",
            [self.state().id.0],
            commit_row,
        )
    }

    /// A commit by its place in the history.
    pub fn commit(&self, idx: u32) -> Result<Option<CommitRow>, StoreError> {
        self.one(
            "SELECT id, paths FROM commits WHERE tree_id = ?1 AND idx = ?2",
            params![self.state().id.0, idx],
            commit_row,
        )
    }
}

fn commit_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<CommitRow> {
    let paths = row.get_ref(1)?.as_str()?;
    Ok(CommitRow {
        id: row.get(0)?,
        paths: paths.lines().map(str::to_owned).collect(),
    })
}

fn packed(mentions: &[Mention]) -> Vec<u8> {
    let numbers = mentions
        .iter()
        .flat_map(|mention| [mention.0, mention.1, mention.2]);
    numbers.flat_map(u32::to_le_bytes).collect()
}

fn unpacked(bytes: &[u8]) -> Vec<Mention> {
    let (mentions, _) = bytes.as_chunks::<12>();
    let number = |mention: &[u8; 12], at: usize| {
        u32::from_le_bytes(mention[at..at + 4].try_into().expect("four of twelve bytes"))
    };
    mentions
        .iter()
        .map(|mention| (number(mention, 0), number(mention, 4), number(mention, 8)))
        .collect()
}

#[cfg(test)]
mod tests;
