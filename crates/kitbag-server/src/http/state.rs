//! What all requests share, and how an operation is run for one.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::Value;

use super::metrics::Metrics;
use super::rates::Rates;
use crate::caller::{Caller, CallerGone};
use crate::operations::waits;
use crate::queue::Queue;
use crate::{Call, Operation, OperationReply, Project, Projects};
use kitbag_door::failure::Failure;

#[derive(Clone)]
pub(super) struct ServerState {
    pub(super) project: Arc<Project>,
    pub(super) projects: Arc<Projects>,
    pub(super) metrics: Arc<Metrics>,
    /// The rates of users.
    pub(super) users: Arc<Rates<Arc<str>>>,
    /// Shared with MCP.
    pub(super) queue: Arc<Queue>,
}

impl ServerState {
    pub(super) fn new(project: Arc<Project>) -> ServerState {
        ServerState {
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
    ) -> Result<OperationReply, Failure> {
        let (state, user, caller) = (self.clone(), Arc::clone(&caller.user), caller.clone());
        let gone = CallerGone::default();
        let stop = Arc::clone(&gone.0);
        let work = move || {
            let asked = Call {
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
