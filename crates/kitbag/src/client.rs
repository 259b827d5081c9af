//! The other end of `kitbag serve`: the command line asks a server instead of the engine in its own process (HTTP-3).
//!
//! Which of the two answers is a setting (`engine.mode`) or `--server`. What did not get through is sent again a few times; what
//! the server refuses is told with its own code and hint, as if it had happened here.

#[cfg(test)]
mod tests;

use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::Agent;

use kitbag_door::failure::{Exit, Failure};
use kitbag_door::settings::{Engine, Mode};
use kitbag_server::{ROOT, TERMINAL};

/// No honest answer is larger (SEC-4).
const MAX_ANSWER_BYTES: u64 = 64 << 20;
/// Before the first repetition; doubles with each.
const PAUSE: Duration = Duration::from_millis(100);

/// Asks whoever is to answer: `here`, or the server at `path` with the same request. In hybrid mode the other one is asked if the first
/// has trouble (not if the question is wrong: it would be wrong there too). If nobody can answer and fallbacks are allowed,
/// `nothing` is the answer. The same if the master switch is off: nobody is asked then.
pub(crate) fn answered<T: DeserializeOwned, R: Serialize>(
    engine: &Engine,
    here: impl FnOnce() -> Result<T, Failure>,
    (root, path, request): (&Path, &str, &R),
    nothing: impl FnOnce(&Failure) -> Option<T>,
) -> Result<T, Failure> {
    if !engine.enabled {
        let failure = Failure::switched_off();
        return or_nothing(engine, failure, nothing);
    }
    // The server compares it with its own and looks nothing up, so it is told the one name that the system gives it.
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let root = root
        .to_str()
        .filter(|root| root.chars().all(|c| c.is_ascii_graphic() || c == ' '));
    let ask = || {
        let body = serde_json::to_value(request).expect("requests are made of strings and numbers");
        ask(engine, root, path, &body)
    };
    let answer = match engine.mode {
        // A project that cannot be indexed here is an error here: an empty answer would hide it.
        Mode::Embedded => return here(),
        Mode::Standalone => ask(),
        Mode::Hybrid => match here() {
            Err(failure) if has_trouble(&failure) => ask().map_err(|other| Failure {
                message: format!(
                    "{}; nor can the server answer: {}",
                    failure.message, other.message
                ),
                ..failure
            }),
            done => done,
        },
    };
    match answer {
        Err(failure) if has_trouble(&failure) => or_nothing(engine, failure, nothing),
        other => other,
    }
}

/// The failure, or an empty answer if fallbacks are allowed.
fn or_nothing<T>(
    engine: &Engine,
    failure: Failure,
    nothing: impl FnOnce(&Failure) -> Option<T>,
) -> Result<T, Failure> {
    let fallback = engine.fallback_enabled.then(|| nothing(&failure)).flatten();
    fallback.ok_or(failure)
}

fn has_trouble(failure: &Failure) -> bool {
    failure.exit == Exit::Trouble
}

fn ask<T: DeserializeOwned>(
    engine: &Engine,
    root: Option<&str>,
    path: &str,
    body: &Value,
) -> Result<T, Failure> {
    let url = format!("{}{path}", engine.url().trim_end_matches('/'));
    let agent: Agent = Agent::config_builder()
        .timeout_global(Some(engine.timeout))
        .http_status_as_error(false)
        // A server that sends us elsewhere would be sent the question, and the key with it.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .build()
        .into();
    let mut pause = PAUSE;
    let mut n_left = engine.retry_attempts;
    let mut root = root;
    loop {
        match exchange(&agent, engine, root, &url, body) {
            // The same project has another path on another machine.
            Err(Trouble::OtherRoot(other, _)) if root.is_some() && !Path::new(&other).exists() => root = None,
            Err(Trouble::OtherRoot(_, failure)) => return Err(failure),
            Err(Trouble::Passing(_)) if n_left > 0 => {
                n_left -= 1;
                std::thread::sleep(pause);
                pause *= 2;
            }
            Err(Trouble::Passing(failure) | Trouble::Lasting(failure)) => return Err(failure),
            Ok(text) => {
                return serde_json::from_str(&text).map_err(|error| {
                    let message = format!("{url} answered with something else than expected: {error}");
                    Failure::trouble("SERVER_ERROR", message)
                        .with_hint("is it a Kitbag server, of the same version as this one?")
                });
            }
        }
    }
}

/// Whether it is worth another try.
enum Trouble {
    Passing(Failure),
    Lasting(Failure),
    /// It serves the project with this root.
    OtherRoot(String, Failure),
}

fn exchange(
    agent: &Agent,
    engine: &Engine,
    root: Option<&str>,
    url: &str,
    body: &Value,
) -> Result<String, Trouble> {
    let unreachable = |what: String| {
        let message = format!("no answer from {url}: {what}");
        Trouble::Passing(Failure::trouble("SERVER_ERROR", message).with_hint("start it with `kitbag serve`"))
    };
    let mut request = agent
        .post(url)
        .header("content-type", "application/json")
        .header(TERMINAL, "1");
    if let Some(root) = root {
        request = request.header(ROOT, root);
    }
    if let Some(key) = &engine.api_key {
        request = request.header("authorization", &format!("Bearer {}", key.reveal()));
    }
    let mut response = request
        .send(body.to_string())
        .map_err(|error| unreachable(error.to_string()))?;
    let status = response.status().as_u16();
    let other_root = response.headers().get(ROOT).and_then(|root| root.to_str().ok());
    let other_root = other_root.filter(|_| status == 409).map(str::to_owned);
    let text = response
        .body_mut()
        .with_config()
        .limit(MAX_ANSWER_BYTES)
        .read_to_string()
        .map_err(|error| unreachable(error.to_string()))?;
    if let Some(other) = other_root {
        return Err(Trouble::OtherRoot(other, refused(url, status, &text)));
    }
    match status {
        200 => Ok(text),
        429 | 503 | 504 => Err(Trouble::Passing(refused(url, status, &text))),
        _ => Err(Trouble::Lasting(refused(url, status, &text))),
    }
}

/// A problem of the server's, as a failure of ours.
fn refused(url: &str, status: u16, text: &str) -> Failure {
    let problem: Value = serde_json::from_str(text).unwrap_or_default();
    let told = |key: &str| problem.get(key).and_then(Value::as_str);
    let Some(detail) = told("detail") else {
        return Failure::trouble("SERVER_ERROR", format!("{url} answered with status {status}"));
    };
    let code = told("code").unwrap_or_default();
    let failure = match status {
        401 => Failure::trouble("KEY_NEEDED", format!("{url}: {detail}"))
            .with_hint("set KITBAG_ENGINE_API_KEY to a key that the server knows"),
        400..=499 if status != 429 => Failure::wrong_use("SERVER_REFUSED", format!("{detail} ({code})")),
        _ => Failure::trouble("SERVER_ERROR", format!("{url}: {detail} ({code})")),
    };
    match told("hint") {
        Some(hint) => failure.with_hint(hint),
        None => failure,
    }
}
