//! What can be said on the command line, and the help that explains it. Data only: what is done about it stands in
//! `commands`. Every command shows real examples, because those are what people copy.

mod answers;
mod eval;
mod help;
mod install;
mod jobs;
mod memory;
mod pack;
mod patterns;
mod serve;
mod suggested;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use answers::{History, Related, Tests};
pub(crate) use eval::Eval;
pub(crate) use help::command;
pub(crate) use install::Install;
pub(crate) use jobs::{Jobs, Rebuild, Refresh, Stats};
pub(crate) use memory::{
    AddMemory, Feedback, FeedbackAction, ListMemories, Memory, MemoryAction, Thread, ThreadAction,
};
pub(crate) use pack::{Cite, Explain, Map, Pack, Verify};
pub(crate) use patterns::{AgentsMd, PatternDecision, Patterns};
pub(crate) use serve::{Mcp, Serve};
use suggested::{Suggested, constraint_kinds, graph_forms, kinds, languages, scopes};

const EXIT_CODES: &str = "\
Exit codes:
  0  fine
  1  nothing found: no result, an empty pack, no such symbol, a file that is not indexed; a pack that no longer holds
  2  wrong use: arguments, settings, paths that are not allowed
  3  trouble with the index, its store or the disk

Examples:
  kitbag pack \"add a retry to the HTTP client\" --copy
  kitbag pack \"why does login fail\" --budget 4000 --open src/auth.rs > prompt.md
  kitbag search \"where are passwords checked\"
  kitbag symbol parse_config
  kitbag index && kitbag status";

/// Finds the code that answers a question, in any repository, on this machine.
#[derive(Debug, Parser)]
#[command(name = "kitbag", version, after_help = EXIT_CODES, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) everywhere: GlobalFlags,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Flags that every command takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct GlobalFlags {
    /// The project; otherwise the one around the current folder.
    #[arg(long, global = true, value_name = "FOLDER", help_heading = "Everywhere")]
    pub(crate) root: Option<PathBuf>,
    /// Where the index is kept; otherwise inside .git, or the user's cache folder.
    #[arg(long, global = true, value_name = "FOLDER", help_heading = "Everywhere")]
    pub(crate) store: Option<PathBuf>,
    /// Ask a server (`kitbag serve`) instead of indexing here: pack, search, symbol.
    #[arg(long, global = true, value_name = "URL", help_heading = "Everywhere")]
    pub(crate) server: Option<String>,
    /// Print JSON.
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,
    /// Print only errors on standard error.
    #[arg(
        short,
        long,
        global = true,
        conflicts_with = "verbose",
        help_heading = "Everywhere"
    )]
    pub(crate) quiet: bool,
    /// Say which project and store are used, and how long it took.
    #[arg(short, long, global = true, help_heading = "Everywhere")]
    pub(crate) verbose: bool,
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN", help_heading = "Everywhere")]
    pub(crate) color: Colour,
    /// The time in milliseconds since 1970, instead of the clock: for tests.
    #[arg(long, global = true, hide = true, value_name = "MS")]
    pub(crate) now: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Pack the code and docs that a task needs into a token budget.
    #[command(aliases = ["context", "bundle"])]
    Pack(Box<Pack>),
    /// Show packages, entry points and key files on one page.
    Map(Map),
    /// Say why something is in a pack, or why it was left out.
    Explain(Explain),
    /// Check whether a pack still matches the files.
    Verify(Verify),
    /// List the sources of a pack that an answer cites.
    Cite(Cite),
    /// Bring the index up to date.
    Index(Index),
    /// Bring the index up to date as a job, all of it or a part.
    Refresh(Refresh),
    /// Parse everything again while the old index answers.
    Rebuild(Rebuild),
    /// List, follow or cancel jobs that work on the index.
    Jobs(Jobs),
    /// Keep the index up to date until Ctrl-C.
    ///
    /// One process per project is enough.
    #[command(
        after_help = "Examples:\n  kitbag watch\n  nice kitbag watch &\n  kitbag watch --json | jq -r '.paths[]?'"
    )]
    Watch,
    /// Find code, best first.
    ///
    /// Indexes what is new before it answers.
    #[command(aliases = ["find", "grep", "query"])]
    Search(Box<Search>),
    /// Show the commits of a file, lines or a name, with authors.
    #[command(aliases = ["log", "blame"])]
    History(History),
    /// Find what belongs to a place: users, tests, similar code.
    Related(Related),
    /// Find the tests that cover a change or a place, best first.
    Tests(Tests),
    /// Find where a name is defined, who calls it, what it calls.
    #[command(aliases = ["def", "definition", "callers", "refs"])]
    Symbol(Symbol),
    /// List the packages and their graph, and what a change affects.
    Packages(Packages),
    /// List the rules of tools and documents that code must follow.
    Constraints(Constraints),
    /// Find what README and AGENTS.md say that is not true.
    CheckDocs(CheckDocs),
    /// List the files that matter most, and what changed lately.
    KeyFiles(KeyFiles),
    /// List the entry points: routes, commands, jobs, events, mains.
    #[command(aliases = ["routes", "endpoints"])]
    EntryPoints(EntryPoints),
    /// List the functions that read or write data, with their tables.
    DataAccess(DataAccess),
    /// List the conventions of the code, counted, with outliers.
    #[command(aliases = ["conventions"])]
    Patterns(Patterns),
    /// Keep a block of AGENTS.md in line with the code.
    AgentsMd(AgentsMd),
    /// Keep facts about the project, checked against its code.
    #[command(aliases = ["memories", "remember"])]
    Memory(Memory),
    /// Keep a conversation, and pack what its next message needs.
    Thread(Thread),
    /// Say which items of packs were of use; list it, take it back.
    Feedback(Feedback),
    /// Measure search on known questions or on your own commits.
    Eval(Box<Eval>),
    /// Serve an agent over standard input and output (MCP).
    Mcp(Mcp),
    /// Serve HTTP, JSON-RPC and MCP on this machine.
    Serve(Serve),
    /// Set Kitbag up in your coding agents, or take it out again.
    Install(Install),
    /// Find what is wrong with the installation or the index.
    #[command(
        after_help = "Examples:\n  kitbag doctor\n  kitbag doctor --json | jq '.checks[] | select(.state != \"ok\")'"
    )]
    Doctor,
    /// Show what is indexed, where, and what went wrong.
    #[command(after_help = "Examples:\n  kitbag status\n  kitbag status --json | jq .complete")]
    Status,
    /// Show what was asked, how long it took, and tokens saved.
    Stats(Stats),
    /// List the languages that Kitbag parses.
    ///
    /// Other text is cut by lines.
    #[command(after_help = "Examples:\n  kitbag languages\n  kitbag languages --json | jq -r '.[].name'")]
    Languages,
    /// Count the tokens of a text or file, as a model would.
    Tokens(Tokens),
    /// Say whether a file is indexed, and if not, why not.
    CheckFile(CheckFile),
    /// List the files that belong to the project, or do not.
    ListIndexable(ListIndexable),
    /// Show the project in numbers: lines, languages, key files.
    #[command(
        after_help = "Examples:\n  kitbag project-stats\n  kitbag project-stats --json | jq '.central[0].path'"
    )]
    ProjectStats,
    /// Check the configuration; errors name line and column.
    ValidateConfig(ValidateConfig),
    /// Show the settings in force, or write a file of them.
    #[command(
        after_help = "Examples:\n  kitbag config show\n  kitbag config init\n  KITBAG_QUERY_DEFAULT_K=5 kitbag config show"
    )]
    Config(Config),
    /// Print a script that completes commands in a shell.
    #[command(after_help = "\
Examples:
  kitbag completions bash > ~/.local/share/bash-completion/completions/kitbag
  kitbag completions zsh > ~/.zfunc/_kitbag
  kitbag completions fish > ~/.config/fish/completions/kitbag.fish")]
    Completions(Completions),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag index
  kitbag index --thorough        read every file again, whatever its time stamp says
  kitbag --root ~/src/shop index --json")]
pub(crate) struct Index {
    /// Read every file again, whatever its time stamp says, and check the whole index.
    #[arg(long)]
    pub(crate) thorough: bool,
    /// Give up at once if another process is indexing, instead of waiting for it.
    #[arg(long)]
    pub(crate) no_wait: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag search \"where are passwords checked\"
  kitbag search retry backoff --lang rust --exclude 'tests/**' --top 5
  kitbag search open a connection lib/ --since 2w
  kitbag search HttpClient::send --kind function -l
  kitbag search --all max_retries                   every line with this name, in pages
  kitbag search \"what changed lately in the parser\"
  kitbag search retry --json | jq '.results[0].path'")]
pub(crate) struct Search {
    /// A question, words, a name or an error message; then, optionally, folders to search in (`lib/`).
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) query: Vec<String>,
    /// How many results [default: 12, or query.default_k].
    #[arg(
        long,
        short = 'n',
        visible_alias = "limit",
        visible_short_alias = 'k',
        value_name = "N"
    )]
    pub(crate) top: Option<String>,
    /// Print only the paths of the files, best first.
    #[arg(long, short = 'l', conflicts_with_all = ["lines", "explain"])]
    pub(crate) files: bool,
    /// At most this many lines of each result; 0 prints only its place.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(0..=200))]
    pub(crate) lines: u16,
    /// Only files whose path, relative to the root of the project, matches; may be repeated.
    #[arg(long, value_name = "GLOB")]
    pub(crate) path: Vec<String>,
    /// Exclude files whose path matches; may be repeated.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Only these languages (see `kitbag languages`).
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', value_parser = Suggested(languages), hide_possible_values = true)]
    pub(crate) lang: Vec<String>,
    /// Only this package, by name or path (see `kitbag packages`); may be repeated.
    #[arg(long, value_name = "PACKAGE")]
    pub(crate) package: Vec<String>,
    /// How far to search from the package: package, cross_package (also its dependencies, at half the weight) or repo. Without
    /// --package: from the package of --active, else from those of the files that the query names.
    #[arg(long, value_name = "SCOPE", value_parser = Suggested(scopes), hide_possible_values = true)]
    pub(crate) scope: Option<String>,
    /// Only these kinds of chunk, such as function, class or section.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = Suggested(kinds), hide_possible_values = true)]
    pub(crate) kind: Vec<String>,
    /// Only files that changed since a day (2026-01-31), or within a number of hours, days, weeks or years (36h, 10d, 2w, 1y).
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Leave out results with a lower score, 0 to 1 relative to the best.
    #[arg(long, value_name = "SCORE")]
    pub(crate) min_score: Option<String>,
    /// Prefer variety: move results down that are similar to better ones.
    #[arg(long)]
    pub(crate) diverse: bool,
    /// The same, with its strength: 0 is all diversity, 1 all relevance [default: 0.5, or query.mmr_lambda].
    #[arg(long, value_name = "LAMBDA")]
    pub(crate) mmr_lambda: Option<String>,
    /// The file you are working in: results near it move up.
    #[arg(long, value_name = "FILE")]
    pub(crate) active: Option<PathBuf>,
    /// List every line with this name, or with this text if it is more than a name or in quotes ('"text"'); --top lines on a page.
    #[arg(long, conflicts_with_all = ["files", "explain", "kind", "min_score", "diverse", "mmr_lambda"])]
    pub(crate) all: bool,
    /// With --all: the next page, from the cursor that the page before ends with.
    #[arg(long, value_name = "CURSOR")]
    pub(crate) cursor: Option<String>,
    /// With --all: capitals or not.
    #[arg(long, short = 'i')]
    pub(crate) ignore_case: bool,
    /// Show the parts of each score.
    #[arg(long)]
    pub(crate) explain: bool,
    /// Switch off a provider or a factor by its name in --explain, to see its effect; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) without: Vec<String>,
    /// Search the index as it is.
    #[arg(long)]
    pub(crate) no_update: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag symbol parse_config
  kitbag symbol Parser::next --limit 5
  kitbag symbol axum::Router
  kitbag symbol UserRepository --json | jq '.callers[].path'")]
pub(crate) struct Symbol {
    /// A name, bare or qualified as the language writes it: Parser::next, pkg.Func, App\Models\User.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// At most this many definitions, members, callers, callees, implementors and tests each.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Only definitions in this package, by name or path (see `kitbag packages`); may be repeated.
    #[arg(long, value_name = "PACKAGE")]
    pub(crate) package: Vec<String>,
    /// How far to look from the package: package, cross_package (also its dependencies) or repo. Without --package: from the package
    /// of --active.
    #[arg(long, value_name = "SCOPE", value_parser = Suggested(scopes), hide_possible_values = true)]
    pub(crate) scope: Option<String>,
    /// The file you are working in.
    #[arg(long, value_name = "FILE")]
    pub(crate) active: Option<PathBuf>,
    /// Search the index as it is.
    #[arg(long)]
    pub(crate) no_update: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag packages
  kitbag packages web                          one package: its facts, what it depends on, who uses it
  kitbag packages --graph mermaid > graph.mmd
  kitbag packages --affected-by core/src/lib.rs
  kitbag packages --diff main --json | jq -r '.affected[].path'")]
pub(crate) struct Packages {
    /// One package: its name, its path, or a part of either.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Draw who depends on whom: text, mermaid or dot.
    #[arg(
        long,
        value_name = "FORM",
        num_args = 0..=1,
        default_missing_value = "text",
        value_parser = Suggested(graph_forms),
        hide_possible_values = true
    )]
    pub(crate) graph: Option<String>,
    /// List the packages that a change of these files or folders affects, nearest first.
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["name", "graph"])]
    pub(crate) affected_by: Vec<PathBuf>,
    /// The same for the files that differ from the last commit, from REV, or between A..B.
    #[arg(long, value_name = "REV", num_args = 0..=1, conflicts_with_all = ["name", "graph"])]
    pub(crate) diff: Option<Option<String>>,
    /// Use the index as it is.
    #[arg(long)]
    pub(crate) no_update: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag constraints
  kitbag constraints --path src/app.ts          the rules for one file
  kitbag constraints --kind document            what AGENTS.md, CONTRIBUTING and rule files ask for
  kitbag constraints --json | jq '.constraints[] | select(.enforcement == \"error\")'")]
pub(crate) struct Constraints {
    /// Only what applies to this package, by name or path.
    #[arg(long, value_name = "NAME")]
    pub(crate) package: Option<String>,
    /// Only what applies to this file or folder.
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,
    /// Only these: config, document or code.
    #[arg(long, value_name = "KIND", value_parser = Suggested(constraint_kinds), hide_possible_values = true)]
    pub(crate) kind: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag key-files
  kitbag key-files --path src/api                what is central there, and what changes together with it
  kitbag key-files --json | jq -r '.key_files[].path'")]
pub(crate) struct KeyFiles {
    /// Only files of this package, by name or path.
    #[arg(long, value_name = "NAME")]
    pub(crate) package: Option<String>,
    /// Only this file, or files below this folder.
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag check-docs
  kitbag check-docs README.md docs/setup.md
  kitbag check-docs --json | jq '.findings[] | .file + \":\" + (.line | tostring)'

Exit code 1 if anything is not true.")]
pub(crate) struct CheckDocs {
    /// The documents; without any, every AGENTS.md, CLAUDE.md, README and CONTRIBUTING.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag entry-points
  kitbag entry-points --kind api --path src/admin
  kitbag entry-points --kind job --kind event
  kitbag entry-points --kind export
  kitbag entry-points --json | jq -r '.entry_points[] | .method + \" \" + .path'")]
pub(crate) struct EntryPoints {
    /// Only of this kind: api, cli, event, export (what libraries offer), job or main; may be repeated. Without it: all but export.
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Vec<String>,
    /// Only of this framework: fastapi, rails, clap …
    #[arg(long, value_name = "NAME")]
    pub(crate) framework: Option<String>,
    #[command(flatten)]
    pub(crate) where_to_look: WhereToLook,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag data-access
  kitbag data-access --table users
  kitbag data-access --sensitive --json")]
pub(crate) struct DataAccess {
    /// Only functions that touch this table.
    #[arg(long, value_name = "TABLE")]
    pub(crate) table: Option<String>,
    /// Only functions that touch sensitive data.
    #[arg(long)]
    pub(crate) sensitive: bool,
    /// Only of this store: sql, prisma, activerecord …
    #[arg(long, value_name = "NAME")]
    pub(crate) store: Option<String>,
    #[command(flatten)]
    pub(crate) where_to_look: WhereToLook,
}

/// The part of a project that a list is about.
#[derive(Args, Debug)]
pub(crate) struct WhereToLook {
    /// Only this package, by name or path (see `kitbag packages`).
    #[arg(long, value_name = "NAME")]
    pub(crate) package: Option<String>,
    /// Only files and folders that match; may be repeated.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) path: Vec<String>,
    /// Use the index as it is.
    #[arg(long)]
    pub(crate) no_update: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag tokens README.md
  kitbag tokens --text 'hello world' --model claude-sonnet-4-5
  kitbag tokens src/main.rs --tokenizer ~/models/qwen3/tokenizer.json
  git diff | kitbag tokens -")]
pub(crate) struct Tokens {
    /// The file to count; `-` is standard input, and so is a pipe without a file.
    #[arg(value_name = "FILE", conflicts_with = "text")]
    pub(crate) file: Option<PathBuf>,
    /// The text to count.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) text: Option<String>,
    /// A model, or a family of tokenizers: o200k, cl100k, llama3, claude, gemini [default: tokenizer.model].
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Count exactly with this vocabulary instead: the tokenizer.json of any model on Hugging Face.
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    pub(crate) tokenizer: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag check-file src/main.rs
  kitbag check-file target/debug/build.log   (exit code 1: it is ignored)
  kitbag check-file .env --json | jq -r .reason")]
pub(crate) struct CheckFile {
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag list-indexable
  kitbag list-indexable --skipped
  kitbag list-indexable --json | jq '[.files[].bytes] | add'")]
pub(crate) struct ListIndexable {
    /// List what is left out instead, and why.
    #[arg(long)]
    pub(crate) skipped: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag validate-config
  kitbag validate-config ci/kitbag.toml
  kitbag validate-config --json | jq -r '.errors[].message'")]
pub(crate) struct ValidateConfig {
    /// One file to check [default: the user's and the project's, and the environment].
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Config {
    #[command(subcommand)]
    pub(crate) action: ConfigAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigAction {
    /// Show every setting, its value, and where the value comes from.
    Show,
    /// Show where the configuration files are, or would be.
    Path,
    /// Write kitbag.toml with every setting explained and commented out.
    Init(ConfigInit),
}

#[derive(Args, Debug)]
pub(crate) struct ConfigInit {
    /// Replace the file that is there.
    #[arg(long)]
    pub(crate) force: bool,
    /// Print it instead of writing it.
    #[arg(long, conflicts_with = "force")]
    pub(crate) print: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Completions {
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}
