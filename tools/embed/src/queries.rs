//! Questions out of what people wrote: sentences of doc comments, cleaned; and texts without what the question gives away.

use std::collections::BTreeSet;

use kitbag_types::terms::each_word;

const MAX_QUERY_BYTES: usize = 1_500;

/// The first paragraph of a doc comment, or all of it, without tags and rules. `None` if it says too little, or is a licence.
pub fn question(docs: &str, whole: bool) -> Option<String> {
    let mut text = String::new();
    for line in docs.lines().map(str::trim) {
        let is_end = line.is_empty() || line.starts_with(['@', ':', '\\']) || is_section(line);
        if is_end && !whole && !text.is_empty() {
            break;
        }
        if line.starts_with("```") || line.starts_with(">>>") {
            break;
        }
        if !line.contains(char::is_alphabetic) {
            continue;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(line.trim_start_matches(['*', '#', '-', '=', '!', '/', '<', '|', ' ']));
        if text.len() > MAX_QUERY_BYTES {
            break;
        }
    }
    let text = clipped(&text, MAX_QUERY_BYTES);
    says_something(text).then(|| text.to_owned())
}

fn is_section(line: &str) -> bool {
    const HEADS: [&str; 8] = [
        "Args:",
        "Arguments:",
        "Parameters",
        "Returns:",
        "Returns",
        "Raises:",
        "Example",
        "Note:",
    ];
    HEADS.iter().any(|head| line.starts_with(head))
}

/// At least three words of letters, mostly Latin, and no legal text.
fn says_something(text: &str) -> bool {
    let lower = text.to_lowercase();
    const LEGAL: [&str; 8] = [
        "copyright",
        "license",
        "licence",
        "spdx",
        "all rights reserved",
        "warranty",
        "eslint",
        "-*-",
    ];
    if LEGAL.iter().any(|word| lower.contains(word)) {
        return false;
    }
    let n_words = text
        .split_whitespace()
        .filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1)
        .count();
    let n_latin = text.bytes().filter(u8::is_ascii).count();
    n_words >= 3 && n_latin * 10 >= text.len() * 9
}

pub fn clipped(text: &str, max_bytes: usize) -> &str {
    let mut end = max_bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The text without the lines that the docs consist of, whatever marks comments in it.
pub fn without_docs(body: &str, docs: &str) -> String {
    let bare = |line: &str| line.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let told: BTreeSet<String> = docs.lines().map(bare).filter(|line| !line.is_empty()).collect();
    let mut out = String::with_capacity(body.len());
    for line in body.lines().filter(|line| !told.contains(&bare(line))) {
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// The text without a name, wherever it stands as a word of its own.
pub fn without_name(text: &str, name: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    each_word(text, &mut |word| {
        if word == name {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            out.push_str(&text[from..at]);
            from = at + word.len();
        }
    });
    out.push_str(&text[from..]);
    out
}

#[cfg(test)]
mod tests;
