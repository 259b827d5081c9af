//! Could this value be a secret? Pure questions about one string.

use super::names::Strength;

/// What text that stands for a secret looks like in documentation, tests and templates. Compared in small letters.
const PLACEHOLDERS: &[&str] = &[
    "...",
    "<",
    "[redacted",
    "change-me",
    "change_me",
    "changeit",
    "changeme",
    "dummy",
    "example",
    "fixme",
    "foobar",
    "insert",
    "lorem",
    "mock",
    "not-a-",
    "placeholder",
    "redacted",
    "replace",
    "sample",
    "todo",
    "xxxx",
    "your-",
    "your_",
    "yourapi",
    "yourkey",
    "yourpass",
    "yoursecret",
    "yourtoken",
    "zzzz",
    "****",
    "____",
];

/// Short values that are no secret even where a password is expected: everybody's defaults.
const DEFAULTS: &[&str] = &[
    "abc123",
    "admin",
    "admin123",
    "default",
    "disabled",
    "enabled",
    "false",
    "guest",
    "guest123",
    "hidden",
    "letmein",
    "login",
    "minioadmin",
    "mysql",
    "none",
    "null",
    "optional",
    "pass",
    "pass123",
    "passw0rd",
    "password",
    "password1",
    "password12",
    "password123",
    "postgres",
    "qwerty",
    "qwerty123",
    "required",
    "root",
    "secret",
    "secret1",
    "secret123",
    "string",
    "test",
    "text",
    "toor",
    "true",
    "undefined",
    "user",
    "user123",
];

/// Whether a literal assigned to a name of this strength is to be cut out.
pub(super) fn is_secret(value: &str, strength: Strength) -> bool {
    if strength == Strength::Phrase {
        return is_wallet_phrase(value);
    }
    if value.len() < 6 || value.len() > 4096 || value.chars().any(char::is_whitespace) {
        return false;
    }
    if is_template(value) || is_placeholder(value) || is_place(value) {
        return false;
    }
    if is_words(value) {
        return strength == Strength::Password && is_chosen_words(value);
    }
    match strength {
        Strength::Password => value.len() <= 200 && is_password(value),
        Strength::Secret => is_machine_made(value),
        Strength::Weak => is_plainly_random(value),
        Strength::Phrase => false,
    }
}

/// A part that is filled in elsewhere: `${VAR}`, `{{ var }}`, `%(name)s`, `$VAR`, `func(x)`.
pub(super) fn is_template(value: &str) -> bool {
    let holds = |marks: &[&str]| marks.iter().any(|mark| value.contains(mark));
    if holds(&[
        "${", "$(", "{{", "}}", "#{", "%(", "<%", "%{", "@{", "$[", "%s", "{}",
    ]) {
        return true;
    }
    let pair = |open: char, close: char| match (value.find(open), value.rfind(close)) {
        (Some(open), Some(close)) => open < close,
        _ => false,
    };
    // `$TEST_DIR/a/b`: a name, then the end or a path.
    let variable = value.strip_prefix('$').is_some_and(|rest| {
        let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let is_name = rest.len() - name.len() >= 2 && rest.starts_with(|c: char| c.is_ascii_alphabetic());
        is_name
            && (name.starts_with('/') || (name.is_empty() && !rest.bytes().any(|byte| byte.is_ascii_digit())))
    });
    let percent = value.len() > 2 && value.starts_with('%') && value.ends_with('%');
    value.starts_with('{')
        || pair('{', '}')
        || pair('(', ')')
        || pair('[', ']')
        || pair('<', '>')
        || variable
        || percent
}

/// Documentation and tests say so, one way or another.
pub(super) fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    if DEFAULTS.contains(&lower.as_str()) || PLACEHOLDERS.iter().any(|mark| lower.contains(mark)) {
        return true;
    }
    let mut seen = [false; 256];
    lower.bytes().for_each(|byte| seen[usize::from(byte)] = true);
    let n_distinct = seen.iter().filter(|seen| **seen).count();
    if n_distinct <= 3 || (value.len() >= 20 && n_distinct <= 5) {
        return true;
    }
    let starts = [
        "test", "fake", "my-", "my_", "some-", "some_", "demo", "the-", "the_", "abcdef", "012345", "123456",
    ];
    value.len() < 32 && (starts.iter().any(|start| lower.starts_with(start)) || lower.contains("12345"))
}

/// A file, an address, a reference into a secret store: where the secret is, not the secret.
fn is_place(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    const SCHEMES: &[&str] = &[
        "http://",
        "https://",
        "file:",
        "arn:",
        "op://",
        "vault:",
        "ref+",
        "secret://",
        "secrets/",
        "env:",
        "ssm:",
        "gs://",
        "s3://",
        "projects/",
        "data:",
        "urn:",
        "ssh-rsa",
        "ssh-ed25519",
        "sha1-",
        "sha256-",
        "sha256:",
        "sha384-",
        "sha512-",
        "md5:",
        "kms:",
        "enc:",
        "enc[",
        "$2a$",
        "$2b$",
        "$2y$",
        "$argon2",
        "$6$",
        "pbkdf2",
        "{noop}",
        "{bcrypt}",
    ];
    if SCHEMES.iter().any(|scheme| lower.starts_with(scheme)) {
        return true;
    }
    if value.starts_with(['/', '~', '.', '#', '^', '\\', '&', '*', '@', ':'])
        && !value[1..].contains(['!', '$', '^', '%'])
    {
        // `/run/secrets/db`, `./key.pem`, `#password`, `^[a-z]+$`, `@string/password`
        return value.contains('/')
            || is_words(value[1..].trim_start_matches(['/', '.', '#', ':']))
            || value.starts_with('^');
    }
    const FILES: &[&str] = &[
        ".pem", ".key", ".txt", ".json", ".yaml", ".yml", ".html", ".php", ".js", ".ts", ".py", ".crt",
    ];
    let is_address = value.split_once('@').is_some_and(|(user, host)| {
        host.contains('.')
            && host
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
            && is_words(user)
    });
    FILES.iter().any(|ending| lower.ends_with(ending)) || is_address
}

/// The password of a URL or a header that everybody writes in examples.
pub(super) fn is_example_password(user: &str, password: &str) -> bool {
    const COMMON: &[&str] = &[
        "bar", "baz", "key", "p", "pass", "pass1", "pass2", "passwd", "password", "pw", "pwd", "secret",
        "token", "x", "xxx",
    ];
    password.len() < 3
        || password == user
        || COMMON.contains(&password.to_ascii_lowercase().as_str())
        || is_template(password)
        || is_placeholder(password)
}

/// Language rather than a secret: words, with separators, and small numbers between or after them.
pub(super) fn is_words(value: &str) -> bool {
    let separator = |c: char| "-_./:|, #?&=+*>~\\'".contains(c);
    if is_term_with_digit(value.trim_matches(separator)) {
        return true;
    }
    let mut n_parts = 0;
    for part in value.split(separator).filter(|part| !part.is_empty()) {
        n_parts += 1;
        if !is_word(part) {
            return false;
        }
    }
    if n_parts == 0 {
        return true;
    }
    // `hunter2`: one word and a digit is what people take for a password; `oauth2` and `sha256` are words.
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    n_parts > 1 || !has_digit
}

fn is_term_with_digit(value: &str) -> bool {
    const TERMS: &[&str] = &[
        "argon2",
        "argon2id",
        "base32",
        "base58",
        "base64",
        "bearer2",
        "blake2",
        "blake3",
        "ed25519",
        "email1",
        "email2",
        "hs256",
        "hs512",
        "latin1",
        "oauth1",
        "oauth2",
        "pbkdf2",
        "pkcs12",
        "rs256",
        "rs512",
        "secp256k1",
        "sha224",
        "sha256",
        "sha384",
        "sha512",
        "string1",
        "string2",
        "utf16",
        "x25519",
    ];
    let lower = value.to_ascii_lowercase();
    let nouns = [
        "password", "passwd", "pwd", "secret", "token", "key", "pass", "field", "input", "value", "user",
        "param", "arg",
    ];
    let stem = lower.trim_end_matches(|c: char| c.is_ascii_digit());
    TERMS.contains(&lower.as_str())
        || (lower.len() - stem.len() <= 3 && nouns.iter().any(|noun| stem.ends_with(noun)))
}

/// Letters that change between cases as words do, a number of up to four digits, or a word and up to two digits (`v2`).
fn is_word(part: &str) -> bool {
    if part.bytes().all(|byte| byte.is_ascii_digit()) {
        return part.len() <= 4;
    }
    let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
    if part.len() - letters.len() > 2 || !letters.chars().all(char::is_alphabetic) {
        return false;
    }
    !has_irregular_case(letters)
}

/// `qWxPzkLmR`: capitals everywhere. `someCamelCase`, `HTTPServer` and `UPPER` are regular.
fn has_irregular_case(letters: &str) -> bool {
    let bytes = letters.as_bytes();
    let n_changes = bytes
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count();
    n_changes >= 2 && n_changes * 4 > bytes.len().max(8)
}

/// Not words, so a digit or a sign is in it.
/// Words that stand where a password could and are none: what it is, how it is stored, what is wrong with it.
const ABOUT_PASSWORDS: &[&str] = &[
    "auth",
    "bad",
    "basic",
    "bcrypt",
    "bearer",
    "blank",
    "change",
    "changed",
    "config",
    "confirm",
    "confirmation",
    "confirmed",
    "credentials",
    "current",
    "default",
    "digest",
    "disabled",
    "email",
    "empty",
    "enabled",
    "encrypted",
    "enter",
    "env",
    "expired",
    "false",
    "field",
    "file",
    "forgot",
    "form",
    "hash",
    "hashed",
    "hidden",
    "id",
    "incorrect",
    "input",
    "invalid",
    "key",
    "label",
    "length",
    "login",
    "masked",
    "match",
    "mismatch",
    "missing",
    "name",
    "new",
    "none",
    "null",
    "old",
    "optional",
    "pass",
    "passphrase",
    "passwd",
    "passwort",
    "password",
    "passwords",
    "plain",
    "plaintext",
    "prompt",
    "protected",
    "pwd",
    "redacted",
    "required",
    "reset",
    "retry",
    "scram",
    "secret",
    "short",
    "string",
    "strong",
    "text",
    "title",
    "token",
    "true",
    "type",
    "unchanged",
    "undefined",
    "unknown",
    "unset",
    "update",
    "updated",
    "user",
    "username",
    "value",
    "vault",
    "visible",
    "weak",
    "wrong",
];

/// A password that somebody made of words: `swordfish`, `correct-horse-battery-staple`. In small letters, so that labels and
/// constants stay, long enough, and none of the words is one about passwords.
fn is_chosen_words(value: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_');
    if value.len() < 8 || !value.bytes().all(plain) {
        return false;
    }
    let parts: Vec<&str> = value.split(['-', '_']).filter(|part| !part.is_empty()).collect();
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let about = |part: &&str| ABOUT_PASSWORDS.contains(&part.trim_end_matches(|c: char| c.is_ascii_digit()));
    !parts.iter().any(about) && (parts.len() != 2 || has_digit)
}

fn is_password(value: &str) -> bool {
    let has_letter = value.chars().any(char::is_alphabetic);
    let n_digits = value.bytes().filter(u8::is_ascii_digit).count();
    let has_sign = value
        .chars()
        .any(|c| !c.is_alphanumeric() && !"-_./:, ".contains(c));
    if !has_letter {
        return has_sign && n_digits >= 4;
    }
    n_digits > 0 || has_sign || has_irregular_case(value)
}

fn is_machine_made(value: &str) -> bool {
    let n_digits = value.bytes().filter(u8::is_ascii_digit).count();
    let n_letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    if n_letters < 2 {
        return false;
    }
    match value.len() {
        0..8 => false,
        8..20 => n_digits >= 2,
        _ => n_digits >= 2 || has_irregular_case(value),
    }
}

/// Long, of one alphabet, without words, and not in the shape of a hash or a UUID.
fn is_plainly_random(value: &str) -> bool {
    let alphabet = value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"+/=_-".contains(&byte));
    let all_hex = value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    alphabet
        && value.len() >= 24
        && !(all_hex && matches!(value.len(), 32 | 36 | 40 | 56 | 64 | 96 | 128))
        && value.bytes().filter(u8::is_ascii_digit).count() >= 3
        && !value
            .split(['-', '_', '/'])
            .any(|part| part.len() >= 4 && part.bytes().all(|byte| byte.is_ascii_lowercase()))
        && bits_per_byte(value) >= if all_hex { 3.0 } else { 3.7 }
}

/// A body of a token: long enough to judge, it must be mixed.
pub(super) fn is_random(body: &str) -> bool {
    body.bytes().any(|byte| byte.is_ascii_digit())
        && bits_per_byte(body) >= if body.len() >= 20 { 3.0 } else { 2.5 }
}

/// Shannon entropy. Summed over a fixed order, so that the last bit is the same everywhere.
fn bits_per_byte(value: &str) -> f64 {
    let mut counts = [0u32; 256];
    value.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let n = value.len().max(1) as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / n)
        .map(|p| -p * p.log2())
        .sum()
}

/// 12 to 24 small words.
fn is_wallet_phrase(value: &str) -> bool {
    let mut n_words = 0;
    for word in value.split(' ') {
        if !(3..=8).contains(&word.len()) || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return false;
        }
        n_words += 1;
    }
    matches!(n_words, 12 | 15 | 18 | 21 | 24)
        && !value.starts_with("abandon abandon")
        && !value.starts_with("test test")
}
