//! One way to find candidates: the trait, what it gives, and the filter that it obeys. The built-in ones are in `providers`.

use std::collections::BTreeSet;

use kitbag_store::ChunkRow;
use kitbag_types::ChunkKind;

use super::{Ask, Evidence, Row};
use crate::EngineError;

/// One way to find candidates.
pub trait Provider: Send + Sync {
    /// Stands in explanations and in `without` of a search. No two providers of an engine share one.
    fn name(&self) -> &'static str;

    /// Providers that are asked before it, because it builds on what they find.
    fn after(&self) -> &'static [&'static str] {
        &[]
    }

    /// An error becomes a warning and leaves the other providers alone, unless the store itself is damaged.
    fn run(&self, ask: &Ask<'_>) -> Result<Answer, EngineError>;
}

/// What a provider found, and what it knows.
#[derive(Default)]
pub struct Answer {
    /// Best first. Beside each chunk its score as a share of the best one's, 0 to 1, if the provider has scores.
    pub found: Vec<(Row, Option<f64>)>,
    pub evidence: Evidence,
    /// What the asker should know.
    pub warnings: Vec<String>,
}

impl Answer {
    /// Chunks in order, without scores.
    pub fn ordered(rows: Vec<Row>) -> Self {
        Self {
            found: rows.into_iter().map(|row| (row, None)).collect(),
            ..Self::default()
        }
    }
}

/// The filter of a request, ready to be asked (RET-23).
pub(crate) struct AllowedFiles {
    /// Files that pass; `None` means all.
    files: Option<BTreeSet<i64>>,
    kinds: Vec<ChunkKind>,
}

impl AllowedFiles {
    /// `files`: those that pass; `None` means all.
    pub(crate) fn new(files: Option<BTreeSet<i64>>, kinds: Vec<ChunkKind>) -> Self {
        Self { files, kinds }
    }

    pub(crate) fn file(&self, file: i64) -> bool {
        self.files.as_ref().is_none_or(|files| files.contains(&file))
    }

    pub(crate) fn row(&self, row: &ChunkRow) -> bool {
        self.file(row.at.file) && (self.kinds.is_empty() || self.kinds.contains(&row.kind))
    }

    /// Kinds are not in the text index: with a limit on them, more must be fetched to have enough left.
    pub(crate) fn has_kinds(&self) -> bool {
        !self.kinds.is_empty()
    }
}
