//! The one table of settings. What may stand in a file, the names of variables, the text of `config init`, the lines of
//! `config show` and the help in error messages are all read from it: a new setting is one row here and one field in
//! `settings.rs`.
//!
//! Only keys that do something today have a row; a key that is accepted and ignored is a lie.

#[cfg(test)]
mod tests;

/// One setting.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) section: &'static str,
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) default: Default,
    /// One line, for the file of `config init`.
    pub(crate) doc: &'static str,
}

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Bool,
    Count { min: u64, max: u64 },
    Ratio { min: f64, max: f64 },
    Text(Word),
    List(Word),
}

/// What a string may be, alone or in a list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word {
    Path,
    Glob,
    /// A file extension; a leading dot and capitals are forgiven.
    Extension,
    /// A regular expression; its syntax is the engine's to check.
    Pattern,
    /// A model, or a family of models, whose tokens can be counted.
    Model,
    /// A way to fuse lists.
    Fusion,
    /// A model that makes vectors.
    Embedder,
    /// An address of a server, without a password in it.
    Url,
    /// Who answers.
    Mode,
    /// The name or number of a machine.
    Host,
    /// Never shown, by `config show` or in a message.
    Secret,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Default {
    Bool(bool),
    Count(u64),
    Ratio(f64),
    Text(&'static str),
    List(&'static [&'static str]),
    /// No value unless somebody gives one; what happens then, and an example in TOML.
    Unset {
        means: &'static str,
        example: &'static str,
    },
}

/// Sections in the order of the file, each with its line of explanation.
pub(crate) static SECTIONS: &[(&str, &str)] = &[
    ("storage", "Where the index is kept."),
    ("indexing", "What belongs to the project, and how it is read."),
    (
        CHUNKING,
        "How files are cut. A table [chunking.<language>] changes it for one language (see `kitbag languages`).",
    ),
    (
        "embedding",
        "The model that makes vectors: the built-in one, one in a folder, or one of a server.",
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
        "Files of commits whose messages sound like the question.",
    ),
    (
        "providers.dependency",
        "What the best results use, and what uses them.",
    ),
    ("budget", "How large a pack may be, in tokens."),
    (
        "ranking",
        "What the parts of a score count in a pack, instead of what suits the task; all three, with the sum 1.",
    ),
    (
        "source_priority",
        "What a source counts in a pack, from 0 to 100.",
    ),
    ("deduplication", "What a pack shows only once."),
    ("packing", "How a pack is put together."),
    (
        "sessions",
        "What was sent before is not sent again (`kitbag pack --session`).",
    ),
    ("security", "What must not be stored or shown."),
    (
        "engine",
        "Who answers the command line: this process, or a server (`kitbag serve`); in your own file only.",
    ),
    ("server", "What `kitbag serve` lets in; in your own file only."),
    ("tokenizer", "How tokens are counted."),
    ("metrics", "What is noted of requests: numbers, never text."),
    ("jobs", "Long work on the index."),
    ("watcher", "Keeping the index up to date while files change."),
];

/// Whoever can set these decides where code and keys are sent, and whether secrets are stored. That is the user and not a
/// project that was cloned, so a project's file may not.
pub(crate) const USERS_OWN: &[&str] = &[
    "embedding.url",
    "embedding.api_key",
    "engine.mode",
    "engine.host",
    "engine.port",
    "engine.url",
    "engine.api_key",
    "jobs.webhook_url",
    "security.scrub_secrets",
    "server.api_keys",
    "server.allowed_hosts",
    "server.max_body_bytes",
    "server.timeout_ms",
    "server.requests_per_minute",
    "server.templates",
];

/// The section whose keys may be repeated for each language.
pub(crate) const CHUNKING: &str = "chunking";

/// The model that ships with the program.
pub(crate) const BUILT_IN: &str = "built-in";

/// Tokens of a pack: the largest windows of models have as many.
pub(crate) const MAX_BUDGET: usize = 10_000_000;

const MAX_BYTES: u64 = 1 << 40;
const NONE: Default = Default::List(&[]);
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
/// What the three of `[ranking]` are when nobody says.
const OF_INTENT: &str = "what suits the task";

const fn key(
    section: &'static str,
    name: &'static str,
    kind: Kind,
    default: Default,
    doc: &'static str,
) -> Key {
    Key {
        section,
        name,
        kind,
        default,
        doc,
    }
}

#[rustfmt::skip]
pub(crate) static KEYS: &[Key] = &[
    key("storage", "path", Kind::Text(Word::Path),
        Default::Unset { means: "inside .git, or the user's cache folder", example: "\".kitbag\"" },
        "Folder of the index; relative to the project root."),

    key("indexing", "watch_paths", Kind::List(Word::Path), Default::List(&["auto"]),
        "Files and folders to index; \"auto\" is the whole project."),
    key("indexing", "ignore_patterns", GLOBS, NONE,
        "Left out, in the language of .gitignore, on top of the ignore files."),
    key("indexing", "allowed_extensions", EXTENSIONS, NONE,
        "If not empty, only files with these extensions."),
    key("indexing", "blocked_extensions", EXTENSIONS, NONE,
        "Never files with these extensions."),
    key("indexing", "size_exceptions", GLOBS, NONE,
        "Files that may be larger than max_file_bytes."),
    key("indexing", "max_file_bytes", Kind::Count { min: 1, max: MAX_BYTES }, Default::Count(5_000_000),
        "Larger files are skipped."),
    key("indexing", "warn_file_bytes", Kind::Count { min: 1, max: MAX_BYTES }, Default::Count(2_000_000),
        "Larger files are indexed with a warning."),
    key("indexing", "follow_symlinks", Kind::Bool, Default::Bool(false),
        "Follow symbolic links, never out of the project."),
    key("indexing", "hidden", Kind::Bool, Default::Bool(false),
        "Index every hidden folder; otherwise only those that describe the project, such as .github."),
    key("indexing", "use_gitignore", Kind::Bool, Default::Bool(true),
        "Leave out what git ignores; `!pattern` in .contextignore brings single paths in."),
    key("indexing", "use_dockerignore", Kind::Bool, Default::Bool(false),
        "Obey .dockerignore as well."),
    key("indexing", "priority_extensions", EXTENSIONS, NONE,
        "Indexed first, so that they can be searched first."),
    key("indexing", "workers", Kind::Count { min: 1, max: 1_024 },
        Default::Unset { means: "all cores but one", example: "4" },
        "Threads that read and parse."),
    key("indexing", "fail_fast", Kind::Bool, Default::Bool(false),
        "Stop at the first file that fails instead of noting it."),
    key("indexing", "max_parse_cache_bytes", Kind::Count { min: 0, max: MAX_BYTES }, Default::Count(256 << 20),
        "Results of parsing kept for other branches and worktrees; 0 keeps none."),

    key(CHUNKING, "max_chunk_tokens", TOKENS,
        Default::Unset { means: "what suits the language", example: "600" },
        "A larger definition is split."),
    key(CHUNKING, "min_chunk_tokens", TOKENS,
        Default::Unset { means: "what suits the language", example: "100" },
        "Smaller neighbours are joined."),
    key(CHUNKING, "overlap_percent", Kind::Count { min: 0, max: 50 },
        Default::Unset { means: "no overlap", example: "10" },
        "How much of one part of a split definition is repeated in the next."),

    key("embedding", "model", Kind::Text(Word::Embedder), Default::Text(BUILT_IN),
        "\"built-in\", a folder (sentence-transformers with BERT, model2vec), or with url the server's name for a model."),
    key("embedding", "url", Kind::Text(Word::Url),
        Default::Unset { means: "nothing leaves the machine", example: "\"https://host/v1\"" },
        "A server that gets the code (OpenAI's protocol); in your own file only."),
    key("embedding", "api_key", Kind::Text(Word::Secret),
        Default::Unset { means: "none is sent", example: "\"${EMBEDDING_KEY}\"" },
        "The server's key; in your own file only."),
    key("embedding", "dimension", Kind::Count { min: 1, max: 65_536 },
        Default::Unset { means: "what the server gives, for one request more a run", example: "512" },
        "Numbers a vector that the server is asked for."),
    key("embedding", "batch_size", Kind::Count { min: 1, max: 2_048 }, Default::Count(128),
        "Texts a request to the server."),
    key("embedding", "timeout_ms", Kind::Count { min: 1, max: 3_600_000 }, Default::Count(30_000),
        "Time for a request to the server."),
    key("embedding", "requests_per_minute", Kind::Count { min: 1, max: 1_000_000 },
        Default::Unset { means: "as fast as it answers", example: "60" },
        "At most so many requests to the server."),

    key("query", "default_k", Kind::Count { min: 1, max: 500 }, Default::Count(12),
        "Results when the caller does not say how many."),
    key("query", "min_score_threshold", Kind::Ratio { min: 0.0, max: 1.0 }, Default::Ratio(0.0),
        "Results with a lower score are left out."),
    key("query", "fusion", Kind::Text(Word::Fusion), Default::Text("rrf"),
        "How the lists of the providers become one: rrf, weighted_average or cascade."),
    key("query", "mmr_lambda", SHARE, Default::Ratio(0.5),
        "Where near doubles are set apart: 0 is all diversity, 1 all relevance."),

    key("providers.full_text", "enabled", Kind::Bool, Default::Bool(true), "Ask this provider."),
    key("providers.full_text", "weight", WEIGHT, Default::Ratio(1.0), "Its say when lists are fused."),
    key("providers.symbol", "enabled", Kind::Bool, Default::Bool(true), "Ask this provider."),
    key("providers.symbol", "weight", WEIGHT, Default::Ratio(0.6), "Its say when lists are fused."),
    key("providers.semantic", "enabled", Kind::Bool, Default::Bool(true), "Ask this provider, and make vectors for it."),
    key("providers.semantic", "weight", WEIGHT, Default::Ratio(0.5), "Its say when lists are fused."),
    key("providers.git_history", "enabled", Kind::Bool, Default::Bool(true), "Ask this provider, and read the history for it."),
    key("providers.git_history", "weight", WEIGHT, Default::Ratio(0.3), "Its say when lists are fused."),
    key("providers.git_history", "max_commits", COMMITS, Default::Count(1_000), "How many commits are read, newest first."),
    key("providers.dependency", "enabled", Kind::Bool, Default::Bool(true), "Ask this provider."),
    key("providers.dependency", "weight", WEIGHT, Default::Ratio(0.2), "Its say when lists are fused."),

    key("budget", "default_max_tokens", BUDGET, Default::Count(8_000),
        "Tokens of a pack when the caller does not say; hard tasks get more, easy ones less."),
    key("budget", "total_tokens", BUDGET, Default::Count(100_000),
        "The model's window. Once it or a reserve is set, packs fill it, unless default_max_tokens is set."),
    key("budget", "system_reserve", BUDGET, Default::Count(2_000),
        "Tokens of the window kept for the system prompt."),
    key("budget", "response_reserve", BUDGET, Default::Count(8_000),
        "Tokens of the window kept for the answer."),
    key("budget", "warn_threshold_percent", PERCENT, Default::Count(80),
        "Warn when pack and reserves take more of the window."),

    key("ranking", "relevance", SHARE, Default::Unset { means: OF_INTENT, example: "0.5" },
        "How well it matches the task."),
    key("ranking", "recency", SHARE, Default::Unset { means: OF_INTENT, example: "0.3" },
        "How lately it changed."),
    key("ranking", "source", SHARE, Default::Unset { means: OF_INTENT, example: "0.2" },
        "Where it comes from (source_priority)."),

    key("source_priority", "tool_result", PERCENT, Default::Count(100), "Diffs, logs and other output."),
    key("source_priority", "open_file", PERCENT, Default::Count(80), "Files that are open."),
    key("source_priority", "search", PERCENT, Default::Count(60), "What the search found."),
    key("source_priority", "reference", PERCENT, Default::Count(40), "What was named."),
    key("source_priority", "message", PERCENT, Default::Count(60), "Messages of a thread."),
    key("source_priority", "memory", PERCENT, Default::Count(40), "Memories."),

    key("deduplication", "overlap_percent", Kind::Count { min: 1, max: 100 }, Default::Count(30),
        "Two places that share this much of the smaller one become one."),
    key("deduplication", "ignore_comments", Kind::Bool, Default::Bool(false),
        "Texts that differ in comments only are the same."),
    key("deduplication", "ignore_case", Kind::Bool, Default::Bool(false),
        "Texts that differ in capitals only are the same."),

    key("packing", "balance", Kind::Bool, Default::Bool(true),
        "No file and no kind of source takes nearly everything."),
    key("packing", "min_score", SHARE, Default::Ratio(0.0),
        "What scores less is left out."),
    key("packing", "diverse", Kind::Bool, Default::Bool(false),
        "Near doubles among what was found wait for something else (query.mmr_lambda)."),
    key("packing", "source_timeout_ms", Kind::Count { min: 1, max: 600_000 }, Default::Count(5_000),
        "Time for reading what was handed in."),

    key("sessions", "idle_minutes", Kind::Count { min: 1, max: 10_080 }, Default::Count(30),
        "Minutes without use that end a session."),

    key("security", "scrub_secrets", Kind::Bool, Default::Bool(true),
        "Replace passwords, keys and tokens by [REDACTED] before anything is stored."),
    key("security", "secret_patterns", Kind::List(Word::Pattern), NONE,
        "Further regular expressions for what is secret here."),
    key("security", "denied_paths", GLOBS, NONE,
        "Never read, whatever else is said."),

    key("engine", "mode", Kind::Text(Word::Mode), Default::Text("embedded"),
        "embedded: this process. standalone: the server. hybrid: this process, and the server where that fails."),
    key("engine", "host", Kind::Text(Word::Host), Default::Text("127.0.0.1"),
        "Where `kitbag serve` listens. Anything but this machine needs server.api_keys."),
    key("engine", "port", Kind::Count { min: 0, max: 65_535 }, Default::Count(9_090),
        "On which port; 0 takes any that is free and says which."),
    key("engine", "url", Kind::Text(Word::Url),
        Default::Unset { means: "the host and port above", example: "\"http://127.0.0.1:9090\"" },
        "The server that is asked."),
    key("engine", "api_key", Kind::Text(Word::Secret),
        Default::Unset { means: "none is sent", example: "\"${KITBAG_KEY}\"" },
        "The key that it is shown."),
    key("engine", "timeout_ms", Kind::Count { min: 1, max: 3_600_000 }, Default::Count(30_000),
        "Time for a request to it."),
    key("engine", "retry_attempts", Kind::Count { min: 0, max: 10 }, Default::Count(2),
        "How often a request that did not get through is sent again."),
    key("engine", "fallback_enabled", Kind::Bool, Default::Bool(false),
        "If nobody can answer: an empty pack with a warning instead of an error."),

    key("server", "api_keys", Kind::Text(Word::Secret),
        Default::Unset { means: "anybody on this machine", example: "\"ann:${ANN_KEY},ben:${BEN_KEY}\"" },
        "Who may ask: `name:key`, several with commas; each has sessions of its own."),
    key("server", "allowed_hosts", Kind::List(Word::Host), Default::List(&[]),
        "Names that the server goes by besides localhost and engine.host."),
    key("server", "max_body_bytes", Kind::Count { min: 1_024, max: 1 << 30 }, Default::Count(8 << 20),
        "Larger requests are refused."),
    key("server", "timeout_ms", Kind::Count { min: 10, max: 3_600_000 }, Default::Count(30_000),
        "Requests that take longer, to arrive or to answer, are given up."),
    key("server", "requests_per_minute", Kind::Count { min: 1, max: 10_000_000 }, Default::Count(60_000),
        "More of one user are told to come back later."),
    key("server", "templates", Kind::Bool, Default::Bool(false),
        "Take templates for packs from whoever may ask; in your own file only."),

    key("tokenizer", "model", Kind::Text(Word::Model), Default::Text("gpt-5"),
        "The model to count tokens for, or a family: o200k, cl100k, llama3, claude, gemini."),

    key("metrics", "enabled", Kind::Bool, Default::Bool(true),
        "Note how long a request took and how many tokens it gave (`kitbag stats`); on this machine only."),
    key("metrics", "keep_days", Kind::Count { min: 1, max: 3_650 }, Default::Count(90),
        "Forget it after so many days."),

    key("jobs", "webhook_url", Kind::Text(Word::Url),
        Default::Unset { means: "nobody is told", example: "\"https://host/kitbag\"" },
        "Gets a job's row when it has ended (POST, JSON); in your own file only."),

    key("watcher", "enabled", Kind::Bool, Default::Bool(true),
        "Watch the project, in servers too."),
    key("watcher", "debounce_ms", Kind::Count { min: 10, max: 60_000 }, Default::Count(500),
        "How long nothing must happen before the index follows; while writing goes on, 1.2 s at most."),
    key("watcher", "full_check_minutes", Kind::Count { min: 0, max: 100_000 }, Default::Count(0),
        "Read every file again this often, in case an event was lost; 0 is never."),
];

/// The row of a key. `chunking.<language>` has the rows of `chunking`.
pub(crate) fn find(section: &str, name: &str) -> Option<&'static Key> {
    KEYS.iter()
        .find(|key| key.section == row_section(section) && key.name == name)
}

/// The names that may stand in a section.
pub(crate) fn names_in(section: &str) -> impl Iterator<Item = &'static str> {
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
    pub(crate) fn is_secret(self) -> bool {
        matches!(self, Kind::Text(Word::Secret))
    }

    /// What is allowed, to finish the sentence "expected …".
    pub(crate) fn allowed(self) -> String {
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
    pub(crate) fn allowed(self) -> &'static str {
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
