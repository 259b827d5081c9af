//! Past changes of a place (RET-13): the commits of a file, of some of its lines, or by id, each with its hunks; and who wrote the
//! current lines (`blame`).
//!
//! None of this is in the index: the hunks of a thousand commits are larger than the code, and only questions about history need
//! some of them. Git is asked when such a question comes, for a few commits, with limits on time and size.
//!
//! As in `diff`, git is asked for whole files on both sides, so that secrets are found by the rules for every file; the hunks are
//! cut afterwards. Files on the deny-list are named and not shown. Control characters are removed.

mod blame;
mod lines;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use kitbag_types::{LineRange, RepoPath, Timestamp};

use crate::ages::{shallow, surroundings};
use crate::commits::{NoHistory, is_bot};
use crate::diff::{WHOLE_FILES, hunks, paths, sections};
use crate::git::Run;
use crate::tree::Tree;

use lines::Wanted;

pub use blame::BlamedLines;

/// The most output of git for one answer, with whole files on both sides.
const MAX_RAW: u64 = 32_000_000;
/// Git prints this, then the patch. Lines of a patch begin with a sign or a word, never with NUL, and messages contain none.
pub(crate) const FORMAT: &str = "--format=%x00%H%x00%ct%x00%an%x00%ae%x00%B%x00";
/// Fields of a record before its patch.
const FIELDS: usize = 5;
/// The most hunks per file and commit, and the most lines per hunk.
const MOST_HUNKS: usize = 60;
const MOST_LINES: usize = 400;

/// A commit and its changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastChange {
    /// 40 or 64 hexadecimal digits.
    pub id: String,
    /// When it was committed.
    pub at: Timestamp,
    /// The author's name.
    pub author: String,
    pub by_bot: bool,
    /// The first line of the message, without secrets and control characters.
    pub subject: String,
    /// The rest of it.
    pub body: String,
    /// Its changes of the files in question.
    pub files: Vec<PastFile>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastFile {
    /// The name at that time.
    pub path: RepoPath,
    /// The name before, if the commit renamed it.
    pub renamed_from: Option<RepoPath>,
    /// Why nothing of it is shown: it is on the deny-list, or not text.
    pub hidden: Option<String>,
    pub hunks: Vec<PastHunk>,
}

/// Some changed lines with three around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastHunk {
    /// The first line and the number of lines, before and after.
    pub old: (u32, u32),
    pub new: (u32, u32),
    /// `@@ -3,4 +3,5 @@ fn head()`, then the lines, each with its sign.
    pub text: String,
}

impl Tree {
    /// The last `most` commits that changed a file, newest first, under all its names. With `lines`, those that changed these lines
    /// of the working copy, with only those hunks. Empty outside git or before the first commit.
    pub fn past_of(
        &self,
        path: &RepoPath,
        lines: Option<LineRange>,
        most: usize,
        limit: Duration,
    ) -> Result<Vec<PastChange>, NoHistory> {
        let Some(history) = History::new(self, limit)? else {
            return Ok(Vec::new());
        };
        match lines {
            Some(lines) => history.of_lines(path, lines, Wanted::Newest(most)),
            None => history.of_file(path, most),
        }
    }

    /// The commit in which these lines of the working copy began.
    pub fn past_first(
        &self,
        path: &RepoPath,
        lines: LineRange,
        limit: Duration,
    ) -> Result<Option<PastChange>, NoHistory> {
        let Some(history) = History::new(self, limit)? else {
            return Ok(None);
        };
        Ok(history.of_lines(path, lines, Wanted::Oldest)?.pop())
    }

    /// Who committed to a file and when, newest first, the last `most` times, without bots.
    pub fn past_authors(
        &self,
        path: &RepoPath,
        most: usize,
        limit: Duration,
    ) -> Result<Vec<(String, Timestamp)>, NoHistory> {
        match History::new(self, limit)? {
            Some(history) => history.authors(path, most),
            None => Ok(Vec::new()),
        }
    }

    /// These commits, in this order, with their changes of `of` (all names from the root), or of everything. Unknown ids and merges
    /// are left out.
    pub fn past_commits(
        &self,
        ids: &[String],
        of: &[RepoPath],
        limit: Duration,
    ) -> Result<Vec<PastChange>, NoHistory> {
        match History::new(self, limit)? {
            Some(history) => history.by_id(ids, of),
            None => Ok(Vec::new()),
        }
    }

    /// Who wrote the lines of a file as it is in the working copy, in order. Empty outside git, and for files that git does not
    /// track.
    pub fn blame(
        &self,
        path: &RepoPath,
        lines: LineRange,
        limit: Duration,
    ) -> Result<Vec<BlamedLines>, NoHistory> {
        match History::new(self, limit)? {
            Some(history) => history.blame(path, lines),
            None => Ok(Vec::new()),
        }
    }
}

/// A repository whose history can be read.
struct History<'t> {
    tree: &'t Tree,
    root: PathBuf,
    folder: PathBuf,
    /// The path from the work tree's top to the root.
    prefix: String,
    /// The last commits of a shallow clone, which seem to have made everything.
    shallow: BTreeSet<String>,
    limit: Duration,
}

impl<'t> History<'t> {
    /// `None` outside git and before the first commit.
    fn new(tree: &'t Tree, limit: Duration) -> Result<Option<Self>, NoHistory> {
        let Some((root, around, prefix)) = surroundings(tree.root()) else {
            return Ok(None);
        };
        let history = Self {
            tree,
            shallow: shallow(&around),
            folder: around.folder,
            root,
            prefix,
            limit,
        };
        if history.run().commit("HEAD").is_some() {
            return Ok(Some(history));
        }
        match history.run().whole(&["rev-parse", "--git-dir"]) {
            Some(_) => Ok(None),
            None => Err(history.silent()),
        }
    }

    fn run(&self) -> Run<'_> {
        Run {
            dir: &self.root,
            work_tree: Some(&self.folder),
            time: self.limit,
            max_bytes: MAX_RAW,
        }
    }

    fn silent(&self) -> NoHistory {
        NoHistory {
            root: self.root.clone(),
        }
    }

    fn of_file(&self, path: &RepoPath, most: usize) -> Result<Vec<PastChange>, NoHistory> {
        let count = format!("--max-count={most}");
        let mut args = vec!["--literal-pathspecs", "log", "--follow", count.as_str()];
        args.extend(PATCH);
        args.extend(["HEAD", "--", path.as_str()]);
        self.changes(&args)
    }

    fn authors(&self, path: &RepoPath, most: usize) -> Result<Vec<(String, Timestamp)>, NoHistory> {
        let count = format!("--max-count={most}");
        let mut args = vec!["--literal-pathspecs", "log", "--follow", count.as_str(), FORMAT];
        args.extend([
            "--encoding=UTF-8",
            "--no-merges",
            "--no-patch",
            "HEAD",
            "--",
            path.as_str(),
        ]);
        let answer = self.run().answer(&args).ok_or_else(|| self.silent())?;
        let raw = String::from_utf8_lossy(&answer.bytes);
        let changes = records(&raw, answer.cut);
        let changes = changes.into_iter().map(|(header, _)| self.change(&header, ""));
        let people = changes.filter(|change| !change.by_bot && !self.shallow.contains(&change.id));
        Ok(people.map(|change| (change.author, change.at)).collect())
    }

    fn by_id(&self, ids: &[String], of: &[RepoPath]) -> Result<Vec<PastChange>, NoHistory> {
        let is_id = |id: &&String| id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let ids: Vec<&str> = ids.iter().filter(is_id).map(String::as_str).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut args = vec!["--literal-pathspecs", "log", "--no-walk=unsorted"];
        args.extend(PATCH);
        args.extend(&ids);
        args.push("--");
        args.extend(of.iter().map(RepoPath::as_str));
        if of.is_empty() && !self.prefix.is_empty() {
            args.push(".");
        }
        self.changes(&args)
    }

    fn changes(&self, args: &[&str]) -> Result<Vec<PastChange>, NoHistory> {
        let answer = self.run().answer(args).ok_or_else(|| self.silent())?;
        let raw = String::from_utf8_lossy(&answer.bytes);
        let mut changes: Vec<PastChange> = records(&raw, answer.cut)
            .into_iter()
            .map(|(header, patch)| self.change(&header, patch))
            .collect();
        changes.retain(|change| !self.shallow.contains(&change.id));
        Ok(changes)
    }

    fn change(&self, [id, seconds, name, mail, message]: &[&str; FIELDS], patch: &str) -> PastChange {
        let message = plain(&self.tree.redact(message.trim()).0);
        let (subject, body) = message.split_once('\n').unwrap_or((&message, ""));
        PastChange {
            id: (*id).to_owned(),
            at: Timestamp(seconds.parse::<i64>().unwrap_or(0).saturating_mul(1000)),
            author: plain(name),
            by_bot: is_bot(name) || is_bot(mail.split('@').next().unwrap_or_default()),
            subject: subject.trim_end().to_owned(),
            body: body.trim().to_owned(),
            files: sections(patch)
                .into_iter()
                .filter_map(|section| self.file(section))
                .collect(),
        }
    }

    /// `None`: its name cannot be read.
    fn file(&self, section: &str) -> Option<PastFile> {
        let names = paths(section)?;
        let denied = names.iter().find_map(|path| self.tree.denied(path));
        let (path, renamed_from) = match names.as_slice() {
            [path] => (path.clone(), None),
            [from, to] => (to.clone(), Some(from.clone())),
            _ => return None,
        };
        let mut file = PastFile {
            path,
            renamed_from,
            hidden: denied,
            hunks: Vec::new(),
        };
        if file.hidden.is_none() {
            let (clean, _) = self.tree.redact(section);
            file.hunks = hunks_of(&plain(&hunks::cut(&clean).0));
            let is_binary = file.hunks.is_empty() && section.contains("\nBinary files ");
            file.hidden = is_binary.then(|| "it is not text".to_owned());
        }
        Some(file)
    }
}

/// The options of git for patches.
const PATCH: [&str; 16] = [
    FORMAT,
    "--encoding=UTF-8",
    "--no-merges",
    "--patch",
    WHOLE_FILES,
    "--relative",
    "--find-renames",
    "-l200",
    "--ignore-submodules=all",
    "-O/dev/null",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--diff-algorithm=histogram",
];

/// The records of an output: their fields, and the patch after them. If the output was cut, the last file is left out: half a file
/// may contain half a secret.
pub(crate) fn records(raw: &str, cut: bool) -> Vec<([&str; FIELDS], &str)> {
    let mut starts: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    let mut at = 0;
    // The fields are counted: a message may contain anything except NUL.
    while let Some(start) = raw[at..].find('\0').map(|found| found + at) {
        let begins_line = start == 0 || raw.as_bytes()[start - 1] == b'\n';
        if !begins_line {
            at = start + 1;
            continue;
        }
        let mut fields = [""; FIELDS];
        let mut next = start + 1;
        let mut is_whole = true;
        for field in &mut fields {
            match raw[next..].find('\0') {
                Some(len) => {
                    *field = &raw[next..next + len];
                    next += len + 1;
                }
                None => is_whole = false,
            }
        }
        if !is_whole {
            break;
        }
        starts.push(start);
        found.push((fields, next));
        at = next;
    }
    starts.push(raw.len());
    let n_records = found.len();
    let mut records = Vec::new();
    for (idx, (fields, from)) in found.into_iter().enumerate() {
        let mut patch = &raw[from..starts[idx + 1]];
        if cut && idx + 1 == n_records {
            patch = &patch[..patch.rfind("\ndiff --git ").map_or(0, |at| at + 1)];
        }
        records.push((fields, patch.trim_start_matches('\n')));
    }
    records
}

/// The hunks in one file's part of a patch.
fn hunks_of(section: &str) -> Vec<PastHunk> {
    let mut hunks: Vec<PastHunk> = Vec::new();
    let mut n_lines = 0;
    for line in section.lines() {
        if let Some((old, new)) = sides(line) {
            if hunks.len() == MOST_HUNKS {
                break;
            }
            n_lines = 0;
            hunks.push(PastHunk {
                old,
                new,
                text: line.to_owned(),
            });
        } else if let Some(hunk) = hunks.last_mut() {
            n_lines += 1;
            if n_lines <= MOST_LINES {
                hunk.text.push('\n');
                hunk.text.push_str(line);
            } else if n_lines == MOST_LINES + 1 {
                hunk.text.push_str("\n …");
            }
        }
    }
    hunks
}

/// `@@ -10,7 +12,8 @@ …`: 7 lines from line 10 on became 8 from line 12 on.
pub(crate) fn sides(line: &str) -> Option<((u32, u32), (u32, u32))> {
    let mut sides = line.strip_prefix("@@ -")?.split(' ');
    let numbers = |side: &str| {
        let (start, n) = side.split_once(',').unwrap_or((side, "1"));
        Some((start.parse::<u32>().ok()?, n.parse::<u32>().ok()?))
    };
    let old = numbers(sides.next()?)?;
    let new = numbers(sides.next()?.strip_prefix('+')?)?;
    Some((old, new))
}

/// Removes characters that could control a terminal or hide text; tabs and line breaks stay.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line.strip_suffix('\r').unwrap_or(line), "\n"),
            None => (line, ""),
        };
        plain.extend(line.chars().map(|c| match c {
            '\t' => c,
            c if c.is_control() || is_hiding(c) => char::REPLACEMENT_CHARACTER,
            c => c,
        }));
        plain.push_str(end);
    }
    plain
}

/// Characters that change the direction of text.
fn is_hiding(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests;
