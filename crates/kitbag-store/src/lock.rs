//! One writer a store: an advisory lock on a file beside the database. The operating system gives it back when the
//! process ends, however it ends, so a killed writer leaves nothing to clean up (IDX-32).

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::StoreError;

/// Held while writing; dropping it lets the next writer in.
#[derive(Debug)]
pub struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// `wait`: queue behind the present writer. Otherwise [`StoreError::Busy`] at once.
    pub(crate) fn take(dir: &Path, wait: bool) -> Result<Self, StoreError> {
        let path = dir.join("writer.lock");
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(|source| StoreError::io(&path, source))?;
        if wait {
            file.lock().map_err(|source| StoreError::io(&path, source))?;
        } else {
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(StoreError::Busy { path: dir.to_owned() }),
                Err(TryLockError::Error(source)) => return Err(StoreError::io(&path, source)),
            }
        }
        Ok(Self { _file: file })
    }
}
