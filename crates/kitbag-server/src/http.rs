//! `kitbag serve`: the operations over HTTP, JSON-RPC and MCP, on one port (HTTP-1).
//!
//! A connection gets a place (`places.rs`) and its client must read fast enough (`pace.rs`); `serve.rs` owns the sockets.
//! `guard.rs` checks each request: who asks (`keys.rs`), how often (`rates.rs`), how much (`body.rs`). `routes.rs` maps paths
//! to operations, and [`crate::queue`] runs them on threads that may block, as it does for MCP.

mod body;
mod guard;
mod keys;
mod log;
mod metrics;
mod openapi;
mod pace;
mod places;
mod problem;
mod rates;
mod routes;
mod rpc;
mod serve;
mod sessions;
mod state;

pub use serve::serve;
