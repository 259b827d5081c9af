//! `search`, for programs: ranked hits as data, with their scores. A model asks `query_context`.

use std::time::Instant;

use kitbag_engine::api::{self, SearchRequest};
use kitbag_engine::{ChunkKind, Scope, Timestamp};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::Value;

use super::super::operation::{Asked, Done, arguments};
use super::super::project::Ground;
use super::super::{Operation, Project, Set, choices, languages, lean};
use super::packages::Within;
use kitbag_door::failure::Failure;

const NAME: &str = "search";
/// The end of the year 9999.
const LAST_MS: i64 = 253_402_300_799_999;

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Program,
    description: "Ranked code for a question, as data.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema,
    run,
};

fn schema() -> Schema {
    let kinds = ChunkKind::ALL.map(ChunkKind::as_str);
    let schema = choices(lean::<Arguments>(), "kinds", &kinds);
    choices(schema, "languages", &languages())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    query: String,
    /// How many results; default 12.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    top: Option<usize>,
    /// Globs: one must match.
    #[serde(default)]
    paths: Vec<String>,
    /// Globs: none may match.
    #[serde(default)]
    exclude: Vec<String>,
    #[serde(default)]
    languages: Vec<String>,
    /// Names or folders.
    #[serde(default)]
    packages: Vec<String>,
    #[serde(default)]
    scope: Option<Within>,
    #[serde(default)]
    kinds: Vec<String>,
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_score: Option<f64>,
    /// 0 all diversity, 1 all relevance; without it the plain order.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    mmr_lambda: Option<f64>,
    /// Only files that changed since, in milliseconds since 1970.
    #[serde(default)]
    #[schemars(range(min = 0, max = LAST_MS))]
    since_ms: Option<i64>,
    /// The file that is open.
    #[serde(default)]
    active: Option<String>,
}

fn run(project: &Project, given: Value, asked: &Asked<'_>) -> Result<Done, Failure> {
    let given: Arguments = arguments(NAME, given)?;
    let open = project.current();
    let query = &open.settings.query;
    let request = SearchRequest {
        top: given.top.unwrap_or(query.default_k),
        paths: given.paths,
        exclude: given.exclude,
        languages: given.languages,
        packages: given.packages,
        scope: given.scope.map(Scope::from),
        kinds: given.kinds,
        min_score: given.min_score.unwrap_or(query.min_score_threshold),
        mmr_lambda: given.mmr_lambda,
        since: given.since_ms.map(Timestamp),
        active: given.active,
        stop: asked.stopping(),
        ..SearchRequest::new(given.query)
    };
    let began = Instant::now();
    let reply = match project.ground(&open, asked) {
        Ground::Index { update, thin: false } => {
            let request = SearchRequest { update, ..request };
            api::search(&open.engine, &request, &mut |_| {}, asked.now)?
        }
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
    let lines: Vec<String> = reply.matched.say().into_iter().chain(hits).collect();
    Ok(Done {
        note: project.note(&open),
        ..Done::new(lines.join("\n"), &reply)
    })
}
