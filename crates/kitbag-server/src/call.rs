//! One call of an operation and its answer, as every door passes and gets them.

use kitbag_engine::api::Door;
use kitbag_engine::{Delivery, Stop, Timestamp};
use serde::Serialize;
use serde_json::Value;

use super::Steps;

/// The longest answer for a model, in tokens. Clients cut longer ones.
pub(crate) const MOST_TOKENS: usize = 25_000;

/// Who calls, when, and how to report progress meanwhile.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    /// `mcp` or `http`.
    pub(crate) door: &'static str,
    /// Whether the command line calls, for a person in a terminal.
    pub(crate) in_terminal: bool,
    /// The project as the call names it, if it does.
    pub(crate) project: Option<&'a str>,
    /// Separates the data of users (SEC-5); empty if there is only one user.
    pub(crate) user: &'a str,
    /// In request, log, metric and answer (MET-3).
    pub(crate) id: &'a str,
    pub(crate) now: Timestamp,
    /// Called with the progress while an answer waits for the index.
    pub(crate) tell: &'a (dyn Fn(&Steps) + Sync),
    /// Whether the caller has gone or cancelled.
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
}

impl Call<'_> {
    /// The door for which an answer words its suggestions (PACK-63).
    pub(crate) fn words(&self) -> Door {
        match self.door {
            _ if self.in_terminal => Door::Terminal,
            "mcp" => Door::Mcp {
                most_tokens: MOST_TOKENS,
                project: self.project.map(str::to_owned),
            },
            _ => Door::Http,
        }
    }

    /// For the long loops of the engine.
    pub(crate) fn stopping(&self) -> Stop<'_> {
        Stop::when(self.stop)
    }

    /// The session's name, made unique per user.
    pub(crate) fn session(&self, given: Option<String>) -> Option<String> {
        given.map(|id| match self.user {
            "" => id,
            user => format!("{user}:{id}"),
        })
    }
}

/// An answer as text for a model and as data for a program, with the same facts in both.
#[derive(Clone, Debug)]
pub(crate) struct OperationReply {
    /// Shown before the answer, if the index is incomplete or damaged.
    pub(crate) note: Option<String>,
    pub(crate) text: String,
    pub(crate) data: Value,
    /// Whether the caller requested data.
    pub(crate) wants_data: bool,
    /// Whether the answer comes from the cache.
    pub(crate) from_cache: bool,
    /// What it shows to a session. The door confirms it when the answer is sent, and drops it if the caller has gone.
    pub(crate) delivery: Option<Delivery>,
}

impl OperationReply {
    pub(crate) fn new(text: String, data: &impl Serialize) -> OperationReply {
        OperationReply {
            note: None,
            text,
            data: serde_json::to_value(data).expect("replies are made of strings and numbers"),
            wants_data: false,
            from_cache: false,
            delivery: None,
        }
    }
}
