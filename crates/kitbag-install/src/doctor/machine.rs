//! Checks the machine: Kitbag on PATH, git, the limit on watches, free disk space, and other servers that run.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Check;
use crate::install::entry::NAME;
use crate::install::programs::{is_same, on_path, running};
use kitbag_door::env::Variables;
use kitbag_door::printer::{counted, grouped, sized};

/// Where Linux shows how many folders a user may watch.
const WATCH_LIMIT: &str = "/proc/sys/fs/inotify/max_user_watches";
/// Other programs such as editors watch too: we use at most half of the limit.
const OUR_SHARE: u64 = 2;
/// With less free space, the index of a large project may not fit.
const SCANT_BYTES: u64 = 500_000_000;

/// Whether the shell, and so most agents, would start this program.
pub fn program(variables: &Variables) -> Check {
    let version = env!("CARGO_PKG_VERSION");
    let Some(running) = running() else {
        return Check::ok("program", format!("kitbag {version}"));
    };
    match on_path(NAME, variables) {
        Some(found) if is_same(&running, &found) => {
            Check::ok("program", format!("kitbag {version}, {}", found.display()))
        }
        Some(found) => Check::warning(
            "program",
            format!(
                "this is {}, but PATH leads to {}",
                running.display(),
                found.display()
            ),
            "remove one of the two, or put the right folder first in PATH",
        ),
        None => Check::warning(
            "program",
            format!("{} is not on PATH", running.display()),
            "add its folder to PATH; agents are set up with its full path until then",
        ),
    }
}

pub fn git(variables: &Variables) -> Check {
    let advice = "install git: without it there is no history and no diff, and only .gitignore decides which files are ignored";
    let Some(program) = on_path("git", variables) else {
        return Check::warning("git", "git is not on PATH", advice);
    };
    match output(&program, &["--version".as_ref()]) {
        Some(text) => Check::ok("git", text.trim()),
        None => Check::warning("git", format!("{} does not start", program.display()), advice),
    }
}

/// Whether all folders can be watched. Only Linux has such a limit.
pub fn watches(n_folders: u64) -> Option<Check> {
    let limit = std::fs::read_to_string(WATCH_LIMIT).ok()?;
    Some(watches_within(n_folders, limit.trim().parse().ok()?))
}

fn watches_within(n_folders: u64, limit: u64) -> Check {
    let detail = format!(
        "{} to watch, {} may be watched",
        counted(n_folders, "folder"),
        grouped(limit)
    );
    if n_folders <= limit / OUR_SHARE {
        return Check::ok("watches", detail);
    }
    let wanted = (n_folders * OUR_SHARE).next_power_of_two().max(524_288);
    let advice = format!("raise the limit: `sudo sysctl fs.inotify.max_user_watches={wanted}`");
    if n_folders > limit {
        Check::problem("watches", detail, advice)
    } else {
        Check::warning("watches", detail, advice)
    }
}

/// The free space on the disk of the store, from `df`; the standard library has no function for it.
pub fn space(store: &Path, variables: &Variables) -> Option<Check> {
    let folder = store.ancestors().find(|folder| folder.is_dir())?;
    let program = on_path("df", variables)?;
    let text = output(&program, &["-Pk".as_ref(), folder.as_os_str()])?;
    let free = free_bytes(&text)?;
    let detail = format!("{} free for the index", sized(free));
    Some(if free >= SCANT_BYTES {
        Check::ok("space", detail)
    } else {
        Check::warning(
            "space",
            detail,
            "make room, or move the index with `storage.path`",
        )
    })
}

/// The fourth column of the second line.
fn free_bytes(table: &str) -> Option<u64> {
    let row = table.lines().nth(1)?;
    row.split_whitespace()
        .nth(3)?
        .parse::<u64>()
        .ok()?
        .checked_mul(1024)
}

/// Servers and watchers of this project that `/proc` shows.
pub fn others(root: &Path) -> Option<Check> {
    let entries = std::fs::read_dir("/proc").ok()?;
    let mut pids: Vec<u32> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    pids.sort_unstable();
    let mut found = Vec::new();
    let mut orphans = Vec::new();
    for pid in pids.into_iter().filter(|pid| *pid != std::process::id()) {
        let folder = PathBuf::from(format!("/proc/{pid}"));
        let Some(verb) = std::fs::read(folder.join("cmdline"))
            .ok()
            .and_then(|words| server_verb(&words))
        else {
            continue;
        };
        if !std::fs::read_link(folder.join("cwd")).is_ok_and(|cwd| cwd.starts_with(root)) {
            continue;
        }
        found.push(format!("{verb} ({pid})"));
        let status = std::fs::read_to_string(folder.join("status")).unwrap_or_default();
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
        if verb == "mcp" && parent.is_some_and(|parent| parent.trim() == "1") {
            orphans.push(pid.to_string());
        }
    }
    let detail = match found.len() {
        0 => "no other server of this project is running".to_owned(),
        _ => format!("also running here: {}", found.join(", ")),
    };
    Some(if orphans.is_empty() {
        Check::ok("servers", detail)
    } else {
        let advice = format!(
            "the program that started it has exited: `kill {}`",
            orphans.join(" ")
        );
        Check::warning("servers", detail, advice)
    })
}

/// `mcp`, `serve` or `watch`, if this command line starts Kitbag as one.
fn server_verb(words: &[u8]) -> Option<&'static str> {
    let mut words = words.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let program = words.next()?;
    let name = Path::new(&*program).file_stem()?.to_str()?.to_owned();
    let verbs = ["mcp", "serve", "watch"];
    (name == NAME).then_some(())?;
    words.find_map(|word| verbs.into_iter().find(|verb| *verb == word))
}

fn output(program: &Path, args: &[&std::ffi::OsStr]) -> Option<String> {
    let output = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}
