//! When files last changed (PACK-12): from git's history, and from the working copy where it differs.
//!
//! History is followed along first parents, and each merge is compared to its first parent. A file that a merge brought in
//! yesterday changed yesterday *here*, however old the commits on the other branch are. This line includes every change (everything
//! arrived by some commit of it), and git need not read the side branches. The date is the committer's, because a rebase also is
//! the moment a change arrives.
//!
//! What cannot be found out is unknown, never an error. Files in submodules have another history and are unknown.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use kitbag_types::{RepoPath, Timestamp};

use crate::git::Run;
use crate::open;
use crate::root::{WorkTree, common_dir_of, work_tree_around};
use crate::tracked::Tracked;

/// The most commits that are read: enough for the last month of the busiest repositories.
const MAX_COMMITS: &str = "--max-count=5000";
/// 5,000 commits of Druid name 6 MB of paths.
const MAX_BYTES: u64 = 100_000_000;
const DAY_MS: i64 = 86_400_000;

/// When the files of a project last changed.
#[derive(Debug)]
pub struct Ages {
    now: Timestamp,
    since: Timestamp,
    head: Option<String>,
    /// The last commit within the window, by path.
    commits: BTreeMap<String, Timestamp>,
    working_copy: Option<WorkingCopy>,
}

/// The times at which commits last touched files, to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touches {
    /// The commit that is checked out, as 40 or 64 hexadecimal digits; empty before the first commit.
    pub head: String,
    /// The last commit within the window, by path.
    pub paths: BTreeMap<String, Timestamp>,
    /// Only the commits after the known one were read: what was read before still holds.
    pub on_top: bool,
}

impl Touches {
    /// Reads commits since `since`. If the commit `known` is on the first-parent line of the checked-out one, only those after it.
    /// `None`: outside git, or git did not answer within `limit`.
    pub fn read(root: &Path, since: Timestamp, known: Option<&str>, limit: Duration) -> Option<Self> {
        let (root, around, prefix) = surroundings(root)?;
        let run = Run {
            dir: &root,
            work_tree: Some(&around.folder),
            time: limit,
            max_bytes: MAX_BYTES,
        };
        let Some(head) = run.commit("HEAD") else {
            // There is no commit yet, if git works at all.
            run.whole(&["rev-parse", "--is-inside-work-tree"])?;
            return Some(Self {
                head: String::new(),
                paths: BTreeMap::new(),
                on_top: false,
            });
        };
        let known = known.filter(|id| id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if let Some(known) = known {
            let line = run.whole(&[
                "rev-list",
                "--first-parent",
                MAX_COMMITS,
                &head,
                "--not",
                known,
                "--parents",
            ]);
            // The oldest of the new commits must be the child of the known one.
            let follows = |line: &[u8]| {
                let text = String::from_utf8_lossy(line);
                match text.lines().last() {
                    None => head == known,
                    Some(oldest) => oldest.split(' ').nth(1) == Some(known),
                }
            };
            if line.is_some_and(|line| follows(&line)) {
                let after = format!("{known}..{head}");
                return Some(Self {
                    paths: commits(&run, &around, &prefix, since, &after)?,
                    head,
                    on_top: true,
                });
            }
        }
        Some(Self {
            paths: commits(&run, &around, &prefix, since, &head)?,
            head,
            on_top: false,
        })
    }
}

/// How the files on disk differ from the commit that is checked out.
#[derive(Debug)]
pub struct WorkingCopy {
    /// The root inside the work tree: `""` or `sub/folder/`.
    prefix: String,
    tracked: Tracked,
    /// Tracked paths of the root that differ from the commit.
    modified: BTreeSet<String>,
}

impl Ages {
    /// Reads the `days` before `now`. Takes at most about `limit`; what git has not answered by then is unknown.
    pub fn read(root: &Path, now: Timestamp, days: u32, limit: Duration) -> Self {
        let since = Timestamp(now.0.saturating_sub(i64::from(days).saturating_mul(DAY_MS)));
        let mut ages = Self {
            now,
            since,
            head: None,
            commits: BTreeMap::new(),
            working_copy: None,
        };
        let Some((root, around, prefix)) = surroundings(root) else {
            return ages;
        };
        let run = Run {
            dir: &root,
            work_tree: Some(&around.folder),
            time: limit,
            max_bytes: MAX_BYTES,
        };
        thread::scope(|scope| {
            let head = scope.spawn(|| run.commit("HEAD"));
            let working_copy = scope.spawn(|| working_copy(&run, &around, &prefix, None));
            ages.commits = commits(&run, &around, &prefix, since, "HEAD").unwrap_or_default();
            // If the thread panicked, its result is unknown.
            ages.head = head.join().unwrap_or_default();
            ages.working_copy = working_copy.join().unwrap_or_default();
        });
        ages
    }

    /// The later of the last commit that touched the file and, where the working copy differs from that commit or is untracked, its
    /// own time (`FileStamp::mtime_ns`). `None`: unknown, or before the window. Never after `now`: such a time means a wrong clock.
    pub fn last_change(&self, path: &RepoPath, mtime_ns: i64) -> Option<Timestamp> {
        let committed = self.commits.get(path.as_str()).copied();
        let written = self
            .is_dirty(path)
            .then_some(Timestamp(mtime_ns.div_euclid(1_000_000)))
            .filter(|written| *written >= self.since);
        Some(committed.max(written)?.min(self.now))
    }

    /// The commit that is checked out, as 40 or 64 hexadecimal digits.
    pub fn head(&self) -> Option<&str> {
        self.head.as_deref()
    }

    /// Whether it differs from the checked-out commit or is untracked (ignored files are). `false` if unknown.
    pub fn is_dirty(&self, path: &RepoPath) -> bool {
        self.working_copy.as_ref().is_some_and(|copy| copy.differs(path))
    }
}

impl WorkingCopy {
    /// Asks git, with `only` about these paths and no others. `None`: outside git, or git did not answer within `limit`.
    pub fn read(root: &Path, only: Option<&[RepoPath]>, limit: Duration) -> Option<Self> {
        let (root, around, prefix) = surroundings(root)?;
        let run = Run {
            dir: &root,
            work_tree: Some(&around.folder),
            time: limit,
            max_bytes: MAX_BYTES,
        };
        working_copy(&run, &around, &prefix, only)
    }

    /// Whether it differs from the commit or is untracked (ignored files are).
    pub fn differs(&self, path: &RepoPath) -> bool {
        let path = path.as_str();
        if self.modified.contains(path) {
            return true;
        }
        let full = format!("{}{path}", self.prefix);
        // A submodule is tracked under the name of its folder.
        let mut slashes = full.match_indices('/').map(|(at, _)| at);
        let in_submodule = slashes.any(|at| self.tracked.has_file(&full[..at]));
        !in_submodule && !self.tracked.has_file(&full)
    }
}

/// The canonical root, the work tree around it, and the path from there to the root, with a slash at its end.
pub(crate) fn surroundings(root: &Path) -> Option<(std::path::PathBuf, WorkTree, String)> {
    let root = root.canonicalize().ok()?;
    let around = work_tree_around(&root)?;
    let mut prefix = String::new();
    for part in root.strip_prefix(&around.folder).ok()?.components() {
        prefix.push_str(part.as_os_str().to_str()?);
        prefix.push('/');
    }
    Some((root, around, prefix))
}

fn working_copy(
    run: &Run<'_>,
    around: &WorkTree,
    prefix: &str,
    only: Option<&[RepoPath]>,
) -> Option<WorkingCopy> {
    let start = Instant::now();
    let filters = run.without_filters()?;
    let run = Run {
        time: run.time.saturating_sub(start.elapsed()),
        ..*run
    };
    let mut args: Vec<&str> = filters.iter().map(String::as_str).collect();
    // `diff-index` would report a file that was only touched as changed; untracked files are found faster in the index.
    args.extend([
        "--literal-pathspecs",
        "status",
        "--porcelain=v1",
        "-z",
        "--untracked-files=no",
    ]);
    args.extend(["--no-renames", "--ignore-submodules=all", "--"]);
    match only {
        Some(paths) => args.extend(paths.iter().map(RepoPath::as_str)),
        None => args.push("."),
    }
    let output = run.whole(&args)?;
    let modified = output
        .split(|byte| *byte == 0)
        .filter_map(|entry| std::str::from_utf8(entry.get(3..)?).ok())
        .filter_map(|path| path.strip_prefix(prefix))
        .map(str::to_owned)
        .collect();
    let common = common_dir_of(&around.git_dir);
    Some(WorkingCopy {
        prefix: prefix.to_owned(),
        tracked: Tracked::load(&around.folder, &around.git_dir, &common),
        modified,
    })
}

/// The last commit of each path below the root, among those in `range`. `None`: git did not answer.
fn commits(
    run: &Run<'_>,
    around: &WorkTree,
    prefix: &str,
    since: Timestamp,
    range: &str,
) -> Option<BTreeMap<String, Timestamp>> {
    let max_age = format!("--max-age={}", since.0.div_euclid(1000).max(0));
    let mut args = vec!["log", "-z", "--format=%x00%H %ct", "--name-only", "--no-renames"];
    args.extend(["--first-parent", "-m", "--relative", "--ignore-submodules=all"]);
    args.extend(["-O/dev/null", "--no-ext-diff", "--no-textconv", "--no-color"]);
    args.extend([MAX_COMMITS, &max_age, range, "--"]);
    if !prefix.is_empty() {
        // Git skips the rest of the tree; at the top this would only make it compare everything twice.
        args.push(".");
    }
    Some(last_touches(&run.whole(&args)?, &shallow(around)))
}

/// A record is an empty field, then `id seconds`, then a line break and the paths. Only NUL can separate them: a path may contain
/// anything else.
fn last_touches(output: &[u8], shallow: &BTreeSet<String>) -> BTreeMap<String, Timestamp> {
    let mut touched: BTreeMap<String, Timestamp> = BTreeMap::new();
    let mut fields = output.split(|byte| *byte == 0);
    let mut at: Option<Timestamp> = None;
    let mut is_first = false;
    while let Some(field) = fields.next() {
        if field.is_empty() {
            at = fields.next().and_then(|header| commit_time(header, shallow));
            is_first = true;
            continue;
        }
        let path = match field.strip_prefix(b"\n") {
            Some(path) if is_first => path,
            _ => field,
        };
        is_first = false;
        if let (Some(at), Ok(path)) = (at, std::str::from_utf8(path)) {
            // Newest first, except where a clock was wrong.
            touched
                .entry(path.to_owned())
                .and_modify(|known| *known = at.max(*known))
                .or_insert(at);
        }
    }
    touched
}

/// `None` for the last commits of a shallow clone: they seem to add every file, but touched only a few.
fn commit_time(header: &[u8], shallow: &BTreeSet<String>) -> Option<Timestamp> {
    let (id, seconds) = std::str::from_utf8(header).ok()?.split_once(' ')?;
    let seconds: i64 = seconds.parse().ok()?;
    (!shallow.contains(id)).then_some(Timestamp(seconds.saturating_mul(1000)))
}

/// The last commits of a shallow clone.
pub(crate) fn shallow(around: &WorkTree) -> BTreeSet<String> {
    let file = common_dir_of(&around.git_dir).join("shallow");
    let bytes = open::read_small(&file, 10_000_000).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    text.lines().map(|id| id.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests;
