//! Chores of the workspace, run as `cargo xtask <chore>`: `tidy` (house rules a compiler does not check), `ci` (all the
//! gate runs, in order), `licences` (writes `THIRD_PARTY.md`), `bench` (how fast it is), `fuzz` (odd input for everything that reads
//! it) and `torture` (what it survives).
//!
//! A crate rather than shell scripts: it runs wherever the project builds and its checks have tests. It depends on
//! little, to stay quick to build. Start with `tidy.rs`; a new rule is one function there.
#![expect(
    clippy::disallowed_methods,
    reason = "a chore reads the tree and starts cargo and git"
)]
#![expect(clippy::print_stderr, reason = "a chore talks to the person who runs it")]

mod ci;
mod command;
mod fuzz;
mod licences;
mod readme;
mod tidy;
mod torture;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["tidy"] => tidy::run(&root(), false),
        ["tidy", "--write"] => tidy::run(&root(), true),
        ["ci"] => ci::run(&root()),
        ["licences"] => licences::run(&root()),
        ["bench", rest @ ..] => bench(&root(), rest),
        ["fuzz", rest @ ..] => fuzz::run(&root(), rest),
        ["torture", rest @ ..] => torture::run(&root(), rest),
        _ => {
            eprintln!(
                "usage: cargo xtask tidy [--write]  the house rules; --write makes the tables of documents anew\n       cargo xtask ci              everything the gate runs\n       cargo xtask licences        writes THIRD_PARTY.md\n       cargo xtask bench [FOLDER]  the table of docs/performance.md\n       cargo xtask fuzz [TARGET] [--runs N | --seconds S] [--seed N]  odd input (SEC-6)\n       {}   kills, damages, full disks, crowds, rude clients",
                torture::USAGE
            );
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the program and its bench in release, then measures. The bench looks for the program beside itself.
fn bench(root: &Path, arguments: &[&str]) -> Result<(), String> {
    let cargo = |rest: &[&str]| {
        let status = Command::new("cargo").current_dir(root).args(rest).status();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("cargo {}: {status}", rest.join(" "))),
            Err(error) => Err(format!("cargo {}: {error}", rest.join(" "))),
        }
    };
    cargo(&["build", "--release", "-p", "kitbag", "-p", "kitbag-bench"])?;
    cargo(&[&["run", "--release", "-p", "kitbag-bench", "--"], arguments].concat())
}

/// The workspace root: the parent of this crate's folder.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
