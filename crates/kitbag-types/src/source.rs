//! A file of the working tree, as read.

use crate::{Note, RepoPath};

/// Size and time, which show without reading whether a file may have changed (IDX-44).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileStamp {
    pub size: u64,
    /// Nanoseconds since the Unix epoch.
    pub mtime_ns: i64,
}

/// The text of a file: decoded to UTF-8 and free of secrets (SEC-1). Its lines correspond to those of the file on disk.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub path: RepoPath,
    pub stamp: FileStamp,
    /// BLAKE3 of the bytes on disk, before decoding and redaction.
    pub hash: [u8; 32],
    pub text: String,
    pub notes: Vec<Note>,
}
