//! Runs the `git` program safely: with limits on time and output, without pager, prompt and locks, and without the programs that a
//! hostile repository could name in its configuration. If git is missing or refuses, there is no answer, but never an error: a
//! usable index needs nothing from here.
//!
//! Git finds the repository from the folder by its own search, which refuses folders of other owners; naming the git folder would
//! switch that check off. Environment variables about another repository (hooks run with such variables) are dropped, and the work
//! tree is named: otherwise `core.worktree` could make git read anywhere on the machine.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::root::{common_dir_of, pointer, work_tree_around};

const TIME_LIMIT: Duration = Duration::from_secs(20);
/// The index of the Linux kernel lists 5 MB of paths.
const MAX_BYTES: u64 = 1_000_000_000;

/// Settings that override the repository's: those that would start a program, and those that would change the form of an answer.
const SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "credential.helper=",
    "diff.autoRefreshIndex=true",
    "diff.suppressBlankEmpty=false",
    "log.diffMerges=separate",
    "log.follow=false",
    "log.showRoot=true",
    // Starts `gpg.program` for every signed commit.
    "log.showSignature=false",
    "status.submoduleSummary=false",
];

/// Variables that point git at another repository than the one around the folder, or change how it is read.
const DROPPED_VARIABLES: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ATTR_SOURCE",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIFF_OPTS",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE",
    "GIT_ICASE_PATHSPECS",
    "GIT_INDEX_FILE",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Where git is started, and its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'p> {
    pub dir: &'p Path,
    /// The top folder of the work tree around `dir`; `None` for questions that do not depend on a work tree.
    pub work_tree: Option<&'p Path>,
    pub time: Duration,
    pub max_bytes: u64,
}

/// What git wrote to its standard output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub bytes: Vec<u8>,
    /// Whether there was more than `max_bytes`, and git was ended.
    pub cut: bool,
}

/// The commit that is checked out, as 40 or 64 hexadecimal digits; `None` outside git or before the first commit.
pub fn head(root: &Path) -> Option<String> {
    Run::new(root).commit("HEAD")
}

/// Tracked paths, relative to the work tree's top folder.
pub(crate) fn ls_files(work_tree: &Path) -> Option<Vec<Vec<u8>>> {
    let output = Run::new(work_tree).whole(&["ls-files", "--cached", "--full-name", "-z"])?;
    Some(
        output
            .split(|byte| *byte == 0)
            .filter(|path| !path.is_empty())
            .map(<[u8]>::to_vec)
            .collect(),
    )
}

/// Files that git always opens, in the git folder and at the top of the work tree.
const READ_BY_GIT: &[&str] = &[
    "HEAD",
    "commondir",
    "config",
    "config.worktree",
    "index",
    "info/attributes",
    "info/exclude",
    "info/grafts",
    "info/sparse-checkout",
    "objects/info/alternates",
    "objects/info/commit-graph",
    "objects/info/commit-graphs/commit-graph-chain",
    "packed-refs",
    "shallow",
];
const READ_IN_TREE: &[&str] = &[".gitattributes", ".gitignore", ".gitmodules", ".mailmap"];

/// Whether git would terminate: it waits for a pipe in place of one of its files, and reads a device into memory. Objects are not
/// checked; the time limit applies to them.
fn reads_plain_files(dir: &Path) -> bool {
    let is_plain = |path: PathBuf| {
        std::fs::metadata(path).map_or(true, |metadata| metadata.is_file() || metadata.is_dir())
    };
    // Git looks into every folder above, also where we see no repository because its `HEAD` is invalid.
    let mut looked_at = dir
        .ancestors()
        .flat_map(|folder| [folder.join(".git"), folder.join(".git/HEAD")]);
    if !looked_at.all(is_plain) {
        return false;
    }
    let Some(tree) = work_tree_around(dir) else {
        return true;
    };
    let common = common_dir_of(&tree.git_dir);
    let branch = pointer(&tree.git_dir.join("HEAD"))
        .and_then(|head| Some(head.strip_prefix("ref: ")?.trim().to_owned()));
    let in_git = READ_BY_GIT.iter().copied().chain(branch.as_deref());
    in_git
        .flat_map(|name| [tree.git_dir.join(name), common.join(name)])
        .chain(READ_IN_TREE.iter().map(|name| tree.folder.join(name)))
        .all(is_plain)
}

impl<'p> Run<'p> {
    pub(crate) fn new(dir: &'p Path) -> Self {
        Self {
            dir,
            work_tree: None,
            time: TIME_LIMIT,
            max_bytes: MAX_BYTES,
        }
    }

    /// The full id of the commit that a revision names. The caller has refused revisions that look like an option.
    pub(crate) fn commit(&self, revision: &str) -> Option<String> {
        let commit = format!("{revision}^{{commit}}");
        let output = self.whole(&["rev-parse", "--verify", "--quiet", &commit])?;
        let text = String::from_utf8(output).ok()?;
        let id = text.trim();
        (id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| id.to_owned())
    }

    /// Arguments that disable every filter driver: git starts them (`clean`, `process`) to compare a file of the work tree by
    /// content. Attributes select drivers, and attributes cannot be switched off, so the drivers are listed and emptied one by one.
    /// `None` if one of them cannot be named on a command line: then git must not read the work tree.
    pub(crate) fn without_filters(&self) -> Option<Vec<String>> {
        const MAX_DRIVERS: usize = 500;
        let output = self.whole(&["config", "--list", "--name-only", "-z"])?;
        let text = String::from_utf8(output).ok()?;
        let mut drivers: Vec<&str> = text
            .split('\0')
            .filter_map(|key| Some(key.strip_prefix("filter.")?.rsplit_once('.')?.0))
            .collect();
        drivers.sort_unstable();
        drivers.dedup();
        if drivers.len() > MAX_DRIVERS || drivers.iter().any(|driver| driver.contains(['=', '\n'])) {
            return None;
        }
        let settings = ["clean=", "smudge=", "process=", "required=false"];
        let mut args = Vec::new();
        for driver in drivers {
            for setting in settings {
                args.push("-c".to_owned());
                args.push(format!("filter.{driver}.{setting}"));
            }
        }
        Some(args)
    }

    /// The standard output of git, if it succeeded within the limits.
    pub(crate) fn whole(&self, args: &[&str]) -> Option<Vec<u8>> {
        self.answer(args)
            .filter(|answer| !answer.cut)
            .map(|answer| answer.bytes)
    }

    /// The same, but output beyond the limit is cut off.
    pub(crate) fn answer(&self, args: &[&str]) -> Option<Answer> {
        self.run_program("git", args)
    }

    fn run_program(&self, program: &str, args: &[&str]) -> Option<Answer> {
        if !reads_plain_files(self.dir) {
            return None;
        }
        let mut command = Command::new(program);
        command.current_dir(self.dir).arg("--no-pager");
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        for variable in DROPPED_VARIABLES {
            command.env_remove(variable);
        }
        if let Some(folder) = self.work_tree {
            command.env("GIT_WORK_TREE", folder);
        }
        let mut child = command
            .args(args)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            // Objects that a partial clone lacks stay missing: fetching them would start the program that the remote names.
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_ALLOW_PROTOCOL", "none")
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let stdout = child.stdout.take()?;
        let max_bytes = self.max_bytes;
        let (sender, receiver) = mpsc::channel();
        // Read on another thread, so that a full pipe cannot block git; it ends with git.
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let done = stdout
                .take(max_bytes.saturating_add(1))
                .read_to_end(&mut bytes)
                .map(|_| bytes);
            let _ = sender.send(done);
        });
        let output = receiver.recv_timeout(self.time);
        let cut = matches!(&output, Ok(Ok(bytes)) if bytes.len() as u64 > max_bytes);
        if output.is_err() || cut {
            let _ = child.kill();
        }
        let status = child.wait().ok()?;
        let mut bytes = output.ok()?.ok()?;
        bytes.truncate(usize::try_from(max_bytes).unwrap_or(usize::MAX));
        (cut || status.success()).then_some(Answer { bytes, cut })
    }
}

#[cfg(test)]
mod tests;
