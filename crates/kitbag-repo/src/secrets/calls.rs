//! Secrets that are arguments without a name: `login("kit", "…")`, `jwt.sign(claims, "…")`, `new Twilio("AC…", "…")`, `auth=("kit",
//! "…")`. The called function tells which argument is a secret.

use std::ops::Range;

use super::literal::{is_quote, line_end, near, quoted, skip_space};
use super::names::Strength;
use super::{Span, value};

/// The longest call that is read, in bytes after its name.
const LONGEST_CALL: usize = 600;
/// The most arguments that are read.
const MOST_ARGUMENTS: usize = 8;

/// Which arguments of a call may be secrets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    /// The argument at this position, if it looks like a password.
    Password(usize),
    /// The argument at this position: a key that a person typed or a machine made.
    Secret(usize),
    /// Any argument that is clearly random.
    Random,
}

use Argument::{Password, Random, Secret};

/// Compared without regard to case, also as the end of a longer name: `Client(` matches `createClient(`.
pub(super) const CALLS: &[(&str, Argument)] = &[
    ("accounts: [", Random),
    ("algoliasearch(", Random),
    ("auth = (", Password(1)),
    ("auth: [", Password(1)),
    ("auth(", Password(1)),
    ("auth=(", Password(1)),
    ("auth=[", Password(1)),
    ("authenticate(", Password(1)),
    ("boto3.client(", Random),
    ("boto3.resource(", Random),
    ("client(", Random),
    ("configure(", Random),
    ("create_superuser(", Password(2)),
    ("create_user(", Password(2)),
    ("createcipheriv(", Secret(1)),
    ("createhmac(", Secret(1)),
    ("createuserwithemailandpassword(", Password(2)),
    ("credential(", Password(1)),
    ("credentials.new(", Random),
    ("credentials = (", Password(1)),
    ("credentials(", Password(1)),
    ("credentials=(", Password(1)),
    ("fernet(", Random),
    ("getconnection(", Password(2)),
    ("hash_hmac(", Secret(2)),
    ("hmac.new(", Secret(0)),
    ("init(", Random),
    ("jwt.decode(", Secret(1)),
    ("jwt.encode(", Secret(1)),
    ("jwt.sign(", Secret(1)),
    ("jwt.verify(", Secret(1)),
    ("log_in(", Password(1)),
    ("login(", Password(1)),
    ("mysqli_connect(", Password(2)),
    ("new mysqli(", Password(2)),
    ("new pdo(", Password(2)),
    ("pg_connect(", Random),
    ("pinecone(", Random),
    ("privatekeytoaccount(", Random),
    ("pymysql.connect(", Password(2)),
    ("sdk(", Random),
    ("sign_in(", Password(1)),
    ("signedstring([]byte(", Secret(0)),
    ("signin(", Password(1)),
    ("signinwithemailandpassword(", Password(2)),
    ("signing_key(", Secret(0)),
    ("session(", Random),
    ("sessions.newcookiestore([]byte(", Secret(0)),
    ("twilio')(", Random),
    ("twilio(", Random),
    ("verifier(", Secret(0)),
    ("wallet(", Random),
    ("wifi.begin(", Password(1)),
];

/// Checks whether the call at `at` takes a secret.
pub(super) fn check(text: &str, at: &Range<usize>, which: Argument, spans: &mut Vec<Span>) {
    let arguments = arguments(text, at.end);
    let given = |idx: usize| arguments.get(idx).cloned().flatten();
    match which {
        Argument::Password(idx) => {
            let is_secret = |range: &Range<usize>| value::is_secret(&text[range.clone()], Strength::Password);
            push(given(idx).filter(is_secret), "password", spans);
            // `Credentials("AKIA…", "…")`: the first argument shows that the second is a key.
            random(text, &arguments, spans);
        }
        Argument::Secret(idx) => {
            let is_secret = |range: &Range<usize>| value::is_secret(&text[range.clone()], Strength::Secret);
            push(given(idx).filter(is_secret), "secret or token", spans);
        }
        Argument::Random => random(text, &arguments, spans),
    }
}

fn push(range: Option<Range<usize>>, rule: &'static str, spans: &mut Vec<Span>) {
    spans.extend(range.map(|range| Span { range, rule }));
}

fn random(text: &str, arguments: &[Option<Range<usize>>], spans: &mut Vec<Span>) {
    for range in arguments.iter().flatten() {
        if value::is_key_like(&text[range.clone()]) {
            push(Some(range.clone()), "random literal", spans);
        }
    }
}

/// The arguments after the bracket; `None` for one that is not a literal.
fn arguments(text: &str, at: usize) -> Vec<Option<Range<usize>>> {
    let bytes = text.as_bytes();
    let last = at + near(text, at, LONGEST_CALL).len();
    let mut found = Vec::new();
    let mut at = at;
    while found.len() < MOST_ARGUMENTS && at < last {
        at = skip_space(bytes, at);
        let literal = quoted(text, at, line_end(bytes, at.min(bytes.len())).min(last.max(at)));
        let mut depth = 0usize;
        let mut end = literal.as_ref().map_or(at, |literal| literal.end);
        while end < last {
            match bytes[end] {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' if depth == 0 => break,
                b')' | b']' | b'}' => depth -= 1,
                b',' if depth == 0 => break,
                b';' if depth == 0 => return found,
                byte if is_quote(byte) => end = literal_end(bytes, end, last),
                _ => {}
            }
            end += 1;
        }
        // `"…" + x` is a template; `"…".as_bytes()` is not.
        let between = literal
            .as_ref()
            .and_then(|literal| text.get(literal.end..end.max(literal.end)));
        let is_whole = between.is_some_and(|between| {
            let between = between.trim_start();
            between.is_empty() || between.starts_with(['.', ')']) || between.starts_with("as ")
        });
        found.push(literal.map(|literal| literal.inside).filter(|_| is_whole));
        if bytes.get(end) != Some(&b',') {
            break;
        }
        at = end + 1;
    }
    found
}

/// The closing quote of a literal that begins at `at`, or `at` if it does not close on its line.
fn literal_end(bytes: &[u8], at: usize, last: usize) -> usize {
    let quote = bytes[at];
    let mut end = at + 1;
    while end < last && bytes[end] != b'\n' {
        match bytes[end] {
            b'\\' => end += 1,
            byte if byte == quote => return end,
            _ => {}
        }
        end += 1;
    }
    at
}
