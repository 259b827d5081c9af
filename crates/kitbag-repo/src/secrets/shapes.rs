//! Secrets that need more than a prefix to be recognised: web tokens, headers, tokens of several parts.

use std::ops::Range;

use super::literal::{joined, line_end, near};
use super::names::Strength;
use super::tokens::begins_word;
use super::{Span, value};

/// Checks the text around a keyword.
pub(super) type Shape = fn(&str, &Range<usize>, &mut Vec<Span>);

pub(super) const SHAPES: &[(&str, Shape)] = &[
    ("eyJ", web_token),
    ("bearer ", bearer),
    ("basic ", basic),
    ("authorization", authorization),
    ("cookie", cookie),
    (":apa91b", messaging),
    ("curl ", curl_user),
    (":AA", telegram),
    ("SG.", sendgrid),
    ("-us", mailchimp),
    ("hooks.slack.com/", slack_webhook),
    ("/api/webhooks/", discord_webhook),
    ("sig=", azure_signature),
    (".atlasv1.", terraform_token),
];

/// The longest run that is read, in bytes. Without this limit, a line of nothing but beginnings of tokens would take quadratic
/// time.
const LONGEST_RUN: usize = 4096;

pub(super) fn run(text: &str, at: usize, part: impl Fn(u8) -> bool) -> Range<usize> {
    at..at
        + text.as_bytes()[at..]
            .iter()
            .take(LONGEST_RUN)
            .take_while(|byte| part(**byte))
            .count()
}

pub(super) fn run_before(text: &str, at: usize, part: impl Fn(u8) -> bool) -> Range<usize> {
    at - text.as_bytes()[..at]
        .iter()
        .rev()
        .take(LONGEST_RUN)
        .take_while(|byte| part(**byte))
        .count()..at
}

pub(super) fn is_url_safe(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

pub(super) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// More dots than a web token has, and a few that end a sentence.
const MOST_DOTS: usize = 8;

/// Three parts, the first two of them JSON in base64.
fn web_token(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    if &text[at.clone()] != "eyJ" || !begins_word(bytes, at.start) || begins_behind_dash(text, at.start) {
        return;
    }
    let first = run(text, at.start, is_url_safe);
    let padded = run(text, first.end, |byte| byte == b'=');
    if first.len() < 10 || bytes.get(padded.end) != Some(&b'.') {
        return;
    }
    let mut n_dots = 0;
    let n = bytes[at.start..]
        .iter()
        .take(LONGEST_RUN)
        .take_while(|byte| {
            n_dots += usize::from(**byte == b'.');
            n_dots <= MOST_DOTS && (is_url_safe(**byte) || matches!(byte, b'.' | b'='))
        })
        .count();
    let whole = at.start..at.start + n;
    let token = text[whole.clone()].trim_end_matches('.');
    let parts: Vec<&str> = token.split('.').collect();
    let is_token = matches!(parts.len(), 3 | 5)
        && parts.iter().skip(1).any(|part| part.len() >= 16)
        && (parts.len() == 5 || parts[1].starts_with("ey"))
        && parts[parts.len() - 1].len() >= 16;
    if is_token {
        spans.push(Span {
            range: whole.start..whole.start + token.len(),
            rule: "json web token",
        });
    }
}

/// Whether the same part of a token began shortly before: `eyJ…-eyJ…`. The result would be the same as for that one, and checking
/// every beginning would take quadratic time.
fn begins_behind_dash(text: &str, at: usize) -> bool {
    const NEAR: usize = 64;
    let bytes = text.as_bytes();
    if at == 0 || bytes[at - 1] != b'-' {
        return false;
    }
    let n = bytes[..at]
        .iter()
        .rev()
        .take(NEAR)
        .take_while(|byte| is_url_safe(**byte))
        .count();
    let part = &bytes[at - n..at];
    let begins = |from: usize| part[from..].starts_with(b"eyJ") && begins_word(bytes, at - n + from);
    (0..n).any(begins)
}

fn bearer(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let token = run(text, at.end, |byte| is_url_safe(byte) || b".~+/=".contains(&byte));
    // `"Bearer " + "…"`
    let closed = token.is_empty() && text[at.end..].starts_with(['"', '\'', '`']);
    let second = closed
        .then(|| joined(text, at.end + 1).into_iter().next())
        .flatten();
    let token = second.map_or(token, |literal| literal.inside);
    let body = text[token.clone()].trim_end_matches('.');
    if body.len() >= 16 && value::is_secret(body, super::names::Strength::Token) && !value::is_words(body) {
        spans.push(Span {
            range: token.start..token.start + body.len(),
            rule: "bearer token",
        });
    }
}

/// Base64 of `user:password`.
fn basic(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let token = run(text, at.end, is_base64);
    let is_pair = |bytes: Vec<u8>| {
        let pair = String::from_utf8(bytes)
            .ok()
            .filter(|pair| pair.chars().all(|c| !c.is_control()));
        let pair = pair.as_deref().and_then(|pair| pair.split_once(':'));
        pair.is_some_and(|(user, password)| !user.is_empty() && !value::is_example_password(user, password))
    };
    if token.len() >= 12 && decode_base64(&text[token.clone()]).is_some_and(is_pair) {
        spans.push(Span {
            range: token,
            rule: "basic credentials",
        });
    }
}

pub(super) fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut bits, mut n_bits) = (0u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let sextet = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(sextet)) & 0xFFFF;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits) as u8);
        }
    }
    Some(bytes)
}

/// `curl -u user:password`.
fn curl_user(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let line_end = line_end(text.as_bytes(), at.end);
    let line = &text[at.end..line_end];
    let Some(flag) = [" -u ", " --user "]
        .iter()
        .find_map(|flag| line.find(flag).map(|n| n + flag.len()))
        .or_else(|| line.starts_with("-u ").then_some(3))
    else {
        return;
    };
    let start = at.end + flag;
    let start = start
        + text[start..line_end]
            .bytes()
            .take_while(|byte| matches!(byte, b'"' | b'\'' | b' '))
            .count();
    let pair = run(text, start, |byte| byte > b' ' && !b"\"'\\".contains(&byte));
    let Some(colon) = text[pair.clone()].find(':') else {
        return;
    };
    let password = pair.start + colon + 1..pair.end;
    if value::is_secret(&text[password.clone()], super::names::Strength::Password) {
        spans.push(Span {
            range: password,
            rule: "password",
        });
    }
}

/// `123456789:AA…`: the number of the bot before, 33 characters after.
fn telegram(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let number = run_before(text, at.start, |byte| byte.is_ascii_digit());
    let rest = run(text, at.end, is_url_safe);
    if text[at.clone()].ends_with("AA") && (8..=10).contains(&number.len()) && (32..=34).contains(&rest.len())
    {
        spans.push(Span {
            range: number.start..rest.end,
            rule: "telegram token",
        });
    }
}

fn sendgrid(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let first = run(text, at.end, is_url_safe);
    if !text[at.clone()].starts_with("SG")
        || first.len() != 22
        || text.as_bytes().get(first.end) != Some(&b'.')
    {
        return;
    }
    let second = run(text, first.end + 1, is_url_safe);
    if second.len() == 43 {
        spans.push(Span {
            range: at.start..second.end,
            rule: "sendgrid key",
        });
    }
}

/// 32 hexadecimal digits and a data centre: `…-us14`.
fn mailchimp(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let centre = run(text, at.end, |byte| byte.is_ascii_digit());
    if !(1..=2).contains(&centre.len()) {
        return;
    }
    let hex = run_before(text, at.start, |byte| byte.is_ascii_hexdigit());
    if hex.len() == 32 && value::is_random(&text[hex.clone()]) {
        spans.push(Span {
            range: hex.start..centre.end,
            rule: "mailchimp key",
        });
    }
}

fn slack_webhook(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    for kind in ["services/", "workflows/", "triggers/"] {
        if text[at.end..].starts_with(kind) {
            let path = run(text, at.end + kind.len(), |byte| {
                is_url_safe(byte) || byte == b'/'
            });
            if path.len() >= 40 && !value::is_sample_body(&text[path.clone()]) {
                spans.push(Span {
                    range: path,
                    rule: "slack webhook",
                });
            }
        }
    }
}

fn discord_webhook(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let path = run(text, at.end, |byte| is_url_safe(byte) || byte == b'/');
    let host = run_before(text, at.start, |byte| {
        byte.is_ascii_alphanumeric() || byte == b'.'
    });
    if path.len() >= 70 && text[host].contains("discord") {
        spans.push(Span {
            range: path,
            rule: "discord webhook",
        });
    }
}

/// The signature of a shared access URL.
fn azure_signature(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let before = at.start.checked_sub(1).map(|idx| text.as_bytes()[idx]);
    let signature = run(text, at.end, |byte| is_url_safe(byte) || b"%+/=".contains(&byte));
    if matches!(before, Some(b'?' | b'&' | b';'))
        && (40..=120).contains(&signature.len())
        && value::is_random(&text[signature.clone()])
    {
        spans.push(Span {
            range: signature,
            rule: "azure signature",
        });
    }
}

fn terraform_token(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let first = run_before(text, at.start, |byte| byte.is_ascii_alphanumeric());
    let second = run(text, at.end, is_url_safe);
    if first.len() == 14 && second.len() >= 60 {
        spans.push(Span {
            range: first.start..second.end,
            rule: "terraform token",
        });
    }
}

/// `Authorization: token …`, `"Authorization": "…"`, `setHeader('authorization', 'ApiKey …')`.
fn authorization(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let line = near(text, at.end, 300);
    let line = &line[..line.find(['\n', '\r']).unwrap_or(line.len())];
    let value = line.trim_start_matches(['"', '\'', '`', ']', ')', ' ', '\\']);
    let Some(value) = value
        .strip_prefix("=>")
        .or_else(|| value.strip_prefix([':', '=', ',']))
    else {
        return;
    };
    let value = value.trim_start_matches(['"', '\'', '`', ' ', '\\', '(']);
    let (scheme, rest) = value.split_once(' ').unwrap_or(("", value));
    let is_scheme = !scheme.is_empty()
        && scheme.len() <= 20
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    let value = if is_scheme { rest } else { value };
    // `Token token=…`, `AWS4 Credential=…`.
    let value = value
        .strip_prefix("token=")
        .unwrap_or(value)
        .trim_start_matches(['"', '\\']);
    let start = at.end + offset(line, value);
    let token = run(text, start, |byte| is_url_safe(byte) || b".~+/=:".contains(&byte));
    let body = text[token.clone()].trim_end_matches(['.', ':']);
    if body.len() >= 16 && value::is_secret(body, Strength::Token) && !value::is_words(body) {
        spans.push(Span {
            range: token.start..token.start + body.len(),
            rule: "authorization header",
        });
    }
}

/// The offset of a part in the whole text.
fn offset(whole: &str, part: &str) -> usize {
    part.as_ptr() as usize - whole.as_ptr() as usize
}

/// `Cookie: sessionid=…; csrftoken=…`, `document.cookie = "sid=…"`.
fn cookie(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let line = near(text, at.end, 600);
    let line = &line[..line.find(['\n', '\r']).unwrap_or(line.len())];
    let head = line.trim_start_matches(['s', '"', '\'', '`', ']', ')', ' ', '\\']);
    if !head.starts_with([':', '=', ',', '(']) && !line.starts_with('_') {
        return;
    }
    let mut start = at.end;
    for part in line.split([';', '"', '\'', '`', ' ', ',', '(']) {
        if let Some((name, value)) = part.split_once('=') {
            let is_name = !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| is_url_safe(byte) || byte == b'.' || byte == b'%');
            let value = value.trim_end_matches(['\\', ')', ']', '}']);
            if is_name && value.len() >= 16 && is_session(value) {
                let begin = start + name.len() + 1;
                spans.push(Span {
                    range: begin..begin + value.len(),
                    rule: "cookie",
                });
            }
        }
        start += part.len() + 1;
    }
}

fn is_session(value: &str) -> bool {
    let alphabet = |byte: u8| is_url_safe(byte) || b"%.+/=:".contains(&byte);
    value.bytes().all(alphabet)
        && !value.bytes().all(|byte| byte.is_ascii_digit())
        && value::is_random(value)
        && value::is_secret(value, Strength::Token)
        && !value::is_words(value)
}

/// The key of a messaging server: `AAAA…:APA91b…`.
fn messaging(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let before = run_before(text, at.start, is_url_safe);
    let rest = run(text, at.end, is_url_safe);
    if before.len() >= 7 && rest.len() >= 100 {
        spans.push(Span {
            range: before.start..rest.end,
            rule: "firebase key",
        });
    }
}
