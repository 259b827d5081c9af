//! What every request shares, and how an operation is run for one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kitbag_engine::Delivery;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::guard::Caller;
use super::metrics::Metrics;
use crate::failure::Failure;
use crate::server::{Asked, Done, Operation, Project, Projects};

/// Requests that may wait for a thread; more are told to come back.
const MOST_WAITING: usize = 512;

#[derive(Clone)]
pub(super) struct State {
    pub(super) project: Arc<Project>,
    pub(super) projects: Arc<Projects>,
    pub(super) metrics: Arc<Metrics>,
    places: Arc<Semaphore>,
}

/// Told to a running operation when its asker is gone: dropped with the request.
struct Gone(Arc<AtomicBool>);

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
            places: Arc::new(Semaphore::new(MOST_WAITING)),
        }
    }

    /// Runs an operation on a thread that may block.
    pub(super) async fn perform(
        &self,
        operation: &'static Operation,
        arguments: Value,
        caller: &Caller,
    ) -> Result<Done, Failure> {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return Err(
                Failure::trouble("BUSY", "too many requests are waiting").with_hint("try again in a second")
            );
        };
        let (state, caller) = (self.clone(), caller.clone());
        let gone = Gone(Arc::default());
        let stop = Arc::clone(&gone.0);
        let work = move || {
            let _place = place;
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
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|error| Err(Failure::trouble("INTERNAL_ERROR", error.to_string())))
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
