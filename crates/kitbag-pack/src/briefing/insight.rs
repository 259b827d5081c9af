//! What a brief is made of: one fact in one line, where it can be seen, and what speaks for telling it.

use std::borrow::Cow;

/// How much a brief tells (ENG-10). A deeper one says all that a shallower one does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    Overview,
    #[default]
    Standard,
    Deep,
}

impl Depth {
    pub const ALL: [Self; 3] = [Self::Overview, Self::Standard, Self::Deep];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Overview => "overview",
            Self::Standard => "standard",
            Self::Deep => "deep",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|depth| depth.as_str() == text)
    }

    /// Tokens that a brief of this depth has at most.
    pub fn tokens(self) -> usize {
        match self {
            Self::Overview => 2_000,
            Self::Standard => 6_000,
            Self::Deep => 12_000,
        }
    }
}

/// In the order of the text (ENG-30); code that the pack shows stands between examples and memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BriefSection {
    Header,
    Constraints,
    Patterns,
    EntryPoints,
    Guidance,
    KeyFiles,
    DataAccessors,
    Examples,
    Memories,
}

impl BriefSection {
    pub const ALL: [Self; 9] = [
        Self::Header,
        Self::Constraints,
        Self::Patterns,
        Self::EntryPoints,
        Self::Guidance,
        Self::KeyFiles,
        Self::DataAccessors,
        Self::Examples,
        Self::Memories,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Constraints => "constraints",
            Self::Patterns => "patterns",
            Self::EntryPoints => "entry_points",
            Self::Guidance => "guidance",
            Self::KeyFiles => "key_files",
            Self::DataAccessors => "data_accessors",
            Self::Examples => "examples",
            Self::Memories => "memories",
        }
    }

    /// As a heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Header => "Project",
            Self::Constraints => "Rules",
            Self::Patterns => "Conventions",
            Self::EntryPoints => "Entry points",
            Self::Guidance => "Worth knowing",
            Self::KeyFiles => "Key files",
            Self::DataAccessors => "Data access",
            Self::Examples => "Examples",
            Self::Memories => "Remembered",
        }
    }

    /// It stands after the code.
    pub(crate) fn is_last(self) -> bool {
        self == Self::Memories
    }

    /// Its items stand as they came, because one leads to the next: what a project is, then what it is built with.
    pub(crate) fn keeps_order(self) -> bool {
        self == Self::Header
    }
}

/// Where an insight can be seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InsightPlace {
    /// Relative to the project.
    pub path: String,
    /// From 1; 0: the whole file.
    pub line: u32,
}

/// Lines of a file that show what an insight says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    pub language: String,
    pub text: String,
}

/// One fact that a brief can tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Insight {
    /// Tells insights apart, and stays the same while it is the same thing that is told, whatever the words.
    pub id: String,
    pub section: BriefSection,
    /// What it weighs with (ENG-3): `conventions`, `error_handling`, `recent_changes` …
    pub category: Cow<'static, str>,
    /// One line, without marks of any format.
    pub text: String,
    pub place: Option<InsightPlace>,
    pub code: Option<Code>,
    /// 0 to 1.
    pub confidence: f64,
    /// How often it was seen; how often it is used.
    pub occurrences: u64,
    /// Days since it last changed.
    pub days: Option<f64>,
    /// How near it is to what is being worked on, 0 to 1 (see [`super::proximity`]).
    pub nearness: f64,
    /// Briefs of less depth do not tell it.
    pub from: Depth,
}

impl Insight {
    /// A fact that is certain, of no age, told at every depth.
    pub fn new(section: BriefSection, category: &'static str, id: String, text: String) -> Self {
        Self {
            id,
            section,
            category: Cow::Borrowed(category),
            text,
            place: None,
            code: None,
            confidence: 1.0,
            occurrences: 1,
            days: None,
            nearness: 0.5,
            from: Depth::Overview,
        }
    }
}
