//! `remember`, `recall`, `forget`, and for programs `check_memories`, `merge_memories`, `import_memories`, `export_memories`:
//! memories about a project.

use kitbag_engine::api::{
    self, CheckMemoriesReply, ExportMemoriesReply, ImportMemoriesReply, ImportMemoriesRequest,
    MergeMemoriesReply, MergeMemoriesRequest, RecallReply, RecallRequest, RememberReply, RememberRequest,
};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::call::{Call, MOST_TOKENS, OperationReply};
use super::super::operation::{NoArguments, arguments};
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::{LEAST_TOKENS, budget, fitting};
use kitbag_door::failure::Failure;

const REMEMBER: &str = "remember";
const RECALL: &str = "recall";
const FORGET: &str = "forget";
const CHECK: &str = "check_memories";
const MERGE: &str = "merge_memories";
const IMPORT: &str = "import_memories";
const EXPORT: &str = "export_memories";
const RECALL_TOKENS: usize = 1_000;
/// The most memories that are considered for the budget.
const MOST_MEMORIES: usize = 50;

pub(super) const REMEMBER_OPERATION: Operation = Operation {
    name: REMEMBER,
    set: Set::Memory,
    description: "Keep a decision, convention or fact about this repository for later conversations. Not for what the code says itself.",
    read_only: false,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: lean::<RememberRequest>,
    reply: answer::<RememberReply>,
    run: run_remember,
};

pub(super) const RECALL_OPERATION: Operation = Operation {
    name: RECALL,
    set: Set::Memory,
    description: "What was remembered about a subject in this repository.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: lean::<RecallArguments>,
    reply: answer::<RecallReply>,
    run: run_recall,
};

pub(super) const FORGET_OPERATION: Operation = Operation {
    name: FORGET,
    set: Set::Memory,
    description: "Delete a memory by its id.",
    read_only: false,
    destructive: true,
    idempotent: true,
    cached: false,
    schema: lean::<ForgetArguments>,
    reply: answer::<Forgotten>,
    run: run_forget,
};

/// An operation for programs only.
const fn for_programs(
    name: &'static str,
    description: &'static str,
    read_only: bool,
    schemas: [fn() -> Schema; 2],
    run: fn(&Project, Value, &Call<'_>) -> Result<OperationReply, Failure>,
) -> Operation {
    Operation {
        name,
        set: Set::Program,
        description,
        read_only,
        destructive: false,
        idempotent: true,
        cached: false,
        schema: schemas[0],
        reply: schemas[1],
        run,
    }
}

pub(super) const CHECK_OPERATION: Operation = for_programs(
    CHECK,
    "Check memories against the code: what changed, and since which commit.",
    true,
    [lean::<CheckArguments>, answer::<CheckMemoriesReply>],
    run_check,
);

pub(super) const MERGE_OPERATION: Operation = for_programs(
    MERGE,
    "Make one memory of several.",
    false,
    [lean::<MergeMemoriesRequest>, answer::<MergeMemoriesReply>],
    run_merge,
);

pub(super) const IMPORT_OPERATION: Operation = for_programs(
    IMPORT,
    "Read memories from decision records, AGENTS.md, CLAUDE.md, CONTRIBUTING, trailers of commits, or an export.",
    false,
    [lean::<ImportMemoriesRequest>, answer::<ImportMemoriesReply>],
    run_import,
);

pub(super) const EXPORT_OPERATION: Operation = for_programs(
    EXPORT,
    "Memories as a text that merges in git.",
    true,
    [lean::<NoArguments>, answer::<ExportMemoriesReply>],
    run_export,
);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CheckArguments {
    /// Without ids: all.
    #[serde(default)]
    ids: Vec<i64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RecallArguments {
    /// Without it: all.
    #[serde(default)]
    query: Option<String>,
    /// About these paths.
    #[serde(default)]
    files: Vec<String>,
    /// About these names.
    #[serde(default)]
    symbols: Vec<String>,
    /// Default 1000.
    #[serde(default)]
    #[schemars(range(min = LEAST_TOKENS, max = MOST_TOKENS))]
    max_tokens: Option<usize>,
}

/// Every whole number up to this one is exact in JSON.
pub(super) const LAST_ID: i64 = (1 << 53) - 1;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ForgetArguments {
    #[schemars(range(min = 1, max = LAST_ID))]
    id: i64,
}

#[derive(Serialize, JsonSchema)]
struct Forgotten {
    deleted: i64,
}

fn run_remember(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let request: RememberRequest = arguments(REMEMBER, given)?;
    let reply = api::remember(&project.current().engine, asked.user, &request, asked.now)?;
    Ok(OperationReply::new(remembered(&reply), &reply))
}

/// The result, and what would improve the memory.
fn remembered(reply: &RememberReply) -> String {
    let mut text = if reply.is_new {
        format!("Kept as memory {}.", reply.id)
    } else {
        format!("Known already, as memory {}.", reply.id)
    };
    for like in &reply.like {
        let how = if like.how == "contradicts" {
            "It contradicts"
        } else {
            "It is like"
        };
        text.push_str(&format!("\n{how} memory {}: {}", like.id, like.content));
    }
    if reply.cited == 0 {
        text.push_str("\nIt cites nothing, so nobody can tell when it becomes wrong: it is let go after 90 days without use.");
        if !reply.nearest.is_empty() {
            let near: Vec<&str> = reply.nearest.iter().map(|symbol| symbol.cite.as_str()).collect();
            text.push_str(&format!(
                " Remember it again with `cites`, for example {}.",
                near.join(", ")
            ));
        }
    }
    text
}

fn run_recall(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: RecallArguments = arguments(RECALL, given)?;
    let open = project.current();
    let tokens = budget(given.max_tokens, RECALL_TOKENS, None, &open);
    let request = RecallRequest {
        query: given.query,
        files: given.files,
        symbols: given.symbols,
        limit: Some(MOST_MEMORIES),
        ..RecallRequest::default()
    };
    let reply = api::recall(&open.engine, asked.user, &request, asked.now)?;
    let lines: Vec<String> = reply
        .memories
        .iter()
        .flat_map(|memory| memory.line.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let count = |text: &str| open.tokenizer.count(text).tokens;
    let text = if lines.is_empty() {
        "Nothing is remembered about that.".to_owned()
    } else {
        fitting(&lines, tokens, &count)
    };
    Ok(OperationReply::new(text, &reply))
}

fn run_forget(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: ForgetArguments = arguments(FORGET, given)?;
    if !api::forget(&project.current().engine, asked.user, given.id)? {
        let message = format!("no memory {}", given.id);
        return Err(Failure::wrong_use("MEMORY_NOT_FOUND", message));
    }
    Ok(OperationReply::new(
        format!("Forgot memory {}.", given.id),
        &Forgotten { deleted: given.id },
    ))
}

fn run_check(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: CheckArguments = arguments(CHECK, given)?;
    let reply = api::check_memories(&project.current().engine, asked.user, &given.ids, asked.now)?;
    let text = format!(
        "{} fresh, {} uncited, {} drifted, {} orphaned.",
        reply.fresh, reply.uncited, reply.drifted, reply.orphaned
    );
    Ok(OperationReply::new(text, &reply))
}

fn run_merge(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let request: MergeMemoriesRequest = arguments(MERGE, given)?;
    let reply = api::merge_memories(&project.current().engine, asked.user, &request)?;
    Ok(OperationReply::new(
        format!("Merged into memory {}.", reply.id),
        &reply,
    ))
}

fn run_import(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let request: ImportMemoriesRequest = arguments(IMPORT, given)?;
    let reply = api::import_memories(&project.current().engine, asked.user, &request, asked.now)?;
    let text = format!("{} kept, {} known already.", reply.added.len(), reply.known);
    Ok(OperationReply::new(text, &reply))
}

fn run_export(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let NoArguments {} = arguments(EXPORT, given)?;
    let reply = api::export_memories(&project.current().engine, asked.user)?;
    Ok(OperationReply::new(reply.text.clone(), &reply))
}
