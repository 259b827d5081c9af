//! What a question says, taken apart (RET-1), and what limits its answers (RET-23).

use crate::{ChunkKind, LineRange, RepoPath, Timestamp};

/// What is asked for, as far as the words tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryShape {
    /// A name: `parse_config`, `HttpClient`, `Foo::bar`.
    Symbol,
    /// A question about what code does.
    Behaviour,
    /// A question about how things hang together.
    Structure,
    /// An error message or a stack trace.
    Error,
}

impl QueryShape {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Symbol => "symbol",
            Self::Behaviour => "behaviour",
            Self::Structure => "structure",
            Self::Error => "error",
        }
    }
}

/// Something the question names outright: always a candidate (RET-2).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reference {
    /// A path or the end of one, with lines if it said so: `src/a.rs:10-20`, a stack-trace frame.
    File { path: String, lines: Option<LineRange> },
    /// A qualified or code-quoted name.
    Symbol(String),
}

/// A question, taken apart. Every list is in the order of the text and without repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub text: String,
    pub shape: QueryShape,
    pub references: Vec<Reference>,
    /// Words that look like identifiers, as written.
    pub identifiers: Vec<String>,
    /// Index terms with their weight in the question.
    pub terms: Vec<(String, f32)>,
    /// The question's plain words, lower case, stop words dropped: matched against file stems and folders.
    pub keywords: Vec<String>,
    /// What it says first; all of it if it is short.
    pub title: Title,
    /// Languages named by the question.
    pub languages: Vec<String>,
    /// The question is about tests, so test code does not sink.
    pub wants_tests: bool,
    /// Likewise documentation and examples.
    pub wants_docs: bool,
    /// What of the question is not looked for, because there is too much of it (SEC-4); said to whoever asks.
    pub left_out: Vec<String>,
}

/// The first line of a long question, or a whole short one.
#[derive(Clone, Debug, PartialEq)]
pub struct Title {
    pub text: String,
    pub identifiers: Vec<String>,
    pub keywords: Vec<String>,
}

/// How far from a package a question reaches (ENG-20).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The package alone.
    Package,
    /// And what it depends on directly.
    CrossPackage,
    /// The whole repository.
    Repo,
}

impl Scope {
    pub const ALL: [Self; 3] = [Self::Package, Self::CrossPackage, Self::Repo];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Package => "package",
            Self::CrossPackage => "cross_package",
            Self::Repo => "repo",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text)
    }
}

/// Limits on what may answer. Empty lists mean no limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Globs on the path; one must match.
    pub paths: Vec<String>,
    /// Globs on the path; none may match.
    pub exclude: Vec<String>,
    pub languages: Vec<String>,
    pub kinds: Vec<ChunkKind>,
    /// Packages, as somebody may call them; the file must belong to one that the scope reaches from there.
    pub packages: Vec<String>,
    /// `None`: the packages alone if some are named, else the whole repository.
    pub scope: Option<Scope>,
    /// The file that is open: its package is meant where a scope is given and no package.
    pub at: Option<RepoPath>,
    /// Files that changed then or later.
    pub since: Option<Timestamp>,
    pub min_score: f64,
    /// Near doubles wait for something else: 0 all diversity, 1 all relevance (RET-30). `None`: the plain order.
    pub mmr_lambda: Option<f64>,
    /// Where the person stands: its folder and language rise.
    pub active: Option<RepoPath>,
    /// Who asks; empty if there is one user.
    pub user: String,
    /// Providers and factors that are switched off, to see what they are worth.
    pub without: Vec<String>,
}
