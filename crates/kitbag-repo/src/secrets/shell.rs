//! Passwords on command lines: after the password flag of a command, or piped into a command that reads one.

use std::ops::Range;

use super::assign::flag_value;
use super::literal::{line_around, line_end, near, quoted, skip_blank};
use super::names::Strength;
use super::tokens::begins_word;
use super::{Span, value};

/// How far after the command its flag may be, in bytes.
const LONGEST: usize = 400;

/// A command, its password flag, and whether the password may follow without a space.
const COMMANDS: &[(&str, &str, bool)] = &[
    ("7z ", "-p", true),
    ("az login", "-p", false),
    ("docker login", "-p", false),
    ("ftp ", "-p", false),
    ("helm registry login", "-p", false),
    ("ldapadd ", "-w", false),
    ("ldapsearch ", "-w", false),
    ("mongo ", "-p", false),
    ("mongodump ", "-p", false),
    ("mongosh ", "-p", false),
    ("mysql", "-p", true),
    ("mariadb", "-p", true),
    ("podman login", "-p", false),
    ("psexec ", "-p", false),
    ("redis-cli", "-a", false),
    ("sqlcmd ", "-P", false),
    ("sshpass ", "-p", true),
    ("unzip ", "-P", true),
    ("zip ", "-P", true),
];

/// Keywords for the automaton.
pub(super) const KEYWORDS: &[(&str, super::shapes::Shape)] = &[
    ("7z ", command),
    ("az login", command),
    ("docker login", command),
    ("ftp ", command),
    ("helm registry login", command),
    ("ldapadd ", command),
    ("ldapsearch ", command),
    ("mariadb", command),
    ("mongo ", command),
    ("mongodump ", command),
    ("mongosh ", command),
    ("mysql", command),
    ("podman login", command),
    ("psexec ", command),
    ("redis-cli", command),
    ("sqlcmd ", command),
    ("sshpass ", command),
    ("unzip ", command),
    ("zip ", command),
    ("--password-stdin", piped),
    ("| chpasswd", piped),
    ("|chpasswd", piped),
    ("| sudo -s", piped),
    ("convertto-securestring ", secure_string),
    ("passin pass:", key_password),
    ("passout pass:", key_password),
    ("-pass pass:", key_password),
    ("htpasswd -", web_user),
    ("smbclient ", share_user),
];

fn push(text: &str, range: Range<usize>, spans: &mut Vec<Span>) {
    if value::is_secret(&text[range.clone()], Strength::Password) {
        let rule = "password";
        spans.push(Span { range, rule });
    }
}

/// See [`COMMANDS`].
fn command(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let word = text[at.clone()].to_ascii_lowercase();
    let Some((_, flag, attached)) = COMMANDS.iter().find(|(command, ..)| *command == word) else {
        return;
    };
    let bytes = text.as_bytes();
    if !begins_word(bytes, at.start) {
        return;
    }
    let end = line_end(bytes, at.end).min(at.end + near(text, at.end, LONGEST).len());
    let line = &text[at.end..end];
    for (n, _) in line.match_indices(flag) {
        let stands_alone = n == 0 || matches!(line.as_bytes()[n - 1], b' ' | b'\t' | b'"' | b'\'');
        if !stands_alone {
            continue;
        }
        let behind = at.end + n + flag.len();
        let value_at = skip_blank(bytes, behind, end);
        if value_at == behind && !attached {
            continue;
        }
        // `mysql -p shop` asks for the password and names the database.
        if value_at > behind && word.starts_with("m") && *attached {
            continue;
        }
        if let Some((found, _)) = flag_value(text, value_at, end) {
            push(text, found.inside, spans);
            return;
        }
    }
}

/// `echo "…" | docker login --password-stdin`, `echo "kit:…" | chpasswd`.
fn piped(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let line = line_around(text.as_bytes(), at.start);
    let Some(before) = text.get(line.start..at.start) else {
        return;
    };
    let Some((echo, n)) = ["echo -n ", "echo ", "printf "]
        .iter()
        .find_map(|echo| before.rfind(echo).map(|at| (at, echo.len())))
    else {
        return;
    };
    let start = line.start + echo + n;
    let Some((found, _)) = flag_value(text, start, at.start) else {
        return;
    };
    let inside = found.inside;
    let is_pair = text[at.clone()].contains("chpasswd");
    let user = text[inside.clone()].find(':').filter(|_| is_pair);
    let start = user.map_or(inside.start, |colon| inside.start + colon + 1);
    push(text, start..inside.end, spans);
}

/// `ConvertTo-SecureString "…" -AsPlainText`.
fn secure_string(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let end = line_end(text.as_bytes(), at.end);
    let mut start = at.end;
    for flag in ["-String ", "-AsPlainText "] {
        if text[start..end].starts_with(flag) {
            start += flag.len();
        }
    }
    if let Some(found) = quoted(text, start, end) {
        push(text, found.inside, spans);
    }
}

/// `openssl … -passin pass:…`
fn key_password(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let end = line_end(text.as_bytes(), at.end);
    if let Some((found, _)) = flag_value(text, at.end, end) {
        push(text, found.inside, spans);
    }
}

/// `htpasswd -b FILE USER …`
fn web_user(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let end = line_end(text.as_bytes(), at.end);
    let line = &text[at.end..end];
    let flags = line.split(' ').next().unwrap_or_default();
    if !flags.contains('b') {
        return;
    }
    let Some(last) = line
        .trim_end()
        .split(' ')
        .nth(if flags.contains('n') { 2 } else { 3 })
    else {
        return;
    };
    let bare = last.trim_matches(['"', '\'']);
    let start = at.end + (bare.as_ptr() as usize - line.as_ptr() as usize);
    push(text, start..start + bare.len(), spans);
}

/// `smbclient //host/share -U user%…`
fn share_user(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let end = line_end(text.as_bytes(), at.end);
    let line = &text[at.end..end];
    let Some(flag) = line.find("-U ").map(|flag| flag + 3) else {
        return;
    };
    let n = line[flag..].find(' ').unwrap_or(line.len() - flag);
    let Some(percent) = line[flag..flag + n].find('%') else {
        return;
    };
    let start = at.end + flag + percent + 1;
    let bare = text[start..at.end + flag + n].trim_end_matches(['"', '\'']);
    push(text, start..start + bare.len(), spans);
}
