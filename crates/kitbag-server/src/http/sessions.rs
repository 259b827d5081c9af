//! The owners of MCP sessions (SEC-5): a session belongs to the user who opened it, and does not exist for others.
//!
//! The SDK keeps sessions and knows no users, so their owners are kept here, and every request that names a session is
//! checked before the SDK sees it. The number of sessions per user is checked after the SDK has opened one, because only the
//! SDK knows which request opens a session.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Extension, Request, State as Shared};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::sync::Mutex;

use super::problem::Problem;
use crate::caller::Caller;

pub(super) const HEADER: &str = "mcp-session-id";

/// The most sessions, of all and per user. Each holds memory until it has been idle for a while (SEC-4).
pub(super) const MOST: usize = 500;
pub(super) const MOST_OF_USER: usize = 100;

pub(super) struct Sessions {
    manager: Arc<LocalSessionManager>,
    owners: Mutex<BTreeMap<String, Arc<str>>>,
}

impl Sessions {
    pub(super) fn new(manager: Arc<LocalSessionManager>) -> Sessions {
        Sessions {
            manager,
            owners: Mutex::default(),
        }
    }

    async fn belongs_to(&self, id: &str, user: &str) -> bool {
        let owners = self.owners.lock().await;
        owners.get(id).is_some_and(|owner| **owner == *user)
    }

    /// Records the owner of a new session, or ends the session.
    async fn admit(&self, id: &str, user: &Arc<str>) -> Result<(), Problem> {
        let mut owners = self.owners.lock().await;
        let live = self.manager.sessions.read().await;
        owners.retain(|id, _| live.contains_key(id.as_str()));
        drop(live);
        let n_of_user = owners.values().filter(|owner| *owner == user).count();
        let problem = match (owners.len() >= MOST, n_of_user >= MOST_OF_USER) {
            (false, false) => {
                owners.insert(id.to_owned(), Arc::clone(user));
                return Ok(());
            }
            (_, true) => Problem::new(
                StatusCode::TOO_MANY_REQUESTS,
                "TOO_MANY_SESSIONS",
                format!("{MOST_OF_USER} of your sessions are open; end one with DELETE"),
            ),
            (true, false) => Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "TOO_MANY_SESSIONS",
                "too many sessions are open; try again later",
            ),
        };
        drop(owners);
        // If closing fails, the session is already closed.
        let _ = self.manager.close_session(&id.into()).await;
        Err(problem)
    }
}

/// The middleware around `/mcp`.
pub(super) async fn owned(
    Shared(sessions): Shared<Arc<Sessions>>,
    Extension(caller): Extension<Caller>,
    request: Request,
    next: Next,
) -> Response {
    let is_delete = request.method() == Method::DELETE;
    let named = request.headers().get(HEADER);
    let named = named.map(|id| id.to_str().unwrap_or_default().to_owned());
    if let Some(id) = &named
        && !sessions.belongs_to(id, &caller.user).await
    {
        let detail = "there is no such session; open one with `initialize`";
        return Problem::new(StatusCode::NOT_FOUND, "SESSION_NOT_FOUND", detail).into_response();
    }
    let mut response = next.run(request).await;
    if is_delete && response.status() == StatusCode::ACCEPTED {
        // The SDK ends a session with a status that clients of other SDKs treat as a failure.
        *response.status_mut() = StatusCode::NO_CONTENT;
        sessions
            .owners
            .lock()
            .await
            .remove(named.as_deref().unwrap_or_default());
    }
    let opened = response.headers().get(HEADER).filter(|_| named.is_none());
    if let Some(id) = opened.and_then(|id| id.to_str().ok().map(str::to_owned))
        && let Err(problem) = sessions.admit(&id, &caller.user).await
    {
        return problem.into_response();
    }
    response
}
