//! `symbol`, for programs: everything that the command line can ask about a name. Models use `locate_symbol`.

use kitbag_engine::api::{self, SymbolReply, SymbolRequest};
use serde_json::Value;

use super::super::call::{Call, OperationReply};
use super::super::operation::arguments;
use super::super::project::AnswerSource;
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::no_index;
use super::locate_symbol::lines;
use kitbag_door::failure::Failure;

const NAME: &str = "symbol";

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Program,
    description: "Where a name is defined, who uses it and what it uses, as data.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema: lean::<SymbolRequest<'_>>,
    reply: answer::<SymbolReply>,
    run,
};

fn run(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: SymbolRequest<'_> = arguments(NAME, given)?;
    let open = project.current();
    let AnswerSource::Index { update, .. } = project.answer_source(&open, asked) else {
        return Err(no_index());
    };
    let request = SymbolRequest {
        update: update && given.update,
        stop: asked.stopping(),
        ..given
    };
    let reply = api::symbol(&open.engine, &request, &mut |_| {}, asked.now)?;
    Ok(OperationReply {
        note: project.note(&open),
        ..OperationReply::new(lines(&reply).join("\n"), &reply)
    })
}
