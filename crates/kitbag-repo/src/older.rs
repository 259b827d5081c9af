//! Older states of the code: which files each commit of the checked-out line changed, and their texts at that commit. Used to find
//! out when something changed, and to replay a history (MEM-3).
//!
//! First parents are followed: that is the sequence of states at the top of the branch.

#[cfg(test)]
mod tests;

use std::path::Path;
use std::time::Duration;

use kitbag_types::RepoPath;

use crate::ages::surroundings;
use crate::commits::NoHistory;
use crate::git::Run;

const TIME: Duration = Duration::from_secs(120);
const MAX_BYTES: u64 = 200_000_000;
/// Larger files are not written by people.
const MAX_FILE_BYTES: u64 = 2_000_000;

/// A commit of the line and its changes against the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OlderCommit {
    pub id: String,
    pub changes: Vec<OlderChange>,
}

/// One file in one commit. `new` is `None` if it was removed, `old` is `None` if it was added; both differ if it was renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OlderChange {
    pub old: Option<RepoPath>,
    pub new: Option<RepoPath>,
}

/// The last commits of the line, oldest first, at most `max_commits`.
pub fn older_commits(root: &Path, max_commits: usize) -> Result<Vec<OlderCommit>, NoHistory> {
    let max_count = format!("--max-count={max_commits}");
    let output = git(root, MAX_BYTES, |run| {
        let mut args = vec![
            "log",
            "-z",
            "--format=%x00%H",
            "--first-parent",
            "-m",
            "--name-status",
        ];
        args.extend(["--find-renames", "-l400", "--relative", "--ignore-submodules=all"]);
        args.extend(["-O/dev/null", "--no-ext-diff", "--no-textconv", "--no-color"]);
        args.extend([max_count.as_str(), "HEAD", "--"]);
        run.whole(&args)
    });
    let output = output.ok_or_else(|| NoHistory {
        root: root.to_owned(),
    })?;
    let mut commits = parse(&output);
    commits.reverse();
    Ok(commits)
}

fn parse(output: &[u8]) -> Vec<OlderCommit> {
    let mut commits: Vec<OlderCommit> = Vec::new();
    let mut fields = output.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    while let Some(field) = fields.next() {
        if field.is_empty() {
            // A commit without changes has nothing between two separators.
            if let Some(id) = fields.by_ref().find(|field| !field.is_empty()) {
                commits.push(OlderCommit {
                    id: id.trim().to_owned(),
                    changes: Vec::new(),
                });
            }
            continue;
        }
        let (Some(commit), Some(path)) = (commits.last_mut(), fields.next()) else {
            break;
        };
        let path = RepoPath::new(path.as_ref()).ok();
        let (old, new) = match field.trim_start_matches('\n').chars().next() {
            Some('A') => (None, path),
            Some('D') => (path, None),
            Some('R') => (
                path,
                fields.next().and_then(|new| RepoPath::new(new.as_ref()).ok()),
            ),
            Some('C') => (
                None,
                fields.next().and_then(|new| RepoPath::new(new.as_ref()).ok()),
            ),
            _ => (path.clone(), path),
        };
        if old.is_some() || new.is_some() {
            commit.changes.push(OlderChange { old, new });
        }
    }
    commits
}

/// The files of a commit below the root, sorted.
pub fn files_at(root: &Path, commit: &str) -> Option<Vec<RepoPath>> {
    let id = checked(commit)?;
    let output = git(root, MAX_BYTES, |run| {
        run.whole(&["ls-tree", "-r", "--name-only", "-z", id])
    })?;
    let names = output.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let mut paths: Vec<RepoPath> = names
        .filter_map(|name| RepoPath::new(String::from_utf8(name.to_vec()).ok()?).ok())
        .collect();
    paths.sort();
    Some(paths)
}

/// The text of a file in a commit. `None`: it did not exist, is too large or not UTF-8.
pub fn text_at(root: &Path, commit: &str, path: &RepoPath) -> Option<String> {
    let (_, _, prefix) = surroundings(root)?;
    let place = match prefix.is_empty() {
        true => path.to_string(),
        false => format!("{}/{path}", prefix.trim_end_matches('/')),
    };
    let name = format!("{}:{place}", checked(commit)?);
    let output = git(root, MAX_FILE_BYTES, |run| {
        run.whole(&["cat-file", "blob", &name])
    })?;
    String::from_utf8(output).ok()
}

/// Commits of the line after `after` that touched a file, oldest first, at most `most`. Renames are not followed.
pub fn commits_touching(root: &Path, path: &RepoPath, after: &str, most: usize) -> Option<Vec<String>> {
    let range = format!("{}..HEAD", checked(after)?);
    let output = git(root, MAX_BYTES, |run| {
        run.whole(&[
            "log",
            "--format=%H",
            "--first-parent",
            "--reverse",
            &range,
            "--",
            &format!(":(literal){path}"),
        ])
    })?;
    let text = String::from_utf8(output).ok()?;
    Some(text.lines().take(most).map(str::to_owned).collect())
}

/// Checks that a commit is given by its digits: it is passed to git and must not be an option or a range.
fn checked(commit: &str) -> Option<&str> {
    let is_id = commit.len() >= 7 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then_some(commit)
}

fn git(root: &Path, max_bytes: u64, ask: impl FnOnce(&Run<'_>) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    let (root, around, _) = surroundings(root)?;
    ask(&Run {
        dir: &root,
        work_tree: Some(&around.folder),
        time: TIME,
        max_bytes,
    })
}
