//! `give_feedback`, and for programs `list_feedback` and `undo_feedback` (MEM-5).

use kitbag_engine::api::{self, FeedbackList, FeedbackReply, FeedbackRequest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::call::{Call, OperationReply};
use super::super::operation::{NoArguments, arguments};
use super::super::{Operation, Project, Set, answer, lean};
use super::memory::LAST_ID;
use kitbag_door::failure::Failure;

const GIVE: &str = "give_feedback";
const LIST: &str = "list_feedback";
const UNDO: &str = "undo_feedback";

pub(super) const OPERATION: Operation = Operation {
    name: GIVE,
    set: Set::Memory,
    description: "Say which items of a pack were useful, or not.",
    read_only: false,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: lean::<FeedbackRequest>,
    reply: answer::<FeedbackReply>,
    run: run_give,
};

pub(super) const LIST_OPERATION: Operation = Operation {
    name: LIST,
    set: Set::Program,
    description: "What this user said about items of packs, and what it does to later answers.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: lean::<NoArguments>,
    reply: answer::<FeedbackList>,
    run: run_list,
};

pub(super) const UNDO_OPERATION: Operation = Operation {
    name: UNDO,
    set: Set::Program,
    description: "Take feedback back, by its id.",
    read_only: false,
    destructive: true,
    idempotent: true,
    cached: false,
    schema: lean::<UndoArguments>,
    reply: answer::<Undone>,
    run: run_undo,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UndoArguments {
    #[schemars(range(min = 1, max = LAST_ID))]
    id: i64,
}

#[derive(Serialize, JsonSchema)]
struct Undone {
    undone: usize,
}

fn run_give(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let request: FeedbackRequest = arguments(GIVE, given)?;
    let reply = api::give_feedback(&project.current().engine, asked.user, &request, asked.now)?;
    let text = format!(
        "Noted: {} items useful, {} not, in all.",
        reply.useful, reply.not_useful
    );
    Ok(OperationReply::new(text, &reply))
}

fn run_list(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let NoArguments {} = arguments(LIST, given)?;
    let reply = api::feedback(&project.current().engine, asked.user)?;
    Ok(OperationReply::new(
        format!("{} items.", reply.given.len()),
        &reply,
    ))
}

fn run_undo(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: UndoArguments = arguments(UNDO, given)?;
    let undone = api::undo_feedback(&project.current().engine, asked.user, Some(given.id))?;
    if undone == 0 {
        return Err(Failure::wrong_use(
            "FEEDBACK_NOT_FOUND",
            "there is no such feedback",
        ));
    }
    Ok(OperationReply::new(
        format!("Taken back: {undone}."),
        &Undone { undone },
    ))
}
