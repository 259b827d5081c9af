//! What every request shares, and how an operation is run for one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kitbag_engine::Delivery;
use serde_json::Value;

use super::guard::Caller;
use super::metrics::Metrics;
use super::queue::Queue;
use super::rates::Rates;
use crate::failure::Failure;
use crate::server::operations::waits;
use crate::server::{Asked, Done, Operation, Project, Projects};

#[derive(Clone)]
pub(super) struct State {
    pub(super) project: Arc<Project>,
    pub(super) projects: Arc<Projects>,
    pub(super) metrics: Arc<Metrics>,
    /// How often users ask.
    pub(super) users: Arc<Rates<Arc<str>>>,
    /// MCP stands in the same one.
    pub(super) queue: Arc<Queue>,
}

/// Told to a running operation when its asker is gone: dropped with the request.
#[derive(Default)]
pub(crate) struct Gone(pub(crate) Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl State {
    pub(super) fn new(project: Arc<Project>) -> State {
        State {
            projects: Arc::new(Projects::only(Arc::clone(&project))),
            project,
            metrics: Arc::default(),
            users: Arc::default(),
            queue: Arc::new(Queue::new()),
        }
    }

    /// Runs an operation on a thread that may block, when its turn comes.
    pub(super) async fn perform(
        &self,
        operation: &'static Operation,
        arguments: Value,
        caller: &Caller,
    ) -> Result<Done, Failure> {
        let (state, user, caller) = (self.clone(), Arc::clone(&caller.user), caller.clone());
        let gone = Gone::default();
        let stop = Arc::clone(&gone.0);
        let work = move || {
            let asked = Asked {
                door: "http",
                in_terminal: caller.in_terminal,
                project: None,
                user: &caller.user,
                id: &caller.id,
                now: state.project.now(),
                tell: &|_| {},
                stop: &|| stop.load(Ordering::Relaxed),
            };
            state.projects.answer(operation, arguments, &[], &asked)
        };
        self.queue.run(&user, waits(operation), work).await?
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
