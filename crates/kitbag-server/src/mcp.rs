//! MCP: the operations as tools, over standard input and output or HTTP, in both versions of the protocol.
//!
//! The official SDK implements the protocol: `initialize` and `server/discover`, sessions and stateless requests, framing,
//! cancelling. Ours are the lists of tools, resources and prompts. The handshake waits for nothing: no file is read before
//! the first question.

mod handler;
mod lines;
mod prompts;
mod resources;
mod roots;
mod stdio;

pub(crate) use handler::Handler;
pub use stdio::serve;
