//! The arguments of `eval`.

use std::path::PathBuf;

use clap::Args;

/// Arguments that need a run, and so do not go with arguments that read saved runs.
const RUNNING: [&str; 9] = [
    "files",
    "from_history",
    "repo",
    "top",
    "without",
    "ablate",
    "packs",
    "output",
    "no_update",
];

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag eval evals/queries.toml                        how well known questions are answered
  kitbag eval --from-history                            the same with this repository's own commits
  kitbag eval --from-history 50 --write mine.jsonl      keep the questions, to edit and run again
  kitbag eval mine.jsonl --output before.json           keep the run
  kitbag eval --compare before.json after.json          query by query: better, worse, or chance
  kitbag eval tasks.jsonl --repo shop --without symbol  one repository of many, one provider off
  kitbag eval tasks.jsonl --packs 4000,8000             which gold lines packs of these budgets show
  kitbag eval mine.jsonl --ablate                       what each provider and factor is worth
  kitbag eval --memories                                whether memories notice that their code changed
  kitbag eval --conventions --from v2.0                 do conventions of v2.0 hold for what was written since")]
pub(crate) struct Eval {
    /// Queries and the files that answer them: TOML, JSON lines or JSON (docs/cli.md); `-` is standard input.
    #[arg(
        value_name = "FILE",
        required_unless_present_any = ["from_history", "compare", "report", "conventions", "memories"],
        conflicts_with_all = ["from_history", "conventions"]
    )]
    pub(crate) files: Vec<PathBuf>,
    /// Make the queries from the last commits: message → source files touched; N queries at most [default: 200].
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        default_missing_value = "200",
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    pub(crate) from_history: Option<u32>,
    /// Save the queries that were made, as JSON lines.
    #[arg(long, value_name = "FILE", requires = "from_history")]
    pub(crate) write: Option<PathBuf>,
    /// Only the queries of this repository.
    #[arg(long, value_name = "NAME", conflicts_with = "from_history")]
    pub(crate) repo: Option<String>,
    /// How many chunks of each answer are evaluated.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) top: u16,
    /// Switch off a provider or a factor, by its name in `search --explain`; may be repeated.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) without: Vec<String>,
    /// Run again with each provider and factor switched off, and show the loss.
    #[arg(long)]
    pub(crate) ablate: bool,
    /// Also make packs of these budgets for every query with `gold_lines`, and judge what they show.
    #[arg(long, value_name = "TOKENS", value_delimiter = ',')]
    pub(crate) packs: Vec<usize>,
    /// With --packs: also tell the conventions and entry points that concern the code shown.
    #[arg(long, requires = "packs", conflicts_with = "no_brief")]
    pub(crate) brief: bool,
    /// With --packs: tell nothing beside the code.
    #[arg(long, requires = "packs")]
    pub(crate) no_brief: bool,
    /// Save the run as JSON, for --compare and --report.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Search the index as it is.
    #[arg(long)]
    pub(crate) no_update: bool,
    /// Mine conventions at an older commit instead, and show how the code that was added since follows them.
    #[arg(long, conflicts_with_all = RUNNING, conflicts_with_all = ["compare", "report"])]
    pub(crate) conventions: bool,
    /// The older commit; without it, one a quarter of the history back, at most 500 commits.
    #[arg(long, value_name = "REV", requires = "conventions")]
    pub(crate) from: Option<String>,
    /// Ignore the conventions that new code does not follow: write them to kitbag.patterns.toml.
    #[arg(long, requires = "conventions")]
    pub(crate) ignore_failing: bool,
    /// Cite definitions as they were N commits ago, replay the history, and count which changes are noticed, instead [default: 1000].
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        default_missing_value = "1000",
        conflicts_with_all = RUNNING,
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    pub(crate) memories: Option<u32>,
    /// With --memories: how many definitions are cited.
    #[arg(long, value_name = "N", default_value_t = 300, requires = "memories", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) cited: u32,
    /// Show the difference between two saved runs over the same queries instead.
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"], conflicts_with_all = RUNNING)]
    pub(crate) compare: Vec<PathBuf>,
    /// Show the figures of saved runs, of several repositories together, instead.
    #[arg(long, num_args = 1.., value_name = "RUN", conflicts_with_all = RUNNING, conflicts_with = "compare")]
    pub(crate) report: Vec<PathBuf>,
}
