//! Where a program is entered from outside (INS-4): HTTP routes with method and full path, commands, jobs, handlers of events, mains; and
//! what a library offers.
//!
//! Facts of all files come in, entry points go out, each with the place where it is declared and, where that is certain, the definition that
//! handles it. A framework is a row of a table; what rows cannot say (resources that become seven routes, routes by file names) is one
//! file per shape. Routes that are made at run time are told as such and not guessed.

mod classes;
mod commands;
mod django;
mod exports;
mod files;
mod handlers;
mod jobs;
mod laravel;
mod mains;
mod phoenix;
mod prefixes;
mod rails;
mod repeated;
mod rocket;
mod routes;
mod schemas;
mod table;

use kitbag_types::RepoPath;

use crate::code::{At, Code};

pub use exports::exports;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// A request over HTTP, gRPC or GraphQL.
    Api,
    Cli,
    Event,
    /// A name of the public interface of a library.
    Export,
    Job,
    Main,
}

impl EntryKind {
    pub const ALL: [Self; 6] = [
        Self::Api,
        Self::Cli,
        Self::Event,
        Self::Export,
        Self::Job,
        Self::Main,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Cli => "cli",
            Self::Event => "event",
            Self::Export => "export",
            Self::Job => "job",
            Self::Main => "main",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// The definition that handles an entry point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Handler {
    /// With its type: `UsersController.show`.
    pub name: String,
    pub path: RepoPath,
    /// From 1.
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryPoint {
    pub kind: EntryKind,
    pub framework: &'static str,
    /// Of a request: `GET`, `ANY` … Empty otherwise.
    pub method: String,
    /// Of a request: the full path with its parameters as written. Of an event: its topic or queue. Of a job: its schedule, if it has one.
    /// Of an export: the module that offers it.
    pub route: String,
    /// What it is called: the command, the job, the handler.
    pub name: String,
    /// Where it is declared.
    pub path: RepoPath,
    /// From 1.
    pub line: u32,
    pub handler: Option<Handler>,
    /// Middleware, decorators and pipelines that stand before the handler.
    pub guards: Vec<String>,
}

/// Routes that cannot be known without running the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hidden {
    pub path: RepoPath,
    pub line: u32,
    pub what: String,
    /// How many. `None`: only the program knows.
    pub count: Option<u64>,
}

/// What was found, in the order of path and line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryPoints {
    pub list: Vec<EntryPoint>,
    pub hidden: Vec<Hidden>,
}

/// All entry points of a project. Files that are tests have none. `texts` are files that no grammar reads for us: schemas of
/// services and of GraphQL, and configuration that names commands.
pub fn find(code: &Code<'_>, texts: &[(RepoPath, String)]) -> EntryPoints {
    let mut found = EntryPoints::default();
    routes::find(code, &mut found);
    classes::find(code, &mut found);
    django::find(code, &mut found);
    rails::find(code, &mut found);
    laravel::find(code, &mut found);
    phoenix::find(code, &mut found);
    files::find(code, &mut found);
    commands::find(code, texts, &mut found);
    jobs::find(code, &mut found);
    mains::find(code, &mut found);
    schemas::find(code, texts, &mut found);
    let key = |entry: &EntryPoint| (entry.path.clone(), entry.line, entry.clone());
    found.list.sort_by_key(key);
    found.list.dedup_by(|later, first| {
        later.path == first.path
            && later.line == first.line
            && later.kind == first.kind
            && later.method == first.method
            && later.route == first.route
            && (later.kind == EntryKind::Api || later.name == first.name)
    });
    found.hidden.sort();
    found.hidden.dedup();
    found
}

/// Whether `find` wants the text of a file.
pub fn wants_text(path: &RepoPath) -> bool {
    schemas::is_schema(path) || commands::is_manifest(path) || exports::is_manifest(path)
}

/// Where a fact stands, for an entry point.
fn entry(code: &Code<'_>, at: At, kind: EntryKind, framework: &'static str) -> EntryPoint {
    EntryPoint {
        kind,
        framework,
        method: String::new(),
        route: String::new(),
        name: String::new(),
        path: code.source(at).path.clone(),
        line: code.fact(at).line,
        handler: None,
        guards: Vec::new(),
    }
}

/// `prefix` and `path` with one slash between them, one in front and none at the end. An empty path is `/`.
fn join(prefix: &str, path: &str) -> String {
    let whole = format!(
        "{}/{}",
        prefix.trim_end_matches('/'),
        path.trim_start_matches('/')
    );
    let trimmed = whole.trim_matches('/');
    format!("/{trimmed}")
}
