//! The first page of help: commands in groups, the everyday ones first. Clap lists subcommands in one block, so the page is made
//! here from the same table; a test fails for a command without a group.

#[cfg(test)]
mod tests;

use clap::{Command, CommandFactory as _};

use super::Arguments;

const GROUPS: &[(&str, &[&str])] = &[
    (
        "Everyday",
        &[
            "pack",
            "map",
            "search",
            "symbol",
            "related",
            "history",
            "tests",
            "packages",
            "constraints",
            "key-files",
            "check-docs",
            "explain",
            "verify",
            "cite",
            "memory",
            "thread",
            "feedback",
        ],
    ),
    (
        "What the project is",
        &["entry-points", "data-access", "patterns", "agents-md"],
    ),
    ("Agents", &["mcp", "serve", "install", "doctor"]),
    (
        "Index",
        &["index", "watch", "refresh", "rebuild", "jobs", "status"],
    ),
    (
        "Diagnosis and settings",
        &[
            "stats",
            "eval",
            "tokens",
            "languages",
            "check-file",
            "list-indexable",
            "project-stats",
            "config",
            "validate-config",
            "completions",
        ],
    ),
];

/// The whole command line, with its first page of help.
pub(crate) fn command() -> Command {
    let command = Arguments::command();
    let list = list(&command);
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{list}\
         `kitbag help COMMAND` says more about one.\n\n{{options}}{{after-help}}"
    ))
}

fn list(command: &Command) -> String {
    let mut text = String::new();
    let width = command
        .get_subcommands()
        .map(|one| one.get_name().len())
        .max()
        .unwrap_or(0);
    for (title, names) in GROUPS {
        text.push_str(&format!("{title}:\n"));
        for one in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = one.get_about().map(ToString::to_string).unwrap_or_default();
            text.push_str(&format!("  {:width$}  {about}\n", one.get_name()));
        }
        text.push('\n');
    }
    text
}
