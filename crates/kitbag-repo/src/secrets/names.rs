//! Names that secrets are assigned to: `DB_PASSWORD`, `clientSecret`, `x-api-key`. The last word decides: a `password` is a secret,
//! a `password_field` is not.

use std::ops::Range;

/// Every suspicious name contains one of these.
pub(super) const KEYWORDS: &[&str] = &[
    "auth",
    "contrasena",
    "contraseña",
    "contraseÑa",
    "cred",
    "kennwort",
    "key",
    "mdp",
    "mnemonic",
    "pass",
    "_pat",
    "psk",
    "psw",
    "pw",
    "salt",
    "secret",
    "seed",
    "senha",
    "sessionid",
    "token",
    "wachtwoord",
    "密码",
    "密碼",
];

/// How strongly a name suggests a secret. The stronger it is, the less the value must look like one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    /// Chosen by people: `hunter2` is one.
    Password,
    /// Chosen by people or made by machines: the secret of a session or an application, a key that signs or encrypts.
    Secret,
    /// Made by machines: long, with letters and digits.
    Token,
    /// Could be anything: only a value that is clearly random counts.
    Weak,
    /// A password in a language whose labels are not known here: only a single word with a digit counts.
    Foreign,
    /// The words of a wallet.
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

/// Words that make `key` a secret.
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
    "license",
    "master",
    "nonce",
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

/// Words before `key` for keys that a person may have typed.
const SECRET_KEYS: &[&str] = &["encrypt", "encryption", "jwt", "secret", "sign", "signing"];

/// Words that end in `pass` by chance.
const OTHER_PASSES: &[&str] = &[
    "bypass",
    "compass",
    "encompass",
    "overpass",
    "renderpass",
    "surpass",
    "trespass",
    "underpass",
];

/// Words before the noun that make it harmless.
const HARMLESS: &[&str] = &[
    "as",
    "bad",
    "bos",
    "cache",
    "cancel",
    "cancellation",
    "cls",
    "continuation",
    "cont",
    "end",
    "eos",
    "existing",
    "expired",
    "foreign",
    "forgot",
    "group",
    "has",
    "incorrect",
    "invalid",
    "is",
    "mask",
    "missing",
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
    "wrong",
];

/// Words after the noun that change nothing.
const SUFFIXES: &[&str] = &[
    "b64",
    "base",
    "base64",
    "current",
    "data",
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

/// How strongly this name suggests a secret; `None` if it does not.
pub(super) fn strength(name: &str) -> Option<Strength> {
    if name.len() > 80 {
        return None;
    }
    // Alone and in capitals, it is the status word of a processor.
    if name == "PSW" {
        return None;
    }
    if name.ends_with("密码") || name.ends_with("密碼") {
        return Some(Strength::Foreign);
    }
    let mut words = words(&name.replace('ñ', "n").replace('Ñ', "N"));
    while words.len() > 1
        && words.last().is_some_and(|word| {
            SUFFIXES.contains(&word.as_str()) || word.bytes().all(|byte| byte.is_ascii_digit())
        })
    {
        words.pop();
    }
    of_words(&words)
}

/// The same for each member of a list of this name: `api_keys`, `PASSWORDS`.
pub(super) fn strength_of_members(name: &str) -> Option<Strength> {
    let singular = name.strip_suffix(['s', 'S'])?;
    if singular.ends_with(['s', 'S']) {
        return None;
    }
    strength(singular)
}

fn of_words(words: &[String]) -> Option<Strength> {
    let last = words.last()?.as_str();
    let before = words.len().checked_sub(2).map_or("", |idx| words[idx].as_str());
    if HARMLESS.contains(&before) {
        return None;
    }
    let ends = |endings: &[&str]| endings.iter().any(|ending| last.ends_with(ending));
    let passwords = ["password", "passwd", "passphrase", "passcode", "pwd", "passwort"];
    if ends(&passwords)
        || (last.ends_with("pass") && !OTHER_PASSES.contains(&last))
        || matches!(last, "pw" | "psk" | "pgpass")
    {
        return Some(Strength::Password);
    }
    let is_foreign = matches!(last, "contrasena" | "senha" | "motdepasse")
        || ends(&["kennwort", "wachtwoord"])
        || (last == "passe" && before == "de");
    if is_foreign {
        return Some(Strength::Foreign);
    }
    if matches!(last, "mdp" | "psw") || (last == "seed" && matches!(before, "mfa" | "otp" | "totp")) {
        return Some(Strength::Token);
    }
    if ends(&["secret", "secretkey"]) {
        return Some(Strength::Secret);
    }
    if ends(&["token", "apikey", "accesskey", "privatekey", "authkey"]) || (last == "pat" && words.len() > 1)
    {
        return Some(Strength::Token);
    }
    let is_login = words.iter().any(|word| word == "logged" || word == "auth");
    if last == "key" {
        return Some(match KEY_QUALIFIERS.contains(&before) || is_login {
            true if SECRET_KEYS.contains(&before) => Strength::Secret,
            true => Strength::Token,
            false => Strength::Weak,
        });
    }
    if last == "salt" {
        let is_key = is_login || matches!(before, "nonce" | "secret" | "password" | "session" | "cookie");
        return Some(if is_key { Strength::Token } else { Strength::Weak });
    }
    if last == "mnemonic" || (last == "phrase" && before == "seed") {
        return Some(Strength::Phrase);
    }
    let weak = [
        "auth",
        "authorization",
        "cred",
        "creds",
        "credential",
        "credentials",
        "seed",
        "sessionid",
    ];
    weak.contains(&last).then_some(Strength::Weak)
}

/// The words of an identifier in lower case: `DBPassword_v2` → `db password v 2`.
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
