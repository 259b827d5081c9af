//! Files that a question names: paths, `path:line`, `path:10-20`, the frames of stack traces.

use kitbag_types::{LineRange, Reference};

use super::Firsts;
use crate::tuning::MAX_QUERY_FILES;

/// Endings that make a word without a slash a file name. Longer than any language table needs to be wrong about.
const EXTENSIONS: &[&str] = &[
    "bash", "c", "cc", "cfg", "conf", "cpp", "cs", "css", "cxx", "ex", "exs", "go", "gradle", "h", "hpp",
    "hs", "html", "ini", "java", "js", "json", "jsx", "kt", "kts", "lua", "md", "mjs", "php", "proto", "py",
    "pyi", "rb", "rs", "rst", "scala", "scss", "sh", "sql", "svelte", "swift", "toml", "ts", "tsx", "txt",
    "vue", "xml", "yaml", "yml", "zig",
];

/// The extension of a word, if it is one of a file.
pub(super) fn known_extension(word: &str) -> Option<&str> {
    let (stem, extension) = word.rsplit_once('.')?;
    let known = EXTENSIONS
        .binary_search(&extension.to_lowercase().as_str())
        .is_ok();
    (known && stem.chars().any(char::is_alphanumeric)).then_some(extension)
}

/// File references in the order of the text, each once.
pub(super) fn files(text: &str) -> Firsts<Reference> {
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
        let Some(_) = known_extension(path) else { continue };
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
