//! The servers: projects that are kept indexed in the background, the operations on them, and the protocols. An operation is
//! written once and has one row in [`operations::OPERATIONS`]; MCP shows it as a tool, HTTP as a route and a JSON-RPC method.
//! A protocol only adds its framing.
//!
//! Everything except `http`, `mcp` and `queue` is synchronous: it runs on threads that may block, and knows no sockets.
#![expect(
    clippy::disallowed_methods,
    reason = "a door reads the clock, the environment and its own files"
)]

mod cache;
mod call;
mod caller;
pub mod http;
mod indexing;
mod lenient;
pub mod mcp;
mod operation;
mod operations;
mod overview;
mod project;
mod projects;
mod queue;
mod schema;
pub mod webhook;

pub(crate) use call::{Call, OperationReply};
pub(crate) use indexing::Steps;
pub(crate) use lenient::{BUDGET, PROJECT};
pub(crate) use operation::Operation;
pub use operation::Set;
pub(crate) use overview::overview;
pub use project::Project;
pub use projects::Projects;
pub(crate) use projects::path_of;
pub(crate) use schema::{answer, choices, lean};

/// Tells a server which project is meant, so that it does not answer about another; in an answer, which project it serves.
pub const ROOT: &str = "x-kitbag-root";
/// Tells a server that a person in a terminal reads the answer, so that it suggests commands and not requests (PACK-63).
pub const TERMINAL: &str = "x-kitbag-terminal";
