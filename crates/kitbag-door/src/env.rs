//! The environment. Only this file reads it, and only this file names its variables.
//!
//! Everything else gets the variables as an argument, so that tests can pass their own and no room comes to depend on the
//! process. The `KITBAG_…` names of settings are derived from the table of keys.

#[cfg(test)]
mod tests;

use std::path::PathBuf;

/// The prefix of every variable of ours.
const PREFIX: &str = "KITBAG_";

/// Name → value. A list and not a map: it is small, read a few times, and keeps its order.
pub type Variables = Vec<(String, String)>;

/// The variables of this process, sorted by name. A value that is not UTF-8 counts as unset: no setting can hold it.
pub fn variables() -> Variables {
    let mut all: Variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    all.sort_unstable();
    all
}

pub fn get<'a>(variables: &'a Variables, name: &str) -> Option<&'a str> {
    variables
        .iter()
        .find(|(other, _)| other == name)
        .map(|(_, value)| value.as_str())
}

/// `indexing.max_file_bytes` → `KITBAG_INDEXING_MAX_FILE_BYTES`.
pub fn variable_of_key(key: &str) -> String {
    let name: String = key
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_uppercase()
            } else {
                '_'
            }
        })
        .collect();
    format!("{PREFIX}{name}")
}

/// The folder of the user's configuration files, by the XDG convention, which says to ignore a relative path.
pub fn config_home(variables: &Variables) -> Option<PathBuf> {
    absolute(variables, "XDG_CONFIG_HOME").or_else(|| home(variables).map(|home| home.join(".config")))
}

/// The user's home folder.
pub fn home(variables: &Variables) -> Option<PathBuf> {
    let on_windows = || absolute(variables, "USERPROFILE").filter(|_| cfg!(windows));
    absolute(variables, "HOME").or_else(on_windows)
}

/// Where programs keep their settings on Windows.
pub fn app_data(variables: &Variables) -> Option<PathBuf> {
    absolute(variables, "APPDATA")
}

/// The folder that another program's variable names (`CODEX_HOME`).
pub fn folder(variables: &Variables, name: &str) -> Option<PathBuf> {
    absolute(variables, name)
}

/// The folder for files that can be made again, by the XDG convention.
pub fn cache_home(variables: &Variables) -> Option<PathBuf> {
    absolute(variables, "XDG_CACHE_HOME").or_else(|| home(variables).map(|home| home.join(".cache")))
}

/// Whether the user or the terminal wants no colours (no-color.org: any value except the empty one).
pub fn refuses_colour(variables: &Variables) -> bool {
    get(variables, "NO_COLOR").is_some_and(|value| !value.is_empty())
        || get(variables, "TERM") == Some("dumb")
}

/// Whether a panic is reported with its message and backtrace.
pub fn wants_backtrace(variables: &Variables) -> bool {
    get(variables, "RUST_BACKTRACE").is_some_and(|value| !value.is_empty() && value != "0")
}

fn absolute(variables: &Variables, name: &str) -> Option<PathBuf> {
    get(variables, name)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
}
