//! `history`, for programs: the commits of a place, the authors of its lines, and what changes with it.

use kitbag_engine::api::{self, HistoryReply, HistoryRequest};
use serde_json::Value;

use super::super::call::{Call, OperationReply};
use super::super::operation::arguments;
use super::super::project::AnswerSource;
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::no_index;
use kitbag_door::failure::Failure;

const NAME: &str = "history";

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Program,
    description: "The commits of a file, of some lines or of a definition with their hunks, who wrote the lines, and what usually changes with them.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema: lean::<HistoryRequest<'_>>,
    reply: answer::<HistoryReply>,
    run,
};

fn run(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: HistoryRequest<'_> = arguments(NAME, given)?;
    let open = project.current();
    let AnswerSource::Index { update, .. } = project.answer_source(&open, asked) else {
        return Err(no_index());
    };
    let request = HistoryRequest {
        update: update && given.update,
        stop: asked.stopping(),
        ..given
    };
    let reply = api::history(&open.engine, &request, &mut |_| {}, asked.now)?;
    let text = reply.texts().join("\n");
    Ok(OperationReply {
        note: project.note(&open),
        ..OperationReply::new(text, &reply)
    })
}
