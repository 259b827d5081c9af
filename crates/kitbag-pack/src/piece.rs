//! What a pack is made of: a piece of text with its place, its facts and what speaks for it. Filled in by the caller; this
//! room adds nothing it could not compute from these fields.

use kitbag_types::{ChunkKind, LineRange, Reason};

/// Where a piece came from (PACK-1). The better source first: of two equal pieces the earlier variant stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    ToolResult,
    OpenFile,
    Search,
    Reference,
    Message,
    Memory,
}

impl Origin {
    pub const ALL: [Self; 6] = [
        Self::ToolResult,
        Self::OpenFile,
        Self::Search,
        Self::Reference,
        Self::Message,
        Self::Memory,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::ToolResult => "tool_result",
            Self::OpenFile => "open_file",
            Self::Search => "search",
            Self::Reference => "reference",
            Self::Message => "message",
            Self::Memory => "memory",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.as_str() == text)
    }
}

/// What part a piece's file plays in its project. Decides its section (PACK-50).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    Code,
    Test,
    /// A manifest, or the imports of a file.
    Manifest,
    Config,
    Docs,
}

/// How much of a piece is shown (PACK-41).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resolution {
    /// Path, lines, name.
    Reference,
    Signature,
    /// Signature, summary, and the lines that match.
    Outline,
    Full,
}

impl Resolution {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Signature => "signature",
            Self::Outline => "outline",
            Self::Full => "full",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [Self::Reference, Self::Signature, Self::Outline, Self::Full]
            .into_iter()
            .find(|resolution| resolution.as_str() == text)
    }
}

/// One candidate for a pack.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Tells pieces apart and stays the same when lines above it change: hexadecimal digits, 16 at least.
    pub id: String,
    /// Relative to the project, or what a text that is not a file is called (`git diff`).
    pub path: String,
    /// `path` names a file of the project, and this is its text.
    pub is_file: bool,
    /// Which of the texts that were handed in it is from, from 1; 0: none of them. Pieces with the same path and number
    /// count their lines alike.
    pub given: u32,
    pub lines: LineRange,
    /// Exactly `lines`, without the last line break.
    pub text: String,
    /// Tokens of `text` by the pack's own tokenizer, if they are known already.
    pub tokens: Option<usize>,
    /// Blank lines of the file right after it.
    pub blank_after: u32,
    pub language: String,
    /// How a comment on a line of its own begins in this language.
    pub line_comments: &'static [&'static str],
    pub kind: ChunkKind,
    pub label: String,
    /// What it defines.
    pub names: Vec<String>,
    pub origin: Origin,
    pub role: Role,
    /// 0 to 1.
    pub relevance: f64,
    /// 0 to 1.
    pub recency: f64,
    /// Asked for by name on the command line: comes before everything.
    pub pinned: bool,
    /// Lines of it that were asked for: they are shown while they fit, whatever becomes of the rest (PACK-4).
    pub asked: Vec<LineRange>,
    /// Output of a tool that failed: `focus` holds the lines that tell of the failure, and the other lines are shown only
    /// in room that nothing else wants (PACK-4).
    pub is_log: bool,
    /// Named by the task itself: has a place, if only by name (PACK-13).
    pub named: bool,
    /// Not found but pulled in, and by what (PACK-43).
    pub pulled_by: Option<String>,
    /// What the reader should know of it, in a few words: `changed 12–14`, `calls next at 30`. Stands beside its name.
    pub note: String,
    /// Lines of the heads of the definitions that begin in it, in order.
    pub heads: Vec<LineRange>,
    /// Lines before it, by number: the heads of the definitions that it is in. They stand above it (PACK-47).
    pub above: Vec<(u32, String)>,
    /// Which part of a definition that was split it is, and of how many.
    pub part: Option<(u32, u32)>,
    /// Lines that say in a sentence what it is.
    pub summary: Vec<u32>,
    /// Lines that match the task, best first, with how well.
    pub focus: Vec<(u32, f32)>,
    /// `worktree`, or the commit whose version of the file this is.
    pub at: String,
    /// Who found it.
    pub providers: Vec<String>,
    pub reasons: Vec<Reason>,
}

impl Piece {
    /// (line number, text) of all its lines.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &str)> {
        (self.lines.start()..=self.lines.end()).zip(self.text.split('\n'))
    }
}
