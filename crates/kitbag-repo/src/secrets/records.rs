//! Secrets recognised by their column: SQL inserts, tables in Markdown, CSV; and by their record: `.pgpass`, `htpasswd`, the `data`
//! of a Kubernetes Secret.

use std::ops::Range;

use super::assign::rule;
use super::literal::{line_around, line_end, near, next_line, quoted, skip_blank, skip_space};
use super::names::{self, Strength};
use super::{Span, value};

/// The most rows of a table and lines of a record that are checked.
const MOST_ROWS: usize = 2000;
/// The most lines of a Kubernetes document that are checked, up and down.
const MOST_LINES: usize = 200;

pub(super) const KEYWORDS: &[(&str, super::shapes::Shape)] = &[
    ("insert into ", insert),
    ("identified by ", identified),
    ("identified with ", identified),
    ("|--", table),
    ("| --", table),
    ("|:-", table),
    ("| :-", table),
    (":5432:", pgpass),
    (":5433:", pgpass),
    (":6432:", pgpass),
    (":*:*:", pgpass),
    (":$apr1$", password_file),
    (":$2a$", password_file),
    (":$2b$", password_file),
    (":$2y$", password_file),
    (":$1$", password_file),
    (":$5$", password_file),
    (":$6$", password_file),
    (":$y$", password_file),
    (":{sha}", password_file),
    (":{ssha}", password_file),
    ("kind: secret", kubernetes),
    ("\"kind\": \"secret\"", kubernetes_json),
];

fn push(text: &str, range: Range<usize>, strength: Strength, spans: &mut Vec<Span>) {
    if value::is_secret(&text[range.clone()], strength) {
        let rule = rule(strength);
        spans.push(Span { range, rule });
    }
}

/// What columns with these names contain.
fn columns<'n>(names: impl Iterator<Item = &'n str>) -> Vec<Option<Strength>> {
    names
        .map(|name| {
            let name = name
                .trim()
                .trim_matches(['"', '\'', '`', '[', ']', '*', '_', ' ']);
            let is_name = name.len() <= 40 && name.split(' ').count() <= 3;
            let name = name.replace(' ', "_");
            let found = names::strength(&name).filter(|_| is_name);
            found.filter(|strength| {
                matches!(strength, Strength::Password | Strength::Secret | Strength::Token)
            })
        })
        .collect()
}

/// `INSERT INTO users (name, password) VALUES ('kit', '…')`.
fn insert(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let head = near(text, at.end, 2000);
    let Some(open) = head.find('(') else { return };
    let Some(close) = head[open..].find(')') else {
        return;
    };
    let columns = columns(head[open + 1..open + close].split(','));
    if columns.iter().all(Option::is_none) {
        return;
    }
    let mut here = skip_space(bytes, at.end + open + close + 1);
    if !text[here..]
        .get(..6)
        .is_some_and(|word| word.eq_ignore_ascii_case("values"))
    {
        return;
    }
    here = skip_space(bytes, here + 6);
    for _ in 0..MOST_ROWS {
        if bytes.get(here) != Some(&b'(') {
            return;
        }
        here += 1;
        for column in &columns {
            here = skip_space(bytes, here);
            let literal = quoted(text, here, line_end(bytes, here));
            let end = match &literal {
                Some(literal) => literal.end,
                None => here + near(text, here, 400).find([',', ')']).unwrap_or(0),
            };
            if let (Some(strength), Some(literal)) = (column, literal) {
                push(text, literal.inside, *strength, spans);
            }
            here = skip_space(bytes, end);
            if bytes.get(here) != Some(&b',') {
                break;
            }
            here += 1;
        }
        if bytes.get(here) != Some(&b')') {
            return;
        }
        here = skip_space(bytes, here + 1);
        if bytes.get(here) != Some(&b',') {
            return;
        }
        here = skip_space(bytes, here + 1);
    }
}

/// `IDENTIFIED BY '…'`, `IDENTIFIED WITH … BY '…'`.
fn identified(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let end = line_end(text.as_bytes(), at.end);
    let line = &text[at.end..end];
    let start = match line.to_ascii_lowercase().find(" by ").filter(|by| *by < 60) {
        Some(by) => at.end + by + 4,
        None => {
            at.end
                + if line.to_ascii_lowercase().starts_with("password ") {
                    9
                } else {
                    0
                }
        }
    };
    if let Some(found) = quoted(text, start, end).filter(|_| !text[start..end].starts_with('`')) {
        return push(text, found.inside, Strength::Password, spans);
    }
    // Oracle accepts it without quotes.
    let n = text[start..end].find([' ', ';', ')']).unwrap_or(end - start);
    let bare = &text[start..start + n];
    if bare.bytes().any(|byte| byte.is_ascii_digit()) {
        push(text, start..start + n, Strength::Password, spans);
    }
}

/// A table in Markdown: the line of dashes, the names above it, the rows below.
fn table(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let line = line_around(bytes, at.start);
    if !text[line.start..at.start].trim().is_empty() || line.start == 0 {
        return;
    }
    let above = line_around(bytes, line.start - 1);
    let cells = |line: &str| -> usize { line.matches('|').count() };
    let header = &text[above.start..line.start - 1];
    let names: Vec<Option<Strength>> = columns(header.trim().trim_matches('|').split('|'));
    if names.iter().all(Option::is_none) || cells(header) < 2 {
        return;
    }
    let mut line = line;
    for _ in 0..MOST_ROWS {
        let Some(next) = next_line(bytes, line.end) else {
            return;
        };
        let row = &text[next.clone()];
        if !row.contains('|') {
            return;
        }
        let first = usize::from(row.trim_start().starts_with('|'));
        let mut start = next.start;
        for (idx, cell) in row.split('|').enumerate() {
            let column = idx
                .checked_sub(first)
                .and_then(|idx| names.get(idx).copied().flatten());
            if let Some(strength) = column {
                let bare = cell.trim().trim_matches(['`', '*']);
                let inside = start + cell.find(bare).unwrap_or(0);
                let n_digits = bare.bytes().filter(u8::is_ascii_digit).count();
                let is_code = cell.trim().starts_with('`') || !value::is_words(bare) || n_digits >= 3;
                if is_code && !bare.contains(' ') {
                    push(text, inside..inside + bare.len(), strength, spans);
                }
            }
            start += cell.len() + 1;
        }
        line = next;
    }
}

/// Rows of values under a first line of names, separated by commas, semicolons or tabs.
pub(super) fn csv(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let head = 0..line_end(bytes, 0);
    let first = &text[head.clone()];
    if head.len() > 2000 {
        return;
    }
    let Some(separator) = [',', ';', '\t']
        .into_iter()
        .find(|separator| first.contains(*separator))
    else {
        return;
    };
    let is_name = |name: &str| {
        let name = name.trim().trim_matches('"');
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.');
        !name.is_empty() && name.chars().all(part)
    };
    if !first.split(separator).all(is_name) {
        return;
    }
    let names = columns(first.split(separator));
    if names.iter().all(Option::is_none) {
        return;
    }
    let mut line = head;
    while let Some(next) = next_line(bytes, line.end) {
        let cells = fields(text, &next, separator);
        if cells.len() != names.len() && !text[next.clone()].trim().is_empty() {
            return;
        }
        for (cell, strength) in cells.into_iter().zip(&names) {
            if let Some(strength) = strength {
                push(text, cell, *strength, spans);
            }
        }
        line = next;
    }
}

/// The fields of a line, without their quotes.
fn fields(text: &str, line: &Range<usize>, separator: char) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = line.start;
    loop {
        if at < line.end && bytes[at] == b'"' {
            let close = text[at + 1..line.end].find('"').map_or(line.end, |n| at + 1 + n);
            found.push(at + 1..close);
            at = (close + 1).min(line.end);
        } else {
            let end = text[at..line.end].find(separator).map_or(line.end, |n| at + n);
            found.push(at..end);
            at = end;
        }
        if at >= line.end || bytes[at] != separator as u8 {
            return found;
        }
        at += 1;
    }
}

/// `host:5432:database:user:…`
fn pgpass(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let line = line_around(text.as_bytes(), at.start);
    let mut start = line.start;
    for (idx, part) in text[line.clone()].splitn(5, ':').enumerate() {
        let is_field = part
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-*$".contains(c))
            && !part.is_empty();
        if idx < 4 && !is_field {
            return;
        }
        if idx == 4 {
            return push(text, start..start + part.len(), Strength::Password, spans);
        }
        start += part.len() + 1;
    }
}

/// `user:$apr1$…`: the hash of a password, which can be attacked offline.
fn password_file(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let hash = near(text, at.start + 1, 200);
    let n = hash
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"$./+={}".contains(byte))
        .count();
    let line = line_around(text.as_bytes(), at.start);
    let user = text[line.start..at.start].trim();
    let is_user = !user.is_empty() && user.chars().all(|c| c.is_alphanumeric() || "._-@\"'".contains(c));
    if n >= 20 && is_user {
        spans.push(Span {
            range: at.start + 1..at.start + 1 + n,
            rule: "password hash",
        });
    }
}

/// The entries under `data:` and `stringData:` of the document.
fn kubernetes(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let line = line_around(bytes, at.start);
    if text[at.end..line.end.max(at.end)].trim() != "" {
        return;
    }
    let own = at.start - line.start;
    if !text[line.start..at.start].trim_matches([' ', '-']).is_empty() {
        return;
    }
    // Up to the beginning of the document.
    let mut start = line.start;
    for _ in 0..MOST_LINES {
        if start == 0 {
            break;
        }
        let above = line_around(bytes, start - 1);
        if text[above.clone()].starts_with("---") {
            break;
        }
        start = above.start;
    }
    let mut line = start..line_end(bytes, start);
    let mut in_data = false;
    for _ in 0..2 * MOST_LINES {
        let body = text[line.clone()].trim();
        let indent = skip_blank(bytes, line.start, line.end) - line.start;
        if body.starts_with("---") && line.start > at.start {
            return;
        }
        if indent <= own && !body.is_empty() {
            in_data = matches!(body, "data:" | "stringData:");
        } else if in_data && !body.starts_with('#') {
            value_of_entry(text, &line, spans);
        }
        let Some(next) = next_line(bytes, line.end) else {
            return;
        };
        line = next;
    }
}

/// The value of `key: value`, or a line of a block, whatever it is.
fn value_of_entry(text: &str, line: &Range<usize>, spans: &mut Vec<Span>) {
    let body = &text[line.clone()];
    let is_key = |key: &str| {
        key.trim()
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-\"'".contains(&byte))
    };
    let start = match body.split_once(": ") {
        Some((key, _)) if is_key(key) => key.len() + 2,
        _ if body.trim_end().ends_with(':') => return,
        _ => 0,
    };
    let bare = body[start..].trim().trim_matches(['"', '\'']);
    let is_sign = matches!(bare, "" | "|" | ">" | "|-" | ">-" | "[REDACTED]");
    if is_sign
        || bare.len() < 4
        || value::is_template(bare)
        || value::is_placeholder(bare)
        || bare.starts_with('#')
    {
        return;
    }
    let at = line.start + start + body[start..].find(bare).unwrap_or(0);
    spans.push(Span {
        range: at..at + bare.len(),
        rule: "kubernetes secret",
    });
}

/// The same in JSON: the members of `"data"`, a few lines up or down.
fn kubernetes_json(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let start = at.start.saturating_sub(2000);
    let start = (start..=at.start)
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(at.start);
    let around = near(text, start, 4000);
    let bytes = text.as_bytes();
    for head in ["\"data\": {", "\"stringData\": {"] {
        let Some(found) = around.find(head) else { continue };
        let mut here = start + found + head.len();
        for _ in 0..MOST_LINES {
            here = skip_space(bytes, here);
            let Some(key) = quoted(text, here, line_end(bytes, here)) else {
                break;
            };
            here = skip_space(bytes, key.end);
            if bytes.get(here) != Some(&b':') {
                break;
            }
            let Some(literal) = quoted(text, here + 1, line_end(bytes, here)) else {
                break;
            };
            let bare = &text[literal.inside.clone()];
            if bare.len() >= 4 && !value::is_template(bare) && !value::is_placeholder(bare) {
                let range = literal.inside.clone();
                let rule = "kubernetes secret";
                spans.push(Span { range, rule });
            }
            here = skip_space(bytes, literal.end);
            if bytes.get(here) != Some(&b',') {
                break;
            }
            here += 1;
        }
    }
}
