//! Secrets with a shape that takes more than a prefix to tell: keys in blocks, web tokens, URLs, headers.

use std::ops::Range;

use super::tokens::begins_word;
use super::{Span, value};

/// Looks at the text around a keyword.
pub(super) type Shape = fn(&str, &Range<usize>, &mut Vec<Span>);

pub(super) const SHAPES: &[(&str, Shape)] = &[
    ("-----BEGIN ", key_block),
    ("---- BEGIN ", key_block),
    ("Private-Lines:", putty_key),
    ("eyJ", web_token),
    ("://", url_password),
    ("bearer ", bearer),
    ("basic ", basic),
    ("curl ", curl_user),
    (":AA", telegram),
    ("SG.", sendgrid),
    ("-us", mailchimp),
    ("hooks.slack.com/", slack_webhook),
    ("/api/webhooks/", discord_webhook),
    (".run(", discord_token),
    (".login(", discord_token),
    ("sig=", azure_signature),
    (".atlasv1.", terraform_token),
];

fn run(text: &str, at: usize, part: impl Fn(u8) -> bool) -> Range<usize> {
    at..at
        + text.as_bytes()[at..]
            .iter()
            .take_while(|byte| part(**byte))
            .count()
}

fn run_before(text: &str, at: usize, part: impl Fn(u8) -> bool) -> Range<usize> {
    at - text.as_bytes()[..at]
        .iter()
        .rev()
        .take_while(|byte| part(**byte))
        .count()..at
}

fn is_url_safe(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// The body of a private key, line by line, as long as the lines can belong to one. A mention of the heading alone, in
/// code that parses keys, is followed by something else and stays.
fn key_block(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let line_end = text[at.end..].find('\n').map_or(text.len(), |n| at.end + n);
    let heading = &text[at.end..line_end];
    let Some(close) = heading.find("----") else { return };
    if !heading[..close].contains("PRIVATE KEY") {
        return;
    }
    let body = at.end + close + heading[close..].bytes().take_while(|byte| *byte == b'-').count();
    let mut found = Vec::new();
    let mut longest = 0;
    let mut start = body;
    for line in text[body..].split_inclusive('\n').take(1000) {
        let end_mark = line.find("-----END").or_else(|| line.find("---- END"));
        let part = &line[..end_mark.unwrap_or(line.len())];
        if !is_key_line(part) {
            break;
        }
        for range in key_runs(part) {
            longest = longest.max(range.len());
            found.push(Span {
                range: start + range.start..start + range.end,
                rule: "private key",
            });
        }
        if end_mark.is_some() {
            break;
        }
        start += line.len();
    }
    if longest >= 16 {
        spans.append(&mut found);
    }
}

/// Base64 in whatever quotes, commas and signs a language puts around it, or a `Name: value` of the block's own header.
fn is_key_line(line: &str) -> bool {
    let line = line
        .trim()
        .trim_start_matches(['#', '/', '*', '"', '\'', '+', ' ', '|', '>', '$']);
    let header = [
        "Proc-Type:",
        "DEK-Info:",
        "Version:",
        "Comment:",
        "Hash:",
        "Charset:",
    ];
    if header.iter().any(|header| line.starts_with(header)) {
        return true;
    }
    let other = |byte: u8| !is_base64(byte) && !b"\\\"' ,;+.".contains(&byte);
    !line.bytes().any(other)
        && !line
            .trim_end_matches(['"', '\'', ',', ';', '+', ' ', '\\'])
            .contains(' ')
}

/// Runs of base64 in a line, the `n` of `\n` left out.
fn key_runs(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let mut runs = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            at += 2;
            continue;
        }
        let run = run(line, at, is_base64);
        if bytes[run.clone()].iter().any(u8::is_ascii_alphanumeric) {
            runs.push(run.clone());
        }
        at = run.end.max(at + 1);
    }
    runs
}

/// A PuTTY key says how many lines of it are private.
fn putty_key(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let line_end = text[at.end..].find('\n').map_or(text.len(), |n| at.end + n + 1);
    let Ok(n_lines) = text[at.end..line_end].trim().parse::<usize>() else {
        return;
    };
    let mut start = line_end;
    for line in text[line_end..].split_inclusive('\n').take(n_lines.min(1000)) {
        let body = line.trim_end();
        if body.is_empty() || !body.bytes().all(is_base64) {
            return;
        }
        spans.push(Span {
            range: start..start + body.len(),
            rule: "private key",
        });
        start += line.len();
    }
}

/// Three parts, the first two of them JSON in base64.
fn web_token(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    if &text[at.clone()] != "eyJ" || !begins_word(text.as_bytes(), at.start) {
        return;
    }
    let whole = run(text, at.start, |byte| {
        is_url_safe(byte) || matches!(byte, b'.' | b'=')
    });
    let token = text[whole.clone()].trim_end_matches('.');
    let parts: Vec<&str> = token.split('.').collect();
    let is_token = matches!(parts.len(), 3 | 5)
        && parts[0].len() >= 10
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

/// `scheme://user:password@host`.
fn url_password(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let part = |byte: u8| byte > b' ' && !b"/\"'`<>\\,;()|".contains(&byte);
    let authority = run(text, at.end, part);
    // In most text, `://` opens a link: nothing before its `@`.
    let Some(host) = text[authority.clone()].rfind('@') else {
        return;
    };
    let userinfo = &text[authority.start..authority.start + host];
    let Some(colon) = userinfo.find(':') else { return };
    let (user, password) = (&userinfo[..colon], &userinfo[colon + 1..]);
    let harmless = password.starts_with(['$', '%', '{', '<', '[', '*', ':'])
        || value::is_example_password(user, password);
    if !harmless
        && run_before(text, at.start, |byte| {
            byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)
        })
        .len()
            >= 2
    {
        let start = authority.start + colon + 1;
        spans.push(Span {
            range: start..start + password.len(),
            rule: "password in url",
        });
    }
}

fn bearer(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let token = run(text, at.end, |byte| is_url_safe(byte) || b".~+/=".contains(&byte));
    let body = text[token.clone()].trim_end_matches('.');
    if body.len() >= 16 && value::is_secret(body, super::names::Strength::Secret) {
        spans.push(Span {
            range: token.start..token.start + body.len(),
            rule: "bearer token",
        });
    }
}

/// Base64 of `user:password`, and of nothing else.
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

fn decode_base64(text: &str) -> Option<Vec<u8>> {
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
    let line_end = text[at.end..].find('\n').map_or(text.len(), |n| at.end + n);
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
            if path.len() >= 40 && !value::is_placeholder(&text[path.clone()]) {
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

/// `bot.run("…")`: three parts of base64, the first a number in disguise.
fn discord_token(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let quote = run(text, at.end, |byte| matches!(byte, b'"' | b'\'' | b'`'));
    let token = run(text, quote.end, |byte| is_url_safe(byte) || byte == b'.');
    let parts: Vec<usize> = text[token.clone()].split('.').map(str::len).collect();
    if quote.len() == 1
        && parts.len() == 3
        && (18..=32).contains(&parts[0])
        && (5..=7).contains(&parts[1])
        && parts[2] >= 25
    {
        spans.push(Span {
            range: token,
            rule: "discord token",
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
