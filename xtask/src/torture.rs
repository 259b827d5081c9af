//! `cargo xtask torture`: the built program, killed, starved, crowded and lied to (issue 12). In comes a path of `kitbag`, out
//! go a table of what was tried and a folder with the details of every failure; the chore fails if anything did.
//!
//! What is tried follows from the seed. How much of it is tried follows from the time that a case may take, so that a short run
//! is the beginning of a long one and not another program. Everything happens in generated repositories under one temporary
//! folder and on loopback addresses, and the only processes that are ended are those that were started here.

mod client;
mod clients;
mod crowd;
mod damages;
mod disks;
mod files;
mod kills;
mod load;
mod process;
mod project;
mod requests;
mod same;
mod tally;
#[cfg(test)]
mod tests;
mod world;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use process::Bounds;
use tally::Tally;
use world::Setup;

pub(crate) const USAGE: &str =
    "cargo xtask torture [--short] [--only CASE[:TEXT]] [--seed N] [--kitbag PATH] [--minutes N]";

struct Case {
    name: &'static str,
    run: fn(&Setup, &mut Tally) -> Result<(), String>,
}

/// In the order of the table.
const CASES: &[Case] = &[
    Case {
        name: "files",
        run: files::run,
    },
    Case {
        name: "kills",
        run: kills::run,
    },
    Case {
        name: "damages",
        run: damages::run,
    },
    Case {
        name: "disks",
        run: disks::run,
    },
    Case {
        name: "crowd",
        run: crowd::run,
    },
    Case {
        name: "clients",
        run: clients::run,
    },
    Case {
        name: "load",
        run: load::run,
    },
];

/// Of one case in a short run; seven of them are the step of the gate.
const SHORT: Duration = Duration::from_secs(8);
/// Of one case otherwise, in minutes.
const MINUTES: u64 = 3;
/// How much slower a debug build may be than what is promised of a release build.
const DEBUG_FACTOR: u32 = 8;

#[derive(Debug, PartialEq)]
struct Options {
    short: bool,
    /// A case, and a text that the names of its tries must contain.
    only: Option<(String, String)>,
    seed: u64,
    kitbag: Option<PathBuf>,
    minutes: u64,
}

pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<(), String> {
    let options = options(arguments)?;
    let (kitbag, factor) = program(root, options.kitbag.as_deref())?;
    let space = tempfile::Builder::new().prefix("kitbag-torture-").tempdir();
    let space = space.map_err(|error| format!("a temporary folder: {error}"))?;
    let failures = root.join("target/torture");
    let time = if options.short {
        SHORT
    } else {
        Duration::from_secs(60 * options.minutes)
    };
    let setup = Setup {
        fixtures: root.join("crates/kitbag-syntax/fixtures"),
        kitbag,
        seed: options.seed,
        short: options.short,
        factor,
        bounds: Bounds::of_a_command(factor),
        space: space.path().to_owned(),
    };
    eprintln!(
        "torture: {}, seed {}, at most {} s for each case, time bounds times {factor}",
        setup.kitbag.display(),
        setup.seed,
        time.as_secs(),
    );
    let mut tallies = Vec::new();
    for case in CASES {
        let text = match &options.only {
            Some((name, _)) if name != case.name => continue,
            Some((_, text)) => text.as_str(),
            None => "",
        };
        let start = Instant::now();
        let details = failures.join(case.name);
        // Of an earlier run, if there was one.
        let _ = std::fs::remove_dir_all(&details);
        let mut tally = Tally::new(case.name, text, time, details);
        if let Err(message) = (case.run)(&setup, &mut tally) {
            tally.failed("the case itself", &message);
        }
        if tally.n_tries == 0 {
            tally.failed(
                "nothing was tried",
                "no try has a name with that text, or there are none",
            );
        }
        tally.took = start.elapsed();
        eprintln!("torture: {}", tally.line());
        tallies.push(tally);
    }
    eprintln!("\n{}", tally::table(&tallies));
    let n_failures: usize = tallies.iter().map(|tally| tally.n_failures).sum();
    if n_failures > 0 {
        return Err(format!(
            "{n_failures} failures; each is told in a file of {}",
            failures.display()
        ));
    }
    Ok(())
}

fn options(arguments: &[&str]) -> Result<Options, String> {
    let mut options = Options {
        short: false,
        only: None,
        seed: 1,
        kitbag: None,
        minutes: MINUTES,
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if *argument == "--short" {
            options.short = true;
            continue;
        }
        let value = rest
            .next()
            .ok_or_else(|| format!("{argument}: unknown, or without its value\nusage: {USAGE}"))?;
        let number = || {
            value
                .parse()
                .map_err(|_| format!("{argument} {value}: expected a whole number"))
        };
        match *argument {
            "--only" => {
                let (case, text) = value.split_once(':').unwrap_or((value, ""));
                if !CASES.iter().any(|known| known.name == case) {
                    let names: Vec<&str> = CASES.iter().map(|case| case.name).collect();
                    return Err(format!("--only {case}: expected one of {}", names.join(", ")));
                }
                options.only = Some((case.to_owned(), text.to_owned()));
            }
            "--seed" => options.seed = number()?,
            "--minutes" => options.minutes = number()?.clamp(1, 24 * 60),
            "--kitbag" => options.kitbag = Some(PathBuf::from(value)),
            _ => return Err(format!("{argument}: unknown\nusage: {USAGE}")),
        }
    }
    Ok(options)
}

/// The program to try, and the factor of its time bounds. Without a path it is the debug build, made now.
fn program(root: &Path, given: Option<&Path>) -> Result<(PathBuf, u32), String> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => {
            let build = ["build", "--quiet", "--package", "kitbag", "--bin", "kitbag"];
            let status = Command::new("cargo").args(build).current_dir(root).status();
            if !status.is_ok_and(|status| status.success()) {
                return Err("cargo build: it failed".to_owned());
            }
            let target = std::env::var_os("CARGO_TARGET_DIR")
                .map_or_else(|| root.join("target"), |folder| root.join(folder));
            target.join("debug/kitbag")
        }
    };
    let path = path
        .canonicalize()
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let is_debug = path.components().any(|part| part.as_os_str() == "debug");
    Ok((path, if is_debug { DEBUG_FACTOR } else { 1 }))
}
