//! Queries from the project's own commits: what a message says, and the source files that its commit touched. So a user sees
//! how well things are found in *their* code (RET-42).
//!
//! The tree that is searched is today's, not the one before each commit: names that the commit brought are already there. The
//! figures are therefore better than they would be in use: compare two settings or two versions with them, but promise nothing. Two
//! switches keep the worst of it out: what the history itself tells is left out of the search, and tests, prose and
//! settings are not answers.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use kitbag_rank::paths::PathClass;
use kitbag_repo::Commit;
use kitbag_types::{RepoPath, Stop, Timestamp};

use super::message::question;
use super::{EvalGold, EvalQuery, indexed_languages, with_snapshot};
use crate::api::search::update;
use crate::conventions::classes;
use crate::providers::switches;
use crate::{Engine, EngineError, Progress};

/// The provider that knows the commits: with it, every question would hold its own answer.
const HISTORY_PROVIDER: &str = "git_history";
/// About every third commit of a project becomes a query; some have far fewer.
const COMMITS_PER_QUERY: usize = 10;
/// Asked once, while somebody waits.
const GIT_LIMIT: Duration = Duration::from_secs(60);
/// A commit of more files has no single subject.
const MAX_FILES: usize = 10;

#[derive(Clone, Copy, Debug)]
pub struct EvalHistoryRequest {
    /// How many queries, at most.
    pub queries: usize,
    /// Bring the index up to date first.
    pub update: bool,
}

/// What became of the commits.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalHistory {
    /// Newest first.
    pub queries: Vec<EvalQuery>,
    /// How many were looked at.
    pub commits: usize,
    /// Why the others are not queries, and how many of each.
    pub skipped: BTreeMap<&'static str, usize>,
    pub warnings: Vec<String>,
}

pub fn eval_history(
    engine: &Engine,
    request: EvalHistoryRequest,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<EvalHistory, EngineError> {
    let (languages, warnings) = {
        let (done, repaired) = engine.repairing(|again| {
            let mut warnings = Vec::new();
            if request.update || again {
                update(engine, Stop::never(), progress, now, &mut warnings)?;
            }
            Ok((with_snapshot(engine, indexed_languages)?, warnings))
        })?;
        let (languages, mut warnings) = done;
        warnings.extend(repaired);
        (languages, warnings)
    };
    let max_commits = request.queries.saturating_mul(COMMITS_PER_QUERY);
    let commits = kitbag_repo::commits(engine.root(), max_commits, GIT_LIMIT).map_err(|error| {
        EngineError::Invalid {
            code: error.code(),
            message: error.to_string(),
        }
    })?;
    let mut history = EvalHistory {
        queries: Vec::new(),
        commits: 0,
        skipped: BTreeMap::new(),
        warnings,
    };
    let mut asked = BTreeSet::new();
    for commit in &commits {
        if history.queries.len() == request.queries {
            break;
        }
        history.commits += 1;
        let made = query(engine, commit, &languages).and_then(|query| {
            let is_new = asked.insert(query.query.clone());
            is_new.then_some(query).ok_or("the same message again")
        });
        match made {
            Ok(query) => history.queries.push(query),
            Err(why) => *history.skipped.entry(why).or_default() += 1,
        }
    }
    Ok(history)
}

fn query(
    engine: &Engine,
    commit: &Commit,
    languages: &BTreeMap<RepoPath, String>,
) -> Result<EvalQuery, &'static str> {
    if commit.by_bot {
        return Err("made by a bot");
    }
    if commit.paths.len() + commit.n_removed > MAX_FILES {
        return Err("more than 10 files");
    }
    let question = question(&commit.subject, &commit.body)?;
    let sources = || commit.paths.iter().filter(|path| is_source(path));
    if sources().next().is_none() {
        return Err("no source files: tests, docs, settings");
    }
    let indexed = sources().filter(|path| languages.contains_key(path));
    let gold: Vec<EvalGold> = indexed
        .map(|path| EvalGold {
            path: path.to_string(),
            lines: None,
        })
        .collect();
    if gold.is_empty() {
        return Err("its files are gone or not indexed");
    }
    let known = switches();
    let without = [HISTORY_PROVIDER].into_iter().filter(|name| known.contains(name));
    let id: String = commit.id.chars().take(12).collect();
    Ok(EvalQuery {
        without: without.map(str::to_owned).collect(),
        ..EvalQuery::new(id, engine.tree.redact(&question).0, gold)
    })
}

/// What a change is about, not what comes along with it.
fn is_source(path: &RepoPath) -> bool {
    let beside = |class: &PathClass| {
        matches!(
            class,
            PathClass::Test
                | PathClass::Example
                | PathClass::Vendored
                | PathClass::Changelog
                | PathClass::Docs
                | PathClass::Config
        )
    };
    // `Makefile`, `Dockerfile`, `LICENSE`.
    path.extension().is_some() && !classes(path).iter().any(beside)
}
