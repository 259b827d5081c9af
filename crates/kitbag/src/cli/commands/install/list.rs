//! `kitbag install --list`: which agents are known, which are found here, and which have Kitbag.

use serde::Serialize;

use crate::cli::answer::Answer;
use crate::cli::context::Context;
use kitbag_door::printer::{Align, Style, Table};
use kitbag_install::install::agents::{AGENTS, Agent, AgentFile};
use kitbag_install::install::{config, file};

#[derive(Serialize)]
struct ListReply {
    agents: Vec<ListEntry>,
}

#[derive(Serialize)]
struct ListEntry {
    id: &'static str,
    name: &'static str,
    /// What tells that it is in use here: a file, a folder or a program.
    found: Option<String>,
    /// Its own file, or that of the project; null if it has none.
    file: Option<String>,
    /// Whether Kitbag is in that file; null if the file cannot be read.
    installed: Option<bool>,
}

pub(super) fn list(context: &Context, project: bool) -> Answer {
    let root = context.around.root();
    let entry = |agent: &'static Agent| {
        let file = match project {
            true => agent.project_file(&root),
            false => agent.user_file(&context.around.variables),
        };
        let installed = file.as_ref().map_or(Some(false), is_in);
        ListEntry {
            id: agent.id,
            name: agent.name,
            found: agent
                .sign(&context.around.variables)
                .map(|path| path.display().to_string()),
            file: file.map(|file| file.path.display().to_string()),
            installed,
        }
    };
    let reply = ListReply {
        agents: AGENTS.iter().map(entry).collect(),
    };
    Answer::new(context, &reply, |page| {
        let mut table = Table::new(&[
            (Align::Left, Some(Style::Label)),
            (Align::Left, None),
            (Align::Left, None),
            (Align::Left, None),
            (Align::Left, Some(Style::Path)),
        ]);
        for agent in &reply.agents {
            let found = if agent.found.is_some() { "found" } else { "-" };
            let installed = match agent.installed {
                Some(true) => "set up",
                Some(false) => "-",
                None => "unreadable",
            };
            let file = agent.file.as_deref().unwrap_or_default();
            table.row(&[agent.id, agent.name, found, installed, file]);
        }
        table.fit(4).print(page);
    })
}

/// Whether Kitbag is in a file; nothing if that cannot be told.
pub(super) fn is_in(agent_file: &AgentFile) -> Option<bool> {
    let bytes = file::read(&agent_file.path).ok()?.unwrap_or_default();
    let text = String::from_utf8(bytes).ok()?;
    let found = config::find(text.trim_start_matches('\u{feff}'), agent_file.slot);
    found.ok().map(|found| found.is_some())
}
