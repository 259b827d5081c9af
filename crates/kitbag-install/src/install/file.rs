//! Writes files of other programs safely: to a temporary file beside the real one, which then replaces it.
//!
//! Links are followed and stay links (dotfiles are often kept in a repository), permissions stay, and a file that changed since it
//! was read is not written. A plain `fs::write` truncates first, and an agent that reads at that moment finds an empty file.

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use kitbag_engine::open_named;

/// The largest file that is read. `~/.claude.json` with its histories reaches tens of megabytes.
const MAX_BYTES: u64 = 256 << 20;
/// The number of links that the kernel follows.
const MAX_LINKS: usize = 40;

/// The bytes of a file; `None` if it does not exist.
pub fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.len() > MAX_BYTES => Err(io::Error::other("it is too large")),
        Ok(_) => {
            let mut bytes = Vec::new();
            open_named(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
            Ok(Some(bytes))
        }
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Replaces the file that `path` leads to, if it still contains `expected`.
pub fn replace(path: &Path, expected: Option<&[u8]>, bytes: &[u8]) -> io::Result<()> {
    let target = target_of(path)?;
    if read(&target)?.as_deref() != expected {
        return Err(changed());
    }
    let folder = target
        .parent()
        .ok_or_else(|| io::Error::other("it is not a file"))?;
    fs::create_dir_all(folder)?;
    let permissions = fs::metadata(&target).ok().map(|metadata| metadata.permissions());
    let temporary = with_ending(&target, &format!(".kitbag-{}.tmp", std::process::id()));
    let written = write_new(&temporary, bytes, permissions).and_then(|()| fs::rename(&temporary, &target));
    if written.is_err() {
        // Only our temporary file remains.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Removes a file that still contains `expected`, and folders that become empty, up to but not including `stop`.
pub fn delete(path: &Path, expected: &[u8], stop: &Path) -> io::Result<()> {
    if read(path)?.as_deref() != Some(expected) {
        return Err(changed());
    }
    fs::remove_file(path)?;
    let folders = path.ancestors().skip(1);
    for folder in folders.take_while(|folder| *folder != stop && folder.starts_with(stop)) {
        // A folder that is not empty cannot be removed, which ends the loop.
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}

/// The path of the backup of a file, beside it.
pub fn backup_of(path: &Path) -> PathBuf {
    with_ending(path, ".kitbag-backup")
}

/// Stores `bytes` as the backup, with the permissions of the original.
pub fn back_up(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let backup = backup_of(path);
    let known = read(&backup)?;
    if known.as_deref() == Some(bytes) {
        return Ok(());
    }
    if known.is_none() {
        let permissions = fs::metadata(path).ok().map(|metadata| metadata.permissions());
        return write_new(&backup, bytes, permissions);
    }
    replace(&backup, known.as_deref(), bytes)
}

fn write_new(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // Nobody else may read it before it has the permissions of the original.
    #[cfg(unix)]
    if permissions.is_some() {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut file: File = options.open(path)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}

/// The path that links lead to, which may not exist.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}

fn changed() -> io::Error {
    io::Error::other("it was changed in the meantime; run the command again")
}
