//! Decides which requests are accepted (HTTP-2). Pages of foreign sites are refused by Host and Origin, requests without a
//! key where keys are set, and users who ask too often. An accepted request carries a [`Caller`], a request id and its whole
//! body.
//!
//! Refused requests are limited too: each address has a rate for them and for `/health`, which needs no key. Before the key
//! is checked, nothing in a request is looked up on the disk or repeated in an answer.

#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State as Shared};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use hyper::body::{Frame, SizeHint};
use serde_json::json;

use super::body::Bodies;
use super::keys::Keys;
use super::log::Log;
use super::metrics::Metrics;
use super::places::{Answering, Place};
use super::problem::Problem;
use super::rates::{RateLimit, Rates};
use crate::Project;
use crate::caller::Caller;
use crate::{ROOT, TERMINAL};
use kitbag_door::failure::Failure;
use kitbag_door::settings::Server;

const REQUEST_ID: &str = "x-request-id";
const HEALTH: &str = "/health";

/// The rate per address of requests that are refused or need no key.
const STRANGERS: RateLimit = RateLimit {
    per_second: 60.0,
    at_once: 600.0,
};

pub(super) struct Guard {
    keys: Keys,
    /// Host names of this server. Empty means any: it listens beyond this machine, and keys decide.
    hosts: Vec<String>,
    /// Has the limits, which may change while the server runs.
    project: Arc<Project>,
    /// The root as it was given, and in its canonical form.
    roots: [PathBuf; 2],
    users: Arc<Rates<Arc<str>>>,
    strangers: Rates<IpAddr>,
    bodies: Bodies,
    /// Distinguishes the requests of this run of the server from those of another.
    run: String,
    metrics: Arc<Metrics>,
    pub(super) log: Log,
}

/// The sender of a request, as far as it is known.
enum Visitor {
    /// For routes that need no key.
    Anybody,
    Known(Arc<str>),
}

impl Guard {
    /// Fails if it would listen beyond this machine without keys. Keys and host names are read now, limits at each request.
    pub(super) fn new(
        project: Arc<Project>,
        metrics: Arc<Metrics>,
        users: Arc<Rates<Arc<str>>>,
        logs: bool,
    ) -> Result<Guard, Failure> {
        let open = project.current();
        let (engine, server) = (&open.settings.engine, &open.settings.server);
        let keys = Keys::new(server)?;
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
        let named = project.root().to_owned();
        let roots = [named.canonicalize().unwrap_or_else(|_| named.clone()), named];
        Ok(Guard {
            keys,
            hosts,
            users,
            strangers: Rates::default(),
            bodies: Bodies::default(),
            run: format!("{:x}", project.now().0),
            metrics,
            log: Log::new(logs),
            roots,
            project,
        })
    }

    pub(super) fn has_keys(&self) -> bool {
        !self.keys.is_empty()
    }

    fn knows_host(&self, host: &str) -> bool {
        self.hosts.is_empty() || self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
    }

    /// Identifies the sender by the headers.
    fn visitor(&self, request: &Request) -> Result<Visitor, Problem> {
        let headers = request.headers();
        let host = headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok())
            .or_else(|| request.uri().authority().map(|authority| authority.as_str()));
        let host = host.map(without_port).unwrap_or_default();
        if !self.knows_host(host) {
            let detail = "the name in the Host header is not a name of this server (server.allowed_hosts)";
            return Err(Problem::new(StatusCode::FORBIDDEN, "HOST_DENIED", detail));
        }
        if let Some(origin) = headers.get(header::ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            let of_us = origin
                .strip_prefix("http://")
                .or_else(|| origin.strip_prefix("https://"))
                .is_some_and(|rest| !self.hosts.is_empty() && self.knows_host(without_port(rest)));
            if !of_us {
                let detail = "requests from pages of other sites are refused";
                return Err(Problem::new(StatusCode::FORBIDDEN, "ORIGIN_DENIED", detail));
            }
        }
        if request.uri().path() == HEALTH {
            return Ok(Visitor::Anybody);
        }
        self.keys.user(headers).map(Visitor::Known).ok_or_else(|| {
            let detail = "a key is needed: `Authorization: Bearer <key>` or `X-Api-Key: <key>`";
            Problem::new(StatusCode::UNAUTHORIZED, "KEY_NEEDED", detail)
        })
    }

    /// Whether a known user may ask this now.
    fn may_ask(&self, user: &Arc<str>, headers: &HeaderMap, limits: &Server) -> Result<(), Problem> {
        let allowed = RateLimit::per_minute(limits.requests_per_minute);
        if !self.users.take(user, allowed, 1, Instant::now()) {
            let detail = format!("more than {} requests per minute", limits.requests_per_minute);
            return Err(Problem::rate_limited(detail));
        }
        // A command line names its project. It is compared as text: a path in a request is never looked up.
        let meant = headers.get(ROOT).and_then(|root| root.to_str().ok());
        if meant.is_some_and(|meant| !self.roots.iter().any(|root| root == Path::new(meant))) {
            let detail =
                "this server serves another project; the header x-kitbag-root of this answer says which";
            return Err(Problem::new(StatusCode::CONFLICT, "OTHER_PROJECT", detail));
        }
        Ok(())
    }

    /// The answer to a refused request. A sender that is refused too often gets only that, and must connect again.
    fn refused(&self, problem: Problem, from: IpAddr) -> Response {
        if self.strangers.take(&from, STRANGERS, 1, Instant::now()) {
            let is_other = problem.code() == "OTHER_PROJECT";
            let mut response = problem.into_response();
            let root = self.roots[0]
                .to_str()
                .and_then(|root| HeaderValue::from_str(root).ok());
            if let Some(root) = root.filter(|_| is_other) {
                response.headers_mut().insert(ROOT, root);
            }
            return response;
        }
        let mut response =
            Problem::rate_limited("too many requests of this address were refused").into_response();
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
        response
    }

    /// The client's id if it is harmless, else a number.
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

    /// The answer to a request, and whether its sender is known.
    async fn answer(&self, request: Request, next: Next, id: &Arc<str>, limits: &Server) -> (Response, bool) {
        let place = request.extensions().get::<Arc<Place>>().cloned();
        let from = place
            .as_ref()
            .map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |place| place.from);
        let user = match self.visitor(&request) {
            Err(problem) => return (self.refused(problem, from), false),
            Ok(Visitor::Anybody) => {
                if !self.strangers.take(&from, STRANGERS, 1, Instant::now()) {
                    let problem = Problem::rate_limited("too many requests of this address without a key");
                    return (problem.into_response(), false);
                }
                // Without a key, the body is not read.
                let request = Request::from_parts(request.into_parts().0, Body::empty());
                return (next.run(request).await, false);
            }
            Ok(Visitor::Known(user)) => user,
        };
        if let Some(place) = &place {
            place.is_known();
        }
        if let Err(problem) = self.may_ask(&user, request.headers(), limits) {
            return (self.refused(problem, from), false);
        }
        (self.let_in(request, next, user, id, limits).await, true)
    }

    async fn let_in(
        &self,
        request: Request,
        next: Next,
        user: Arc<str>,
        id: &Arc<str>,
        limits: &Server,
    ) -> Response {
        let (mut parts, body) = request.into_parts();
        let place = parts.extensions.get::<Arc<Place>>().cloned();
        parts.extensions.insert(Caller {
            user,
            in_terminal: parts.headers.contains_key(TERMINAL),
            id: Arc::clone(id),
        });
        let (body, _room) = match parts.method {
            Method::POST => match self.bodies.arrived(&parts.headers, body, limits).await {
                Ok((bytes, room)) => (Body::from(bytes), Some(room)),
                Err(problem) => return problem.into_response(),
            },
            _ => (Body::empty(), None),
        };
        let answering = place.map(|place| place.begin());
        // Streams have no time limit here; the SDK has one.
        let lasts = parts.uri.path() == "/mcp";
        let answer = next.run(Request::from_parts(parts, body));
        let limit = limits.timeout;
        let response = if lasts {
            answer.await
        } else {
            tokio::time::timeout(limit, answer).await.unwrap_or_else(|_| {
                let detail = format!("not answered within {} ms", limit.as_millis());
                Problem::new(StatusCode::GATEWAY_TIMEOUT, "TIMEOUT", detail).into_response()
            })
        };
        response.map(|body| {
            Body::new(TrackedBody {
                body,
                _answering: answering,
            })
        })
    }
}

/// The middleware around every route.
pub(super) async fn guard(Shared(guard): Shared<Arc<Guard>>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = guard.id(request.headers(), guard.metrics.begin());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let open = guard.project.current();
    let (mut response, is_known) = guard.answer(request, next, &id, &open.settings.server).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let took = began.elapsed();
    guard.metrics.end(&path, response.status().as_u16(), took);
    let line = json!({
        "method": method.as_str(),
        "path": super::routes::known_path(&path),
        "status": response.status().as_u16(),
        "ms": (took.as_secs_f64() * 1_000_000.0).round() / 1_000.0,
        "id": &*id,
    });
    match is_known {
        true => guard.log.write(line),
        false => guard.log.write_of_stranger(line),
    }
    response
}

/// An answer that is being sent: until the client has read it, its connection counts as being answered.
struct TrackedBody {
    body: Body,
    _answering: Option<Answering>,
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
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
