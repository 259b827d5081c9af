//! `project_facts`: facts about a project, one kind per call (INS-1, INS-3 to INS-6, INS-8, INS-13). A kind is one row here.

use kitbag_engine::api::{
    self, CheckDocsReply, CheckDocsRequest, ConstraintsReply, ConstraintsRequest, DataAccessReply,
    EntryPointsReply, Guidance, GuidanceRequest, InsightsRequest, KeyFilesReply, KeyFilesRequest, Pattern,
    PatternsReply, PatternsRequest,
};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::Value;

use super::super::call::{Call, MOST_TOKENS, OperationReply};
use super::super::operation::arguments;
use super::super::project::{AnswerSource, Open};
use super::super::{Operation, Project, Set, answer, choices, lean};
use super::answer_size::{LEAST_TOKENS, budget, fitting, no_index};
use kitbag_door::failure::Failure;

const NAME: &str = "project_facts";
const DEFAULT_TOKENS: usize = 2_000;

pub(super) const OPERATION: Operation = Operation {
    name: NAME,
    set: Set::Admin,
    description: "Facts about this project with their places: entry_points (routes, commands, jobs, events), data_access (who reads or \
                  writes tables), patterns (conventions), constraints (rules), guidance (the most important), key_files, doc_errors \
                  (what documents say that is not true).",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema: facts_schema,
    reply: answer::<Value>,
    run,
};

/// An answer as lines of text and as data.
type FactsAnswer = (Vec<String>, Value);

/// A kind of facts and the function that answers it.
struct Kind {
    name: &'static str,
    run: fn(&Open, &InsightsRequest, bool, &Call<'_>) -> Result<FactsAnswer, Failure>,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "entry_points",
        run: entry_points,
    },
    Kind {
        name: "exports",
        run: exports,
    },
    Kind {
        name: "data_access",
        run: data_access,
    },
    Kind {
        name: "patterns",
        run: patterns,
    },
    Kind {
        name: "constraints",
        run: constraints,
    },
    Kind {
        name: "guidance",
        run: guidance,
    },
    Kind {
        name: "key_files",
        run: key_files,
    },
    Kind {
        name: "doc_errors",
        run: doc_errors,
    },
];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    kind: String,
    #[serde(default)]
    package: Option<String>,
    #[serde(default)]
    paths: Vec<String>,
    /// Default 2000.
    #[serde(default)]
    #[schemars(range(min = LEAST_TOKENS, max = MOST_TOKENS))]
    max_tokens: Option<usize>,
}

fn facts_schema() -> Schema {
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    choices(lean::<Arguments>(), "kind", &names)
}

fn run(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: Arguments = arguments(NAME, given)?;
    let Some(kind) = KINDS.iter().find(|kind| kind.name == given.kind) else {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        let message = format!("unknown kind `{}`; known are {}", given.kind, names.join(", "));
        return Err(Failure::wrong_use("INVALID_KIND", message));
    };
    let open = project.current();
    let AnswerSource::Index { update, .. } = project.answer_source(&open, asked) else {
        return Err(no_index());
    };
    let note = project.note(&open);
    let tokens = budget(given.max_tokens, DEFAULT_TOKENS, note.as_deref(), &open);
    let request = InsightsRequest {
        package: given.package,
        paths: given.paths,
        ..InsightsRequest::default()
    };
    let (lines, data) = (kind.run)(&open, &request, update, asked)?;
    let count = |text: &str| open.tokenizer.count(text).tokens;
    Ok(OperationReply {
        note,
        ..OperationReply::new(fitting(&lines, tokens, &count), &data)
    })
}

fn entry_points(
    open: &Open,
    request: &InsightsRequest,
    update: bool,
    asked: &Call<'_>,
) -> Result<FactsAnswer, Failure> {
    let reply: EntryPointsReply = api::entry_points(&open.engine, request, update, &mut |_| {}, asked.now)?;
    let mut lines: Vec<String> = reply
        .entry_points
        .iter()
        .map(|entry| {
            let what = match entry.method.is_empty() {
                true => format!("{} {}", entry.kind, entry.name),
                false => format!("{} {}", entry.method, entry.path),
            };
            match &entry.handler {
                Some(handler) => format!("{what} → {} {}:{}", handler.name, handler.file, handler.line),
                None => format!("{what} {}:{}", entry.file, entry.line),
            }
        })
        .collect();
    lines.extend(reply.hidden.iter().map(|hidden| {
        format!(
            "not listed: {} {}:{}",
            hidden.what, hidden.at.path, hidden.at.line
        )
    }));
    lines.extend(reply.warnings.iter().map(|warning| format!("warning: {warning}")));
    if lines.is_empty() {
        lines.push("No entry points found.".to_owned());
    }
    Ok((lines, as_data(&reply)))
}

/// What libraries offer: too much to stand among the routes.
fn exports(
    open: &Open,
    request: &InsightsRequest,
    update: bool,
    asked: &Call<'_>,
) -> Result<FactsAnswer, Failure> {
    let request = InsightsRequest {
        kinds: vec!["export".to_owned()],
        ..request.clone()
    };
    entry_points(open, &request, update, asked)
}

fn data_access(
    open: &Open,
    request: &InsightsRequest,
    update: bool,
    asked: &Call<'_>,
) -> Result<FactsAnswer, Failure> {
    let reply: DataAccessReply = api::data_access(&open.engine, request, update, &mut |_| {}, asked.now)?;
    let mut lines: Vec<String> = reply
        .data_accessors
        .iter()
        .map(|accessor| {
            let mark = if accessor.sensitive { " (sensitive)" } else { "" };
            let (does, tables) = (accessor.operations.join(", "), accessor.tables.join(", "));
            format!(
                "{} {does} {tables}{mark} {}:{}",
                accessor.function, accessor.file, accessor.line
            )
        })
        .collect();
    lines.extend(reply.warnings.iter().map(|warning| format!("warning: {warning}")));
    if lines.is_empty() {
        lines.push("No function that touches data found.".to_owned());
    }
    Ok((lines, as_data(&reply)))
}

/// Those first that a reader could not guess.
fn patterns(
    open: &Open,
    request: &InsightsRequest,
    update: bool,
    asked: &Call<'_>,
) -> Result<FactsAnswer, Failure> {
    let request = PatternsRequest {
        package: request.package.clone(),
        paths: request.paths.clone(),
        ..PatternsRequest::default()
    };
    let reply: PatternsReply = api::patterns(&open.engine, &request, update, &mut |_| {}, asked.now)?;
    let mut lines: Vec<String> = reply.patterns.iter().map(told_pattern).collect();
    lines.extend(reply.layers.iter().map(|layer| {
        format!(
            "{} never imports {} (0 of {} imports)",
            layer.from, layer.to, layer.could
        )
    }));
    lines.extend(reply.warnings.iter().map(|warning| format!("warning: {warning}")));
    if lines.is_empty() {
        lines.push("No conventions found.".to_owned());
    }
    Ok((lines, as_data(&reply)))
}

fn guidance(
    open: &Open,
    request: &InsightsRequest,
    update: bool,
    asked: &Call<'_>,
) -> Result<FactsAnswer, Failure> {
    let request = GuidanceRequest {
        package: request.package.clone(),
        path: request.paths.first().cloned(),
    };
    let reply: Guidance = api::guidance(&open.engine, &request, update, &mut |_| {}, asked.now)?;
    let mut lines: Vec<String> = reply.patterns.iter().map(told_pattern).collect();
    let constraints = reply.constraints.iter();
    lines.extend(constraints.map(|one| format!("{} ({}:{})", one.guidance, one.file, one.line)));
    let files = reply.files.iter();
    lines.extend(files.map(|file| format!("{}: {}", file.path, file.reason)));
    lines.extend(reply.insights.iter().cloned());
    lines.extend(reply.warnings.iter().map(|warning| format!("warning: {warning}")));
    Ok((lines, as_data(&reply)))
}

fn told_pattern(one: &Pattern) -> String {
    let example = one.example.as_ref();
    let example = example.map_or(String::new(), |site| format!(" e.g. {}:{}", site.file, site.line));
    let not = one.outliers.first();
    let not = not.map_or(String::new(), |site| format!("; not {}:{}", site.file, site.line));
    let counts = format!("{} of {}", one.occurrences, one.applicable);
    format!("{} ({counts}){example}{not}", one.statement)
}

/// The strongest first, so that the weakest are cut if there is not enough room.
fn constraints(
    open: &Open,
    request: &InsightsRequest,
    _: bool,
    asked: &Call<'_>,
) -> Result<FactsAnswer, Failure> {
    let request = ConstraintsRequest {
        package: request.package.clone(),
        path: request.paths.first().cloned(),
        kind: None,
    };
    let reply: ConstraintsReply = api::constraints(&open.engine, &request, asked.now)?;
    let mut lines = Vec::new();
    for enforcement in ["error", "warning", "info"] {
        let constraints = reply.constraints.iter();
        let of_strength = constraints.filter(|one| one.enforcement == enforcement);
        lines.extend(of_strength.map(|one| {
            let said = match one.kind == "config" {
                true => format!("{}: {}", one.tool, one.guidance),
                false => one.guidance.clone(),
            };
            format!("{enforcement} {said} ({}:{})", one.file, one.line)
        }));
    }
    lines.extend(reply.warnings.iter().map(|warning| format!("warning: {warning}")));
    if lines.is_empty() {
        lines.push("No constraints found.".to_owned());
    }
    Ok((lines, as_data(&reply)))
}

fn key_files(
    open: &Open,
    request: &InsightsRequest,
    _: bool,
    asked: &Call<'_>,
) -> Result<FactsAnswer, Failure> {
    let request = KeyFilesRequest {
        package: request.package.clone(),
        path: request.paths.first().cloned(),
    };
    let reply: KeyFilesReply = api::key_files(&open.engine, &request, &mut |_| {}, asked.now)?;
    let files = reply.key_files.iter();
    let files = files.map(|file| format!("{} (changed {} times)", file.path, file.changes));
    let recent = reply.recent_changes.iter();
    let recent = recent.map(|one| format!("{} {}: {}", one.commit, one.subject, one.files.join(", ")));
    let together = reply.changes_together.iter();
    let together = together.map(|one| format!("changes together: {} ({} times)", one.path, one.changes));
    let warnings = reply.warnings.iter().map(|warning| format!("warning: {warning}"));
    let lines = files.chain(recent).chain(together).chain(warnings).collect();
    Ok((lines, as_data(&reply)))
}

fn doc_errors(
    open: &Open,
    request: &InsightsRequest,
    _: bool,
    asked: &Call<'_>,
) -> Result<FactsAnswer, Failure> {
    let request = CheckDocsRequest {
        files: request.paths.clone(),
    };
    let reply: CheckDocsReply = api::check_docs(&open.engine, &request, asked.now)?;
    let found = reply.findings.iter().map(|one| {
        let nearest = one.nearest.as_deref();
        let nearest = nearest.map_or(String::new(), |nearest| format!("; nearest: {nearest}"));
        let place = format!("{}:{}", one.file, one.line);
        format!("{place} {} `{}`: {}{nearest}", one.kind, one.claim, one.problem)
    });
    let mut lines: Vec<String> = found.collect();
    lines.extend(reply.warnings.iter().map(|warning| format!("warning: {warning}")));
    if lines.is_empty() {
        lines.push("Nothing in the documents is known to be wrong.".to_owned());
    }
    Ok((lines, as_data(&reply)))
}

fn as_data<T: serde::Serialize>(reply: &T) -> Value {
    serde_json::to_value(reply).expect("a reply is made of texts and numbers, which JSON can always hold")
}
