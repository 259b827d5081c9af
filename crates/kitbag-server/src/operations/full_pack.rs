//! `pack`, for programs: everything that the command line can request of a pack. Models use `build_context_pack`, which has
//! fewer arguments because each costs tokens.

use kitbag_engine::api::{PackExcluded, PackReply, PackRequest};
use serde_json::Value;

use super::super::call::{Call, OperationReply};
use super::super::operation::arguments;
use super::super::project::AnswerSource;
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::{both, no_index};
use super::pack::packed;
use kitbag_door::failure::Failure;

const NAME: &str = "pack";

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Program,
    description: "The code, tests, settings and docs that a task needs, within a budget, with the account of every line.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema: lean::<PackRequest<'_>>,
    reply: answer::<PackReply>,
    run,
};

fn run(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: PackRequest<'_> = arguments(NAME, given)?;
    let open = project.current();
    if given.template.is_some() && !open.settings.server.templates {
        let message = format!("{NAME}: this server takes no templates: server.templates is not set");
        return Err(Failure::wrong_use("TEMPLATES_OFF", message).with_hint(
            "set server.templates = true in the configuration file of the user who runs the server",
        ));
    }
    let AnswerSource::Index { update, .. } = project.answer_source(&open, asked) else {
        return Err(no_index());
    };
    let request = PackRequest {
        tokenizer: given.model.is_none().then_some(&open.tokenizer),
        update: update && given.update,
        watched: !update,
        user: asked.user,
        session: asked.session(given.session),
        door: asked.words(),
        stop: asked.stopping(),
        ..given
    };
    let done = packed(project, &open, &request, asked)?;
    Ok(OperationReply {
        note: both(project.note(&open), refused(&done.data)),
        ..done
    })
}

/// A note about sources that could not be used, for callers that only read the text.
fn refused(reply: &Value) -> Option<String> {
    let excluded: Vec<PackExcluded> = serde_json::from_value(reply["excluded"].clone()).unwrap_or_default();
    let lines: Vec<String> = excluded
        .iter()
        .filter(|one| one.is_refused())
        .map(|one| format!("Note: `{}` was not used: {}.", one.path, one.detail))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
