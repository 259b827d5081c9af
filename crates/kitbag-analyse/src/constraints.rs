//! Constraints (INS-3): what a project demands of its code, found in its configuration and its documents, each with its place.
//!
//! [`read`] turns one file into constraints, from its path and text alone. Which configuration files are read, and what of them
//! counts, are rows of `constraints/table.rs`; documents are read sentence by sentence (`document.rs`). What a tool enforces is told as
//! the tool's setting, not retold in other words: a reader must find it again at its line. Nothing is executed, so rules that a
//! configuration takes from elsewhere (`extends`) are told as that, not expanded.

mod document;
mod gates;
mod ini;
mod lists;
mod scripts;
mod settings;
mod table;
#[cfg(test)]
mod tests;
mod tools;

use globset::GlobBuilder;
use kitbag_types::{Note, RepoPath};

use crate::packages::Place;
pub use tools::tool_extensions;

/// Bump when [`read`] gives something else for the same file. 1: first.
pub const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    pub kind: Kind,
    /// Who says it: `ruff`, `rustfmt`, `CODEOWNERS`, `CI`; for documents the file's name.
    pub tool: String,
    /// `linter`, `formatter`, `types`, `compiler`, `editor`, `imports`, `tests`, `versions`, `ownership`, `ci`, `document`.
    pub category: &'static str,
    pub enforcement: Enforcement,
    /// The folder below which it holds; empty for the whole project.
    pub folder: String,
    /// Of these only the files that fit, as the tool writes it.
    pub files: Option<String>,
    /// The heading that it stands under, for documents.
    pub heading: Option<String>,
    pub guidance: String,
    pub place: Place,
}

/// Where a constraint comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Config,
    Document,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Enforcement {
    /// A tool refuses what breaks it, or the words leave no choice.
    Error,
    Warning,
    /// A default, an owner, a plain request.
    Info,
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Config, Self::Document];

    pub fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Document => "document",
        }
    }
}

impl Enforcement {
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

impl Constraint {
    /// When it applies, in words.
    pub fn condition(&self) -> String {
        let below = match self.folder.as_str() {
            "" => String::new(),
            folder => format!(" below {folder}"),
        };
        let files = match &self.files {
            Some(files) => format!("files {files}"),
            None => "all files".to_owned(),
        };
        match &self.heading {
            Some(heading) => format!("{files}{below}; {heading}"),
            None => format!("{files}{below}"),
        }
    }

    /// Whether it speaks about a file or folder.
    pub fn applies_to(&self, path: &str) -> bool {
        let folder = self.folder.as_str();
        let inside = match path.strip_prefix(folder) {
            _ if folder.is_empty() => path,
            Some("") => return true,
            Some(rest) if rest.starts_with('/') => &rest[1..],
            // The folder of the constraint lies below the one that was asked about.
            _ => {
                return folder
                    .strip_prefix(path)
                    .is_some_and(|rest| rest.starts_with('/'));
            }
        };
        self.files.as_deref().is_none_or(|files| fits(files, inside))
    }
}

/// Patterns as editors, linters and `CODEOWNERS` write them: without a slash they mean names, with one paths. What cannot be read
/// as a pattern fits everything, because leaving out a constraint is the worse mistake.
fn fits(patterns: &str, path: &str) -> bool {
    let one = |pattern: &str| {
        let anchored = pattern.trim_start_matches('/').trim_end_matches("/**");
        let name = path.rsplit('/').next().unwrap_or(path);
        let subject = if anchored.trim_end_matches('/').contains('/') || pattern.starts_with('/') {
            path
        } else {
            name
        };
        let folder = anchored.trim_end_matches('/');
        let glob = |text: &str| {
            let glob = GlobBuilder::new(text).literal_separator(true).build().ok()?;
            Some(glob.compile_matcher())
        };
        match (glob(folder), glob(&format!("{folder}/**"))) {
            (Some(whole), Some(below)) => {
                whole.is_match(subject) || below.is_match(path) || folder == "*" || folder == "**"
            }
            _ => true,
        }
    };
    patterns.split(", ").any(one)
}

/// Whether [`read`] wants to see a file.
pub fn is_source(path: &RepoPath) -> bool {
    table::is_config(path) || document::is_rules(path)
}

/// The constraints of one file, by line. Notes say what could not be read.
pub fn read(path: &RepoPath, text: &str) -> (Vec<Constraint>, Vec<Note>) {
    let (mut found, notes) = match document::is_rules(path) {
        true => (document::read(path, text), Vec::new()),
        false => table::read(path, text),
    };
    found.sort_by(|a, b| (a.place.line, &a.guidance).cmp(&(b.place.line, &b.guidance)));
    found.dedup();
    (found, notes)
}

/// What a row of the table makes of one value.
struct Found {
    line: u32,
    guidance: String,
    enforcement: Enforcement,
    files: Option<String>,
}

/// A text of the file in a sentence: one line, not longer than a reader wants.
fn shortened(text: &str, most: usize) -> String {
    let mut plain = String::new();
    for word in text.split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(word);
    }
    match plain.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &plain[..at]),
        None => plain,
    }
}
