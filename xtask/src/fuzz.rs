//! `cargo xtask fuzz [TARGET] [--runs N | --seconds S] [--seed N] [--release] [--package CRATE]`: the fuzz targets for longer than `cargo test` runs them (SEC-6).
//!
//! The targets are tests whose names begin with `sec_6_fuzz_` (`kitbag-testkit/src/fuzz.rs` says why), so this is `cargo test` with
//! that filter and a few variables. Each target prints its runs, its slowest input and how time grows with length. An input that
//! fails is in `target/fuzz`, and so is the one that was being tried if the process died. `--release` tries many times as many
//! inputs per second; `--package` builds the tests of one crate only.

#[cfg(test)]
mod tests;

use std::path::Path;
use std::process::Command;

/// For each target, where nothing is said.
const SECONDS: &str = "20";

/// What was asked for.
#[derive(Debug, PartialEq)]
struct FuzzRequest<'a> {
    /// The end of the test's name; empty for all.
    target: &'a str,
    /// More words for `cargo test`.
    options: Vec<&'a str>,
    variables: Vec<(&'static str, &'a str)>,
}

pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<(), String> {
    let wanted = wanted(arguments)?;
    let status = Command::new("cargo")
        .current_dir(root)
        .args(["test", "--quiet", "--no-fail-fast"])
        .args(&wanted.options)
        .arg(format!("sec_6_fuzz_{}", wanted.target))
        // One at a time, or they spoil each other's figures.
        .args(["--", "--nocapture", "--test-threads=1"])
        .envs(wanted.variables)
        .status()
        .map_err(|error| format!("cargo test: {error}"))?;
    let folder = root.join("target/fuzz");
    match status.success() {
        true => Ok(()),
        false => Err(format!("a target failed; its input is in {}", folder.display())),
    }
}

fn wanted<'a>(arguments: &[&'a str]) -> Result<FuzzRequest<'a>, String> {
    let mut wanted = FuzzRequest {
        target: "",
        options: Vec::new(),
        variables: Vec::new(),
    };
    let mut package = None;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let variable = match *argument {
            "--runs" => "KITBAG_FUZZ_RUNS",
            "--seconds" => "KITBAG_FUZZ_SECONDS",
            "--seed" => "KITBAG_FUZZ_SEED",
            "--release" => {
                wanted.options.push("--release");
                continue;
            }
            "--package" => {
                let name = rest.next();
                package = Some(*name.ok_or("fuzz: --package needs the name of a crate")?);
                continue;
            }
            target if !target.starts_with('-') && wanted.target.is_empty() => {
                wanted.target = target;
                continue;
            }
            other => {
                return Err(format!(
                    "fuzz: {other}: expected [TARGET] [--runs N | --seconds S] [--seed N] [--release] [--package CRATE]"
                ));
            }
        };
        let number = rest.next().filter(|word| word.parse::<u64>().is_ok());
        let number = number.ok_or_else(|| format!("fuzz: {argument} needs a number"))?;
        wanted.variables.push((variable, number));
    }
    match package {
        Some(name) => wanted.options.extend(["--package", name]),
        None => wanted.options.push("--workspace"),
    }
    let says_how_long = |(name, _): &(&str, &str)| *name != "KITBAG_FUZZ_SEED";
    if !wanted.variables.iter().any(says_how_long) {
        wanted.variables.push(("KITBAG_FUZZ_SECONDS", SECONDS));
    }
    Ok(wanted)
}
