//! The packages of a tree (PKG-8): what each manifest says, kept with the text that it was read from, and the packages that were made
//! of all of them, kept for one state of the tree. The caller defines the bytes; here they get a checksum. If it is
//! wrong, they count as missing and are made again from texts.
//!
//! Imports are read here too, because edges between packages are made from them: all imports of a tree at once, without its other
//! links.

use kitbag_types::RepoPath;
use rusqlite::{OptionalExtension, Row, params};

use crate::rows::ParseId;
use crate::snapshot::parse_text;
use crate::{Snapshot, StoreError, Writer};

/// The stored packages of a tree, and the state that they were made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackagesRow {
    /// The last change of the tree that they include.
    pub seq: i64,
    /// What else they depend on, in the caller's words.
    pub stamp: String,
    pub content: Vec<u8>,
}

/// A manifest that is indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestRow {
    pub parse: ParseId,
    /// What it states, if that was stored by this version.
    pub content: Option<Vec<u8>>,
}

/// What a manifest states, to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewManifest {
    pub parse: ParseId,
    pub file_name: String,
    pub content: Vec<u8>,
}

/// An import of a file, as it is written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRow {
    pub path: RepoPath,
    pub language: String,
    /// From 1.
    pub line: u32,
    pub name: String,
}

const COLUMNS: &str = "SELECT seq, stamp, digest, content FROM packages WHERE tree_id = ?1";

fn packages_row(row: &Row<'_>) -> rusqlite::Result<Option<PackagesRow>> {
    let content: Vec<u8> = row.get(3)?;
    let is_whole = row.get::<_, u32>(2)? == crc32fast::hash(&content);
    Ok(is_whole.then_some(PackagesRow {
        seq: row.get(0)?,
        stamp: row.get(1)?,
        content,
    }))
}

impl Writer<'_> {
    pub fn packages(&self) -> Result<Option<PackagesRow>, StoreError> {
        let row = self
            .store
            .conn
            .query_row(COLUMNS, [self.tree.0], packages_row)
            .optional();
        Ok(row.map_err(|error| self.store.fail(error))?.flatten())
    }

    /// A file of the tree, with what is stored about it as a manifest. `None` if it is not indexed.
    pub fn manifest(&self, path: &RepoPath, version: u32) -> Result<Option<ManifestRow>, StoreError> {
        let read = || {
            self.store
                .conn
                .prepare_cached(
                    "SELECT files.parse_id, manifests.digest, manifests.content FROM files
                     LEFT JOIN manifests ON manifests.parse_id = files.parse_id AND file_name = ?3 AND version = ?4
                     WHERE files.tree_id = ?1 AND files.path = ?2 AND files.state = 0 AND files.parse_id IS NOT NULL",
                )?
                .query_row(
                    params![self.tree.0, path.as_str(), path.file_name(), version],
                    |row| {
                        let (digest, content): (Option<u32>, Option<Vec<u8>>) = (row.get(1)?, row.get(2)?);
                        Ok(ManifestRow {
                            parse: ParseId(row.get(0)?),
                            content: content.filter(|content| digest == Some(crc32fast::hash(content))),
                        })
                    },
                )
                .optional()
        };
        read().map_err(|error| self.store.fail(error))
    }

    /// The text of a product: the file without its secrets.
    pub fn text_of(&self, parse: ParseId) -> Result<String, StoreError> {
        parse_text(self.store, parse)
    }

    /// Stores the packages as of the last change of the tree, and the manifests that were read for them.
    pub fn set_packages(
        &mut self,
        stamp: &str,
        content: &[u8],
        manifests: &[NewManifest],
        version: u32,
    ) -> Result<(), StoreError> {
        let fail_path = self.store.dir.join("kitbag.db");
        let (tree, seq) = (self.tree.0, self.seq()?);
        let mut write = || -> rusqlite::Result<()> {
            let tx = self.store.conn.transaction()?;
            tx.execute(
                "INSERT OR REPLACE INTO packages (tree_id, seq, stamp, digest, content) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![tree, seq, stamp, crc32fast::hash(content), content],
            )?;
            let mut insert = tx.prepare(
                "INSERT OR REPLACE INTO manifests (parse_id, file_name, version, digest, content)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for new in manifests {
                let digest = crc32fast::hash(&new.content);
                insert.execute(params![new.parse.0, new.file_name, version, digest, new.content])?;
            }
            drop(insert);
            tx.commit()
        };
        write().map_err(|error| StoreError::sqlite(&fail_path, error))
    }
}

impl Snapshot<'_> {
    /// `None` if none are stored, or if they are damaged.
    pub fn packages(&self) -> Result<Option<PackagesRow>, StoreError> {
        Ok(self.one(COLUMNS, [self.state().id.0], packages_row)?.flatten())
    }

    /// Every import of the tree, by path, then by line.
    pub fn imports(&self) -> Result<Vec<ImportRow>, StoreError> {
        self.list(
            "SELECT files.path, files.language, links.line, links.name
             FROM files JOIN links INDEXED BY links_that_import ON links.parse_id = files.parse_id
             WHERE files.tree_id = ?1 AND files.state = 0 AND links.kind = 'import'
             ORDER BY files.path, links.line, links.name",
            [self.state().id.0],
            |row| {
                Ok(ImportRow {
                    path: crate::snapshot::path(row, 0)?,
                    language: row.get(1)?,
                    line: row.get(2)?,
                    name: row.get(3)?,
                })
            },
        )
    }

    /// Indexed files with the number of their lines, by path.
    pub fn line_counts(&self) -> Result<Vec<(RepoPath, u64)>, StoreError> {
        self.list(
            "SELECT files.path, parses.n_lines FROM files JOIN parses ON parses.id = files.parse_id
             WHERE files.tree_id = ?1 AND files.state = 0 ORDER BY files.path",
            [self.state().id.0],
            |row| Ok((crate::snapshot::path(row, 0)?, row.get::<_, i64>(1)? as u64)),
        )
    }
}

#[cfg(test)]
mod tests;
