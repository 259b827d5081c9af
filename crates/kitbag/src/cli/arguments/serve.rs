//! What the servers can be told.

use clap::{Args, ValueEnum};

use crate::server::Set;

/// Tools that a client is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tools {
    Core,
    Memory,
    Admin,
    All,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Agents start this themselves; `kitbag install` tells them to.

Examples:
  kitbag mcp
  kitbag mcp --tools core,memory
  kitbag --root ~/src/shop mcp --tools all")]
pub(crate) struct Mcp {
    /// Sets of tools: core (packs, search, names), memory, admin (rebuild, packages), all.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "core",
        value_name = "SET"
    )]
    pub(crate) tools: Vec<Tools>,
}

impl Mcp {
    pub(crate) fn sets(&self) -> Vec<Set> {
        sets(&self.tools)
    }
}

/// Core is always among them: the others make no sense without it.
pub(crate) fn sets(tools: &[Tools]) -> Vec<Set> {
    let wanted = |tool: Tools| tools.contains(&tool) || tools.contains(&Tools::All);
    let mut sets = vec![Set::Core];
    sets.extend(wanted(Tools::Memory).then_some(Set::Memory));
    sets.extend(wanted(Tools::Admin).then_some(Set::Admin));
    sets
}
