//! The commits that changed some lines. Git follows lines back through history (`log -L`), across renames and merges. Only the
//! commits and line numbers are taken from it; the hunks are then read like all others, from whole files, so that no part of a
//! secret gets out.

use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::{LineRange, RepoPath};

use super::{FORMAT, History, PastChange, records, sides};
use crate::commits::NoHistory;
use crate::diff::{paths, sections};

/// The most commits through which lines are followed to their beginning.
const MOST_FOLLOWED: usize = 5_000;

/// Which commits to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Newest(usize),
    /// The one in which the lines began.
    Oldest,
}

/// The place of the lines after a commit, and the names of their file.
#[derive(Default)]
struct Followed {
    lines: Vec<(u32, u32)>,
    names: BTreeSet<RepoPath>,
}

impl History<'_> {
    pub(super) fn of_lines(
        &self,
        path: &RepoPath,
        lines: LineRange,
        wanted: Wanted,
    ) -> Result<Vec<PastChange>, NoHistory> {
        let Some(committed) = self.committed(path, lines)? else {
            return Ok(Vec::new());
        };
        let count = match wanted {
            Wanted::Newest(most) => format!("--max-count={most}"),
            Wanted::Oldest => format!("--max-count={MOST_FOLLOWED}"),
        };
        let range = format!("-L{},{}:{path}", committed.start(), committed.end());
        let mut args = vec!["log", count.as_str(), range.as_str(), FORMAT];
        args.extend(["--encoding=UTF-8", "--no-ext-diff", "--no-textconv", "--no-color"]);
        args.extend(["--src-prefix=a/", "--dst-prefix=b/", "HEAD"]);
        // Git refuses lines or a file that the commit does not have.
        let Some(answer) = self.run().answer(&args) else {
            return match self.run().commit("HEAD") {
                Some(_) => Ok(Vec::new()),
                None => Err(self.silent()),
            };
        };
        let raw = String::from_utf8_lossy(&answer.bytes);
        let mut ids = Vec::new();
        let mut followed: BTreeMap<String, Followed> = BTreeMap::new();
        for ([id, ..], patch) in records(&raw, answer.cut) {
            ids.push(id.to_owned());
            let known = followed.entry(id.to_owned()).or_default();
            for section in sections(patch) {
                known
                    .lines
                    .extend(section.lines().filter_map(sides).map(|(_, new)| new));
                let names = paths(section).unwrap_or_default();
                known.names.extend(names.iter().filter_map(|name| {
                    let inside = name.as_str().strip_prefix(self.prefix.as_str())?;
                    RepoPath::new(inside).ok()
                }));
            }
        }
        if wanted == Wanted::Oldest {
            ids.drain(..ids.len().saturating_sub(1));
            followed.retain(|id, _| ids.contains(id));
        }
        let mut names: Vec<RepoPath> = followed.values().flat_map(|one| one.names.clone()).collect();
        names.sort();
        names.dedup();
        let mut changes = self.by_id(&ids, &names)?;
        for change in &mut changes {
            if let Some(known) = followed.get(&change.id) {
                keep(change, known);
            }
        }
        Ok(changes)
    }

    /// The place of lines of the working copy in the checked-out commit. `None`: they are all new, or the file is.
    fn committed(&self, path: &RepoPath, lines: LineRange) -> Result<Option<LineRange>, NoHistory> {
        let run = self.run();
        let filters = run.without_filters().ok_or_else(|| self.silent())?;
        let mut args: Vec<&str> = filters.iter().map(String::as_str).collect();
        args.extend([
            "--literal-pathspecs",
            "diff",
            "--unified=0",
            "--relative",
            "--no-renames",
        ]);
        args.extend([
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "HEAD",
            "--",
            path.as_str(),
        ]);
        let answer = run.answer(&args).ok_or_else(|| self.silent())?;
        let raw = String::from_utf8_lossy(&answer.bytes);
        let hunks: Vec<_> = raw.lines().filter_map(sides).collect();
        Ok(moved_back(lines, &hunks))
    }
}

/// The first line and the number of lines of a hunk, before and after.
pub(super) type MovedHunk = ((u32, u32), (u32, u32));

/// `hunks`: the differences in order, without context. New lines map to the ones they replace.
pub(super) fn moved_back(lines: LineRange, hunks: &[MovedHunk]) -> Option<LineRange> {
    // The shift of an unchanged line, or the first and last of the lines that it replaces.
    let place = |line: u32, is_start: bool| -> u32 {
        let mut shift = 0i64;
        for ((old, n_old), (new, n_new)) in hunks {
            // For an empty side, git gives the line before it.
            let first_new = if *n_new == 0 { new + 1 } else { *new };
            if line < first_new {
                break;
            }
            if line < first_new.saturating_add(*n_new) {
                let (first, last) = match n_old {
                    // Only additions: the line after them, or the line before.
                    0 => (old.saturating_add(1), *old),
                    n => (*old, old.saturating_add(n - 1)),
                };
                return if is_start { first } else { last };
            }
            shift += i64::from(*n_old) - i64::from(*n_new);
        }
        u32::try_from(i64::from(line) + shift).unwrap_or(0)
    };
    let (start, end) = (place(lines.start(), true), place(lines.end(), false));
    (start >= 1 && start <= end).then(|| LineRange::new(start, end))
}

/// Keeps the hunks that changed the followed lines; all of them if that cannot be told.
fn keep(change: &mut PastChange, followed: &Followed) {
    let is_near = |(start, n): (u32, u32)| {
        let touches = |(of, n_of): &(u32, u32)| {
            start < of.saturating_add((*n_of).max(1)) && *of < start.saturating_add(n.max(1))
        };
        followed.lines.iter().any(touches)
    };
    for file in &mut change.files {
        if file.hunks.iter().any(|hunk| is_near(hunk.new)) {
            file.hunks.retain(|hunk| is_near(hunk.new));
        }
    }
}
