//! Whether a file may be handed to `pack` at all.

use kitbag_types::RepoPath;

use crate::Engine;

/// Why a file of this name must not get into a pack, in whatever folder it is (PACK-2).
pub fn denied_name(engine: &Engine, name: &str) -> Option<String> {
    let path = RepoPath::new(name).ok()?;
    engine.tree.denied(&path)
}
