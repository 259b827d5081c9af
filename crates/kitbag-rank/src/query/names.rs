//! Parses a qualified name: `axum::Router`, `z.ulid`, `Phoenix.Channel.push/3`, `Class#method`, `App\Models\User`,
//! `github.com/a/pkg.Func`. Every request for a definition uses it, so that all accept the same spellings.

/// A name and its qualifiers, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameParts<'t> {
    pub qualifiers: Vec<&'t str>,
    /// Never empty, unless the text has no name at all.
    pub name: &'t str,
}

/// Words for the current module or object, which name nothing.
const HERE: &[&str] = &["crate", "self", "super", "this", "Self", "static"];

/// Splits a qualified name at `::`, `.`, `#`, `\`, `/` and `->`; a hyphen belongs to a name.
pub fn split_name(text: &str) -> NameParts<'_> {
    let text = without_arguments(text.trim());
    let mut parts: Vec<&str> = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let arrow = c == '>' && text[..at].ends_with('-');
        if matches!(c, ':' | '.' | '#' | '\\' | '/') || arrow {
            let end = if arrow { at - 1 } else { at };
            parts.push(&text[start..end.max(start)]);
            start = at + 1;
        }
    }
    parts.push(&text[start..]);
    let trim = |part: &'_ str| -> usize { part.trim_end_matches(['?', '!']).len() };
    // `a?.b` and `a!.b`: the mark belongs to the separator. At the end it belongs to the name (`empty?`).
    let n = parts.len();
    let mut parts: Vec<&str> = parts
        .iter()
        .enumerate()
        .map(|(idx, part)| {
            let part = without_generics(part.trim());
            if idx + 1 < n { &part[..trim(part)] } else { part }
        })
        .filter(|part| !part.is_empty())
        .collect();
    // `push/3`: the number of arguments.
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if parts.len() > 1 && text.contains('/') && parts.last().is_some_and(|last| is_number(last)) {
        parts.pop();
    }
    let name = parts.pop().unwrap_or_default();
    while parts.first().is_some_and(|first| HERE.contains(first)) {
        parts.remove(0);
    }
    NameParts {
        qualifiers: parts,
        name,
    }
}

/// `f(a, b)` → `f`.
fn without_arguments(text: &str) -> &str {
    match text.find('(') {
        Some(at) if at > 0 && text.ends_with(')') => &text[..at],
        _ => text,
    }
}

/// `Vec<T>` → `Vec`; `<` alone is an operator.
fn without_generics(part: &str) -> &str {
    match part.find('<') {
        Some(at) if at > 0 && part.ends_with('>') => &part[..at],
        _ => part,
    }
}

#[cfg(test)]
mod tests;
