//! Checks what is at a path of the store before it is opened: opening a FIFO waits for ever, and a folder in the place of
//! a file counts as damage.

use std::io;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathKind {
    Nothing,
    File,
    Folder,
    /// A FIFO, a device, a link that leads nowhere.
    Oddity,
}

/// One system call, unless it is a link: between two calls another process may create or remove the file.
pub(crate) fn kind_at(path: &Path) -> PathKind {
    let found = match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => std::fs::metadata(path),
        Ok(found) => Ok(found),
        Err(_) => return PathKind::Nothing,
    };
    match found {
        Ok(found) if found.is_file() => PathKind::File,
        Ok(found) if found.is_dir() => PathKind::Folder,
        _ => PathKind::Oddity,
    }
}

/// True for a file, and if nothing is there.
pub(crate) fn may_be_file(path: &Path) -> bool {
    matches!(kind_at(path), PathKind::File | PathKind::Nothing)
}

/// Removes whatever is there. Succeeds if there is nothing.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let removed = match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => std::fs::remove_dir_all(path),
        Ok(_) => std::fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Creates a folder and those above it up to `top`, and removes whatever is in their place.
pub(crate) fn make_folder(top: &Path, folder: &Path) -> io::Result<()> {
    for part in folder.ancestors().take_while(|part| *part != top) {
        if matches!(kind_at(part), PathKind::File | PathKind::Oddity) {
            remove(part)?;
        }
    }
    std::fs::create_dir_all(folder)
}

#[cfg(test)]
mod tests;
