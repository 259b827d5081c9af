//! `search`, for programs: ranked hits as data, with their scores. Models use `query_context`.

use std::time::Instant;

use kitbag_engine::api::{self, PlaceLine, SearchReply, SearchRequest};
use serde_json::Value;

use super::super::call::{Call, OperationReply};
use super::super::operation::arguments;
use super::super::project::AnswerSource;
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::no_index;
use kitbag_door::failure::Failure;

const NAME: &str = "search";

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Program,
    description: "Ranked code for a question, as data.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema: lean::<SearchRequest<'_>>,
    reply: answer::<SearchReply>,
    run,
};

fn run(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: SearchRequest<'_> = arguments(NAME, given)?;
    let open = project.current();
    let request = SearchRequest {
        stop: asked.stopping(),
        user: asked.user,
        ..given
    };
    let began = Instant::now();
    let reply = match project.answer_source(&open, asked) {
        AnswerSource::Index { update, thin: false } => {
            let update = update && request.update;
            let request = SearchRequest { update, ..request };
            api::search(&open.engine, &request, &mut |_| {}, asked.now)?
        }
        // A complete list needs the index.
        _ if request.is_all() => return Err(no_index()),
        _ => project.look(&open, &request)?,
    };
    let took = began.elapsed();
    project.record(&open, asked, |door| {
        api::usage_of_search(&open.engine, door, &reply, took)
    });
    let hits = reply.results.iter().map(|hit| {
        let label = hit.label_with_part();
        format!("{}:{}-{} {label}", hit.path, hit.line_start, hit.line_end)
    });
    let places = reply.places.iter().flat_map(|places| &places.files);
    let places = places.flat_map(|file| {
        let line = |line: &PlaceLine| format!("{}:{} {}", file.path, line.line, line.text);
        file.lines.iter().map(line).collect::<Vec<_>>()
    });
    let commits = reply.history.iter().flat_map(|history| history.texts());
    let lines = reply
        .matched
        .say()
        .into_iter()
        .chain(commits)
        .chain(hits)
        .chain(places);
    let lines: Vec<String> = lines.collect();
    Ok(OperationReply {
        note: project.note(&open),
        ..OperationReply::new(lines.join("\n"), &reply)
    })
}
