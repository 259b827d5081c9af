//! What a change must pass: commands of CI that check something, hooks of git, plug-ins of Maven that stop a build.
//!
//! A command counts if one of its words is the name of a check (`lint`, `clippy`, `pytest` …). Steps that set up, publish or deploy are
//! not constraints on code.

use kitbag_types::Note;

use super::{Enforcement, Found, shortened};
use crate::formats::tree::{self, Node};
use crate::formats::xml;

/// Words of a command that say it checks something. Sorted.
const CHECKS: &[&str] = &[
    "bandit",
    "basedpyright",
    "biome",
    "black",
    "buf",
    "checkstyle",
    "clippy",
    "codespell",
    "commitlint",
    "ctest",
    "deny",
    "detekt",
    "dialyzer",
    "eslint",
    "flake8",
    "fmt",
    "gofmt",
    "golangci-lint",
    "isort",
    "jest",
    "ktlint",
    "ktlintCheck",
    "lint",
    "miri",
    "mypy",
    "nextest",
    "nox",
    "phpcs",
    "phpstan",
    "phpunit",
    "pint",
    "pre-commit",
    "prettier",
    "psalm",
    "pylint",
    "pyright",
    "pytest",
    "rspec",
    "rubocop",
    "ruff",
    "rustfmt",
    "semver-checks",
    "shellcheck",
    "spotlessCheck",
    "staticcheck",
    "stylelint",
    "swiftformat",
    "swiftlint",
    "test",
    "tox",
    "tsc",
    "ty",
    "type-check",
    "typecheck",
    "types",
    "typos",
    "verify",
    "vet",
    "vitest",
];
/// Words of an action's name that say so.
const CHECKING_ACTIONS: &[&str] = &[
    "lint",
    "pre-commit",
    "codeql",
    "commitlint",
    "typos",
    "ruff-action",
    "cargo-deny",
    "shellcheck",
    "rubocop",
];
const MAX_GATES: usize = 200;

/// The steps of a workflow that runs for pull requests or pushes.
pub(super) fn github(text: &str) -> Result<Vec<Found>, Note> {
    let root = tree::yaml(text)?;
    let runs_on = |event: &str| {
        root.get("on").is_some_and(|on| {
            on.text() == Some(event)
                || on.get(event).is_some()
                || on.items().iter().any(|item| item.text() == Some(event))
        })
    };
    if !["pull_request", "push", "merge_group", "pull_request_target"]
        .iter()
        .any(|event| runs_on(event))
    {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for job in root.get("jobs").map_or(&[][..], Node::entries) {
        for step in job.node.get("steps").map_or(&[][..], Node::items) {
            if let Some(run) = step.get("run") {
                commands(text, run, &mut found);
            } else if let Some(uses) = step.get("uses")
                && let Some(action) = uses.text()
            {
                let name = action.split('@').next().unwrap_or_default();
                if CHECKING_ACTIONS.iter().any(|word| name.contains(word)) {
                    found.push(gate(uses.line, format!("CI runs {name}")));
                }
            }
        }
    }
    Ok(once(found))
}

pub(super) fn gitlab(text: &str) -> Result<Vec<Found>, Note> {
    let root = tree::yaml(text)?;
    let mut found = Vec::new();
    for job in root.entries() {
        for line in job.node.get("script").map_or(&[][..], Node::items) {
            commands(text, line, &mut found);
        }
    }
    Ok(once(found))
}

/// A hook is a shell script: each line that checks something.
pub(super) fn hook(text: &str) -> Vec<Found> {
    let lines = text.lines().enumerate();
    let found = lines.filter(|(_, line)| !line.trim_start().starts_with('#') && is_check(line));
    let found = found.map(|(line_idx, line)| {
        let command = shortened(line, 160);
        gate(line_idx as u32 + 1, format!("runs `{command}`"))
    });
    once(found.collect())
}

/// Plug-ins of a `pom.xml` whose goals fail the build.
pub(super) fn maven(text: &str) -> Result<Vec<Found>, Note> {
    const GOALS: &[&str] = &["check", "enforce", "validate", "verify", "apply-check"];
    let root = xml::xml(text)?;
    let mut found = Vec::new();
    for plugin in root.below("plugin") {
        let name = plugin.child("artifactId").map_or("", |name| name.text());
        for execution in plugin.below("execution") {
            let goal = execution
                .below("goal")
                .into_iter()
                .find(|goal| GOALS.contains(&goal.text()));
            let Some(goal) = goal.filter(|_| !name.is_empty()) else {
                continue;
            };
            let phase = execution.child("phase");
            let phase = phase.map_or(String::new(), |phase| format!(" in the phase {}", phase.text()));
            let id = execution.child("id");
            let id = id.map_or(String::new(), |id| format!(" ({})", id.text()));
            let config = execution.below("configLocation");
            let config = config.first();
            let with = config.map_or(String::new(), |config| format!(" with {}", config.text()));
            let line = config.map_or(goal.line, |config| config.line);
            let goal = goal.text();
            found.push(gate(line, format!("{name}{id} runs {goal}{phase}{with}")));
        }
    }
    Ok(found)
}

/// Each line of a step, where it stands in the file.
fn commands(text: &str, run: &Node, found: &mut Vec<Found>) {
    let mut line_idx = run.line.saturating_sub(1) as usize;
    let lines: Vec<&str> = text.lines().skip(line_idx).collect();
    let mut at = 0;
    for command in run.text().unwrap_or_default().lines() {
        let command = command.trim();
        if command.is_empty() || command.starts_with('#') {
            continue;
        }
        if let Some(step) = lines
            .get(at..)
            .and_then(|rest| rest.iter().take(400).position(|line| line.contains(command)))
        {
            at += step;
            line_idx = run.line as usize - 1 + at;
        }
        if is_check(command) {
            let shown = shortened(command, 160);
            found.push(gate(line_idx as u32 + 1, format!("CI runs `{shown}`")));
        }
    }
}

fn is_check(command: &str) -> bool {
    const NOT: &[&str] = &[
        "echo", "install", "apt-get", "curl", "export", "cd", "mkdir", "git", "docker", "if", "for", "brew",
        "rm", "cp", "rustup", "sudo", "printf",
    ];
    let mut words = command
        .split([' ', ':', '=', '\t', '/', '"', '\'', '(', ')'])
        .filter(|word| !word.is_empty());
    let Some(first) = words.clone().next() else {
        return false;
    };
    // A line that starts with a quotation mark goes on with a text.
    if command.starts_with(['"', '\'', ')', '}', '-'])
        || NOT.contains(&first)
        || words.clone().any(|word| {
            matches!(
                word,
                "install" | "add" | "upload" | "sync" | "publish" | "version"
            )
        })
    {
        return false;
    }
    words.any(|word| {
        let word = word.trim_matches([',', ';', '`']);
        let base = word.split(['.', '@']).next().unwrap_or_default();
        CHECKS.contains(&word) || CHECKS.contains(&base)
    })
}

fn gate(line: u32, guidance: String) -> Found {
    Found {
        line,
        guidance,
        enforcement: Enforcement::Error,
        files: None,
    }
}

/// The same command in several jobs is told once.
fn once(found: Vec<Found>) -> Vec<Found> {
    let mut told = std::collections::BTreeSet::new();
    let found = found.into_iter().filter(|one| told.insert(one.guidance.clone()));
    found.take(MAX_GATES).collect()
}
