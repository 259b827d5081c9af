//! Which files of a project can be indexed (IDX-7): those that the rules allow, without those whose content is unfit.
//!
//! Whatever counts files uses this: `list-indexable`, `project-stats`, `validate-config`, a dry run, the plan of an
//! index run and its progress. So they agree on every file; a file with binary content is skipped in all of them. Only the
//! first bytes of a file are read for that.

use kitbag_repo::{ReadFailure, ScannedFile};
use kitbag_types::{RepoPath, Timestamp};

use crate::parallel::side_by_side;
use crate::{Engine, EngineError};

/// All paths of the tree. Both lists are sorted by path.
pub(crate) struct Survey {
    pub files: Vec<ScannedFile>,
    pub skipped: Vec<Skipped>,
    pub warnings: Vec<String>,
}

/// A path that is not indexed; a folder is one entry.
pub(crate) struct Skipped {
    pub path: String,
    /// The reason, as a stable word.
    pub reason: &'static str,
    pub detail: String,
}

pub(crate) fn survey(engine: &Engine, now: Timestamp) -> Result<Survey, EngineError> {
    let scan = engine.tree.scan(now)?;
    let looked = sniffed(engine, &scan.files, |file| &file.path);
    let mut skipped: Vec<Skipped> = scan
        .skipped
        .into_iter()
        .map(|(path, skip)| Skipped {
            path,
            reason: skip.reason.as_str(),
            detail: skip.detail,
        })
        .collect();
    let mut files = Vec::with_capacity(scan.files.len());
    for (file, looked) in scan.files.into_iter().zip(looked) {
        let (reason, detail) = match looked {
            None => {
                files.push(file);
                continue;
            }
            Some(ReadFailure::Skipped(skip)) => (skip.reason.as_str(), skip.detail),
            Some(ReadFailure::Failed { kind, message }) => (kind.as_str(), message),
        };
        skipped.push(Skipped {
            path: file.path.to_string(),
            reason,
            detail,
        });
    }
    skipped.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Survey {
        files,
        skipped,
        warnings: scan.notes.into_iter().map(|note| note.message).collect(),
    })
}

/// For each file, why its content cannot be indexed, if it cannot.
pub(crate) fn sniffed<T: Sync>(
    engine: &Engine,
    files: &[T],
    path: impl Fn(&T) -> &RepoPath + Sync,
) -> Vec<Option<ReadFailure>> {
    side_by_side(engine.n_workers(), files, &|file| {
        engine.tree.sniff(path(file)).err()
    })
}
