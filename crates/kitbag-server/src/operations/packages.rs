//! `get_package_context` and `list_packages`: the parts of a project that have a manifest of their own.

use kitbag_engine::api::{self, Budget, PackRequest, PackSource, Package};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::operation::{Asked, Done, arguments};
use super::super::project::{Ground, Open};
use super::super::{Operation, Project, Set, lean};
use super::pack::packed;
use super::room::{LEAST_TOKENS, MOST_TOKENS, budget, fitting};
use kitbag_door::failure::Failure;
use kitbag_door::printer::counted;

const CONTEXT: &str = "get_package_context";
const LIST: &str = "list_packages";
const DEFAULT_TOKENS: usize = 4_000;
const LIST_TOKENS: usize = 2_000;

pub(super) const CONTEXT_OPERATION: Operation = Operation {
    name: CONTEXT,
    set: Set::Core,
    description: "What one package (workspace member, module) of this repository contains: its manifest, main types and entry points. \
                  Use it before working inside a package you do not know.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema: lean::<ContextArguments>,
    run: run_context,
};

pub(super) const LIST_OPERATION: Operation = Operation {
    name: LIST,
    set: Set::Admin,
    description: "The packages of this repository: name, folder, package manager, number of files.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: lean::<ListArguments>,
    run: run_list,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ContextArguments {
    /// Name or folder.
    package: String,
    /// What you want to do there; otherwise an overview.
    #[serde(default)]
    task: Option<String>,
    /// Default 4000.
    #[serde(default)]
    #[schemars(range(min = LEAST_TOKENS, max = MOST_TOKENS))]
    max_tokens: Option<usize>,
    #[serde(default)]
    session: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListArguments {
    /// Default 2000.
    #[serde(default)]
    #[schemars(range(min = LEAST_TOKENS, max = MOST_TOKENS))]
    max_tokens: Option<usize>,
}

fn run_context(project: &Project, given: Value, asked: &Asked<'_>) -> Result<Done, Failure> {
    let given: ContextArguments = arguments(CONTEXT, given)?;
    let open = project.current();
    let Ground::Index { update, .. } = project.ground(&open, asked) else {
        return not_yet(project, &open);
    };
    let note = project.note(&open);
    let tokens = budget(given.max_tokens, DEFAULT_TOKENS, note.as_deref(), &open);
    let package = api::find_package(&open.engine, &given.package)?;
    let (paths, task) = match package.path.as_str() {
        "" => (Vec::new(), format!("overview of {}", package.name)),
        path => (
            vec![format!("{}/**", literal(path))],
            format!("overview of the package {} in {path}", package.name),
        ),
    };
    let manifest = package.manifest.map(|path| PackSource {
        kind: "reference".to_owned(),
        path: Some(path),
        pinned: true,
        ..PackSource::default()
    });
    let request = PackRequest {
        sources: manifest.into_iter().collect(),
        paths,
        session: asked.session(given.session),
        update,
        door: asked.words(),
        stop: asked.stopping(),
        ..PackRequest::new(
            given.task.unwrap_or(task),
            Budget::Tokens(tokens),
            &open.tokenizer,
        )
    };
    Ok(Done {
        note,
        ..packed(project, &open, &request, asked)?
    })
}

fn run_list(project: &Project, given: Value, asked: &Asked<'_>) -> Result<Done, Failure> {
    let given: ListArguments = arguments(LIST, given)?;
    let open = project.current();
    let Ground::Index { .. } = project.ground(&open, asked) else {
        return not_yet(project, &open);
    };
    let note = project.note(&open);
    let tokens = budget(given.max_tokens, LIST_TOKENS, note.as_deref(), &open);
    let packages = api::packages(&open.engine)?;
    let line = |package: &Package| {
        let path = if package.path.is_empty() {
            "."
        } else {
            &package.path
        };
        format!(
            "{} {path} {} {}",
            package.name,
            package.manager,
            counted(package.files, "file")
        )
    };
    let lines: Vec<String> = packages.iter().map(line).collect();
    let count = |text: &str| open.tokenizer.count(text).tokens;
    Ok(Done {
        note,
        ..Done::new(fitting(&lines, tokens, &count), &json!({"packages": packages}))
    })
}

/// A folder as a glob that matches it and nothing else.
fn literal(folder: &str) -> String {
    folder
        .chars()
        .map(|c| match c {
            '[' | ']' | '{' | '}' | '*' | '?' | '!' => format!("[{c}]"),
            c => c.to_string(),
        })
        .collect()
}

/// Packages are told from the index.
fn not_yet(project: &Project, open: &Open) -> Result<Done, Failure> {
    let text = "Packages are not known before the index is; ask again in a moment.".to_owned();
    Ok(Done {
        note: project.note(open),
        ..Done::new(text, &json!({"packages": []}))
    })
}
