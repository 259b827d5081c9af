//! Keys (HTTP-2): `server.api_keys` in, the user name of a given key out.
//!
//! A given key is compared with all keys, each in constant time, so that the time of an answer says nothing about them. Each
//! key must belong to one user: two names with one key, or one name with two, are refused at the start (SEC-5).

#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::http::{HeaderMap, header};
use subtle::ConstantTimeEq as _;

use kitbag_door::failure::Failure;
use kitbag_door::settings::Server;

const SHORTEST: usize = 16;

pub(super) struct Keys(Vec<(Arc<str>, String)>);

impl Keys {
    pub(super) fn new(server: &Server) -> Result<Keys, Failure> {
        match &server.api_keys {
            Some(all) => parsed(all.reveal()).map(Keys),
            None => Ok(Keys(Vec::new())),
        }
    }

    /// Whether no key is needed.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The user of the key in a request; `None` if there is no known key. Without keys all requests have the same user.
    pub(super) fn user(&self, headers: &HeaderMap) -> Option<Arc<str>> {
        if self.is_empty() {
            return Some(Arc::from(""));
        }
        let shown = shown(headers)?;
        let mut found = None;
        for (name, key) in &self.0 {
            if bool::from(key.as_bytes().ct_eq(shown.as_bytes())) {
                found = Some(Arc::clone(name));
            }
        }
        found
    }
}

/// `Authorization: Bearer <key>`, else `X-Api-Key: <key>`.
fn shown(headers: &HeaderMap) -> Option<&str> {
    let text = |name| {
        headers
            .get(name)
            .and_then(|value: &header::HeaderValue| value.to_str().ok())
    };
    let bearer = text(header::AUTHORIZATION)
        .and_then(|value| value.split_once(' '))
        .and_then(|(scheme, key)| scheme.eq_ignore_ascii_case("bearer").then_some(key));
    bearer
        .or_else(|| text(header::HeaderName::from_static("x-api-key")))
        .map(str::trim)
}

fn parsed(all: &str) -> Result<Vec<(Arc<str>, String)>, Failure> {
    let wrong = |what: String| {
        let message = format!("server.api_keys: {what}; expected name:key, several with commas between them");
        Failure::wrong_use("CONFIG_ERROR", message)
    };
    let mut keys: Vec<(Arc<str>, String)> = Vec::new();
    for (idx, one) in all.split(',').enumerate() {
        let number = idx + 1;
        let (name, key) = one
            .split_once(':')
            .ok_or_else(|| wrong(format!("number {number} has no name")))?;
        let (name, key) = (name.trim(), key.trim());
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(is_plain) || keys.iter().any(|(known, _)| **known == *name) {
            return Err(wrong(format!(
                "number {number} has no name of its own, of letters and digits"
            )));
        }
        if key.len() < SHORTEST {
            return Err(wrong(format!(
                "the key of {name} is shorter than {SHORTEST} characters"
            )));
        }
        if !key.chars().all(|c| c.is_ascii_graphic()) {
            return Err(wrong(format!(
                "the key of {name} has a character that no header can carry: letters, digits and signs of ASCII can"
            )));
        }
        if let Some((other, _)) = keys.iter().find(|(_, known)| known == key) {
            return Err(wrong(format!("{other} and {name} have the same key")));
        }
        keys.push((Arc::from(name), key.to_owned()));
    }
    Ok(keys)
}
