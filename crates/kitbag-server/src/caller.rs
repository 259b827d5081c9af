//! The caller of a request: who it is, and how the delivery of its answer is recorded.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kitbag_engine::Delivery;

/// The caller of a request.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// Empty where no keys are set.
    pub(crate) user: Arc<str>,
    /// Whether it is the command line of Kitbag, which shows the answer to a person.
    pub(crate) in_terminal: bool,
    /// The id of the request.
    pub(crate) id: Arc<str>,
}

/// Dropped with the request: tells a running operation that its caller is gone.
#[derive(Default)]
pub(crate) struct CallerGone(pub(crate) Arc<AtomicBool>);

impl Drop for CallerGone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Records that the answer was sent: what it shows counts as shown to its session (ENG-40). To be awaited last. If the client
/// has gone or its time is up, the request is dropped before this runs.
pub(crate) async fn handed_over(deliveries: Vec<Delivery>) {
    if !deliveries.is_empty() {
        // What cannot be recorded is sent again later.
        let write = move || deliveries.iter().for_each(|one| drop(one.confirm()));
        let _ = tokio::task::spawn_blocking(write).await;
    }
}
