//! The result of parsing one file. It depends only on text, language and settings, so it is stored under the hash of those
//! and shared by every path, branch and worktree with the same content (IDX-35).

use crate::{Chunk, Fact, Link, Note, Symbol};

/// `chunks` are in file order and cover every non-blank line exactly once (IDX-17), apart from overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    pub chunks: Vec<Chunk>,
    /// In file order, containers before what they hold.
    pub symbols: Vec<Symbol>,
    /// Sorted by (from, kind, name).
    pub links: Vec<Link>,
    /// In the order of the text.
    pub facts: Vec<Fact>,
    pub notes: Vec<Note>,
}
