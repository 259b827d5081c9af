//! The sockets: accept, serve, and at the end let what is under way finish (HTTP-2).
//!
//! hyper is used directly and not through `axum::serve`, because only so the time that a client may take for its headers can be
//! limited.

use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::guard::{Guard, guard};
use super::routes::router;
use super::state::State;
use crate::failure::Failure;
use crate::mcp::Handler;
use crate::server::{Project, Set};

/// A client that takes longer to say what it wants is cut off.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// Connections at a time; more wait in the system's queue.
const MOST_CONNECTIONS: usize = 1_024;
/// Sessions of the older protocol at a time.
const MOST_SESSIONS: usize = 500;
/// What is under way when the server is asked to end may take this long.
const FAREWELL: Duration = Duration::from_secs(10);
/// Threads that answer. More than cores, because some wait for the disk.
const MOST_ANSWERING: usize = 16;

/// Serves until SIGINT or SIGTERM. `ready` hears where.
pub(crate) fn serve(
    project: &Arc<Project>,
    sets: &[Set],
    logs: bool,
    ready: impl FnOnce(&str),
) -> Result<(), Failure> {
    let open = project.current();
    let engine = &open.settings.engine;
    let state = State::new(Arc::clone(project));
    let guard = Guard::new(Arc::clone(project), Arc::clone(&state.metrics), logs)?;
    let address = (engine.host.trim_matches(['[', ']']), engine.port);
    let trouble = |what: &str, error: std::io::Error| {
        let message = format!("{what} {}:{}: {error}", address.0, address.1);
        Failure::trouble("SERVER_ERROR", message).with_hint("choose another port with --port")
    };
    let listener = TcpListener::bind(address).map_err(|error| trouble("cannot listen on", error))?;
    listener
        .set_nonblocking(true)
        .map_err(|error| trouble("cannot listen on", error))?;
    let port = listener.local_addr().map_or(address.1, |address| address.port());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(MOST_ANSWERING)
        .enable_all()
        .build()
        .map_err(|error| trouble("no threads for", error))?;
    let running = project
        .start()
        .map_err(|error| trouble("no threads for", error))?;
    let served = runtime.block_on(async {
        let ending = CancellationToken::new();
        let app = app(state, guard, sets, &ending);
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let host = address.0;
        let shown = if host.contains(':') {
            format!("[{host}]")
        } else {
            host.to_owned()
        };
        ready(&format!("http://{shown}:{port}"));
        accept(&listener, app, &ending).await
    });
    runtime.shutdown_timeout(FAREWELL);
    drop(running);
    served.map_err(|error| trouble("cannot serve on", error))
}

fn app(state: State, guarding: Guard, sets: &[Set], ending: &CancellationToken) -> Router {
    let handler = Handler::new(Arc::clone(&state.projects), sets);
    // Who may ask, and how much, is our guard's to say, for every route the same.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_max_request_body_bytes(usize::MAX)
        .with_cancellation_token(ending.child_token());
    let sessions = Arc::new(LocalSessionManager::default());
    let counted = Arc::clone(&sessions);
    let admitted = move || match counted.sessions.try_read() {
        // Each holds memory until it has been silent for a while (SEC-4).
        Ok(sessions) if sessions.len() >= MOST_SESSIONS => {
            Err(std::io::Error::other("too many sessions are open"))
        }
        _ => Ok(handler.clone()),
    };
    let mcp = StreamableHttpService::new(admitted, sessions, config);
    router(state)
        .route_service("/mcp", mcp)
        .layer(axum::middleware::from_fn_with_state(Arc::new(guarding), guard))
}

async fn accept(
    listener: &tokio::net::TcpListener,
    app: Router,
    ending: &CancellationToken,
) -> std::io::Result<()> {
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut end = pin!(asked_to_end());
    loop {
        let place = Arc::clone(&places).acquire_owned();
        let stream = tokio::select! {
            () = &mut end => break,
            accepted = async { (listener.accept().await, place.await) } => accepted,
        };
        let (Ok((stream, _)), place) = stream else {
            // Out of file handles, or a client that went before it was let in: the others go on.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let service = TowerToHyperService::new(app.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADERS_WITHIN)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _place = place;
            // A connection that breaks is the client's affair.
            let _ = connection.await;
        });
    }
    // Streams have no end of their own.
    ending.cancel();
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(FAREWELL) => {}
    }
    Ok(())
}

async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
