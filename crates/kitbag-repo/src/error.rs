//! Errors of a whole tree. The failure of one file is not an error of the tree: see `ReadFailure`.

use std::io;
use std::path::PathBuf;

/// One variant per thing that a caller can do about it.
#[derive(Debug, thiserror::Error)]
pub enum RepoError {
    #[error("{} does not exist", path.display())]
    NotFound { path: PathBuf },
    #[error("{} is not a folder", path.display())]
    NotAFolder { path: PathBuf },
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// A place that cannot be a project: `/`, a system folder, the home folder.
    #[error("{} is {why}; choose a project folder below it", path.display())]
    Refused { path: PathBuf, why: &'static str },
    /// A path that leads out of the root, by `..` or through a symbolic link.
    #[error("{} is outside the project {}", path.display(), root.display())]
    Outside { path: PathBuf, root: PathBuf },
    /// Names that are not UTF-8 cannot be stored or shown.
    #[error("{} is not valid UTF-8", path.display())]
    NotUtf8 { path: PathBuf },
    /// The root itself, where a path inside it is needed.
    #[error("{} is the project itself, not a path inside it", path.display())]
    IsRoot { path: PathBuf },
    #[error("the pattern `{pattern}` in {setting} can never match: {reason}")]
    BadGlob {
        setting: &'static str,
        pattern: String,
        reason: &'static str,
    },
    #[error("the secret pattern `{pattern}` is not a usable regular expression: {source}")]
    BadSecretPattern { pattern: String, source: regex::Error },
}

impl RepoError {
    /// The stable code of ERR-1, the same on every surface.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } | Self::NotAFolder { .. } | Self::IsRoot { .. } => "PATH_NOT_FOUND",
            Self::Unreadable { .. } => "PATH_UNREADABLE",
            Self::Refused { .. } | Self::Outside { .. } | Self::NotUtf8 { .. } => "PATH_DENIED",
            Self::BadGlob { .. } | Self::BadSecretPattern { .. } => "CONFIG_ERROR",
        }
    }
}
