//! What a pack is made of: a piece of text with its place, facts about it and the reasons to include it. The caller fills it in;
//! this crate knows nothing else about it.

use kitbag_types::{ChunkKind, LineRange, Reason};

/// Where a piece came from (PACK-1), the better sources first: of two equal pieces the one with the earlier variant stays.
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

/// The role of a piece's file in its project. It decides the section (PACK-50).
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
    /// At least 16 hexadecimal digits that identify the piece; they stay the same when lines above it change.
    pub id: String,
    /// Relative to the project, or the name of a text that is not a file (`git diff`).
    pub path: String,
    /// `path` names a file of the project, and this is its text.
    pub is_file: bool,
    /// Number of the handed-in text that it is from, counted from 1; 0 if it is from none. Pieces with the same path and number
    /// count their lines alike.
    pub given: u32,
    pub lines: LineRange,
    /// Exactly `lines`, without the last line break.
    pub text: String,
    /// Tokens of `text` by the pack's own tokenizer, if they are known already.
    pub tokens: Option<usize>,
    /// Number of blank lines of the file right after it.
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
    /// The asker named it (`--open`, `--ref`): it comes before everything else.
    pub pinned: bool,
    /// Lines of it that were asked for. They are shown as long as they fit, even if the rest is not (PACK-4).
    pub asked: Vec<LineRange>,
    /// Output of a tool that failed: `focus` has the lines about the failure; the other lines are shown only
    /// in room that nothing else needs (PACK-4).
    pub is_log: bool,
    /// The task itself names it: it is always in the pack, at least by name (PACK-13).
    pub named: bool,
    /// What pulled it in, if it was not found by the search (PACK-43).
    pub pulled_by: Option<String>,
    /// A few words for the reader, shown beside its name: `changed 12–14`, `calls next at 30`.
    pub note: String,
    /// Lines of the heads of the definitions that begin in it, in order.
    pub heads: Vec<LineRange>,
    /// Lines before it, by number: the heads of the definitions that it is in. They are shown above it (PACK-47).
    pub above: Vec<(u32, String)>,
    /// Which part it is of a definition that was split, and of how many parts.
    pub part: Option<(u32, u32)>,
    /// Lines that summarise it in a sentence.
    pub summary: Vec<u32>,
    /// Lines that match the task, best first, with how well.
    pub focus: Vec<(u32, f32)>,
    /// `worktree`, or the commit whose version of the file this is.
    pub at: String,
    /// The providers that found it.
    pub providers: Vec<String>,
    pub reasons: Vec<Reason>,
}

impl Piece {
    /// (line number, text) of all its lines.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &str)> {
        (self.lines.start()..=self.lines.end()).zip(self.text.split('\n'))
    }
}
