//! `remember`, `recall`, `give_feedback`, and for programs `forget`: what is kept about a project besides its files.

use kitbag_engine::Engine;
use kitbag_engine::api::{self, Memory, PackSource, RecallReply, RememberReply, RememberRequest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::call::{Call, MOST_TOKENS, OperationReply};
use super::super::operation::arguments;
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::{LEAST_TOKENS, budget, fitting};
use kitbag_door::failure::Failure;

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

pub(super) const FEEDBACK_OPERATION: Operation = Operation {
    name: FEEDBACK,
    set: Set::Memory,
    description: "Say which items of a pack were useful, or not.",
    read_only: false,
    destructive: false,
    idempotent: false,
    cached: false,
    schema: lean::<FeedbackArguments>,
    reply: answer::<Feedback>,
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
    reply: answer::<Forgotten>,
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
    #[schemars(range(min = LEAST_TOKENS, max = MOST_TOKENS))]
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

/// Up to here every whole number is exact in JSON.
const LAST_ID: i64 = (1 << 53) - 1;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ForgetArguments {
    #[schemars(range(min = 1, max = LAST_ID))]
    id: i64,
}

/// How many items were called useful and not, in all.
#[derive(Serialize, JsonSchema)]
struct Feedback {
    useful: u64,
    not_useful: u64,
}

#[derive(Serialize, JsonSchema)]
struct Forgotten {
    deleted: i64,
}

fn run_remember(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: RememberArguments = arguments(REMEMBER, given)?;
    let request = RememberRequest {
        content: given.content,
        kind: api::MemoryKind::parse(given.kind.as_str()).unwrap_or_default(),
        cites: given.files,
        tags: given.tags,
        ..RememberRequest::default()
    };
    let reply = api::remember(&project.current().engine, asked.user, &request, asked.now)?;
    let text = if reply.is_new {
        format!("Kept as memory {}.", reply.id)
    } else {
        format!("Known already, as memory {}.", reply.id)
    };
    let mut done = OperationReply::new(text, &reply);
    // `/add_context` is a road to here, and its name could be taken for another promise.
    done.data["indexed"] = json!(false);
    Ok(done)
}

fn run_recall(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: RecallArguments = arguments(RECALL, given)?;
    let open = project.current();
    let tokens = budget(given.max_tokens, RECALL_TOKENS, None, &open);
    let request = api::RecallRequest {
        query: given.query,
        limit: Some(MOST_MEMORIES),
        ..api::RecallRequest::default()
    };
    let reply = api::recall(&open.engine, asked.user, &request, asked.now)?;
    let lines: Vec<String> = reply.memories.iter().flat_map(lines).collect();
    let count = |text: &str| open.tokenizer.count(text).tokens;
    let text = if lines.is_empty() {
        "Nothing is remembered about that.".to_owned()
    } else {
        fitting(&lines, tokens, &count)
    };
    Ok(OperationReply {
        ..OperationReply::new(text, &reply)
    })
}

/// `[decision] what, with files` (MEM-2).
fn lines(memory: &Memory) -> Vec<String> {
    let mut text = format!("[{}] {}", memory.kind, memory.content);
    if !memory.files.is_empty() {
        text.push_str(&format!(" ({})", memory.files.join(", ")));
    }
    text.lines().map(str::to_owned).collect()
}

fn run_feedback(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: FeedbackArguments = arguments(FEEDBACK, given)?;
    let open = project.current();
    known_items(&open.engine, asked.user, &given)?;
    let (useful, useless) = api::give_feedback(
        &open.engine,
        asked.user,
        &given.pack,
        &given.items,
        given.useful,
        asked.now,
    )?;
    let text = format!("Noted: {useful} items useful, {useless} not, in all.");
    Ok(OperationReply::new(
        text,
        &Feedback {
            useful,
            not_useful: useless,
        },
    ))
}

/// Refuses feedback about what nobody was sent: it would count for nothing, or for something else.
fn known_items(engine: &Engine, user: &str, given: &FeedbackArguments) -> Result<(), Failure> {
    let kept = api::kept_packs(engine, user)?;
    let ids: Vec<&String> = kept
        .iter()
        .filter(|id| given.pack.is_empty() || **id == given.pack)
        .collect();
    if ids.is_empty() && !given.pack.is_empty() {
        let message = format!("no pack `{}` is kept; only the latest are", given.pack);
        return Err(Failure::wrong_use("PACK_UNKNOWN", message).with_hint("leave out `pack`"));
    }
    let mut unknown: Vec<&String> = given
        .items
        .iter()
        .filter(|item| !is_place(engine, item))
        .collect();
    for id in ids {
        if unknown.is_empty() {
            break;
        }
        let saved = api::kept_pack(engine, user, id)?;
        let items = saved.map(|saved| saved.reply.items).unwrap_or_default();
        let is_cited = |named: &str| {
            let bare = named.trim().trim_start_matches('[').trim_end_matches(']');
            items.iter().any(|item| item.citation == bare)
        };
        unknown.retain(|named| !is_cited(named));
    }
    if unknown.is_empty() {
        return Ok(());
    }
    let shown: Vec<String> = unknown.iter().take(5).map(|item| format!("`{item}`")).collect();
    let message = format!(
        "no kept pack has an item {}, and it is not a place in this project",
        shown.join(", ")
    );
    Err(Failure::wrong_use("ITEM_NOT_FOUND", message)
        .with_hint("name items as a pack does: its citation, such as [fn-ab12], or path:first-last"))
}

/// `path:first-last`: lines that a file of the project has. Answers to questions name places in this way, too.
fn is_place(engine: &Engine, named: &str) -> bool {
    let named = named.trim();
    let range = |lines: &str| -> Option<(u32, u32)> {
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        (1 <= first && first <= last).then_some((first, last))
    };
    let Some((path, (first, last))) = named
        .rsplit_once(':')
        .and_then(|(path, lines)| Some((path, range(lines)?)))
    else {
        return false;
    };
    // Each end alone: a range that begins in the file may end behind it.
    let at = |line: u32| PackSource {
        kind: "reference".to_owned(),
        path: Some(path.to_owned()),
        line_start: Some(line),
        line_end: Some(line),
        ..PackSource::default()
    };
    api::unusable_sources(engine, &[at(first), at(last)]).is_empty()
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
