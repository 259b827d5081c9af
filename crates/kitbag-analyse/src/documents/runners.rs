//! What can be run by a name: scripts of manifests, targets of Makefiles, recipes and tasks. A runner is a row.

use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::RepoPath;

use crate::formats::tree::{self, Node};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runner {
    Node,
    Make,
    Just,
    Task,
    Composer,
    Deno,
}

impl Runner {
    /// What its names are.
    pub fn what(self) -> &'static str {
        match self {
            Self::Node => "script of a package.json",
            Self::Make => "target of a Makefile",
            Self::Just => "recipe of a justfile",
            Self::Task => "task of a Taskfile",
            Self::Composer => "script of a composer.json",
            Self::Deno => "task of a deno.json",
        }
    }
}

/// All names of each runner that the project has files for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scripts {
    names: BTreeMap<Runner, BTreeSet<String>>,
    /// Those that also take names from elsewhere (an include, a pattern): nothing is certain about them.
    open: BTreeSet<Runner>,
}

impl Scripts {
    /// The names of a runner; `None`: it is not used here, or takes names that are not known.
    pub(super) fn of(&self, runner: Runner) -> Option<&BTreeSet<String>> {
        self.names.get(&runner).filter(|_| !self.open.contains(&runner))
    }

    /// The names of a runner that its files state, whatever else there may be.
    pub fn stated(&self, runner: Runner) -> impl Iterator<Item = &str> {
        self.names.get(&runner).into_iter().flatten().map(String::as_str)
    }
}

const FILES: &[(Runner, &[&str])] = &[
    (Runner::Node, &["package.json"]),
    (Runner::Make, &["Makefile", "makefile", "GNUmakefile"]),
    (Runner::Just, &["justfile", "Justfile", ".justfile"]),
    (
        Runner::Task,
        &[
            "Taskfile.yml",
            "Taskfile.yaml",
            "taskfile.yml",
            "Taskfile.dist.yml",
        ],
    ),
    (Runner::Composer, &["composer.json"]),
    (Runner::Deno, &["deno.json", "deno.jsonc"]),
];

/// Which runner reads a file, by its name.
pub fn runner_of(path: &RepoPath) -> Option<Runner> {
    let name = path.file_name();
    let listed = FILES
        .iter()
        .find(|(_, names)| names.contains(&name))
        .map(|(runner, _)| *runner);
    listed
        .or_else(|| name.ends_with(".mk").then_some(Runner::Make))
        .or_else(|| name.ends_with(".just").then_some(Runner::Just))
}

/// Whether [`runner_scripts`] wants to see a file.
pub fn is_runner_file(path: &RepoPath) -> bool {
    runner_of(path).is_some()
}

pub fn runner_scripts(files: &[(RepoPath, String)]) -> Scripts {
    let mut scripts = Scripts::default();
    for (path, text) in files {
        let Some(runner) = runner_of(path) else { continue };
        let names = scripts.names.entry(runner).or_default();
        let is_open = match runner {
            Runner::Make => make(text, names),
            Runner::Just => just(text, names),
            _ => tables(runner, text, names),
        };
        if is_open {
            scripts.open.insert(runner);
        }
    }
    scripts
}

/// Names of a table. A file that cannot be read may have any.
fn tables(runner: Runner, text: &str, names: &mut BTreeSet<String>) -> bool {
    let (root, key) = match runner {
        Runner::Task => (tree::yaml(text), "tasks"),
        Runner::Deno => (tree::json(text), "tasks"),
        _ => (tree::json(text), "scripts"),
    };
    let Ok(root) = root else { return true };
    let entries = root.get(key).map_or(&[][..], Node::entries);
    names.extend(entries.iter().map(|entry| entry.key.clone()));
    for entry in entries {
        let aliases = entry.node.get("aliases").map_or(&[][..], Node::items);
        names.extend(aliases.iter().filter_map(|alias| Some(alias.text()?.to_owned())));
    }
    root.get("includes").is_some()
}

fn make(text: &str, names: &mut BTreeSet<String>) -> bool {
    let mut is_open = false;
    for line in text.lines() {
        let bare = line.split('#').next().unwrap_or_default();
        if bare.starts_with(['\t', ' ']) {
            continue;
        }
        let trimmed = bare.trim_end();
        // Files that are included, and rules that are made, may add any target.
        is_open |= trimmed.contains("$(eval")
            || trimmed.contains("$(foreach")
            || ["include ", "-include ", "sinclude "]
                .iter()
                .any(|word| trimmed.starts_with(word))
                && !trimmed.ends_with(".mk")
                && !trimmed.ends_with(".d")
                && !trimmed.contains(".env");
        let Some((targets, rest)) = trimmed.split_once(':') else {
            continue;
        };
        if rest.starts_with('=') || rest.starts_with(":=") || targets.contains('=') {
            continue;
        }
        for target in targets.split_whitespace() {
            is_open |= target.contains(['%', '$']);
            names.insert(target.to_owned());
        }
        if targets.trim() == ".PHONY" {
            names.extend(rest.split_whitespace().map(str::to_owned));
        }
    }
    is_open
}

fn just(text: &str, names: &mut BTreeSet<String>) -> bool {
    let mut is_open = false;
    for line in text.lines() {
        if line.starts_with([' ', '\t', '#', '[']) {
            continue;
        }
        is_open |= ["import ", "import? ", "mod ", "mod? "]
            .iter()
            .any(|word| line.starts_with(word));
        if let Some(rest) = line.strip_prefix("alias ") {
            names.extend(rest.split_whitespace().next().map(str::to_owned));
        } else if let Some((head, rest)) = line.split_once(':')
            && !rest.starts_with('=')
        {
            let name = head.split_whitespace().next().unwrap_or_default();
            names.insert(name.trim_start_matches('@').to_owned());
        }
    }
    is_open
}
