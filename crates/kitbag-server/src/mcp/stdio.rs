//! MCP over standard input and output, for one client: the parent process. It ends when the input ends, for whatever reason,
//! so that no orphan is left (MCP-4). Standard output carries only the protocol.

use std::sync::Arc;

use rmcp::ServiceExt as _;
use rmcp::transport::stdio;

use super::Handler;
use super::lines::{Lines, MOST_BYTES};
use crate::queue::Queue;
use crate::{Projects, Set};
use kitbag_door::failure::Failure;

/// Serves until the client closes the input.
pub fn serve(projects: Projects, sets: &[Set]) -> Result<(), Failure> {
    let queue = Arc::new(Queue::new());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // Two more read and write the standard streams.
        .max_blocking_threads(queue.n_threads() + 2)
        .enable_all()
        .build()
        .map_err(|error| Failure::trouble("INTERNAL_ERROR", format!("no threads: {error}")))?;
    let projects = Arc::new(projects);
    let handler = Handler::new(Arc::clone(&projects), sets, queue);
    let served = runtime.block_on(async {
        let (input, output) = stdio();
        let transport = (Lines::new(input, MOST_BYTES), output);
        let service = handler
            .serve(transport)
            .await
            .map_err(|error| error.to_string())?;
        service.waiting().await.map_err(|error| error.to_string())
    });
    // Running work is cut off: index runs survive that, and the client is not waiting.
    runtime.shutdown_background();
    projects.close();
    match served {
        Ok(_) => Ok(()),
        // A client that closes before it sends anything is not an error.
        Err(message) if message.starts_with("connection closed") => Ok(()),
        Err(message) => Err(Failure::trouble("PROTOCOL_ERROR", message)),
    }
}
