//! `related`, for programs: what belongs to a place.

use kitbag_engine::api::{self, RelatedReply, RelatedRequest};
use serde_json::Value;

use super::super::call::{Call, OperationReply};
use super::super::operation::arguments;
use super::super::project::AnswerSource;
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::no_index;
use kitbag_door::failure::Failure;

const NAME: &str = "related";

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Program,
    description: "What belongs to a place: users, uses, types, tests, files that change with it, similar code, each with its reason.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema: lean::<RelatedRequest<'_>>,
    reply: answer::<RelatedReply>,
    run,
};

fn run(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: RelatedRequest<'_> = arguments(NAME, given)?;
    let open = project.current();
    let AnswerSource::Index { update, .. } = project.answer_source(&open, asked) else {
        return Err(no_index());
    };
    let request = RelatedRequest {
        update: update && given.update,
        stop: asked.stopping(),
        ..given
    };
    let reply = api::related(&open.engine, &request, &mut |_| {}, asked.now)?;
    let places = reply.related.iter().map(|place| {
        let line = place
            .line_start
            .map(|line| format!(":{line}"))
            .unwrap_or_default();
        format!(
            "{} {}{line} {} ({})",
            place.kind, place.path, place.name, place.reason
        )
    });
    let text = places.collect::<Vec<_>>().join("\n");
    Ok(OperationReply {
        note: project.note(&open),
        ..OperationReply::new(text, &reply)
    })
}
