//! Every operation there is, in the order in which tools are listed: the same for everybody, always (prompt caches depend on it).

mod locate_symbol;
mod pack;

use super::{Operation, Set};

/// In three sets; within a set, what is used most comes first.
pub(crate) const OPERATIONS: &[Operation] = &[pack::OPERATION, locate_symbol::OPERATION];

/// Those of some sets.
pub(crate) fn in_sets(sets: &[Set]) -> impl Iterator<Item = &'static Operation> {
    OPERATIONS
        .iter()
        .filter(move |operation| sets.contains(&operation.set))
}

/// By its name.
pub(crate) fn find(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}
