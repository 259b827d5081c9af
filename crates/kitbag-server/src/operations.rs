//! All operations, in the order in which tools are listed. The order never changes, because prompt caches depend on it.

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

/// In three sets; within a set, the most used first.
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

/// The operations of some sets.
pub(crate) fn in_sets(sets: &[Set]) -> impl Iterator<Item = &'static Operation> {
    OPERATIONS
        .iter()
        .filter(move |operation| sets.contains(&operation.set))
}

/// By its name.
pub(crate) fn find(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

/// Whether it mostly waits for a job, and therefore needs no turn among the working requests.
pub(crate) fn waits(operation: &Operation) -> bool {
    [jobs::REFRESH_OPERATION.name, jobs::REBUILD_OPERATION.name].contains(&operation.name)
}

/// The schema of an operation's arguments. It is made once, because that takes longer than some answers.
pub(crate) fn arguments_of(operation: &Operation) -> &'static Schema {
    static SCHEMAS: LazyLock<BTreeMap<&str, Schema>> = LazyLock::new(|| {
        let schema = |operation: &Operation| (operation.name, (operation.schema)());
        OPERATIONS.iter().map(schema).collect()
    });
    &SCHEMAS[operation.name]
}
