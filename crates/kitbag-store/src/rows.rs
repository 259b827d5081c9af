//! The rows as other crates see them: plain data, no SQL types.

use std::ops::Range;

use kitbag_types::{ChunkKind, FileStamp, LineRange, LinkKind, Parsed, RepoPath, SymbolKind};

/// One root folder in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeId(pub i64);

/// One parse product in a store. Never part of an answer: it depends on the order of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParseId(pub i64);

/// The key of a parse product: BLAKE3 of content, language, settings and content version.
pub type ParseKey = [u8; 32];

/// A chunk of a file of this store, for the length of one snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkRef {
    pub file: i64,
    pub parse: ParseId,
    pub idx: u32,
}

/// How far a tree is indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeState {
    pub id: TreeId,
    pub boundary: Vec<u8>,
    pub content_version: i64,
    pub seq: i64,
    /// The last run is complete.
    pub complete: bool,
    /// Number of files to index that the present run, or the last one, found.
    pub n_expected: u64,
    /// Bytes of those files.
    pub expected_bytes: u64,
    pub n_files: u64,
    pub n_chunks: u64,
    pub updated_at: i64,
}

/// Indexed files up to some change of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    pub files: u64,
    pub bytes: u64,
}

/// The state of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileState {
    Indexed,
    /// Read and skipped (binary …); stored, so that it is not read again.
    Skipped,
    /// Could not be read; tried again at the next run.
    Failed,
    /// Deleted, and the text index may not know yet.
    Gone,
}

impl FileState {
    pub(crate) fn to_i64(self) -> i64 {
        match self {
            Self::Indexed => 0,
            Self::Skipped => 1,
            Self::Failed => 2,
            Self::Gone => 3,
        }
    }

    pub(crate) fn from_i64(value: i64) -> Self {
        match value {
            0 => Self::Indexed,
            1 => Self::Skipped,
            2 => Self::Failed,
            _ => Self::Gone,
        }
    }
}

/// A file of a tree as it was last seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    pub id: i64,
    pub path: RepoPath,
    pub state: FileState,
    pub stamp: FileStamp,
    pub hash: [u8; 32],
    pub language: String,
    pub parse: Option<ParseId>,
    /// Why it was skipped or failed.
    pub reason: String,
}

/// A file for the writer.
#[derive(Clone, Debug)]
pub struct StoredFile {
    pub path: RepoPath,
    pub stamp: FileStamp,
    pub hash: [u8; 32],
    pub language: String,
    pub key: ParseKey,
}

/// A parse product to store.
#[derive(Clone, Debug)]
pub struct NewParse {
    pub key: ParseKey,
    pub language: String,
    pub text: String,
    pub n_redacted: u32,
    pub parsed: Parsed,
    /// One per chunk: the exact o200k count and the first 16 bytes of the BLAKE3 of its text.
    pub tokens: Vec<u32>,
    pub hashes: Vec<[u8; 16]>,
}

/// A file that could not be read (IDX-42).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFailure {
    pub path: RepoPath,
    pub kind: String,
    pub message: String,
    pub retries: u32,
}

/// A chunk with its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkRow {
    pub at: ChunkRef,
    pub path: RepoPath,
    pub language: String,
    pub lines: LineRange,
    pub bytes: Range<usize>,
    pub kind: ChunkKind,
    pub label: String,
    pub part: (u32, u32),
    pub tokens: u32,
    /// It defines something that other files can use.
    pub exported: bool,
    pub hash: [u8; 16],
    pub symbol_path: String,
    pub names: Vec<String>,
    pub docs: String,
    /// The file has this product now. False in the moment between the commits of SQLite and of the text index.
    pub current: bool,
}

/// A definition with its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolRow {
    pub file: i64,
    pub parse: ParseId,
    pub idx: u32,
    pub path: RepoPath,
    pub language: String,
    pub name: String,
    pub kind: SymbolKind,
    pub container: String,
    pub signature: String,
    pub exported: bool,
    pub doc: String,
    pub lines: LineRange,
    pub name_line: u32,
    /// What it is or gives; see `kitbag_types::Symbol`.
    pub declared: String,
}

impl SymbolRow {
    /// `container::name`.
    pub fn qualified(&self) -> String {
        if self.container.is_empty() {
            self.name.clone()
        } else {
            format!("{}::{}", self.container, self.name)
        }
    }
}

/// A use of a name, with its file and the definition around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkRow {
    pub file: i64,
    pub parse: ParseId,
    pub path: RepoPath,
    pub language: String,
    pub kind: LinkKind,
    pub name: String,
    pub from_symbol: Option<u32>,
    pub line: u32,
    pub count: u32,
    /// The lines of the uses after the first.
    pub more_lines: Vec<u32>,
    /// How the name is reached; see `kitbag_types::Link`.
    pub reached: Option<String>,
}

impl LinkRow {
    /// Every line of its uses, in order; a line twice if it is used there twice.
    pub fn all_lines(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.line).chain(self.more_lines.iter().copied())
    }
}
