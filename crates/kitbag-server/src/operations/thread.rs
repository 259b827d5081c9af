//! Threads, for programs: append to one, show, list and delete them, and build the context for a message (MEM-4).

use kitbag_engine::api::{self, AppendRequest, BuildReply, BuildRequest, ThreadReply};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::call::{Call, OperationReply};
use super::super::operation::{Deleted, NoArguments, arguments};
use super::super::{Operation, Project, Set, answer, lean};
use kitbag_door::failure::Failure;

const BUILD: &str = "build_thread_context";
const APPEND: &str = "append_to_thread";
const SHOW: &str = "get_thread";
const LIST: &str = "list_threads";
const DELETE: &str = "delete_thread";

const fn operation(
    name: &'static str,
    description: &'static str,
    schemas: [fn() -> Schema; 2],
    run: fn(&Project, Value, &Call<'_>) -> Result<OperationReply, Failure>,
) -> Operation {
    Operation {
        name,
        set: Set::Program,
        description,
        read_only: false,
        destructive: false,
        idempotent: false,
        cached: false,
        schema: schemas[0],
        reply: schemas[1],
        run,
    }
}

pub(super) const BUILD_OPERATION: Operation = operation(
    BUILD,
    "The context for a message of a thread: references, files, code that is found and what was said, with counts by origin.",
    [lean::<BuildRequest>, answer::<BuildReply>],
    run_build,
);

pub(super) const APPEND_OPERATION: Operation = operation(
    APPEND,
    "Append messages, references and opened files to a thread.",
    [lean::<AppendRequest>, answer::<ThreadReply>],
    run_append,
);

pub(super) const SHOW_OPERATION: Operation = operation(
    SHOW,
    "A thread of this user.",
    [lean::<ThreadName>, answer::<ThreadReply>],
    run_show,
);

pub(super) const LIST_OPERATION: Operation = operation(
    LIST,
    "The threads of this user, the last used first.",
    [lean::<NoArguments>, answer::<ThreadList>],
    run_list,
);

pub(super) const DELETE_OPERATION: Operation = operation(
    DELETE,
    "Delete a thread of this user.",
    [lean::<ThreadName>, answer::<Deleted>],
    run_delete,
);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ThreadName {
    thread: String,
}

#[derive(Serialize, JsonSchema)]
struct ThreadList {
    threads: Vec<String>,
}

fn run_build(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let request: BuildRequest = arguments(BUILD, given)?;
    let open = project.current();
    let reply = api::build_for_thread(&open.engine, asked.user, &request, &open.tokenizer, asked.now)?;
    Ok(OperationReply::new(reply.text.clone(), &reply))
}

fn run_append(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let request: AppendRequest = arguments(APPEND, given)?;
    let reply = api::append_to_thread(&project.current().engine, asked.user, &request, asked.now)?;
    let text = format!(
        "{} messages, {} references.",
        reply.messages.len(),
        reply.references.len()
    );
    Ok(OperationReply::new(text, &reply))
}

fn run_show(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: ThreadName = arguments(SHOW, given)?;
    let reply = api::thread(&project.current().engine, asked.user, &given.thread)?;
    let text = format!("{} messages.", reply.messages.len());
    Ok(OperationReply::new(text, &reply))
}

fn run_list(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let NoArguments {} = arguments(LIST, given)?;
    let threads = api::threads(&project.current().engine, asked.user)?;
    Ok(OperationReply::new(threads.join("\n"), &ThreadList { threads }))
}

fn run_delete(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: ThreadName = arguments(DELETE, given)?;
    if !api::delete_thread(&project.current().engine, asked.user, &given.thread)? {
        let message = format!("no thread `{}`", given.thread);
        return Err(Failure::wrong_use("THREAD_NOT_FOUND", message));
    }
    let text = format!("Deleted thread {}.", given.thread);
    Ok(OperationReply::new(
        text,
        &Deleted {
            deleted: given.thread,
        },
    ))
}
