//! Why an answer can fail: an error of the system, or a mistake in the request. Codes are those of ERR-1.

use kitbag_pack::PackError;
use kitbag_repo::{DiffError, RepoError};
use kitbag_store::StoreError;
use kitbag_types::Stopped;

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Repo(#[from] RepoError),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A request that cannot be answered as it is; the message says what is allowed.
    #[error("{message}")]
    Invalid { code: &'static str, message: String },
    /// A bug in Kitbag, reported instead of a wrong answer.
    #[error("{message}")]
    Internal { message: String },
    /// With `fail_fast`: the first file that could not be read.
    #[error("{path}: {message}")]
    File { path: String, message: String },
    /// The work was cancelled, or nobody waits for it any more. What a run has done is kept, and the next one continues from there.
    #[error("cancelled; what is done so far is kept")]
    Cancelled,
}

impl From<Stopped> for EngineError {
    fn from(_: Stopped) -> Self {
        Self::Cancelled
    }
}

impl From<DiffError> for EngineError {
    fn from(error: DiffError) -> Self {
        Self::Invalid {
            code: error.code(),
            message: error.to_string(),
        }
    }
}

impl From<PackError> for EngineError {
    fn from(error: PackError) -> Self {
        match error {
            PackError::Template(error) => Self::Invalid {
                code: "FORMATTING_ERROR",
                message: format!("the template: {error}"),
            },
            PackError::Stopped => Self::Cancelled,
            overflow @ PackError::Overflow { .. } => Self::Internal {
                message: overflow.to_string(),
            },
        }
    }
}

impl EngineError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Repo(error) => error.code(),
            Self::Store(error) => error.code(),
            Self::Invalid { code, .. } => code,
            Self::Internal { .. } => "INTERNAL_ERROR",
            Self::File { .. } => "FILE_ERROR",
            Self::Cancelled => "CANCELLED",
        }
    }

    /// What the user can do about it, if anything.
    pub fn hint(&self) -> Option<String> {
        let Self::Store(error) = self else { return None };
        Some(match error {
            StoreError::Busy { .. } => "wait for the other process, or search what is indexed so far".into(),
            StoreError::Newer { .. } => "update Kitbag, or choose another place with --store".into(),
            StoreError::Full { .. } => {
                "free some space and run the command again: nothing indexed so far is lost".into()
            }
            StoreError::Unwritable { .. } => {
                "check that the disk has space and run the command again: nothing indexed so far is lost"
                    .into()
            }
            StoreError::ReadOnly { .. } => "make it writable, or choose another place with --store".into(),
            StoreError::Missing { .. } => "run `kitbag index` first".into(),
            _ => return None,
        })
    }
}
