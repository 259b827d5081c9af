//! The arguments of `pack` and of what can be done with a pack afterwards.

use std::path::PathBuf;

use clap::Args;

use super::suggested::{Suggested, categories, depths, formats, intents, languages, listed, scopes};
use kitbag_engine::api::MAX_BUDGET;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag pack \"add a retry to the HTTP client\"
  kitbag pack \"why does login fail\" --budget 4000 --model claude --open src/auth.rs
  kitbag pack \"review this change\" --diff main --copy
  kitbag pack --package kitbag-pack --depth overview
  gh issue view 42 --json body -q .body | kitbag pack - --ref src/parser.rs:10-80 --ref Parser::next
  kitbag pack \"fix the failing test\" --tool-result test.log --preview")]
pub(crate) struct Pack {
    /// What is to be done, or asked: a sentence, an issue text, an error message; `-` reads it from standard input.
    #[arg(required_unless_present = "package", value_name = "TASK")]
    pub(crate) task: Vec<String>,

    /// The most tokens of the pack [default: what the configured window leaves, else budget.default_max_tokens, adjusted to
    /// the task].
    #[arg(
        long,
        visible_alias = "max-tokens",
        value_name = "TOKENS",
        value_parser = tokens,
        allow_hyphen_values = true,
        help_heading = "Size"
    )]
    pub(crate) budget: Option<usize>,
    /// The model's window, instead of a budget: the pack gets what the reserves leave.
    #[arg(
        long,
        value_name = "TOKENS",
        conflicts_with = "budget",
        allow_hyphen_values = true,
        help_heading = "Size"
    )]
    pub(crate) window: Option<String>,
    /// Tokens of the window for the system prompt [default: 2000, or budget.system_reserve].
    #[arg(
        long,
        value_name = "TOKENS",
        conflicts_with = "budget",
        allow_hyphen_values = true,
        help_heading = "Size"
    )]
    pub(crate) system_reserve: Option<String>,
    /// Tokens of the window for the answer [default: 8000, or budget.response_reserve].
    #[arg(
        long,
        value_name = "TOKENS",
        conflicts_with = "budget",
        allow_hyphen_values = true,
        help_heading = "Size"
    )]
    pub(crate) response_reserve: Option<String>,
    /// How hard the task is, 1 to 10, if no budget is given: 8 and more raises the default by half, 3 and less lowers it by 30 %.
    #[arg(
        long,
        value_name = "1-10",
        value_parser = clap::value_parser!(u8).range(1..=10),
        conflicts_with_all = ["budget", "window", "system_reserve", "response_reserve"],
        help_heading = "Size"
    )]
    pub(crate) complexity: Option<u8>,
    /// A model, or a family of tokenizers: o200k, cl100k, llama3, claude, gemini [default: tokenizer.model].
    #[arg(long, value_name = "MODEL", help_heading = "Size")]
    pub(crate) model: Option<String>,
    /// Count exactly with this vocabulary instead: the tokenizer.json of any model on Hugging Face.
    #[arg(long, value_name = "FILE", conflicts_with = "model", help_heading = "Size")]
    pub(crate) tokenizer: Option<PathBuf>,

    /// A file you have open; may be repeated.
    #[arg(long, value_name = "FILE", help_heading = "Content")]
    pub(crate) open: Vec<PathBuf>,
    /// A file, lines of one (src/a.rs:10-40) or a name; comes before everything else; may be repeated.
    #[arg(long = "ref", value_name = "PATH[:LINES]|NAME", help_heading = "Content")]
    pub(crate) reference: Vec<String>,
    /// The output of a tool: a log, a stack trace; `-` is standard input; may be repeated.
    #[arg(long, value_name = "FILE", help_heading = "Content")]
    pub(crate) tool_result: Vec<PathBuf>,
    /// The change you work on, against the last commit, against REV, or between A..B: what it touches, its callers, its tests.
    #[arg(long, value_name = "REV", num_args = 0..=1, help_heading = "Content")]
    pub(crate) diff: Option<Option<String>>,
    /// Other sources, as JSON (docs/cli.md); `-` is standard input.
    #[arg(long, value_name = "FILE", help_heading = "Content")]
    pub(crate) sources: Option<PathBuf>,
    /// Do not search: pack only the sources that are handed in.
    #[arg(long, help_heading = "Content")]
    pub(crate) sources_only: bool,
    /// Search only files whose path, relative to the root of the project, matches; may be repeated.
    #[arg(long, value_name = "GLOB", help_heading = "Content")]
    pub(crate) path: Vec<String>,
    /// Do not search files whose path matches; may be repeated.
    #[arg(long, value_name = "GLOB", help_heading = "Content")]
    pub(crate) exclude: Vec<String>,
    /// Search only these languages (see `kitbag languages`).
    #[arg(
        long,
        value_name = "LANGUAGE",
        value_delimiter = ',',
        value_parser = Suggested(languages),
        hide_possible_values = true,
        help_heading = "Content"
    )]
    pub(crate) lang: Vec<String>,
    /// Search only this package, by name or path (see `kitbag packages`); may be repeated. Without a task: tell what to know of it.
    #[arg(long, value_name = "PACKAGE", help_heading = "Content")]
    pub(crate) package: Vec<String>,
    /// How far to search from the package: package, cross_package (also its dependencies, at half the weight) or repo. Without
    /// --package: from the package of the first --open file, else from those of the files that the task names.
    #[arg(long, value_name = "SCOPE", value_parser = Suggested(scopes), hide_possible_values = true, help_heading = "Content")]
    pub(crate) scope: Option<String>,
    #[arg(
        long,
        help = format!("{} [default: inferred from the task]", listed(&intents())),
        value_name = "INTENT",
        value_parser = Suggested(intents),
        hide_possible_values = true,
        help_heading = "Content"
    )]
    pub(crate) intent: Option<String>,
    /// How much to tell beside the code: overview, standard or deep; without a task about 2000, 6000 or 12000 tokens.
    #[arg(long, value_name = "DEPTH", value_parser = Suggested(depths), hide_possible_values = true, help_heading = "Content")]
    pub(crate) depth: Option<String>,
    /// Also tell the conventions and entry points that concern the code shown; takes a look at all code.
    #[arg(long, conflicts_with = "no_brief", help_heading = "Content")]
    pub(crate) brief: bool,
    /// Tell nothing beside the code [setting: packing.brief].
    #[arg(long, help_heading = "Content")]
    pub(crate) no_brief: bool,
    /// Show code without a task too.
    #[arg(long, conflicts_with = "no_snippets", help_heading = "Content")]
    pub(crate) snippets: bool,
    /// Show no code: only tell what to know of the package.
    #[arg(long, requires = "package", help_heading = "Content")]
    pub(crate) no_snippets: bool,
    /// Also tell what the package depends on in this repository.
    #[arg(long, help_heading = "Content")]
    pub(crate) dependencies: bool,
    /// Tell nothing that is less certain, 0 to 1.
    #[arg(long, value_name = "SHARE", help_heading = "Content")]
    pub(crate) min_confidence: Option<f64>,
    /// Tell only what is of this category: architectural, conventions, error_handling …; may be repeated.
    #[arg(
        long,
        value_name = "CATEGORY",
        value_delimiter = ',',
        value_parser = Suggested(categories),
        hide_possible_values = true,
        help_heading = "Content"
    )]
    pub(crate) category: Vec<String>,
    /// What this session was sent before is named, not repeated; any name, for as long as it is used [setting: sessions.idle_minutes].
    #[arg(long, value_name = "ID", help_heading = "Content")]
    pub(crate) session: Option<String>,
    /// Use the index as it is.
    #[arg(long, help_heading = "Content")]
    pub(crate) no_update: bool,

    #[arg(
        long,
        help = listed(&formats()),
        value_name = "FORMAT",
        value_parser = Suggested(formats),
        hide_possible_values = true,
        default_value = "markdown",
        help_heading = "Form"
    )]
    pub(crate) format: String,
    /// Your own format: a template in a subset of Jinja.
    #[arg(long, value_name = "FILE", conflicts_with = "format", help_heading = "Form")]
    pub(crate) template: Option<PathBuf>,
    /// Print line numbers.
    #[arg(long, help_heading = "Form")]
    pub(crate) line_numbers: bool,
    /// Show what would be in the pack, not its text.
    #[arg(long, conflicts_with_all = ["copy", "out"], help_heading = "Form")]
    pub(crate) preview: bool,
    /// Also print figures: tokens by source and section, tokens saved, times.
    #[arg(long, help_heading = "Form")]
    pub(crate) stats: bool,
    /// Also print why each item is in, and what was left out; with --json, list everything that was left out.
    #[arg(long, help_heading = "Form")]
    pub(crate) explain: bool,
    /// Put it on the clipboard instead of standard output.
    #[arg(long, help_heading = "Form")]
    pub(crate) copy: bool,
    /// Write it to a file instead of standard output.
    #[arg(long, value_name = "FILE", help_heading = "Form")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag map                          the repository on one page
  kitbag map --budget 1500
  kitbag map --format xml")]
pub(crate) struct Map {
    /// Tokens the page may have [default: 3000].
    #[arg(long, visible_alias = "max-tokens", value_name = "TOKENS", value_parser = tokens, allow_hyphen_values = true)]
    pub(crate) budget: Option<usize>,
    /// A model, or a family of tokenizers: o200k, cl100k, llama3, claude, gemini [default: tokenizer.model].
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// markdown, xml, json, plain or project-context.
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = Suggested(formats),
        hide_possible_values = true,
        default_value = "markdown"
    )]
    pub(crate) format: String,
    /// What this session was sent before is counted, not repeated.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Use the index as it is.
    #[arg(long)]
    pub(crate) no_update: bool,
}

fn tokens(text: &str) -> Result<usize, String> {
    let n_tokens = kitbag_types::amount(text).and_then(|n| usize::try_from(n).ok());
    let n_tokens = n_tokens.filter(|n| *n <= MAX_BUDGET);
    n_tokens.ok_or_else(|| format!("expected a whole number from 0 to {MAX_BUDGET}, such as 8000 or 8k"))
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag explain                      all items of the last pack and what was left out
  kitbag explain fn-3kx9              why this one is where it is
  kitbag explain src/auth.rs:40       why that line is in, or out
  kitbag explain Parser::next --pack pack.json --json")]
pub(crate) struct Explain {
    /// A citation, a rank, a path, path:line, or a name [default: everything].
    #[arg(value_name = "TARGET")]
    pub(crate) target: Option<String>,
    /// A pack: the output of `kitbag pack --json`, or its text [default: the last one].
    #[arg(long, value_name = "FILE")]
    pub(crate) pack: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag verify                       whether the last pack still holds
  kitbag verify prompt.md             whether this one does: a text as it was printed, or the JSON
  kitbag verify --refresh             what changed since, as a pack")]
pub(crate) struct Verify {
    /// A pack: the output of `kitbag pack --json`, or its text; `-` is standard input [default: the last one].
    #[arg(value_name = "PACK")]
    pub(crate) pack: Option<PathBuf>,
    /// Print the items that changed, as they are now, as a pack of the same form and budget.
    #[arg(long)]
    pub(crate) refresh: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag cite answer.md               the sources that an answer quotes
  llm < prompt.md | tee answer.md | kitbag cite
  kitbag cite answer.md --pack pack.json --json")]
pub(crate) struct Cite {
    /// The answer; `-` is standard input, and so is a pipe without a file.
    #[arg(value_name = "FILE")]
    pub(crate) answer: Option<PathBuf>,
    /// A pack: the output of `kitbag pack --json`, or its text [default: the last one].
    #[arg(long, value_name = "FILE")]
    pub(crate) pack: Option<PathBuf>,
}
