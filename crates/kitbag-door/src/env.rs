//! The environment: the only place that reads it, and the only place where its names stand.
//!
//! Everything else gets the variables as an argument, so tests need no process of their own and nothing deep down can
//! start to depend on one. `KITBAG_…` names of settings are derived from the table of keys, never written by hand.

#[cfg(test)]
mod tests;

use std::path::PathBuf;

/// What every variable of ours begins with.
const PREFIX: &str = "KITBAG_";

/// Name → value. A list and not a map: it is small, read a few times, and keeps its order.
pub type Variables = Vec<(String, String)>;

/// The variables of this process, sorted by name. One that is not UTF-8 is as good as unset: no setting can hold it.
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

/// The folder of the user's configuration files, by the XDG convention; a relative one is to be ignored, as it says.
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

/// The folder for what can be made again, by the XDG convention.
pub fn cache_home(variables: &Variables) -> Option<PathBuf> {
    absolute(variables, "XDG_CACHE_HOME").or_else(|| home(variables).map(|home| home.join(".cache")))
}

/// Whether the user or the terminal wants no colours (no-color.org: any value but the empty one).
pub fn refuses_colour(variables: &Variables) -> bool {
    get(variables, "NO_COLOR").is_some_and(|value| !value.is_empty())
        || get(variables, "TERM") == Some("dumb")
}

/// Whether a bug is to be told in full.
pub fn wants_backtrace(variables: &Variables) -> bool {
    get(variables, "RUST_BACKTRACE").is_some_and(|value| !value.is_empty() && value != "0")
}

fn absolute(variables: &Variables, name: &str) -> Option<PathBuf> {
    get(variables, name)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
}
