//! `build_context_pack`: the code that a task needs, ready for a prompt.

use std::path::Path;
use std::time::Instant;

use kitbag_engine::Scope;
use kitbag_engine::api::{self, PackExcluded, PackReply, PackRequest, PackSource, QueryRequest, SavedPack};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::call::{Call, MOST_TOKENS, OperationReply};
use super::super::operation::arguments;
use super::super::project::{AnswerSource, Open};
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::{LEAST_TOKENS, Unused, both, budget, fitting, pack_tokens};
use super::packages::PackageScope;
use super::query::looked;
use kitbag_door::failure::Failure;

const NAME: &str = "build_context_pack";

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Core,
    description: "Start here for any coding task: returns the code, tests, config and docs of this repository that the task needs, \
                  ranked, with exact paths and line numbers, within max_tokens. Use it before grep or reading files.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema: lean::<Arguments>,
    reply: answer::<PackReply>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The task in your own words; errors, paths and names help.
    task: String,
    /// Default 4000.
    #[serde(default)]
    #[schemars(range(min = LEAST_TOKENS, max = MOST_TOKENS))]
    max_tokens: Option<usize>,
    /// Any id for this conversation: what was sent before is not repeated.
    #[serde(default)]
    session: Option<String>,
    /// Only under these globs.
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    languages: Vec<String>,
    /// Name or folder.
    #[serde(default)]
    package: Option<String>,
    #[serde(default)]
    scope: Option<PackageScope>,
    /// Files to include first.
    #[serde(default)]
    files: Vec<String>,
    /// A change to review: a revision or `a..b`, empty for what is not committed.
    #[serde(default)]
    diff: Option<String>,
    /// Only `files`, no search.
    #[serde(default)]
    sources_only: bool,
    #[serde(default)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Markdown,
    Xml,
    Plain,
    Json,
}

impl Format {
    fn as_str(self) -> &'static str {
        match self {
            Format::Markdown => "markdown",
            Format::Xml => "xml",
            Format::Plain => "plain",
            Format::Json => "json",
        }
    }
}

fn run(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: Arguments = arguments(NAME, given)?;
    let wants_data = matches!(given.format, Format::Json);
    let open = project.current();
    let session = asked.session(given.session);
    let AnswerSource::Index { update, thin: false } = project.answer_source(&open, asked) else {
        // A pack needs an index. Until there is one, a search in the files themselves is better than nothing.
        let request = QueryRequest {
            max_tokens: budget(given.max_tokens, pack_tokens(&open), None, &open),
            session,
            paths: given.paths,
            languages: given.languages,
            packages: given.package.into_iter().collect(),
            scope: given.scope.map(Scope::from),
            format: if wants_data { "json" } else { "text" }.to_owned(),
            stop: asked.stopping(),
            ..QueryRequest::new(given.task, &open.tokenizer)
        };
        let mut done = looked(project, &open, &request, asked)?;
        if !given.files.is_empty() {
            let files = "Note: `files` were not used: there is no index yet. Ask again in a moment.";
            done.note = both(done.note, Some(files.to_owned()));
        }
        return Ok(done);
    };
    let note = project.note(&open);
    let tokens = budget(given.max_tokens, pack_tokens(&open), note.as_deref(), &open);
    let unused = Unused::new(&open, (&given.files, &given.paths), tokens)?;
    let request = PackRequest {
        format: Some(given.format.as_str().to_owned()),
        sources: opened_files(&given.files),
        diff: given.diff,
        sources_only: given.sources_only,
        paths: given.paths,
        languages: given.languages,
        packages: given.package.into_iter().collect(),
        scope: given.scope.map(Scope::from),
        session,
        update,
        watched: !update,
        user: asked.user,
        door: asked.words(),
        stop: asked.stopping(),
        ..PackRequest::new(given.task, tokens.saturating_sub(unused.reserve), &open.tokenizer)
    };
    let done = packed(project, &open, &request, asked)?;
    let is_shown = |path: &str| {
        let mut shown = done.data["items"].as_array().into_iter().flatten();
        let same = |item: &Value| {
            is_same(
                open.engine.root(),
                path,
                item["path"].as_str().unwrap_or_default(),
            )
        };
        shown.any(same)
    };
    Ok(OperationReply {
        note: both(note, unused.note(&open, &is_shown)),
        wants_data,
        ..done
    })
}

/// Whether a path as the caller wrote it (absolute, with `./`, through a link) is this path of the project.
fn is_same(root: &Path, written: &str, path: &str) -> bool {
    let canonical = |path: &str| root.join(path).canonicalize().ok();
    written == path || canonical(written).is_some_and(|written| canonical(path) == Some(written))
}

/// Makes a pack and stores it, so that it can be read again as a resource.
pub(super) fn packed(
    project: &Project,
    open: &Open,
    request: &PackRequest<'_>,
    asked: &Call<'_>,
) -> Result<OperationReply, Failure> {
    let started = Instant::now();
    let reply = api::pack(
        &open.engine,
        request,
        &mut |_| {},
        &|| started.elapsed(),
        asked.now,
    )?;
    let took = started.elapsed();
    if !request.preview {
        project.record(open, asked, |door| {
            api::usage_of_pack(&open.engine, door, &reply, took)
        });
    }
    if reply.is_empty() {
        let count = |text: &str| open.tokenizer.count(text).tokens;
        return Ok(OperationReply::new(
            fitting(&nothing(&reply), reply.budget, &count),
            &reply,
        ));
    }
    let delivery = reply
        .session
        .as_ref()
        .and_then(|session| session.delivery.clone());
    let mut shown = reply.clone();
    if !request.explain {
        shown.excluded.retain(PackExcluded::is_refused);
    }
    let done = OperationReply {
        delivery,
        ..OperationReply::new(shown.text.clone(), &shown)
    };
    let saved = SavedPack {
        reply,
        template: request.template.clone(),
        line_numbers: request.line_numbers,
        made_at: asked.now.0,
        used: Vec::new(),
    };
    // If the store cannot be written, the pack is still returned.
    let _ = api::keep_pack(&open.engine, asked.user, &saved);
    Ok(done)
}

pub(super) fn opened_files(files: &[String]) -> Vec<PackSource> {
    let source = |path: &String| PackSource {
        kind: "open_file".to_owned(),
        path: Some(path.clone()),
        pinned: true,
        ..PackSource::default()
    };
    files.iter().map(source).collect()
}

/// What the caller can do about an empty pack.
fn nothing(reply: &PackReply) -> Vec<String> {
    // The note says what was refused.
    let is_refused = reply.excluded.iter().any(|one| one.is_refused());
    let text = if reply.stats.candidates == 0 && is_refused {
        "Nothing to pack.".to_owned()
    } else if reply.stats.candidates > 0 {
        format!("Nothing fits into {} tokens; raise max_tokens.", reply.budget)
    } else {
        "Nothing found. Use other words (names from the code work best), or drop `paths` and `languages`."
            .to_owned()
    };
    vec![text]
}
