//! One call of an operation, and its answer: what every door hands over and gets back.

use kitbag_engine::api::Door;
use kitbag_engine::{Delivery, Stop, Timestamp};
use serde::Serialize;
use serde_json::Value;

use super::Steps;

/// The longest answer to a model, in tokens. Clients cut what is longer.
pub(crate) const MOST_TOKENS: usize = 25_000;

/// Who asks, when, and how to reach them meanwhile.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    /// `mcp` or `http`.
    pub(crate) door: &'static str,
    /// The command line asks, for a person in a terminal.
    pub(crate) in_terminal: bool,
    /// How the call named its project, if it did.
    pub(crate) project: Option<&'a str>,
    /// Separates what is remembered of one user from another's (SEC-5); empty if there is only one.
    pub(crate) user: &'a str,
    /// Runs through request, log, metric and answer (MET-3).
    pub(crate) id: &'a str,
    pub(crate) now: Timestamp,
    /// Told while an answer waits for the index.
    pub(crate) tell: &'a (dyn Fn(&Steps) + Sync),
    /// The asker has gone, or said so.
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
}

impl Call<'_> {
    /// In whose words an answer says how to go on (PACK-63).
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

    /// What an engine looks at in its long loops.
    pub(crate) fn stopping(&self) -> Stop<'_> {
        Stop::when(self.stop)
    }

    /// A session that no other user can name.
    pub(crate) fn session(&self, given: Option<String>) -> Option<String> {
        given.map(|id| match self.user {
            "" => id,
            user => format!("{user}:{id}"),
        })
    }
}

/// An answer: as text for a model, and as data for a program. The same facts in both.
#[derive(Clone, Debug)]
pub(crate) struct OperationReply {
    /// Said before the answer, if the index is not what it should be.
    pub(crate) note: Option<String>,
    pub(crate) text: String,
    pub(crate) data: Value,
    /// The asker asked for data.
    pub(crate) wants_data: bool,
    /// It was given before.
    pub(crate) from_cache: bool,
    /// What it shows to a session. The door confirms it when the answer goes out, and drops it when nobody waits any more.
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
