//! What changes together: of the commits that the index keeps, how often a file changed, and with which others.
//!
//! Nobody sees this in the code, which is why it is worth telling. A commit of many files says nothing, and of two files that rarely change
//! once together says little, so both need a minimum.

use std::collections::BTreeMap;

use kitbag_rank::paths::PathClass;
use kitbag_types::RepoPath;

use crate::conventions::classes;

/// A change of more files is a move or a release.
const WIDEST: usize = 20;
/// Fewer common changes are chance.
const FEWEST: u32 = 4;
/// Of the changes of a file, those that changed the other one too.
const LEAST_SHARE: f64 = 0.6;

/// The commits of a tree, by the files they touched.
pub(crate) struct History {
    commits: Vec<Vec<RepoPath>>,
    changes: BTreeMap<RepoPath, u32>,
}

/// Two files of which one seldom changes alone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Coupled {
    pub path: RepoPath,
    pub with: RepoPath,
    /// Commits that changed both, and all that changed `path`.
    pub together: u32,
    pub changes: u32,
}

impl Coupled {
    pub(crate) fn share(&self) -> f64 {
        f64::from(self.together) / f64::from(self.changes.max(1))
    }
}

impl History {
    pub(crate) fn new(commits: Vec<Vec<String>>) -> Self {
        let mut changes: BTreeMap<RepoPath, u32> = BTreeMap::new();
        let mut kept = Vec::with_capacity(commits.len());
        for commit in commits {
            let paths: Vec<RepoPath> = commit
                .iter()
                .filter_map(|path| RepoPath::new(path).ok())
                .filter(is_code)
                .collect();
            for path in &paths {
                *changes.entry(path.clone()).or_default() += 1;
            }
            kept.push(paths);
        }
        Self {
            commits: kept,
            changes,
        }
    }

    pub(crate) fn n_commits(&self) -> usize {
        self.commits.len()
    }

    /// Commits that changed a file.
    pub(crate) fn changes(&self, path: &RepoPath) -> u32 {
        self.changes.get(path).copied().unwrap_or_default()
    }

    /// What changes with the files of `is_asked` and is not one of them, the surest first.
    pub(crate) fn coupled(
        &self,
        is_asked: &dyn Fn(&RepoPath) -> bool,
        is_other: &dyn Fn(&RepoPath) -> bool,
    ) -> Vec<Coupled> {
        let mut pairs: BTreeMap<(&RepoPath, &RepoPath), u32> = BTreeMap::new();
        for commit in self.commits.iter().filter(|commit| commit.len() <= WIDEST) {
            for path in commit.iter().filter(|path| is_asked(path)) {
                for with in commit.iter().filter(|with| *with != path && is_other(with)) {
                    *pairs.entry((path, with)).or_default() += 1;
                }
            }
        }
        let coupled = pairs.into_iter().map(|((path, with), together)| Coupled {
            path: path.clone(),
            with: with.clone(),
            together,
            changes: self.changes(path),
        });
        let mut coupled: Vec<Coupled> = coupled
            .filter(|pair| pair.together >= FEWEST && pair.share() >= LEAST_SHARE)
            .collect();
        coupled.sort_by(|a, b| {
            let surest = b.share().total_cmp(&a.share()).then(b.together.cmp(&a.together));
            surest.then_with(|| (&a.path, &a.with).cmp(&(&b.path, &b.with)))
        });
        coupled
    }
}

/// Changelogs, documents and settings change with everything.
fn is_code(path: &RepoPath) -> bool {
    let other = [
        PathClass::Changelog,
        PathClass::Docs,
        PathClass::Vendored,
        PathClass::Config,
    ];
    !classes(path).iter().any(|class| other.contains(class))
}
