//! What lies at a path of the store, looked at before it is opened: opening a FIFO waits for ever, and a folder in the place of
//! a file is damage like any other.

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

/// One look, unless it is a link: between two looks somebody may make or remove a file, and that is not an oddity.
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

/// A file, or nothing that would be in the way of one.
pub(crate) fn may_be_file(path: &Path) -> bool {
    matches!(kind_at(path), PathKind::File | PathKind::Nothing)
}

/// Removes whatever it is. That it is gone already is fine.
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

/// Makes a folder and those above it up to `top`, whatever stands in their place.
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
