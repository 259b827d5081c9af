//! A chunk: a piece of a file that is indexed as one unit, with its lines and its capsule (text that is searched but not
//! shown).

use std::ops::Range;

/// Lines of a file, counted from 1, both ends included. `start <= end` always holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineRange {
    start: u32,
    end: u32,
}

impl LineRange {
    /// Panics on `start == 0` or `start > end`: such a range is a bug of the caller.
    pub fn new(start: u32, end: u32) -> Self {
        assert!(start >= 1 && start <= end, "line range {start}-{end}");
        Self { start, end }
    }

    pub fn start(self) -> u32 {
        self.start
    }

    pub fn end(self) -> u32 {
        self.end
    }

    pub fn n_lines(self) -> u32 {
        self.end - self.start + 1
    }

    pub fn overlaps(self, other: Self) -> bool {
        self.start <= other.end && other.start <= self.end
    }

    pub fn contains(self, line_number: u32) -> bool {
        self.start <= line_number && line_number <= self.end
    }
}

/// What a chunk is (IDX-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChunkKind {
    Paragraph,
    CodeFunction,
    CodeClass,
    CodeBlock,
    Comment,
    Docstring,
    MarkdownSection,
    SqlStatement,
    YamlBlock,
    ConfigBlock,
    StyleRule,
    MarkupBlock,
}

impl ChunkKind {
    pub const ALL: [Self; 12] = [
        Self::Paragraph,
        Self::CodeFunction,
        Self::CodeClass,
        Self::CodeBlock,
        Self::Comment,
        Self::Docstring,
        Self::MarkdownSection,
        Self::SqlStatement,
        Self::YamlBlock,
        Self::ConfigBlock,
        Self::StyleRule,
        Self::MarkupBlock,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Paragraph => "paragraph",
            Self::CodeFunction => "code_function",
            Self::CodeClass => "code_class",
            Self::CodeBlock => "code_block",
            Self::Comment => "comment",
            Self::Docstring => "docstring",
            Self::MarkdownSection => "markdown_section",
            Self::SqlStatement => "sql_statement",
            Self::YamlBlock => "yaml_block",
            Self::ConfigBlock => "config_block",
            Self::StyleRule => "style_rule",
            Self::MarkupBlock => "markup_block",
        }
    }

    /// A kind by its name, or by a common word for it.
    pub fn parse(text: &str) -> Option<Self> {
        let by_name = Self::ALL.into_iter().find(|kind| kind.as_str() == text);
        by_name.or(match text {
            "function" | "fn" | "method" => Some(Self::CodeFunction),
            "class" | "struct" | "type" => Some(Self::CodeClass),
            "block" | "code" => Some(Self::CodeBlock),
            "section" | "markdown" => Some(Self::MarkdownSection),
            "statement" | "sql" => Some(Self::SqlStatement),
            "config" => Some(Self::ConfigBlock),
            _ => None,
        })
    }

    /// Whether it is program text, not prose, settings or markup.
    pub fn is_code(self) -> bool {
        matches!(self, Self::CodeFunction | Self::CodeClass | Self::CodeBlock)
    }
}

/// A piece of a file that is indexed as one unit. Its text is `file_text[bytes]`; `bytes` begins at the start of line
/// `lines.start()` and ends after the last character of line `lines.end()`, without the line break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub lines: LineRange,
    pub bytes: Range<usize>,
    pub kind: ChunkKind,
    /// The name that is shown: `Parser::next`, `Install > From source`, `CREATE TABLE users`.
    pub label: String,
    /// Part `n` of `m`, counted from 1, if one definition was too large for one chunk; `(1, 1)` otherwise.
    pub part: (u32, u32),
    /// The names of its containers and its own, used for ids that survive edits.
    pub symbol_path: String,
    /// Names that this chunk defines, as written. They are a separate field of the text index.
    pub names: Vec<String>,
    /// The text of its doc comment, markers removed.
    pub docs: String,
    /// Context that is not in the text of the chunk: module, enclosing types, signature, imports it uses. Searched, never
    /// shown.
    pub capsule: String,
}
