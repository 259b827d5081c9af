//! Who may come in (HTTP-2): a page of a foreign site may not, by Host and Origin; without a key nobody may, where keys are set;
//! and nobody too often or too slowly. What passes carries a [`Caller`] and a request id.
//!
//! A key is looked for under all keys, each compared in constant time, so that an answer's time tells nothing about them.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State as Shared};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use subtle::ConstantTimeEq as _;

use super::metrics::Metrics;
use super::problem::Problem;
use crate::client::{ROOT, TERMINAL};
use crate::failure::Failure;
use crate::server::Project;
use crate::settings::Server;

const REQUEST_ID: &str = "x-request-id";

/// Who asks.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// Empty where no keys are set.
    pub(crate) user: Arc<str>,
    /// It is the command line of Kitbag, which shows the answer to a person.
    pub(crate) in_terminal: bool,
    /// Of the request.
    pub(crate) id: Arc<str>,
}

pub(super) struct Guard {
    keys: Vec<(Arc<str>, String)>,
    /// Names this server goes by; empty: any (it listens beyond this machine, and keys decide).
    hosts: Vec<String>,
    /// Knows the limits, which may change while it runs.
    project: Arc<Project>,
    root: PathBuf,
    /// Requests left to each user, and when that was.
    left: Mutex<BTreeMap<Arc<str>, (f64, Instant)>>,
    /// Tells the requests of one run of the server from those of another.
    run: String,
    started: Instant,
    metrics: Arc<Metrics>,
    logs: bool,
}

impl Guard {
    /// Refuses to listen beyond this machine without keys. Keys and names are those of now, limits those of each moment.
    pub(super) fn new(project: Arc<Project>, metrics: Arc<Metrics>, logs: bool) -> Result<Guard, Failure> {
        let open = project.current();
        let (engine, server) = (&open.settings.engine, &open.settings.server);
        let keys = keys(server)?;
        let is_local = is_loopback(&engine.host);
        if !is_local && keys.is_empty() {
            let message = format!(
                "{} can be reached from other machines, and no key is set",
                engine.host
            );
            return Err(Failure::wrong_use("CONFIG_ERROR", message).with_hint(
                "set KITBAG_SERVER_API_KEYS=name:key (at least 16 characters), or listen on 127.0.0.1",
            ));
        }
        let mut hosts: Vec<String> = server.allowed_hosts.clone();
        if is_local || !hosts.is_empty() {
            hosts.extend(["localhost", "127.0.0.1", "[::1]", &engine.host].map(str::to_owned));
        }
        Ok(Guard {
            keys,
            hosts,
            left: Mutex::default(),
            run: format!("{:x}", project.now().0),
            started: Instant::now(),
            metrics,
            logs,
            root: project.root().canonicalize().unwrap_or_default(),
            project,
        })
    }

    fn knows_host(&self, host: &str) -> bool {
        self.hosts.is_empty() || self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
    }

    /// The name that belongs to the key of a request; `None` if it shows none that is known.
    fn user(&self, headers: &HeaderMap) -> Option<Arc<str>> {
        if self.keys.is_empty() {
            return Some(Arc::from(""));
        }
        let shown = headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.split_once(' '))
            .and_then(|(scheme, key)| scheme.eq_ignore_ascii_case("bearer").then_some(key.trim()))
            .or_else(|| headers.get("x-api-key").and_then(|value| value.to_str().ok()))?;
        let mut found = None;
        for (name, key) in &self.keys {
            if bool::from(key.as_bytes().ct_eq(shown.as_bytes())) {
                found = Some(Arc::clone(name));
            }
        }
        found
    }

    /// A bucket that fills at the allowed rate and holds ten seconds of it.
    fn may_ask(&self, user: &Arc<str>, per_minute: u64) -> bool {
        let a_second = per_minute as f64 / 60.0;
        let most = (a_second * 10.0).max(1.0);
        let now = Instant::now();
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let (tokens, at) = left.entry(Arc::clone(user)).or_insert((most, now));
        *tokens = (*tokens + now.duration_since(*at).as_secs_f64() * a_second).min(most);
        *at = now;
        let may = *tokens >= 1.0;
        *tokens -= f64::from(u8::from(may));
        may
    }

    fn check(&self, request: &Request, limits: &Server) -> Result<Arc<str>, Problem> {
        let headers = request.headers();
        let host = headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok())
            .or_else(|| request.uri().authority().map(|authority| authority.as_str()));
        let host = host.map(without_port).unwrap_or_default();
        if !self.knows_host(host) {
            let detail = "this server does not go by the name in the Host header (server.allowed_hosts)";
            return Err(Problem::new(StatusCode::FORBIDDEN, "HOST_DENIED", detail));
        }
        if let Some(origin) = headers.get(header::ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            let of_us = origin
                .strip_prefix("http://")
                .or_else(|| origin.strip_prefix("https://"))
                .is_some_and(|rest| !self.hosts.is_empty() && self.knows_host(without_port(rest)));
            if !of_us {
                let detail = "pages of other sites may not ask";
                return Err(Problem::new(StatusCode::FORBIDDEN, "ORIGIN_DENIED", detail));
            }
        }
        let announced = headers.get(header::CONTENT_LENGTH);
        let announced = announced
            .and_then(|length| length.to_str().ok())
            .and_then(|length| length.parse::<usize>().ok());
        if announced.is_some_and(|length| length > limits.max_body_bytes) {
            return Err(Problem::too_large(limits.max_body_bytes));
        }
        // A command line of this machine says which project it means. A path that is not here is of another machine.
        let meant = headers.get(ROOT).and_then(|root| root.to_str().ok());
        let meant = meant.and_then(|root| Path::new(root).canonicalize().ok());
        if let Some(meant) = meant.filter(|meant| *meant != self.root) {
            let detail = format!("this server serves another project than {}", meant.display());
            return Err(Problem::new(StatusCode::CONFLICT, "OTHER_PROJECT", detail));
        }
        // Whether it lives may be asked by anybody who can reach it.
        if request.uri().path() == "/health" {
            return Ok(Arc::from(""));
        }
        let Some(user) = self.user(headers) else {
            let detail = "a key is needed: `Authorization: Bearer <key>` or `X-Api-Key: <key>`";
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "KEY_NEEDED", detail));
        };
        if !self.may_ask(&user, limits.requests_per_minute) {
            let detail = format!("more than {} requests a minute", limits.requests_per_minute);
            return Err(Problem::new(
                StatusCode::TOO_MANY_REQUESTS,
                "RATE_LIMITED",
                detail,
            ));
        }
        Ok(user)
    }

    /// One that the client gave, if it is harmless; else a number of ours.
    fn id(&self, headers: &HeaderMap, n_request: u64) -> Arc<str> {
        let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
        let harmless = |id: &&str| {
            (1..=64).contains(&id.len())
                && id
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        };
        match given.filter(harmless) {
            Some(id) => Arc::from(id),
            None => Arc::from(format!("{}-{n_request}", self.run)),
        }
    }
}

/// The middleware around every route.
pub(super) async fn guard(Shared(guard): Shared<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = guard.id(request.headers(), guard.metrics.begin());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let open = guard.project.current();
    let limits = &open.settings.server;
    let limit = limits.timeout;
    let mut response = match guard.check(&request, limits) {
        Err(problem) => problem.into_response(),
        Ok(user) => {
            let in_terminal = request.headers().contains_key(TERMINAL);
            request.extensions_mut().insert(Caller {
                user,
                in_terminal,
                id: Arc::clone(&id),
            });
            match arrived(request, limits).await {
                Err(problem) => problem.into_response(),
                // Streams last; the SDK keeps their time.
                Ok(request) if path == "/mcp" => next.run(request).await,
                Ok(request) => match tokio::time::timeout(limit, next.run(request)).await {
                    Ok(response) => response,
                    Err(_) => {
                        let detail = format!("not answered within {} ms", limit.as_millis());
                        Problem::new(StatusCode::GATEWAY_TIMEOUT, "TIMEOUT", detail).into_response()
                    }
                },
            }
        }
    };
    if path == "/mcp" && method == Method::DELETE && response.status() == StatusCode::ACCEPTED {
        // The SDK ends a session with a status that clients of other SDKs take for a failure.
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let took = began.elapsed();
    guard.metrics.end(&path, response.status().as_u16(), took);
    if guard.logs {
        log(&guard, &method, &path, response.status(), took, &id);
    }
    response
}

/// The request with all of its body, which must not be larger or slower than allowed.
async fn arrived(request: Request, limits: &Server) -> Result<Request, Problem> {
    let (parts, body) = request.into_parts();
    if parts.method != Method::POST {
        return Ok(Request::from_parts(parts, Body::empty()));
    }
    let arriving = to_bytes(body, limits.max_body_bytes);
    match tokio::time::timeout(limits.timeout, arriving).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(_)) => Err(Problem::too_large(limits.max_body_bytes)),
        Err(_) => {
            let detail = "the body did not arrive in time";
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "TOO_SLOW", detail))
        }
    }
}

/// Sizes, times and ids; nothing that was in a file or a question (SEC-2).
fn log(guard: &Guard, method: &Method, path: &str, status: StatusCode, took: Duration, id: &str) {
    let line = serde_json::json!({
        "at_ms": guard.started.elapsed().as_millis() as u64,
        "method": method.as_str(),
        "path": super::routes::known_path(path),
        "status": status.as_u16(),
        "ms": (took.as_secs_f64() * 1_000_000.0).round() / 1_000.0,
        "id": id,
    });
    crate::printer::talk(&format!("{line}\n"));
}

fn keys(server: &Server) -> Result<Vec<(Arc<str>, String)>, Failure> {
    let Some(all) = &server.api_keys else {
        return Ok(Vec::new());
    };
    let wrong = |what: &str| {
        let message = format!("server.api_keys: {what}; expected name:key, several with commas between them");
        Failure::wrong_use("CONFIG_ERROR", message)
    };
    let mut keys: Vec<(Arc<str>, String)> = Vec::new();
    for (idx, one) in all.reveal().split(',').enumerate() {
        let (name, key) = one
            .split_once(':')
            .ok_or_else(|| wrong(&format!("number {} has no name", idx + 1)))?;
        let is_plain = |name: &str| {
            name.chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
        };
        if name.is_empty() || !is_plain(name) || keys.iter().any(|(known, _)| **known == *name) {
            return Err(wrong(&format!(
                "number {} has no name of its own, of letters and digits",
                idx + 1
            )));
        }
        if key.len() < 16 {
            return Err(wrong(&format!("the key of {name} is shorter than 16 characters")));
        }
        keys.push((Arc::from(name), key.to_owned()));
    }
    Ok(keys)
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// `localhost:9090` → `localhost`, `[::1]:9090` → `[::1]`.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}
