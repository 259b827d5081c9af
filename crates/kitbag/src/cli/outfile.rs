//! Writes a text to a file, whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Written beside `path` and moved into its place, so that nobody ever reads half of it. What is not a regular file (a pipe,
/// `/dev/stderr`) is written to, not replaced.
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
        // Half a file helps nobody; the error that is told is the first one.
        let _ = fs::remove_file(&half);
    }
    written
}
