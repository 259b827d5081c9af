//! Threads: conversations that packs are made for (MEM-4). Messages and references are appended; the pack for a message draws on the
//! references, on files that were lately served or opened, on search, and on the last messages, each scored by one formula.

mod candidates;

use kitbag_rank::thread::{ThreadFacts, ThreadOrigin, similarities, thread_score};
use kitbag_store::{MessageRow, ThreadRow};
use kitbag_tokens::Tokenizer;
use kitbag_types::Timestamp;
use kitbag_types::terms::terms_of;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

use super::memory::with_snapshot;
use crate::matched::rounded;
use crate::request::MAX_BUDGET;
use crate::{AnswerKind, Engine, EngineError, NewAnswer};
use candidates::{ThreadCandidate, candidates};

pub const THREAD_TOKENS: usize = 4_000;
pub const SYSTEM_TOKENS: usize = 500;
const MAX_NAME_BYTES: usize = 200;
const MAX_MESSAGE_BYTES: usize = 64 << 10;
const MOST_APPENDED: usize = 200;
const ROLES: [&str; 4] = ["user", "assistant", "system", "tool"];

/// What is appended to a thread. It is made if there is none of this name.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AppendRequest {
    #[serde(alias = "threadId")]
    pub thread: String,
    #[serde(default)]
    pub messages: Vec<ThreadMessage>,
    /// Paths, or path:first-last, that belong to the conversation.
    #[serde(default)]
    pub references: Vec<String>,
    /// Paths that were opened.
    #[serde(default)]
    pub opened: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThreadMessage {
    /// `user`, `assistant`, `system` or `tool`.
    pub role: String,
    pub text: String,
    /// Milliseconds since 1970; without it, now.
    #[serde(default)]
    pub at: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ThreadReply {
    pub thread: String,
    pub messages: Vec<ThreadMessage>,
    pub references: Vec<String>,
    /// Lately served or opened.
    pub files: Vec<String>,
    pub created: i64,
    pub last_used: i64,
}

/// The pack for a message.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BuildRequest {
    #[serde(alias = "threadId")]
    pub thread: String,
    pub message: String,
    /// All that the model is sent; 4000 unless told.
    #[serde(default, alias = "maxTokens")]
    #[schemars(range(min = 0, max = MAX_BUDGET))]
    pub max_tokens: Option<usize>,
    /// Of that, for the system prompt; 500 unless told.
    #[serde(default, alias = "systemTokens")]
    #[schemars(range(min = 0, max = MAX_BUDGET))]
    pub system_tokens: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BuildReply {
    pub thread: String,
    pub text: String,
    pub tokens: usize,
    pub budget: usize,
    /// Best first.
    pub items: Vec<ThreadItem>,
    /// How many of each origin are in: reference, file, chunk, message.
    pub counts: BTreeMap<String, usize>,
    /// How many of each origin did not fit.
    pub left_out: BTreeMap<String, usize>,
    pub warnings: Vec<String>,
    /// The same was asked less than half a minute ago, and nothing that the answer used has changed.
    pub cache_hit: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ThreadItem {
    /// For feedback: `contextItemId`.
    pub id: String,
    /// `[src/cart.rs:10-24]`, or `[user]`.
    pub citation: String,
    pub origin: String,
    pub score: f64,
    pub similarity: f64,
    pub keywords: f64,
    pub age_hours: f64,
    pub uses: u32,
    pub tokens: usize,
}

fn invalid(message: impl Into<String>) -> EngineError {
    EngineError::Invalid {
        code: "INVALID_THREAD",
        message: message.into(),
    }
}

fn check_name(name: &str) -> Result<(), EngineError> {
    let is_fine = (1..=MAX_NAME_BYTES).contains(&name.len()) && !name.contains(char::is_control);
    is_fine.then_some(()).ok_or_else(|| {
        invalid(format!(
            "a thread's name has 1 to {MAX_NAME_BYTES} bytes and no control characters"
        ))
    })
}

pub fn append_to_thread(
    engine: &Engine,
    user: &str,
    request: &AppendRequest,
    now: Timestamp,
) -> Result<ThreadReply, EngineError> {
    check_name(&request.thread)?;
    let n = request.messages.len() + request.references.len() + request.opened.len();
    if n > MOST_APPENDED {
        return Err(invalid(format!(
            "at most {MOST_APPENDED} messages and places are taken at a time"
        )));
    }
    let mut messages = Vec::new();
    for message in &request.messages {
        if !ROLES.contains(&message.role.as_str()) {
            let known = ROLES.join(", ");
            return Err(invalid(format!(
                "unknown role `{}`; known are {known}",
                message.role
            )));
        }
        if message.text.len() > MAX_MESSAGE_BYTES {
            return Err(invalid(format!(
                "a message has at most {MAX_MESSAGE_BYTES} bytes"
            )));
        }
        messages.push(MessageRow {
            role: message.role.clone(),
            text: engine.tree.redact(&message.text).0.into_owned(),
            at: message.at.map_or(now, Timestamp),
        });
    }
    let mut places = Vec::new();
    for (kind, given) in [("reference", &request.references), ("opened", &request.opened)] {
        for place in given {
            places.push((kind, known_place(engine, place)?));
        }
    }
    engine.journal(|journal| journal.add_to_thread(user, &request.thread, &messages, &places, now))?;
    thread(engine, user, &request.thread)
}

/// The place, with its path as the project has it. It must be a file that may be shown.
fn known_place(engine: &Engine, place: &str) -> Result<String, EngineError> {
    let (path, lines) = match place.rsplit_once(':') {
        Some((path, lines)) if lines.chars().all(|c| c.is_ascii_digit() || c == '-') && !lines.is_empty() => {
            (path, format!(":{lines}"))
        }
        _ => (place, String::new()),
    };
    let path = engine.tree.resolve(std::path::Path::new(path), engine.root())?;
    if engine.tree.denied(&path).is_some() || engine.tree.stamp(&path).is_none() {
        return Err(invalid(format!(
            "no file `{path}` that may be shown in this project"
        )));
    }
    Ok(format!("{path}{lines}"))
}

pub fn thread(engine: &Engine, user: &str, name: &str) -> Result<ThreadReply, EngineError> {
    let row = row(engine, user, name)?;
    let of = |kinds: &[&str]| -> Vec<String> {
        let places = row
            .places
            .iter()
            .filter(|place| kinds.contains(&place.kind.as_str()));
        places.map(|place| place.place.clone()).collect()
    };
    Ok(ThreadReply {
        thread: row.id.clone(),
        references: of(&["reference"]),
        files: of(&["served", "opened"]),
        created: row.created.0,
        last_used: row.last_used.0,
        messages: row
            .messages
            .iter()
            .map(|message| ThreadMessage {
                role: message.role.clone(),
                text: message.text.clone(),
                at: Some(message.at.0),
            })
            .collect(),
    })
}

fn row(engine: &Engine, user: &str, name: &str) -> Result<ThreadRow, EngineError> {
    let found = engine.journal(|journal| journal.thread(user, name))?;
    found.ok_or_else(|| EngineError::Invalid {
        code: "THREAD_NOT_FOUND",
        message: format!("no thread `{name}`"),
    })
}

/// The names of a user's threads, the last used first.
pub fn threads(engine: &Engine, user: &str) -> Result<Vec<String>, EngineError> {
    Ok(engine.journal(|journal| journal.threads(user))?)
}

/// False: the user has none of this name.
pub fn delete_thread(engine: &Engine, user: &str, name: &str) -> Result<bool, EngineError> {
    Ok(engine.journal(|journal| journal.delete_thread(user, name))?)
}

/// The pack for a message. What it serves is noted in the thread; the message itself is not appended. Asked again within half a minute,
/// the answer is the same as long as nothing that it used has changed (ENG-60).
pub fn build_for_thread(
    engine: &Engine,
    user: &str,
    request: &BuildRequest,
    tokenizer: &Tokenizer,
    now: Timestamp,
) -> Result<BuildReply, EngineError> {
    check_name(&request.thread)?;
    if request.message.trim().is_empty() || request.message.len() > MAX_MESSAGE_BYTES {
        return Err(invalid(format!("a message has 1 to {MAX_MESSAGE_BYTES} bytes")));
    }
    let fields = serde_json::to_string(request).unwrap_or_default();
    let question = format!("thread\0{user}\0{}\0{fields}", tokenizer.name());
    let mark = engine.data_mark();
    if let Some(kept) = mark
        .as_ref()
        .and_then(|mark| engine.kept_answer::<BuildReply>(&question, mark, now))
    {
        return Ok(BuildReply {
            cache_hit: true,
            ..kept
        });
    }
    let reply = built(engine, user, request, tokenizer, now)?;
    if let Some(mark) = mark.filter(|_| reply.warnings.is_empty()) {
        let places = reply.items.iter().map(|item| item.id.as_str());
        let paths: BTreeSet<&str> = places
            .map(|place| place.rsplit_once(':').map_or(place, |(path, _)| path))
            .collect();
        let new = NewAnswer {
            question,
            kind: AnswerKind::Thread,
            mark,
            weight: 2 * reply.text.len() + 500 * reply.items.len(),
            answer: reply.clone(),
        };
        engine.keep_answer(new, &paths.into_iter().collect::<Vec<_>>(), now);
    }
    Ok(reply)
}

fn built(
    engine: &Engine,
    user: &str,
    request: &BuildRequest,
    tokenizer: &Tokenizer,
    now: Timestamp,
) -> Result<BuildReply, EngineError> {
    let row = engine
        .journal(|journal| journal.thread(user, &request.thread))?
        .unwrap_or_default();
    let total = request.max_tokens.unwrap_or(THREAD_TOKENS);
    let budget = total.saturating_sub(request.system_tokens.unwrap_or(SYSTEM_TOKENS));
    let mut warnings = Vec::new();
    let found = with_snapshot(engine, |snapshot| {
        candidates(engine, snapshot, &row, &request.message, &mut warnings)
    })?;
    let scored = scored(&request.message, found, now);
    let mut reply = BuildReply {
        thread: request.thread.clone(),
        text: String::new(),
        tokens: 0,
        budget,
        items: Vec::new(),
        counts: BTreeMap::new(),
        left_out: BTreeMap::new(),
        warnings,
        cache_hit: false,
    };
    let mut served = Vec::new();
    for (candidate, facts, score) in scored {
        let block = candidate.block();
        let longer = format!("{}{block}", reply.text);
        let tokens = tokenizer.count(&longer).tokens;
        let origin = candidate.origin.as_str().to_owned();
        if tokens > budget {
            *reply.left_out.entry(origin).or_default() += 1;
            continue;
        }
        *reply.counts.entry(origin.clone()).or_default() += 1;
        reply.items.push(ThreadItem {
            id: candidate.place.clone(),
            citation: candidate.citation(),
            origin,
            score: rounded(score),
            similarity: rounded(facts.similarity),
            keywords: rounded(facts.keywords),
            age_hours: rounded(facts.age_hours),
            uses: facts.uses,
            tokens: tokens - reply.tokens,
        });
        reply.tokens = tokens;
        reply.text = longer;
        if candidate.origin != ThreadOrigin::Message {
            served.push(("served", candidate.place));
        }
    }
    // What came up once may come up again; that it could not be noted does not spoil the answer.
    let _ = engine.journal(|journal| journal.add_to_thread(user, &request.thread, &[], &served, now));
    reply.warnings.extend(engine.take_notices());
    Ok(reply)
}

fn scored(
    message: &str,
    found: Vec<ThreadCandidate>,
    now: Timestamp,
) -> Vec<(ThreadCandidate, ThreadFacts, f64)> {
    let asked = terms_of(message);
    let wanted: BTreeSet<&String> = asked.iter().collect();
    let texts: Vec<Vec<String>> = found.iter().map(|one| terms_of(&one.text)).collect();
    let similarity = similarities(&asked, &texts);
    let mut scored: Vec<(ThreadCandidate, ThreadFacts, f64)> = found
        .into_iter()
        .zip(texts.iter().zip(similarity))
        .map(|(candidate, (terms, similarity))| {
            let has: BTreeSet<&String> = terms.iter().collect();
            let n_has = wanted.iter().filter(|term| has.contains(**term)).count();
            let facts = ThreadFacts {
                similarity,
                keywords: n_has as f64 / wanted.len().max(1) as f64,
                age_hours: candidate
                    .at
                    .map_or(0.0, |at| (now.0 - at.0).max(0) as f64 / 3_600_000.0),
                origin: candidate.origin,
                uses: candidate.uses,
            };
            let score = thread_score(&facts);
            (candidate, facts, score)
        })
        .collect();
    scored.sort_by(|a, b| {
        let by_score = b.2.total_cmp(&a.2);
        by_score
            .then_with(|| a.0.origin.cmp(&b.0.origin))
            .then_with(|| a.0.place.cmp(&b.0.place))
    });
    scored
}
