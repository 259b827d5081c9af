//! Every operation there is, in the order in which tools are listed: the same for everybody, always (prompt caches depend on it).

mod add_text;
mod answer_size;
mod feedback;
mod full_pack;
mod history;
mod jobs;
mod locate_symbol;
mod memory;
mod pack;
mod packages;
mod project_facts;
mod query;
mod related;
mod search;
mod stats;
mod symbol;
mod tests;
mod thread;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use schemars::Schema;

use super::{Operation, Set};

/// In three sets; within a set, what is used most comes first.
pub(crate) const OPERATIONS: &[Operation] = &[
    pack::OPERATION,
    query::OPERATION,
    locate_symbol::OPERATION,
    packages::CONTEXT_OPERATION,
    jobs::REFRESH_OPERATION,
    stats::OPERATION,
    memory::REMEMBER_OPERATION,
    memory::RECALL_OPERATION,
    memory::FORGET_OPERATION,
    feedback::OPERATION,
    jobs::REBUILD_OPERATION,
    jobs::STATUS_OPERATION,
    packages::LIST_OPERATION,
    project_facts::OPERATION,
    full_pack::OPERATION,
    search::OPERATION,
    symbol::OPERATION,
    related::OPERATION,
    history::OPERATION,
    tests::OPERATION,
    add_text::ADD_OPERATION,
    add_text::DELETE_OPERATION,
    memory::CHECK_OPERATION,
    memory::MERGE_OPERATION,
    memory::IMPORT_OPERATION,
    memory::EXPORT_OPERATION,
    feedback::LIST_OPERATION,
    feedback::UNDO_OPERATION,
    thread::BUILD_OPERATION,
    thread::APPEND_OPERATION,
    thread::SHOW_OPERATION,
    thread::LIST_OPERATION,
    thread::DELETE_OPERATION,
    jobs::CANCEL_OPERATION,
];

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

/// It mostly waits for a job, and needs no turn among those that work.
pub(crate) fn waits(operation: &Operation) -> bool {
    [jobs::REFRESH_OPERATION.name, jobs::REBUILD_OPERATION.name].contains(&operation.name)
}

/// The schema of an operation's arguments. Each is made once: making one takes longer than some answers do.
pub(crate) fn arguments_of(operation: &Operation) -> &'static Schema {
    static SCHEMAS: LazyLock<BTreeMap<&str, Schema>> = LazyLock::new(|| {
        let schema = |operation: &Operation| (operation.name, (operation.schema)());
        OPERATIONS.iter().map(schema).collect()
    });
    &SCHEMAS[operation.name]
}
