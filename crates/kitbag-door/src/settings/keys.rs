//! The table of settings. A row says which values are allowed, what they mean and which field they fill. Variable names, the
//! text of `config init`, the lines of `config show`, validation and the hints in error messages are derived from it. A new
//! setting is one row here and one field of [`Settings`] or of the engine's options, whose `Default` gives the default.
//!
//! Only keys that have an effect get a row.

#[cfg(test)]
mod tests;

use kitbag_engine::api::MAX_BUDGET;
use std::time::Duration;

use super::Settings;
use super::field::{FieldValue, MILLISECONDS, MINUTES, at};
use super::values::Value;

/// One setting.
#[derive(Debug)]
pub struct Key {
    pub section: &'static str,
    pub name: &'static str,
    pub kind: Kind,
    /// The field that it fills. The value of that field in `Settings::default()` is the default.
    pub at: FieldValue,
    /// One line for the file that `config init` writes.
    pub doc: &'static str,
    /// Set for a setting that has no default.
    pub unset: Option<WhenUnset>,
    /// Only the user's own file may set this: it decides where code and keys are sent, what is stored, or what a server
    /// accepts. The file of a project that was cloned must not decide that.
    pub users_own: bool,
}

/// What happens without a value.
#[derive(Clone, Copy, Debug)]
pub struct WhenUnset {
    pub means: &'static str,
    /// In TOML.
    pub example: &'static str,
}

impl Key {
    const fn unset(mut self, means: &'static str, example: &'static str) -> Key {
        self.unset = Some(WhenUnset { means, example });
        self
    }

    const fn users_own(mut self) -> Key {
        self.users_own = true;
        self
    }

    /// Section and name: `indexing.hidden`.
    pub fn full(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    /// `None` if it is unset by default.
    pub fn default(&self) -> Option<Value> {
        (self.at.get)(&Settings::default())
    }
}

/// The type and range of a value.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Bool,
    Count { min: u64, max: u64 },
    Ratio { min: f64, max: f64 },
    Text(Word),
    List(Word),
}

/// The form of a string, alone or in a list.
#[derive(Clone, Copy, Debug)]
pub enum Word {
    Path,
    Glob,
    /// A file extension. A leading dot and capitals are accepted.
    Extension,
    /// A regular expression. The engine checks its syntax.
    Pattern,
    /// A model or a family of models whose tokens can be counted.
    Model,
    /// A way to fuse lists.
    Fusion,
    /// A model that makes vectors.
    Embedder,
    /// An address of a server, without a password in it.
    Url,
    /// embedded, standalone or hybrid.
    Mode,
    /// A host name or an IP address.
    Host,
    /// Never shown by `config show` or in a message.
    Secret,
}

/// Sections in the order of the file, each with its explanation.
pub static SECTIONS: &[(&str, &str)] = &[
    ("storage", "Where the index is kept."),
    ("indexing", "What belongs to the project, and how it is read."),
    (
        CHUNKING,
        "How files are split into chunks. A table [chunking.<language>] changes it for one language (see `kitbag languages`).",
    ),
    (
        "embedding",
        "The model that makes vectors: built in, in a folder, or on a server.",
    ),
    ("query", "What a search returns."),
    (
        "providers.full_text",
        "Search in the text of chunks, their symbols, paths and docs.",
    ),
    ("providers.symbol", "Search in the names of definitions."),
    (
        "providers.semantic",
        "Search by meaning: vectors of chunks and questions.",
    ),
    (
        "providers.git_history",
        "Search in the history: files of commits whose messages match the question.",
    ),
    (
        "providers.dependency",
        "Search along links: what the best results use, and what uses them.",
    ),
    ("budget", "How large a pack may be, in tokens."),
    (
        "ranking",
        "Weights of the parts of a score, instead of those that suit the task. Set all three; their sum is 1.",
    ),
    (
        "source_priority",
        "Priority of each kind of source in a pack, from 0 to 100.",
    ),
    ("deduplication", "What a pack shows only once."),
    ("packing", "How a pack is put together."),
    (
        "sessions",
        "Sessions: code that was sent before is not sent again (`kitbag pack --session`).",
    ),
    ("security", "What must not be stored or shown."),
    (
        "engine",
        "Which process answers the command line: this one or a server (`kitbag serve`). In your own file only.",
    ),
    ("server", "What `kitbag serve` accepts. In your own file only."),
    ("tokenizer", "How tokens are counted."),
    ("metrics", "What is recorded about requests: numbers, never text."),
    ("jobs", "Long work on the index."),
    ("watcher", "Keeping the index up to date while files change."),
];

/// The section whose keys may be repeated for each language.
pub const CHUNKING: &str = "chunking";

/// The model that ships with the program.
pub const BUILT_IN: &str = "built-in";

const MAX_BYTES: u64 = 1 << 40;
const TOKENS: Kind = Kind::Count { min: 1, max: 100_000 };
const GLOBS: Kind = Kind::List(Word::Glob);
const EXTENSIONS: Kind = Kind::List(Word::Extension);
const COMMITS: Kind = Kind::Count { min: 0, max: 20_000 };
const WEIGHT: Kind = Kind::Ratio { min: 0.0, max: 10.0 };
const SHARE: Kind = Kind::Ratio { min: 0.0, max: 1.0 };
const PERCENT: Kind = Kind::Count { min: 0, max: 100 };
const BUDGET: Kind = Kind::Count {
    min: 0,
    max: MAX_BUDGET as u64,
};
/// The text for the three keys of `[ranking]` when they are unset.
const OF_INTENT: &str = "what suits the task";

const fn key(
    section: &'static str,
    name: &'static str,
    kind: Kind,
    at: FieldValue,
    doc: &'static str,
) -> Key {
    Key {
        section,
        name,
        kind,
        at,
        doc,
        unset: None,
        users_own: false,
    }
}

/// The setting is in percent, the engine takes a share.
const OVERLAP: FieldValue = FieldValue {
    get: |s| {
        Some(Value::Count(
            (s.options.packing.overlap_share * 100.0).round() as u64
        ))
    },
    set: |s, value| s.options.packing.overlap_share = value.count() as f64 / 100.0,
};

/// In minutes; 0 means never.
const FULL_CHECK: FieldValue = FieldValue {
    get: |s| {
        let pause = s.watcher.options.full_check.unwrap_or_default();
        Some(Value::Count(pause.as_secs() / 60))
    },
    set: |s, value| {
        let minutes = value.count();
        s.watcher.options.full_check = (minutes > 0).then(|| Duration::from_secs(60 * minutes));
    },
};

#[rustfmt::skip]
pub static KEYS: &[Key] = &[
    key("storage", "path", Kind::Text(Word::Path), at!(s => s.storage_path),
        "Folder of the index; relative to the project root.")
        .unset("inside .git, or the user's cache folder", "\".kitbag\""),

    key("indexing", "watch_paths", Kind::List(Word::Path), at!(s => s.options.boundary.watch_paths),
        "Files and folders to index; \"auto\" is the whole project."),
    key("indexing", "ignore_patterns", GLOBS, at!(s => s.options.boundary.ignore_patterns),
        "Patterns to leave out, in the syntax of .gitignore, in addition to the ignore files."),
    key("indexing", "allowed_extensions", EXTENSIONS, at!(s => s.options.boundary.allowed_extensions),
        "If not empty, index only files with these extensions."),
    key("indexing", "blocked_extensions", EXTENSIONS, at!(s => s.options.boundary.blocked_extensions),
        "Never index files with these extensions."),
    key("indexing", "size_exceptions", GLOBS, at!(s => s.options.boundary.size_exceptions),
        "Files that may be larger than max_file_bytes."),
    key("indexing", "max_file_bytes", Kind::Count { min: 1, max: MAX_BYTES }, at!(s => s.options.boundary.max_file_bytes),
        "Larger files are skipped."),
    key("indexing", "warn_file_bytes", Kind::Count { min: 1, max: MAX_BYTES }, at!(s => s.options.boundary.warn_file_bytes),
        "Larger files are indexed with a warning."),
    key("indexing", "follow_symlinks", Kind::Bool, at!(s => s.options.boundary.follow_symlinks),
        "Follow symbolic links, but never out of the project."),
    key("indexing", "hidden", Kind::Bool, at!(s => s.options.boundary.hidden),
        "Index every hidden folder; otherwise only those that describe the project, such as .github."),
    key("indexing", "use_gitignore", Kind::Bool, at!(s => s.options.boundary.use_gitignore),
        "Leave out what git ignores; `!pattern` in .contextignore brings single paths in."),
    key("indexing", "use_dockerignore", Kind::Bool, at!(s => s.options.boundary.use_dockerignore),
        "Obey .dockerignore as well."),
    key("indexing", "priority_extensions", EXTENSIONS, at!(s => s.options.priority_extensions),
        "Files to index first, so that they can be searched first."),
    key("indexing", "workers", Kind::Count { min: 0, max: 1_024 }, at!(s => s.options.workers),
        "Threads that read and parse; 0 is one per core."),
    key("indexing", "fail_fast", Kind::Bool, at!(s => s.options.fail_fast),
        "Stop at the first file that fails instead of noting it."),
    key("indexing", "max_parse_cache_bytes", Kind::Count { min: 0, max: MAX_BYTES }, at!(s => s.options.max_parse_cache_bytes),
        "How many results of parsing to keep for other branches and worktrees; 0 keeps none."),

    key(CHUNKING, "max_chunk_tokens", TOKENS, at!(s => s.options.chunking.max_tokens),
        "Larger definitions are split.")
        .unset("what suits the language", "600"),
    key(CHUNKING, "min_chunk_tokens", TOKENS, at!(s => s.options.chunking.min_tokens),
        "Smaller neighbours are joined.")
        .unset("what suits the language", "100"),
    key(CHUNKING, "overlap_percent", Kind::Count { min: 0, max: 50 }, at!(s => s.options.chunking.overlap_percent),
        "How much of one part of a split definition is repeated in the next; 0 is nothing."),

    key("embedding", "model", Kind::Text(Word::Embedder), at!(s => s.embedding.model),
        "\"built-in\", a folder (sentence-transformers with BERT, model2vec), or with url the server's name for a model."),
    key("embedding", "url", Kind::Text(Word::Url), at!(s => s.embedding.url),
        "A server that is sent the code (OpenAI's protocol). In your own file only.")
        .unset("nothing leaves the machine", "\"https://host/v1\"")
        .users_own(),
    key("embedding", "api_key", Kind::Text(Word::Secret), at!(s => s.embedding.api_key),
        "The key for that server. In your own file only.")
        .unset("none is sent", "\"${EMBEDDING_KEY}\"")
        .users_own(),
    key("embedding", "dimension", Kind::Count { min: 1, max: 65_536 }, at!(s => s.embedding.dimension),
        "How many numbers per vector the server is asked for.")
        .unset("what the server gives, for one more request per run", "512"),
    key("embedding", "batch_size", Kind::Count { min: 1, max: 2_048 }, at!(s => s.embedding.batch_size),
        "Texts per request to the server."),
    key("embedding", "timeout_ms", Kind::Count { min: 1, max: 3_600_000 }, at!(s => s.embedding.timeout, MILLISECONDS),
        "Timeout of a request to the server."),
    key("embedding", "requests_per_minute", Kind::Count { min: 1, max: 1_000_000 }, at!(s => s.embedding.requests_per_minute),
        "The most requests that are sent to the server per minute.")
        .unset("as fast as it answers", "60"),

    key("query", "default_k", Kind::Count { min: 1, max: 500 }, at!(s => s.options.searching.top),
        "Results when the caller does not say how many."),
    key("query", "min_score_threshold", Kind::Ratio { min: 0.0, max: 1.0 }, at!(s => s.options.searching.min_score),
        "Results with a lower score are left out."),
    key("query", "fusion", Kind::Text(Word::Fusion), at!(s => s.options.fusion),
        "How the lists of the providers become one: rrf, weighted_average or cascade."),
    key("query", "mmr_lambda", SHARE, at!(s => s.query.mmr_lambda),
        "How much variety counts where it is asked for: 0 is all diversity, 1 all relevance."),

    key("providers.full_text", "enabled", Kind::Bool, at!(s => s.options.full_text.enabled),
        "Ask this provider."),
    key("providers.full_text", "weight", WEIGHT, at!(s => s.options.full_text.weight),
        "Its weight when lists are fused."),
    key("providers.symbol", "enabled", Kind::Bool, at!(s => s.options.symbol.enabled),
        "Ask this provider."),
    key("providers.symbol", "weight", WEIGHT, at!(s => s.options.symbol.weight),
        "Its weight when lists are fused."),
    key("providers.semantic", "enabled", Kind::Bool, at!(s => s.options.semantic.enabled),
        "Ask this provider, and make vectors for it."),
    key("providers.semantic", "weight", WEIGHT, at!(s => s.options.semantic.weight),
        "Its weight when lists are fused."),
    key("providers.git_history", "enabled", Kind::Bool, at!(s => s.options.git_history.enabled),
        "Ask this provider, and read the history for it."),
    key("providers.git_history", "weight", WEIGHT, at!(s => s.options.git_history.weight),
        "Its weight when lists are fused."),
    key("providers.git_history", "max_commits", COMMITS, at!(s => s.options.max_commits),
        "How many commits are read, newest first."),
    key("providers.dependency", "enabled", Kind::Bool, at!(s => s.options.dependency.enabled),
        "Ask this provider."),
    key("providers.dependency", "weight", WEIGHT, at!(s => s.options.dependency.weight),
        "Its weight when lists are fused."),

    key("budget", "default_max_tokens", BUDGET, at!(s => s.options.packing.default_max_tokens),
        "Tokens of a pack when the caller does not say; hard tasks get more, easy ones less."),
    key("budget", "total_tokens", BUDGET, at!(s => s.budget.total_tokens),
        "The model's window. Once it or a reserve is set, packs fill it, unless default_max_tokens is set."),
    key("budget", "system_reserve", BUDGET, at!(s => s.budget.system_reserve),
        "Tokens of the window kept for the system prompt."),
    key("budget", "response_reserve", BUDGET, at!(s => s.budget.response_reserve),
        "Tokens of the window kept for the answer."),
    key("budget", "warn_threshold_percent", PERCENT, at!(s => s.options.packing.warn_threshold_percent),
        "Warn when a pack and the reserves take more than this share of the window."),

    key("ranking", "relevance", SHARE, at!(s => s.ranking.relevance),
        "How well it matches the task.")
        .unset(OF_INTENT, "0.5"),
    key("ranking", "recency", SHARE, at!(s => s.ranking.recency),
        "How recently it changed.")
        .unset(OF_INTENT, "0.3"),
    key("ranking", "source", SHARE, at!(s => s.ranking.source),
        "Where it comes from (source_priority).")
        .unset(OF_INTENT, "0.2"),

    key("source_priority", "tool_result", PERCENT, at!(s => s.options.packing.priorities[0]),
        "Diffs, logs and other output."),
    key("source_priority", "open_file", PERCENT, at!(s => s.options.packing.priorities[1]),
        "Files that are open."),
    key("source_priority", "search", PERCENT, at!(s => s.options.packing.priorities[2]),
        "What the search found."),
    key("source_priority", "reference", PERCENT, at!(s => s.options.packing.priorities[3]),
        "What the task names."),
    key("source_priority", "message", PERCENT, at!(s => s.options.packing.priorities[4]),
        "Messages of a thread."),
    key("source_priority", "memory", PERCENT, at!(s => s.options.packing.priorities[5]),
        "Memories."),

    key("deduplication", "overlap_percent", Kind::Count { min: 1, max: 100 }, OVERLAP,
        "Two places that share this much of the smaller one become one."),
    key("deduplication", "ignore_comments", Kind::Bool, at!(s => s.options.packing.ignore_comments),
        "Texts that differ in comments only are the same."),
    key("deduplication", "ignore_case", Kind::Bool, at!(s => s.options.packing.ignore_case),
        "Texts that differ in capitals only are the same."),

    key("packing", "balance", Kind::Bool, at!(s => s.options.packing.balance),
        "Keep one file or one kind of source from taking nearly the whole pack."),
    key("packing", "min_score", SHARE, at!(s => s.options.packing.min_score),
        "Candidates with a lower score are left out."),
    key("packing", "diverse", Kind::Bool, at!(s => s.query.diverse_packs),
        "Move near duplicates down in favour of other results (query.mmr_lambda)."),
    key("packing", "brief", Kind::Bool, at!(s => s.options.packing.brief),
        "Add rules, conventions and files that change together to the pack of a task."),
    key("packing", "brief_share", SHARE, at!(s => s.options.packing.brief_share),
        "The share of a task's pack that these may take while there is code for the rest."),
    key("packing", "source_timeout_ms", Kind::Count { min: 1, max: 600_000 }, at!(s => s.options.packing.source_limit, MILLISECONDS),
        "Timeout for reading sources that were handed in."),

    key("sessions", "idle_minutes", Kind::Count { min: 1, max: 10_080 }, at!(s => s.options.session_idle, MINUTES),
        "Minutes without use after which a session ends."),

    key("security", "scrub_secrets", Kind::Bool, at!(s => s.options.scrub_secrets),
        "Replace passwords, keys and tokens by [REDACTED] before anything is stored.")
        .users_own(),
    key("security", "secret_patterns", Kind::List(Word::Pattern), at!(s => s.options.secret_patterns),
        "Further regular expressions that match secrets."),
    key("security", "denied_paths", GLOBS, at!(s => s.options.boundary.denied_paths),
        "Paths that are never read, whatever other settings say."),

    key("engine", "mode", Kind::Text(Word::Mode), at!(s => s.engine.mode),
        "embedded: this process. standalone: the server. hybrid: this process, and the server where that fails.")
        .users_own(),
    key("engine", "host", Kind::Text(Word::Host), at!(s => s.engine.host),
        "Address on which `kitbag serve` listens. Any other than this machine's needs server.api_keys.")
        .users_own(),
    key("engine", "port", Kind::Count { min: 0, max: 65_535 }, at!(s => s.engine.port),
        "Port on which it listens; 0 takes a free one and prints it.")
        .users_own(),
    key("engine", "url", Kind::Text(Word::Url), at!(s => s.engine.url),
        "The server to ask.")
        .unset("the host and port above", "\"http://127.0.0.1:9090\"")
        .users_own(),
    key("engine", "api_key", Kind::Text(Word::Secret), at!(s => s.engine.api_key),
        "The key to send to it.")
        .unset("none is sent", "\"${KITBAG_KEY}\"")
        .users_own(),
    key("engine", "timeout_ms", Kind::Count { min: 1, max: 3_600_000 }, at!(s => s.engine.timeout, MILLISECONDS),
        "Timeout of a request to it."),
    key("engine", "retry_attempts", Kind::Count { min: 0, max: 10 }, at!(s => s.engine.retry_attempts),
        "How often to repeat a request that did not reach it."),
    key("engine", "fallback_enabled", Kind::Bool, at!(s => s.engine.fallback_enabled),
        "If no process can answer, give an empty pack with a warning instead of an error."),

    key("server", "api_keys", Kind::Text(Word::Secret), at!(s => s.server.api_keys),
        "Users, as `name:key` separated by commas. Each has sessions of their own.")
        .unset("anybody on this machine may ask", "\"ann:${ANN_KEY},ben:${BEN_KEY}\"")
        .users_own(),
    key("server", "allowed_hosts", Kind::List(Word::Host), at!(s => s.server.allowed_hosts),
        "Host names of the server besides localhost and engine.host.")
        .users_own(),
    key("server", "max_body_bytes", Kind::Count { min: 1_024, max: 1 << 30 }, at!(s => s.server.max_body_bytes),
        "Larger requests are refused.")
        .users_own(),
    key("server", "timeout_ms", Kind::Count { min: 10, max: 3_600_000 }, at!(s => s.server.timeout, MILLISECONDS),
        "Timeout for receiving and for answering a request.")
        .users_own(),
    key("server", "requests_per_minute", Kind::Count { min: 1, max: 10_000_000 }, at!(s => s.server.requests_per_minute),
        "Further requests of the same user are refused until later.")
        .users_own(),
    key("server", "templates", Kind::Bool, at!(s => s.server.templates),
        "Accept templates in requests. In your own file only.")
        .users_own(),

    key("tokenizer", "model", Kind::Text(Word::Model), at!(s => s.tokenizer_model),
        "The model to count tokens for, or a family: o200k, cl100k, llama3, claude, gemini."),

    key("metrics", "enabled", Kind::Bool, at!(s => s.metrics.enabled),
        "Record how long requests took and how many tokens they gave (`kitbag stats`). Stays on this machine."),
    key("metrics", "keep_days", Kind::Count { min: 1, max: 3_650 }, at!(s => s.metrics.keep_days),
        "Days after which records are deleted."),

    key("jobs", "webhook_url", Kind::Text(Word::Url), at!(s => s.webhook_url),
        "Is sent a job when it has ended (POST, JSON). In your own file only.")
        .unset("nobody is told", "\"https://host/kitbag\"")
        .users_own(),

    key("watcher", "enabled", Kind::Bool, at!(s => s.watcher.enabled),
        "Watch the project, in servers too."),
    key("watcher", "debounce_ms", Kind::Count { min: 10, max: 60_000 }, at!(s => s.watcher.options.debounce, MILLISECONDS),
        "Quiet time before changes are indexed; while changes go on, 1.2 s at most."),
    key("watcher", "full_check_minutes", Kind::Count { min: 0, max: 100_000 }, FULL_CHECK,
        "Read every file again this often, in case an event was lost; 0 means never."),
];

/// The row of a key. `chunking.<language>` has the rows of `chunking`.
pub fn find(section: &str, name: &str) -> Option<&'static Key> {
    KEYS.iter()
        .find(|key| key.section == row_section(section) && key.name == name)
}

/// The row of a section and a name in one: `indexing.hidden`, `chunking.rust.overlap_percent`.
pub fn of(full: &str) -> Option<&'static Key> {
    let (section, name) = full.rsplit_once('.')?;
    find(section, name)
}

/// The names of the keys in a section.
pub fn names_in(section: &str) -> impl Iterator<Item = &'static str> {
    let section = row_section(section).to_owned();
    KEYS.iter()
        .filter(move |key| key.section == section)
        .map(|key| key.name)
}

fn row_section(section: &str) -> &str {
    match section.split_once('.') {
        Some((CHUNKING, _)) => CHUNKING,
        _ => section,
    }
}

impl Kind {
    pub fn is_secret(self) -> bool {
        matches!(self, Kind::Text(Word::Secret))
    }

    /// What is allowed, to finish the sentence "expected …".
    pub fn allowed(self) -> String {
        match self {
            Kind::Bool => "true or false".to_owned(),
            Kind::Count { min, max } => format!("a whole number from {min} to {max}"),
            Kind::Ratio { min, max } => format!("a number from {min:.1} to {max:.1}"),
            Kind::Text(word) => word.allowed().to_owned(),
            Kind::List(word) => format!("a list, each {}", word.allowed()),
        }
    }
}

impl Word {
    pub fn allowed(self) -> &'static str {
        match self {
            Word::Path => "a path, such as \"src\"",
            Word::Glob => "a glob, such as \"docs/**/*.pdf\"",
            Word::Extension => "a file extension, such as \"rs\"",
            Word::Pattern => "a regular expression",
            Word::Model => {
                "a model with a known tokenizer (gpt-5, claude-sonnet-4-5, gemini-2.5-pro, llama3.3 …) \
                 or a family: o200k, cl100k, llama3, claude, gemini"
            }
            Word::Fusion => "rrf, weighted_average or cascade",
            Word::Embedder => {
                "\"built-in\", the folder of a model, or with embedding.url a server's name for one"
            }
            Word::Url => "an address such as \"https://host/v1\", without user and password",
            Word::Mode => "embedded, standalone or hybrid",
            Word::Host => "a host, such as \"127.0.0.1\"",
            Word::Secret => "a key: letters, digits and signs, no spaces",
        }
    }
}
