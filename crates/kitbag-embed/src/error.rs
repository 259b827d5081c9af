//! Errors of models, with one variant per thing that a caller can do about it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Never contains a key.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmbedError {
    /// The bytes are not a table of this format. Use another file.
    #[error("not a table of this format: {what}")]
    Table { what: &'static str },
    /// Neither of the two kinds of folder; `what` says what is missing.
    #[error("{} is not a model: {what}", path.display())]
    NotAModel { path: PathBuf, what: String },
    #[error("{} cannot be read: {kind}", path.display())]
    Unreadable { path: PathBuf, kind: ErrorKind },
    /// A model of a kind that is not supported.
    #[error("{} is not supported: {what}", path.display())]
    Unsupported { path: PathBuf, what: String },
    /// A file of a model that contradicts itself or other files.
    #[error("{} is damaged: {what}", path.display())]
    Damaged { path: PathBuf, what: String },
    /// A setting that no request can be made with.
    #[error("{setting} cannot be used: {why}")]
    BadSetting { setting: &'static str, why: String },
    /// The server refuses, and another try would not help.
    #[error("{url} refuses with status {status}{}", said(message))]
    Refused {
        url: String,
        status: u16,
        message: String,
    },
    /// All tries failed; it may work later.
    #[error("{url} gave no vectors, tried {n_tries} times: {why}")]
    Unreachable { url: String, n_tries: u32, why: String },
    /// A model of the program around the library (LIB-1) failed, or gave an invalid result.
    #[error("the model {id} failed: {what}")]
    Custom { id: String, what: String },
    /// The server's reply does not contain the requested vectors.
    #[error("{url} answers strangely: {what}")]
    BadAnswer { url: String, what: String },
}

impl EmbedError {
    /// The stable code of ERR-1, the same on every surface.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAModel { .. } | Self::Unsupported { .. } | Self::BadSetting { .. } => "CONFIG_ERROR",
            Self::Table { .. }
            | Self::Unreadable { .. }
            | Self::Damaged { .. }
            | Self::Refused { .. }
            | Self::Unreachable { .. }
            | Self::Custom { .. }
            | Self::BadAnswer { .. } => "EMBEDDING_ERROR",
        }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            what: what.into(),
        }
    }

    pub(crate) fn unsupported(path: &Path, what: impl Into<String>) -> Self {
        Self::Unsupported {
            path: path.to_owned(),
            what: what.into(),
        }
    }
}

fn said(message: &str) -> String {
    if message.is_empty() {
        String::new()
    } else {
        format!(": {message}")
    }
}
