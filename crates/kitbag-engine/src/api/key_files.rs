//! `key-files`: the files that other files depend on and that change most, and what changed lately (INS-6, INS-8).

use std::collections::BTreeMap;
use std::time::Duration;

use kitbag_repo::{Commit, commits};
use kitbag_store::Snapshot;
use kitbag_types::{RepoPath, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::conventions::classes;
use crate::scope::find;
use crate::{Engine, EngineError, Progress, central, packages};

/// Lengths of the lists (INS-6).
const KEY_FILES: usize = 10;
const RECENT_CHANGES: usize = 10;
const TOGETHER: usize = 10;
/// Most files of one change that are named.
const CHANGED_FILES: usize = 20;
/// A change of more files is a move or a release, and does not say which files belong together.
const MOST_TOGETHER: usize = 20;
/// Git may take this long.
const TIME_LIMIT: Duration = Duration::from_secs(10);

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct KeyFilesRequest {
    /// Only files of this package, by its name or path.
    pub package: Option<String>,
    /// Only this file, or files below this folder.
    pub path: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeyFilesReply {
    /// Best first, at most 10.
    pub key_files: Vec<KeyFile>,
    /// Newest first, at most 10; changes by programs are left out.
    pub recent_changes: Vec<RecentChange>,
    /// Files that changed with those that were asked about, most often first; empty without a package or path.
    pub changes_together: Vec<ChangedTogether>,
    /// How many commits were read.
    pub commits: u64,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeyFile {
    pub path: String,
    /// 0 to 1: how central it is, relative to the most central one, and how often it changed, likewise.
    pub score: f64,
    /// PageRank over the graph of files that use each other's names; all files sum to 1.
    pub central: f64,
    /// How many of the commits changed it.
    pub changes: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecentChange {
    pub commit: String,
    /// Milliseconds since the Unix epoch.
    pub at: i64,
    pub subject: String,
    /// At most 20.
    pub files: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedTogether {
    pub path: String,
    /// Commits that changed it and something that was asked about.
    pub changes: u64,
}

pub fn key_files(
    engine: &Engine,
    request: &KeyFilesRequest,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<KeyFilesReply, EngineError> {
    let mut warnings = super::search::brought_up_to_date(engine, progress, now)?;
    let store = engine.open_store()?;
    let snapshot = engine.snapshot(&store)?;
    let is_asked = limits(request, &snapshot)?;
    let history = commits(engine.root(), engine.options.max_commits, TIME_LIMIT);
    let history = history.unwrap_or_else(|error| {
        warnings.push(error.to_string());
        Vec::new()
    });
    let history: Vec<Commit> = history.into_iter().filter(|commit| !commit.by_bot).collect();
    let mut changes: BTreeMap<&RepoPath, u64> = BTreeMap::new();
    for path in history.iter().flat_map(|commit| &commit.paths) {
        *changes.entry(path).or_default() += 1;
    }
    let ranked = central::ranked(&snapshot)?;
    let ranked: Vec<(RepoPath, f64)> = ranked
        .into_iter()
        .filter(|(path, _)| is_asked(path) && classes(path).is_empty())
        .collect();
    let asked = request.package.is_some() || request.path.is_some();
    let near = history.iter().filter(|commit| commit.paths.iter().any(&is_asked));
    Ok(KeyFilesReply {
        key_files: best(&ranked, &changes),
        recent_changes: near
            .clone()
            .take(RECENT_CHANGES)
            .map(|commit| recent(engine, commit))
            .collect(),
        changes_together: match asked {
            true => together(near, &is_asked),
            false => Vec::new(),
        },
        commits: history.len() as u64,
        warnings,
    })
}

type Limits = Box<dyn Fn(&RepoPath) -> bool>;

fn limits(request: &KeyFilesRequest, snapshot: &Snapshot<'_>) -> Result<Limits, EngineError> {
    let package = match &request.package {
        Some(wanted) => {
            let known = packages::stored(snapshot)?.ok_or_else(|| EngineError::Invalid {
                code: "PACKAGES_UNKNOWN",
                message: "the packages of this project are not known; run `kitbag index` first".to_owned(),
            })?;
            let at = find(&known.packages, wanted)?;
            Some((known.packages, at))
        }
        None => None,
    };
    let path = request
        .path
        .as_deref()
        .map(|path| path.trim_start_matches("./").trim_end_matches('/'));
    let path = path
        .filter(|path| !path.is_empty() && *path != ".")
        .map(str::to_owned);
    Ok(Box::new(move |file: &RepoPath| {
        let in_package = |(packages, at): &(kitbag_analyse::packages::Packages, usize)| {
            packages.of_file(file) == Some(*at)
        };
        let below = |path: &String| {
            let rest = file.as_str().strip_prefix(path.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        package.as_ref().is_none_or(in_package) && path.as_ref().is_none_or(below)
    }))
}

fn best(ranked: &[(RepoPath, f64)], changes: &BTreeMap<&RepoPath, u64>) -> Vec<KeyFile> {
    let n_changes = |path: &RepoPath| changes.get(path).copied().unwrap_or_default();
    let best = central::key_ranks(ranked, &n_changes).into_iter().take(KEY_FILES);
    best.map(|file| KeyFile {
        path: file.path.to_string(),
        score: file.score,
        central: file.central,
        changes: file.changes,
    })
    .collect()
}

fn recent(engine: &Engine, commit: &Commit) -> RecentChange {
    let files = commit.paths.iter().take(CHANGED_FILES);
    RecentChange {
        commit: commit.id.chars().take(12).collect(),
        at: commit.at.0,
        subject: engine.tree.redact(&commit.subject).0.into_owned(),
        files: files.map(ToString::to_string).collect(),
    }
}

fn together<'c>(
    near: impl Iterator<Item = &'c Commit>,
    is_asked: &dyn Fn(&RepoPath) -> bool,
) -> Vec<ChangedTogether> {
    let mut counts: BTreeMap<&RepoPath, u64> = BTreeMap::new();
    for commit in near.filter(|commit| commit.paths.len() <= MOST_TOGETHER) {
        for path in commit.paths.iter().filter(|path| !is_asked(path)) {
            *counts.entry(path).or_default() += 1;
        }
    }
    let mut counted: Vec<(&RepoPath, u64)> = counts.into_iter().filter(|(_, n)| *n > 1).collect();
    counted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let counted = counted.into_iter().take(TOGETHER);
    let counted = counted.map(|(path, changes)| ChangedTogether {
        path: path.to_string(),
        changes,
    });
    counted.collect()
}
