//! The arguments of `patterns` and `agents-md`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::WhereToLook;
use super::suggested::{Suggested, pattern_categories};

#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  kitbag patterns
  kitbag patterns --category tests --path 'src/api/**'
  kitbag patterns --all --json | jq '.patterns[] | select(.mined) | .statement'
  kitbag patterns approve python/imports/role:source/internal/relative
  kitbag patterns ignore go/files/header

Decisions are kept in kitbag.patterns.toml, which can be committed."
)]
pub(crate) struct Patterns {
    #[command(subcommand)]
    pub(crate) decide: Option<PatternDecision>,
    /// Only of this category: naming, tests, error_handling, imports, structure …
    #[arg(long, value_name = "NAME", value_parser = Suggested(pattern_categories), hide_possible_values = true)]
    pub(crate) category: Option<String>,
    /// Also those that are too weak or too rare to be shown, and ignored ones.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) where_to_look: WhereToLook,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PatternDecision {
    /// Say that a convention is meant: it is always shown.
    Approve(PatternIds),
    /// Say that a convention is chance: it is not shown any more.
    Ignore(PatternIds),
    /// Take a decision back.
    Forget(PatternIds),
}

#[derive(Args, Debug)]
pub(crate) struct PatternIds {
    /// As `kitbag patterns` prints them.
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag agents-md                   show what would change
  kitbag agents-md --write           change it
  kitbag agents-md --check           exit code 1 if the block is out of date, for CI
  kitbag agents-md CLAUDE.md --write")]
pub(crate) struct AgentsMd {
    /// The document [default: AGENTS.md].
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Write the document; without it only the change is shown.
    #[arg(long, conflicts_with = "check")]
    pub(crate) write: bool,
    /// Exit code 1 if the document would change.
    #[arg(long)]
    pub(crate) check: bool,
}
