//! Passwords and tokens before the `@` of a URL.

use std::ops::Range;

use super::literal::near;
use super::shapes::run_before;
use super::{Span, value};

pub(super) const KEYWORDS: &[(&str, super::shapes::Shape)] = &[("://", user_info)];

/// The longest URL that is checked, in bytes.
const LONGEST: usize = 400;

/// `scheme://user:password@host`, `scheme://token@host`. A password may contain `@`, `/` and `#`, so the last `@` before what looks
/// like a host counts.
fn user_info(text: &str, at: &Range<usize>, spans: &mut Vec<Span>) {
    let url = near(text, at.end, LONGEST);
    let end = url
        .find(|c: char| c.is_whitespace() || "\"'`<>\\,|".contains(c))
        .unwrap_or(url.len());
    let url = &url[..end];
    // Most URLs are links without a user.
    let Some(last) = last_host(url) else { return };
    let has_scheme = run_before(text, at.start, |byte| {
        byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)
    })
    .len()
        >= 2;
    if !has_scheme {
        return;
    }
    let info = &url[..last];
    let Some(colon) = info.find(':') else {
        let is_token = info.len() >= 16 && value::is_key_like(info);
        if is_token {
            spans.push(Span {
                range: at.end..at.end + info.len(),
                rule: "token in url",
            });
        }
        return;
    };
    let (user, password) = (&info[..colon], &info[colon + 1..]);
    let is_user = |c: char| c.is_alphanumeric() || "._%+-~$!*=".contains(c);
    let port = password.split(['/', '?', '#']).next().unwrap_or_default();
    let is_port =
        port.len() < password.len() && !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let harmless = !user.chars().all(is_user)
        || is_port
        || password.starts_with(['$', '{', '<', '[', '*', ':', '(', '/'])
        || value::is_example_password(user, password)
        || is_common(password);
    if harmless {
        return;
    }
    let start = at.end + colon + 1;
    spans.push(Span {
        range: start..start + password.len(),
        rule: "password in url",
    });
    // `https://<token>:x-oauth-basic@host`
    if user.len() >= 20 && value::is_key_like(user) {
        spans.push(Span {
            range: at.end..at.end + user.len(),
            rule: "token in url",
        });
    }
}

/// Passwords that documentation uses.
fn is_common(password: &str) -> bool {
    const COMMON: &[&str] = &["bar", "baz", "p", "pass1", "pass2", "x", "xxx", "p4ssw0rd"];
    COMMON.contains(&password.to_ascii_lowercase().as_str())
}

/// The last `@` that a host follows.
fn last_host(url: &str) -> Option<usize> {
    let is_host = |at: usize| {
        let host = &url[at + 1..];
        let n = host
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || b".-_[]{}$".contains(byte))
            .count();
        n > 0
            && matches!(
                host.as_bytes().get(n),
                None | Some(b':' | b'/' | b'?' | b'#' | b')' | b';' | b'.' | b'&' | b'(')
            )
    };
    let first_slash = url.find('/').unwrap_or(url.len());
    let before_slash = url[..first_slash].rfind('@').filter(|at| is_host(*at));
    let info = before_slash.map(|at| &url[..at]);
    // After a slash only if the part before it cannot be a host: it has a colon without a port.
    let behind = || {
        let at = url.rfind('@').filter(|at| is_host(*at))?;
        let colon = url[..at].find(':')?;
        let secret = &url[colon + 1..at];
        let is_path = url[..colon].contains('/')
            || secret.starts_with(|c: char| {
                c.is_ascii_digit() && secret[1..].starts_with(|c: char| c.is_ascii_digit() || c == '/')
            });
        (!is_path).then_some(at)
    };
    match info {
        Some(info) if info.contains(':') => behind().or(before_slash),
        Some(_) => before_slash,
        None => behind(),
    }
}
