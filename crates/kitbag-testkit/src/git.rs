//! `git`, cut off from the machine it runs on: no user or system configuration, a fixed author and a fixed clock, so that
//! the same test makes the same commits everywhere.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs git in `dir` and gives its standard output. Panics when git fails.
pub fn git(dir: &Path, args: &[&str]) -> String {
    let output = git_output(dir, args);
    assert!(
        output.status.success(),
        "git {args:?} in {}: {}",
        dir.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs git in `dir` and gives whatever came of it, for commands whose failure is an answer (`check-ignore`).
pub fn git_output(dir: &Path, args: &[&str]) -> Output {
    command(dir, args)
        .output()
        .expect("git is installed where tests run")
}

/// Runs git in `dir` with this on its standard input, and gives whatever came of it.
pub fn git_with_input(dir: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut command = command(dir, args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("git is installed where tests run");
    let mut stdin = child.stdin.take().expect("it was asked for");
    std::thread::scope(|scope| {
        // Written beside the reading: git may answer before it has read everything. It may also not care for all of it.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().expect("git ends")
    })
}

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(dir)
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "protocol.file.allow=always",
            "-c",
            "core.autocrlf=false",
        ])
        .args(args)
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .env_remove("XDG_CONFIG_HOME")
        .env("HOME", "/nonexistent")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "Kit Bag")
        .env("GIT_AUTHOR_EMAIL", "kit@example.com")
        .env("GIT_AUTHOR_DATE", "2024-01-02T03:04:05Z")
        .env("GIT_COMMITTER_NAME", "Kit Bag")
        .env("GIT_COMMITTER_EMAIL", "kit@example.com")
        .env("GIT_COMMITTER_DATE", "2024-01-02T03:04:05Z")
        .env("LC_ALL", "C");
    command
}
