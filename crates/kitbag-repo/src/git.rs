//! The `git` program, started with care: a time limit, no pager, no prompt, no locks, and none of the programs that a
//! hostile repository could name in its configuration. Where git is missing or refuses, there is no answer, never an
//! error: nothing here is needed for a usable index.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const TIME_LIMIT: Duration = Duration::from_secs(20);

/// The commit that is checked out, as 40 or 64 hexadecimal digits; `None` outside git or before the first commit.
pub fn head(root: &Path) -> Option<String> {
    let output = run(
        root,
        &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"],
        TIME_LIMIT,
    )?;
    let text = String::from_utf8(output).ok()?;
    let id = text.trim();
    (id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| id.to_owned())
}

/// Tracked paths, relative to the work tree's top folder.
pub(crate) fn ls_files(work_tree: &Path) -> Option<Vec<Vec<u8>>> {
    let output = run(
        work_tree,
        &["ls-files", "--cached", "--full-name", "-z"],
        TIME_LIMIT,
    )?;
    Some(
        output
            .split(|byte| *byte == 0)
            .filter(|path| !path.is_empty())
            .map(<[u8]>::to_vec)
            .collect(),
    )
}

/// Standard output of a git that ended well within the limit.
fn run(dir: &Path, args: &[&str], limit: Duration) -> Option<Vec<u8>> {
    run_program("git", dir, args, limit)
}

fn run_program(program: &str, dir: &Path, args: &[&str], limit: Duration) -> Option<Vec<u8>> {
    let mut child = Command::new(program)
        .current_dir(dir)
        .args([
            "--no-pager",
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
        ])
        .args(args)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdout = child.stdout.take()?;
    let (sender, receiver) = mpsc::channel();
    // Read beside the wait, so that a full pipe cannot hold git up; ends with git, whichever way that is.
    thread::spawn(move || {
        let mut output = Vec::new();
        let done = stdout.read_to_end(&mut output).map(|_| output);
        let _ = sender.send(done);
    });
    let output = receiver.recv_timeout(limit);
    if output.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().ok()?;
    if status.success() { output.ok()?.ok() } else { None }
}

#[cfg(test)]
mod tests;
