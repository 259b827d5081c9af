//! Diffs: the working tree against a commit, or one commit against another, as text for a pack.
//!
//! Git is asked for whole files, not for the usual three lines around a change: secrets are then found in the whole file on both
//! sides, by the rules for every file. Three lines from the middle of a key would look harmless. The hunks are cut afterwards
//! (`hunks`). Files on the deny-list are left out and named (PACK-2).
//!
//! A revision is resolved to commit ids first, and only these get into the command: user input can never become an option, and only
//! commits can be compared (`HEAD:.env` names a file).

pub(crate) mod hunks;

use std::path::PathBuf;

use kitbag_types::RepoPath;

use crate::ages::surroundings;
use crate::git::Run;
use crate::tree::Tree;

/// The longest text that is returned (SEC-4): about a million tokens.
const MAX_TEXT: usize = 4_000_000;
/// The most output of git, with whole files on both sides.
const MAX_RAW: u64 = 64_000_000;
/// More lines than a file can have.
pub(crate) const WHOLE_FILES: &str = "--unified=1000000000";

/// A diff without secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// In git's form, paths relative to the root, free of secrets; empty if nothing differs.
    pub text: String,
    /// Whether there was more; `text` ends with a whole line.
    pub truncated: bool,
    /// How many secrets were cut out of `text`.
    pub n_redacted: usize,
    /// Files that differ but are not shown, and why.
    pub left_out: Vec<(String, String)>,
}

/// One variant per thing that a caller can do about it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiffError {
    #[error("{} is in no git repository", root.display())]
    NotARepository { root: PathBuf },
    #[error("there is no commit yet to compare with")]
    NoCommit,
    #[error("`{revision}` is not a revision of this repository")]
    UnknownRevision { revision: String },
    #[error("the two sides of `{revision}` have no commit in common")]
    Unrelated { revision: String },
    /// Git is missing, refuses the repository, or took too long.
    #[error("git gave no answer in {}; `git status` there may say why", root.display())]
    NoAnswer { root: PathBuf },
}

impl DiffError {
    /// The stable code of ERR-1.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotARepository { .. } => "NOT_A_REPOSITORY",
            Self::NoCommit | Self::UnknownRevision { .. } | Self::Unrelated { .. } => "INVALID_REVISION",
            Self::NoAnswer { .. } => "GIT_ERROR",
        }
    }
}

impl Tree {
    /// The tracked files, staged or not, against the checked-out commit or against `revision`; with `a..b` or `a...b` (since their
    /// common ancestor), one commit against another.
    pub fn diff(&self, revision: Option<&str>) -> Result<Diff, DiffError> {
        self.diff_within(revision, MAX_RAW, MAX_TEXT)
    }

    /// The files that differ, on either side, sorted. Against the working tree, untracked files that are not ignored count too:
    /// only their names are given.
    pub fn changed(&self, revision: Option<&str>) -> Result<Vec<RepoPath>, DiffError> {
        let listed = self.comparing(revision, |run, filters, commits| {
            let limited = Run {
                max_bytes: MAX_RAW,
                ..*run
            };
            let mut args: Vec<&str> = filters.iter().map(String::as_str).collect();
            args.extend([
                "diff",
                "--name-only",
                "-z",
                "--relative",
                "--no-renames",
                "--no-ext-diff",
            ]);
            args.push("--ignore-submodules=all");
            args.extend(commits.iter().map(String::as_str));
            args.push("--");
            let mut listed = limited.whole(&args)?;
            if commits.len() < 2 {
                let untracked = ["ls-files", "--others", "--exclude-standard", "-z", "--", "."];
                listed.extend(limited.whole(&untracked)?);
            }
            Some(listed)
        })?;
        let names = listed.split(|byte| *byte == 0);
        let mut paths: Vec<RepoPath> = names
            .filter_map(|name| RepoPath::new(std::str::from_utf8(name).ok()?).ok())
            .collect();
        paths.sort();
        paths.dedup();
        Ok(paths)
    }

    fn diff_within(&self, revision: Option<&str>, max_raw: u64, max_text: usize) -> Result<Diff, DiffError> {
        let answer = self.comparing(revision, |run, filters, commits| {
            let mut args: Vec<&str> = filters.iter().map(String::as_str).collect();
            args.extend(["diff", "--patch", WHOLE_FILES, "--relative", "--find-renames"]);
            args.extend(["--no-color", "--no-ext-diff", "--no-textconv", "-O/dev/null"]);
            args.extend(["--ignore-submodules=all", "--submodule=short"]);
            args.extend(["--src-prefix=a/", "--dst-prefix=b/", "--diff-algorithm=histogram"]);
            args.extend(commits.iter().map(String::as_str));
            args.push("--");
            let limited = Run {
                max_bytes: max_raw,
                ..*run
            };
            limited.answer(&args)
        })?;
        let raw = String::from_utf8_lossy(&answer.bytes);
        let whole_lines = match answer.cut {
            true => &raw[..raw.rfind('\n').map_or(0, |at| at + 1)],
            false => &raw,
        };
        let mut diff = self.show(whole_lines, max_text);
        diff.truncated |= answer.cut;
        Ok(diff)
    }

    /// Runs `work` with git, with the options that keep it from running programs, and with the commit ids of a revision.
    fn comparing<T>(
        &self,
        revision: Option<&str>,
        work: impl FnOnce(&Run<'_>, &[String], &[String]) -> Option<T>,
    ) -> Result<T, DiffError> {
        let root = || self.root().to_owned();
        let (_, around, _) =
            surroundings(self.root()).ok_or_else(|| DiffError::NotARepository { root: root() })?;
        let run = Run {
            work_tree: Some(&around.folder),
            ..Run::new(self.root())
        };
        let no_answer = || DiffError::NoAnswer { root: root() };
        let commits =
            commits(&run, revision).map_err(|error| match run.whole(&["rev-parse", "--git-dir"]) {
                Some(_) => error,
                None => no_answer(),
            })?;
        let filters = run.without_filters().ok_or_else(no_answer)?;
        work(&run, &filters, &commits).ok_or_else(no_answer)
    }

    /// Turns git's text into the part that may be shown.
    fn show(&self, raw: &str, max_text: usize) -> Diff {
        let mut diff = Diff::default();
        for section in sections(raw) {
            let denied = match paths(section) {
                Some(paths) => paths
                    .iter()
                    .find_map(|path| self.denied(path).map(|rule| (path.as_str().to_owned(), rule))),
                // A file whose name cannot be read may be a denied one.
                None => {
                    let header = section.lines().next().unwrap_or_default().to_owned();
                    Some((header, "its name cannot be read".to_owned()))
                }
            };
            if let Some(left_out) = denied {
                diff.left_out.push(left_out);
                continue;
            }
            let (clean, findings) = self.redact(section);
            let (shown, kept) = hunks::cut(&clean);
            let room = max_text - diff.text.len();
            if shown.len() > room {
                let fits = shown.as_bytes()[..room].iter().rposition(|byte| *byte == b'\n');
                diff.text.push_str(&shown[..fits.map_or(0, |at| at + 1)]);
                diff.truncated = true;
                break;
            }
            diff.text.push_str(&shown);
            let is_shown = |line: u32| {
                let next = kept.partition_point(|lines| lines.end() < line);
                kept.get(next).is_some_and(|lines| lines.start() <= line)
            };
            diff.n_redacted += findings.iter().filter(|finding| is_shown(finding.line)).count();
        }
        diff
    }
}

/// The commits for `git diff`: one to compare the working tree with, or two to compare with each other.
fn commits(run: &Run<'_>, revision: Option<&str>) -> Result<Vec<String>, DiffError> {
    let Some(revision) = revision else {
        return Ok(vec![run.commit("HEAD").ok_or(DiffError::NoCommit)?]);
    };
    let unknown = || DiffError::UnknownRevision {
        revision: revision.to_owned(),
    };
    let resolve = |name: &str| match name {
        "" => run.commit("HEAD"),
        name if name.starts_with('-') || name.chars().any(char::is_control) => None,
        name => run.commit(name),
    };
    if !revision.is_empty()
        && let Some(commit) = resolve(revision)
    {
        return Ok(vec![commit]);
    }
    if let Some((ours, theirs)) = revision.split_once("...") {
        let ours = resolve(ours).ok_or_else(unknown)?;
        let theirs = resolve(theirs).ok_or_else(unknown)?;
        let output = run.whole(&["merge-base", &ours, &theirs]);
        let base = output.and_then(|output| Some(String::from_utf8(output).ok()?.trim().to_owned()));
        let base = base.ok_or_else(|| DiffError::Unrelated {
            revision: revision.to_owned(),
        })?;
        return Ok(vec![base, theirs]);
    }
    let (from, to) = revision.split_once("..").ok_or_else(unknown)?;
    Ok(vec![
        resolve(from).ok_or_else(unknown)?,
        resolve(to).ok_or_else(unknown)?,
    ])
}

const HEADER: &str = "diff --git ";

/// Splits by file. Lines of content begin with a sign, so none can be mistaken for a header.
pub(crate) fn sections(raw: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = raw
        .match_indices(HEADER)
        .map(|(at, _)| at)
        .filter(|at| *at == 0 || raw.as_bytes()[at - 1] == b'\n')
        .collect();
    starts.push(raw.len());
    starts.windows(2).map(|pair| &raw[pair[0]..pair[1]]).collect()
}

/// The path of a section, or both of a renamed file.
pub(crate) fn paths(section: &str) -> Option<Vec<RepoPath>> {
    let header = section.lines().take_while(|line| !line.starts_with("@@"));
    let renamed: Vec<&str> = header
        .filter_map(|line| {
            line.strip_prefix("rename from ")
                .or_else(|| line.strip_prefix("rename to "))
        })
        .collect();
    let names = match renamed.is_empty() {
        false => renamed.into_iter().map(unquote).collect::<Option<Vec<_>>>()?,
        true => vec![name_of(section.strip_prefix(HEADER)?.lines().next()?)?],
    };
    names.into_iter().map(|name| RepoPath::new(name).ok()).collect()
}

/// The `x` of `a/x b/x`. Names may contain anything, so the middle is found by counting.
fn name_of(pair: &str) -> Option<String> {
    let half = pair.get(..pair.len().checked_sub(1)? / 2)?;
    let other = pair.get(half.len() + 1..)?;
    let name = unquote(half)?.strip_prefix("a/")?.to_owned();
    (unquote(other)?.strip_prefix("b/")? == name).then_some(name)
}

/// Decodes a name as git writes it: plain, or as a C string if it contains quotes or control characters.
pub(crate) fn unquote(name: &str) -> Option<String> {
    let Some(inner) = name.strip_prefix('"') else {
        return Some(name.to_owned());
    };
    let mut bytes = Vec::new();
    let mut rest = inner.strip_suffix('"')?.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next()? {
            b'a' => 0x07,
            b'b' => 0x08,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 0x0B,
            b'f' => 0x0C,
            b'r' => b'\r',
            high @ b'0'..=b'3' => {
                let mut value = high - b'0';
                for _ in 0..2 {
                    let digit = rest.next().filter(|digit| (b'0'..=b'7').contains(digit))?;
                    value = value * 8 + (digit - b'0');
                }
                value
            }
            other => other,
        });
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests;
