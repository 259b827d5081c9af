//! A scan as bytes, to be stored between runs. It is read before every question, and 10,000 files take about a millisecond this
//! way. Malformed bytes mean "no scan", which only costs a full scan.

use kitbag_types::bytes::{ByteReader, ByteWriter};
use kitbag_types::{FileStamp, RepoPath, Timestamp};

use super::{ConsultedFile, Repository, Scan, ScannedFile, ScannedFolder};
use crate::{FolderStamp, Skip, SkipReason};

/// The first byte; raised when the layout changes.
const LAYOUT: u8 = 1;

impl Scan {
    /// Everything except the notes, which are made again with every scan.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = ByteWriter(vec![LAYOUT]);
        out.number(self.taken_at.0 as u64);
        out.0.extend_from_slice(&self.boundary);
        out.list(self.files.iter(), |out, file| {
            out.text(file.path.as_str());
            put_stamp(out, file.stamp);
        });
        out.list(self.folders.iter(), |out, folder| {
            out.text(&folder.path);
            out.number(folder.stamp.changed_ns as u64);
            out.number(folder.stamp.inode);
        });
        out.list(self.consulted.iter(), |out, file| {
            out.text(&file.path);
            let stamp = file.stamp.map(|(size, mtime_ns)| FileStamp { size, mtime_ns });
            out.maybe(stamp, put_stamp);
        });
        out.list(self.repositories.iter(), |out, repository| {
            out.text(&repository.path);
            out.maybe(repository.index, put_stamp);
            out.0.extend_from_slice(&repository.tracked);
        });
        out.list(self.skipped.iter(), |out, (path, skip)| {
            out.text(path);
            out.text(skip.reason.as_str());
            out.text(&skip.detail);
        });
        out.0
    }

    /// `None`: malformed, or another layout.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut read = ByteReader(bytes);
        if read.take(1)? != [LAYOUT] {
            return None;
        }
        let scan = Self {
            taken_at: Timestamp(read.number()? as i64),
            boundary: hash(&mut read)?,
            files: read.list(|read| {
                Some(ScannedFile {
                    path: RepoPath::new(read.text()?).ok()?,
                    stamp: stamp(read)?,
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
            consulted: read.list(|read| Some(ConsultedFile::new(read.text()?, read.maybe(stamp)?)))?,
            repositories: read.list(|read| {
                Some(Repository {
                    path: read.text()?,
                    index: read.maybe(stamp)?,
                    tracked: hash(read)?,
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

fn put_stamp(out: &mut ByteWriter, stamp: FileStamp) {
    out.number(stamp.size);
    out.number(stamp.mtime_ns as u64);
}

fn stamp(read: &mut ByteReader<'_>) -> Option<FileStamp> {
    Some(FileStamp {
        size: read.number()?,
        mtime_ns: read.number()? as i64,
    })
}

fn hash(read: &mut ByteReader<'_>) -> Option<[u8; 32]> {
    read.take(32)?.try_into().ok()
}

#[cfg(test)]
mod tests;
