//! What can go wrong with a model: a variant for each thing a caller can do differently.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// No key is ever part of one.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmbedError {
    /// The bytes are not a model of this format. Take another file.
    #[error("not a table of this format: {what}")]
    Table { what: &'static str },
    /// Neither of the two kinds of folder; what would make it one.
    #[error("{} is not a model: {what}", path.display())]
    NotAModel { path: PathBuf, what: String },
    #[error("{} cannot be read: {kind}", path.display())]
    Unreadable { path: PathBuf, kind: ErrorKind },
    /// A model, but of a kind that is not computed here.
    #[error("{} is not supported: {what}", path.display())]
    Unsupported { path: PathBuf, what: String },
    /// A file of a model that contradicts itself or its neighbours.
    #[error("{} is damaged: {what}", path.display())]
    Damaged { path: PathBuf, what: String },
    /// A setting that no request can be made with.
    #[error("{setting} cannot be used: {why}")]
    BadSetting { setting: &'static str, why: String },
    /// The server says no, and asking again would not help.
    #[error("{url} refuses with status {status}{}", said(message))]
    Refused {
        url: String,
        status: u16,
        message: String,
    },
    /// Asked as often and as long as is sensible; it may work later.
    #[error("{url} gave no vectors, tried {n_tries} times: {why}")]
    Unreachable { url: String, n_tries: u32, why: String },
    /// A model that a program brought (LIB-1) failed, or gave something else than was asked for.
    #[error("the model {id} failed: {what}")]
    Custom { id: String, what: String },
    /// The server answers, but not with the vectors that were asked for.
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
