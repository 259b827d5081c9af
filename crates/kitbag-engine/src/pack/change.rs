//! A change as a source of its own (PACK-5): the definitions that it touches, with the lines that changed, then who calls them, then the
//! tests that cover them, then the files that usually change with them. The diff itself is shown too, because only it has the
//! lines that are gone.
//!
//! Changelogs and lock files are part of most changes and say nothing about them: they are named, but neither shown nor followed.

use kitbag_pack::Origin;
use kitbag_rank::paths::PathClass;
use kitbag_rank::query::is_stop_word;
use kitbag_store::{ChunkRow, Snapshot};
use kitbag_types::terms::each_word;
use kitbag_types::{LineRange, RepoPath};

use super::PackJob;
use super::closure::pulled;
use super::pieces::{CandidateOrigin, Collector};
use crate::co_changes::co_changes;
use crate::conventions::{classes, is_test};
use crate::neighbours::Walk;
use crate::request::PackSource;
use crate::{Engine, EngineError};

/// Weights relative to a touched definition, which is 1: a touched test or document, a caller, a test, a file that changes with
/// it.
const TOUCHED_BESIDE: f64 = 0.9;
const CALLER: f64 = 0.75;
const TEST: f64 = 0.7;
const CHANGES_WITH: f64 = 0.4;
/// Weight of a search result relative to a change: the change is what the task is about.
pub(super) const FOUND_SHARE: f64 = 0.6;
/// Most touched definitions whose callers and tests are looked up, and most callers of each.
const FOLLOWED: usize = 12;
const CALLERS: usize = 8;
/// Files that usually change with the touched ones: the most that are named.
const MOST_WITH: usize = 6;
/// Most lines that a note names.
const MOST_TOLD: usize = 4;

/// Words of a task that say what to do with a change and nothing about its content.
const GENERIC: &[&str] = &[
    "branch",
    "change",
    "changed",
    "changes",
    "check",
    "code",
    "comment",
    "commit",
    "current",
    "describe",
    "diff",
    "explain",
    "feedback",
    "find",
    "give",
    "help",
    "look",
    "merge",
    "message",
    "patch",
    "please",
    "pull",
    "recent",
    "request",
    "review",
    "summarise",
    "summarize",
    "summary",
    "understand",
    "work",
    "working",
    "write",
];

/// Files with lists of versions that programs write.
const LOCK_FILES: &[&str] = &[
    "cargo.lock",
    "composer.lock",
    "gemfile.lock",
    "go.sum",
    "mix.lock",
    "package-lock.json",
    "package.resolved",
    "pipfile.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "uv.lock",
    "yarn.lock",
];

/// The change that is being worked on.
pub(crate) struct Change {
    /// The diff, to be shown.
    pub source: Option<PackSource>,
    /// Changed lines by the numbers that they have now; `None`: the whole file is new.
    pub touched: Vec<(RepoPath, Option<Vec<LineRange>>)>,
    pub warnings: Vec<String>,
}

/// `None` if the request names no change.
pub(super) fn read(job: PackJob<'_>) -> Result<Option<Change>, EngineError> {
    let Some(revision) = &job.request.diff else {
        return Ok(None);
    };
    let revision = Some(revision.as_str()).filter(|revision| !revision.is_empty());
    read_change(job.engine, job.snapshot, revision).map(Some)
}

/// The working tree against a revision or the last commit, or one commit against another.
pub(crate) fn read_change(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    revision: Option<&str>,
) -> Result<Change, EngineError> {
    let tree = &engine.tree;
    let diff = tree.diff(revision)?;
    let label = match revision {
        Some(revision) => format!("git diff {revision}"),
        None => "git diff".to_owned(),
    };
    let left_out = diff.left_out.iter();
    let mut warnings: Vec<String> = left_out
        .map(|(path, why)| format!("{label}: {path} is left out ({why})"))
        .collect();
    if diff.truncated {
        warnings.push(format!("{label}: it is too long, its end is left out"));
    }
    let mut touched: Vec<(RepoPath, Option<Vec<LineRange>>)> = Vec::new();
    let mut text = String::new();
    for section in sections(&diff.text) {
        let (path, lines) = lines_touched(section);
        let path = path.and_then(|path| RepoPath::new(path).ok());
        if let Some(path) = path.as_ref().filter(|path| is_noise(path)) {
            warnings.push(format!("{label}: {path} changed too; nothing of it is shown"));
            continue;
        }
        text.push_str(section);
        touched.extend(path.map(|path| (path, Some(lines))));
    }
    // Files that git does not track yet are in no diff.
    for path in tree.changed(revision)? {
        let is_known = touched.iter().any(|(known, _)| *known == path);
        if !is_known && !is_noise(&path) && is_untracked_in(snapshot, &path, &diff.text)? {
            touched.push((path, None));
        }
    }
    if touched.is_empty() && text.is_empty() && warnings.is_empty() {
        warnings.push(format!("{label}: nothing differs"));
    }
    let source = (!text.is_empty()).then(|| PackSource {
        kind: Origin::ToolResult.as_str().to_owned(),
        content: Some(text),
        label: Some(label),
        // The change is what the task is about, whatever words it uses.
        relevance: Some(1.0),
        ..PackSource::default()
    });
    Ok(Change {
        source,
        touched,
        warnings,
    })
}

/// Whether a file is in the index, so that it exists and may be shown, and is not in the diff.
fn is_untracked_in(snapshot: &Snapshot<'_>, path: &RepoPath, diff: &str) -> Result<bool, EngineError> {
    let in_diff = diff.contains(&format!("+++ b/{path}\n")) || diff.contains(&format!("rename to {path}\n"));
    Ok(!in_diff && snapshot.file(path)?.is_some())
}

fn is_noise(path: &RepoPath) -> bool {
    let name = path.file_name().to_lowercase();
    LOCK_FILES.contains(&name.as_str()) || classes(path).contains(&PathClass::Changelog)
}

/// The parts of a diff, one for each file.
fn sections(diff: &str) -> Vec<&str> {
    let is_start = |at: &usize| *at == 0 || diff.as_bytes()[at - 1] == b'\n';
    let found = diff.match_indices("diff --git ").map(|(at, _)| at);
    let mut starts: Vec<usize> = found.filter(is_start).collect();
    starts.push(diff.len());
    starts.windows(2).map(|two| &diff[two[0]..two[1]]).collect()
}

/// The path of the new side, and its lines that are new or where lines were removed.
fn lines_touched(section: &str) -> (Option<&str>, Vec<LineRange>) {
    let mut path = None;
    let mut found: Vec<LineRange> = Vec::new();
    // The next line of the new side, and how many lines of both sides the hunk still has.
    let (mut next, mut old_left, mut new_left) = (0u32, 0u32, 0u32);
    let mut touch = |line: u32| match found.last_mut() {
        Some(last) if line <= last.end() => {}
        Some(last) if line == last.end() + 1 => *last = LineRange::new(last.start(), line),
        _ => found.push(LineRange::new(line, line)),
    };
    for line in section.lines() {
        if old_left + new_left == 0 {
            if let Some(name) = line.strip_prefix("+++ ") {
                let name = name.split('\t').next().unwrap_or(name);
                path = name.strip_prefix("b/").filter(|_| name != "/dev/null");
            } else if let Some((old, start, new)) = hunk(line) {
                (next, old_left, new_left) = (start, old, new);
            }
            continue;
        }
        match line.as_bytes().first() {
            Some(b'+') => {
                touch(next);
                next = next.saturating_add(1);
                new_left = new_left.saturating_sub(1);
            }
            Some(b'-') => {
                touch(next.max(1));
                old_left = old_left.saturating_sub(1);
            }
            Some(b'\\') => {}
            _ => {
                next = next.saturating_add(1);
                (old_left, new_left) = (old_left.saturating_sub(1), new_left.saturating_sub(1));
            }
        }
    }
    (path, found)
}

/// `@@ -10,7 +12,8 @@`: 7 lines of the old side, and 8 of the new one from line 12 on.
fn hunk(line: &str) -> Option<(u32, u32, u32)> {
    let mut sides = line.strip_prefix("@@ -")?.split(' ');
    let numbers = |side: &str| {
        let (start, n) = side.split_once(',').unwrap_or((side, "1"));
        Some((start.parse::<u32>().ok()?, n.parse::<u32>().ok()?))
    };
    let (_, n_old) = numbers(sides.next()?)?;
    let (start, n_new) = numbers(sides.next()?.strip_prefix('+')?)?;
    Some((n_old, start, n_new))
}

/// Whether the words of a task say anything about the content of the change.
pub(super) fn tells(task: &str) -> bool {
    let mut tells = false;
    each_word(task, &mut |word| {
        let word = word.to_lowercase();
        tells |= word.len() > 2 && !is_stop_word(&word) && GENERIC.binary_search(&word.as_str()).is_err();
    });
    tells
}

/// Adds the definitions that the change touches, their callers and tests, and files that change with them.
pub(super) fn add(
    job: PackJob<'_>,
    change: &Change,
    collector: &mut Collector<'_, '_>,
) -> Result<(), EngineError> {
    let (snapshot, stop) = (job.snapshot, job.request.stop);
    let mut followed: Vec<ChunkRow> = Vec::new();
    for (path, lines) in &change.touched {
        stop.check()?;
        let Some((file, parse)) = snapshot.file(path)?.and_then(|file| Some((file.id, file.parse?))) else {
            continue;
        };
        for row in snapshot.chunks_of(file, parse)? {
            let here: Vec<LineRange> = match lines {
                None => vec![row.lines],
                Some(lines) => lines.iter().filter_map(|one| common(*one, row.lines)).collect(),
            };
            if here.is_empty() {
                continue;
            }
            let is_code = row.kind.is_code() && !is_test(&row.path);
            let how = CandidateOrigin {
                note: match lines {
                    None => "new".to_owned(),
                    Some(_) => format!("changed {}", told(&here)),
                },
                ..CandidateOrigin::new(Origin::OpenFile, Some(if is_code { 1.0 } else { TOUCHED_BESIDE }))
            };
            if is_code && followed.len() < FOLLOWED {
                followed.push(row.clone());
            }
            collector.add(row.into(), how)?;
        }
    }
    let mut walk = Walk::new(snapshot, stop);
    for row in &followed {
        for caller in walk.callers_of(row, CALLERS)? {
            let how = CandidateOrigin {
                note: caller.say(),
                ..pulled(CALLER, format!("calls {}", row.label))
            };
            collector.add(caller.row.into(), how)?;
        }
        for test in walk.tests_of(row)? {
            collector.add(test.into(), pulled(TEST, format!("tests {}", row.label)))?;
        }
    }
    add_co_changing(snapshot, change, collector)
}

/// Files that changed in most of the commits that changed a touched file.
fn add_co_changing(
    snapshot: &Snapshot<'_>,
    change: &Change,
    collector: &mut Collector<'_, '_>,
) -> Result<(), EngineError> {
    let touched: Vec<&str> = change.touched.iter().map(|(path, _)| path.as_str()).collect();
    let found = co_changes(snapshot, &|path| touched.contains(&path))?;
    let n_touching = found.n_touching;
    let paths = found
        .usual()
        .filter_map(|(path, n)| Some((RepoPath::new(path.clone()).ok()?, *n)));
    for (path, n) in paths.filter(|(path, _)| !is_noise(path)).take(MOST_WITH) {
        let Some((file, parse)) = snapshot
            .file(&path)?
            .and_then(|file| Some((file.id, file.parse?)))
        else {
            continue;
        };
        // The first line of its code.
        let rows = snapshot.chunks_of(file, parse)?;
        let first = rows.iter().find(|row| !row.names.is_empty()).or(rows.first());
        if let Some(row) = first {
            let how = CandidateOrigin {
                note: format!("its file changed in {n} of the {n_touching} commits that changed these"),
                ..pulled(CHANGES_WITH, "usually changes with them".to_owned())
            };
            collector.add(row.clone().into(), how)?;
        }
    }
    Ok(())
}

fn common(a: LineRange, b: LineRange) -> Option<LineRange> {
    let (start, end) = (a.start().max(b.start()), a.end().min(b.end()));
    (start <= end).then(|| LineRange::new(start, end))
}

/// `12–14, 20`.
fn told(lines: &[LineRange]) -> String {
    let one = |lines: &LineRange| match lines.n_lines() {
        1 => lines.start().to_string(),
        _ => format!("{}–{}", lines.start(), lines.end()),
    };
    let more = if lines.len() > MOST_TOLD { " …" } else { "" };
    let told: Vec<String> = lines.iter().take(MOST_TOLD).map(one).collect();
    told.join(", ") + more
}

#[cfg(test)]
mod tests;
