//! Checks values: a raw value and its kind in; a value in its normal form, or an error message, out.
//!
//! Files give typed values; variables and flags give text, which is parsed by the kind that is expected. Both go through the
//! same checks. The engine checks regular expressions, because it compiles them anyway and has the better message.

#[cfg(test)]
mod tests;

use kitbag_engine::Fusion;
use kitbag_types::amount;

use super::Mode;
use super::keys::{Kind, Word};

/// A value of the configuration.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Bool(bool),
    Count(u64),
    Ratio(f64),
    Text(String),
    List(Vec<String>),
}

impl Value {
    /// As in `kitbag.toml`.
    pub fn to_toml(&self) -> String {
        match self {
            Value::Bool(value) => value.to_string(),
            Value::Count(value) => value.to_string(),
            Value::Ratio(value) => format!("{value:?}"),
            Value::Text(text) => quote(text),
            Value::List(items) => format!(
                "[{}]",
                items
                    .iter()
                    .map(|item| quote(item))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        }
    }

    /// Parses the text of a variable or flag. A list is a TOML list, or words separated by commas.
    pub fn from_text(text: &str, kind: Kind) -> Option<Value> {
        match kind {
            Kind::Bool => match text {
                "true" | "1" => Some(Value::Bool(true)),
                "false" | "0" => Some(Value::Bool(false)),
                _ => None,
            },
            Kind::Count { .. } => amount(text).map(Value::Count),
            Kind::Ratio { .. } => text.parse().ok().map(Value::Ratio),
            Kind::Text(_) => Some(Value::Text(text.to_owned())),
            Kind::List(_) if text.starts_with('[') => toml_list(text).map(Value::List),
            Kind::List(_) => Some(Value::List(between_commas(text))),
        }
    }
}

/// The value in its normal form; otherwise the text after "expected", which names the item if one item of a list is wrong.
pub fn checked(value: Value, kind: Kind) -> Result<Value, String> {
    let allowed = || kind.allowed();
    match (kind, value) {
        (Kind::Bool, value @ Value::Bool(_)) => Ok(value),
        (Kind::Count { min, max }, Value::Count(n)) if (min..=max).contains(&n) => Ok(Value::Count(n)),
        (Kind::Ratio { min, max }, Value::Ratio(x)) if (min..=max).contains(&x) => Ok(Value::Ratio(x)),
        (Kind::Ratio { .. }, Value::Count(n)) => checked(Value::Ratio(n as f64), kind),
        (Kind::Text(word), Value::Text(text)) => normal(&text, word).map(Value::Text).ok_or_else(allowed),
        (Kind::List(word), Value::List(items)) => {
            let mut normals = Vec::with_capacity(items.len());
            for item in items {
                let wrong = || format!("{}; {} is not", kind.allowed(), quote(&shortened(&item)));
                normals.push(normal(&item, word).ok_or_else(wrong)?);
            }
            Ok(Value::List(normals))
        }
        _ => Err(allowed()),
    }
}

/// The normal form of a string; `None` if it is not allowed.
fn normal(text: &str, word: Word) -> Option<String> {
    let allowed = !text.is_empty() && !text.contains('\0');
    match word {
        Word::Path | Word::Pattern | Word::Embedder => allowed.then(|| text.to_owned()),
        Word::Fusion => Fusion::parse(text).map(|fusion| fusion.as_str().to_owned()),
        Word::Mode => Mode::parse(text).map(|mode| mode.as_str().to_owned()),
        Word::Host => is_host(text).then(|| text.to_owned()),
        Word::Url => is_url(text).then(|| text.to_owned()),
        Word::Secret => (allowed && text.chars().all(|c| c.is_ascii_graphic())).then(|| text.to_owned()),
        Word::Glob => (allowed && is_glob(text)).then(|| text.to_owned()),
        Word::Extension => {
            let extension = text.strip_prefix('.').unwrap_or(text).to_lowercase();
            let plain = !extension.is_empty() && !extension.contains(['/', '\\', '*', '?', ' ', '\0']);
            plain.then_some(extension)
        }
        Word::Model => kitbag_tokens::family_of(text).map(|_| text.to_owned()),
    }
}

/// Whether this is the address of a server. One with a password is refused, because addresses are shown.
fn is_url(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let host = rest.map_or("", |rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
    !host.is_empty()
        && !host.contains('@')
        && !text.contains('#')
        && text.chars().all(|c| c.is_ascii_graphic())
}

/// A host name or an IP address, without a port.
fn is_host(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']'))
}

/// Whether brackets and braces are closed and no escape is left open. The engine compiles the glob; this check finds typing
/// errors while the line in the file is still known.
fn is_glob(text: &str) -> bool {
    let mut n_braces = 0_usize;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.next().is_none() => return false,
            '{' => n_braces += 1,
            '}' if n_braces == 0 => return false,
            '}' => n_braces -= 1,
            '[' => {
                // A `]` that comes first, after `!` or `^` too, is a member of the class.
                let rest = chars.as_str().trim_start_matches(['!', '^']);
                let Some(close) = rest.char_indices().skip(1).find(|(_, c)| *c == ']') else {
                    return false;
                };
                chars = rest[close.0 + 1..].chars();
            }
            _ => {}
        }
    }
    n_braces == 0
}

fn toml_list(text: &str) -> Option<Vec<String>> {
    let value = toml::de::DeValue::parse(text).ok()?;
    let items = value.get_ref().as_array()?;
    items
        .iter()
        .map(|item| item.get_ref().as_str().map(str::to_owned))
        .collect()
}

/// Splits at commas, except inside `{a,b}`, where they belong to a glob.
fn between_commas(text: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut n_braces = 0_i32;
    for c in text.chars() {
        match c {
            '{' => n_braces += 1,
            '}' => n_braces -= 1,
            ',' if n_braces <= 0 => {
                items.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = items.last_mut() {
            last.push(c);
        }
    }
    items
        .iter()
        .map(|item| item.trim().to_owned())
        .filter(|item| !item.is_empty())
        .collect()
}

/// A TOML string: a literal one if that needs no escapes, else a basic one.
fn quote(text: &str) -> String {
    let plain = |c: char| !c.is_control();
    if text.contains(['"', '\\']) && !text.contains('\'') && text.chars().all(plain) {
        return format!("'{text}'");
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if plain(c) => quoted.push(c),
            c => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
        }
    }
    quoted.push('"');
    quoted
}

/// Shown instead of a secret, as in files (SEC-1).
pub const HIDDEN: &str = "\"[REDACTED]\"";

/// At most 60 characters on one line, free of control sequences (SEC-3), to be shown in a message.
pub fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut short: String = text
        .chars()
        .take(LONGEST)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}
