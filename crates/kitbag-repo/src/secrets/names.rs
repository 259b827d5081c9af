//! Names that secrets are assigned to: `DB_PASSWORD`, `clientSecret`, `x-api-key`. What counts is the last word: a
//! `password` is a secret, a `password_field` is not.

use std::ops::Range;

/// Every suspicious name holds one of these.
pub(super) const KEYWORDS: &[&str] = &[
    "auth", "cred", "key", "mnemonic", "pass", "pwd", "secret", "seed", "token",
];

/// How much a name says, and so how little the value must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    /// People choose these: `hunter2` is one.
    Password,
    /// Machines make these: long, with letters and digits.
    Secret,
    /// Could be anything: only a value that is plainly random counts.
    Weak,
    /// Words of a wallet.
    Phrase,
}

/// The identifier around a keyword, dashes included.
pub(super) fn identifier(text: &str, at: &Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let mut start = at.start - bytes[..at.start].iter().rev().take_while(part).count();
    let mut end = at.end + bytes[at.end..].iter().take_while(part).count();
    // `\npassword` in a string with escapes.
    if start >= 1
        && bytes[start - 1] == b'\\'
        && start < at.start
        && matches!(bytes[start], b'n' | b't' | b'r')
    {
        start += 1;
    }
    start += bytes[start..at.start]
        .iter()
        .take_while(|byte| **byte == b'-')
        .count();
    end -= bytes[at.end..end]
        .iter()
        .rev()
        .take_while(|byte| **byte == b'-')
        .count();
    start..end
}

/// Before `key`, these make a secret of it.
const KEY_QUALIFIERS: &[&str] = &[
    "access",
    "account",
    "admin",
    "aes",
    "api",
    "app",
    "application",
    "auth",
    "cipher",
    "consumer",
    "crypto",
    "deploy",
    "encrypt",
    "encryption",
    "hmac",
    "jwt",
    "master",
    "private",
    "secret",
    "service",
    "session",
    "shared",
    "sign",
    "signing",
    "storage",
    "subscription",
    "webhook",
];

/// Before the noun, these make it harmless.
const HARMLESS: &[&str] = &[
    "bos",
    "cache",
    "cancel",
    "cancellation",
    "cls",
    "continuation",
    "cont",
    "end",
    "eos",
    "foreign",
    "group",
    "mask",
    "next",
    "object",
    "pad",
    "page",
    "partition",
    "primary",
    "pub",
    "public",
    "row",
    "sep",
    "sort",
    "start",
    "stop",
    "sub",
    "unk",
];

/// After the noun, these change nothing.
const SUFFIXES: &[&str] = &[
    "b64",
    "base64",
    "current",
    "default",
    "dev",
    "live",
    "local",
    "new",
    "old",
    "plain",
    "plaintext",
    "prod",
    "production",
    "raw",
    "staging",
    "str",
    "string",
    "val",
    "value",
];

/// What this name says; `None` for a name that says nothing.
pub(super) fn strength(name: &str) -> Option<Strength> {
    if name.len() > 80 {
        return None;
    }
    let mut words = words(name);
    while words.len() > 1
        && words.last().is_some_and(|word| {
            SUFFIXES.contains(&word.as_str()) || word.bytes().all(|byte| byte.is_ascii_digit())
        })
    {
        words.pop();
    }
    let last = words.last()?.as_str();
    let before = words.len().checked_sub(2).map_or("", |idx| words[idx].as_str());
    if HARMLESS.contains(&before) {
        return None;
    }
    let ends = |endings: &[&str]| endings.iter().any(|ending| last.ends_with(ending));
    if ends(&[
        "password",
        "passwd",
        "passphrase",
        "passcode",
        "pwd",
        "dbpass",
        "userpass",
        "rootpass",
    ]) || last == "pass"
    {
        return Some(Strength::Password);
    }
    if ends(&[
        "secret",
        "token",
        "apikey",
        "secretkey",
        "accesskey",
        "privatekey",
    ]) {
        return Some(Strength::Secret);
    }
    if last == "key" {
        return Some(if KEY_QUALIFIERS.contains(&before) {
            Strength::Secret
        } else {
            Strength::Weak
        });
    }
    if last == "mnemonic" || (last == "phrase" && before == "seed") {
        return Some(Strength::Phrase);
    }
    if matches!(last, "auth" | "authorization") {
        return Some(Strength::Weak);
    }
    matches!(last, "cred" | "creds" | "credential" | "credentials" | "seed").then_some(Strength::Weak)
}

/// The words of an identifier, in small letters: `DBPassword_v2` → `db password v 2`.
fn words(name: &str) -> Vec<String> {
    let bytes = name.as_bytes();
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for (at, byte) in bytes.iter().enumerate() {
        if !byte.is_ascii_alphanumeric() {
            open = false;
            continue;
        }
        let previous = at.checked_sub(1).map(|idx| bytes[idx]);
        let next_lower = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        let cut = previous.is_some_and(|previous| {
            (byte.is_ascii_uppercase()
                && (previous.is_ascii_lowercase() || (previous.is_ascii_uppercase() && next_lower)))
                || byte.is_ascii_digit() != previous.is_ascii_digit()
        });
        if !open || cut {
            words.push(String::new());
        }
        open = true;
        if let Some(word) = words.last_mut() {
            word.push(byte.to_ascii_lowercase() as char);
        }
    }
    words
}
