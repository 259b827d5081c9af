//! Maps paths to operations. The router, the OpenAPI document and the names in metrics come from one table.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::{Bytes, to_bytes};
use axum::extract::{Extension, Query, Request, State as Shared};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, delete, get, post};
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use super::problem::Problem;
use super::state::ServerState;
use super::{openapi, rpc};
use crate::caller::{Caller, handed_over};
use crate::operations::{arguments_of, find};
use crate::{Operation, OperationReply};

#[cfg(test)]
mod tests;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Get,
    Post,
    Delete,
}

/// A path for an operation.
pub(super) struct Route {
    pub(super) verb: Verb,
    pub(super) path: &'static str,
    pub(super) operation: &'static str,
    /// A summary, where the path suggests something else than the operation's description says.
    pub(super) says: Option<&'static str>,
}

impl Route {
    const fn says(mut self, what: &'static str) -> Route {
        self.says = Some(what);
        self
    }
}

const fn row(verb: Verb, path: &'static str, operation: &'static str) -> Route {
    Route {
        verb,
        path,
        operation,
        says: None,
    }
}

const ADD: &str = "Index this text: searches and packs of the caller find it until POST /delete_context drops it. A buffer that is not saved is \
                   named by its path. To keep a note about the project, use POST /v1/memories.";

#[rustfmt::skip]
pub(super) const ROUTES: &[Route] = &[
    row(Verb::Post, "/v1/pack", "pack"),
    row(Verb::Post, "/v1/context/build", "build_thread_context"),
    row(Verb::Post, "/v1/search", "search"),
    row(Verb::Post, "/v1/symbol", "symbol"),
    row(Verb::Post, "/v1/related", "related"),
    row(Verb::Post, "/v1/history", "history"),
    row(Verb::Post, "/v1/tests", "tests"),
    row(Verb::Get, "/stats", "get_context_stats"),
    row(Verb::Post, "/v1/refresh", "refresh_context"),
    row(Verb::Post, "/v1/rebuild", "rebuild_context"),
    row(Verb::Get, "/v1/jobs", "get_rebuild_status"),
    row(Verb::Get, "/v1/jobs/{job}", "get_rebuild_status"),
    row(Verb::Delete, "/v1/jobs/{job}", "cancel_job"),
    row(Verb::Get, "/v1/packages", "list_packages"),
    row(Verb::Post, "/v1/facts", "project_facts"),
    row(Verb::Get, "/v1/memories", "recall"),
    row(Verb::Post, "/v1/memories", "remember"),
    row(Verb::Delete, "/v1/memories/{id}", "forget"),
    row(Verb::Post, "/v1/memories/check", "check_memories"),
    row(Verb::Post, "/v1/memories/merge", "merge_memories"),
    row(Verb::Post, "/v1/memories/import", "import_memories"),
    row(Verb::Post, "/v1/memories/export", "export_memories"),
    row(Verb::Post, "/v1/context/feedback", "give_feedback"),
    row(Verb::Get, "/v1/context/feedback", "list_feedback"),
    row(Verb::Delete, "/v1/context/feedback/{id}", "undo_feedback"),
    row(Verb::Get, "/v1/threads", "list_threads"),
    row(Verb::Post, "/v1/threads", "append_to_thread"),
    row(Verb::Get, "/v1/threads/{thread}", "get_thread"),
    row(Verb::Delete, "/v1/threads/{thread}", "delete_thread"),
    row(Verb::Post, "/add_context", "add_context").says(ADD),
    row(Verb::Post, "/delete_context", "delete_context"),
    row(Verb::Post, "/query_context", "query_context"),
];

/// Paths that are not operations.
const OTHERS: &[&str] = &["/health", "/metrics", "/openapi.json", "/rpc", "/mcp"];

/// The path as in the table, so that metrics and logs contain no numbers, names or other text from outside.
pub(super) fn known_path(path: &str) -> &'static str {
    let matches = |known: &str| {
        let (known, path) = (known.split('/'), path.split('/'));
        known.clone().count() == path.clone().count()
            && known.zip(path).all(|(a, b)| a == b || a.starts_with('{'))
    };
    let of_operations = ROUTES.iter().map(|route| route.path);
    of_operations
        .chain(OTHERS.iter().copied())
        .find(|known| matches(known))
        .unwrap_or("other")
}

pub(super) fn router(state: ServerState) -> Router {
    let mut router = Router::new()
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(openapi))
        .route("/rpc", post(rpc::answer));
    for route in ROUTES {
        let operation = find(route.operation).expect("every route is an operation: there is a test");
        router = router.route(route.path, handler(route.verb, operation));
    }
    router
        .fallback(|| async {
            Problem::new(
                StatusCode::NOT_FOUND,
                "NOT_FOUND",
                "no such path; /openapi.json lists them",
            )
        })
        .method_not_allowed_fallback(|| async {
            let detail = "not with this method; /openapi.json lists them";
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", detail)
        })
        .with_state(state)
}

fn handler(verb: Verb, operation: &'static Operation) -> MethodRouter<ServerState> {
    let answer = move |Shared(state): Shared<ServerState>,
                       Extension(caller): Extension<Caller>,
                       request: Request| async move {
        answer(&state, operation, &caller, request).await
    };
    match verb {
        Verb::Get => get(answer),
        Verb::Post => post(answer),
        Verb::Delete => delete(answer),
    }
}

async fn answer(
    state: &ServerState,
    operation: &'static Operation,
    caller: &Caller,
    request: Request,
) -> Result<Response, Problem> {
    let wants_text = wants_text(request.headers());
    let mut arguments = in_query(operation, &request)?;
    arguments.extend(in_path(&request));
    if request.method() == axum::http::Method::POST {
        let given = parsed(&body(request).await?)?;
        let Value::Object(given) = given else {
            let detail = "the body must be an object";
            return Err(Problem::new(StatusCode::BAD_REQUEST, "INVALID_JSON", detail));
        };
        arguments.extend(given);
    }
    let mut done = state.perform(operation, Value::Object(arguments), caller).await?;
    handed_over(done.delivery.take().into_iter().collect()).await;
    Ok(if wants_text {
        as_text(done)
    } else {
        Json(done.data).into_response()
    })
}

/// The parameters after the `?`: lists are split at commas, the rest is text.
fn in_query(operation: &Operation, request: &Request) -> Result<Map<String, Value>, Problem> {
    let given: Query<BTreeMap<String, String>> = Query::try_from_uri(request.uri())
        .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, "INVALID_ARGUMENTS", error.to_string()))?;
    let schema = arguments_of(operation);
    let is_list = |name: &str| {
        schema
            .pointer(&format!("/properties/{name}/type"))
            .is_some_and(|kind| kind == "array")
    };
    // `lenient.rs` converts numbers and booleans, as for every door.
    let typed = |name: &str, text: String| match is_list(name) {
        true => text.split(',').map(Value::from).collect(),
        false => Value::from(text),
    };
    Ok(given
        .0
        .into_iter()
        .map(|(name, text)| {
            let value = typed(&name, text);
            (name, value)
        })
        .collect())
}

/// The values of the `{name}` parts of the path.
fn in_path(request: &Request) -> Map<String, Value> {
    let path = request.uri().path();
    let known = known_path(path);
    known
        .split('/')
        .zip(path.split('/'))
        .filter_map(|(name, value)| {
            let name = name.strip_prefix('{')?.strip_suffix('}')?;
            Some((name.to_owned(), Value::from(value)))
        })
        .collect()
}

/// The body, which the guard has read.
pub(super) async fn body(request: Request) -> Result<Bytes, Problem> {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let is_json = kind
        .and_then(|kind| kind.to_str().ok())
        .and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    if !is_json {
        let detail = "the body must be application/json";
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "NOT_JSON",
            detail,
        ));
    }
    to_bytes(request.into_body(), usize::MAX)
        .await
        .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, "INVALID_JSON", error.to_string()))
}

fn parsed(body: &[u8]) -> Result<Value, Problem> {
    // The parser limits the depth, so deep nesting is an ordinary error.
    serde_json::from_slice(body).map_err(|error| {
        let detail = format!("the body is not JSON: {error}");
        Problem::new(StatusCode::BAD_REQUEST, "INVALID_JSON", detail)
    })
}

fn wants_text(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.trim_start().starts_with("text/"))
}

fn as_text(done: OperationReply) -> Response {
    let text = match done.note {
        Some(note) => format!("{note}\n\n{}", done.text),
        None => done.text,
    };
    let mut response = text.into_response();
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/markdown; charset=utf-8"),
    );
    response
}

/// Whether the server runs, the progress of the index, and whether the index is intact. Says nothing that a stranger should
/// not know about the project.
async fn health(Shared(state): Shared<ServerState>) -> Json<Value> {
    let project = Arc::clone(&state.project);
    let is_sound = tokio::task::spawn_blocking(move || project.is_sound()).await;
    let is_sound = is_sound.unwrap_or(false);
    let steps = state.project.steps();
    let is_well = is_sound && steps.failure.is_none();
    Json(json!({
        "status": if is_well { "ok" } else { "degraded" },
        "version": env!("CARGO_PKG_VERSION"),
        "indexing": steps.phase.is_some(),
        "percent": if is_sound { steps.percent() } else { 0 },
    }))
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi::text()).into_response()
}

async fn metrics(
    Shared(state): Shared<ServerState>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, Problem> {
    let project = Arc::clone(&state.project);
    let look = move || kitbag_engine::api::index_state(&project.current().engine);
    // It opens the index, so it waits its turn like every other request.
    let index = state.queue.run(&caller.user, false, look).await?;
    let index = index.ok().flatten();
    let steps = state.project.steps();
    let of_index = |pick: fn(&kitbag_engine::api::IndexState) -> u64| index.as_ref().map_or(0, pick) as f64;
    let flag = |on: bool| f64::from(u8::from(on));
    let gauges = [
        (
            "kitbag_up_seconds",
            "Time since the start.",
            state.project.uptime().as_secs_f64(),
        ),
        (
            "kitbag_requests_under_way",
            "Requests that wait or are worked on.",
            state.queue.n_under_way() as f64,
        ),
        (
            "kitbag_index_files",
            "Files in the index.",
            of_index(|index| index.files),
        ),
        (
            "kitbag_index_chunks",
            "Chunks in the index.",
            of_index(|index| index.chunks),
        ),
        (
            "kitbag_index_complete",
            "1: the index holds every file.",
            of_index(|index| u64::from(index.complete)),
        ),
        (
            "kitbag_indexing",
            "1: indexing is under way.",
            flag(steps.phase.is_some()),
        ),
        (
            "kitbag_index_runs",
            "Index runs since the start.",
            steps.n_runs as f64,
        ),
        (
            "kitbag_configuration_refused",
            "1: the configuration is wrong, an older one is in force.",
            flag(state.project.refused().is_some()),
        ),
    ];
    let mut response = state.metrics.text(&gauges).into_response();
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8"),
    );
    Ok(response)
}
