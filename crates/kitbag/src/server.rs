//! What the servers (MCP, HTTP) share: projects that are kept indexed in the background, and the operations that can be
//! asked of them. An operation is written once, here, and has one row in [`operations::OPERATIONS`]; MCP shows it as a tool, HTTP as a
//! route and a JSON-RPC method. A server adds its protocol and nothing else.
//!
//! Everything here is synchronous: it runs on threads that may block, and knows nothing of sockets.

mod cache;
mod given;
mod indexing;
mod operation;
pub(crate) mod operations;
mod overview;
mod project;
mod projects;
mod schema;

pub(crate) use given::BUDGET;
pub(crate) use indexing::Steps;
pub(crate) use operation::{Asked, Done, Operation, Set};
pub(crate) use overview::overview;
pub(crate) use project::Project;
pub(crate) use projects::{PROJECT, Projects, path_of};
pub(crate) use schema::{choices, languages, lean};
