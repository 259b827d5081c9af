//! Files that a question names: paths, `path:line`, `path:10-20`, the frames of stack traces.

use kitbag_types::{Conventions, LineRange, Reference};

use super::Firsts;
use crate::tuning::MAX_QUERY_FILES;

/// The extension of a word, if it is that of a file.
pub(super) fn known_extension<'w>(word: &'w str, conventions: &Conventions) -> Option<&'w str> {
    let (stem, extension) = word.rsplit_once('.')?;
    let is_name = stem.chars().any(char::is_alphanumeric);
    (is_name && conventions.is_extension(extension)).then_some(extension)
}

/// File references in the order of the text, each once.
pub(super) fn files(text: &str, conventions: &Conventions) -> Firsts<Reference> {
    let mut found = Firsts::new(MAX_QUERY_FILES);
    let separators = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '(' | ')' | '`' | '"' | '\'' | ',' | ';' | '<' | '>' | '[' | ']'
            )
    };
    let words: Vec<&str> = text.split(separators).filter(|word| !word.is_empty()).collect();
    for (idx, word) in words.iter().enumerate() {
        let (path, lines) = split_lines(word);
        let path = path
            .trim_start_matches("./")
            .trim_end_matches(['.', ':', '!', '?']);
        if known_extension(path, conventions).is_none() {
            continue;
        }
        if path.contains("://") || path.contains("..") || path.len() > 300 {
            continue;
        }
        // Python: `File "x.py", line 12, in f`.
        let lines = lines.or_else(|| match words.get(idx + 1..idx + 3) {
            Some(["line", number]) => single(number.parse().ok()?),
            _ => None,
        });
        found.push(Reference::File {
            path: path.trim_start_matches('/').to_owned(),
            lines,
        });
    }
    found
}

/// `a.rs:10:5` → (`a.rs`, 10), `a.rs:10-20` → (`a.rs`, 10–20), `a.rs#L10-L20` likewise.
fn split_lines(word: &str) -> (&str, Option<LineRange>) {
    if let Some((path, rest)) = word.split_once("#L") {
        return (path, range(&rest.replace('L', "")));
    }
    let mut parts = word.splitn(3, ':');
    let path = parts.next().unwrap_or(word);
    (path, parts.next().and_then(range))
}

fn range(text: &str) -> Option<LineRange> {
    match text.split_once('-') {
        Some((start, end)) => {
            let (start, end) = (start.parse().ok()?, end.parse().ok()?);
            (start >= 1 && start <= end).then(|| LineRange::new(start, end))
        }
        None => single(text.parse().ok()?),
    }
}

fn single(line: u32) -> Option<LineRange> {
    (line >= 1).then(|| LineRange::new(line, line))
}
