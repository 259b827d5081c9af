//! `list_packages` and `get_package_context`: the packages of a project, their dependencies, what a change affects, and what
//! one package contains.

use kitbag_engine::Scope;
use kitbag_engine::api::{self, PackReply, PackRequest, Package, PackagesReply, PackagesRequest};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::call::{Call, MOST_TOKENS, OperationReply};
use super::super::operation::arguments;
use super::super::project::{AnswerSource, Open};
use super::super::{Operation, Project, Set, answer, choices, lean};
use super::answer_size::{LEAST_TOKENS, budget, fitting, pack_tokens};
use super::pack::packed;
use kitbag_door::failure::Failure;
use kitbag_door::printer::counted;

const CONTEXT: &str = "get_package_context";
const LIST: &str = "list_packages";
const LIST_TOKENS: usize = 2_000;

pub(super) const CONTEXT_OPERATION: Operation = Operation {
    name: CONTEXT,
    set: Set::Core,
    description: "What to know of one package before working in it: what it is, how it is tested, rules, conventions, entry points, \
                  key files.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: true,
    schema: lean::<ContextArguments>,
    reply: answer::<PackReply>,
    run: run_context,
};

pub(super) const LIST_OPERATION: Operation = Operation {
    name: LIST,
    set: Set::Admin,
    description: "The packages of this repository and what they depend on; what a change of files reaches; the graph.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: list_schema,
    reply: answer::<PackagesReply>,
    run: run_list,
};

// How many packages around one a question covers. Not a doc comment: it would be in the schema of every tool and cost tokens.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PackageScope {
    Package,
    CrossPackage,
    Repo,
}

impl From<PackageScope> for Scope {
    fn from(within: PackageScope) -> Scope {
        match within {
            PackageScope::Package => Scope::Package,
            PackageScope::CrossPackage => Scope::CrossPackage,
            PackageScope::Repo => Scope::Repo,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Depth {
    Overview,
    #[default]
    Standard,
    Deep,
}

impl Depth {
    fn as_str(self) -> &'static str {
        match self {
            Depth::Overview => "overview",
            Depth::Standard => "standard",
            Depth::Deep => "deep",
        }
    }

    /// The tokens of an answer of this depth.
    fn tokens(self) -> usize {
        match self {
            Depth::Overview => 2_000,
            Depth::Standard => 6_000,
            Depth::Deep => 12_000,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ContextArguments {
    /// Name or folder.
    package: String,
    /// Brings code too.
    #[serde(default)]
    task: Option<String>,
    #[serde(default)]
    depth: Option<Depth>,
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
    /// Only this one: name or folder.
    #[serde(default)]
    package: Option<String>,
    /// Files or folders that change: what do they reach?
    #[serde(default)]
    affected_by: Vec<String>,
    /// The same for a git diff: `main`, `a..b`.
    #[serde(default)]
    diff: Option<String>,
    #[serde(default)]
    graph: Option<String>,
    /// Default 2000.
    #[serde(default)]
    #[schemars(range(min = LEAST_TOKENS, max = MOST_TOKENS))]
    max_tokens: Option<usize>,
}

fn list_schema() -> Schema {
    choices(lean::<ListArguments>(), "graph", &api::GRAPH_FORMS)
}

fn run_context(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: ContextArguments = arguments(CONTEXT, given)?;
    let open = project.current();
    let AnswerSource::Index { update, .. } = project.answer_source(&open, asked) else {
        return not_yet(project, &open);
    };
    let note = project.note(&open);
    let default = given.depth.unwrap_or_default().tokens().min(pack_tokens(&open));
    let request = PackRequest {
        task: given.task.unwrap_or_default(),
        depth: given.depth.map(|depth| depth.as_str().to_owned()),
        include_dependencies: matches!(given.depth, Some(Depth::Deep)),
        packages: vec![given.package],
        session: asked.session(given.session),
        update,
        watched: !update,
        user: asked.user,
        door: asked.words(),
        stop: asked.stopping(),
        ..PackRequest::new(
            String::new(),
            budget(given.max_tokens, default, note.as_deref(), &open),
            &open.tokenizer,
        )
    };
    Ok(OperationReply {
        note,
        ..packed(project, &open, &request, asked)?
    })
}

fn run_list(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: ListArguments = arguments(LIST, given)?;
    let open = project.current();
    // Before there is an index, the manifests themselves are read.
    let update = match project.answer_source(&open, asked) {
        AnswerSource::Index { update, .. } => update,
        _ => false,
    };
    let note = project.note(&open);
    let tokens = budget(given.max_tokens, LIST_TOKENS, note.as_deref(), &open);
    let request = PackagesRequest {
        package: given.package,
        graph: given.graph,
        affected_by: given.affected_by,
        diff: given.diff,
    };
    let reply = api::packages(&open.engine, &request, update, &mut |_| {}, asked.now)?;
    let count = |text: &str| open.tokenizer.count(text).tokens;
    Ok(OperationReply {
        note,
        ..OperationReply::new(fitting(&lines(&reply), tokens, &count), &reply)
    })
}

/// As text: the graph or what is affected if requested, else the packages.
fn lines(reply: &PackagesReply) -> Vec<String> {
    let mut lines: Vec<String> = match (&reply.graph, &reply.affected) {
        (Some(graph), _) => graph.lines().map(str::to_owned).collect(),
        (None, Some(affected)) if affected.is_empty() => vec!["The change reaches no package.".to_owned()],
        (None, Some(affected)) => affected
            .iter()
            .map(|one| format!("{} {} (distance {})", one.name, one.path, one.distance))
            .collect(),
        (None, None) => reply.packages.iter().map(with_dependencies).collect(),
    };
    lines.extend(reply.undeclared.iter().map(|import| {
        let place = format!("{}:{}", import.first.path, import.first.line);
        format!("not declared: {} imports {} at {place}", import.from, import.to)
    }));
    lines.extend(reply.warnings.iter().map(|warning| format!("warning: {warning}")));
    lines
}

fn with_dependencies(package: &Package) -> String {
    match package.internal_dependencies.is_empty() {
        true => line(package),
        false => format!("{} → {}", line(package), package.internal_dependencies.join(", ")),
    }
}

fn line(package: &Package) -> String {
    let version = package
        .version
        .as_deref()
        .map_or(String::new(), |text| format!(" {text}"));
    let files = counted(package.files, "file");
    format!(
        "{}{version} {} {} {files}",
        package.name, package.path, package.manager
    )
}

/// The answer before there is an index, which a package's context needs.
fn not_yet(project: &Project, open: &Open) -> Result<OperationReply, Failure> {
    let text = "What a package contains is not known before the index is; list_packages names them, and query_context finds code."
        .to_owned();
    Ok(OperationReply {
        note: project.note(open),
        ..OperationReply::new(text, &json!({"packages": []}))
    })
}
