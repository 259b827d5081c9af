//! Opens foreign files safely: a pipe must not block, a device must not be touched, and a link must not lead elsewhere.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Why a file could not be opened as a regular one.
#[derive(Debug)]
pub(crate) enum OpenFailure {
    Io(io::Error),
    NotAFile,
    Symlink,
}

/// Opens a regular file. With `follow` false, the last component must not be a link.
pub(crate) fn open_regular(path: &Path, follow: bool) -> Result<(File, Metadata), OpenFailure> {
    // Checked first so that devices are never opened, and again on the open file, which cannot be swapped.
    let before = if follow {
        fs::metadata(path)
    } else {
        fs::symlink_metadata(path)
    }
    .map_err(OpenFailure::Io)?;
    if before.file_type().is_symlink() {
        return Err(OpenFailure::Symlink);
    }
    if !before.is_file() {
        return Err(OpenFailure::NotAFile);
    }
    let file = options(follow).open(path).map_err(OpenFailure::Io)?;
    let metadata = file.metadata().map_err(OpenFailure::Io)?;
    if metadata.is_file() {
        Ok((file, metadata))
    } else {
        Err(OpenFailure::NotAFile)
    }
}

#[cfg(unix)]
fn options(follow: bool) -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options
        .read(true)
        .custom_flags(libc::O_NONBLOCK | if follow { 0 } else { libc::O_NOFOLLOW });
    options
}

#[cfg(not(unix))]
fn options(_follow: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

/// Opens a file that a person, a configuration or a client named. Pipes and devices are refused, because reading them may never
/// end. The shell's own pipes (`<(command)`, `/dev/stdin`) are read.
pub fn open_named(path: &Path) -> io::Result<File> {
    if is_own_descriptor(path) {
        return File::open(path);
    }
    match open_regular(path, true) {
        Ok((file, _)) => Ok(file),
        Err(OpenFailure::Io(error)) => Err(error),
        Err(OpenFailure::NotAFile | OpenFailure::Symlink) if path.is_dir() => {
            Err(io::Error::other("it is a folder"))
        }
        Err(OpenFailure::NotAFile | OpenFailure::Symlink) => Err(io::Error::other(
            "it is a pipe or a device, not a regular file; `-` reads standard input",
        )),
    }
}

/// `/dev/stdin`, `/dev/fd/63`, `/proc/self/fd/63`: files that the shell passed to this process.
fn is_own_descriptor(path: &Path) -> bool {
    path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd")
}

/// The content of a regular file, at most `limit` bytes: for ignore files and git's own, which may be links.
pub(crate) fn read_small(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_regular(path, true, limit)
}

pub(crate) fn read_regular(path: &Path, follow: bool, limit: u64) -> io::Result<Vec<u8>> {
    let (file, metadata) = open_regular(path, follow).map_err(|failure| match failure {
        OpenFailure::Io(error) => error,
        OpenFailure::NotAFile | OpenFailure::Symlink => io::Error::other("not a regular file"),
    })?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(limit)).unwrap_or(0) + 1);
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
