//! A scan as bytes, for whoever keeps it between runs. Numbers in fixed width, texts with their length in front: it is read
//! before every question, and 10,000 files take about a millisecond this way. Anything odd means "no scan", which costs a
//! full look at the tree and nothing else.

use kitbag_types::{FileStamp, RepoPath, Timestamp};

use super::{ConsultedFile, Repository, Scan, ScannedFile, ScannedFolder};
use crate::{FolderStamp, Skip, SkipReason};

/// The first byte; raised when the layout changes.
const LAYOUT: u8 = 1;

impl Scan {
    /// Everything but the notes, which are made anew with every scan.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Out(vec![LAYOUT]);
        out.number(self.taken_at.0 as u64);
        out.0.extend_from_slice(&self.boundary);
        out.list(&self.files, |out, file| {
            out.text(file.path.as_str());
            out.stamp(file.stamp);
        });
        out.list(&self.folders, |out, folder| {
            out.text(&folder.path);
            out.number(folder.stamp.changed_ns as u64);
            out.number(folder.stamp.inode);
        });
        out.list(&self.consulted, |out, file| {
            out.text(&file.path);
            out.maybe_stamp(file.stamp.map(|(size, mtime_ns)| FileStamp { size, mtime_ns }));
        });
        out.list(&self.repositories, |out, repository| {
            out.text(&repository.path);
            out.maybe_stamp(repository.index);
            out.0.extend_from_slice(&repository.tracked);
        });
        out.list(&self.skipped, |out, (path, skip)| {
            out.text(path);
            out.text(skip.reason.as_str());
            out.text(&skip.detail);
        });
        out.0
    }

    /// `None`: not such bytes, or of another layout.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut read = In(bytes);
        if read.take(1)? != [LAYOUT] {
            return None;
        }
        let scan = Self {
            taken_at: Timestamp(read.number()? as i64),
            boundary: read.hash()?,
            files: read.list(|read| {
                Some(ScannedFile {
                    path: RepoPath::new(read.text()?).ok()?,
                    stamp: read.stamp()?,
                })
            })?,
            folders: read.list(|read| {
                let path = read.text()?;
                let stamp = FolderStamp {
                    changed_ns: read.number()? as i64,
                    inode: read.number()?,
                };
                Some(ScannedFolder { path, stamp })
            })?,
            consulted: read.list(|read| Some(ConsultedFile::new(read.text()?, read.maybe_stamp()?)))?,
            repositories: read.list(|read| {
                Some(Repository {
                    path: read.text()?,
                    index: read.maybe_stamp()?,
                    tracked: read.hash()?,
                })
            })?,
            skipped: read.list(|read| {
                let (path, reason) = (read.text()?, SkipReason::parse(&read.text()?)?);
                Some((
                    path,
                    Skip {
                        reason,
                        detail: read.text()?,
                    },
                ))
            })?,
            notes: Vec::new(),
        };
        read.0.is_empty().then_some(scan)
    }
}

struct Out(Vec<u8>);

impl Out {
    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn stamp(&mut self, stamp: FileStamp) {
        self.number(stamp.size);
        self.number(stamp.mtime_ns as u64);
    }

    fn maybe_stamp(&mut self, stamp: Option<FileStamp>) {
        self.0.push(u8::from(stamp.is_some()));
        if let Some(stamp) = stamp {
            self.stamp(stamp);
        }
    }

    fn list<T>(&mut self, items: &[T], one: impl Fn(&mut Self, &T)) {
        self.number(items.len() as u64);
        for item in items {
            one(self, item);
        }
    }
}

struct In<'b>(&'b [u8]);

impl<'b> In<'b> {
    fn take(&mut self, n_bytes: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(n_bytes)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn hash(&mut self) -> Option<[u8; 32]> {
        self.take(32)?.try_into().ok()
    }

    fn text(&mut self) -> Option<String> {
        let n_bytes = usize::try_from(self.number()?).ok()?;
        String::from_utf8(self.take(n_bytes)?.to_vec()).ok()
    }

    fn stamp(&mut self) -> Option<FileStamp> {
        Some(FileStamp {
            size: self.number()?,
            mtime_ns: self.number()? as i64,
        })
    }

    fn maybe_stamp(&mut self) -> Option<Option<FileStamp>> {
        match self.take(1)? {
            [0] => Some(None),
            [1] => Some(Some(self.stamp()?)),
            _ => None,
        }
    }

    fn list<T>(&mut self, one: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let n_items = self.number()?;
        // No reservation by a number that may be torn: the items must be there to be counted.
        (0..n_items).map(|_| one(self)).collect()
    }
}

#[cfg(test)]
mod tests;
