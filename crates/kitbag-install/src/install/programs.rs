//! Programs: which file the shell would start, which one is running, and what a configuration should name.

use std::path::{Path, PathBuf};

use super::entry::{Launch, NAME};
use kitbag_door::env::{self, Variables};

/// The file that a shell would start for `name`.
pub fn on_path(name: &str, variables: &Variables) -> Option<PathBuf> {
    let path = env::get(variables, "PATH")?;
    let names = [name.to_owned(), format!("{name}.exe")];
    let names = &names[..if cfg!(windows) { 2 } else { 1 }];
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
        .find(|file| is_executable(file))
}

/// The file that a `command` in a configuration means: a path, or a name on PATH.
pub fn resolve(command: &str, variables: &Variables) -> Option<PathBuf> {
    if command.contains(std::path::is_separator) {
        Some(PathBuf::from(command)).filter(|file| is_executable(file))
    } else {
        on_path(command, variables)
    }
}

pub fn is_executable(file: &Path) -> bool {
    let Ok(metadata) = std::fs::metadata(file) else {
        return false;
    };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    metadata.is_file() && may_run
}

/// The program that is running.
pub fn running() -> Option<PathBuf> {
    let file = std::env::current_exe().ok()?;
    Some(file.canonicalize().unwrap_or(file))
}

/// Whether both are the same file.
pub fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// What an agent should start: the name if it leads to this program, else the full path, so that an agent never starts another
/// Kitbag than the one that installed itself.
pub fn launch(tools: Option<&str>, variables: &Variables) -> Launch {
    let running = running();
    let found = on_path(NAME, variables);
    let command = match (&running, &found) {
        (Some(running), Some(found)) if is_same(running, found) => NAME.to_owned(),
        (Some(running), _) => running.display().to_string(),
        (None, _) => NAME.to_owned(),
    };
    let mut args = vec!["mcp".to_owned()];
    args.extend(
        tools
            .into_iter()
            .flat_map(|tools| ["--tools".to_owned(), tools.to_owned()]),
    );
    Launch { command, args }
}
