//! `kitbag serve`: the operations over HTTP, JSON-RPC and MCP, on one port of this machine (HTTP-1).
//!
//! A connection gets a place (`places.rs`) and must keep up (`pace.rs`); `serve.rs` owns the sockets. A request passes `guard.rs`: who
//! asks (`keys.rs`), how often (`rates.rs`), how much (`body.rs`). `routes.rs` says which path is which operation, and `queue.rs`
//! runs it on a thread that may block; it is the same one that MCP runs.

mod body;
mod guard;
mod keys;
mod log;
mod metrics;
mod openapi;
mod pace;
mod places;
mod problem;
mod queue;
mod rates;
mod routes;
mod rpc;
mod serve;
mod sessions;
mod state;

pub(crate) use guard::Caller;
pub(crate) use queue::Queue;
pub(crate) use serve::serve;
pub(crate) use state::{Gone, handed_over};
