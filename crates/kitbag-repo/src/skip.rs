//! The two results of the filter: indexed, or skipped with a reason.

/// Why a path is not indexed. The word is stable: it is stored and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// `*.private`, `*.secret`.
    Never,
    BuiltIn,
    HiddenFolder,
    GitIgnore,
    ContextIgnore,
    DockerIgnore,
    IgnorePatterns,
    OutsideWatchPaths,
    Extension,
    Binary,
    TooLarge,
    Symlink,
    /// A pipe, a socket, a device.
    NotAFile,
    NameNotUtf8,
    PathTooLong,
    /// A folder that cannot be listed.
    Unreadable,
    /// On the deny-list: not indexed, not shown (SEC-7).
    Denied,
}

impl SkipReason {
    pub const ALL: [Self; 17] = [
        Self::Never,
        Self::BuiltIn,
        Self::HiddenFolder,
        Self::GitIgnore,
        Self::ContextIgnore,
        Self::DockerIgnore,
        Self::IgnorePatterns,
        Self::OutsideWatchPaths,
        Self::Extension,
        Self::Binary,
        Self::TooLarge,
        Self::Symlink,
        Self::NotAFile,
        Self::NameNotUtf8,
        Self::PathTooLong,
        Self::Unreadable,
        Self::Denied,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::BuiltIn => "built_in",
            Self::HiddenFolder => "hidden_folder",
            Self::GitIgnore => "gitignore",
            Self::ContextIgnore => "contextignore",
            Self::DockerIgnore => "dockerignore",
            Self::IgnorePatterns => "ignore_patterns",
            Self::OutsideWatchPaths => "outside_watch_paths",
            Self::Extension => "extension",
            Self::Binary => "binary",
            Self::TooLarge => "too_large",
            Self::Symlink => "symlink",
            Self::NotAFile => "not_a_file",
            Self::NameNotUtf8 => "name_not_utf8",
            Self::PathTooLong => "path_too_long",
            Self::Unreadable => "unreadable",
            Self::Denied => "denied",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == text)
    }
}

/// A reason and the rule behind it: `.gitignore:3: *.log`, `built-in: node_modules`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skip {
    pub reason: SkipReason,
    pub detail: String,
}

impl Skip {
    pub(crate) fn new(reason: SkipReason, detail: impl Into<String>) -> Self {
        Self {
            reason,
            detail: detail.into(),
        }
    }
}

/// The result of the filter (IDX-7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Indexed,
    Skipped(Skip),
}
