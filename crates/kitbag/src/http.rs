//! `kitbag serve`: the operations over HTTP, JSON-RPC and MCP, on one port of this machine (HTTP-1).
//!
//! `routes.rs` says which path is which operation; `guard.rs` lets a request through or not (who, from where, how much, how
//! often); `serve.rs` owns the sockets. An operation runs on a thread that may block and is the same one that MCP runs.

mod guard;
mod metrics;
mod openapi;
mod problem;
mod routes;
mod rpc;
mod serve;
mod state;

pub(crate) use guard::Caller;
pub(crate) use serve::serve;
pub(crate) use state::handed_over;
