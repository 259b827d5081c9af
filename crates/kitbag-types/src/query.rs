//! A parsed question (RET-1), and the limits on its answers (RET-23).

use crate::{ChunkKind, LineRange, RepoPath, Timestamp};

/// What kind of answer the words of a question ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryShape {
    /// A name: `parse_config`, `HttpClient`, `Foo::bar`.
    Symbol,
    /// A question about what code does.
    Behaviour,
    /// A question about how parts work together.
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

/// Something that the question names explicitly. It is always a candidate (RET-2).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reference {
    /// A path or the end of one, with lines if given: `src/a.rs:10-20`, a frame of a stack trace.
    File { path: String, lines: Option<LineRange> },
    /// A qualified or code-quoted name.
    Symbol(String),
}

/// A parsed question. Every list is in the order of the text and without repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub text: String,
    pub shape: QueryShape,
    pub references: Vec<Reference>,
    /// Words that look like identifiers, as written.
    pub identifiers: Vec<String>,
    /// Index terms with their weight in the question.
    pub terms: Vec<(String, f32)>,
    /// The question's plain words, lower case, without stop words. They are matched against file stems and folders.
    pub keywords: Vec<String>,
    /// The first line; the whole question if it is short.
    pub title: Title,
    /// Languages named by the question.
    pub languages: Vec<String>,
    /// Whether the question is about tests, so that test code is not ranked lower.
    pub wants_tests: bool,
    /// The same for documentation and examples.
    pub wants_docs: bool,
    /// The parts of the question that are not searched for, because there are too many (SEC-4). The caller is told.
    pub left_out: Vec<String>,
}

/// The first line of a long question, or the whole of a short one.
#[derive(Clone, Debug, PartialEq)]
pub struct Title {
    pub text: String,
    pub identifiers: Vec<String>,
    pub keywords: Vec<String>,
}

/// How many packages around one a question covers (ENG-20).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Only the package.
    Package,
    /// The package and its direct dependencies.
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
    /// Names of packages. The file must belong to one that the scope covers from there.
    pub packages: Vec<String>,
    /// `None`: only the packages if any are named, else the whole repository.
    pub scope: Option<Scope>,
    /// The open file. Its package is used if a scope is given and no package.
    pub at: Option<RepoPath>,
    /// Only files that changed at this time or later.
    pub since: Option<Timestamp>,
    pub min_score: f64,
    /// Moves near duplicates down: 0 is all diversity, 1 all relevance (RET-30). `None`: no change.
    pub mmr_lambda: Option<f64>,
    /// The file the user works in: files in its folder and language are ranked higher.
    pub active: Option<RepoPath>,
    /// The user who asks; empty if there is only one.
    pub user: String,
    /// Providers and factors that are switched off, to measure their effect.
    pub without: Vec<String>,
}
