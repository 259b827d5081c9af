//! JSON-RPC 2.0 at `/rpc`: every operation is a method of the same name, with its arguments as named parameters. Batches are
//! answered in order, and each of their calls counts as a request. An error has the code of every other door (ERR-1) in
//! `data`.

use axum::Json;
use axum::extract::{Extension, Request, State as Shared};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use kitbag_engine::Delivery;
use serde_json::{Value, json};

use super::problem::Problem;
use super::routes::body;
use super::state::ServerState;
use crate::caller::{Caller, handed_over};
use crate::operations::find;
use kitbag_door::failure::Failure;

/// The most calls per batch (SEC-4).
const MOST_CALLS: usize = 50;

pub(super) async fn answer(
    Shared(state): Shared<ServerState>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, Problem> {
    let body = body(request).await?;
    let Ok(call) = serde_json::from_slice::<Value>(&body) else {
        return Ok(Json(error(Value::Null, -32700, "not JSON", None)).into_response());
    };
    let Value::Array(calls) = call else {
        let mut shown = Vec::new();
        let reply = one(&state, &caller, call, &mut shown).await;
        handed_over(shown).await;
        return Ok(replied(reply));
    };
    if calls.is_empty() || calls.len() > MOST_CALLS {
        let message = format!("a batch has 1 to {MOST_CALLS} calls");
        return Ok(Json(error(Value::Null, -32600, &message, None)).into_response());
    }
    // The guard has already counted one request.
    state.users.charge(&caller.user, calls.len() - 1);
    let (mut replies, mut shown) = (Vec::new(), Vec::new());
    for call in calls {
        replies.extend(one(&state, &caller, call, &mut shown).await);
    }
    handed_over(shown).await;
    Ok(replied((!replies.is_empty()).then_some(Value::Array(replies))))
}

/// Notifications have no reply.
fn replied(reply: Option<Value>) -> Response {
    match reply {
        Some(reply) => Json(reply).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    }
}

/// The reply to a call, if it wants one. Adds what it shows to a session to `shown`.
async fn one(
    state: &ServerState,
    caller: &Caller,
    call: Value,
    shown_to: &mut Vec<Delivery>,
) -> Option<Value> {
    let id = call.get("id").cloned();
    let shown = id.clone().unwrap_or(Value::Null);
    let method = call.get("method").and_then(Value::as_str);
    let id_is_right = matches!(
        &id,
        None | Some(Value::Null | Value::String(_) | Value::Number(_))
    );
    let (Some(method), Some("2.0"), true) =
        (method, call.get("jsonrpc").and_then(Value::as_str), id_is_right)
    else {
        let message = "expected {\"jsonrpc\": \"2.0\", \"method\": …, \"params\": {…}, \"id\": …}";
        return Some(error(Value::Null, -32600, message, None));
    };
    let reply = match find(method) {
        None => error(shown, -32601, &format!("no method `{method}`"), None),
        Some(operation) => {
            let params = call.get("params").cloned().unwrap_or(Value::Null);
            match state.perform(operation, params, caller).await {
                Ok(done) => {
                    // A notification has no reply, so it shows nothing.
                    shown_to.extend(done.delivery.filter(|_| id.is_some()));
                    json!({"jsonrpc": "2.0", "id": shown, "result": done.data})
                }
                Err(failure) => refused(shown, &failure),
            }
        }
    };
    id.map(|_| reply)
}

fn refused(id: Value, failure: &Failure) -> Value {
    let code = match failure.code {
        "INTERNAL_ERROR" => -32603,
        code if code.starts_with("INVALID_") => -32602,
        _ => -32000,
    };
    error(id, code, &failure.message, Some(failure))
}

fn error(id: Value, code: i32, message: &str, failure: Option<&Failure>) -> Value {
    let mut error = json!({"code": code, "message": message});
    if let Some(failure) = failure {
        error["data"] = json!({"code": failure.code, "hint": failure.hint});
    }
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}
