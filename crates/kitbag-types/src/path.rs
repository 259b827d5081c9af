//! A path inside the project: relative to its root, `/` on every system, never `..`, always UTF-8.
//!
//! It is checked once where it enters (IDX-6), so no other room has to check it. A file whose name is not UTF-8 cannot be
//! named in JSON or in a prompt; it is reported as skipped.

use std::fmt;

/// A path inside the project. Ordered by bytes, so that all listings have the same order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(String);

/// Resolves a path relative to a folder: without `.`, `..` and doubled slashes. `None` if it leaves the project.
pub fn leads_to(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Why a text is not a [`RepoPath`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidPath {
    Empty,
    Absolute,
    /// `.`, `..` or an empty component.
    Component,
    Nul,
}

impl fmt::Display for InvalidPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InvalidPath::Empty => "the path is empty",
            InvalidPath::Absolute => "the path is absolute",
            InvalidPath::Component => "the path has an empty, `.` or `..` component",
            InvalidPath::Nul => "the path holds a NUL byte",
        })
    }
}

impl std::error::Error for InvalidPath {}

impl RepoPath {
    /// Accepts only a path in its normal form; nothing is repaired.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidPath> {
        let text = text.into();
        if text.is_empty() {
            return Err(InvalidPath::Empty);
        }
        if text.starts_with('/') {
            return Err(InvalidPath::Absolute);
        }
        if text.contains('\0') {
            return Err(InvalidPath::Nul);
        }
        if text.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err(InvalidPath::Component);
        }
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last component.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The file name up to its first dot, not counting a leading one: `app.test.ts` → `app`.
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        match name.char_indices().skip(1).find(|(_, c)| *c == '.') {
            Some((at, _)) => &name[..at],
            None => name,
        }
    }

    /// The part after the last dot of the file name, as written; `.bashrc` and `Makefile` have none.
    pub fn extension(&self) -> Option<&str> {
        let (stem, extension) = self.file_name().rsplit_once('.')?;
        (!stem.is_empty() && !extension.is_empty()).then_some(extension)
    }

    /// The folder of the file, `""` for the root.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests;
