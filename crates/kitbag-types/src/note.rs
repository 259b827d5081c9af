//! A note: a problem in the user's code that did not stop the work (broken source is not an error).

use crate::LineRange;

/// Accompanies a usable result and never replaces one. Contains no text of the file (SEC-2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// A short stable word for the kind of problem: `parse_timeout`, `too_deep`, `redacted`, `not_utf8` …
    pub code: &'static str,
    pub lines: Option<LineRange>,
    pub message: String,
}
