//! `kitbag install`: puts Kitbag into the configuration of agents, or takes it out (MCP-6). Shows the changes, asks, writes.

mod list;

use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;

use serde::Serialize;

use crate::cli::answer::Answer;
use crate::cli::arguments::Install;
use crate::cli::context::Context;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Page, Style, talk};
use kitbag_install::install::agents::{AGENTS, Agent};
use kitbag_install::install::entry::Launch;
use kitbag_install::install::plan::{self, Step, StepState, Target};
use kitbag_install::install::{file, programs};
use list::{is_in, list};

#[derive(Serialize)]
struct InstallReply {
    /// The command that agents start.
    command: String,
    args: Vec<String>,
    /// Whether files were written; if not, this is what would be written.
    applied: bool,
    files: Vec<FileReply>,
    warnings: Vec<String>,
    /// The changes were on the screen already, above the question.
    #[serde(skip)]
    shown: bool,
}

#[derive(Serialize)]
struct FileReply {
    agents: Vec<&'static str>,
    path: String,
    /// `add`, `change`, `already_there`, `remove`, `not_there`, `refused` or `failed`.
    state: &'static str,
    /// Why it was refused or failed.
    message: Option<String>,
    /// Lines taken away and added.
    diff: Vec<String>,
    /// The file is deleted, because nothing else is in it.
    deletes: bool,
    /// Where the file is kept as it was.
    backup: Option<String>,
}

pub(crate) fn run(context: &Context, arguments: &Install) -> Result<Answer, Failure> {
    if arguments.list {
        return Ok(list(context, arguments.project));
    }
    let root = context.around.root();
    let launch = programs::launch(
        arguments.tools.map(|tools| tools.name()),
        &context.around.variables,
    );
    let agents = chosen(context, arguments, &root);
    if agents.is_empty() && !arguments.instructions {
        let message = "no agent was found on this machine";
        return Err(Failure {
            exit: Exit::NothingFound,
            ..Failure::wrong_use("AGENT_NOT_FOUND", message)
        }
        .with_hint("`kitbag install --list` shows which are known; name one with --agent ID"));
    }
    let project = arguments.project.then_some(root.as_path());
    let (mut targets, without) = plan::targets(&agents, project, &launch, &context.around.variables);
    if arguments.instructions || arguments.uninstall {
        targets.extend(plan::instruction_targets(&root, &agents));
    }
    let steps: Vec<Step> = targets
        .iter()
        .map(if arguments.uninstall {
            plan::uninstall
        } else {
            plan::install
        })
        .collect();
    let mut reply = InstallReply {
        files: targets
            .iter()
            .zip(&steps)
            .map(|(target, step)| file_reply(target, step))
            .collect(),
        warnings: warnings(arguments, &launch, &without, &root),
        command: launch.command,
        args: launch.args,
        applied: false,
        shown: false,
    };
    let has_changes = steps.iter().any(Step::changes_something);
    let consent = match has_changes && !arguments.dry_run {
        true if arguments.yes => Consent::Given,
        true => asked(context, &reply),
        false => Consent::NotNeeded,
    };
    if consent == Consent::Given {
        for ((target, step), file) in targets.iter().zip(&steps).zip(&mut reply.files) {
            if let Err(error) = plan::apply(target, step) {
                file.state = "failed";
                file.message = Some(format!("{} cannot be written: {error}", file.path));
            }
        }
        reply.applied = true;
        reply.shown = !arguments.yes;
    }
    Ok(answer(context, arguments, &reply, consent))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Consent {
    Given,
    Denied,
    /// There is nobody to ask: no terminal, or a program that reads JSON.
    NobodyThere,
    NotNeeded,
}

/// The named agents; else, to install, those that are found; to remove, all.
fn chosen(context: &Context, arguments: &Install, root: &Path) -> Vec<&'static Agent> {
    let is_chosen = |agent: &&Agent| {
        if !arguments.agent.is_empty() {
            return arguments.agent.iter().any(|id| id == agent.id);
        }
        let has_file = || agent.project_file(root).is_some_and(|file| file.path.exists());
        arguments.uninstall
            || agent.sign(&context.around.variables).is_some()
            || (arguments.project && has_file())
    };
    AGENTS.iter().filter(is_chosen).collect()
}

fn warnings(arguments: &Install, launch: &Launch, without: &[&'static Agent], root: &Path) -> Vec<String> {
    if arguments.uninstall {
        // The project's files are for others too: they are changed only if the agent is named.
        let is_set_up = |agent: &Agent| {
            agent
                .project_file(root)
                .is_some_and(|file| is_in(&file) == Some(true))
        };
        let names: Vec<&str> = AGENTS
            .iter()
            .filter(|agent| is_set_up(agent))
            .map(|agent| agent.name)
            .collect();
        return if arguments.project || names.is_empty() {
            Vec::new()
        } else {
            let names = names.join(", ");
            vec![format!(
                "the project's own files keep Kitbag for {names}; add --project to take it out of them"
            )]
        };
    }
    let mut warnings = Vec::new();
    let is_named = |agent: &&&Agent| arguments.agent.iter().any(|id| id == agent.id);
    for agent in without.iter().filter(is_named) {
        let whose = if arguments.project {
            "in a project"
        } else {
            "of its own: HOME is not set"
        };
        warnings.push(format!("{} has no configuration file {whose}", agent.name));
    }
    if arguments.project && Path::new(&launch.command).is_absolute() {
        warnings.push(format!(
            "{} is a path of this machine, and the project's files are for others too; put kitbag on PATH first",
            launch.command
        ));
    }
    warnings
}

/// Shows the changes and asks.
fn asked(context: &Context, reply: &InstallReply) -> Consent {
    if context.looks.json || !std::io::stdin().is_terminal() || !context.looks.stderr_is_terminal {
        return Consent::NobodyThere;
    }
    let mut page = Page::new(context.looks.stderr_colour);
    render(&mut page, reply);
    page.end_line().put("Write these changes? [y/N] ");
    talk(&page.into_text());
    let mut line = String::new();
    // The end of input does not mean yes.
    let _ = std::io::stdin().lock().read_line(&mut line);
    match line.trim() {
        "y" | "Y" | "yes" => Consent::Given,
        _ => Consent::Denied,
    }
}

fn answer(context: &Context, arguments: &Install, reply: &InstallReply, consent: Consent) -> Answer {
    let has = |state: &str| reply.files.iter().any(|file| file.state == state);
    let exit = if has("failed") {
        Exit::Trouble
    } else if has("refused") || consent == Consent::NobodyThere {
        Exit::WrongUse
    } else if consent == Consent::Denied {
        Exit::NothingFound
    } else {
        Exit::Fine
    };
    if consent == Consent::Denied {
        return Answer::text(String::new())
            .exit(exit)
            .remark(context, "nothing was written");
    }
    let answer = Answer::new(context, reply, |page| render(page, reply))
        .exit(exit)
        .warn(context, &reply.warnings);
    match consent {
        Consent::NobodyThere => answer.remark(context, "nothing was written: run with --yes to write it"),
        Consent::Given if !arguments.uninstall => answer.remark(
            context,
            "restart the agents, then `kitbag doctor` checks that they can start kitbag",
        ),
        _ => answer,
    }
}

fn file_reply(target: &Target, step: &Step) -> FileReply {
    let (state, message) = match &step.state {
        StepState::Add => ("add", None),
        StepState::Change => ("change", None),
        StepState::AlreadyThere => ("already_there", None),
        StepState::Remove => ("remove", None),
        StepState::NotThere => ("not_there", None),
        StepState::Refused(why) => ("refused", Some(why.clone())),
    };
    FileReply {
        agents: target.agents.iter().map(|agent| agent.id).collect(),
        path: target.path.display().to_string(),
        state,
        message,
        diff: step.diff.clone(),
        deletes: step.deletes(),
        backup: step
            .makes_backup()
            .then(|| file::backup_of(&target.path).display().to_string()),
    }
}

fn render(page: &mut Page, reply: &InstallReply) {
    for file in &reply.files {
        let done = match (file.state, reply.applied) {
            ("add", true) => "added",
            ("add", false) => "to be added",
            ("change", true) => "changed",
            ("change", false) => "to be changed",
            ("remove", true) => "removed",
            ("remove", false) => "to be removed",
            ("already_there", _) => "already there",
            // Removing checks every agent: those without an entry need no line.
            ("not_there", _) => continue,
            (other, _) => other,
        };
        let style = if file.message.is_some() {
            Style::Error
        } else {
            Style::Good
        };
        let names = AGENTS.iter().filter(|agent| file.agents.contains(&agent.id));
        let names: Vec<&str> = names.map(|agent| agent.name).collect();
        let whose = if names.is_empty() {
            "instructions".to_owned()
        } else {
            names.join(", ")
        };
        page.styled(Style::Label, &whose)
            .put("  ")
            .styled(Style::Path, &file.path)
            .put("  ");
        page.styled(style, done);
        page.line(if file.deletes {
            ", with the file: nothing else is in it"
        } else {
            ""
        });
        if let Some(message) = &file.message {
            page.put("  ").line(message);
        }
        for line in file.diff.iter().filter(|_| !reply.shown) {
            let style = if line.starts_with('+') {
                Style::Good
            } else {
                Style::Error
            };
            page.put("  ").styled_code(style, line).end_line();
        }
        if let Some(backup) = &file.backup {
            page.put("  ")
                .styled(Style::Quiet, &format!("backup: {backup}"))
                .end_line();
        }
    }
    if reply.files.iter().all(|file| file.state == "not_there") {
        page.line("nothing of kitbag was found");
    }
}
