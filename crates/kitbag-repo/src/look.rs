//! Two questions to the current tree: which files are indexed, and whether one path is.

use std::fs;
use std::io;

use kitbag_types::{RepoPath, Timestamp};

use crate::folder::{ScanContext, join};
use crate::judge::{Judgement, judge};
use crate::links;
use crate::read::ReadFailure;
use crate::rules::{EntryKind, kind_of};
use crate::scan::Scan;
use crate::tree::{Tree, io_error};
use crate::walk::{Pending, walk};
use crate::{RepoError, Verdict};

impl Tree {
    /// Scans the whole tree.
    pub fn scan(&self, now: Timestamp) -> Result<Scan, RepoError> {
        let scan_context = ScanContext::survey(self)?;
        if let Err(error) = fs::read_dir(self.root()) {
            let path = self.root().to_owned();
            return Err(match error.kind() {
                io::ErrorKind::NotFound => RepoError::NotFound { path },
                io::ErrorKind::NotADirectory => RepoError::NotAFolder { path },
                _ => RepoError::Unreadable { path, source: error },
            });
        }
        let mut found = walk(
            &scan_context,
            vec![Pending {
                parent: None,
                path: String::new(),
                only_tracked: None,
            }],
        );
        if self.options().follow_symlinks {
            links::follow(&scan_context, &mut found);
        }
        found.consulted.extend(scan_context.consulted.iter().cloned());
        found.repositories.extend(scan_context.repository.iter().cloned());
        Ok(found.into_scan(self, now))
    }

    /// Whether this path is indexed, and if not, why (IDX-7): checks the filter, then the content.
    pub fn check(&self, path: &RepoPath) -> Result<Verdict, RepoError> {
        let scan_context = ScanContext::survey(self)?;
        let disk = self.disk(path.as_str());
        let metadata = fs::symlink_metadata(&disk).map_err(|error| io_error(&disk, error))?;
        let mut context = scan_context.enter(None, "", &self.names("")?, None);
        let mut folder = String::new();
        let mut parts = path.as_str().split('/').peekable();
        while let Some(name) = parts.next() {
            let is_last = parts.peek().is_none();
            let here = join(&folder, name);
            let found = if is_last {
                metadata.clone()
            } else {
                self.stat(&here)?
            };
            let kind = kind_of(&found);
            if matches!(kind, EntryKind::Symlink) && self.options().follow_symlinks {
                return self.check_linked(path);
            }
            let only_tracked = match judge(&scan_context, &context.context, name, kind) {
                Judgement::Out(skip) => return Ok(Verdict::Skipped(skip)),
                Judgement::OnlyTracked(skip) => Some(skip),
                Judgement::In => None,
            };
            if matches!(kind, EntryKind::Folder) {
                context =
                    scan_context.enter(Some(&context.context), &here, &self.names(&here)?, only_tracked);
                if let Some(skip) = context.skip {
                    return Ok(Verdict::Skipped(skip));
                }
            }
            folder = here;
        }
        if !metadata.is_file() {
            return Ok(Verdict::Indexed);
        }
        match self.read(path) {
            Err(ReadFailure::Skipped(skip)) => Ok(Verdict::Skipped(skip)),
            _ => Ok(Verdict::Indexed),
        }
    }

    /// Whether a path through a link is indexed. Which of several links to a file counts depends on all of them, so the tree is
    /// scanned.
    fn check_linked(&self, path: &RepoPath) -> Result<Verdict, RepoError> {
        let scan = self.scan(Timestamp(0))?;
        if scan.files.binary_search_by(|file| file.path.cmp(path)).is_ok()
            || scan.folders.iter().any(|folder| folder.path == path.as_str())
        {
            return Ok(Verdict::Indexed);
        }
        // The entry of the path, or of the nearest folder above it.
        let mut at = path.as_str();
        loop {
            if let Some((_, skip)) = scan.skipped.iter().find(|(skipped, _)| skipped == at) {
                return Ok(Verdict::Skipped(skip.clone()));
            }
            match at.rsplit_once('/') {
                Some((folder, _)) => at = folder,
                None => {
                    return Err(RepoError::NotFound {
                        path: self.disk(path.as_str()),
                    });
                }
            }
        }
    }
}
