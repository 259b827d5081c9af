//! A tree: an opened project root with its rules. The operations on it (`Tree::scan`, `Tree::read`, `Tree::watch` …) are in the
//! modules that implement them.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use kitbag_types::{FileStamp, Note, RepoPath};

use crate::rules::Rules;
use crate::secrets::{Finding, SecretRules};
use crate::stamp::file_stamp;
use crate::{BoundaryOptions, RepoError, places};

/// An opened project root. Cheap to open: nothing is walked.
#[derive(Debug)]
pub struct Tree {
    root: PathBuf,
    options: BoundaryOptions,
    rules: Rules,
    secrets: SecretRules,
    notes: Vec<Note>,
}

impl Tree {
    /// Refuses roots and watch paths that cannot or must not be indexed (IDX-2), and patterns that cannot match.
    pub fn open(root: &Path, options: BoundaryOptions, secrets: SecretRules) -> Result<Self, RepoError> {
        let canonical = canonical_folder(root, options.home.as_deref())?;
        let (watch, notes) = watch_paths(&canonical, &options)?;
        let rules = Rules::new(&options, watch)?;
        Ok(Self {
            root: canonical,
            options,
            rules,
            secrets,
            notes,
        })
    }

    /// Canonical.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn options(&self) -> &BoundaryOptions {
        &self.options
    }

    /// Notes about the options themselves: watch paths that overlap.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) fn secrets(&self) -> &SecretRules {
        &self.secrets
    }

    /// A text for output (a log, a diff, a message) without its secrets, and what was found in it.
    pub fn redact<'t>(&self, text: &'t str) -> (Cow<'t, str>, Vec<Finding>) {
        self.secrets.redact(text)
    }

    /// The path on disk of a path of the project.
    pub(crate) fn disk(&self, path: &str) -> PathBuf {
        if path.is_empty() {
            self.root.clone()
        } else {
            self.root.join(path)
        }
    }

    /// The current stamp of a file; `None` if there is no such file.
    pub fn stamp(&self, path: &RepoPath) -> Option<FileStamp> {
        let metadata = fs::metadata(self.disk(path.as_str())).ok()?;
        metadata.is_file().then(|| file_stamp(&metadata))
    }

    /// Whether there is a file, a folder or a link at this path.
    pub fn exists(&self, path: &RepoPath) -> bool {
        self.stat(path.as_str()).is_ok()
    }

    /// Makes a path from outside (an argument, a request) relative to the root (IDX-6). It need not exist, but links in the part
    /// that does are resolved, and the result must be inside the root.
    pub fn resolve(&self, user_path: &Path, cwd: &Path) -> Result<RepoPath, RepoError> {
        let absolute = cwd.join(user_path);
        let outside = || RepoError::Outside {
            path: absolute.clone(),
            root: self.root.clone(),
        };
        let canonical = canonical_as_far_as_possible(&absolute).ok_or_else(outside)?;
        let inside = canonical.strip_prefix(&self.root).map_err(|_| outside())?;
        let mut parts = Vec::new();
        for component in inside.components() {
            let part = component.as_os_str().to_str().ok_or_else(|| RepoError::NotUtf8 {
                path: absolute.clone(),
            })?;
            parts.push(part);
        }
        if parts.is_empty() {
            return Err(RepoError::IsRoot { path: canonical });
        }
        RepoPath::new(parts.join("/")).map_err(|_| outside())
    }

    pub(crate) fn stat(&self, path: &str) -> Result<fs::Metadata, RepoError> {
        let disk = self.disk(path);
        fs::symlink_metadata(&disk).map_err(|error| io_error(&disk, error))
    }

    /// The names in a folder that are UTF-8, sorted; none if it cannot be listed.
    pub(crate) fn names(&self, path: &str) -> Result<Vec<String>, RepoError> {
        let disk = self.disk(path);
        let entries = match fs::read_dir(&disk) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(Vec::new()),
            Err(error) => return Err(io_error(&disk, error)),
        };
        let mut names: Vec<String> = entries
            .flatten()
            .map(|entry| entry.file_name())
            .filter_map(|name| OsString::into_string(name).ok())
            .collect();
        names.sort();
        Ok(names)
    }
}

pub(crate) fn io_error(path: &Path, source: io::Error) -> RepoError {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => RepoError::NotFound { path },
        _ => RepoError::Unreadable { path, source },
    }
}

fn canonical_folder(path: &Path, home: Option<&Path>) -> Result<PathBuf, RepoError> {
    let canonical = path.canonicalize().map_err(|error| io_error(path, error))?;
    if let Some(why) = places::why_refused(path, &canonical, home) {
        return Err(RepoError::Refused {
            path: path.to_owned(),
            why,
        });
    }
    if !canonical.is_dir() {
        return Err(RepoError::NotAFolder {
            path: path.to_owned(),
        });
    }
    match fs::read_dir(&canonical) {
        Ok(_) => Ok(canonical),
        Err(error) => Err(io_error(path, error)),
    }
}

/// The watch paths relative to the root, without those inside another, and a note per such path.
fn watch_paths(root: &Path, options: &BoundaryOptions) -> Result<(Vec<String>, Vec<Note>), RepoError> {
    let mut watch: Vec<String> = Vec::new();
    for given in &options.watch_paths {
        if given == "auto" {
            watch.push(String::new());
            continue;
        }
        let path = root.join(given);
        let canonical = path.canonicalize().map_err(|error| io_error(&path, error))?;
        if let Some(why) = places::why_refused(&path, &canonical, options.home.as_deref()) {
            return Err(RepoError::Refused { path, why });
        }
        let Ok(inside) = canonical.strip_prefix(root) else {
            return Err(RepoError::Outside {
                path,
                root: root.to_owned(),
            });
        };
        if canonical.is_dir()
            && let Err(error) = fs::read_dir(&canonical)
        {
            return Err(io_error(&path, error));
        }
        let inside = inside.to_str().ok_or(RepoError::NotUtf8 { path })?;
        watch.push(inside.replace(std::path::MAIN_SEPARATOR, "/"));
    }
    if watch.is_empty() {
        watch.push(String::new());
    }
    watch.sort();
    let mut notes = Vec::new();
    let mut kept: Vec<String> = Vec::new();
    for path in watch {
        let covered = |outer: &String| {
            outer.is_empty()
                || path == **outer
                || path
                    .strip_prefix(outer.as_str())
                    .is_some_and(|rest| rest.starts_with('/'))
        };
        match kept.iter().find(|outer| covered(outer)) {
            Some(outer) => notes.push(Note {
                code: "watch_paths_overlap",
                lines: None,
                message: format!(
                    "watch path `{}` is already covered by `{}`",
                    shown(&path),
                    shown(outer)
                ),
            }),
            None => kept.push(path),
        }
    }
    Ok((kept, notes))
}

fn shown(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

/// Canonicalises the longest existing part of a path and appends the rest, which must consist of plain names.
fn canonical_as_far_as_possible(path: &Path) -> Option<PathBuf> {
    let mut rest: Vec<&std::ffi::OsStr> = Vec::new();
    let mut existing = path;
    loop {
        match existing.canonicalize() {
            Ok(mut canonical) => {
                canonical.extend(rest.iter().rev());
                return Some(canonical);
            }
            // A dangling link would lead somewhere as soon as its target appears: it does not count as missing.
            Err(_) if fs::symlink_metadata(existing).is_ok_and(|found| found.file_type().is_symlink()) => {
                return None;
            }
            Err(_) => match existing.components().next_back()? {
                Component::Normal(name) => rest.push(name),
                _ => return None,
            },
        }
        existing = existing.parent()?;
    }
}

#[cfg(test)]
mod tests;
