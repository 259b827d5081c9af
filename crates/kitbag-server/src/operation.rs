//! What an operation is: a name, a description that says when to use it, the schema of its arguments, and a function from a
//! project and those arguments to an answer. A function pointer in a table, so that a new one is a file and a row.

use kitbag_engine::api::Door;
use kitbag_engine::{Delivery, Stop, Timestamp};
use schemars::Schema;
use serde::Serialize;
use serde_json::Value;

use super::operations::MOST_TOKENS;
use super::{Project, Steps};
use kitbag_door::failure::Failure;

/// Which tools a client is shown (MCP-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Set {
    Core,
    Memory,
    Admin,
    /// For programs: never shown as a tool.
    Program,
}

pub(crate) struct Operation {
    pub(crate) name: &'static str,
    pub(crate) set: Set,
    /// One or two sentences: a model reads them to choose.
    pub(crate) description: &'static str,
    /// Changes nothing but what Kitbag keeps for itself.
    pub(crate) read_only: bool,
    /// Takes something away.
    pub(crate) destructive: bool,
    /// Twice is the same as once.
    pub(crate) idempotent: bool,
    /// The same question may get the same answer while nothing has changed (ENG-60).
    pub(crate) cached: bool,
    pub(crate) schema: fn() -> Schema,
    pub(crate) run: fn(&Project, Value, &Asked<'_>) -> Result<Done, Failure>,
}

/// Who asks, when, and how to reach them meanwhile.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
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

impl Asked<'_> {
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
pub(crate) struct Done {
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

impl Done {
    pub(crate) fn new(text: String, data: &impl Serialize) -> Done {
        Done {
            note: None,
            text,
            data: serde_json::to_value(data).expect("replies are made of strings and numbers"),
            wants_data: false,
            from_cache: false,
            delivery: None,
        }
    }
}

/// Arguments as the operation wants them, or what is wrong with them and what it takes.
pub(crate) fn arguments<T: serde::de::DeserializeOwned>(operation: &str, given: Value) -> Result<T, Failure> {
    serde_path_to_error::deserialize(given).map_err(|error| {
        let message = match error.path().to_string().as_str() {
            // The whole of it: a field that is missing or unknown, and the error names it.
            "." => format!("{operation}: {}", error.inner()),
            path => format!("{operation}: {path}: {}", error.inner()),
        };
        Failure::wrong_use("INVALID_ARGUMENTS", message)
    })
}
