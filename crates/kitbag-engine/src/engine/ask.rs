//! What a provider gets: the question, what may answer it, and the index to look in. A provider from outside this crate asks
//! through the methods; those inside read the snapshot themselves.

use std::cmp::Ordering;
use std::ops::Deref;
use std::sync::Arc;

use kitbag_rank::fuse::{List, fuse};
use kitbag_store::{ChunkRow, Snapshot};
use kitbag_types::{Query, RepoPath, Stop};

use super::{AllowedFiles, Evidence};
use crate::{Engine, EngineError};

/// A chunk of the index. Copies are cheap. The order is that of places in the project and never that of row numbers.
#[derive(Clone, Debug)]
pub struct Row(Arc<ChunkRow>);

impl From<ChunkRow> for Row {
    fn from(row: ChunkRow) -> Self {
        Self(Arc::new(row))
    }
}

impl From<Arc<ChunkRow>> for Row {
    fn from(row: Arc<ChunkRow>) -> Self {
        Self(row)
    }
}

impl Deref for Row {
    type Target = ChunkRow;

    fn deref(&self) -> &ChunkRow {
        &self.0
    }
}

impl Ord for Row {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |row: &Self| (row.lines.start(), row.at.idx);
        let by_path = self.path.cmp(&other.path);
        by_path.then_with(|| place(self).cmp(&place(other)))
    }
}

impl PartialOrd for Row {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Row {}

/// A chunk that may be part of the answer.
pub type Candidate = kitbag_types::Candidate<Row>;

/// A question as providers get it.
pub struct Ask<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) snapshot: &'a Snapshot<'a>,
    pub(crate) query: &'a Query,
    pub(crate) allowed: &'a AllowedFiles,
    /// What the providers before this one found.
    pub(crate) lists: &'a [List<Row>],
    /// What they know.
    pub(crate) evidence: &'a Evidence,
    pub(crate) stop: Stop<'a>,
}

impl Ask<'_> {
    pub fn query(&self) -> &Query {
        self.query
    }

    /// An error if nobody waits for the answer any more. To be asked between steps that take time.
    pub fn check(&self) -> Result<(), EngineError> {
        Ok(self.stop.check()?)
    }

    /// The indexed files that may answer, by path.
    pub fn files(&self) -> Result<Vec<RepoPath>, EngineError> {
        let files = self.snapshot.files()?.into_iter();
        let mut paths: Vec<RepoPath> = files
            .filter(|file| file.parse.is_some() && self.allowed.file(file.id))
            .map(|file| file.path)
            .collect();
        paths.sort();
        Ok(paths)
    }

    /// The chunks of a file that may answer, in the order of its lines.
    pub fn chunks_of(&self, path: &RepoPath) -> Result<Vec<Row>, EngineError> {
        let Some((file, parse)) = self
            .snapshot
            .file(path)?
            .and_then(|file| Some((file.id, file.parse?)))
        else {
            return Ok(Vec::new());
        };
        let mut rows = self.snapshot.chunks_of(file, parse)?;
        rows.retain(|row| self.allowed.row(row));
        Ok(rows.into_iter().map(Row::from).collect())
    }

    /// The text of a chunk as it was indexed.
    pub fn text_of(&self, row: &Row) -> Result<String, EngineError> {
        let text = self.snapshot.parse_text(row.at.parse)?;
        Ok(text.get(row.bytes.clone()).unwrap_or_default().to_owned())
    }

    /// What the providers before this one found, as one list, best first.
    pub fn found_so_far(&self) -> Vec<Candidate> {
        fuse(self.lists, self.engine.options.fusion)
    }
}
