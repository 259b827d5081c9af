//! Making a tree anew beside the one that answers, and putting it in that one's place.
//!
//! A tree that is rebuilt is another row of `trees`, with files, text index and vectors of its own, under a name that no
//! folder has. Until it is whole, nobody asks for it: whatever ends the run, the old tree answers as before. Taking over is one
//! transaction, which renames the row, and no file is moved, so a reader has the old tree or the new one and both open. The
//! alternative, a second store folder swapped for the first, would lose the trees of other worktrees and needs three renames.
//! Products are shared by all trees and are written anew in place: a key stands for everything they are made from.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};

use super::Writer;
use crate::rows::TreeId;
use crate::{Store, StoreError, WriterLock, snapshot, text, vectors};

/// No root is called so: roots are absolute.
fn beside(root: &Path) -> String {
    format!("rebuilding:{}", root.to_string_lossy())
}

impl<'s> Writer<'s> {
    /// An empty tree beside that of `root`. Products that come with changes replace stored ones. `keep_errors`: what is
    /// known of files that failed is taken along.
    pub fn open_beside(
        store: &'s mut Store,
        lock: WriterLock,
        root: &Path,
        keep_errors: bool,
        now_ms: i64,
    ) -> Result<Self, StoreError> {
        clear_beside(store, root)?;
        let mut writer = Self::open_tree(store, lock, &beside(root), false, now_ms)?;
        writer.replaces = true;
        if keep_errors {
            writer.execute(
                "INSERT INTO bootstrap_errors (tree_id, path, kind, message, retries, at)
                 SELECT ?1, path, kind, message, retries, at FROM bootstrap_errors
                 WHERE tree_id = (SELECT id FROM trees WHERE root = ?2)",
                params![writer.tree.0, root.to_string_lossy()],
            )?;
        }
        Ok(writer)
    }

    /// From now on products that come with changes replace stored ones.
    pub fn replace_products(&mut self) {
        self.replaces = true;
    }

    /// Puts this tree in the place of the one that has `root` now, whose rows and files go.
    pub fn take_over(&mut self, root: &Path) -> Result<(), StoreError> {
        let root = root.to_string_lossy();
        let old = snapshot::tree_state(self.store, &root)?.map(|state| state.id);
        let path = self.store.dir.join("kitbag.db");
        let swap = |conn: &mut Connection, new: TreeId| -> rusqlite::Result<()> {
            let tx = conn.transaction()?;
            if let Some(old) = old {
                delete_rows(&tx, old)?;
            }
            tx.execute(
                "DELETE FROM bootstrap_errors WHERE tree_id = ?1
                 AND path NOT IN (SELECT path FROM files WHERE tree_id = ?1 AND state = 2)",
                [new.0],
            )?;
            tx.execute("UPDATE trees SET root = ?2 WHERE id = ?1", params![new.0, root])?;
            tx.commit()
        };
        swap(&mut self.store.conn, self.tree).map_err(|error| StoreError::sqlite(&path, error))?;
        if let Some(old) = old {
            remove_files(&self.store.dir, old);
        }
        Ok(())
    }

    /// Throws this tree away, and with it the lock.
    pub fn discard(self) -> Result<(), StoreError> {
        let Writer {
            store, text, tree, ..
        } = self;
        drop(text);
        delete_tree(store, tree)
    }

    /// Gives room that is no longer used back to the disk. Nobody needs to be gone for it.
    pub fn vacuum(&mut self) -> Result<(), StoreError> {
        self.store
            .conn
            .execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
            .map_err(|error| self.store.fail(error))
    }
}

/// Removes what a rebuild left that was killed. Whoever has the writer's lock knows that none is under way.
pub(super) fn clear_beside(store: &mut Store, root: &Path) -> Result<(), StoreError> {
    let found = store
        .conn
        .query_row("SELECT id FROM trees WHERE root = ?1", [beside(root)], |row| {
            row.get(0).map(TreeId)
        })
        .optional()
        .map_err(|error| store.fail(error))?;
    found.map_or(Ok(()), |tree| delete_tree(store, tree))
}

fn delete_tree(store: &mut Store, tree: TreeId) -> Result<(), StoreError> {
    // Files first: their folders go by the number of the row, which is given again.
    remove_files(&store.dir, tree);
    let delete = |conn: &mut Connection| -> rusqlite::Result<()> {
        let tx = conn.transaction()?;
        delete_rows(&tx, tree)?;
        tx.commit()
    };
    let path = store.dir.join("kitbag.db");
    delete(&mut store.conn).map_err(|error| StoreError::sqlite(&path, error))
}

fn delete_rows(conn: &Connection, tree: TreeId) -> rusqlite::Result<()> {
    for table in [
        "files",
        "bootstrap_errors",
        "histories",
        "commits",
        "commit_terms",
        "ages",
        "touches",
        "differing",
        "packages",
        "runs",
    ] {
        conn.execute(&format!("DELETE FROM {table} WHERE tree_id = ?1"), [tree.0])?;
    }
    conn.execute("DELETE FROM trees WHERE id = ?1", [tree.0])
        .map(|_| ())
}

/// What cannot be removed (a reader on a system that locks open files) is in nobody's way: it has marks of runs that the next tree
/// of this number does not have.
fn remove_files(dir: &Path, tree: TreeId) {
    for folder in [text::folder(dir, tree), vectors::folder(dir, tree)] {
        let _ = std::fs::remove_dir_all(folder);
    }
}

#[cfg(test)]
mod tests;
