//! A second opinion on whether code changed: a scanner over characters that knows comment marks, quotes and, where lines are
//! blocks, indentation. It shares with the product where definitions begin and end, and nothing else: no tree, no rules, no hash.

#[cfg(test)]
mod tests;

use kitbag_syntax::{Comments, Language};
use kitbag_types::RepoPath;

use crate::memory::code::CodeFile;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// What was done to it.
    Same(&'static str),
    Changed,
    Gone,
    Unclear,
}

impl Verdict {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Same(how) => how,
            Self::Changed => "changed",
            Self::Gone => "gone",
            Self::Unclear => "unclear",
        }
    }
}

/// A definition as the scanner reads it.
pub(super) struct Lexical {
    pub text: String,
    pub words: Vec<String>,
    /// The same, its own name left out.
    pub nameless: Vec<String>,
    /// What the product makes of it, to find it again.
    pub product_hash: String,
}

impl Lexical {
    pub(super) fn without_brackets(&self) -> Vec<&String> {
        let is_bracket = |word: &&String| matches!(word.as_str(), "(" | ")") || word.starts_with(INDENT);
        self.words.iter().filter(|word| !is_bracket(word)).collect()
    }
}

/// Begins a word that says how far a line is indented.
const INDENT: &str = "\u{1}";

/// The definitions of a file of this qualified name, or all.
pub(super) fn definitions(file: &CodeFile, qualified: Option<&str>) -> Vec<Lexical> {
    let language = RepoPath::new(file.path.as_str())
        .ok()
        .and_then(|path| kitbag_syntax::language_of(&path, ""));
    let Some(language) = language else {
        return Vec::new();
    };
    let lines: Vec<&str> = file.text.split('\n').collect();
    let wanted = file
        .meanings()
        .filter(|(one, _, _)| qualified.is_none_or(|name| one.qualified() == name));
    wanted
        .map(|(one, meaning, _)| {
            let (first, last) = (one.lines.start() as usize, one.lines.end() as usize);
            let text = lines[first - 1..last.min(lines.len())].join("\n");
            let words = words(&text, language);
            Lexical {
                nameless: words.iter().filter(|word| **word != one.name).cloned().collect(),
                words,
                text,
                product_hash: meaning.to_owned(),
            }
        })
        .collect()
}

/// The words of a text without comments, space and what formatters add.
pub(super) fn words(text: &str, language: &Language) -> Vec<String> {
    // Where no bracket ends a block, its lines do.
    let has_layout = language.name == "python";
    let mut found = scan(
        text,
        &language.comments,
        has_layout,
        !has_layout && quotes_chars(language),
    );
    if has_layout {
        drop_doc_strings(&mut found);
    }
    let mut words: Vec<String> = Vec::with_capacity(found.len());
    for word in found {
        // After the block of an arm.
        if word == "," && language.name == "rust" && words.last().is_some_and(|last| last == "}") {
            continue;
        }
        if matches!(word.as_str(), ")" | "]" | "}") && words.last().is_some_and(|last| last == ",") {
            // `(a,)` is a tuple; three words back stands its bracket.
            let is_tuple = word == ")"
                && words.len() >= 3
                && words[words.len() - 3] == "("
                && words.len().checked_sub(4).is_none_or(|idx| !is_name(&words[idx]));
            if !is_tuple {
                words.pop();
            }
        }
        if word != ";" || !is_semicolon_optional(language) {
            words.push(word);
        }
    }
    // What a line has after a definition belongs to what is around it.
    while words.last().is_some_and(|last| last == "," || last == ";") {
        words.pop();
    }
    words
}

fn is_name(word: &str) -> bool {
    word.chars()
        .next_back()
        .is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// A single quote is one character, or the mark of a lifetime.
fn quotes_chars(language: &Language) -> bool {
    matches!(
        language.name,
        "rust" | "c" | "cpp" | "java" | "csharp" | "go" | "kotlin" | "scala" | "swift" | "zig" | "haskell"
    )
}

fn is_semicolon_optional(language: &Language) -> bool {
    matches!(
        language.name,
        "javascript" | "typescript" | "tsx" | "go" | "kotlin" | "python" | "ruby" | "scala" | "swift" | "lua"
    )
}

fn scan(text: &str, comments: &Comments, has_layout: bool, quotes_chars: bool) -> Vec<String> {
    let mut words = Vec::new();
    let (mut rest, mut depth, mut at_line_start) = (text, 0_i32, true);
    let mut first_indent = None;
    while let Some(c) = rest.chars().next() {
        if at_line_start && has_layout && depth <= 0 {
            let indent = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let line = rest[indent..].split('\n').next().unwrap_or_default().trim();
            if !line.is_empty() && !line.starts_with('#') {
                let base = *first_indent.get_or_insert(indent);
                words.push(format!("{INDENT}{}", indent.saturating_sub(base)));
            }
        }
        at_line_start = c == '\n';
        if c.is_whitespace() {
            rest = &rest[c.len_utf8()..];
        } else if let Some(n) = comment(rest, comments, has_layout) {
            rest = &rest[n..];
        } else if let Some((prefix, n)) = prefixed(rest, has_layout, quotes_chars) {
            let string = plain_string(&rest[prefix..n], quotes_chars);
            words.push(format!("{string}{}", rest[..prefix].to_lowercase()));
            rest = &rest[n..];
        } else if c.is_alphanumeric() || c == '_' {
            let n = rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            words.push(rest[..n].to_owned());
            rest = &rest[n..];
        } else {
            depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
            let is_continuation = c == '\\' && rest[1..].starts_with('\n');
            if is_continuation {
                rest = &rest[2..];
                at_line_start = false;
                continue;
            }
            words.push(c.to_string());
            rest = &rest[c.len_utf8()..];
        }
    }
    words
}

/// How long the comment is that begins here.
fn comment(rest: &str, comments: &Comments, has_layout: bool) -> Option<usize> {
    if comments.line.iter().any(|mark| rest.starts_with(mark)) {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    // The quotes of doc strings stand among the blocks; those are strings to a scanner.
    let blocks = comments
        .block
        .iter()
        .filter(|(open, _)| !has_layout || !open.contains(['"', '\'']));
    let (open, close) = blocks.into_iter().find(|(open, _)| rest.starts_with(open))?;
    let inner = &rest[open.len()..];
    Some(
        inner
            .find(close)
            .map_or(rest.len(), |at| open.len() + at + close.len()),
    )
}

/// How long the letters before a string are (`rb"x"`), and how long it is with them.
fn prefixed(rest: &str, has_layout: bool, quotes_chars: bool) -> Option<(usize, usize)> {
    let letters = rest.len() - rest.trim_start_matches(|c: char| "rbufRBUF".contains(c)).len();
    let prefix = if has_layout && letters <= 2 { letters } else { 0 };
    let n = quoted(&rest[prefix..], quotes_chars)?;
    Some((prefix, prefix + n))
}

/// How long the string is that begins here.
fn quoted(rest: &str, quotes_chars: bool) -> Option<usize> {
    for triple in ["\"\"\"", "'''"] {
        if let Some(inner) = rest.strip_prefix(triple) {
            return Some(inner.find(triple).map_or(rest.len(), |at| at + 6));
        }
    }
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return Some(at + 1).filter(|n| !(quote == '\'' && quotes_chars && *n > 14));
        } else if c == '\n' && quote != '`' && !(quote == '"' && quotes_chars) {
            // Not closed on its line: an apostrophe, or a pattern.
            return None;
        } else if quote == '\'' && quotes_chars && at > 12 {
            return None;
        }
    }
    None
}

/// One kind of quotes, unless they tell characters from strings.
fn plain_string(text: &str, quotes_chars: bool) -> String {
    if quotes_chars {
        return text.to_owned();
    }
    text.replace("\\'", "'").replace("\\\"", "\"").replace('\'', "\"")
}

/// A string that is a line by itself, after a line that ends with a colon.
fn drop_doc_strings(words: &mut Vec<String>) {
    let is_indent = |word: Option<&String>| word.is_none_or(|word| word.starts_with(INDENT));
    let mut idx = 1;
    while idx + 1 < words.len() {
        let is_string = words[idx].starts_with('"');
        let stands_alone = words[idx - 1].starts_with(INDENT) && is_indent(words.get(idx + 1));
        let after_colon = idx >= 2 && words[idx - 2] == ":";
        if is_string && stands_alone && after_colon {
            words.drain(idx - 1..=idx);
        } else {
            idx += 1;
        }
    }
    if words.len() >= 3 && words[words.len() - 1].starts_with('"') && words[words.len() - 3] == ":" {
        words.truncate(words.len() - 2);
    }
}
