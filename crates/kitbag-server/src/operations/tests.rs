//! `tests`, for programs: which tests cover a change or a place.

use kitbag_engine::api::{self, TestsReply, TestsRequest};
use serde_json::Value;

use super::super::call::{Call, OperationReply};
use super::super::operation::arguments;
use super::super::project::AnswerSource;
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::no_index;
use kitbag_door::failure::Failure;

const NAME: &str = "tests";

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Program,
    description: "The tests that cover a change or a place, best first, each with its reasons and whether it is certain.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema: lean::<TestsRequest<'_>>,
    reply: answer::<TestsReply>,
    run,
};

fn run(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: TestsRequest<'_> = arguments(NAME, given)?;
    let open = project.current();
    let AnswerSource::Index { update, .. } = project.answer_source(&open, asked) else {
        return Err(no_index());
    };
    let request = TestsRequest {
        update: update && given.update,
        stop: asked.stopping(),
        ..given
    };
    let reply = api::tests(&open.engine, &request, &mut |_| {}, asked.now)?;
    let tests = reply
        .tests
        .iter()
        .map(|test| format!("{} ({})", test.path, test.reasons.join("; ")));
    let text = tests.collect::<Vec<_>>().join("\n");
    Ok(OperationReply {
        note: project.note(&open),
        ..OperationReply::new(text, &reply)
    })
}
