//! What is wrong with the configuration, said so that it can be mended: the place, the value, what is allowed.
//!
//! All problems are collected before anything is reported; mending a file one error at a time is a nuisance.

use std::fmt;
use std::path::PathBuf;

use kitbag_engine::SecretRules;

/// Everything that was wrong, in the order found. Never empty.
#[derive(Debug, PartialEq)]
pub(crate) struct ConfigErrors(pub(crate) Vec<ConfigError>);

#[derive(Debug, PartialEq)]
pub(crate) struct ConfigError {
    pub(crate) place: Place,
    pub(crate) message: String,
}

/// Where a value was given. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    Default,
    File {
        path: PathBuf,
        line: usize,
        column: usize,
    },
    Variable(String),
    Flag(String),
}

impl ConfigErrors {
    /// The stable code of ERR-1.
    pub(crate) const CODE: &'static str = "CONFIG_ERROR";
}

impl std::error::Error for ConfigErrors {}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.0.iter();
        let lines: Vec<String> = lines
            .map(|error| format!("{}: {}", error.place, error.message))
            .collect();
        // A message quotes the value that is wrong, and that may be a secret at the wrong key (SEC-7).
        f.write_str(&SecretRules::built_in().redact(&lines.join("\n")).0)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Default => f.write_str("default"),
            Place::File { path, line, column } => write!(f, "{}:{line}:{column}", path.display()),
            Place::Variable(name) | Place::Flag(name) => f.write_str(name),
        }
    }
}
