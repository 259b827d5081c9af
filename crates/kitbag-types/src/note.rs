//! A note: something odd about the user's code that did not stop the work (broken source is not an error).

use crate::LineRange;

/// Said beside a usable result, never instead of one. Holds no text of the file (SEC-2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// A short stable word for the kind of thing: `parse_timeout`, `too_deep`, `redacted`, `not_utf8` …
    pub code: &'static str,
    pub lines: Option<LineRange>,
    pub message: String,
}
