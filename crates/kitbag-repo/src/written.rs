//! The lines that were written up to a commit, or between two: the lines of files in a commit, with their numbers.
//!
//! Git is asked for one diff without context: against the empty tree it contains every text of the commit, against another commit
//! what was added since. So there is one way to read the past, and none of its files is ever on the disk. Lines are as they were
//! written: a caller that shows one must redact it ([`Tree::redact`]).

use std::time::Duration;

use kitbag_types::RepoPath;

use crate::ages::surroundings;
use crate::diff::{DiffError, unquote};
use crate::git::Run;
use crate::tree::Tree;

/// Large projects have 100 MB of sources.
const MAX_BYTES: u64 = 600_000_000;
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// The added lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub path: RepoPath,
    /// Whether the file did not exist before under any name.
    pub is_new: bool,
    /// Numbers from 1, and the lines without line ends.
    pub lines: Vec<(u32, String)>,
}

impl Written {
    /// The whole text of a new file.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (_, line) in &self.lines {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}

impl Tree {
    /// The lines that are in `to` but not in `from`; without `from`, all lines. `globs` are names of files (`*.rs`); none means
    /// all. Sorted by path; denied files are left out.
    pub fn written(&self, from: Option<&str>, to: &str, globs: &[String]) -> Result<Vec<Written>, DiffError> {
        let answer = self.in_git(|run| {
            let commit = |revision: &str| commit(run, revision);
            let to = commit(to)?;
            let from = match from {
                Some(from) => commit(from)?,
                None => {
                    let empty = run.whole(&["hash-object", "-t", "tree", "--stdin"]);
                    empty
                        .map(|id| String::from_utf8_lossy(&id).trim().to_owned())
                        .unwrap_or_default()
                }
            };
            let mut args = vec![
                "diff",
                "--patch",
                "--unified=0",
                "--relative",
                "--find-renames",
                "-l2000",
            ];
            args.extend([
                "--no-color",
                "--no-ext-diff",
                "--no-textconv",
                "-O/dev/null",
                "--ignore-submodules=all",
            ]);
            args.extend([
                "--src-prefix=a/",
                "--dst-prefix=b/",
                "--diff-algorithm=histogram",
                "--no-indent-heuristic",
            ]);
            args.extend([from.as_str(), to.as_str(), "--"]);
            args.extend(globs.iter().map(String::as_str));
            Ok(run.whole(&args))
        })?;
        let mut written = parse(&answer);
        written.retain(|one| self.denied(&one.path).is_none());
        written.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(written)
    }

    /// The commit that many steps before another along first parents, and how many steps there are.
    pub fn back(&self, from: &str, share: f64, most: usize) -> Result<(String, usize), DiffError> {
        let answer = self.in_git(|run| {
            let head = commit(run, from)?;
            Ok(run.whole(&["rev-list", "--first-parent", "--count", &head, "--"]))
        })?;
        let count: usize = String::from_utf8_lossy(&answer).trim().parse().unwrap_or(1);
        let steps = ((count as f64 * share) as usize)
            .min(most)
            .min(count.saturating_sub(1));
        let skip = format!("--skip={steps}");
        let answer = self.in_git(|run| {
            let head = commit(run, from)?;
            Ok(run.whole(&["rev-list", "--first-parent", "--max-count=1", &skip, &head, "--"]))
        })?;
        Ok((String::from_utf8_lossy(&answer).trim().to_owned(), steps))
    }

    fn in_git(
        &self,
        work: impl FnOnce(&Run<'_>) -> Result<Option<Vec<u8>>, DiffError>,
    ) -> Result<Vec<u8>, DiffError> {
        let root = || self.root().to_owned();
        let (_, around, _) =
            surroundings(self.root()).ok_or_else(|| DiffError::NotARepository { root: root() })?;
        let run = Run {
            work_tree: Some(&around.folder),
            time: TIME_LIMIT,
            max_bytes: MAX_BYTES,
            ..Run::new(self.root())
        };
        work(&run)?.ok_or_else(|| DiffError::NoAnswer { root: root() })
    }
}

fn commit(run: &Run<'_>, revision: &str) -> Result<String, DiffError> {
    let is_odd = revision.is_empty() || revision.starts_with('-') || revision.chars().any(char::is_control);
    let found = (!is_odd).then(|| run.commit(revision)).flatten();
    found.ok_or_else(|| match revision {
        "HEAD" => DiffError::NoCommit,
        revision => DiffError::UnknownRevision {
            revision: revision.to_owned(),
        },
    })
}

/// Lines of hunks are counted, so that none can be mistaken for a header.
fn parse(raw: &[u8]) -> Vec<Written> {
    let mut found: Vec<Written> = Vec::new();
    let mut is_new = false;
    let (mut removed, mut added, mut number) = (0_u32, 0_u32, 0_u32);
    for line in raw.split(|byte| *byte == b'\n') {
        match line.first() {
            Some(b'-') if removed > 0 => removed -= 1,
            Some(b'+') if added > 0 => {
                added -= 1;
                if let Some(file) = found.last_mut() {
                    file.lines
                        .push((number, String::from_utf8_lossy(&line[1..]).into_owned()));
                }
                number += 1;
            }
            _ => {
                let line = String::from_utf8_lossy(line);
                if line.starts_with("diff --git ") {
                    is_new = false;
                } else if line.starts_with("new file mode ") {
                    is_new = true;
                } else if let Some(name) = line.strip_prefix("+++ ") {
                    let path = unquote(name.trim_end_matches('\t'));
                    let path = path.and_then(|path| RepoPath::new(path.strip_prefix("b/")?).ok());
                    found.extend(path.map(|path| Written {
                        path,
                        is_new,
                        lines: Vec::new(),
                    }));
                } else if let Some(hunk) = line.strip_prefix("@@ -") {
                    (removed, number, added) = hunk_of(hunk).unwrap_or((0, 1, 0));
                }
            }
        }
    }
    found
}

/// `3,2 +4,5 @@ …`: the number of removed lines, the first added line, and the number of added lines.
fn hunk_of(text: &str) -> Option<(u32, u32, u32)> {
    let (old, rest) = text.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |part: &str| match part.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => Some(1),
    };
    let first = new.split(',').next()?.parse().ok()?;
    Some((count(old)?, first, count(new)?))
}

#[cfg(test)]
mod tests;
