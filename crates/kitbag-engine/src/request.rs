//! The request for a pack, and what it shares with the other requests. It is below `api`, which re-exports it, because the steps of
//! a pack read it.

use kitbag_pack::{Depth, Format, Intent};
use kitbag_tokens::Tokenizer;
use kitbag_types::{Scope, Stop};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::EngineError;
use crate::door::Door;
use crate::scope::scopes;

/// The largest budget: more than any model takes.
pub const MAX_BUDGET: usize = 10_000_000;

pub(crate) const MOST_GLOBS: usize = 200;
pub(crate) const MAX_GLOB_BYTES: usize = 500;

/// A source that is handed in (PACK-1): content, or a path, with lines if only some are meant.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct PackSource {
    /// `tool_result`, `open_file`, `search`, `reference`, `message` or `memory`.
    pub kind: String,
    pub path: Option<String>,
    pub line_start: Option<u32>,
    pub line_end: Option<u32>,
    pub content: Option<String>,
    /// The name of a content without a path.
    pub label: Option<String>,
    /// 0 to 1; without it, the share of the task's words that it has.
    pub relevance: Option<f64>,
    pub timestamp_ms: Option<i64>,
    /// Puts it before everything that was not asked for by name.
    pub pinned: bool,
    /// The commit that it is of: part of an answer about history.
    #[serde(skip)]
    pub commit: Option<String>,
}

/// A task. Every door reads and writes this struct: the command line fills it, a server takes it as JSON.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackRequest<'r> {
    /// What is to be done, or asked. Without one: what to know of the package that is named, or of the repository (`map`).
    #[serde(default)]
    pub task: String,
    /// The repository without a task: its packages, entry points, and key files with their signatures (CLI-6).
    #[serde(default)]
    pub map: bool,
    /// How much is told beside the code, or without it (ENG-10): about 2000, 6000 or 12000 tokens; without it: standard.
    #[serde(default)]
    #[schemars(extend("enum" = depths()))]
    pub depth: Option<String>,
    /// Tell what concerns the code shown beside it, conventions and entry points too; without it, as `packing.brief` says, and without
    /// what takes a look at all code.
    #[serde(default)]
    pub include_brief: Option<bool>,
    /// Show code; without it: if there is a task.
    #[serde(default)]
    pub include_snippets: Option<bool>,
    /// Also tell what the package depends on in this repository.
    #[serde(default)]
    pub include_dependencies: bool,
    /// Tell nothing that is less certain, 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub min_confidence: Option<f64>,
    /// Tell only what is of these categories.
    #[serde(default)]
    #[schemars(extend("items" = one_of(&categories())))]
    pub categories: Vec<String>,
    /// Tokens; without it and without a window, by the settings and the task, about 8000.
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_BUDGET))]
    pub max_tokens: Option<usize>,
    /// Instead of max_tokens: the room that a model's window leaves.
    #[serde(default)]
    pub window: Option<PackWindow>,
    /// How hard the task is, 1 to 10: changes the default budget if neither max_tokens nor a window is given.
    #[serde(default)]
    #[schemars(range(min = 1, max = 10))]
    pub complexity: Option<u8>,
    /// The model whose tokens are counted; without it, the configured one.
    #[serde(default)]
    pub model: Option<String>,
    /// Without one it is inferred from the task.
    #[serde(default)]
    #[schemars(extend("enum" = intents()))]
    pub intent: Option<String>,
    /// Without one: markdown.
    #[serde(default)]
    #[schemars(extend("enum" = formats()))]
    pub format: Option<String>,
    /// Used instead of a format. A server accepts it only if server.templates is set.
    #[serde(default)]
    pub template: Option<String>,
    #[serde(default)]
    pub line_numbers: bool,
    /// Sources that are handed in: kind, path or content, lines, relevance, pinned.
    #[serde(default)]
    pub sources: Vec<PackSource>,
    /// The change that is being worked on (PACK-5): the working tree compared with a revision, or with the last commit if empty, or
    /// `a..b` for two commits. The definitions that it touches come first, then their callers, their tests, and files that change
    /// with them.
    #[serde(default)]
    pub diff: Option<String>,
    /// Search nothing: pack only the sources and symbols (PACK-4).
    #[serde(default)]
    pub sources_only: bool,
    /// Names whose definitions come before everything else.
    #[serde(default)]
    pub symbols: Vec<String>,
    /// Globs: one must match.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Globs: none may match.
    #[serde(default)]
    pub exclude: Vec<String>,
    #[serde(default)]
    #[schemars(extend("items" = one_of(&language_names())))]
    pub languages: Vec<String>,
    /// Names or folders of packages: only these are searched, and what scope adds to them.
    #[serde(default)]
    pub packages: Vec<String>,
    /// Without packages, it starts from the package of the first open file among the sources, else from those of the files that
    /// the task names.
    #[serde(default, with = "crate::scope::word")]
    #[schemars(with = "Option<String>", extend("enum" = scopes()))]
    pub scope: Option<Scope>,
    /// Text that this session was sent before is replaced by references (ENG-40).
    #[serde(default)]
    pub session: Option<String>,
    /// A preview: nothing counts as sent to the session.
    #[serde(default)]
    pub preview: bool,
    /// The reply lists everything that was left out, not only what was handed in and could not be used.
    #[serde(default)]
    pub explain: bool,
    /// False: use the index as it is.
    #[serde(default = "yes")]
    pub update: bool,
    /// Who asks; empty if there is one user. What others remember is not told (MEM-6).
    #[serde(skip)]
    pub user: &'r str,
    /// The answer that was given to the same request lately may be given again, as long as nothing that it used has changed (ENG-60).
    #[serde(skip)]
    pub reuse: bool,
    /// Somebody watches the files: the index is as they are now, though this request does not look.
    #[serde(skip)]
    pub watched: bool,
    /// Counts instead of the model's: one that is open already, or that somebody brought.
    #[serde(skip)]
    pub tokenizer: Option<&'r Tokenizer>,
    /// Where the pack is delivered, which decides the form of its suggestions.
    #[serde(skip)]
    pub door: Door,
    /// Stops the pack with [`EngineError::Cancelled`].
    #[serde(skip)]
    pub stop: Stop<'r>,
}

/// A model's window. The pack gets the tokens that the reserves leave.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct PackWindow {
    pub total: usize,
    /// For the system prompt.
    pub system_reserve: usize,
    /// For the answer.
    pub response_reserve: usize,
}

impl<'r> PackRequest<'r> {
    pub fn new(task: impl Into<String>, max_tokens: usize, tokenizer: &'r Tokenizer) -> Self {
        Self {
            task: task.into(),
            max_tokens: Some(max_tokens),
            tokenizer: Some(tokenizer),
            update: true,
            ..Self::default()
        }
    }
}

/// The values of `intent` in a request.
pub fn intents() -> Vec<&'static str> {
    Intent::ALL.map(Intent::as_str).to_vec()
}

/// What `depth` of a request may be.
pub fn depths() -> Vec<&'static str> {
    Depth::ALL.map(Depth::as_str).to_vec()
}

/// What `categories` of a request may name (ENG-3, INS-1).
pub fn categories() -> Vec<&'static str> {
    let weighed = kitbag_pack::tuning::CATEGORY_WEIGHTS
        .iter()
        .map(|(name, _)| *name);
    weighed.chain(["api", "data"]).collect()
}

/// What `format` of a request may be.
pub fn formats() -> Vec<&'static str> {
    Format::ALL.map(Format::as_str).to_vec()
}

pub(crate) fn yes() -> bool {
    true
}

/// The schema of a text that is one of these.
pub(crate) fn one_of(words: &[&str]) -> serde_json::Value {
    serde_json::json!({"type": "string", "enum": words})
}

/// The values of `languages` in a request.
pub(crate) fn language_names() -> Vec<&'static str> {
    let names = kitbag_syntax::LANGUAGES.iter().map(|language| language.name);
    names.chain(["text"]).collect()
}

/// Checks names of packages: their number and length are limited, because each is compared with all packages.
pub(crate) fn check_packages(packages: &[String]) -> Result<Vec<String>, EngineError> {
    let is_long = |name: &String| name.len() > MAX_GLOB_BYTES || name.trim().is_empty();
    if packages.len() > MOST_GLOBS || packages.iter().any(is_long) {
        return Err(EngineError::Invalid {
            code: "INVALID_PACKAGE",
            message: format!(
                "at most {MOST_GLOBS} packages are taken, each with 1 to {MAX_GLOB_BYTES} bytes"
            ),
        });
    }
    Ok(packages.to_vec())
}
