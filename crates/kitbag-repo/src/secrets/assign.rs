//! From a suspicious name to the literal that is assigned to it on the same line, in the forms of code, configuration, markup and
//! shells: `name = "…"`, `"name": "…"`, `NAME=…`, `name: …`, `--name …`, `<name>…</name>`, `setName("…")`, `…;Name=…;`. `follow`
//! finds values elsewhere (below, in a list, in a pair).

use std::ops::Range;

use super::literal::{Literal, is_quote, joined, line_around, near, quoted, skip_blank};
use super::names::{self, Strength};
use super::{Span, follow, value};

/// How the literal is written: without quotes, code and configuration look alike, and the value must decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Quoted,
    /// An argument of a call.
    Argument,
    /// Without quotes, where only a value is possible: `NAME=value` of an environment.
    Bare,
    /// Without quotes, in a form that only configuration and command lines have.
    Plain,
    /// Without quotes, where a variable or a type is possible.
    Doubtful,
}

/// A name, and the line around it.
pub(super) struct Place<'t> {
    pub text: &'t str,
    pub name: Range<usize>,
    pub line: Range<usize>,
    pub strength: Strength,
}

/// Finds the value assigned to the name at `name`, if it is a secret.
pub(super) fn check(text: &str, name: Range<usize>, spans: &mut Vec<Span>) {
    let line = line_around(text.as_bytes(), name.start);
    let line = line.start..line.end.max(name.end);
    let Some(strength) = names::strength(&text[name.clone()]) else {
        if let Some(strength) = names::strength_of_members(&text[name.clone()]) {
            let place = Place {
                text,
                name,
                line,
                strength,
            };
            follow::members(&place, spans);
        }
        return;
    };
    let place = Place {
        text,
        name,
        line,
        strength,
    };
    let n_before = spans.len();
    if let Some((found, style)) = literal(&place) {
        judge(&place, found, style, spans);
    }
    if spans.len() == n_before {
        follow::check(&place, spans);
    }
}

/// Cuts out the literal if it is a secret, and the literals joined to it.
pub(super) fn judge(place: &Place<'_>, found: Literal, style: Style, spans: &mut Vec<Span>) {
    let text = place.text;
    let mut whole = text[found.inside.clone()].to_owned();
    let mut parts = vec![found.inside.clone()];
    if style == Style::Quoted {
        for part in joined(text, found.end) {
            whole.push_str(&text[part.inside.clone()]);
            parts.push(part.inside);
        }
    }
    let is_secret = value::is_secret(&whole, place.strength) && told_by_value(place, &whole, style);
    if !is_secret || says_its_name(place, &whole) {
        return;
    }
    let rule = rule(place.strength);
    for part in parts {
        spans.extend(super::within_lines(text, part, rule));
    }
}

/// `twitter_consumer_secret = "consumer-secret"`: the value is the name, or its end.
fn says_its_name(place: &Place<'_>, literal: &str) -> bool {
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.map(|c| c.to_ascii_lowercase()).collect()
    };
    letters(&place.text[place.name.clone()]).ends_with(&letters(literal))
}

pub(super) fn rule(strength: Strength) -> &'static str {
    match strength {
        Strength::Password | Strength::Foreign => "password",
        Strength::Secret | Strength::Token => "secret or token",
        Strength::Weak => "random literal",
        Strength::Phrase => "wallet phrase",
    }
}

fn told_by_value(place: &Place<'_>, literal: &str, style: Style) -> bool {
    match style {
        Style::Quoted | Style::Bare => true,
        // `password = swordfish` may be a variable; `hunter2` and `correct-horse-battery` cannot be.
        Style::Plain => {
            let n_digits = literal.bytes().filter(u8::is_ascii_digit).count();
            literal.contains('-') || !is_identifier(literal) || !value::is_words(literal) || n_digits >= 3
        }
        Style::Argument => {
            let chosen = place.strength == Strength::Password || !value::is_words(literal);
            chosen && (!reads(&place.text[place.name.clone()]) || literal.len() >= 16)
        }
        Style::Doubtful => !literal.contains('(') && (!is_identifier(literal) || looks_made(literal)),
    }
}

/// `get_password("prod1")` names a secret, `set_password("prod1")` takes one.
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

/// Whether digits are scattered as in no variable name.
fn looks_made(literal: &str) -> bool {
    let bytes = literal.as_bytes();
    let n_groups = bytes
        .windows(2)
        .filter(|pair| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit())
        .count();
    literal.len() >= 12 && n_groups >= 2 && !literal.contains('.')
}

/// The longest value without quotes inside a line, in bytes.
const LONGEST_PLAIN: usize = 600;

/// Operators that a value follows.
const OPERATORS: &[&str] = &[
    "=", ":", ":=", "=>", "?=", "||=", "+=", "==", "===", "!=", "!==", "::=", "||", "??", "?:", "//", "??=",
    "->", "<-",
];

/// Calls that compare what is before them with their argument.
pub(super) const COMPARISONS: &[&str] = &[".equals(", ".equalsIgnoreCase(", ".contentEquals(", ".Equals("];

/// The literal and how it is written.
fn literal(place: &Place<'_>) -> Option<(Literal, Style)> {
    let (text, name, line) = (place.text, &place.name, &place.line);
    let bytes = text.as_bytes();
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
    // The end of some base64: `…Pw==`.
    if matches!(before, Some(b'/' | b'+')) && here(name.end) == b'=' && here(name.end + 1) == b'=' {
        return None;
    }
    if in_variable(&text[line.start..name.start]) {
        return shell_default(text, at, end);
    }
    at = skip_closers(bytes, at, end);
    let spaced = matches!(here(at), b' ' | b'\t');
    let operator_at = skip_blank(bytes, at, end);
    let is_flag = before == Some(b'-');
    let found = |literal: Option<Literal>, style| literal.map(|literal| (literal, style));
    match here(operator_at) {
        b'>' if !spaced && (before == Some(b'<') || quoted_key || before == Some(b':')) => {
            element(text, operator_at + 1, end)
        }
        b',' if quoted_key && takes_value(place) => found(quoted(text, operator_at + 1, end), Style::Quoted),
        b'(' if !spaced => found(quoted(text, operator_at + 1, end), Style::Argument),
        b'.' if !spaced => found(compared_with(text, operator_at, end), Style::Argument),
        b'v' if quoted_key && text[operator_at..end].starts_with("value=") => {
            found(quoted(text, operator_at + 6, end), Style::Quoted)
        }
        b'=' | b':' | b'?' | b'|' | b'+' | b'!' | b'/' | b'-' | b'<' => {
            let operator = bytes[operator_at..end]
                .iter()
                .take_while(|byte| b"=:?|+!>/<-".contains(byte))
                .count();
            let written = &text[operator_at..operator_at + operator];
            // `password=-x…`: the value begins with a sign.
            let written = OPERATORS
                .contains(&written)
                .then_some(written)
                .or_else(|| written.starts_with('=').then_some("="))?;
            let value_at = operator_at + written.len();
            if let Some(found) = quoted(text, value_at, end) {
                return Some((found, Style::Quoted));
            }
            if written == ":"
                && let Some(found) = after_type(text, value_at, end)
            {
                return Some((found, Style::Quoted));
            }
            plain(place, quoted_key, &(operator_at..value_at), spaced)
        }
        b'o' if spaced && text[operator_at..end].starts_with("or ") => {
            found(quoted(text, operator_at + 3, end), Style::Quoted)
        }
        _ if spaced && is_flag => flag_value(text, operator_at, end),
        // `["--api-key", "…"]`
        b'"' | b'\'' if is_flag && here(operator_at + 1) == b',' => {
            found(quoted(text, operator_at + 2, end), Style::Quoted)
        }
        _ if spaced && !quoted_key => spoken(place, operator_at),
        _ => None,
    }
}

/// `name.equals("…")`
fn compared_with(text: &str, at: usize, end: usize) -> Option<Literal> {
    let call = COMPARISONS
        .iter()
        .find(|call| text[at..end].starts_with(**call))?;
    quoted(text, at + call.len(), end)
}

/// Whether the call takes a name and its value: `getenv("DB_PASSWORD", "…")`, `put("password", "…")`. In other calls and in lists,
/// the next literal is of the same kind as the name.
pub(super) fn takes_value(place: &Place<'_>) -> bool {
    const CALLS: &[&str] = &[
        "add",
        "addheader",
        "append",
        "arg",
        "config",
        "default",
        "define",
        "env",
        "fetch",
        "field",
        "fill",
        "fillin",
        "get",
        "getenv",
        "getordefault",
        "header",
        "hset",
        "input",
        "option",
        "param",
        "property",
        "put",
        "set",
        "setenv",
        "setex",
        "setheader",
        "setitem",
        "store",
        "type",
        "update",
        "var",
    ];
    let (text, name) = (place.text, &place.name);
    let is_variable = text[name.clone()].bytes().all(|byte| !byte.is_ascii_lowercase()) && name.len() >= 4;
    let before = &text[place.line.start..name.start];
    let Some(open) = before.rfind('(').filter(|open| before.len() - open <= 40) else {
        return is_variable;
    };
    let head = &before[..open];
    let call = head.len()
        - head
            .trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_')
            .len();
    let call = head[head.len() - call..].to_ascii_lowercase().replace('_', "");
    is_variable || CALLS.iter().any(|known| call.ends_with(known))
}

/// `${db.` and `${` before a name.
fn in_variable(before: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    before.trim_end_matches(part).ends_with("${")
}

/// Skips what may be between a name and its operator: `]`, `[32]`, `?`, `!`, `)`, and the stars of Markdown.
fn skip_closers(bytes: &[u8], at: usize, end: usize) -> usize {
    let mut at = at;
    let here = |at: usize| if at < end { bytes[at] } else { 0 };
    if here(at) == b'[' {
        let n = bytes[at + 1..end]
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .count();
        at += if here(at + 1 + n) == b']' { n + 2 } else { 0 };
    }
    loop {
        let is_operator = matches!(here(at), b'!' | b'?') && matches!(here(at + 1), b'=' | b'?' | b':');
        match here(at) {
            b']' | b')' | b'}' | b'?' | b'!' | b'*' if !is_operator => at += 1,
            _ => return at,
        }
    }
}

/// `name: Type = "…"`.
fn after_type(text: &str, at: usize, end: usize) -> Option<Literal> {
    let rest = &text[at..end];
    let equals = rest.find(" = ").filter(|equals| *equals < 60)?;
    if rest[..equals].contains(['"', '`', '(', ';']) {
        return None;
    }
    quoted(text, at + equals + 3, end)
}

/// `${NAME:-…}`, `${name:…}`.
fn shell_default(text: &str, at: usize, end: usize) -> Option<(Literal, Style)> {
    let rest = text.get(at..end)?.strip_prefix(':')?;
    let signs = rest.starts_with(['-', '=']);
    let start = at + 1 + usize::from(signs);
    let close = start + text[start..end].find('}')?;
    let inside = start..close;
    let style = if signs { Style::Plain } else { Style::Bare };
    (!inside.is_empty()).then_some((Literal { inside, end: close }, style))
}

/// `<name>…</name>`, on one line.
fn element(text: &str, at: usize, end: usize) -> Option<(Literal, Style)> {
    let close = at + text[at..end].find('<')?;
    let inner = text[at..close].trim();
    let start = at + text[at..close].find(inner)?;
    let inside = start..start + inner.len();
    (!inner.is_empty()).then_some((Literal { inside, end: close }, Style::Plain))
}

/// `--name …`
pub(super) fn flag_value(text: &str, at: usize, end: usize) -> Option<(Literal, Style)> {
    if let Some(found) = quoted(text, at, end) {
        return Some((found, Style::Argument));
    }
    let n = text[at..end]
        .find([' ', '\t', '"', '\'', '`', ';', '|', ')', '\\', ','])
        .unwrap_or(end - at);
    let literal = &text[at..at + n];
    let inside = at..at + n;
    (n > 0 && !literal.starts_with(['-', '$', '<', '[', '=']))
        .then_some((Literal { inside, end: at + n }, Style::Plain))
}

/// A name, a space, and the value: `#define NAME "…"`, `ENV NAME …`, `:name "…"`, `name string = "…"`, `the password is …`.
fn spoken(place: &Place<'_>, at: usize) -> Option<(Literal, Style)> {
    let (text, end) = (place.text, place.line.end);
    let lead = text[place.line.start..place.name.start].trim();
    let rest = &text[at..end];
    // In prose, `pass` is a verb.
    if text[place.name.clone()].eq_ignore_ascii_case("pass") {
        return None;
    }
    if rest.starts_with(['"', '\'', '`']) {
        let found = quoted(text, at, end)?;
        // `secret "…"` begins a line of a builder; inside a line, the name may belong to something else.
        let assigned = place.strength == Strength::Password
            || lead.is_empty()
            || lead.ends_with(':')
            || ["#define", "def", "(def", "setx", "const"]
                .iter()
                .any(|word| lead.ends_with(word));
        return assigned.then_some((found, Style::Quoted));
    }
    if matches!(lead, "ENV" | "ARG" | "set" | "SetEnv") || lead.starts_with("set -") {
        let n = rest.find([' ', '\t']).unwrap_or(rest.len());
        let inside = at..at + n;
        return (n == rest.trim_end().len() || lead != "set")
            .then_some((Literal { inside, end: at + n }, Style::Bare));
    }
    if place.strength == Strength::Password && text[place.name.clone()].eq_ignore_ascii_case("password") {
        let above = || {
            let start = place.line.start.saturating_sub(200);
            let above = text.get(start..place.line.start).unwrap_or_default();
            let above = above.trim_end().rsplit('\n').next().unwrap_or_default();
            above.trim_start().starts_with("login ") || above.trim_start().starts_with("machine ")
        };
        if lead.contains("login ") || lead.ends_with("login") || (lead.is_empty() && above()) {
            return flag_value(text, at, end).map(|(found, _)| (found, Style::Bare));
        }
    }
    if let Some(after) = rest.strip_prefix("{ get;")
        && let Some(equals) = after.find("} = ")
    {
        let found = quoted(text, end - after.len() + equals + 4, end)?;
        return Some((found, Style::Quoted));
    }
    for word in [
        "is: ",
        "is ",
        "to ",
        "was ",
        "As String = ",
        "As String: ",
        "string = ",
        "String = ",
        "= ",
    ] {
        let Some(after) = rest.strip_prefix(word) else {
            continue;
        };
        let start = end - after.len();
        if let Some(found) = quoted(text, start, end) {
            return Some((found, Style::Quoted));
        }
        if word.ends_with("= ") {
            return None;
        }
        let n = after.find([' ', '\t', ',', ';', '"', '`']).unwrap_or(after.len());
        let inside = start..start + after[..n].trim_end_matches(['.', ')', '*']).len();
        let spoken = &text[inside.clone()];
        let is_made = spoken.bytes().any(|byte| byte.is_ascii_digit()) && spoken.len() >= 6;
        let end = inside.end;
        return is_made.then_some((Literal { inside, end }, Style::Plain));
    }
    None
}

/// What may be before a key that begins its line.
const LINE_LEADS: &[&str] = &[
    "",
    "-",
    "*",
    "+",
    "export",
    "ENV",
    "ARG",
    "set",
    "SET",
    "#",
    ";",
    "env",
    "-e",
    "--env",
    "- -e",
    "//",
    "setx",
    "Environment=",
    "- **",
    "declare -x",
    "readonly",
];

/// A value without quotes. In configuration it goes to the end of the line, after a key that begins the line; in connection
/// strings, queries and flags it ends at their separators.
fn plain(
    place: &Place<'_>,
    quoted_key: bool,
    operator: &Range<usize>,
    spaced: bool,
) -> Option<(Literal, Style)> {
    let (text, name, line) = (place.text, &place.name, &place.line);
    let bytes = text.as_bytes();
    let mut at = skip_blank(bytes, operator.end, line.end);
    if text[at..line.end].starts_with("**") {
        at = skip_blank(bytes, at + 2, line.end);
    }
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
    let lead = text[line.start..key_start]
        .trim_end_matches(['"', '\'', '*', '_'])
        .trim()
        .trim_start_matches("$ ")
        .trim_start_matches("> ");
    let is_flag = name.start > line.start && bytes[name.start - 1] == b'-';
    let before = text[line.start..name.start].trim_end().bytes().next_back();
    let begins_line = LINE_LEADS.contains(&lead);
    let rest = &text[at..line.end];
    let is_pair = |n: usize| {
        (
            Literal {
                inside: at..at + n,
                end: at + n,
            },
            Style::Plain,
        )
    };
    if begins_line && (is_equals || spaced_after) && !is_flag && before != Some(b'?') {
        let n = rest.find([' ', '\t']).unwrap_or(rest.len());
        let tail = rest[n..].trim_start();
        let is_environment = is_equals
            && !spaced
            && !spaced_after
            && text[name.clone()].bytes().all(|byte| !byte.is_ascii_lowercase());
        let alone = tail.is_empty()
            || tail.starts_with('#')
            || (is_equals && !spaced && !spaced_after && (!lead.is_empty() || is_environment));
        let literal = &rest[..n];
        let is_code = literal.ends_with([',', ';', '{', '(', '[', '"', '\''])
            || (literal.ends_with(')') && literal.contains('('))
            || literal.contains(['"', '`'])
            || (literal.contains('(') && !is_environment);
        if !alone || is_code {
            return None;
        }
        let indented = key_start > line.start && lead.is_empty();
        // `KEY=value` and `key: value` are configuration; `key = value` may be a program.
        let style = match (is_equals, spaced || spaced_after) {
            _ if is_environment => Style::Bare,
            (true, true) if indented || literal.len() < 7 || names_itself(literal) => Style::Doubtful,
            (false, _) if names_itself(literal) || quoted_key => Style::Doubtful,
            _ => Style::Plain,
        };
        return Some((is_pair(n).0, style));
    }
    let rest = near(rest, 0, LONGEST_PLAIN);
    let n = rest
        .find(|c: char| c.is_whitespace() || ";&\"'`<>,)}\\".contains(c))
        .unwrap_or(rest.len());
    if n >= LONGEST_PLAIN - 4 {
        return None;
    }
    let sets = ["-e", "--env", "export", "env", "--build-arg", "-E"];
    let is_variable = sets.iter().any(|word| lead.ends_with(word)) || lead.starts_with("ENV ");
    if is_variable && is_equals && !spaced && !spaced_after {
        return Some((is_pair(n).0, Style::Bare));
    }
    match before {
        // Connection strings, queries, flags.
        Some(b';' | b'&' | b'?' | b'-') if is_equals && !spaced_after => Some(is_pair(n)),
        // The first pair of a connection string, a header in a string.
        Some(b'"' | b'\'' | b'`') if !quoted_key && n > 0 => Some(is_pair(n)),
        _ if is_equals && !spaced && !spaced_after && behind_pairs(&text[line.start..name.start]) => {
            Some((is_pair(n).0, Style::Bare))
        }
        _ if is_equals && !spaced && !spaced_after => Some((is_pair(n).0, Style::Doubtful)),
        _ => None,
    }
}

/// Whether `"host=db user=kit ` is before a name: a connection string of libpq in a literal.
fn behind_pairs(before: &str) -> bool {
    const KEYS: &[&str] = &["dbname", "host", "hostaddr", "port", "sslmode", "user"];
    let Some(quote) = before.rfind(['"', '\'', '`']).filter(|_| before.ends_with(' ')) else {
        return false;
    };
    let inside = &before[quote + 1..];
    let is_pair = |pair: &str| {
        let (key, value) = pair.split_once('=').unwrap_or_default();
        KEYS.contains(&key) && !value.is_empty()
    };
    !inside.starts_with(' ') && inside.split_whitespace().all(is_pair)
}

/// `password: userPassword1` is a variable of that name.
fn names_itself(literal: &str) -> bool {
    const NOUNS: &[&str] = &[
        "pass",
        "pwd",
        "token",
        "secret",
        "key",
        "cred",
        "contras",
        "kennwort",
        "senha",
        "wachtwoord",
    ];
    let lower = literal.to_ascii_lowercase();
    NOUNS.iter().any(|noun| lower.contains(noun))
        && is_identifier(literal)
        && literal.bytes().filter(u8::is_ascii_digit).count() <= 1
}
