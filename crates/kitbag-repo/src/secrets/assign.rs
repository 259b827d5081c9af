//! From a suspicious name to the literal that is assigned to it, in the ways that code, configuration, markup and shells
//! write it: `name = "…"`, `"name": "…"`, `NAME=…`, `name: …`, `--name …`, `<name>…</name>`, `setName("…")`, `…;Name=…;`.

use std::ops::Range;

use super::names::{self, Strength};
use super::{Span, value};

/// How the literal is written: without quotes, code and configuration look alike, and the value must tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Quoted,
    /// An argument of a call.
    Argument,
    /// Without quotes, in a place that only configuration and command lines have.
    Plain,
    /// Without quotes, where a variable or a type could stand.
    Doubtful,
}

/// The value assigned to the name at `name`, if it is a secret.
pub(super) fn check(text: &str, name: Range<usize>) -> Option<Span> {
    let strength = names::strength(&text[name.clone()])?;
    let (range, style) = literal(text, &name)?;
    let literal = &text[range.clone()];
    if !value::is_secret(literal, strength) {
        return None;
    }
    let told_by_value = match style {
        Style::Quoted => true,
        // `password = swordfish` may be a variable; `hunter2` and `correct-horse-battery` may not.
        Style::Plain => literal.contains('-') || !is_identifier(literal) || !value::is_words(literal),
        Style::Argument => !reads(&text[name]) || literal.len() >= 16,
        Style::Doubtful => !literal.contains('(') && (!is_identifier(literal) || looks_made(literal)),
    };
    let rule = match strength {
        Strength::Password => "password",
        Strength::Secret => "secret or token",
        Strength::Weak => "random literal",
        Strength::Phrase => "wallet phrase",
    };
    told_by_value.then_some(Span { range, rule })
}

/// `get_password("prod1")` names a secret, `set_password("prod1")` is given one.
fn reads(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    const VERBS: &[&str] = &[
        "get",
        "find",
        "fetch",
        "load",
        "read",
        "is",
        "has",
        "check",
        "lookup",
        "verify",
        "hash",
        "generate",
        "test",
        "validate",
        "authenticate",
    ];
    VERBS.iter().any(|verb| name.starts_with(verb))
}

fn is_identifier(literal: &str) -> bool {
    literal
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'-'))
}

/// Digits scattered as no name of a variable has them.
fn looks_made(literal: &str) -> bool {
    let bytes = literal.as_bytes();
    let n_groups = bytes
        .windows(2)
        .filter(|pair| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit())
        .count();
    literal.len() >= 12 && n_groups >= 2 && !literal.contains('.')
}

/// Where the literal stands and how it is written.
fn literal(text: &str, name: &Range<usize>) -> Option<(Range<usize>, Style)> {
    let bytes = text.as_bytes();
    let line = line_around(bytes, name.start);
    let before = name
        .start
        .checked_sub(1)
        .filter(|at| *at >= line.start)
        .map(|at| bytes[at]);
    let mut at = name.end;
    let end = line.end;
    let here = |at: usize| if at < end { bytes[at] } else { 0 };
    let quoted_key = before.is_some_and(is_quote) && {
        let escaped = usize::from(here(at) == b'\\');
        let closes = is_quote(here(at + escaped));
        at += if closes { escaped + 1 } else { 0 };
        closes
    };
    while matches!(here(at), b']' | b'?') || (here(at) == b'!' && here(at + 1) != b'=') {
        at += 1;
    }
    if text[..name.start].ends_with("${") {
        return shell_default(bytes, at, end);
    }
    let spaced = matches!(here(at), b' ' | b'\t');
    let operator_at = skip_blank(bytes, at, end);
    let is_flag = before == Some(b'-');
    match here(operator_at) {
        b'>' if !spaced && (before == Some(b'<') || quoted_key || before == Some(b':')) => {
            element(text, operator_at + 1, end)
        }
        b',' if quoted_key => quoted(text, operator_at + 1, end, Style::Quoted),
        b'(' if !spaced => quoted(text, operator_at + 1, end, Style::Argument),
        b'v' if quoted_key && text[operator_at..end].starts_with("value=") => {
            quoted(text, operator_at + 6, end, Style::Quoted)
        }
        b'=' | b':' | b'?' | b'|' | b'+' | b'!' => {
            let operator: usize = bytes[operator_at..end]
                .iter()
                .take_while(|byte| b"=:?|+!>".contains(byte))
                .count();
            let written = &text[operator_at..operator_at + operator];
            if !matches!(
                written,
                "=" | ":" | ":=" | "=>" | "?=" | "||=" | "+=" | "==" | "===" | "!=" | "!==" | "::="
            ) {
                return None;
            }
            let value_at = operator_at + operator;
            if let Some(found) = quoted(text, value_at, end, Style::Quoted) {
                return Some(found);
            }
            if written == ":"
                && let Some(found) = after_type(text, value_at, end)
            {
                return Some(found);
            }
            plain(text, &line, name, quoted_key, &(operator_at..value_at), spaced)
        }
        _ if spaced && is_flag => flag_value(text, operator_at, end),
        _ if spaced && text[name.clone()].eq_ignore_ascii_case("password") => {
            let netrc = text[line.start..name.start].contains("login ");
            if netrc {
                flag_value(text, operator_at, end)
            } else {
                None
            }
        }
        _ => None,
    }
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

fn line_around(bytes: &[u8], at: usize) -> Range<usize> {
    let start = bytes[..at]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |idx| idx + 1);
    let end = bytes[at..]
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(bytes.len(), |idx| at + idx);
    let end = if end > start && bytes[end - 1] == b'\r' {
        end - 1
    } else {
        end
    };
    start..end.max(at)
}

fn skip_blank(bytes: &[u8], at: usize, end: usize) -> usize {
    at + bytes[at.min(end)..end]
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// A string literal, after blanks, a string prefix (`b"…"`, `@"…"`) or a plain wrapper (`String::from("…")`).
fn quoted(text: &str, at: usize, end: usize, style: Style) -> Option<(Range<usize>, Style)> {
    const WRAPPERS: &[&str] = &[
        "String::from(",
        "String(",
        "str(",
        "Some(",
        "SecretString::new(",
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
    ];
    let bytes = text.as_bytes();
    let mut at = skip_blank(bytes, at, end);
    let rest = &text[at..end];
    at += WRAPPERS
        .iter()
        .find(|wrapper| rest.starts_with(**wrapper))
        .map_or(0, |wrapper| wrapper.len());
    let prefix = bytes[at..end]
        .iter()
        .take(2)
        .take_while(|byte| b"bruBRULfF@$&".contains(byte))
        .count();
    let is_format = bytes[at..at + prefix]
        .iter()
        .any(|byte| matches!(byte, b'f' | b'F' | b'$'));
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
        close += if bytes[close] == b'\\' && escaped == 0 {
            2
        } else {
            1
        };
    }
    if close >= end {
        return None;
    }
    let range = open..close - escaped;
    let literal = text.get(range.clone())?;
    let filled_in = is_format && literal.contains('{');
    (!filled_in).then_some((range, style))
}

/// `name: Type = "…"`.
fn after_type(text: &str, at: usize, end: usize) -> Option<(Range<usize>, Style)> {
    let rest = &text[at..end];
    let equals = rest.find(" = ").filter(|equals| *equals < 60)?;
    if rest[..equals].contains(['"', '`', '(', ';']) {
        return None;
    }
    quoted(text, at + equals + 3, end, Style::Quoted)
}

/// `${NAME:-…}`.
fn shell_default(bytes: &[u8], at: usize, end: usize) -> Option<(Range<usize>, Style)> {
    if !matches!(bytes[..end].get(at..at + 2)?, b":-" | b":=") {
        return None;
    }
    let close = at + 2 + bytes[at + 2..end].iter().position(|byte| *byte == b'}')?;
    Some((at + 2..close, Style::Plain))
}

/// `<name>…</name>`, on one line.
fn element(text: &str, at: usize, end: usize) -> Option<(Range<usize>, Style)> {
    let close = at + text[at..end].find('<')?;
    let inner = text[at..close].trim();
    let start = at + text[at..close].find(inner)?;
    let inner_end = start + inner.len();
    (!inner.is_empty()).then_some((start..inner_end, Style::Plain))
}

/// `--name …`
fn flag_value(text: &str, at: usize, end: usize) -> Option<(Range<usize>, Style)> {
    if let Some(found) = quoted(text, at, end, Style::Quoted) {
        return Some(found);
    }
    let n = text[at..end]
        .find([' ', '\t', '"', '\'', '`', ';', '|', ')', '\\', ','])
        .unwrap_or(end - at);
    let literal = &text[at..at + n];
    (n > 0 && !literal.starts_with(['-', '$', '<', '['])).then_some((at..at + n, Style::Plain))
}

/// A value without quotes. Configuration has it alone to the end of the line, after a key that begins the line; connection
/// strings, queries and flags have it up to their own separators.
fn plain(
    text: &str,
    line: &Range<usize>,
    name: &Range<usize>,
    quoted_key: bool,
    operator: &Range<usize>,
    spaced: bool,
) -> Option<(Range<usize>, Style)> {
    let bytes = text.as_bytes();
    let at = skip_blank(bytes, operator.end, line.end);
    if at >= line.end {
        return None;
    }
    let is_equals = &text[operator.clone()] == "=";
    let spaced_after = at > operator.end;
    let key_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-./:@[]".contains(byte);
    let key_start = name.start
        - bytes[line.start..name.start]
            .iter()
            .rev()
            .take_while(key_part)
            .count();
    let lead = text[line.start..key_start].trim_end_matches(['"', '\'']).trim();
    let before = text[line.start..name.start].trim_end().bytes().next_back();
    let begins_line = matches!(
        lead,
        "" | "-" | "export" | "ENV" | "ARG" | "set" | "SET" | "#" | ";" | "env" | "-e" | "--env"
    );
    let rest = &text[at..line.end];
    if begins_line && (is_equals || spaced_after) && before != Some(b'-') && before != Some(b'?') {
        let n = rest.find([' ', '\t']).unwrap_or(rest.len());
        let tail = rest[n..].trim_start();
        let alone = tail.is_empty()
            || tail.starts_with('#')
            || (is_equals && !spaced && !spaced_after && !lead.is_empty());
        let literal = &rest[..n];
        let is_code =
            literal.ends_with([',', ';', ')', '{', '(', '[', '"', '\'']) || literal.contains(['(', '"', '`']);
        if !alone || is_code {
            return None;
        }
        let indented = key_start > line.start && lead.is_empty();
        // `KEY=value` and `key: value` are configuration; `key = value` may be a program.
        let style = match (is_equals, spaced || spaced_after) {
            (true, true) if indented || literal.len() < 7 || names_itself(literal) => Style::Doubtful,
            (false, _) if names_itself(literal) || quoted_key => Style::Doubtful,
            _ => Style::Plain,
        };
        return Some((at..at + n, style));
    }
    let n = rest
        .find(|c: char| c.is_whitespace() || ";&\"'`<>,)}\\".contains(c))
        .unwrap_or(rest.len());
    let range = at..at + n;
    match before {
        // Connection strings, queries, flags.
        Some(b';' | b'&' | b'?' | b'-') if is_equals && !spaced_after => Some((range, Style::Plain)),
        // The first pair of a connection string, a header in a string.
        Some(b'"' | b'\'' | b'`') if !quoted_key && n > 0 => Some((range, Style::Plain)),
        _ if is_equals && !spaced && !spaced_after => Some((range, Style::Doubtful)),
        _ => None,
    }
}

/// `password: userPassword1` is a variable of that name.
fn names_itself(literal: &str) -> bool {
    let lower = literal.to_ascii_lowercase();
    ["pass", "pwd", "token", "secret", "key", "cred"]
        .iter()
        .any(|noun| lower.contains(noun))
        && is_identifier(literal)
}
