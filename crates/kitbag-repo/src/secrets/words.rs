//! Words that occur in place of a secret: labels of fields, error messages, placeholders of documentation. A value is harmless only
//! if *all* of it is such words; beginning or ending with one is not enough.

/// Well-known values: defaults, and those that templates ship with. Compared in lower case.
const DEFAULTS: &[&str] = &[
    "abc123",
    "asdf1234",
    "foobarbaz",
    "guest123",
    "hunter",
    "letmein",
    "minioadmin",
    "n/a",
    "passw0rd",
    "qwerty",
    "qwerty123",
    "rosebud",
    "s3cr3t",
    "s3cret",
    "swagger",
    "toor",
];

/// In lower case, sorted.
const WORDS: &[&str] = &[
    "a",
    "abc",
    "abcd",
    "access",
    "account",
    "actual",
    "add",
    "admin",
    "again",
    "algorithm",
    "all",
    "also",
    "an",
    "and",
    "another",
    "any",
    "api",
    "apikey",
    "app",
    "application",
    "are",
    "arg",
    "argon",
    "at",
    "auth",
    "authentication",
    "authorization",
    "aws",
    "bad",
    "bar",
    "base",
    "basic",
    "baz",
    "bcrypt",
    "be",
    "bearer",
    "blank",
    "body",
    "bot",
    "button",
    "by",
    "can",
    "cannot",
    "change",
    "changed",
    "changeit",
    "changeme",
    "characters",
    "class",
    "client",
    "clientid",
    "clientsecret",
    "code",
    "com",
    "config",
    "confirm",
    "confirmation",
    "confirmed",
    "consumer",
    "control",
    "cookie",
    "copy",
    "correct",
    "create",
    "credential",
    "credentials",
    "csrf",
    "csrfmiddlewaretoken",
    "current",
    "custom",
    "data",
    "database",
    "db",
    "default",
    "delete",
    "demo",
    "description",
    "dev",
    "did",
    "digest",
    "disabled",
    "do",
    "does",
    "dummy",
    "edit",
    "email",
    "empty",
    "enabled",
    "encrypted",
    "encryption",
    "end",
    "enter",
    "env",
    "error",
    "example",
    "exist",
    "expired",
    "express",
    "fake",
    "false",
    "field",
    "file",
    "first",
    "fixme",
    "foo",
    "foobar",
    "for",
    "forgot",
    "forgotten",
    "form",
    "format",
    "found",
    "from",
    "generate",
    "generated",
    "get",
    "github",
    "google",
    "group",
    "guest",
    "has",
    "hash",
    "hashed",
    "have",
    "header",
    "help",
    "here",
    "hidden",
    "hint",
    "host",
    "id",
    "identifier",
    "if",
    "in",
    "incorrect",
    "info",
    "inherit",
    "input",
    "insert",
    "invalid",
    "ipsum",
    "is",
    "it",
    "item",
    "jwt",
    "kennwort",
    "key",
    "keys",
    "label",
    "last",
    "least",
    "length",
    "level",
    "link",
    "local",
    "localhost",
    "login",
    "long",
    "lorem",
    "manager",
    "masked",
    "master",
    "match",
    "matching",
    "max",
    "me",
    "message",
    "min",
    "minimum",
    "mismatch",
    "missing",
    "mock",
    "model",
    "must",
    "my",
    "mysql",
    "name",
    "new",
    "no",
    "none",
    "not",
    "null",
    "nullable",
    "number",
    "oauth",
    "of",
    "off",
    "ok",
    "old",
    "on",
    "only",
    "optional",
    "or",
    "other",
    "page",
    "param",
    "parameter",
    "pass",
    "passcode",
    "passed",
    "passphrase",
    "passwd",
    "password",
    "passwords",
    "passwort",
    "paste",
    "path",
    "personal",
    "placeholder",
    "plain",
    "plaintext",
    "please",
    "policy",
    "postgres",
    "postgresql",
    "private",
    "prompt",
    "protected",
    "provide",
    "provided",
    "public",
    "put",
    "pw",
    "pwd",
    "random",
    "real",
    "redacted",
    "redis",
    "refresh",
    "remember",
    "remove",
    "repeat",
    "replace",
    "request",
    "required",
    "reset",
    "restore",
    "retry",
    "return",
    "root",
    "route",
    "sample",
    "save",
    "scram",
    "second",
    "secret",
    "secretkey",
    "secrets",
    "security",
    "select",
    "send",
    "server",
    "session",
    "set",
    "sha",
    "should",
    "show",
    "sign",
    "signin",
    "some",
    "something",
    "sometimes",
    "start",
    "state",
    "step",
    "store",
    "string",
    "strong",
    "submit",
    "sudo",
    "support",
    "tbd",
    "temp",
    "temporary",
    "test",
    "tester",
    "testing",
    "text",
    "that",
    "the",
    "then",
    "this",
    "title",
    "tls",
    "to",
    "todo",
    "token",
    "tokens",
    "too",
    "true",
    "try",
    "type",
    "unchanged",
    "undefined",
    "unknown",
    "unset",
    "update",
    "updated",
    "uri",
    "url",
    "use",
    "used",
    "user",
    "username",
    "users",
    "using",
    "valid",
    "validation",
    "value",
    "values",
    "vault",
    "verification",
    "verify",
    "visible",
    "was",
    "weak",
    "when",
    "will",
    "with",
    "without",
    "wrong",
    "xxx",
    "you",
    "your",
];

/// Words that show that a value is a sentence for people.
const SENTENCE: &[&str] = &[
    "a", "an", "and", "are", "be", "by", "can", "cannot", "der", "das", "die", "de", "do", "does", "el",
    "for", "from", "has", "have", "if", "in", "ist", "is", "it", "la", "le", "les", "must", "no", "not",
    "of", "on", "or", "please", "should", "su", "the", "this", "to", "too", "tu", "und", "was", "will",
    "with", "you", "your", "votre",
];

/// Whether a value is well known or consists of known words. Numbers between them are small or count up: `password2` and
/// `secret123` are known, `secret2024` is a choice.
pub(super) fn is_known(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    if DEFAULTS.contains(&lower.as_str()) {
        return true;
    }
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let is_separator = |c: char| "-_./:,| #=".contains(c);
    if has_digit && value.chars().any(|c| !c.is_alphanumeric() && !is_separator(c)) {
        return false;
    }
    let mut n_words = 0;
    for part in parts(value) {
        n_words += 1;
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        let known = match is_number {
            true => part.len() <= 2 || "1234567890".starts_with(part) || "0123456789".starts_with(part),
            false => is_known_word(&part.to_ascii_lowercase()),
        };
        // `SHA256`, `HS512`: the number belongs to the word.
        if !known && !is_number_of_algorithm(part, &lower) {
            return false;
        }
    }
    n_words > 0 || !has_digit
}

fn is_number_of_algorithm(part: &str, lower: &str) -> bool {
    const TERMS: &[&str] = &[
        "aes128",
        "aes256",
        "base58",
        "base64",
        "blake3",
        "ed25519",
        "es256",
        "hs256",
        "hs384",
        "hs512",
        "latin1",
        "pbkdf2",
        "pkcs12",
        "ps256",
        "rs256",
        "rs384",
        "rs512",
        "secp256k1",
        "sha224",
        "sha256",
        "sha384",
        "sha512",
        "utf16",
        "x25519",
    ];
    let part = part.to_ascii_lowercase();
    TERMS
        .iter()
        .any(|term| term.contains(part.as_str()) && lower.contains(term))
}

/// A word, or two joined as in documentation: `mypassword`, `testapikey`.
fn is_known_word(word: &str) -> bool {
    const FIRST: &[&str] = &[
        "dummy", "example", "fake", "my", "sample", "some", "test", "the", "your",
    ];
    const SECOND: &[&str] = &[
        "apikey", "key", "pass", "passwd", "password", "pwd", "secret", "token",
    ];
    let is_pair = || {
        FIRST
            .iter()
            .filter_map(|first| word.strip_prefix(first))
            .any(|rest| SECOND.contains(&rest))
    };
    WORDS.binary_search(&word).is_ok() || is_pair()
}

/// Words for people to read: a label, a message. `correct horse battery staple` is not one.
pub(super) fn is_sentence(value: &str) -> bool {
    let words: Vec<&str> = value.split_whitespace().collect();
    let bare = |word: &str| {
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .to_ascii_lowercase()
    };
    let n_known = words.iter().filter(|word| is_known(word)).count();
    !value.is_ascii()
        || words.len() > 8
        || words.iter().any(|word| SENTENCE.contains(&bare(word).as_str()))
        || n_known * 2 >= words.len()
}

/// Runs of letters and of digits, with `camelCase` split.
fn parts(value: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = None;
    let mut previous: Option<char> = None;
    for (at, c) in value.char_indices() {
        let cut = previous.is_some_and(|previous| {
            previous.is_alphanumeric()
                && (previous.is_ascii_digit() != c.is_ascii_digit()
                    || (previous.is_lowercase() && c.is_uppercase()))
        });
        if let Some(open) = start
            && (cut || !c.is_alphanumeric())
        {
            parts.push(&value[open..at]);
            start = None;
        }
        if c.is_alphanumeric() && start.is_none() {
            start = Some(at);
        }
        previous = Some(c);
    }
    parts.extend(start.map(|open| &value[open..]));
    parts
}
