//! `doctor`: checks the health of a project's store, beyond its status. Changes and creates nothing.

use kitbag_store::{Journal, Snapshot, Store, StoreError};
use kitbag_types::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::health::damage_in_depth;
use crate::index::outstanding;
use crate::{Engine, EngineError};

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DoctorReply {
    /// Whether there is a store at all.
    pub exists: bool,
    /// Why the store cannot be written; null if it can.
    pub unwritable: Option<String>,
    /// What SQLite's own check of the whole database found; null if it is sound.
    pub damage: Option<String>,
    /// Damage of the text index and the vectors, one sentence per fault.
    pub derived: Vec<String>,
    /// Damage of the journal, which has sessions, jobs and memories.
    pub journal: Option<String>,
    /// Files that are new, changed or gone since the last run.
    pub outstanding: u64,
    /// Folders of the project, each of which a watcher watches.
    pub folders: u64,
}

/// Looks at the tree and reads the whole store: seconds on a large project.
pub fn doctor(engine: &Engine, now: Timestamp) -> Result<DoctorReply, EngineError> {
    let unwritable = Store::check_writable(engine.store_dir()).err();
    let (store, damage) = match engine.read_store() {
        Ok(store) => {
            let damage = store.check().err().map(|error| error.to_string());
            (Some(store), damage)
        }
        Err(StoreError::Missing { .. }) => (None, None),
        Err(error @ StoreError::Corrupt { .. }) => (None, Some(error.to_string())),
        Err(error) => return Err(error.into()),
    };
    // Answers of a damaged database are worthless, so only the tree is scanned.
    let sound = store.as_ref().filter(|_| damage.is_none());
    let (n_outstanding, n_folders) = outstanding(engine, sound, now)?;
    let snapshot = match sound {
        Some(store) => Snapshot::open(store, engine.root())?,
        None => None,
    };
    let derived = snapshot.map(|snapshot| damage_in_depth(engine, &snapshot));
    // A journal that cannot be read, for lack of room or permission, may be sound.
    let journal = match Journal::check(engine.store_dir()) {
        Err(error @ StoreError::Corrupt { .. }) => Some(error.to_string()),
        _ => None,
    };
    Ok(DoctorReply {
        exists: store.is_some() || damage.is_some(),
        unwritable: unwritable.map(|error| error.to_string()),
        damage,
        derived: derived.unwrap_or_default(),
        journal,
        outstanding: n_outstanding as u64,
        folders: n_folders as u64,
    })
}
