//! Which files usually change together, by the commits that the index keeps (RET-13, PACK-5).

use std::collections::BTreeMap;

use kitbag_store::{CommitRow, Snapshot};

use crate::EngineError;

/// Fewer commits tell nothing.
const LEAST_COMMITS: u32 = 3;
/// Of the commits that changed the files in question, the share that must have changed another one too.
const LEAST_SHARE: f64 = 0.3;

/// What changed with some files.
#[derive(Debug, Default)]
pub(crate) struct CoChanges {
    /// Commits that changed one of them.
    pub n_touching: u32,
    /// Other files and in how many of these commits they changed, most often first, then by path.
    pub with: Vec<(String, u32)>,
}

impl CoChanges {
    /// Those that usually change too: in at least three commits and three in ten.
    pub(crate) fn usual(&self) -> impl Iterator<Item = &(String, u32)> {
        self.with
            .iter()
            .filter(|(_, n)| *n >= LEAST_COMMITS && f64::from(*n) >= LEAST_SHARE * f64::from(self.n_touching))
    }
}

/// Looks at every commit that is kept.
pub(crate) fn co_changes(
    snapshot: &Snapshot<'_>,
    is_asked: &dyn Fn(&str) -> bool,
) -> Result<CoChanges, EngineError> {
    Ok(of_commits(&snapshot.commits()?, is_asked))
}

/// The same for commits that are at hand.
pub(crate) fn of_commits(commits: &[CommitRow], is_asked: &dyn Fn(&str) -> bool) -> CoChanges {
    let mut found = CoChanges::default();
    let mut with: BTreeMap<&str, u32> = BTreeMap::new();
    for commit in commits {
        if !commit.paths.iter().any(|path| is_asked(path)) {
            continue;
        }
        found.n_touching += 1;
        for path in commit.paths.iter().filter(|path| !is_asked(path)) {
            *with.entry(path).or_default() += 1;
        }
    }
    found.with = with.into_iter().map(|(path, n)| (path.to_owned(), n)).collect();
    found
        .with
        .sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found
}
