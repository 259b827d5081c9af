//! The result of a scan. Plain data: the engine stores it and passes it to `Tree::rescan`.

mod bytes;

use kitbag_types::{FileStamp, Note, RepoPath, Timestamp};

use crate::{FolderStamp, Skip, is_settled};

/// Every list is sorted by path, so two scans of the same tree are equal whatever the number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    pub taken_at: Timestamp,
    /// `BoundaryOptions::fingerprint` of the options of the scan (IDX-8).
    pub boundary: [u8; 32],
    pub files: Vec<ScannedFile>,
    /// Folders that were listed, `""` for the root.
    pub folders: Vec<ScannedFolder>,
    /// Every file that affected the result: ignore files, and git's pointers of nested repositories.
    pub consulted: Vec<ConsultedFile>,
    /// The repositories found: the one around the root, then nested ones.
    pub repositories: Vec<Repository>,
    /// An ignored folder is one entry.
    pub skipped: Vec<(String, Skip)>,
    pub notes: Vec<Note>,
}

impl Scan {
    /// Whether every stamp that a rescan relies on was old enough to be reliable when it was taken. Otherwise the scan should be
    /// replaced by a later one, or every rescan lists the same folders again.
    pub fn is_settled(&self) -> bool {
        let settled = |stamp_ns: i64| is_settled(stamp_ns, self.taken_at);
        self.folders.iter().all(|folder| settled(folder.stamp.changed_ns))
            && self
                .consulted
                .iter()
                .all(|file| file.stamp.is_none_or(|(_, mtime_ns)| settled(mtime_ns)))
            && self
                .repositories
                .iter()
                .all(|repository| repository.index.is_none_or(|stamp| settled(stamp.mtime_ns)))
    }

    /// Whether both agree about everything that decides how much a rescan must check.
    pub fn same_ground(&self, other: &Self) -> bool {
        self.folders == other.folders
            && self.consulted == other.consulted
            && self.repositories == other.repositories
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScannedFile {
    pub path: RepoPath,
    pub stamp: FileStamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScannedFolder {
    pub path: String,
    pub stamp: FolderStamp,
}

/// A file that was consulted about what to ignore. Outside the root its path is absolute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConsultedFile {
    pub path: String,
    /// `None`: it did not exist.
    pub stamp: Option<(u64, i64)>,
}

impl ConsultedFile {
    pub(crate) fn new(path: String, stamp: Option<FileStamp>) -> Self {
        Self {
            path,
            stamp: stamp.map(|stamp| (stamp.size, stamp.mtime_ns)),
        }
    }
}

/// A git repository and what it tracks: tracked files are never excluded by `.gitignore` or by a folder's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The folder of its work tree, `""` for the one around the root.
    pub path: String,
    pub index: Option<FileStamp>,
    /// BLAKE3 of the tracked paths. `git status` rewrites the index file; this only changes with what is tracked.
    pub tracked: [u8; 32],
}
