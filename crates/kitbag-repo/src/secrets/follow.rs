//! Values that are not directly after their name: on the next line, in a block, in a list, in the other half of a `name`/`value`
//! pair, in an array of bytes, in the next cell, in what a test types into a field.

use std::ops::Range;

use super::assign::{COMPARISONS, Place, Style, judge, rule, takes_value};
use super::literal::{Literal, is_quote, line_end, near, next_line, quoted, skip_blank, skip_space};
use super::names::Strength;
use super::{Span, value};

/// The most lines of a block or a list that are checked.
const MOST_LINES: usize = 64;
/// How far after the name a call that types a value may begin, in bytes.
const NEAR: usize = 80;

/// Checks all of these places.
pub(super) fn check(place: &Place<'_>, spans: &mut Vec<Span>) {
    let before = spans.len();
    let ways: [fn(&Place<'_>, &mut Vec<Span>); 9] = [
        below,
        triple_quoted,
        bytes_of_array,
        pair,
        members,
        typed,
        element_below,
        cell,
        compared,
    ];
    for way in ways {
        way(place, spans);
        if spans.len() > before {
            return;
        }
    }
}

/// The end of the operator after a name, and the operator.
fn operator<'t>(place: &Place<'t>) -> Option<(usize, &'t str)> {
    let (text, end) = (place.text, place.line.end);
    let bytes = text.as_bytes();
    let mut at = place.name.end;
    while at < end && (is_quote(bytes[at]) || matches!(bytes[at], b'\\' | b']' | b'[')) {
        at += 1;
    }
    if bytes[at..end].first() == Some(&b'{') {
        return None;
    }
    let start = skip_blank(bytes, at, end);
    // In `std::string name = …` and `byte[] name = …` nothing follows the name; in `char name[32]` brackets do.
    let n_digits = bytes[at..end]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let start = match n_digits > 0 && bytes.get(at + n_digits) == Some(&b']') {
        true => skip_blank(bytes, at + n_digits + 1, end),
        false => start,
    };
    let n = bytes[start..end]
        .iter()
        .take_while(|byte| b"=:>".contains(byte))
        .count();
    let written = &text[start..start + n];
    matches!(written, "=" | ":" | ":=" | "=>").then_some((start + n, written))
}

/// `name:` and the value below it, in YAML also as a block; `name =` and the literal below it.
fn below(place: &Place<'_>, spans: &mut Vec<Span>) {
    let text = place.text;
    let bytes = text.as_bytes();
    let Some((at, written)) = operator(place) else {
        return;
    };
    let rest = text[at..place.line.end].trim();
    let is_block = written == ":" && matches!(rest, "|" | ">" | "|-" | ">-" | "|+" | ">+" | "|2" | ">2");
    if !is_block && !matches!(rest, "" | "(" | "\\" | "{") {
        return;
    }
    let Some(next) = next_line(bytes, place.line.end) else {
        return;
    };
    if !is_block {
        let is_escaped = bytes[next.start..next.end].is_empty();
        if let Some(found) = quoted(text, next.start, next.end).filter(|_| !is_escaped) {
            let after = text[found.end..next.end].trim_start();
            if !after.starts_with([':', '=']) {
                return judge(place, found, Style::Quoted, spans);
            }
            return;
        }
        if written != ":" {
            return;
        }
    }
    let indent = |line: &Range<usize>| skip_blank(bytes, line.start, line.end) - line.start;
    let own = indent(&place.line);
    let mut line = Some(next);
    let mut whole = String::new();
    let mut parts = Vec::new();
    for _ in 0..MOST_LINES {
        let Some(this) = line else { break };
        let body = text[this.clone()].trim();
        if body.is_empty() || indent(&this) <= own {
            break;
        }
        let start = this.start + indent(&this);
        if !whole.is_empty() {
            whole.push(' ');
        }
        whole.push_str(body);
        parts.push(start..start + body.len());
        line = next_line(bytes, this.end);
    }
    let is_mapping = parts.len() > 1 && !is_block;
    let is_one_line = parts.len() == 1;
    // A block under a name of this kind is the value, whatever its length.
    let strength = if is_block && !is_one_line {
        Strength::Password
    } else {
        place.strength
    };
    let is_code = whole.ends_with([',', ';', '{', '(', ')'])
        || whole.contains(": ")
        || whole.ends_with(':')
        || whole.starts_with("- ");
    let n_digits = whole.bytes().filter(u8::is_ascii_digit).count();
    let looks_plain =
        is_one_line && !is_block && value::is_words(&whole) && !whole.contains('-') && n_digits < 3;
    if is_mapping || is_code || looks_plain {
        return;
    }
    if value::is_secret(&whole, strength) || is_long_block(&whole) {
        let rule = rule(place.strength);
        spans.extend(parts.into_iter().map(|range| Span { range, rule }));
    }
}

/// `name = """`, with the value alone on the next line.
fn triple_quoted(place: &Place<'_>, spans: &mut Vec<Span>) {
    let text = place.text;
    let bytes = text.as_bytes();
    let Some((at, _)) = operator(place) else { return };
    let rest = text[at..place.line.end].trim();
    let quotes = rest.trim_end_matches('\\');
    if !matches!(quotes, "\"\"\"" | "'''") {
        return;
    }
    let Some(next) = next_line(bytes, place.line.end) else {
        return;
    };
    let line = trimmed(text, next.clone());
    let body = text[line.clone()].trim_end_matches([';', ')', ',']);
    let closes_here = body.strip_suffix(quotes);
    let closes_below =
        || next_line(bytes, next.end).is_some_and(|line| text[line].trim_start().starts_with(quotes));
    let value = closes_here.unwrap_or(&text[line.clone()]);
    if value.contains(char::is_whitespace) || (closes_here.is_none() && !closes_below()) {
        return;
    }
    let inside = line.start..line.start + value.len();
    let end = inside.end;
    judge(place, Literal { inside, end }, Style::Bare, spans);
}

/// `"…".equals(name)`, `"…" == name`.
fn compared(place: &Place<'_>, spans: &mut Vec<Span>) {
    let text = place.text;
    let after = &text[place.name.end..place.line.end];
    let after = after.strip_prefix("()").unwrap_or(after);
    if after.starts_with(['.', '[', '(', '"', '\'', '`']) {
        return;
    }
    let head = &text[place.line.start..place.name.start];
    let head = head.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$'));
    let head = head.trim_end();
    let Some(head) = COMPARISONS
        .iter()
        .chain(&["===", "=="])
        .find_map(|call| head.strip_suffix(call))
    else {
        return;
    };
    let head = head.trim_end();
    let Some(quote) = head.chars().next_back().filter(|c| matches!(c, '"' | '\'' | '`')) else {
        return;
    };
    let close = place.line.start + head.len() - 1;
    let Some(open) = head[..head.len() - 1].rfind(quote) else {
        return;
    };
    let inside = place.line.start + open + 1..close;
    let found = Literal {
        inside,
        end: close + 1,
    };
    judge(place, found, Style::Bare, spans);
}

/// Base64 in a block, longer than any literal.
fn is_long_block(whole: &str) -> bool {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/= ".contains(&byte);
    whole.len() >= 64
        && whole.bytes().all(is_base64)
        && whole.bytes().filter(u8::is_ascii_digit).count() >= 6
        && !whole.split(' ').any(|word| word.len() < 12)
}

/// `key[] = {0x1f, 0x8b, …}`, `key = bytes([31, 139, …])`: at least eight numbers of bytes.
fn bytes_of_array(place: &Place<'_>, spans: &mut Vec<Span>) {
    let text = place.text;
    let bytes = text.as_bytes();
    let Some((at, _)) = operator(place) else { return };
    let rest = &text[at..place.line.end];
    // The bracket that a number follows: `[u8; 4] = [1, …]`, `[]byte{1, …}`.
    let opens = |(at, _): &(usize, &str)| {
        let inside = rest[at + 1..].trim_start();
        inside.is_empty() || inside.starts_with(|c: char| c.is_ascii_digit() || c == '\'')
    };
    let found = near(rest, 0, 60).match_indices(['{', '[']).find(opens);
    let Some((open, _)) = found else { return };
    if rest[..open].contains(['"', '\'', '`']) {
        return;
    }
    let is_part = |byte: u8| byte.is_ascii_hexdigit() || b"xX, \t\r\n'\\u".contains(&byte);
    let start = at + open + 1;
    let n = bytes[start..]
        .iter()
        .take(4096)
        .take_while(|byte| is_part(**byte))
        .count();
    let closes = matches!(bytes.get(start + n), Some(b'}' | b']'));
    let inside = &text[start..start + n];
    let numbers: Vec<&str> = inside
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let is_byte = |part: &&str| {
        let hex = part.strip_prefix("0x").or_else(|| part.strip_prefix("0X"));
        match hex {
            Some(hex) => (1..=2).contains(&hex.len()),
            None => {
                part.parse::<u8>().is_ok()
                    || (part.starts_with('\'') && part.ends_with('\'') && part.len() == 3)
            }
        }
    };
    let mut distinct = numbers.clone();
    distinct.sort_unstable();
    distinct.dedup();
    if closes
        && numbers.len() >= 8
        && distinct.len() >= 6
        && numbers.iter().all(is_byte)
        && !counts_up(&numbers)
    {
        spans.extend(super::within_lines(
            text,
            trimmed(text, start..start + n),
            "secret or token",
        ));
    }
}

/// `0, 1, 2, …`: test data.
fn counts_up(numbers: &[&str]) -> bool {
    let value = |part: &&str| match part.strip_prefix("0x") {
        Some(hex) => u8::from_str_radix(hex, 16).ok(),
        None => part.parse().ok(),
    };
    let values: Vec<Option<u8>> = numbers.iter().map(value).collect();
    values
        .windows(2)
        .all(|pair| matches!((pair[0], pair[1]), (Some(a), Some(b)) if b == a.wrapping_add(1)))
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = &text[range.clone()];
    let start = range.start + inside.len() - inside.trim_start().len();
    start..start + inside.trim().len()
}

/// `name: DB_PASSWORD` and `value: …`, `{"key": "password", "value": "…"}`.
fn pair(place: &Place<'_>, spans: &mut Vec<Span>) {
    const KEYS: &[&str] = &[
        "name", "key", "id", "field", "variable", "option", "property", "env", "label",
    ];
    const VALUES: &[&str] = &["value", "val", "default", "content", "string"];
    let text = place.text;
    let bytes = text.as_bytes();
    let lead = text[place.line.start..place.name.start].trim_end_matches(['"', '\'', '`', ' ']);
    let key = lead
        .strip_suffix([':', '='])
        .map(|lead| lead.trim_end_matches(['"', '\'', ' ']));
    let Some(key) = key.or_else(|| {
        lead.strip_suffix("=>")
            .map(|lead| lead.trim_end_matches(['"', '\'', ' ']))
    }) else {
        return;
    };
    let key = key
        .rsplit(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    if !KEYS.contains(&key.to_ascii_lowercase().as_str()) {
        return;
    }
    let mut at = place.name.end;
    while bytes
        .get(at)
        .is_some_and(|byte| is_quote(*byte) || *byte == b'\\')
    {
        at += 1;
    }
    at = skip_space(bytes, at);
    at = skip_space(
        bytes,
        at + usize::from(matches!(bytes.get(at), Some(b',' | b';'))),
    );
    while bytes
        .get(at)
        .is_some_and(|byte| is_quote(*byte) || matches!(byte, b':' | b'\\' | b'-'))
    {
        at += 1;
    }
    let n = bytes[at..]
        .iter()
        .take(12)
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    if !VALUES.contains(&text[at..at + n].to_ascii_lowercase().as_str()) {
        return;
    }
    at += n;
    let end = line_end(bytes, at);
    let rest = text[at..end].trim_start_matches(['"', '\'', '\\', ' ']);
    let Some(rest) = rest.strip_prefix("=>").or_else(|| rest.strip_prefix([':', '='])) else {
        return;
    };
    let start = skip_blank(bytes, end - rest.len(), end);
    if let Some(found) = quoted(text, start, end) {
        return judge(place, found, Style::Quoted, spans);
    }
    let n = text[start..end].find([' ', ',', '}']).unwrap_or(end - start);
    let inside = start..start + n;
    judge(
        place,
        Literal {
            inside,
            end: start + n,
        },
        Style::Plain,
        spans,
    );
}

/// `api_keys = ["…", "…"]`, in YAML also one per line.
pub(super) fn members(place: &Place<'_>, spans: &mut Vec<Span>) {
    let text = place.text;
    let bytes = text.as_bytes();
    let Some((at, written)) = operator(place) else {
        return;
    };
    let mut at = skip_blank(bytes, at, place.line.end);
    if matches!(bytes.get(at), Some(b'[' | b'{' | b'(')) {
        at += 1;
        for _ in 0..MOST_LINES {
            at = skip_space(bytes, at);
            let Some(found) = quoted(text, at, line_end(bytes, at)) else {
                return;
            };
            at = skip_space(bytes, found.end);
            if !matches!(bytes.get(at), Some(b',' | b']' | b'}' | b')')) {
                return;
            }
            at += 1;
            judge(place, found, Style::Argument, spans);
        }
        return;
    }
    let mut line = place.line.clone();
    if written != ":" || !text[at..line.end].trim().is_empty() {
        return;
    }
    for _ in 0..MOST_LINES {
        let Some(next) = next_line(bytes, line.end) else {
            return;
        };
        let body = text[next.clone()].trim_start();
        let Some(item) = body.strip_prefix("- ") else {
            return;
        };
        let start = next.end - item.len();
        let found = quoted(text, start, next.end).unwrap_or(Literal {
            inside: start..start + item.trim_end().len(),
            end: next.end,
        });
        judge(place, found, Style::Plain, spans);
        line = next;
    }
}

/// `find("#password").type("…")`, `fill_in "Password", with: "…"`: what a test types into the field of this name.
fn typed(place: &Place<'_>, spans: &mut Vec<Span>) {
    const CALLS: &[&str] = &[
        ".send_keys(",
        ".sendKeys(",
        ".type(",
        ".fill(",
        ".typeText(",
        ".setValue(",
        ".set(",
        ".enter_text(",
        "with: ",
        "with => ",
        ".type_text(",
        ".input(",
        ".fill_in(",
        ".clearAndType(",
        ", ",
        ".value = ",
        ".addValue(",
    ];
    if place.strength != Strength::Password {
        return;
    }
    let text = place.text;
    let end = place.line.end.min(place.name.end + NEAR);
    let Some(near) = text
        .get(place.name.end..end)
        .or_else(|| text.get(place.name.end..place.line.end))
    else {
        return;
    };
    // The name is inside a literal; the call comes after its end.
    let Some(close) = near.find(['"', '\'', '`']) else {
        return;
    };
    if near[..close].contains([' ', '=', '(', ',', ';', '{']) {
        return;
    }
    let behind = &near[close + 1..];
    for call in CALLS.iter().filter(|call| **call != ", " || takes_value(place)) {
        let Some(at) = behind
            .find(call)
            .filter(|at| !behind[..*at].contains(['"', '`', ';', '{', '=']))
        else {
            continue;
        };
        let start = place.name.end + close + 1 + at + call.len();
        if let Some(found) = quoted(text, start, place.line.end) {
            return judge(place, found, Style::Quoted, spans);
        }
    }
}

/// `<password>` and the text below it; `<key>Password</key>` and the `<string>` behind it.
fn element_below(place: &Place<'_>, spans: &mut Vec<Span>) {
    let text = place.text;
    let bytes = text.as_bytes();
    let rest = &text[place.name.end..place.line.end];
    if rest.trim_start().starts_with("</key>") {
        let near = near(text, place.name.end, 200);
        let Some(at) = near.find("<string>").filter(|at| !near[..*at].contains("<key>")) else {
            return;
        };
        let start = place.name.end + at + "<string>".len();
        let end = line_end(bytes, start);
        let Some(n) = text[start..end].find("</string>") else {
            return;
        };
        let inside = start..start + n;
        return judge(
            place,
            Literal {
                inside,
                end: start + n,
            },
            Style::Bare,
            spans,
        );
    }
    let opens = text[place.line.start..place.name.start].ends_with(['<', ':', '"', '\'']);
    if !opens || !rest.trim_start_matches(['"', '\'']).starts_with('>') || rest.contains("</") {
        return;
    }
    let Some(next) = next_line(bytes, place.line.end) else {
        return;
    };
    let inside = trimmed(text, next.clone());
    let closes = next_line(bytes, next.end).is_some_and(|line| text[line].trim_start().starts_with("</"));
    if closes {
        let end = inside.end;
        judge(place, Literal { inside, end }, Style::Bare, spans);
    }
}

/// `| Password | … |`: the cell to the right of the name.
fn cell(place: &Place<'_>, spans: &mut Vec<Span>) {
    let text = place.text;
    let lead = text[place.line.start..place.name.start].trim_end_matches(['*', '`', '_', ' ']);
    let rest = &text[place.name.end..place.line.end];
    let after = rest.trim_start_matches(['*', '`', '_', ' ']);
    if !lead
        .rsplit('|')
        .next()
        .is_some_and(|cell| lead.contains('|') && cell.trim().split(' ').count() <= 2)
        || !after.starts_with('|')
    {
        return;
    }
    let start = place.line.end - after.len() + 1;
    let n = text[start..place.line.end]
        .find('|')
        .unwrap_or(place.line.end - start);
    let mut inside = trimmed(text, start..start + n);
    let bare = text[inside.clone()].trim_matches(['`', '*']);
    let Some(at) = text[inside.clone()].find(bare) else {
        return;
    };
    inside = inside.start + at..inside.start + at + bare.len();
    if bare.contains(' ') {
        return;
    }
    let end = inside.end;
    judge(place, Literal { inside, end }, Style::Plain, spans);
}
