//! Locks for work that only one process may do: advisory locks on files beside the database. The operating system releases them
//! when the process ends, however it ends, so a killed process leaves nothing to clean up (IDX-32).
//!
//! There is one writer per store and one watcher per project (IDX-50): worktrees share a store, and each has its own watcher.
//! The operating system does the waiting, so the next process gets the lock at once and nobody polls.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use crate::{StoreError, path_kind};

/// How often a process that waits for the writer checks whether it should go on waiting.
const STOP_LOOK: Duration = Duration::from_millis(50);

/// Held while writing; dropping it lets the next writer in.
#[derive(Debug)]
pub struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// `wait`: queue behind the present writer. Otherwise [`StoreError::Busy`] at once.
    pub(crate) fn take(dir: &Path, wait: bool) -> Result<Self, StoreError> {
        let path = dir.join("writer.lock");
        let file = open(&path)?;
        if wait {
            file.lock().map_err(|source| StoreError::io(&path, source))?;
        } else if !try_lock(&file, &path)? {
            return Err(StoreError::Busy { path: dir.to_owned() });
        }
        Ok(Self { _file: file })
    }

    /// Waits for the present writer until `stop` is set (`None`). A thread does the waiting and cannot be stopped: if it gets the
    /// lock after that, it releases it at once.
    pub(crate) fn take_unless(dir: &Path, stop: &AtomicBool) -> Result<Option<Self>, StoreError> {
        let (send, receive) = sync_channel(1);
        let dir = dir.to_owned();
        thread::spawn(move || send.send(Self::take(&dir, true)));
        loop {
            match receive.recv_timeout(STOP_LOOK) {
                Ok(taken) => return taken.map(Some),
                Err(RecvTimeoutError::Timeout) if !stop.load(Ordering::Relaxed) => {}
                Err(_) => return Ok(None),
            }
        }
    }
}

/// A short lock, held by one at a time.
pub(crate) struct ExclusiveLock {
    _file: File,
}

impl ExclusiveLock {
    pub(crate) fn take(path: &Path) -> Result<Self, StoreError> {
        let file = open(path)?;
        file.lock().map_err(|source| StoreError::io(path, source))?;
        Ok(Self { _file: file })
    }
}

/// Held while watching a project; dropping it lets the next watcher in.
#[derive(Debug)]
pub struct WatchLock {
    file: File,
    path: PathBuf,
}

impl WatchLock {
    /// `None` if another process watches.
    pub fn try_take(store_dir: &Path, root: &Path) -> Result<Option<Self>, StoreError> {
        let path = watch_file(store_dir, root);
        let file = open(&path)?;
        Ok(try_lock(&file, &path)?.then_some(Self { file, path }))
    }

    /// Waits in a thread of its own and passes the lock to `then`, which drops it if nobody needs it any more.
    pub fn queue(
        store_dir: &Path,
        root: &Path,
        then: impl FnOnce(Result<Self, StoreError>) + Send + 'static,
    ) {
        let path = watch_file(store_dir, root);
        thread::spawn(move || {
            let taken = open(&path).and_then(|file| {
                file.lock().map_err(|source| StoreError::io(&path, source))?;
                Ok(Self { file, path })
            });
            then(taken);
        });
    }

    /// Whether other processes still see this lock: false once its file was deleted, with the store or the whole project.
    pub fn is_current(&self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            match (self.file.metadata(), std::fs::metadata(&self.path)) {
                (Ok(held), Ok(seen)) => (held.dev(), held.ino()) == (seen.dev(), seen.ino()),
                _ => false,
            }
        }
        // On this system an open file cannot be replaced.
        #[cfg(not(unix))]
        {
            self.file.metadata().is_ok() && self.path.exists()
        }
    }
}

fn watch_file(store_dir: &Path, root: &Path) -> PathBuf {
    let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
    store_dir.join(format!("watch-{}.lock", &hash[..16]))
}

/// Removes what is there and is not a file: it cannot be a lock, and opening it might wait for ever.
fn open(path: &Path) -> Result<File, StoreError> {
    if !path_kind::may_be_file(path) {
        path_kind::remove(path).map_err(|source| StoreError::io(path, source))?;
    }
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|source| StoreError::io(path, source))
}

fn try_lock(file: &File, path: &Path) -> Result<bool, StoreError> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(source)) => Err(StoreError::io(path, source)),
    }
}

#[cfg(test)]
mod tests;
