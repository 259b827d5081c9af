//! `pack`, for programs: everything that the command line can ask of a pack. A model gets `build_context_pack`, which has fewer
//! arguments because it pays for each of them.

use kitbag_engine::api::{self, Budget, PackExcluded, PackRequest, PackSource};
use kitbag_engine::{Scope, Tokenizer};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::Value;

use super::super::operation::{Asked, Done, arguments};
use super::super::project::Ground;
use super::super::{Operation, Project, Set, choices, languages, lean};
use super::pack::packed;
use super::packages::Within;
use super::room::both;
use kitbag_door::failure::Failure;
use kitbag_door::settings::MAX_BUDGET;
use kitbag_door::tokenizer::of_model;

const NAME: &str = "pack";

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Program,
    description: "The code, tests, settings and docs that a task needs, within a budget, with the account of every line.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema,
    run,
};

fn schema() -> Schema {
    let schema = choices(lean::<Arguments>(), "intent", &api::intents());
    let schema = choices(schema, "format", &api::formats());
    choices(schema, "languages", &languages())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    task: String,
    /// Tokens; default: by the settings and the task, about 8000.
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_BUDGET))]
    max_tokens: Option<usize>,
    /// 1 to 10; without max_tokens it moves the default.
    #[serde(default)]
    #[schemars(range(min = 1, max = 10))]
    complexity: Option<u8>,
    #[serde(default)]
    intent: Option<String>,
    /// Whose tokens are counted; default: the configured one.
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    format: Option<String>,
    /// Only where server.templates is set.
    #[serde(default)]
    template: Option<String>,
    #[serde(default)]
    line_numbers: bool,
    /// What is handed in: kind, path or content, lines, relevance, pinned.
    #[serde(default)]
    #[schemars(with = "Vec<std::collections::BTreeMap<String, Value>>")]
    sources: Vec<PackSource>,
    /// Search nothing: pack only the sources and symbols.
    #[serde(default)]
    sources_only: bool,
    /// Names whose definitions come first.
    #[serde(default)]
    symbols: Vec<String>,
    #[serde(default)]
    paths: Vec<String>,
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
    session: Option<String>,
    /// The text is only looked at: nothing counts as sent to the session.
    #[serde(default)]
    preview: bool,
    /// False: use the index as it is.
    #[serde(default = "yes")]
    update: bool,
}

fn yes() -> bool {
    true
}

fn run(project: &Project, given: Value, asked: &Asked<'_>) -> Result<Done, Failure> {
    let given: Arguments = arguments(NAME, given)?;
    let open = project.current();
    if given.template.is_some() && !open.settings.server.templates {
        let message = format!("{NAME}: this server takes no templates: server.templates is not set");
        return Err(Failure::wrong_use("TEMPLATES_OFF", message).with_hint(
            "whoever runs the server can set server.templates = true in the user's own configuration file",
        ));
    }
    let Ground::Index { update, .. } = project.ground(&open, asked) else {
        return Err(
            Failure::trouble("BUSY", "the project is being indexed for the first time")
                .with_hint("try again in a few seconds; /query_context answers from the files meanwhile"),
        );
    };
    let own: Option<Tokenizer> = given.model.as_deref().map(of_model).transpose()?;
    let tokenizer = own.as_ref().unwrap_or(&open.tokenizer);
    let budget = match given.max_tokens {
        Some(tokens) => Budget::Tokens(tokens),
        None => Budget::ByTask {
            complexity: given.complexity,
        },
    };
    let plain = PackRequest::new(given.task, budget, tokenizer);
    let request = PackRequest {
        intent: given.intent,
        format: given.format.unwrap_or_else(|| plain.format.clone()),
        template: given.template,
        line_numbers: given.line_numbers,
        sources: given.sources,
        sources_only: given.sources_only,
        symbols: given.symbols,
        paths: given.paths,
        exclude: given.exclude,
        languages: given.languages,
        packages: given.packages,
        scope: given.scope.map(Scope::from),
        session: asked.session(given.session),
        preview: given.preview,
        update: update && given.update,
        door: asked.words(),
        stop: asked.stopping(),
        ..plain
    };
    let done = packed(project, &open, &request, asked)?;
    Ok(Done {
        note: both(project.note(&open), refused(&done.data)),
        ..done
    })
}

/// What was handed in and could not be used, for whoever reads only the text.
fn refused(reply: &Value) -> Option<String> {
    let excluded: Vec<PackExcluded> = serde_json::from_value(reply["excluded"].clone()).unwrap_or_default();
    let lines: Vec<String> = excluded
        .iter()
        .filter(|one| one.is_refused())
        .map(|one| format!("Note: `{}` was not used: {}.", one.path, one.detail))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
