//! When files of a tree last changed (PACK-12), read from git at the last run: the last commit of each path, and which files
//! differ from the commit that is checked out.
//!
//! A question must not wait for git, which takes half a second where there are many files. What was read holds as long as the
//! same commit is checked out and no file has changed; `stamp` and `seq` say for which commit and which change of the tree
//! that was.

use std::collections::BTreeMap;

use kitbag_types::RepoPath;
use rusqlite::{OptionalExtension, Row, params};

use crate::{Snapshot, StoreError, Writer};

/// For which state of the tree the ages are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgesRow {
    /// The stamp of the checkout.
    pub stamp: String,
    /// The commit; empty before the first one.
    pub head: String,
    /// Commits since this time were read, in milliseconds.
    pub since: i64,
    /// The last change of the tree that was compared with the commit.
    pub seq: i64,
}

/// What a run has found out.
#[derive(Clone, Debug, Default)]
pub struct NewAges {
    pub stamp: String,
    pub head: String,
    pub since: i64,
    /// By path, in milliseconds.
    pub touches: BTreeMap<String, i64>,
    /// `touches` are added to the stored ones.
    pub on_top: bool,
    /// The paths that were compared with the commit; `None` for all.
    pub compared: Option<Vec<RepoPath>>,
    /// Those of the compared paths that differ.
    pub differing: Vec<RepoPath>,
}

const COLUMNS: &str = "SELECT stamp, head, since, seq FROM ages WHERE tree_id = ?1";

fn ages_row(row: &Row<'_>) -> rusqlite::Result<AgesRow> {
    Ok(AgesRow {
        stamp: row.get(0)?,
        head: row.get(1)?,
        since: row.get(2)?,
        seq: row.get(3)?,
    })
}

impl Writer<'_> {
    pub fn ages(&self) -> Result<Option<AgesRow>, StoreError> {
        self.store
            .conn
            .query_row(COLUMNS, [self.tree.0], ages_row)
            .optional()
            .map_err(|error| self.store.fail(error))
    }

    /// Files that are there and changed after `seq`, or all of them, by path.
    pub fn paths_since(&self, seq: Option<i64>) -> Result<Vec<RepoPath>, StoreError> {
        let paths = || -> rusqlite::Result<Vec<String>> {
            self.store
                .conn
                .prepare(
                    "SELECT path FROM files WHERE tree_id = ?1 AND state = 0 AND seq > ?2 ORDER BY path",
                )?
                .query_map(params![self.tree.0, seq.unwrap_or(-1)], |row| row.get(0))?
                .collect()
        };
        let paths = paths().map_err(|error| self.store.fail(error))?;
        Ok(paths
            .into_iter()
            .filter_map(|path| RepoPath::new(path).ok())
            .collect())
    }

    /// Stores what a run has found out, as of the last change of the tree.
    pub fn set_ages(&mut self, new: &NewAges) -> Result<(), StoreError> {
        let fail_path = self.store.dir.join("kitbag.db");
        let (tree, seq) = (self.tree.0, self.seq()?);
        let mut write = || -> rusqlite::Result<()> {
            let tx = self.store.conn.transaction()?;
            tx.execute(
                "INSERT OR REPLACE INTO ages (tree_id, stamp, head, since, seq) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![tree, new.stamp, new.head, new.since, seq],
            )?;
            // Commits before the window no longer count.
            let before = if new.on_top { new.since } else { i64::MAX };
            tx.execute(
                "DELETE FROM touches WHERE tree_id = ?1 AND at < ?2",
                params![tree, before],
            )?;
            let mut touch = tx.prepare(
                "INSERT INTO touches (tree_id, path, at) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET at = max(at, ?3)",
            )?;
            for (path, at) in &new.touches {
                touch.execute(params![tree, path, at])?;
            }
            match &new.compared {
                None => {
                    tx.execute("DELETE FROM differing WHERE tree_id = ?1", [tree])?;
                }
                Some(paths) => {
                    let mut same = tx.prepare("DELETE FROM differing WHERE tree_id = ?1 AND path = ?2")?;
                    for path in paths {
                        same.execute(params![tree, path.as_str()])?;
                    }
                }
            }
            let mut differs =
                tx.prepare("INSERT OR IGNORE INTO differing (tree_id, path) VALUES (?1, ?2)")?;
            for path in &new.differing {
                differs.execute(params![tree, path.as_str()])?;
            }
            drop((touch, differs));
            tx.commit()
        };
        write().map_err(|error| StoreError::sqlite(&fail_path, error))
    }
}

impl Snapshot<'_> {
    /// `None` if nothing was read yet, or if there is no git.
    pub fn ages(&self) -> Result<Option<AgesRow>, StoreError> {
        self.one(COLUMNS, [self.state().id.0], ages_row)
    }

    /// The last commit of the window that touched a file, in milliseconds.
    pub fn touched_at(&self, path: &RepoPath) -> Result<Option<i64>, StoreError> {
        self.one(
            "SELECT at FROM touches WHERE tree_id = ?1 AND path = ?2",
            params![self.state().id.0, path.as_str()],
            |row| row.get(0),
        )
    }

    /// Whether a file differs from the commit, or changed after `seq`, or is not one that the tree holds.
    pub fn differs(&self, path: &RepoPath, seq: i64) -> Result<bool, StoreError> {
        let same = self.one(
            "SELECT 1 FROM files WHERE tree_id = ?1 AND path = ?2 AND state = 0 AND seq <= ?3
             AND NOT EXISTS (SELECT 1 FROM differing WHERE tree_id = ?1 AND path = ?2)",
            params![self.state().id.0, path.as_str(), seq],
            |_| Ok(()),
        )?;
        Ok(same.is_none())
    }
}
