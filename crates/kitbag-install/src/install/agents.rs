//! The table of agents, one row each: how an agent is recognised, which files it reads, and the form of an entry in them.
//!
//! A new agent is a row here and a folder in `tests/fixtures/agents`. Continue is left out on purpose: its file is a YAML list.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use super::config::{Format, Slot};
use super::entry::{NAME, Shape};
use super::programs::on_path;
use kitbag_door::env::{self, Variables};

pub struct Agent {
    /// For `--agent`.
    pub id: &'static str,
    pub name: &'static str,
    /// Programs on PATH by which it is recognised. Empty if the name is too common.
    programs: &'static [&'static str],
    /// Files or folders by which it is recognised.
    signs: &'static [(Base, &'static str)],
    /// The user's file: the first that exists, else the first.
    user: (&'static [(Base, &'static str)], Keep),
    /// The project's file, relative to the root, if there is one.
    project: Option<(&'static [&'static str], Keep)>,
    /// The file in a project from which it reads instructions.
    pub instructions: &'static str,
}

/// How a file lists servers.
#[derive(Clone, Copy)]
struct Keep {
    format: Format,
    container: &'static str,
    shape: Shape,
}

/// The folder that the user's files are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Home,
    /// `~/.config`, or XDG_CONFIG_HOME if set; `%APPDATA%` on Windows.
    Config,
    /// Where desktop programs keep settings: like `Config`, but `~/Library/Application Support` on a Mac.
    Desktop,
    /// The folder in this variable, else one in the home folder.
    Variable(&'static str, &'static str),
}

/// A file of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentFile {
    pub path: PathBuf,
    pub slot: Slot,
    pub shape: Shape,
}

const fn json(container: &'static str, shape: Shape) -> Keep {
    Keep {
        format: Format::Json,
        container,
        shape,
    }
}

const CODEX: Keep = Keep {
    format: Format::Toml,
    container: "mcp_servers",
    shape: Shape::Plain,
};
const CODEX_HOME: Base = Base::Variable("CODEX_HOME", ".codex");
/// Claude Code keeps its file beside its folder, unless a variable moves both into one folder.
const CLAUDE: Base = Base::Variable("CLAUDE_CONFIG_DIR", "");

/// In alphabetical order of their names.
pub const AGENTS: &[Agent] = &[
    Agent {
        id: "antigravity",
        name: "Antigravity",
        programs: &["agy", "antigravity"],
        signs: &[
            (Base::Home, ".gemini/config"),
            (Base::Home, ".gemini/antigravity"),
        ],
        user: (
            &[
                (Base::Home, ".gemini/config/mcp_config.json"),
                (Base::Home, ".gemini/antigravity/mcp_config.json"),
            ],
            json("mcpServers", Shape::Plain),
        ),
        project: None,
        instructions: "AGENTS.md",
    },
    Agent {
        id: "claude-code",
        name: "Claude Code",
        programs: &["claude"],
        signs: &[(CLAUDE, ".claude.json"), (Base::Home, ".claude")],
        user: (&[(CLAUDE, ".claude.json")], json("mcpServers", Shape::Stdio)),
        project: Some((&[".mcp.json"], json("mcpServers", Shape::Stdio))),
        instructions: "CLAUDE.md",
    },
    Agent {
        id: "codex",
        name: "Codex",
        programs: &["codex"],
        signs: &[(CODEX_HOME, "")],
        user: (&[(CODEX_HOME, "config.toml")], CODEX),
        project: Some((&[".codex/config.toml"], CODEX)),
        instructions: "AGENTS.md",
    },
    Agent {
        id: "copilot",
        name: "Copilot CLI",
        programs: &["copilot"],
        signs: &[(Base::Home, ".copilot")],
        user: (
            &[(Base::Home, ".copilot/mcp-config.json")],
            json("mcpServers", Shape::StdioAllTools),
        ),
        project: Some((&[".mcp.json"], json("mcpServers", Shape::Stdio))),
        instructions: "AGENTS.md",
    },
    Agent {
        id: "cursor",
        name: "Cursor",
        programs: &["cursor", "cursor-agent"],
        signs: &[(Base::Home, ".cursor")],
        user: (
            &[(Base::Home, ".cursor/mcp.json")],
            json("mcpServers", Shape::Plain),
        ),
        project: Some((&[".cursor/mcp.json"], json("mcpServers", Shape::Plain))),
        instructions: "AGENTS.md",
    },
    Agent {
        id: "gemini",
        name: "Gemini CLI",
        programs: &["gemini"],
        signs: &[(Base::Home, ".gemini/settings.json")],
        user: (
            &[(Base::Home, ".gemini/settings.json")],
            json("mcpServers", Shape::Plain),
        ),
        project: Some((&[".gemini/settings.json"], json("mcpServers", Shape::Plain))),
        instructions: "AGENTS.md",
    },
    Agent {
        id: "kiro",
        name: "Kiro",
        programs: &["kiro", "kiro-cli"],
        signs: &[(Base::Home, ".kiro")],
        user: (
            &[(Base::Home, ".kiro/settings/mcp.json")],
            json("mcpServers", Shape::Plain),
        ),
        project: Some((&[".kiro/settings/mcp.json"], json("mcpServers", Shape::Plain))),
        instructions: "AGENTS.md",
    },
    Agent {
        id: "opencode",
        name: "OpenCode",
        programs: &["opencode"],
        signs: &[(Base::Config, "opencode")],
        user: (
            &[
                (Base::Config, "opencode/opencode.json"),
                (Base::Config, "opencode/opencode.jsonc"),
            ],
            json("mcp", Shape::Local),
        ),
        project: Some((&["opencode.json", "opencode.jsonc"], json("mcp", Shape::Local))),
        instructions: "AGENTS.md",
    },
    Agent {
        id: "pi",
        name: "Pi",
        programs: &[],
        signs: &[(Base::Home, ".pi/agent")],
        user: (
            &[(Base::Home, ".pi/agent/mcp.json")],
            json("mcpServers", Shape::Plain),
        ),
        project: Some((&[".pi/mcp.json"], json("mcpServers", Shape::Plain))),
        instructions: "AGENTS.md",
    },
    Agent {
        id: "vscode",
        name: "VS Code",
        programs: &["code"],
        signs: &[(Base::Desktop, "Code/User")],
        user: (
            &[(Base::Desktop, "Code/User/mcp.json")],
            json("servers", Shape::Stdio),
        ),
        project: Some((&[".vscode/mcp.json"], json("servers", Shape::Stdio))),
        instructions: "AGENTS.md",
    },
    Agent {
        id: "windsurf",
        name: "Windsurf",
        programs: &["windsurf"],
        signs: &[(Base::Home, ".codeium/windsurf")],
        user: (
            &[(Base::Home, ".codeium/windsurf/mcp_config.json")],
            json("mcpServers", Shape::Plain),
        ),
        project: None,
        instructions: "AGENTS.md",
    },
    Agent {
        id: "zed",
        name: "Zed",
        programs: &["zed", "zeditor"],
        signs: &[(Base::Config, "zed")],
        user: (
            &[(Base::Config, "zed/settings.json")],
            json("context_servers", Shape::Plain),
        ),
        project: Some((&[".zed/settings.json"], json("context_servers", Shape::Plain))),
        instructions: "AGENTS.md",
    },
];

impl Agent {
    pub fn user_file(&self, variables: &Variables) -> Option<AgentFile> {
        let (places, keep) = self.user;
        let paths = places
            .iter()
            .filter_map(|(base, path)| in_base(*base, path, variables));
        Some(keep.file(first_that_exists(paths.collect())?))
    }

    pub fn project_file(&self, root: &Path) -> Option<AgentFile> {
        let (paths, keep) = self.project?;
        let paths = paths.iter().map(|path| root.join(path));
        Some(keep.file(first_that_exists(paths.collect())?))
    }

    /// The file, folder or program that shows that this agent is in use.
    pub fn sign(&self, variables: &Variables) -> Option<PathBuf> {
        let signs = self
            .signs
            .iter()
            .filter_map(|(base, path)| in_base(*base, path, variables));
        let mut found = signs.filter(|path| path.exists());
        let program = || self.programs.iter().find_map(|name| on_path(name, variables));
        found.next().or_else(program)
    }
}

impl Keep {
    fn file(self, path: PathBuf) -> AgentFile {
        AgentFile {
            path,
            slot: Slot {
                format: self.format,
                container: self.container,
                name: NAME,
            },
            shape: self.shape,
        }
    }
}

fn in_base(base: Base, path: &str, variables: &Variables) -> Option<PathBuf> {
    let home = || env::home(variables);
    let folder = match base {
        Base::Home => home(),
        Base::Desktop if cfg!(target_os = "macos") => Some(home()?.join("Library/Application Support")),
        Base::Config | Base::Desktop if cfg!(windows) => env::app_data(variables),
        Base::Config | Base::Desktop => env::config_home(variables),
        Base::Variable(name, otherwise) => {
            env::folder(variables, name).or_else(|| Some(home()?.join(otherwise)))
        }
    }?;
    // Joining an empty path would add a separator.
    Some(if path.is_empty() {
        folder
    } else {
        folder.join(path)
    })
}

fn first_that_exists(paths: Vec<PathBuf>) -> Option<PathBuf> {
    let found = paths.iter().find(|path| path.symlink_metadata().is_ok());
    found.or(paths.first()).cloned()
}
