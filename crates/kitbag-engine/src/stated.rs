//! What files of the project state about it besides its code: the constraints of its configuration and documents (INS-3).
//!
//! Read from the files when somebody asks, not stored: a project has a few dozen such files, reading them takes milliseconds, and the
//! answer is right for the files as they are now. Which files there are comes from the index if there is one, else from a scan.

use kitbag_analyse::constraints::{self, Constraint};
use kitbag_analyse::packages::PlacedNote;
use kitbag_store::Snapshot;
use kitbag_types::{RepoPath, Timestamp};

use crate::parallel::side_by_side;
use crate::{Engine, EngineError};

/// The files of the project, by path.
pub(crate) fn files(engine: &Engine, now: Timestamp) -> Result<Vec<RepoPath>, EngineError> {
    if let Ok(store) = engine.read_store()
        && let Some(snapshot) = Snapshot::open(&store, engine.root())?
        && snapshot.state().complete
    {
        return Ok(snapshot.files()?.into_iter().map(|file| file.path).collect());
    }
    Ok(engine
        .tree
        .scan(now)?
        .files
        .into_iter()
        .map(|file| file.path)
        .collect())
}

/// The texts of files, secrets taken out; those that cannot be read are left out.
pub(crate) fn texts(engine: &Engine, paths: Vec<RepoPath>) -> Vec<(RepoPath, String)> {
    let texts = side_by_side(engine.n_workers(), &paths, &|path| {
        engine.tree.read(path).ok().map(|source| source.text.to_string())
    });
    let read = paths.into_iter().zip(texts);
    read.filter_map(|(path, text)| Some((path, text?))).collect()
}

/// Every constraint, by file and line.
pub(crate) fn constraints(
    engine: &Engine,
    now: Timestamp,
) -> Result<(Vec<Constraint>, Vec<PlacedNote>), EngineError> {
    let mut paths = files(engine, now)?;
    paths.retain(constraints::is_source);
    paths.sort();
    let mut found = Vec::new();
    let mut notes = Vec::new();
    for (path, text) in texts(engine, paths) {
        let (of_file, odd) = constraints::read(&path, &text);
        found.extend(of_file);
        notes.extend(odd.into_iter().map(|note| PlacedNote {
            path: path.clone(),
            note,
        }));
    }
    Ok((found, notes))
}
