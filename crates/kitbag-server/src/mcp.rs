//! MCP: the operations as tools, over standard input and output or HTTP, in both eras of the protocol.
//!
//! The official SDK speaks the protocol: `initialize` and `server/discover`, sessions and stateless requests, framing,
//! cancelling. What is ours is the list of tools, resources and prompts, and that a hand-shake waits for nothing: no file is
//! read before the first question.

mod handler;
mod lines;
mod prompts;
mod resources;
mod roots;
mod stdio;

pub(crate) use handler::Handler;
pub use stdio::serve;
