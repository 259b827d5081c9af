//! What a call names and cannot get (MCP-8): files that do not exist or must not be shown, patterns that match no file. The answer
//! says so; without that it would look as if they had been used.

use std::time::Duration;

use kitbag_store::{FileRow, FileState, Snapshot, StoreError};

use super::pack::pack_excluded;
use super::search::check_globs;
use super::{PackExcluded, PackSource};
use crate::globs::globs;
use crate::pack::read_all;
use crate::{Engine, EngineError};

/// The sources that a pack could not use, with the reason.
pub fn unusable_sources(engine: &Engine, sources: &[PackSource]) -> Vec<PackExcluded> {
    let (_, refused) = read_all(engine, sources, &|| Duration::MAX);
    refused.iter().map(pack_excluded).collect()
}

/// Those of `patterns` that match no indexed file. Empty if there is no index.
pub fn patterns_without_files(engine: &Engine, patterns: &[String]) -> Result<Vec<String>, EngineError> {
    // Checked before they are compiled, which takes long for long patterns.
    check_globs(patterns)?;
    if patterns.is_empty() {
        return Ok(Vec::new());
    }
    let Some(files) = files_of_index(engine)? else {
        return Ok(Vec::new());
    };
    let mut without = Vec::new();
    for pattern in patterns {
        let set = globs(std::slice::from_ref(pattern))?;
        let found = files
            .iter()
            .any(|file| file.state == FileState::Indexed && set.is_match(file.path.as_str()));
        if !found {
            without.push(pattern.clone());
        }
    }
    Ok(without)
}

/// The files that the index knows. `None`: there is no index.
pub(super) fn files_of_index(engine: &Engine) -> Result<Option<Vec<FileRow>>, EngineError> {
    let store = match engine.read_store() {
        Ok(store) => store,
        Err(StoreError::Missing { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let snapshot = Snapshot::open(&store, engine.root())?;
    Ok(snapshot.map(|snapshot| snapshot.files()).transpose()?)
}
