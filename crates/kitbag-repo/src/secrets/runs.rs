//! Tokens without a prefix, recognised anywhere by the lengths of their parts.
//!
//! The automaton cannot find these, but each has a dot followed by a long part, which is rare in code. So every dot is checked, and
//! few pass the first check.

use super::shapes::{decode_base64, is_url_safe};
use super::{Span, value};

/// The minimum length of the last part of a token.
const SHORTEST_PART: usize = 24;
const LONGEST: usize = 128;

/// Checks every dot.
pub(super) fn check(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(n) = text[at..].find('.') {
        let dot = at + n;
        at = dot + 1;
        let last = bytes[at..]
            .iter()
            .take(LONGEST)
            .take_while(|byte| is_url_safe(**byte))
            .count();
        if last < SHORTEST_PART {
            continue;
        }
        let n_before = bytes[..dot]
            .iter()
            .rev()
            .take(LONGEST)
            .take_while(|byte| is_url_safe(**byte) || **byte == b'.')
            .count();
        let range = dot - n_before..at + last;
        if let Some(rule) = kind(&text[range.clone()]) {
            spans.push(Span { range, rule });
        }
        at += last;
    }
}

fn kind(run: &str) -> Option<&'static str> {
    let mut parts = run.split('.');
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next());
    if parts.next().is_some() || value::is_sample_body(run) {
        return None;
    }
    let is_hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_alnum = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match (first, second, third) {
        // The first part is the number of the bot.
        (id, time, Some(code))
            if (20..=32).contains(&id.len())
                && (5..=7).contains(&time.len())
                && (27..=40).contains(&code.len()) =>
        {
            let is_number = decode_base64(id).is_some_and(|id| id.iter().all(u8::is_ascii_digit));
            let made = is_number || (value::is_random(id) && value::is_random(code) && !id.contains('_'));
            made.then_some("discord token")
        }
        (head, tail, None)
            if head.len() == 17 && head.starts_with("pat") && tail.len() == 64 && is_hex(tail) =>
        {
            Some("airtable token")
        }
        ("s" | "b", tail, None)
            if (24..=26).contains(&tail.len()) && is_alnum(tail) && value::is_key_like(tail) =>
        {
            Some("vault token")
        }
        _ => None,
    }
}
