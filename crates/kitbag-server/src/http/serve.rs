//! The sockets: accepts and serves connections, and lets running requests finish at the end (HTTP-2).
//!
//! hyper is used directly and not through `axum::serve`, because only this way the time for headers can be limited, and a
//! connection be ended whose place is needed (`places.rs`) or whose client does not read (`pace.rs`).

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::guard::{Guard, guard};
use super::pace::Paced;
use super::places::{MOST, Places};
use super::problem::Problem;
use super::routes::router;
use super::sessions::{Sessions, owned};
use super::state::ServerState;
use crate::mcp::Handler;
use crate::queue::Queue;
use crate::{Project, Set};
use kitbag_door::failure::Failure;

/// The time for the headers of a request, and between two requests.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// The size of a request's headers, and of what hyper reads ahead, in bytes.
const MOST_HEADERS: usize = 64 << 10;
/// The time for running requests when the server ends.
const FAREWELL: Duration = Duration::from_secs(10);
/// The idle time after which a session of the older protocol ends. Agents pause for longer than the SDK's five minutes.
const SESSION_KEPT: Duration = Duration::from_secs(1_800);
/// How long the SDK keeps an answer for a client that lost its connection.
const ANSWER_KEPT: Duration = Duration::from_secs(10);
/// The seconds without requests after which a server frees memory.
const REST_AFTER: usize = 10;
/// The clients that are told at one time that there are too many connections; further ones are cut off without a message.
const MOST_TURNED_AWAY: usize = 32;

/// Serves until SIGINT or SIGTERM. Calls `ready` with the address.
pub fn serve(
    project: &Arc<Project>,
    sets: &[Set],
    logs: bool,
    ready: impl FnOnce(&str),
) -> Result<(), Failure> {
    let open = project.current();
    let engine = &open.settings.engine;
    let state = ServerState::new(Arc::clone(project));
    let guard = Guard::new(
        Arc::clone(project),
        Arc::clone(&state.metrics),
        Arc::clone(&state.users),
        logs,
    )?;
    let guard = Arc::new(guard);
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
        .max_blocking_threads(state.queue.n_threads())
        .enable_all()
        .build()
        .map_err(|error| trouble("no threads for", error))?;
    let running = project
        .start()
        .map_err(|error| trouble("no threads for", error))?;
    let served = runtime.block_on(async {
        let ending = CancellationToken::new();
        tokio::spawn(rest_when_idle(Arc::clone(project), Arc::clone(&state.queue)));
        let app = app(state, Arc::clone(&guard), sets, &ending);
        let listener = tokio::net::TcpListener::from_std(listener)?;
        // Before the address is announced: whoever starts the server may end it at once.
        let signals = Signals::new()?;
        let host = address.0;
        let shown = if host.contains(':') {
            format!("[{host}]")
        } else {
            host.to_owned()
        };
        ready(&format!("http://{shown}:{port}"));
        accept(listener, app, &guard, project, signals, &ending).await;
        Ok(())
    });
    runtime.shutdown_timeout(FAREWELL);
    // After the last request that could have started a job.
    project.end_jobs();
    drop(running);
    served.map_err(|error| trouble("cannot serve on", error))
}

pub(super) fn app(
    state: ServerState,
    guarding: Arc<Guard>,
    sets: &[Set],
    ending: &CancellationToken,
) -> Router {
    let handler = Handler::new(Arc::clone(&state.projects), sets, Arc::clone(&state.queue));
    // Our guard checks callers and sizes for every route alike.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_max_request_body_bytes(usize::MAX)
        .with_cancellation_token(ending.child_token());
    let mut manager = LocalSessionManager::default();
    manager.session_config.keep_alive = Some(SESSION_KEPT);
    manager.session_config.completed_cache_ttl = ANSWER_KEPT;
    let manager = Arc::new(manager);
    let sessions = Arc::new(Sessions::new(Arc::clone(&manager)));
    let mcp = StreamableHttpService::new(move || Ok(handler.clone()), manager, config);
    let mcp = Router::new()
        .route_service("/mcp", mcp)
        .layer(axum::middleware::from_fn_with_state(sessions, owned));
    router(state)
        .merge(mcp)
        .layer(axum::middleware::from_fn_with_state(guarding, guard))
}

/// Closes what is kept open for the next questions when there are none. Ends with the server.
async fn rest_when_idle(project: Arc<Project>, queue: Arc<Queue>) {
    let mut second = tokio::time::interval(Duration::from_secs(1));
    let mut n_quiet = 0;
    loop {
        second.tick().await;
        n_quiet = if queue.n_under_way() == 0 { n_quiet + 1 } else { 0 };
        if n_quiet == REST_AFTER {
            project.current().engine.rest();
        }
    }
}

async fn accept(
    listener: tokio::net::TcpListener,
    app: Router,
    guard: &Guard,
    project: &Project,
    mut signals: Signals,
    ending: &CancellationToken,
) {
    let graceful = GracefulShutdown::new();
    let places = Places::new(MOST, guard.has_keys());
    let turning_away = Arc::new(Semaphore::new(MOST_TURNED_AWAY));
    let app = TowerToHyperService::new(app);
    let mut second = tokio::time::interval(Duration::from_secs(1));
    loop {
        let accepted = tokio::select! {
            () = signals.next() => break,
            _ = second.tick() => {
                guard.log.tick();
                continue;
            }
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, address)) = accepted else {
            // Out of file handles, or a client that closed before it was accepted: the others continue.
            places.give_one_up();
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let Some(place) = places.take(address.ip()) else {
            guard.log.count();
            turn_away(stream, &turning_away);
            continue;
        };
        let (app, leave, paced) = (app.clone(), place.leave.clone(), Arc::clone(&place));
        let service = service_fn(move |mut request: Request<hyper::body::Incoming>| {
            request.extensions_mut().insert(Arc::clone(&place));
            app.call(request)
        });
        let within = project.current().settings.server.timeout;
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADERS_WITHIN)
            .max_buf_size(MOST_HEADERS)
            .serve_connection(
                TokioIo::new(Paced::new(stream, within, move |is_stuck| paced.stuck(is_stuck))),
                service,
            );
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A broken connection is not an error of the server.
            tokio::select! {
                _ = connection => {}
                () = leave.cancelled() => {}
            }
        });
    }
    // The system refuses new connections from now on, so clients can go elsewhere at once.
    drop(listener);
    // Streams do not end by themselves.
    ending.cancel();
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(FAREWELL) => {}
        // A second signal ends at once.
        () = signals.next() => {}
    }
    guard.log.end();
}

/// Tells a client that all places are taken, and closes the connection. What it has sent is read first, or the system would
/// discard our answer.
fn turn_away(mut stream: TcpStream, turning_away: &Arc<Semaphore>) {
    let Ok(one) = Arc::clone(turning_away).try_acquire_owned() else {
        return;
    };
    tokio::spawn(async move {
        let _one = one;
        let farewell = async {
            stream.write_all(&full_house()).await?;
            stream.shutdown().await?;
            let mut unread = [0; 4_096];
            while stream.read(&mut unread).await? > 0 {}
            std::io::Result::Ok(())
        };
        // A client that does not read it within a second does not need it.
        let _ = tokio::time::timeout(Duration::from_secs(1), farewell).await;
    });
}

fn full_house() -> Vec<u8> {
    let problem = Problem::busy("too many connections are open");
    let body = serde_json::to_string(&problem).expect("a problem is made of strings and a number");
    format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\nretry-after: 1\r\nconnection: close\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Ctrl-C and SIGTERM. Not SIGHUP: a server that was started with `nohup` should stay.
struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    fn new() -> std::io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    #[cfg(unix)]
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    #[cfg(not(unix))]
    fn new() -> std::io::Result<Signals> {
        Ok(Signals {})
    }

    #[cfg(not(unix))]
    async fn next(&mut self) {
        // Without a console there is no Ctrl-C to wait for.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
