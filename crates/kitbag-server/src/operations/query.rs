//! `query_context`: the code that answers a question, as a short text.

use std::time::Instant;

use kitbag_engine::Scope;
use kitbag_engine::api::{self, MAX_TOP, QueryReply, QueryRequest, SearchRequest};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::call::{Call, MOST_TOKENS, OperationReply};
use super::super::operation::arguments;
use super::super::project::{AnswerSource, Open};
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::{LEAST_TOKENS, Unused, budget, no_index};
use super::packages::PackageScope;
use kitbag_door::failure::Failure;

const NAME: &str = "query_context";
const DEFAULT_TOKENS: usize = 2_000;

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Core,
    description: "Find code by meaning, words or names: the best places with their lines; with `all`, every line.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema: lean::<Arguments>,
    reply: answer::<QueryReply>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A question or names.
    query: String,
    /// Default 2000.
    #[serde(default)]
    #[schemars(range(min = LEAST_TOKENS, max = MOST_TOKENS))]
    max_tokens: Option<usize>,
    #[serde(default)]
    session: Option<String>,
    /// Only under these globs.
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    languages: Vec<String>,
    #[serde(default)]
    package: Option<String>,
    #[serde(default)]
    scope: Option<PackageScope>,
    // The next four are for programs: MCP does not list them (`FOR_PROGRAMS`).
    #[serde(default)]
    exclude: Vec<String>,
    #[serde(default)]
    kinds: Vec<String>,
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_TOP))]
    k: Option<usize>,
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    min_score: Option<f64>,
    #[serde(default)]
    all: bool,
    #[serde(default)]
    cursor: Option<String>,
    #[serde(default)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Text,
    Json,
}

fn run(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: Arguments = arguments(NAME, given)?;
    let open = project.current();
    let format = match given.format {
        Format::Text => "text",
        Format::Json => "json",
    };
    let tokens = budget(given.max_tokens, DEFAULT_TOKENS, None, &open);
    let unused = Unused::new(&open, (&[], &given.paths), tokens)?;
    let request = QueryRequest {
        max_tokens: tokens - unused.reserve,
        session: asked.session(given.session),
        paths: given.paths,
        languages: given.languages,
        packages: given.package.into_iter().collect(),
        scope: given.scope.map(Scope::from),
        exclude: given.exclude,
        kinds: given.kinds,
        top: given.k,
        min_score: given.min_score,
        user: asked.user,
        format: format.to_owned(),
        all: given.all,
        cursor: given.cursor,
        stop: asked.stopping(),
        ..QueryRequest::new(given.query, &open.tokenizer)
    };
    match project.answer_source(&open, asked) {
        AnswerSource::Index { update, thin: false } => {
            let request = QueryRequest { update, ..request };
            let began = Instant::now();
            let reply = api::query(&open.engine, &request, &mut |_| {}, asked.now)?;
            let (took, what) = (began.elapsed(), (request.query.as_str(), request.max_tokens));
            project.record(&open, asked, |door| {
                api::usage_of_query(&open.engine, door, what, &reply, took)
            });
            Ok(OperationReply {
                note: unused.note(&open, &|_| true),
                ..done(&request, &reply)
            })
        }
        // A complete list needs the index.
        _ if request.all || request.cursor.is_some() => Err(no_index()),
        _ => looked(project, &open, &request, asked),
    }
}

/// An answer from the files themselves.
pub(super) fn looked(
    project: &Project,
    open: &Open,
    request: &QueryRequest<'_>,
    asked: &Call<'_>,
) -> Result<OperationReply, Failure> {
    let search = SearchRequest {
        top: request.top,
        kinds: request.kinds.clone(),
        min_score: request.min_score,
        paths: request.paths.clone(),
        exclude: request.exclude.clone(),
        languages: request.languages.clone(),
        packages: request.packages.clone(),
        scope: request.scope,
        stop: request.stop,
        ..SearchRequest::new(request.query.clone())
    };
    let found = project.look(open, &search)?;
    Ok(done(
        request,
        &api::render_hits(&open.engine, request, found, asked.now)?,
    ))
}

fn done(request: &QueryRequest<'_>, reply: &QueryReply) -> OperationReply {
    OperationReply {
        wants_data: request.format == "json",
        delivery: reply
            .session
            .as_ref()
            .and_then(|session| session.delivery.clone()),
        ..OperationReply::new(reply.text.clone(), reply)
    }
}
