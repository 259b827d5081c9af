//! Decides whether a value could be a secret. Pure functions of one string.
//!
//! A literal under a name for a password is one unless *all* of it is something else: a template, a known placeholder, a place, a
//! sentence for people. A part is not enough: `super_secret_123` ends like a placeholder.

use super::names::Strength;
use super::words::{is_known, is_sentence};

/// The longest literal that is checked, in bytes; a longer one is data.
const LONGEST: usize = 2048;
/// Longer than any placeholder or template.
const LONGEST_PLACEHOLDER: usize = 200;
/// The longest password that a person types.
const LONGEST_PASSWORD: usize = 200;

/// Whether a literal assigned to a name of this strength must be cut out.
pub(super) fn is_secret(value: &str, strength: Strength) -> bool {
    if strength == Strength::Phrase {
        return is_wallet_phrase(value);
    }
    let value = value.trim();
    // A template of which only the beginning was taken as the value.
    const OPEN: &[&str] = &["#{", "${", "$(", "{{", "<%", "%{"];
    if OPEN.iter().any(|open| value.starts_with(open)) {
        return false;
    }
    if value.len() < 6 || value.len() > LONGEST || value.chars().any(char::is_control) {
        return false;
    }
    if strength == Strength::Password && value.len() > LONGEST_PASSWORD {
        return false;
    }
    if is_template(value) || is_placeholder(value) || is_place(value) {
        return false;
    }
    match strength {
        Strength::Password => is_password(value),
        Strength::Secret => is_password(value) && (is_machine_made(value) || is_chosen_secret(value)),
        Strength::Token => is_machine_made(value),
        Strength::Weak => is_plainly_random(value),
        Strength::Foreign => {
            let is_piece = value.bytes().all(|byte| byte.is_ascii_graphic());
            is_piece && has_digit(value) && is_password(value)
        }
        Strength::Phrase => false,
    }
}

/// Whether a part is filled in elsewhere: `${VAR}`, `{{ var }}`, `%(name)s`, `$VAR`, `func(x)`, `prefix-{name}`.
pub(super) fn is_template(value: &str) -> bool {
    const PAIRS: &[(&str, &str)] = &[
        ("${", "}"),
        ("{{", "}}"),
        ("#{", "}"),
        ("<%", "%>"),
        ("%{", "}"),
        ("@{", "}"),
        ("$[", "]"),
        ("{%", "%}"),
    ];
    let holds = |(open, close): &(&str, &str)| {
        value
            .find(open)
            .is_some_and(|at| value[at + open.len()..].contains(close))
    };
    // A random key may contain brackets by chance: these must contain a name or a command.
    let is_run = |open: &str| {
        value.find(open).is_some_and(|at| {
            let inside = &value[at + 2..];
            let n = inside.find(')').unwrap_or(0);
            n >= 2
                && inside.starts_with(|c: char| c.is_ascii_alphabetic())
                && inside[..n]
                    .chars()
                    .all(|c| c.is_alphanumeric() || " _-./\"'$|".contains(c))
        })
    };
    if PAIRS.iter().any(holds) || is_run("$(") || is_run("%(") || is_filled_in(value) {
        return true;
    }
    // `$TEST_DIR/a/b`: a name, then the end or a path.
    let variable = value.strip_prefix('$').is_some_and(|rest| {
        let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let is_name = rest.len() - name.len() >= 2 && rest.starts_with(|c: char| c.is_ascii_alphabetic());
        is_name
            && (name.starts_with('/') || (name.is_empty() && !rest.bytes().any(|byte| byte.is_ascii_digit())))
    });
    let percent = value.len() > 2 && value.starts_with('%') && value.ends_with('%');
    let object = value.starts_with('{') && value.ends_with('}');
    variable || percent || object || is_call(value)
}

/// `env("X")`, `secrets[0]`, `foo.bar(x)`: a name directly before brackets that close at the end.
fn is_call(value: &str) -> bool {
    let Some(open) = value.find(['(', '[']) else {
        return false;
    };
    let close = match value.as_bytes()[open] {
        b'(' => ')',
        _ => ']',
    };
    let head = &value[..open];
    let is_name = head
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.' | b':' | b'$' | b'@'));
    is_name && value.ends_with(close) && (open > 0 || value.len() > 2)
}

/// `Bearer <token>`, `key-{}`, `[your name]-1`, `%s:%s`: brackets around a name, and only words outside.
fn is_filled_in(value: &str) -> bool {
    if value.len() > LONGEST_PLACEHOLDER {
        return false;
    }
    let mut outside = String::new();
    let mut n_groups = 0;
    let mut rest = value;
    while let Some(open) = rest.find(['{', '<', '[', '%']) {
        outside.push_str(&rest[..open]);
        let close = match rest.as_bytes()[open] {
            b'{' => '}',
            b'<' => '>',
            b'[' => ']',
            _ => {
                let letter = rest.as_bytes().get(open + 1);
                let n = if matches!(letter, Some(b's' | b'd' | b'v' | b'@')) {
                    n_groups += 1;
                    2
                } else {
                    outside.push('%');
                    1
                };
                rest = &rest[open + n..];
                continue;
            }
        };
        let Some(n) = rest[open + 1..].find(close) else {
            return false;
        };
        let inside = &rest[open + 1..open + 1 + n];
        let is_name = inside
            .chars()
            .all(|c| c.is_alphanumeric() || " _-.:|,/?=!".contains(c));
        if !is_name {
            return false;
        }
        n_groups += 1;
        rest = &rest[open + 1 + n + 1..];
    }
    outside.push_str(rest);
    let letters = |c: char| c.is_alphabetic() || "-_./:, |#@".contains(c);
    n_groups > 0 && outside.chars().all(letters) && is_words(&outside)
}

/// A placeholder of documentation and tests: a known value, only known words, something masked, or a row of the keyboard.
pub(super) fn is_placeholder(value: &str) -> bool {
    if value.contains("...")
        || value.contains('…')
        || (value.len() <= LONGEST_PLACEHOLDER && is_known(value))
        || is_masked(value)
    {
        return true;
    }
    let lower = value.to_ascii_lowercase();
    let letters = lower.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &lower[letters.len()..];
    let in_row = |part: &str, rows: &[&str]| part.is_empty() || rows.iter().any(|row| row.contains(part));
    in_row(letters, &["abcdefghijklmnopqrstuvwxyz", "qwertyuiop"])
        && in_row(digits, &["01234567890123456789", "9876543210"])
}

/// `xxxxxxxx`, `sk-********`, `00000000-0000`: too few different characters, or a long run of one that masks.
fn is_masked(value: &str) -> bool {
    let mut seen = [false; 256];
    value
        .bytes()
        .for_each(|byte| seen[usize::from(byte.to_ascii_lowercase())] = true);
    let n_distinct = seen.iter().filter(|seen| **seen).count();
    let masks = ["xxxx", "XXXX", "****", "____", "----", "••••", "00000000"];
    n_distinct <= 3 || (value.len() >= 20 && n_distinct <= 5) || masks.iter().any(|mask| value.contains(mask))
}

/// The body of a made-up token in documentation. None of these occurs by chance in a random body.
pub(super) fn is_sample_body(body: &str) -> bool {
    const MARKS: &[&str] = &[
        "example",
        "redacted",
        "placeholder",
        "changeme",
        "your_",
        "your-",
        "yourkey",
        "yourtoken",
        "fake",
        "dummy",
    ];
    const ROWS: &[&str] = &["1234567890", "0123456789", "abcdefghij"];
    let lower = body.to_ascii_lowercase();
    MARKS.iter().any(|mark| lower.contains(mark))
        || (body.len() < 40 && ROWS.iter().any(|row| lower.contains(row)))
        || is_placeholder(body)
}

/// A file, an address, a reference into a secret store: the place of a secret, not the secret.
pub(super) fn is_place(value: &str) -> bool {
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
        "mfkw",
        "miibi",
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

/// A password in a URL or a header that is common in examples.
pub(super) fn is_example_password(user: &str, password: &str) -> bool {
    password.len() < 3 || password == user || is_template(password) || is_placeholder(password)
}

/// Whether it is language: words with separators, and small numbers between or after them.
pub(super) fn is_words(value: &str) -> bool {
    let mut n_parts = 0;
    for part in value.split(is_separator).filter(|part| !part.is_empty()) {
        n_parts += 1;
        if !is_word(part) {
            return false;
        }
    }
    if n_parts == 0 {
        return true;
    }
    // `hunter2`: one word and a digit is a typical password; `oauth2` and `sha256` are words.
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    n_parts > 1 || !has_digit
}

fn is_separator(c: char) -> bool {
    "-_./:|, #?&=+*>~\\'".contains(c)
}

/// Letters with the case of words, a number of up to four digits, or a word and up to two digits (`v2`).
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

/// `qWxPzkLmR`: capitals at irregular places. `someCamelCase`, `HTTPServer` and `UPPER` are regular.
fn has_irregular_case(letters: &str) -> bool {
    let bytes = letters.as_bytes();
    let n_changes = bytes
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count();
    n_changes >= 2 && n_changes * 4 > bytes.len().max(8)
}

/// What a person could have chosen: with digits or signs, with irregular capitals, or plain words.
fn is_password(value: &str) -> bool {
    if value.contains(char::is_whitespace) {
        return is_chosen_phrase(value);
    }
    if is_path(value) || is_constant(value) {
        return false;
    }
    // In other scripts, a value without digits or a long one is a label.
    if !value.is_ascii() && (!has_digit(value) || value.chars().count() > 24) {
        return false;
    }
    if !value.chars().any(char::is_alphabetic) {
        return value.chars().filter(char::is_ascii_digit).count() >= 4;
    }
    if is_words(value) && !has_digit(value) {
        return is_chosen_words(value);
    }
    has_digit(value) || has_sign(value) || has_irregular_case(value)
}

/// `FORBIDDEN_VALUE2` is the name of a constant.
fn is_constant(value: &str) -> bool {
    let part = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    value.contains('_')
        && value.bytes().all(part)
        && is_words(value)
        && value.bytes().filter(u8::is_ascii_digit).count() <= 2
}

fn has_digit(value: &str) -> bool {
    value.chars().any(char::is_numeric)
}

fn has_sign(value: &str) -> bool {
    value
        .chars()
        .any(|c| !c.is_alphanumeric() && !c.is_whitespace() && !"-_./:,'()[]|".contains(c))
}

/// `user.profile.title2`, `app/models/user_2`: lower-case words with dots or slashes are a path.
fn is_path(value: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-./:".contains(&byte);
    value.contains(['.', '/'])
        && value.bytes().all(plain)
        && value
            .split(['.', '/'])
            .all(|part| part.bytes().all(|byte| byte.is_ascii_digit()) || is_words(part))
}

/// Lower-case words and numbers separated by spaces, as in passphrases, or words that contain digits and signs. A sentence for
/// people is neither.
fn is_chosen_phrase(value: &str) -> bool {
    if is_sentence(value) {
        return false;
    }
    let small = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    let number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut words = value.split_whitespace();
    if words.all(|word| small(word) || number(word)) {
        return value.split_whitespace().any(small);
    }
    value
        .split_whitespace()
        .any(|word| word.len() >= 3 && has_digit(word) && (has_sign(word) || has_irregular_case(word)))
}

/// A password made of words: `swordfish`, `correct-horse-battery-staple`. In lower case, so that labels and constants stay, and
/// long enough. Two words with a dash are more often a name (`form-control`).
fn is_chosen_words(value: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_');
    let n_parts = value.split(['-', '_']).filter(|part| !part.is_empty()).count();
    value.len() >= 8 && value.bytes().all(plain) && n_parts != 2
}

/// A secret that a person typed: words, as in passwords, or words and a number.
fn is_chosen_secret(value: &str) -> bool {
    if value.contains(char::is_whitespace) || is_chosen_words(value) {
        return true;
    }
    let n_digits = value.bytes().filter(u8::is_ascii_digit).count();
    value.len() >= 8 && (n_digits >= 2 || has_sign(value))
}

/// Made by a machine, or at least not a word with a number.
fn is_machine_made(value: &str) -> bool {
    let n_digits = value.bytes().filter(u8::is_ascii_digit).count();
    let n_letters = value.chars().filter(|c| c.is_alphabetic()).count();
    let n_signs = value.bytes().filter(u8::is_ascii_punctuation).count();
    if value.len() >= 40 && n_digits >= 3 && n_signs >= 6 && !has_small_word(value) {
        return true;
    }
    if n_letters < 2 || value.contains(char::is_whitespace) || is_path(value) {
        return n_letters < 2
            && n_digits >= 12
            && n_digits + 4 >= value.len()
            && n_letters == 0
            && value.len() >= 12;
    }
    if is_words(value) {
        return value.len() >= 12 && n_digits >= 3;
    }
    match value.len() {
        0..8 => false,
        8..20 => n_digits >= 2 || (n_digits >= 1 && has_sign(value)),
        _ => n_digits >= 2 || has_irregular_case(value),
    }
}

/// Long, of one alphabet, without words, and without the form of a hash or a UUID.
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

/// Whether the body of a token is mixed, if it is long enough to judge.
pub(super) fn is_random(body: &str) -> bool {
    body.bytes().any(|byte| byte.is_ascii_digit())
        && bits_per_byte(body) >= if body.len() >= 20 { 3.0 } else { 2.5 }
}

/// Shannon entropy. Summed in a fixed order, so that the last bit is the same everywhere.
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

/// 12 to 24 lower-case words.
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

/// A literal that only its form gives away: long, without separators, mixed, and neither a path nor words.
pub(super) fn is_key_like(value: &str) -> bool {
    let alphabet = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=_-.:".contains(&byte);
    value.len() >= 20
        && value.bytes().all(alphabet)
        && is_secret(value, Strength::Token)
        && !is_words(value)
        && !is_sample_body(value)
        && value.bytes().filter(u8::is_ascii_digit).count() >= 3
        && (is_hex(value) || !has_small_word(value))
        && bits_per_byte(value) >= 3.0
}

fn is_hex(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// At least four lower-case letters between separators: in most names, a word.
fn has_small_word(value: &str) -> bool {
    value
        .split(['-', '_', '/', '.', ':'])
        .any(|part| part.len() >= 4 && part.bytes().all(|byte| byte.is_ascii_lowercase()))
}
