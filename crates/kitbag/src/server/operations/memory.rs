//! `remember`, `recall`, `give_feedback`, and for programs `forget`: what is kept about a project besides its files.

use kitbag_engine::api::{self, Memory, RememberRequest};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::operation::{Asked, Done, arguments};
use super::super::{Operation, Project, Set, lean};
use super::room::{budget, fitting};
use crate::failure::Failure;

const REMEMBER: &str = "remember";
const RECALL: &str = "recall";
const FEEDBACK: &str = "give_feedback";
const FORGET: &str = "forget";
const RECALL_TOKENS: usize = 1_000;
/// Of memories that are looked through for the budget.
const MOST_MEMORIES: usize = 50;

pub(super) const REMEMBER_OPERATION: Operation = Operation {
    name: REMEMBER,
    set: Set::Memory,
    description: "Keep a decision, convention or fact about this repository for later conversations. Not for what the code says itself.",
    read_only: false,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: lean::<RememberArguments>,
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
    run: run_recall,
};

pub(super) const FEEDBACK_OPERATION: Operation = Operation {
    name: FEEDBACK,
    set: Set::Memory,
    description: "Say which items of a pack were useful, or not.",
    read_only: false,
    destructive: false,
    idempotent: false,
    cached: false,
    schema: lean::<FeedbackArguments>,
    run: run_feedback,
};

pub(super) const FORGET_OPERATION: Operation = Operation {
    name: FORGET,
    set: Set::Program,
    description: "Delete a memory by its id.",
    read_only: false,
    destructive: true,
    idempotent: true,
    cached: false,
    schema: lean::<ForgetArguments>,
    run: run_forget,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RememberArguments {
    content: String,
    #[serde(default)]
    kind: Kind,
    /// Paths it is about.
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Decision,
    Tribal,
    Convention,
    #[default]
    Semantic,
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Kind::Decision => "decision",
            Kind::Tribal => "tribal",
            Kind::Convention => "convention",
            Kind::Semantic => "semantic",
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RecallArguments {
    /// Without it: the newest.
    #[serde(default)]
    query: Option<String>,
    /// Default 1000.
    #[serde(default)]
    max_tokens: Option<usize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FeedbackArguments {
    useful: bool,
    /// Citations ([fn-ab12]) or path:first-last.
    items: Vec<String>,
    /// Its id, if known.
    #[serde(default)]
    pack: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ForgetArguments {
    id: i64,
}

fn run_remember(project: &Project, given: Value, asked: &Asked<'_>) -> Result<Done, Failure> {
    let given: RememberArguments = arguments(REMEMBER, given)?;
    let request = RememberRequest {
        user: asked.user.to_owned(),
        content: given.content,
        kind: given.kind.as_str().to_owned(),
        files: given.files,
        tags: given.tags,
    };
    let reply = api::remember(&project.current().engine, &request, asked.now)?;
    let text = if reply.is_new {
        format!("Kept as memory {}.", reply.id)
    } else {
        format!("Known already, as memory {}.", reply.id)
    };
    Ok(Done::new(text, &reply))
}

fn run_recall(project: &Project, given: Value, asked: &Asked<'_>) -> Result<Done, Failure> {
    let given: RecallArguments = arguments(RECALL, given)?;
    let open = project.current();
    let tokens = budget(given.max_tokens, RECALL_TOKENS, None, &open)?;
    let reply = api::recall(&open.engine, asked.user, given.query.as_deref(), MOST_MEMORIES)?;
    let lines: Vec<String> = reply.memories.iter().flat_map(lines).collect();
    let count = |text: &str| open.tokenizer.count(text).tokens;
    let text = if lines.is_empty() {
        "Nothing is remembered about that.".to_owned()
    } else {
        fitting(&lines, tokens, &count)
    };
    Ok(Done {
        ..Done::new(text, &reply)
    })
}

/// `[decision] what, with files` (MEM-2).
fn lines(memory: &Memory) -> Vec<String> {
    let mut text = format!("[{}] {}", memory.kind, memory.content);
    if !memory.files.is_empty() {
        text.push_str(&format!(" ({})", memory.files.join(", ")));
    }
    if !memory.missing_files.is_empty() {
        text.push_str(&format!(
            " (no longer there: {})",
            memory.missing_files.join(", ")
        ));
    }
    text.lines().map(str::to_owned).collect()
}

fn run_feedback(project: &Project, given: Value, asked: &Asked<'_>) -> Result<Done, Failure> {
    let given: FeedbackArguments = arguments(FEEDBACK, given)?;
    let (useful, useless) = api::give_feedback(
        &project.current().engine,
        asked.user,
        &given.pack,
        &given.items,
        given.useful,
        asked.now,
    )?;
    let text = format!("Noted: {useful} items useful, {useless} not, in all.");
    Ok(Done::new(text, &json!({"useful": useful, "not_useful": useless})))
}

fn run_forget(project: &Project, given: Value, asked: &Asked<'_>) -> Result<Done, Failure> {
    let given: ForgetArguments = arguments(FORGET, given)?;
    if !api::forget(&project.current().engine, asked.user, given.id)? {
        let message = format!("no memory {}", given.id);
        return Err(Failure::wrong_use("MEMORY_NOT_FOUND", message));
    }
    Ok(Done::new(
        format!("Forgot memory {}.", given.id),
        &json!({"deleted": given.id}),
    ))
}
