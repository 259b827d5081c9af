//! Turns agents into changes of files without touching any: what would be written, how it looks, how it is undone.
//!
//! Undoing must restore the bytes from before. If the file is what installing makes of the backup, the backup is restored; if
//! others wrote to the file since, the entry is cut out, and the backup only shows whether there were servers before. A backup in a
//! project would be committed by accident, so one is kept there only if cutting out would not restore the same bytes.

#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::agents::Agent;
use super::config::{self, Refusal, Slot};
use kitbag_engine::SecretRules;

use super::diff::diff;
use super::entry::{Entry, Launch, launch_of};
use super::{block, file};
use kitbag_door::env::{self, Variables};

/// Files of instructions, in the order of preference.
const INSTRUCTIONS: [&str; 2] = ["AGENTS.md", "CLAUDE.md"];
const BOM: &str = "\u{feff}";

/// A file and its intended content.
pub struct Target {
    /// The agents that read it; empty for a file of instructions.
    pub agents: Vec<&'static Agent>,
    pub path: PathBuf,
    pub what: StepChange,
    is_project: bool,
    /// The folder above which nothing is removed.
    stop: PathBuf,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StepChange {
    Entry(Slot, Entry),
    Block,
}

/// The planned change of a file.
#[derive(Debug)]
pub struct Step {
    pub state: StepState,
    pub diff: Vec<String>,
    action: Option<Action>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepState {
    Add,
    Change,
    AlreadyThere,
    Remove,
    NotThere,
    /// The file is not changed, for this reason.
    Refused(String),
}

#[derive(Debug)]
struct Action {
    before: Option<Vec<u8>>,
    /// `None`: the file is removed.
    after: Option<Vec<u8>>,
    backup: Backup,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backup {
    Leave,
    Make,
    Remove,
}

/// The files of `agents`: the user's, or those of the project at `project`. Agents that share a file share a target. The second
/// value lists the agents without such a file.
pub fn targets(
    agents: &[&'static Agent],
    project: Option<&Path>,
    launch: &Launch,
    variables: &Variables,
) -> (Vec<Target>, Vec<&'static Agent>) {
    let (mut targets, mut without): (Vec<Target>, Vec<&'static Agent>) = (Vec::new(), Vec::new());
    for agent in agents {
        let file = match project {
            Some(root) => agent.project_file(root),
            None => agent.user_file(variables),
        };
        let Some(file) = file else {
            without.push(agent);
            continue;
        };
        let stop = project.map(Path::to_owned).or_else(|| env::home(variables));
        match targets.iter_mut().find(|target| target.path == file.path) {
            Some(shared) => shared.agents.push(agent),
            None => targets.push(Target {
                agents: vec![agent],
                what: StepChange::Entry(file.slot, Entry::new(file.shape, launch)),
                is_project: project.is_some(),
                stop: stop.unwrap_or_else(|| file.path.clone()),
                path: file.path,
            }),
        }
    }
    (targets, without)
}

/// The files of the project for the advice: those that exist, each once if one is a link to the other, else the one that the agents
/// read.
pub fn instruction_targets(root: &Path, agents: &[&'static Agent]) -> Vec<Target> {
    let mut names: Vec<&str> = Vec::new();
    for name in INSTRUCTIONS {
        let real = |name: &str| root.join(name).canonicalize().ok();
        if let Some(path) = real(name)
            && !names.iter().any(|known| real(known).as_ref() == Some(&path))
        {
            names.push(name);
        }
    }
    if names.is_empty() {
        let mut wanted = agents.iter().map(|agent| agent.instructions);
        let first = wanted.next().unwrap_or(INSTRUCTIONS[0]);
        names.push(if wanted.all(|name| name == first) {
            first
        } else {
            INSTRUCTIONS[0]
        });
    }
    let target = |name: &str| Target {
        agents: Vec::new(),
        path: root.join(name),
        what: StepChange::Block,
        is_project: true,
        stop: root.to_owned(),
    };
    names.into_iter().map(target).collect()
}

/// Plans the installation into a file.
pub fn install(target: &Target) -> Step {
    planned(target, |before| {
        let bytes = before.as_deref().unwrap_or_default();
        let (bom, text) = decoded(bytes)?;
        let was_in = match &target.what {
            StepChange::Entry(slot, entry) => match config::find(text, *slot)? {
                Some(found) if entry.is_in(&found) => return Ok(None),
                found => found.is_some(),
            },
            StepChange::Block => block::is_in(text),
        };
        let after = match &target.what {
            StepChange::Entry(slot, entry) => config::set(text, *slot, entry)?,
            StepChange::Block => block::set(text),
        };
        if after == text {
            return Ok(None);
        }
        let after = format!("{bom}{after}").into_bytes();
        let is_reversible = undone(&after, None, target).is_ok_and(|undone| undone.as_ref() == Some(before));
        let has_backup = file::backup_of(&target.path).exists();
        // The backup is the file without Kitbag; once there is one, a file with Kitbag in it does not replace it.
        let wants_backup =
            before.is_some() && !(target.is_project && is_reversible) && !(was_in && has_backup);
        let backup = if wants_backup { Backup::Make } else { Backup::Leave };
        let state = if was_in { StepState::Change } else { StepState::Add };
        Ok(Some((state, Some(after), backup)))
    })
    .unwrap_or_else(|| nothing(StepState::AlreadyThere))
}

/// Plans the removal from a file.
pub fn uninstall(target: &Target) -> Step {
    planned(target, |before| {
        let Some(bytes) = before else {
            return Ok(None);
        };
        let backup = file::read(&file::backup_of(&target.path)).ok().flatten();
        let Some(mut after) = undone(bytes, backup.as_deref(), target)? else {
            return Ok(None);
        };
        // A link belongs to the user, whatever it leads to.
        if after.is_none() && target.path.is_symlink() {
            after = Some(Vec::new());
        }
        // An entry that the user had made is only in the backup now, unless the file is as it was.
        let is_needed = after != backup
            && backup
                .as_deref()
                .is_some_and(|backup| has_users_entry(backup, target));
        let backup = if backup.is_some() && !is_needed {
            Backup::Remove
        } else {
            Backup::Leave
        };
        Ok(Some((StepState::Remove, after, backup)))
    })
    .unwrap_or_else(|| nothing(StepState::NotThere))
}

/// Carries out a step.
pub fn apply(target: &Target, step: &Step) -> io::Result<()> {
    let Some(action) = &step.action else {
        return Ok(());
    };
    if let (Backup::Make, Some(before)) = (action.backup, &action.before) {
        file::back_up(&target.path, before)?;
    }
    match (&action.before, &action.after) {
        (Some(before), None) => file::delete(&target.path, before, &target.stop)?,
        (before, after) => file::replace(
            &target.path,
            before.as_deref(),
            after.as_deref().unwrap_or_default(),
        )?,
    }
    if action.backup == Backup::Remove {
        std::fs::remove_file(file::backup_of(&target.path))?;
    }
    Ok(())
}

impl Step {
    pub fn changes_something(&self) -> bool {
        self.action.is_some()
    }

    /// Whether the original is kept beside the file.
    pub fn makes_backup(&self) -> bool {
        self.action
            .as_ref()
            .is_some_and(|action| action.backup == Backup::Make)
    }

    pub fn deletes(&self) -> bool {
        self.action.as_ref().is_some_and(|action| action.after.is_none())
    }
}

/// The file without Kitbag: outer `None` if Kitbag is not in it, inner `None` if the file is to be removed.
#[expect(
    clippy::option_option,
    reason = "nothing to do and nothing to remain are two things"
)]
fn undone(bytes: &[u8], backup: Option<&[u8]>, target: &Target) -> Result<Option<Option<Vec<u8>>>, Refusal> {
    let (bom, text) = decoded(bytes)?;
    let after = match &target.what {
        StepChange::Block if !block::is_in(text) => return Ok(None),
        StepChange::Block => block::remove(text),
        StepChange::Entry(slot, entry) => {
            let Some(found) = config::find(text, *slot)? else {
                return Ok(None);
            };
            // A backup that cannot be read, or has an entry of ours, is not the state from before.
            let old = backup.and_then(|backup| decoded(backup).ok());
            let old = old.filter(|(_, old)| {
                config::find(old, *slot).is_ok_and(|found| !found.is_some_and(|found| is_ours(&found)))
            });
            if let (Some((old_bom, old)), Some(entry)) = (old, entry.as_found(&found))
                && old_bom == bom
                && config::set(old, *slot, &entry).is_ok_and(|new| new == text)
            {
                return Ok(Some(backup.map(<[u8]>::to_vec)));
            }
            let keep = old.is_some_and(|(_, old)| config::has_container(old, *slot).unwrap_or(false));
            config::remove(text, *slot, keep)?
        }
    };
    let is_blank = match &target.what {
        StepChange::Block => after.trim().is_empty(),
        StepChange::Entry(slot, _) => config::is_blank(&after, slot.format),
    };
    // Without a backup there was no file before.
    let is_ours = is_blank && backup.is_none();
    Ok(Some((!is_ours).then(|| format!("{bom}{after}").into_bytes())))
}

/// Whether it starts `kitbag mcp …`, which is what an install writes.
fn is_ours(entry: &Value) -> bool {
    launch_of(entry).is_some_and(|launch| {
        let name = Path::new(&launch.command).file_stem();
        name.is_some_and(|name| name == "kitbag") && launch.args.first().is_some_and(|word| word == "mcp")
    })
}

fn has_users_entry(bytes: &[u8], target: &Target) -> bool {
    let StepChange::Entry(slot, _) = &target.what else {
        return false;
    };
    let Ok((_, text)) = decoded(bytes) else {
        return false;
    };
    config::find(text, *slot).is_ok_and(|found| found.is_some_and(|found| !is_ours(&found)))
}

type Planned = Option<(StepState, Option<Vec<u8>>, Backup)>;

/// Reads the file, calls `plan`, and turns every error into a refusal.
fn planned(target: &Target, plan: impl FnOnce(&Option<Vec<u8>>) -> Result<Planned, Refusal>) -> Option<Step> {
    let refused = |message: String| Some(nothing(StepState::Refused(message)));
    let path = target.path.display();
    let before = match file::read(&target.path) {
        Ok(before) => before,
        Err(error) => return refused(format!("{path} cannot be read: {error}")),
    };
    match plan(&before) {
        Err(refusal) => {
            let bytes = before.unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            let (line, column) = refusal.place(text.strip_prefix(BOM).unwrap_or(&text));
            refused(format!("{path}:{line}:{column}: {}", refusal.message))
        }
        Ok(planned) => {
            let (state, after, backup) = planned?;
            // The changed lines may contain tokens of other servers (SEC-7).
            let rules = SecretRules::built_in();
            let shown = |bytes: &Option<Vec<u8>>| {
                let text = String::from_utf8_lossy(bytes.as_deref().unwrap_or_default());
                rules.redact(&text).0.into_owned()
            };
            Some(Step {
                state,
                diff: diff(&shown(&before), &shown(&after)),
                action: Some(Action {
                    before,
                    after,
                    backup,
                }),
            })
        }
    }
}

fn nothing(state: StepState) -> Step {
    Step {
        state,
        diff: Vec::new(),
        action: None,
    }
}

fn decoded(bytes: &[u8]) -> Result<(&'static str, &str), Refusal> {
    let text =
        std::str::from_utf8(bytes).map_err(|error| Refusal::new(error.valid_up_to(), "it is not UTF-8"))?;
    Ok(match text.strip_prefix(BOM) {
        Some(text) => (BOM, text),
        None => ("", text),
    })
}
