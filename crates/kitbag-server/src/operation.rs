//! An operation: a name, a description that says when to use it, the schema of its arguments, and a function from a project
//! and arguments to an answer. It is a row with a function pointer, so that a new operation is one file and one row.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use kitbag_engine::api::UsageEntry;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Project;
use super::call::{Call, OperationReply};
use kitbag_door::failure::Failure;
use kitbag_door::panics::tell_of_request;

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
    /// One or two sentences, by which a model chooses.
    pub(crate) description: &'static str,
    /// It changes only Kitbag's own data.
    pub(crate) read_only: bool,
    /// It deletes something.
    pub(crate) destructive: bool,
    /// Twice has the same effect as once.
    pub(crate) idempotent: bool,
    /// A repeated question may get the same answer while nothing has changed (ENG-60).
    pub(crate) cached: bool,
    /// The schema of its arguments.
    pub(crate) schema: fn() -> Schema,
    /// The schema of its answer as data.
    pub(crate) reply: fn() -> Schema,
    pub(crate) run: fn(&Project, Value, &Call<'_>) -> Result<OperationReply, Failure>,
}

impl Operation {
    /// The answer, from the cache if nothing has changed.
    pub(crate) fn answer(
        &self,
        project: &Project,
        arguments: Value,
        asked: &Call<'_>,
    ) -> Result<OperationReply, Failure> {
        // With a session, the second answer differs. With a diff, a commit changes the answer without changing files.
        let has = |name: &str| arguments.get(name).is_some_and(|value| !value.is_null());
        let is_fixed = !has("session") && !has("diff");
        let is_kept = self.cached && is_fixed;
        let Some(stamp) = is_kept.then(|| project.stamp()).flatten() else {
            let done = self.run_caught(project, arguments, asked);
            if !self.read_only {
                project.cache.clear();
            }
            return done;
        };
        let began = Instant::now();
        let question = format!("{}\0{}\0{:?}\0{arguments}", self.name, asked.user, asked.words());
        if let Some(mut done) = project.cache.find(&question, stamp, began) {
            if let Value::Object(data) = &mut done.data {
                data.insert("cache_hit".to_owned(), Value::Bool(true));
            }
            project.record(&project.current(), asked, |door| {
                Ok(UsageEntry {
                    door,
                    operation: self.name,
                    total: began.elapsed(),
                    cache_hit: true,
                    ..UsageEntry::default()
                })
            });
            return Ok(OperationReply {
                from_cache: true,
                ..done
            });
        }
        let done = self.run_caught(project, arguments, asked)?;
        if done.note.is_none() && project.stamp() == Some(stamp) {
            project.cache.keep(question, stamp, began, &done);
        }
        Ok(done)
    }

    /// A panic is an error of this request only.
    fn run_caught(
        &self,
        project: &Project,
        arguments: Value,
        asked: &Call<'_>,
    ) -> Result<OperationReply, Failure> {
        catch_unwind(AssertUnwindSafe(|| (self.run)(project, arguments, asked))).unwrap_or_else(|_| {
            tell_of_request(asked.id);
            let message = format!(
                "Kitbag failed on this request ({}); the other ones are not affected",
                asked.id
            );
            Err(Failure::trouble("INTERNAL_ERROR", message).with_hint("please report it"))
        })
    }
}

/// The arguments of an operation that takes none.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoArguments {}

/// The answer of an operation that deletes something: its name or id.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Deleted {
    pub(crate) deleted: String,
}

/// Parses the arguments; an error says what is wrong with them and what is allowed.
pub(crate) fn arguments<T: serde::de::DeserializeOwned>(operation: &str, given: Value) -> Result<T, Failure> {
    serde_path_to_error::deserialize(given).map_err(|error| {
        let message = match error.path().to_string().as_str() {
            // The error is about the whole object: a missing or unknown field, which the message names.
            "." => format!("{operation}: {}", error.inner()),
            path => format!("{operation}: {path}: {}", error.inner()),
        };
        Failure::wrong_use("INVALID_ARGUMENTS", message)
    })
}
