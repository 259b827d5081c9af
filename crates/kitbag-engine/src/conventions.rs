//! How the files of a project are named, from the one table that says so: the rows of `kitbag-syntax`. Other crates that need
//! it do not depend on that crate, so the engine hands it to them, here and nowhere else.

use std::sync::LazyLock;

use kitbag_rank::paths::{self, PathClass};
use kitbag_rank::query;
use kitbag_types::{Conventions, Query, RepoPath};

#[cfg(test)]
mod tests;

/// Made once, from rows that never change.
static CONVENTIONS: LazyLock<Conventions> = LazyLock::new(kitbag_syntax::conventions);

pub(crate) fn conventions() -> &'static Conventions {
    &CONVENTIONS
}

/// Parses a question.
pub(crate) fn analyse(text: &str) -> Query {
    query::analyse(text, conventions())
}

/// What kind of file a path names.
pub(crate) fn classes(path: &RepoPath) -> Vec<PathClass> {
    paths::classes(path, conventions())
}

pub(crate) fn is_test(path: &RepoPath) -> bool {
    conventions().is_test(path)
}

/// The rank of a file's definitions among others of the same name.
pub(crate) fn standing(path: &RepoPath) -> u8 {
    paths::standing(path, conventions())
}
