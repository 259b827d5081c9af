//! String literals: where they begin and end in different languages, and what follows.

use std::ops::Range;

/// How much text around a name is read, in bytes. A line of a minified file can have megabytes, and reading all of it for every
/// name would take too long.
const BEFORE: usize = 512;
const AFTER: usize = 2048;

/// A literal: its content, and where the text after it begins.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub inside: Range<usize>,
    pub end: usize,
}

pub(super) fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// The line around a place, or as much of it as is read.
pub(super) fn line_around(bytes: &[u8], at: usize) -> Range<usize> {
    let mut first = at.saturating_sub(BEFORE);
    while first > 0 && is_inside_character(bytes[first]) {
        first -= 1;
    }
    let start = bytes[first..at]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(first, |idx| first + idx + 1);
    start..line_end(bytes, at)
}

/// Whether a text cannot be cut before this byte of UTF-8.
fn is_inside_character(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// The end of the line, without its line break.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    let mut last = bytes.len().min(at + AFTER);
    while last < bytes.len() && is_inside_character(bytes[last]) {
        last += 1;
    }
    let end = bytes[at..last]
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(last, |idx| at + idx);
    match end > at && bytes[end - 1] == b'\r' {
        true => end - 1,
        false => end,
    }
}

/// The line after the one that ends at `end`, without its line break.
pub(super) fn next_line(bytes: &[u8], end: usize) -> Option<Range<usize>> {
    let mut at = end;
    at += usize::from(bytes.get(at) == Some(&b'\r'));
    if bytes.get(at) != Some(&b'\n') {
        return None;
    }
    at += 1;
    (at < bytes.len()).then(|| at..line_end(bytes, at))
}

pub(super) fn skip_blank(bytes: &[u8], at: usize, end: usize) -> usize {
    at + bytes[at.min(end)..end]
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// Skips white space, at most three lines, so that nothing far away counts as the same statement.
pub(super) fn skip_space(bytes: &[u8], at: usize) -> usize {
    let mut n_breaks = 0;
    let mut at = at;
    while let Some(byte) = bytes.get(at).filter(|byte| byte.is_ascii_whitespace()) {
        n_breaks += u32::from(*byte == b'\n');
        if n_breaks > 3 {
            break;
        }
        at += 1;
    }
    at
}

/// Calls around a literal that do not change its value.
const WRAPPERS: &[&str] = &[
    "String::from(",
    "String(",
    "str(",
    "Some(",
    "SecretString::new(",
    "SecretString::from(",
    "Secret::new(",
    "SecretStr(",
    "Buffer.from(",
    "new String(",
    "[]byte(",
    "bytes(",
    "Secret(",
    "SecretString(",
    "Just(",
    "quote(",
    "std::string(",
    "_T(",
    "TEXT(",
    "F(",
    "strdup(",
    "ConvertTo-SecureString ",
    "base64.b64decode(",
    "b64decode(",
    "base64_decode(",
    "atob(",
    "Base64.decode64(",
    "Base64.getDecoder().decode(",
    "(",
];

/// A string literal after spaces, a wrapper (`String::from(`) and a prefix (`b"…"`, `@"…"`); `None` for a template.
pub(super) fn quoted(text: &str, at: usize, end: usize) -> Option<Literal> {
    let bytes = text.as_bytes();
    let mut at = skip_blank(bytes, at, end);
    let rest = text.get(at..end)?;
    at += WRAPPERS
        .iter()
        .find(|wrapper| rest.starts_with(**wrapper))
        .map_or(0, |wrapper| wrapper.len());
    at = skip_blank(bytes, at, end);
    if let Some(found) = bracketed(text, at, end) {
        return Some(found);
    }
    let prefix = bytes[at..end]
        .iter()
        .take(2)
        .take_while(|byte| b"bruBRULfF@$&N".contains(byte))
        .count();
    let is_format = bytes[at..at + prefix]
        .iter()
        .any(|byte| matches!(byte, b'f' | b'F' | b'$'));
    let is_verbatim = bytes[at..at + prefix].contains(&b'@');
    at += prefix;
    let escaped = usize::from(at < end && bytes[at] == b'\\');
    let quote = *bytes[..end].get(at + escaped)?;
    if !is_quote(quote) {
        return None;
    }
    let mut open = at + escaped + 1;
    let triple = bytes[..end].get(open..open + 2) == Some(&[quote, quote]);
    open += if triple { 2 } else { 0 };
    let mut close = open;
    while close < end && !(bytes[close] == quote && (escaped == 0 || bytes[close - 1] == b'\\')) {
        close += match bytes[close] == b'\\' && escaped == 0 && !is_verbatim {
            true => 2,
            false => 1,
        };
    }
    if close >= end {
        return None;
    }
    let inside = open..close - escaped;
    let literal = text.get(inside.clone())?;
    let filled_in = is_format && literal.contains('{');
    let after = close + if triple { 3 } else { 1 };
    (!filled_in).then_some(Literal {
        inside,
        end: after.min(end),
    })
}

/// `q{…}`, `qq(…)`, `%q[…]`, `r#"…"#`, `R"(…)"`.
fn bracketed(text: &str, at: usize, end: usize) -> Option<Literal> {
    const HEADS: &[(&str, &str)] = &[
        ("q{", "}"),
        ("q(", ")"),
        ("q[", "]"),
        ("q/", "/"),
        ("qq{", "}"),
        ("qq(", ")"),
        ("%q(", ")"),
        ("%q{", "}"),
        ("%q[", "]"),
        ("%Q(", ")"),
        ("%Q{", "}"),
        ("%(", ")"),
        ("r#\"", "\"#"),
        ("R\"(", ")\""),
        ("#\"", "\"#"),
        ("$$", "$$"),
    ];
    let rest = text.get(at..end)?;
    let (open, close) = HEADS.iter().find(|(open, _)| rest.starts_with(open))?;
    let n = rest[open.len()..].find(close)?;
    let start = at + open.len();
    Some(Literal {
        inside: start..start + n,
        end: start + n + close.len(),
    })
}

/// Further literals that are joined to the one that ends at `at`: `"…" + "…"`, `"…" . "…"`, one below the other.
pub(super) fn joined(text: &str, at: usize) -> Vec<Literal> {
    const OPERATORS: &[&str] = &["+", "..", ".", "&", "<>", "++", "~"];
    const MOST: usize = 16;
    let bytes = text.as_bytes();
    let mut found: Vec<Literal> = Vec::new();
    let mut at = at;
    while found.len() < MOST {
        let mut next = skip_blank(bytes, at, bytes.len());
        if bytes.get(next) == Some(&b'\\') {
            next += 1;
        }
        next = skip_space(bytes, next);
        let Some(rest) = text.get(next..) else { break };
        let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
        if let Some(operator) = operator {
            next = skip_space(bytes, next + operator.len());
        }
        let Some(literal) = quoted(text, next, line_end(bytes, next)).filter(|_| is_plain_quote(bytes, next))
        else {
            break;
        };
        // Without an operator, a literal followed by `:` or `=` is the next key.
        let after = skip_blank(bytes, literal.end, bytes.len());
        let is_key = matches!(bytes.get(after), Some(b':' | b'=' | b','));
        if operator.is_none() && is_key {
            break;
        }
        at = literal.end;
        found.push(literal);
    }
    found
}

fn is_plain_quote(bytes: &[u8], at: usize) -> bool {
    let here = |at: usize| bytes.get(at).copied().unwrap_or(0);
    is_quote(here(at)) || (here(at).is_ascii_alphabetic() && is_quote(here(at + 1)))
}

/// At most `n` bytes of the text from `at` on, cut between characters.
pub(super) fn near(text: &str, at: usize, n: usize) -> &str {
    text.get(at..).map_or("", |rest| kitbag_types::prefix(rest, n))
}
