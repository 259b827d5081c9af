//! The user's options about paths, compiled once: patterns, sizes, watched folders. And the kind of an entry in a directory
//! listing.

use std::fs;

use crate::boundary::{BoundaryOptions, normal_extensions};
use crate::pattern::IgnoreFile;
use crate::{RepoError, Skip, SkipReason};

/// The kind of an entry in a directory listing.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EntryKind {
    File { size: u64 },
    Folder,
    Symlink,
    Special,
}

pub(crate) fn kind_of(metadata: &fs::Metadata) -> EntryKind {
    let kind = metadata.file_type();
    if kind.is_symlink() {
        EntryKind::Symlink
    } else if kind.is_dir() {
        EntryKind::Folder
    } else if kind.is_file() {
        EntryKind::File { size: metadata.len() }
    } else {
        EntryKind::Special
    }
}

/// The parts of the options that are compiled once.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) patterns: IgnoreFile,
    size_exceptions: IgnoreFile,
    denied_paths: IgnoreFile,
    pub(crate) allowed: Vec<String>,
    pub(crate) blocked: Vec<String>,
    /// Relative paths; one `""` for the whole root.
    watch: Vec<String>,
    max_file_bytes: u64,
    pub(crate) hidden: bool,
    pub(crate) use_gitignore: bool,
}

impl Rules {
    pub(crate) fn new(options: &BoundaryOptions, watch: Vec<String>) -> Result<Self, RepoError> {
        Ok(Self {
            patterns: compile("ignore_patterns", &options.ignore_patterns)?,
            size_exceptions: compile("size_exceptions", &options.size_exceptions)?,
            denied_paths: compile("denied_paths", &options.denied_paths)?,
            allowed: normal_extensions(&options.allowed_extensions),
            blocked: normal_extensions(&options.blocked_extensions),
            watch,
            max_file_bytes: options.max_file_bytes,
            hidden: options.hidden,
            use_gitignore: options.use_gitignore,
        })
    }

    pub(crate) fn denied_paths(&self) -> &IgnoreFile {
        &self.denied_paths
    }

    /// The size limit of this file.
    pub(crate) fn size_limit(&self, path: &str) -> u64 {
        match self.size_exceptions.matched(path, false) {
            Some(pattern) if !pattern.negated => BoundaryOptions::EXCEPTION_BYTES.max(self.max_file_bytes),
            _ => self.max_file_bytes,
        }
    }

    pub(crate) fn too_large(&self, path: &str, size: u64) -> Option<Skip> {
        let limit = self.size_limit(path);
        (size > limit).then(|| {
            Skip::new(
                SkipReason::TooLarge,
                format!("{size} bytes, the limit is {limit}"),
            )
        })
    }

    /// How a path relates to the watched paths.
    pub(crate) fn watched(&self, path: &str) -> Watched {
        let inside = |path: &str, folder: &str| {
            path.strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        if self
            .watch
            .iter()
            .any(|watch| watch.is_empty() || inside(path, watch))
        {
            Watched::Inside
        } else if self.watch.iter().any(|watch| watch == path) {
            Watched::Itself
        } else if self.watch.iter().any(|watch| inside(watch, path)) {
            Watched::OnTheWay
        } else {
            Watched::Outside
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watched {
    Inside,
    Itself,
    OnTheWay,
    Outside,
}

fn compile(setting: &'static str, patterns: &[String]) -> Result<IgnoreFile, RepoError> {
    for pattern in patterns {
        if let Some(reason) = crate::pattern::Pattern::why_never(pattern) {
            return Err(RepoError::BadGlob {
                setting,
                pattern: pattern.clone(),
                reason,
            });
        }
    }
    Ok(IgnoreFile::parse(
        setting.to_owned(),
        String::new(),
        patterns.join("\n").as_bytes(),
    ))
}
