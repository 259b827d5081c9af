//! The arguments of `refresh`, `rebuild`, `jobs` and `stats`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag refresh                 as `index`, as a job that others can see and cancel
  kitbag refresh src docs        only what is in there
  kitbag refresh --force src     read these files again, whatever their time stamps say")]
pub(crate) struct Refresh {
    /// Files and folders to check [default: the whole project].
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read every file again, whatever its time stamp says.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag rebuild --dry-run       what there is to do and how long it would take; changes nothing
  kitbag rebuild --force         everything anew; the old index answers until the new one is whole
  kitbag rebuild --force --paths src/parser src/lexer.rs")]
pub(crate) struct Rebuild {
    /// Do not ask for confirmation.
    #[arg(long, short)]
    pub(crate) force: bool,
    /// Show what would be done, by language, and how long it would take.
    #[arg(long, conflicts_with = "force")]
    pub(crate) dry_run: bool,
    /// Only files and folders named here.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) paths: Vec<PathBuf>,
    /// Do not free unused disk space.
    #[arg(long)]
    pub(crate) no_vacuum: bool,
    /// Keep the counts of how often files could not be read.
    #[arg(long)]
    pub(crate) keep_errors: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag jobs
  kitbag jobs job-12
  kitbag jobs --cancel job-12
  kitbag jobs --json | jq '.jobs[0].status'")]
pub(crate) struct Jobs {
    /// One job, with its log.
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Ask a job to stop, whichever process runs it.
    #[arg(long, value_name = "ID", conflicts_with = "id")]
    pub(crate) cancel: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag stats
  kitbag stats --days 7
  kitbag stats --json | jq .saving.median_saved_tokens")]
pub(crate) struct Stats {
    /// How many days to look back.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3650))]
    pub(crate) days: u64,
}
