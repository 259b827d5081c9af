//! The arguments of `install` and `doctor`.

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use kitbag_install::install::agents::AGENTS;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag install                             find agents, show the changes, ask
  kitbag install --yes                       the same without asking
  kitbag install --dry-run                   only show them
  kitbag install --agent codex zed           these two, found or not
  kitbag install --project --instructions    files of this project, and a note in AGENTS.md or CLAUDE.md
  kitbag install --list                      which agents are known, found and set up
  kitbag install --uninstall                 take everything back")]
pub(crate) struct Install {
    /// Agents, by the ids of --list [default: those that are found].
    #[arg(long, value_name = "ID", num_args = 1.., value_delimiter = ',', value_parser = ids())]
    pub(crate) agent: Vec<String>,
    /// Write the configuration files of this project, which everybody who works on it gets, instead of your own.
    #[arg(long)]
    pub(crate) project: bool,
    /// Also tell agents when to use Kitbag: a marked block in the project's AGENTS.md or CLAUDE.md.
    #[arg(long)]
    pub(crate) instructions: bool,
    /// The tools that are offered [default: core].
    #[arg(long, value_enum, value_name = "SET", conflicts_with = "uninstall")]
    pub(crate) tools: Option<ToolSet>,
    /// Write without asking.
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Show what would be written, and write nothing.
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Remove everything that was written: for all agents, unless some are named.
    #[arg(long)]
    pub(crate) uninstall: bool,
    /// List the known agents, and whether they are found and set up.
    #[arg(long, conflicts_with_all = ["agent", "instructions", "tools", "yes", "dry_run", "uninstall"])]
    pub(crate) list: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolSet {
    Core,
    Memory,
    Admin,
    All,
}

impl ToolSet {
    pub(crate) fn name(self) -> &'static str {
        match self {
            ToolSet::Core => "core",
            ToolSet::Memory => "memory",
            ToolSet::Admin => "admin",
            ToolSet::All => "all",
        }
    }
}

fn ids() -> PossibleValuesParser {
    AGENTS.iter().map(|agent| agent.id).collect::<Vec<_>>().into()
}
