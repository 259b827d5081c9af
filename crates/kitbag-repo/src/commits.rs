//! The commits of the checked-out history: their messages and the files they touched.
//!
//! Unlike `ages`, this reads every branch that was merged and leaves the merges out: a merge says "merge", the commits it brought
//! say why. Newest first, in git's order. A path is the *current* name of the file as far as renames tell: an old message about
//! `old.rs` is about `new.rs` today, and a caller wants a file that exists. In a history with branches this is an approximation,
//! since git prints them interleaved.
//!
//! Without a repository or before its first commit the list is empty. If git does not answer, that is an error, because it would
//! look the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use kitbag_types::{RepoPath, Timestamp};

use crate::ages::{shallow, surroundings};
use crate::git::Run;

/// 5,000 commits of Druid name 6 MB of paths; messages are of the same order.
const MAX_BYTES: u64 = 200_000_000;
/// An empty field begins a commit: statuses and paths are never empty, and fields that may be are counted.
const FORMAT: &str = "--format=%x00%H%x00%ct%x00%an%x00%ae%x00%B";
/// The most files of one commit that are compared for similarity; beyond, only equal files count as renamed.
const RENAME_LIMIT: &str = "-l200";

/// One commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// 40 or 64 hexadecimal digits.
    pub id: String,
    /// When it was committed, which a rebase changes, as in `ages`.
    pub at: Timestamp,
    /// Written by a program: an update of dependencies, a release, generated files.
    pub by_bot: bool,
    /// The first line of the message.
    pub subject: String,
    /// The rest of the message with its trailers, without blank lines around it.
    pub body: String,
    /// The files below the root that it added, changed or moved, sorted, under their current names.
    pub paths: Vec<RepoPath>,
    /// How many files it removed.
    pub n_removed: usize,
}

/// Git is missing, refuses the repository, or took too long.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("git gave no answer in {}; `git log` there may say why", root.display())]
pub struct NoHistory {
    pub root: PathBuf,
}

impl NoHistory {
    /// The stable code of ERR-1.
    pub fn code(&self) -> &'static str {
        "GIT_ERROR"
    }
}

/// The last `max_commits` commits that touched something below `root`, within about `limit`.
pub fn commits(root: &Path, max_commits: usize, limit: Duration) -> Result<Vec<Commit>, NoHistory> {
    let Some((root, around, prefix)) = surroundings(root) else {
        return Ok(Vec::new());
    };
    let run = Run {
        dir: &root,
        work_tree: Some(&around.folder),
        time: limit,
        max_bytes: MAX_BYTES,
    };
    if run.commit("HEAD").is_none() {
        return match run.whole(&["rev-parse", "--git-dir"]) {
            Some(_) => Ok(Vec::new()),
            None => Err(NoHistory { root }),
        };
    }
    let max_count = format!("--max-count={max_commits}");
    // A partial clone lacks the texts by which renames are detected; then a rename is a removal and an addition.
    let output = ["--find-renames", "--no-renames"]
        .into_iter()
        .find_map(|renames| {
            let mut args = vec!["log", "-z", FORMAT, "--encoding=UTF-8", "--name-status", renames];
            args.extend([
                RENAME_LIMIT,
                "--no-merges",
                "--relative",
                "--ignore-submodules=all",
            ]);
            args.extend(["-O/dev/null", "--no-ext-diff", "--no-textconv", "--no-color"]);
            args.extend([max_count.as_str(), "HEAD", "--"]);
            if !prefix.is_empty() {
                args.push(".");
            }
            run.whole(&args)
        });
    match output {
        Some(output) => Ok(parse(&output, &shallow(&around))),
        None => Err(NoHistory { root }),
    }
}

/// The first commits of a shallow clone are left out: they seem to add every file, but touched only a few.
fn parse(output: &[u8], shallow: &BTreeSet<String>) -> Vec<Commit> {
    let mut commits: Vec<Commit> = Vec::new();
    // The current name of each older name.
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut fields = output.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    while let Some(field) = fields.next() {
        if field.is_empty() {
            let header: Vec<_> = fields.by_ref().take(5).collect();
            if let [id, seconds, name, mail, message] = header.as_slice() {
                commits.push(commit(id, seconds, name, mail, message));
            }
            continue;
        }
        let (Some(commit), Some(path)) = (commits.last_mut(), fields.next()) else {
            break;
        };
        // A line break separates the message from the first status.
        let status = field.trim_start_matches('\n');
        if status.starts_with('D') {
            commit.n_removed += 1;
            // An older file of this name is another file.
            names.remove(path.as_ref());
            continue;
        }
        let (old, new) = match status.starts_with('R') {
            true => (Some(path), fields.next().unwrap_or_default()),
            false => (None, path),
        };
        let today = names
            .get(new.as_ref())
            .cloned()
            .unwrap_or_else(|| new.into_owned());
        if let Some(old) = old {
            names.insert(old.into_owned(), today.clone());
        }
        commit.paths.extend(RepoPath::new(today));
    }
    commits.retain(|commit| !shallow.contains(&commit.id));
    for commit in &mut commits {
        commit.paths.sort();
        commit.paths.dedup();
    }
    commits
}

fn commit(id: &str, seconds: &str, name: &str, mail: &str, message: &str) -> Commit {
    let message = message.trim();
    let (subject, body) = message.split_once('\n').unwrap_or((message, ""));
    Commit {
        id: id.to_owned(),
        at: Timestamp(seconds.parse::<i64>().unwrap_or(0).saturating_mul(1000)),
        by_bot: is_bot(name) || is_bot(mail.split('@').next().unwrap_or_default()),
        subject: subject.trim_end().to_owned(),
        body: body.trim().to_owned(),
        paths: Vec::new(),
        n_removed: 0,
    }
}

/// `bot` counts if it is a separate word, or in a name that only programs have: people may be called Talbot.
pub(crate) fn is_bot(name: &str) -> bool {
    const PROGRAMS: &[&str] = &[
        "dependabot",
        "dependabot-preview",
        "github-actions",
        "greenkeeper",
        "pre-commit-ci",
        "renovate",
        "semantic-release",
        "weblate",
    ];
    let name = name.trim().to_ascii_lowercase();
    let set_apart = ["[bot]", "-bot", "_bot", " bot"]
        .iter()
        .any(|ending| name.ends_with(ending));
    set_apart || PROGRAMS.contains(&name.as_str())
}

#[cfg(test)]
mod tests;
