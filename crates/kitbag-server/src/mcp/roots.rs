//! The roots of a client: the folders it has open (MCP-7). They are requested once, when the first call needs them, and again
//! after the client says that they have changed. Before the protocol of July 2026 a server sends a request of its own; since
//! then it answers the call with the question, and the client repeats the call with the answer.

#![expect(
    deprecated,
    reason = "roots are deprecated by SEP-2577, and the clients in use still have them"
)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, InputRequest, InputRequiredResult, ListRootsRequest,
    ListRootsResult, ProtocolVersion,
};
use rmcp::service::{Peer, RequestContext};
use tokio::sync::Mutex;

use crate::path_of;

/// If a client that declares roots does not send them within this time, it has none.
const PATIENCE: Duration = Duration::from_secs(2);
/// The key of the question in an answer.
const QUESTION: &str = "roots";

#[derive(Default)]
pub(super) struct Roots(Mutex<Option<Vec<PathBuf>>>);

/// The roots when a call comes in.
pub(super) enum KnownRoots {
    Roots(Vec<PathBuf>),
    /// This answer must ask the client for them.
    Ask(InputRequiredResult),
}

impl Roots {
    /// The roots for a call. Waits for the client if it has not sent them yet.
    pub(super) async fn of_call(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> KnownRoots {
        let has = context.client_capabilities().is_some_and(|can| has_roots(&can));
        let is_modern = context
            .protocol_version()
            .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        if !(has && is_modern) {
            return KnownRoots::Roots(self.of_peer(&context.peer).await);
        }
        let mut known = self.0.lock().await;
        if let Some(told) = request
            .input_responses
            .as_ref()
            .and_then(|told| told.get(QUESTION))
        {
            let told = serde_json::from_value::<ListRootsResult>(told.clone());
            *known = Some(told.map(|told| paths(&told)).unwrap_or_default());
        }
        match &*known {
            Some(roots) => KnownRoots::Roots(roots.clone()),
            None => {
                let question = InputRequest::ListRoots(ListRootsRequest::default());
                let questions = BTreeMap::from([(QUESTION.to_owned(), question)]);
                KnownRoots::Ask(InputRequiredResult::from_input_requests(questions))
            }
        }
    }

    /// The roots of a client that can be asked at any time; empty if it has none.
    pub(super) async fn of_peer(&self, peer: &Peer<RoleServer>) -> Vec<PathBuf> {
        if !peer.peer_info().is_some_and(|info| has_roots(&info.capabilities)) {
            return Vec::new();
        }
        // Held while asking, so that two concurrent calls ask once.
        let mut known = self.0.lock().await;
        if let Some(roots) = &*known {
            return roots.clone();
        }
        let told = tokio::time::timeout(PATIENCE, peer.list_roots()).await;
        let roots = match told {
            Ok(Ok(told)) => paths(&told),
            _ => Vec::new(),
        };
        *known = Some(roots.clone());
        roots
    }

    /// The roots that were sent before.
    pub(super) async fn known(&self) -> Vec<PathBuf> {
        self.0.lock().await.clone().unwrap_or_default()
    }

    /// To be called when they have changed.
    pub(super) async fn forget(&self) {
        *self.0.lock().await = None;
    }
}

fn has_roots(can: &ClientCapabilities) -> bool {
    can.roots.is_some()
}

fn paths(told: &ListRootsResult) -> Vec<PathBuf> {
    let absolute = |path: &PathBuf| path.is_absolute();
    told.roots
        .iter()
        .filter_map(|root| path_of(&root.uri))
        .filter(absolute)
        .collect()
}
