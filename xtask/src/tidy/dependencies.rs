//! The crates that end up in the program: each in one version, each from the registry, and the rules of `deny.toml` the same as ours
//! (DLV-3). Licences are in `licences.rs`; decision 019 says why this is not `cargo deny`.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::File;
use crate::licences::{ALLOWED, in_program};

/// Crates that are in the program more than once, because crates that we use ask for different versions. Nobody of ours asks for the older one.
/// A new one fails: look for a version of the dependency that agrees with the others first.
const SEVERAL: &[&str] = &[
    "base64",
    "darling",
    "darling_core",
    "darling_macro",
    "foldhash",
    "getrandom",
    "hashbrown",
    "hashlink",
    "r-efi",
    "rand",
    "rand_core",
    "syn",
    "windows-sys",
];

/// `metadata`: of the whole graph, with dependencies.
pub(super) fn check(metadata: &Value, files: &[File]) -> Vec<String> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut problems = Vec::new();
    for package in in_program(metadata) {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        versions.entry(text("name")).or_default().insert(text("version"));
        if !package["source"].is_null() && !text("source").starts_with("registry+") {
            let (name, source) = (text("name"), text("source"));
            problems.push(format!("{name}: comes from {source}, not from the registry"));
        }
    }
    for (name, versions) in &versions {
        if versions.len() > 1 && !SEVERAL.contains(name) {
            let list = Vec::from_iter(versions.iter().copied()).join(", ");
            problems.push(format!(
                "{name} is in the program in several versions ({list}); `cargo tree -i {name}` says who asks for them"
            ));
        }
    }
    for name in SEVERAL {
        if versions.get(name).is_none_or(|versions| versions.len() < 2) {
            problems.push(format!(
                "{name} is in the program once; take it out of the list in xtask/src/tidy/dependencies.rs"
            ));
        }
    }
    if let Some(file) = files.iter().find(|file| file.path == "deny.toml")
        && allowed(&file.text) != ALLOWED
    {
        problems.push("deny.toml: `allow` is not the list of xtask/src/licences.rs".to_owned());
    }
    problems
}

/// The licences in `allow = [ … ]`.
fn allowed(text: &str) -> Vec<&str> {
    text.lines()
        .skip_while(|line| !line.starts_with("allow = ["))
        .skip(1)
        .take_while(|line| *line != "]")
        .map(|line| line.trim().trim_matches(|c| c == '"' || c == ','))
        .collect()
}
