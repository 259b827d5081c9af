//! Packs that were made, the newest few of each project, so that they can be explained, verified and cited afterwards.
//!
//! Plain files beside the database, not rows in it: a pack is written once after it was answered and nothing is looked up
//! inside it, a store that is busy or read-only must not hold an answer up, and a file can be deleted by hand. The name
//! holds the order (`ordinal-project-id.json`), so no clock and no list is needed. Worktrees share a store; each sees its own.
//! Only their owner may read them: they hold source code and whatever was handed in.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::{StoreError, path_kind};

/// Number of packs that are kept per project.
const KEPT: usize = 20;
/// Larger packs are not read (SEC-4).
const MAX_BYTES: u64 = 64 << 20;
/// An incomplete file of a dead process is removed after this many further packs.
const STALE: u64 = 100;

/// The packs of one project.
#[derive(Debug)]
pub struct Packs {
    folder: PathBuf,
    project: String,
}

struct Entry {
    ordinal: u64,
    project: String,
    id: String,
    path: PathBuf,
}

impl Packs {
    /// The packs of the project at `root`, and of one user if a server has several (SEC-5). Touches nothing.
    pub fn of(store_dir: &Path, root: &Path, user: &str) -> Self {
        let mut key = root.as_os_str().as_encoded_bytes().to_vec();
        if !user.is_empty() {
            key.push(0);
            key.extend_from_slice(user.as_bytes());
        }
        let project = blake3::hash(&key);
        Self {
            folder: store_dir.join("packs"),
            project: project.to_hex()[..8].to_owned(),
        }
    }

    /// The ids, newest first.
    pub fn ids(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.own()?.into_iter().map(|entry| entry.id).collect())
    }

    /// What was kept under an id.
    pub fn read(&self, id: &str) -> Result<Option<String>, StoreError> {
        let Some(entry) = self.own()?.into_iter().find(|entry| entry.id == id) else {
            return Ok(None);
        };
        // Reading a FIFO would wait for ever.
        if !path_kind::may_be_file(&entry.path) {
            return Ok(None);
        }
        let mut text = String::new();
        std::fs::File::open(&entry.path)
            .and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text))
            .map_err(|source| StoreError::io(&entry.path, source))?;
        Ok(Some(text))
    }

    /// Keeps a text as the newest. Removes one with the same id, and the oldest beyond the limit.
    pub fn keep(&self, id: &str, text: &str) -> Result<(), StoreError> {
        self.make_folder()?;
        let all = self.entries()?;
        let ordinal = all
            .iter()
            .map(|entry| entry.ordinal.saturating_add(1))
            .max()
            .unwrap_or(1);
        self.write(ordinal, id, text)?;
        let older = self.own()?.into_iter().filter(|entry| entry.ordinal < ordinal);
        let (same, others): (Vec<Entry>, Vec<Entry>) = older.partition(|entry| entry.id == id);
        for entry in same.iter().chain(others.iter().skip(KEPT - 1)) {
            remove(&entry.path)?;
        }
        self.remove_stale(ordinal)
    }

    /// Replaces a kept text. Returns false if it is no longer there.
    pub fn replace(&self, id: &str, text: &str) -> Result<bool, StoreError> {
        match self.own()?.into_iter().find(|entry| entry.id == id) {
            Some(entry) => self.write(entry.ordinal, id, text).map(|()| true),
            None => Ok(false),
        }
    }

    /// Writes the whole file or nothing.
    fn write(&self, ordinal: u64, id: &str, text: &str) -> Result<(), StoreError> {
        let name = format!("{ordinal:010}-{}-{id}", self.project);
        let half = self.folder.join(format!("{name}.{}.tmp", std::process::id()));
        let done = self.folder.join(format!("{name}.json"));
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options
            .open(&half)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .and_then(|()| std::fs::rename(&half, &done))
            .map_err(|source| {
                // Remove the incomplete file; if that fails too, a later run does it.
                let _ = std::fs::remove_file(&half);
                StoreError::io(&done, source)
            })
    }

    fn make_folder(&self) -> Result<(), StoreError> {
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&self.folder) {
            // A link could lead anywhere, and files would be written and removed there.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                let is_folder = std::fs::symlink_metadata(&self.folder).is_ok_and(|found| found.is_dir());
                if is_folder {
                    Ok(())
                } else {
                    Err(StoreError::io(&self.folder, error))
                }
            }
            other => other.map_err(|source| StoreError::io(&self.folder, source)),
        }
    }

    /// Those of this project, newest first.
    fn own(&self) -> Result<Vec<Entry>, StoreError> {
        let mut own = self.entries()?;
        own.retain(|entry| entry.project == self.project);
        Ok(own)
    }

    /// Newest first; of two with one number (written at the same time), the larger id.
    fn entries(&self) -> Result<Vec<Entry>, StoreError> {
        let mut entries: Vec<Entry> = self
            .names()?
            .into_iter()
            .filter_map(|name| {
                let (ordinal, project, id) = parts(name.strip_suffix(".json")?)?;
                Some(Entry {
                    ordinal,
                    project: project.to_owned(),
                    id: id.to_owned(),
                    path: self.folder.join(&name),
                })
            })
            .collect();
        entries.sort_by(|a, b| b.ordinal.cmp(&a.ordinal).then_with(|| b.id.cmp(&a.id)));
        Ok(entries)
    }

    fn remove_stale(&self, ordinal: u64) -> Result<(), StoreError> {
        for name in self.names()? {
            let of = name.strip_suffix(".tmp").and_then(parts).map(|(of, ..)| of);
            if of.is_some_and(|of| of.saturating_add(STALE) < ordinal) {
                remove(&self.folder.join(&name))?;
            }
        }
        Ok(())
    }

    fn names(&self) -> Result<Vec<String>, StoreError> {
        match std::fs::read_dir(&self.folder) {
            Ok(found) => Ok(found
                .flatten()
                .filter_map(|entry| entry.file_name().into_string().ok())
                .collect()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(StoreError::io(&self.folder, error)),
        }
    }
}

/// Another process may have removed it already, which is fine.
fn remove(path: &Path) -> Result<(), StoreError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(StoreError::io(path, error)),
        _ => Ok(()),
    }
}

/// `0000000012-1a2b3c4d-…` as its three parts.
fn parts(name: &str) -> Option<(u64, &str, &str)> {
    let (ordinal, rest) = name.split_once('-')?;
    let (project, id) = rest.split_once('-')?;
    Some((ordinal.parse().ok()?, project, id))
}

#[cfg(test)]
mod tests;
