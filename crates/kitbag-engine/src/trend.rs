//! What the code that was written last does with a convention (INS-11): a habit that new code no longer follows is not worth telling.
//! One question to git says which lines are new; nothing is parsed again.

use std::collections::{BTreeMap, BTreeSet};

use kitbag_analyse::patterns::{Pattern, Project};
use kitbag_repo::{DiffError, Written};
use kitbag_types::RepoPath;

use crate::Engine;
use crate::code_units::globs;

/// What was added lately: this share of the history, but at most so many commits.
pub(crate) const SINCE_SHARE: f64 = 0.25;
pub(crate) const SINCE_COMMITS: usize = 500;
/// A convention is tested if this many new places could follow it.
pub(crate) const LEAST_CASES: u64 = 3;
/// Followed at least as often as stated, less this.
pub(crate) const TOLERANCE: f64 = 0.05;

/// Files and lines that were added between two commits.
pub(crate) struct Added(BTreeMap<RepoPath, (bool, BTreeSet<u32>)>);

impl Added {
    pub(crate) fn of(written: &[Written]) -> Self {
        let lines = |one: &Written| one.lines.iter().map(|(line, _)| *line).collect();
        let entries = written
            .iter()
            .map(|one| (one.path.clone(), (one.is_new, lines(one))));
        Self(entries.collect())
    }

    /// In the last part of the history that ends with a commit.
    pub(crate) fn before(engine: &Engine, commit: &str) -> Result<Self, DiffError> {
        let (from, _) = engine.tree.back(commit, SINCE_SHARE, SINCE_COMMITS)?;
        Ok(Self::of(&engine.tree.written(Some(&from), commit, &globs())?))
    }

    pub(crate) fn has(&self, path: &RepoPath, line: u32, is_file: bool) -> bool {
        self.0.get(path).is_some_and(|(is_new, lines)| match is_file {
            true => *is_new,
            false => lines.contains(&line),
        })
    }
}

pub(crate) fn share(part: u64, whole: u64) -> f64 {
    let share = if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    };
    (share * 1e4).round() / 1e4
}

/// Whether new places follow a convention as often as the old ones state; `None`: too few.
pub(crate) fn holds(new: (u64, u64), stated: f64) -> Option<bool> {
    (new.1 >= LEAST_CASES).then(|| share(new.0, new.1) >= stated - TOLERANCE)
}

/// Takes out of sight what the last part of the code does not follow as often as the part before it.
pub(crate) fn drop_failing(project: &Project<'_>, patterns: &mut [Pattern], added: &Added) {
    for one in patterns.iter_mut().filter(|one| one.is_shown) {
        let new = project.count_of(&one.rule, &|path, line, is_file| added.has(path, line, is_file));
        let old = (
            one.followed.saturating_sub(new.0),
            one.applicable.saturating_sub(new.1),
        );
        let is_old = old.1 >= LEAST_CASES;
        one.is_shown = !(is_old && holds(new, share(old.0, old.1)) == Some(false));
    }
}
