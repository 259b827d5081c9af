//! Files and standard input that a person names: read whole, within limits, as text.

use std::io::{self, Read};
use std::path::Path;

use kitbag_engine::open_named;

use super::context::Context;
use kitbag_door::failure::Failure;
use kitbag_door::printer::grouped;

/// The name that stands for standard input.
pub(crate) const STDIN: &str = "-";

/// The text of a file, or of standard input for `-`. Larger ones than `max_bytes` are refused.
pub(crate) fn text_at(context: &Context, path: &Path, max_bytes: u64) -> Result<String, Failure> {
    if path == Path::new(STDIN) {
        return text_of_stdin(max_bytes);
    }
    open_named(&context.around.cwd.join(path))
        .and_then(|file| text_of(file, &path.display().to_string(), max_bytes))
        .map_err(|error| unreadable(path, &error))
}

pub(crate) fn text_of_stdin(max_bytes: u64) -> Result<String, Failure> {
    text_of(io::stdin().lock(), "standard input", max_bytes).map_err(|error| {
        let message = format!("standard input cannot be read: {error}");
        Failure::wrong_use("PATH_UNREADABLE", message)
    })
}

pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::wrong_use(
        "PATH_NOT_FOUND",
        format!("{} cannot be read: {error}", path.display()),
    )
}

/// Bytes that are not UTF-8 become the replacement character, as they would in a prompt.
fn text_of(reader: impl Read, name: &str, max_bytes: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    reader.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::other(format!(
            "{name} has more than {} bytes",
            grouped(max_bytes)
        )));
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// At most one of `names` may be standard input: it can be read only once.
pub(crate) fn check_stdin<'n>(names: impl IntoIterator<Item = &'n Path>) -> Result<(), Failure> {
    let n_stdin = names.into_iter().filter(|name| *name == Path::new(STDIN)).count();
    if n_stdin > 1 {
        let message = format!("standard input is asked for {n_stdin} times; it can be read once");
        return Err(Failure::wrong_use("INVALID_ARGUMENTS", message));
    }
    Ok(())
}
