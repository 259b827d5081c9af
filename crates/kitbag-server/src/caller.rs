//! Whoever asks over a protocol: who it is, and the moment when an answer has left for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kitbag_engine::Delivery;

/// Who asks.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// Empty where no keys are set.
    pub(crate) user: Arc<str>,
    /// It is the command line of Kitbag, which shows the answer to a person.
    pub(crate) in_terminal: bool,
    /// Of the request.
    pub(crate) id: Arc<str>,
}

/// Told to a running operation when its asker is gone: dropped with the request.
#[derive(Default)]
pub(crate) struct CallerGone(pub(crate) Arc<AtomicBool>);

impl Drop for CallerGone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The answer goes out: what it shows counts as shown to its session (ENG-40). To be awaited last of all. A client that has gone,
/// or whose time is up, drops the request, and this with it.
pub(crate) async fn handed_over(deliveries: Vec<Delivery>) {
    if !deliveries.is_empty() {
        // What cannot be written down is sent again later.
        let write = move || deliveries.iter().for_each(|one| drop(one.confirm()));
        let _ = tokio::task::spawn_blocking(write).await;
    }
}
