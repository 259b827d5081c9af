//! A failure, as a person or a program sees it: a stable code (ERR-1), a message, a hint, and the exit code of the process
//! (CLI-3). Every other error is turned into one of these before it is shown.

#[cfg(test)]
mod tests;

use std::process::ExitCode;

use kitbag_engine::EngineError;
use serde::Serialize;

use crate::printer::{Page, Style, json};
use crate::settings::ConfigErrors;

/// How a command ended. Documented in `kitbag --help` and docs/cli.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Fine,
    /// The command worked and found nothing.
    NothingFound,
    /// Invalid arguments, settings or paths.
    WrongUse,
    /// The index, its store or the disk failed.
    Trouble,
    /// A panic. The number is the one that Rust uses.
    Bug,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Fine => 0,
            Exit::NothingFound => 1,
            Exit::WrongUse => 2,
            Exit::Trouble => 3,
            Exit::Bug => 101,
        })
    }
}

#[derive(Clone, Debug)]
pub struct Failure {
    pub code: &'static str,
    pub message: String,
    pub hint: Option<String>,
    pub exit: Exit,
}

impl Failure {
    pub fn wrong_use(code: &'static str, message: impl Into<String>) -> Failure {
        Failure {
            code,
            message: message.into(),
            hint: None,
            exit: Exit::WrongUse,
        }
    }

    pub fn trouble(code: &'static str, message: impl Into<String>) -> Failure {
        Failure {
            code,
            message: message.into(),
            hint: None,
            exit: Exit::Trouble,
        }
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }

    /// `{"error": {"code", "message", "hint"}}`, for standard output.
    pub fn to_json(&self, pretty: bool) -> String {
        #[derive(Serialize)]
        struct Wrapped<'a> {
            error: Inner<'a>,
        }
        #[derive(Serialize)]
        struct Inner<'a> {
            code: &'a str,
            message: &'a str,
            hint: Option<&'a str>,
        }
        let inner = Inner {
            code: self.code,
            message: &self.message,
            hint: self.hint.as_deref(),
        };
        json(&Wrapped { error: inner }, pretty)
    }

    /// For standard error. A message of several lines (a broken configuration) keeps them.
    pub fn print(&self, page: &mut Page) {
        page.styled(Style::Error, "error:").put(" ");
        let mut lines = self.message.lines();
        page.line(lines.next().unwrap_or_default());
        for line in lines {
            page.put("       ").line(line);
        }
        if let Some(hint) = &self.hint {
            page.styled(Style::Quiet, "hint:").put(" ").line(hint);
        }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        let code = error.code();
        // The user can correct paths and settings, but not a disk that fails.
        let exit = match &error {
            EngineError::Store(_) | EngineError::File { .. } | EngineError::Cancelled => Exit::Trouble,
            EngineError::Internal { .. } => Exit::Bug,
            _ if matches!(
                code,
                "PATH_UNREADABLE" | "GIT_ERROR" | "JOB_RUNNING" | "TOO_MANY_JOBS"
            ) =>
            {
                Exit::Trouble
            }
            _ => Exit::WrongUse,
        };
        Failure {
            code,
            hint: error.hint(),
            message: error.to_string(),
            exit,
        }
    }
}

impl From<ConfigErrors> for Failure {
    fn from(errors: ConfigErrors) -> Failure {
        let failure = Failure::wrong_use(errors.code(), errors.to_string());
        match failure.code {
            ConfigErrors::CODE => {
                failure.with_hint("`kitbag config init --print` shows every setting with its default")
            }
            _ => failure,
        }
    }
}
