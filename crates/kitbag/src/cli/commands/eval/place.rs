//! Where something stands in a file that somebody wrote: `file:line:column`.

use std::path::Path;

/// `file:line:column: what is wrong`; `first_line` is where the text that was parsed begins.
pub(super) fn problem_of_json(path: &Path, first_line: usize, error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(what, _)| what);
    let line = first_line + error.line().saturating_sub(1);
    format!("{}:{line}:{}: {what}", path.display(), error.column())
}

/// `file:line:column` of a byte of its text.
pub(super) fn place(path: &Path, text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{}:{line}:{column}", path.display())
}
