//! Stamps: show without reading whether a file or a folder may have changed (IDX-44).
//!
//! The stamp of a folder is its change time and inode, not its modification time: archive tools set modification times back,
//! `chmod` does not change them, and two folders that swap names keep theirs. Clocks of file systems are coarse (4 ms on Linux
//! before 6.13, 2 s on FAT), so a stamp younger than that at the time of the scan proves nothing: see [`is_settled`].

use std::fs::Metadata;

use kitbag_types::{FileStamp, Timestamp};

/// The coarsest tick of a common file system (FAT).
const TICK_NS: i64 = 2_000_000_000;

/// Shows whether the list of entries of a folder may have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FolderStamp {
    /// Nanoseconds since the Unix epoch of the last change to its entries, mode or name.
    pub changed_ns: i64,
    /// 0 where the system has none.
    pub inode: u64,
}

/// Whether an unchanged time stamp proves that nothing changed after `taken_at`, when it was recorded. A change within the same
/// tick of the clock does not change the stamp; then the entry must be checked again.
pub fn is_settled(stamp_ns: i64, taken_at: Timestamp) -> bool {
    stamp_ns < taken_at.0.saturating_mul(1_000_000).saturating_sub(TICK_NS)
}

pub(crate) fn file_stamp(metadata: &Metadata) -> FileStamp {
    FileStamp {
        size: metadata.len(),
        mtime_ns: modified_ns(metadata),
    }
}

#[cfg(unix)]
fn modified_ns(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    metadata
        .mtime()
        .saturating_mul(1_000_000_000)
        .saturating_add(metadata.mtime_nsec())
}

#[cfg(not(unix))]
fn modified_ns(metadata: &Metadata) -> i64 {
    use std::time::UNIX_EPOCH;
    let Ok(modified) = metadata.modified() else {
        return 0;
    };
    match modified.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |ns| -ns),
    }
}

#[cfg(unix)]
pub(crate) fn folder_stamp(metadata: &Metadata) -> FolderStamp {
    use std::os::unix::fs::MetadataExt;
    FolderStamp {
        changed_ns: metadata
            .ctime()
            .saturating_mul(1_000_000_000)
            .saturating_add(metadata.ctime_nsec()),
        inode: metadata.ino(),
    }
}

#[cfg(not(unix))]
pub(crate) fn folder_stamp(metadata: &Metadata) -> FolderStamp {
    FolderStamp {
        changed_ns: modified_ns(metadata),
        inode: 0,
    }
}
