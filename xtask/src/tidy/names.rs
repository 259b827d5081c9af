//! Names in documents: what stands in backticks in a Markdown file and looks like a file of this repository or like a path of Rust
//! must exist. Documents rot by renames, and nobody reads all of them after one.
//!
//! Looks only at what it can be sure about: a `.rs` file, a path that begins with a folder of the repository, and `a::b`, whose last part
//! must stand somewhere in the sources. The changelog tells history and is left alone.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::File;

/// Documents about other times or other code.
const LEFT_ALONE: &[&str] = &["CHANGELOG.md", "THIRD_PARTY.md"];

pub(super) fn check(files: &[File]) -> Vec<String> {
    let documents = || {
        files.iter().filter(|file| {
            file.path.ends_with(".md")
                && !file.path.contains("/fixtures/")
                && !LEFT_ALONE.contains(&file.path.as_str())
        })
    };
    let folders: BTreeSet<&str> = files
        .iter()
        .filter_map(|file| Some(file.path.split_once('/')?.0))
        .collect();
    let words: BTreeSet<&str> = files
        .iter()
        .filter(|file| file.path.ends_with(".rs"))
        .flat_map(|file| file.text.split(|c: char| !(c.is_alphanumeric() || c == '_')))
        .collect();
    let mut problems = Vec::new();
    for document in documents() {
        for (line_number, name) in quoted(&document.text) {
            let place = format!("{}:{line_number}", document.path);
            if is_ours(name, &folders) {
                if !exists(name, files) {
                    problems.push(format!("{place}: `{name}` is not in the repository"));
                }
            } else if let Some(last) = rust_name(name)
                && !words.contains(last)
            {
                problems.push(format!("{place}: `{name}`: no source has the name {last}"));
            }
        }
    }
    problems
}

/// What stands in backticks outside fences, with its line.
fn quoted(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (line_idx, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let inside = line.split('`').skip(1).step_by(2);
            found.extend(inside.map(|name| (line_idx + 1, name)));
        }
    }
    found
}

fn is_ours(name: &str, folders: &BTreeSet<&str>) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    let begins_here = name
        .split_once('/')
        .is_some_and(|(first, _)| folders.contains(first));
    // `foo.rs` stands for any file.
    let is_example = name.starts_with("foo") || name == "mod.rs";
    name.chars().all(is_plain) && !is_example && (begins_here || (name.ends_with(".rs") && name.len() > 3))
}

/// A whole path from the root, or the end of one.
fn exists(name: &str, files: &[File]) -> bool {
    let name = name.trim_end_matches('/');
    let (end, folder) = (format!("/{name}"), format!("{name}/"));
    files.iter().any(|file| {
        file.path == name
            || file.path.ends_with(&end)
            || file.path.starts_with(&folder)
            || file.path.contains(&format!("/{folder}"))
    })
}

/// The last part of `a::b::c`.
fn rust_name(name: &str) -> Option<&str> {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let (_, last) = name.rsplit_once("::")?;
    name.split("::").all(is_name).then_some(last)
}
