//! Writes a text to a file, whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Writes a file beside `path` and moves it into place, so that nobody reads half of it. A path that is not a regular file (a pipe,
/// `/dev/stderr`) is written directly.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let is_special = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    if is_special {
        return OpenOptions::new()
            .write(true)
            .open(path)?
            .write_all(text.as_bytes());
    }
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::other("it is not the name of a file"))?;
    let mut half = name.to_os_string();
    half.push(format!(".{}.tmp", std::process::id()));
    let half = path.with_file_name(half);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&half)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .and_then(|()| fs::rename(&half, path));
    if written.is_err() {
        // Remove the incomplete file; the first error is the one to report.
        let _ = fs::remove_file(&half);
    }
    written
}
