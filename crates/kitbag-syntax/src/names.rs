//! Small functions on texts: names without decoration, expanded import paths, collapsed white space, limited lengths.

use kitbag_types::prefix;

/// The most paths of one import statement; more are generated or hostile.
const MAX_PATHS: usize = 100;

/// One line, runs of white space as one space, none at the ends.
pub(crate) fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(256));
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// At most `max_chars` characters, the last an ellipsis if something was cut.
pub(crate) fn clip(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        None => text.to_owned(),
        Some(_) => {
            let end = text.char_indices().nth(max_chars - 1).map_or(0, |(at, _)| at);
            format!("{}…", text[..end].trim_end())
        }
    }
}

/// The name of a definition, a heading or a key: one line, without quotes, at most 120 characters.
pub(crate) fn definition_name(text: &str) -> String {
    let head = prefix(text, 1_000);
    let name = collapse(unquoted(head.trim()));
    if !name.contains(char::is_alphanumeric) {
        // An operator: its characters are its name.
        return clip(&name, 120);
    }
    clip(name.trim_end_matches(['#', ':']).trim_end(), 120)
}

/// A qualifier, its parts joined by `::`: `*Server`, `ns.Foo<T>::Bar` → `Server`, `ns::Foo::Bar`. A quoted one is prose (`describe
/// "…"`).
pub(crate) fn container_name(text: &str) -> String {
    if text.starts_with(['"', '\'', '`']) {
        return definition_name(text);
    }
    let text = without_arguments(text);
    let text = bare(&text);
    let parts: Vec<&str> = text
        .split(['.', ':', '\\', '/'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    clip(&parts.join("::"), 120)
}

/// The name in a reference: the last part of a qualified name, without type arguments.
pub(crate) fn last_part(text: &str) -> &str {
    let text = bare(unquoted(text.trim()));
    let last = text
        .rsplit(['.', ':', '\\', '/', '>', ' ', '\n'])
        .find(|part| !part.is_empty())
        .unwrap_or(text);
    // Names may be quoted (`"users"` in SQL); a prime at the end is part of them (`push'` in Haskell).
    last.trim_matches(['"', '`'])
}

/// Without type arguments in angle brackets.
fn without_arguments(text: &str) -> String {
    let mut depth = 0_usize;
    let mut out = String::new();
    for c in collapse(text).chars() {
        match c {
            '<' if !out.is_empty() => depth += 1,
            '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// Without sigils before and type arguments or calls after it.
fn bare(text: &str) -> &str {
    let text = text.trim().trim_start_matches(['&', '*', '@', '(', '[', '?']);
    let end = text
        .find(['<', '(', '[', '{'])
        .filter(|at| *at > 0)
        .unwrap_or(text.len());
    text[..end].trim_end_matches([')', ']', '?', '!', '*', '&', ' '])
}

fn unquoted(text: &str) -> &str {
    let quote = |c: char| matches!(c, '"' | '\'' | '`');
    match text.chars().next() {
        Some(first) if quote(first) && text.len() >= 2 && text.ends_with(first) => &text[1..text.len() - 1],
        _ => text,
    }
}

/// One imported path, and its local name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ImportPath {
    pub(crate) path: String,
    pub(crate) local: String,
}

/// Expands an import: `"./x"` → `./x`; `a::{b, c::{self, d as e}}` → `a::b`, `a::c`, `a::c::d` (local name `e`).
pub(crate) fn import_paths(text: &str) -> Vec<ImportPath> {
    let text = prefix(text, 8_000);
    let text = collapse(text.trim().trim_matches(['"', '\'', '`', '<', '>', ';']));
    // If a group has no node of its own, the query captures the whole statement.
    let text = text.strip_prefix("use ").unwrap_or(&text);
    let mut paths = Vec::new();
    // The open prefixes and the current path. An explicit stack, because the file decides the nesting.
    let mut prefixes: Vec<String> = Vec::new();
    let mut current = String::new();
    // A shell variable, `${HOME}/x`, is not a group.
    let mut in_variable = false;
    for c in text.chars() {
        match c {
            '{' if current.ends_with('$') => {
                in_variable = true;
                current.push(c);
            }
            '}' if in_variable => {
                in_variable = false;
                current.push(c);
            }
            '{' => {
                let prefix = prefixes.last().cloned().unwrap_or_default() + current.trim_start();
                prefixes.push(clip(&prefix, 300));
                current.clear();
            }
            '}' | ',' => {
                let prefix = prefixes.last().map_or("", String::as_str);
                push_path(&mut paths, prefix, &current);
                current.clear();
                if c == '}' {
                    prefixes.pop();
                }
            }
            _ => current.push(c),
        }
        if paths.len() >= MAX_PATHS {
            return paths;
        }
    }
    push_path(&mut paths, "", &current);
    paths
}

fn push_path(paths: &mut Vec<ImportPath>, prefix: &str, tail: &str) {
    let tail = tail.trim();
    if tail.is_empty() {
        return;
    }
    let alias = [" as ", " => "].iter().find_map(|word| tail.split_once(word));
    let (tail, alias) = alias.map_or((tail, None), |(tail, alias)| (tail.trim(), Some(alias.trim())));
    let path = match tail {
        "self" => prefix.trim_end_matches([':', '.', '\\']).to_owned(),
        _ => format!("{prefix}{tail}"),
    };
    let path = clip(&path, 300);
    let local = alias.unwrap_or_else(|| last_part(&path)).to_owned();
    if !path.is_empty() {
        paths.push(ImportPath { path, local });
    }
}

#[cfg(test)]
mod tests;
