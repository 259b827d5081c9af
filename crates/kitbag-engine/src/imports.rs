//! Which file an import names, decided by names alone (IDX-20).
//!
//! One rule for all languages: an import and a path are both lists of words, and an import names the file whose last words
//! it shows, with at most one more word behind (the item) and any package prefix before. `crate::store::Writer`,
//! `store.Writer`, `./store` and `"store/writer.h"` all come down to that. Relative imports are followed exactly. An import that a
//! package manager maps elsewhere stays unresolved.

use kitbag_types::RepoPath;

/// Words of an import that mean a place and not a file.
const PREFIXES: &[&str] = &["crate", "self", "super", "@", "~", "src", "lib"];
/// Files that represent their folder.
const FOLDER_FILES: &[&str] = &["mod", "lib", "__init__", "index", "main", "init"];

/// How many words of `import`, as written in `from`, name `target`; 0 if it names another file.
pub(crate) fn strength(import: &str, from: &RepoPath, target: &RepoPath) -> usize {
    // Nearly every import names another file, which a quick check of the text shows.
    if !is_relative(import) && !mentions(import, last_word(target)) {
        return 0;
    }
    let wanted = words(import, from);
    let shown = target_words(target);
    if wanted.is_empty() || shown.is_empty() {
        return 0;
    }
    if is_relative(import) {
        let exact = shown == wanted || wanted.split_last().is_some_and(|(_, module)| shown == module);
        return if exact { shown.len() } else { 0 };
    }
    // Folders that every package has do not say which one is meant.
    let shown: Vec<String> = shown
        .into_iter()
        .filter(|word| !PREFIXES.contains(&word.as_str()))
        .collect();
    // The last word may be an item inside the file.
    let item = wanted.len() - 1;
    [&wanted[..], &wanted[..item]]
        .into_iter()
        .map(|module| common_tail(module, &shown))
        .zip([wanted.len(), item])
        .filter(|(common, length)| *common > 0 && (*common >= 2 || *common == *length))
        .map(|(common, _)| common)
        .max()
        .unwrap_or(0)
}

fn is_relative(import: &str) -> bool {
    import.starts_with('.')
}

/// The word of a path that an import must contain, unless it is relative.
fn last_word(target: &RepoPath) -> &str {
    let path = strip_extension(target.as_str());
    let mut words = path.rsplit('/').peekable();
    if path.contains('/') && words.peek().is_some_and(|last| FOLDER_FILES.contains(last)) {
        words.next();
    }
    words.find(|word| !PREFIXES.contains(word)).unwrap_or_default()
}

fn mentions(import: &str, word: &str) -> bool {
    !word.is_empty()
        && import
            .as_bytes()
            .windows(word.len())
            .any(|part| same_bytes(part, word.as_bytes()))
}

fn common_tail(a: &[String], b: &[String]) -> usize {
    a.iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(a, b)| same_word(a, b))
        .count()
}

/// Packages are named `kitbag-rank` on disk and `kitbag_rank` in code.
fn same_word(a: &str, b: &str) -> bool {
    same_bytes(a.as_bytes(), b.as_bytes())
}

fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    let same = |(a, b): (&u8, &u8)| a.eq_ignore_ascii_case(b) || (b"-_".contains(a) && b"-_".contains(b));
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// The words of an import. A relative one starts from the folder of its file.
fn words(import: &str, from: &RepoPath) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = import;
    if is_relative(import) {
        words.extend(
            from.folder()
                .split('/')
                .filter(|part| !part.is_empty())
                .map(str::to_owned),
        );
        if rest.starts_with("./") || rest.starts_with("../") || rest == "." || rest == ".." {
            while let Some(tail) = rest.strip_prefix("../") {
                words.pop();
                rest = tail;
            }
            rest = rest.trim_start_matches("./");
        } else {
            // Python: one dot is this package, each further one its parent.
            let n_dots = rest.bytes().take_while(|byte| *byte == b'.').count();
            words.truncate(words.len().saturating_sub(n_dots - 1));
            rest = &rest[n_dots..];
        }
    }
    let is_path = rest.contains('/');
    let rest = if is_path { strip_extension(rest) } else { rest };
    let separator = |c: char| matches!(c, '/' | '\\' | ':') || (c == '.' && !is_path);
    let parts = rest
        .split(separator)
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let bare = words.is_empty();
    words.extend(
        parts
            .skip_while(|part| bare && PREFIXES.contains(part))
            .map(str::to_owned),
    );
    while words.len() > 1
        && words
            .last()
            .is_some_and(|last| FOLDER_FILES.contains(&last.as_str()) || last == "*")
    {
        words.pop();
    }
    words
}

fn target_words(target: &RepoPath) -> Vec<String> {
    let mut words: Vec<String> = strip_extension(target.as_str())
        .split('/')
        .map(str::to_owned)
        .collect();
    if words.len() > 1
        && words
            .last()
            .is_some_and(|last| FOLDER_FILES.contains(&last.as_str()))
    {
        words.pop();
    }
    words
}

/// Removes the extension of the last component. `./config.prod` loses `prod` and then matches no file: a miss, but not a wrong
/// match.
fn strip_extension(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, extension)) if !extension.contains('/') && !stem.is_empty() && !stem.ends_with('/') => {
            stem
        }
        _ => path,
    }
}

#[cfg(test)]
mod tests;
