//! The facts of a tree, all at once: what is made of them needs all files of a project.

use kitbag_types::{Fact, RepoPath, fact};

use crate::codec;
use crate::{Snapshot, StoreError};

/// A file with its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactsRow {
    pub path: RepoPath,
    pub language: String,
    pub facts: Vec<Fact>,
}

impl Snapshot<'_> {
    /// Indexed files that have facts, by path. Damaged facts count as missing.
    pub fn facts(&self) -> Result<Vec<FactsRow>, StoreError> {
        let rows = self.list(
            "SELECT files.path, files.language, facts.n_bytes, facts.content
             FROM files JOIN facts ON facts.parse_id = files.parse_id
             WHERE files.tree_id = ?1 AND files.state = 0 ORDER BY files.path",
            [self.state().id.0],
            |row| {
                let n_bytes = row.get::<_, i64>(2)? as usize;
                let content: Vec<u8> = row.get(3)?;
                let facts = codec::unpack_bytes(&content, n_bytes).and_then(|bytes| fact::from_bytes(&bytes));
                Ok(FactsRow {
                    path: crate::snapshot::path(row, 0)?,
                    language: row.get(1)?,
                    facts: facts.unwrap_or_default(),
                })
            },
        )?;
        Ok(rows)
    }
}
