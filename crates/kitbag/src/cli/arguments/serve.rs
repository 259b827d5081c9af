//! The arguments of `mcp` and `serve`.

use clap::{Args, ValueEnum};

use kitbag_server::Set;

/// The sets of tools that a client sees.
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

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kitbag serve
  kitbag serve --port 0 --json                 any free port; says which as JSON
  KITBAG_SERVER_API_KEYS=ann:... kitbag serve --host 0.0.0.0
  curl -s localhost:9090/v1/pack -H 'content-type: application/json' -H 'accept: text/markdown' \\
       -d '{\"task\": \"add a retry to the HTTP client\"}'")]
pub(crate) struct Serve {
    /// The address to listen on; any address but this machine's own needs keys.
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Option<String>,
    /// The port to listen on [default: 9090].
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<String>,
    /// Sets of tools that MCP clients see at /mcp.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "core",
        value_name = "SET"
    )]
    pub(crate) tools: Vec<Tools>,
    /// Log each request as a line of JSON on standard error: path, status, time, id.
    #[arg(long)]
    pub(crate) log: bool,
}

impl Serve {
    pub(crate) fn sets(&self) -> Vec<Set> {
        sets(&self.tools)
    }
}

impl Mcp {
    pub(crate) fn sets(&self) -> Vec<Set> {
        sets(&self.tools)
    }
}

/// Core is always included: the others make no sense without it.
fn sets(tools: &[Tools]) -> Vec<Set> {
    let wanted = |tool: Tools| tools.contains(&tool) || tools.contains(&Tools::All);
    let mut sets = vec![Set::Core];
    sets.extend(wanted(Tools::Memory).then_some(Set::Memory));
    sets.extend(wanted(Tools::Admin).then_some(Set::Admin));
    sets
}
