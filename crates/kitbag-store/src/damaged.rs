//! Damaged databases are set aside: a database and the files that SQLite keeps beside it are moved to a numbered folder
//! (`damaged-3`). The newest two of a kind are kept, so that a disk that fails every day does not fill up.

use std::path::{Path, PathBuf};

use crate::database::{folder_bytes, with_companions};
use crate::{StoreError, path_kind};

/// Number of folders of a kind that are kept.
const KEPT: usize = 2;
/// Names of the folders by kind, without their numbers.
pub(crate) const DATABASES: &str = "damaged-";
pub(crate) const JOURNALS: &str = "damaged-journal-";

/// A folder with something that was damaged. Nothing reads it any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    pub path: PathBuf,
    pub n_bytes: u64,
}

impl SetAside {
    /// All of them in a store, in the order of their names.
    pub fn all(dir: &Path) -> Vec<Self> {
        let mut found: Vec<PathBuf> = [DATABASES, JOURNALS]
            .into_iter()
            .flat_map(|kind| numbered(dir, kind))
            .map(|(_, path)| path)
            .collect();
        found.sort();
        let of = |path: PathBuf| Self {
            n_bytes: folder_bytes(&path),
            path,
        };
        found.into_iter().map(of).collect()
    }
}

/// Moves a database out of the way and says where it went.
pub(crate) fn set_aside(dir: &Path, database: &str, kind: &str) -> Result<PathBuf, StoreError> {
    let earlier = numbered(dir, kind);
    let number = earlier.last().map_or(1, |(number, _)| number + 1);
    let aside = dir.join(format!("{kind}{number}"));
    std::fs::create_dir_all(&aside).map_err(|source| StoreError::io(&aside, source))?;
    for name in with_companions(database) {
        let from = dir.join(&name);
        if path_kind::kind_at(&from) != path_kind::PathKind::Nothing {
            std::fs::rename(&from, aside.join(&name)).map_err(|source| StoreError::io(&from, source))?;
        }
    }
    let n_old = (earlier.len() + 1).saturating_sub(KEPT);
    for (_, old) in earlier.iter().take(n_old) {
        // If one cannot be removed, `doctor` names it.
        let _ = path_kind::remove(old);
    }
    Ok(aside)
}

/// Folders of a kind, oldest first.
fn numbered(dir: &Path, kind: &str) -> Vec<(u64, PathBuf)> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return Vec::new();
    };
    let mut found: Vec<(u64, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let number = entry.file_name().to_str()?.strip_prefix(kind)?.parse().ok()?;
            Some((number, entry.path()))
        })
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests;
