//! `add_context` and `delete_context`, for programs: index a text that is not in a file, and remove it again.

use kitbag_engine::api::{self, AddTextReply, AddTextRequest};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::call::{Call, OperationReply};
use super::super::operation::{Deleted, arguments};
use super::super::{Operation, Project, Set, answer, lean};
use kitbag_door::failure::Failure;

const ADD: &str = "add_context";
const DELETE: &str = "delete_context";

pub(super) const ADD_OPERATION: Operation = Operation {
    name: ADD,
    set: Set::Program,
    description: "Index a text that no file has: a buffer that is not saved (named by its path) or a generated document. Searches and packs \
                  of this user find it until it is dropped.",
    read_only: false,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: lean::<AddTextRequest>,
    reply: answer::<AddTextReply>,
    run: run_add,
};

pub(super) const DELETE_OPERATION: Operation = Operation {
    name: DELETE,
    set: Set::Program,
    description: "Drop a text that add_context indexed, by its id.",
    read_only: false,
    destructive: true,
    idempotent: true,
    cached: false,
    schema: lean::<DeleteArguments>,
    reply: answer::<Deleted>,
    run: run_delete,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DeleteArguments {
    #[serde(alias = "name", alias = "path")]
    id: String,
}

fn run_add(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let request: AddTextRequest = arguments(ADD, given)?;
    let reply = api::add_text(&project.current().engine, asked.user, &request, asked.now)?;
    Ok(OperationReply::new(format!("Indexed as {}.", reply.id), &reply))
}

fn run_delete(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: DeleteArguments = arguments(DELETE, given)?;
    if !api::drop_text(&project.current().engine, asked.user, &given.id)? {
        let message = format!("no text `{}` was added", given.id);
        return Err(Failure::wrong_use("CONTEXT_NOT_FOUND", message));
    }
    Ok(OperationReply::new(
        format!("Dropped {}.", given.id),
        &Deleted { deleted: given.id },
    ))
}
