//! Private keys: blocks with a heading, bodies without one, blocks that were encoded again, PuTTY's files.

use std::ops::Range;

use super::Span;
use super::literal::{line_around, line_end, near, next_line};
use super::shapes::{decode_base64, is_base64, run};
use super::tokens::begins_word;

pub(super) const KEYWORDS: &[(&str, super::shapes::Shape)] = &[
    ("-----BEGIN ", key_block),
    ("---- BEGIN ", key_block),
    ("Private-Lines:", putty_key),
    // Base64 of the first bytes of keys: RSA of 1024 to 8192 bits, PKCS 8, elliptic curves, OpenSSH.
    ("MIICW", body),
    ("MIICX", body),
    ("MIICd", body),
    ("MIIEo", body),
    ("MIIEp", body),
    ("MIIEv", body),
    ("MIIEu", body),
    ("MIIG4", body),
    ("MIIG5", body),
    ("MIIJJ", body),
    ("MIIJK", body),
    ("MIIJQ", body),
    ("MIIJR", body),
    ("MIIS", body),
    ("MHcCAQEE", body),
    ("MHQCAQEE", body),
    ("MIGHAgEA", body),
    ("MIGkAgEB", body),
    ("MC4CAQAw", body),
    ("b3BlbnNzaC1rZXk", body),
    ("LS0tLS1CRUdJTi", encoded_block),
];

/// A body without its heading: it begins like a key, and continues for several lines.
fn body(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let keyword = KEYWORDS.iter().any(|(keyword, _)| *keyword == &text[at.clone()]);
    if !keyword || !begins_word(bytes, at.start) {
        return;
    }
    let first = run(text, at.start, is_base64);
    let is_key = first.len() >= 48 && {
        let head = decode_base64(text[first.start..first.start + first.len() / 4 * 4].trim_end_matches('='));
        head.is_some_and(|head| is_private(&head))
    };
    if !is_key {
        return;
    }
    let mut found = vec![first.clone()];
    let mut line = line_around(bytes, first.start);
    for _ in 0..200 {
        let Some(next) = next_line(bytes, line.end) else {
            break;
        };
        let part = &text[next.clone()];
        if part.trim().is_empty() || !is_key_line(part) {
            break;
        }
        let runs = key_runs(part);
        let longest = runs.iter().map(Range::len).max().unwrap_or(0);
        if longest < 16 && !part.trim_end().ends_with('=') {
            break;
        }
        found.extend(
            runs.into_iter()
                .map(|range| next.start + range.start..next.start + range.end),
        );
        line = next;
    }
    let n: usize = found.iter().map(Range::len).sum();
    if n >= 60 {
        let rule = "private key";
        spans.extend(found.into_iter().map(|range| Span { range, rule }));
    }
}

/// Whether these are the first bytes of a private key in DER or OpenSSH's format. A certificate begins with another sequence.
fn is_private(head: &[u8]) -> bool {
    if head.starts_with(b"openssh-key") {
        return true;
    }
    // SEQUENCE, its length, INTEGER 0 or 1: the version of the key.
    let after = match head {
        [0x30, 0x82, _, _, rest @ ..] | [0x30, 0x81, _, rest @ ..] => rest,
        [0x30, _, rest @ ..] => rest,
        _ => return false,
    };
    matches!(after, [0x02, 0x01, 0x00 | 0x01, ..])
}

/// `client-key-data: LS0tLS1CRUdJTi…`: a block that was encoded again.
fn encoded_block(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    if &text[at.clone()] != "LS0tLS1CRUdJTi" {
        return;
    }
    let whole = run(text, at.start, is_base64);
    let head = &text[whole.start..whole.start + whole.len().min(64)];
    let heading = decode_base64(head.trim_end_matches('=')).unwrap_or_default();
    let is_private = String::from_utf8_lossy(&heading).contains("PRIVATE KEY");
    if is_private && whole.len() >= 80 {
        let rule = "private key";
        spans.push(Span { range: whole, rule });
    }
}

/// The body of a private key, line by line, as long as the lines can belong to one. If only the heading is mentioned, in code that
/// parses keys, something else follows and nothing is cut.
fn key_block(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let heading = near(text, at.end, 100);
    let heading = &heading[..heading.find('\n').unwrap_or(heading.len())];
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

/// Base64 with any quotes, commas and signs around it, or a `Name: value` of the block's own header.
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

/// Runs of base64 in a line, without the `n` of `\n`.
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

/// A PuTTY key says how many of its lines are private.
fn putty_key(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let line_end = (line_end(text.as_bytes(), at.end) + 1).min(text.len());
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
