//! Errors in the configuration, with what is needed to correct them: the place, the value, the values allowed.
//!
//! All errors are collected before any is reported, so that a file can be corrected in one go.

use std::fmt;
use std::path::PathBuf;

use kitbag_engine::SecretRules;

/// All errors, in the order they were found. Never empty.
#[derive(Debug, PartialEq)]
pub struct ConfigErrors(pub Vec<ConfigError>);

#[derive(Debug, PartialEq)]
pub struct ConfigError {
    pub place: Place,
    pub message: String,
}

/// Where a value was given. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
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
    pub const CODE: &'static str = "CONFIG_ERROR";

    /// A wrong flag is not an error in the configuration; it gets the code that every other door gives for the same mistake.
    pub fn code(&self) -> &'static str {
        let code = |error: &ConfigError| match &error.place {
            Place::Flag(flag) => FLAG_CODES
                .iter()
                .find(|(known, _)| known == flag)
                .map(|(_, code)| *code),
            _ => None,
        };
        let mut codes = self.0.iter().map(code);
        match codes.next() {
            Some(Some(first)) if codes.all(|code| code == Some(first)) => first,
            _ => Self::CODE,
        }
    }
}

/// Flags that set a setting, with the code for a wrong value (ERR-1).
const FLAG_CODES: [(&str, &str); 7] = [
    ("--model", "TOKEN_COUNTING_ERROR"),
    ("--window", "BUDGET_ERROR"),
    ("--system-reserve", "BUDGET_ERROR"),
    ("--response-reserve", "BUDGET_ERROR"),
    ("--top", "INVALID_TOP"),
    ("--min-score", "INVALID_SCORE"),
    ("--mmr-lambda", "INVALID_LAMBDA"),
];

impl std::error::Error for ConfigErrors {}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.0.iter();
        let lines: Vec<String> = lines
            .map(|error| format!("{}: {}", error.place, error.message))
            .collect();
        // A message quotes the wrong value, which may be a secret given for the wrong key (SEC-7).
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
