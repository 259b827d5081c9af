//! `packages`: the folders of a project that have a manifest of their own, with the names these give (PKG-1, a first part:
//! which package depends on which is not told yet). A project without one is one package.
//!
//! A manifest is read for its name and nothing else, by line: the files are many formats and only one line of each matters.

#[cfg(test)]
mod tests;

use kitbag_store::{Snapshot, StoreError};
use kitbag_types::RepoPath;
use serde::Serialize;

use crate::{Engine, EngineError};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Package {
    pub name: String,
    /// The folder, relative to the root; empty for the root itself.
    pub path: String,
    /// `npm`, `cargo`, `python`, `go` …; `root` for a project without any.
    pub manager: &'static str,
    pub manifest: Option<String>,
    pub files: u64,
}

struct Manager {
    name: &'static str,
    file: &'static str,
    /// What stands before the name in its line, between it and the value only `:`, `=`, quotes and spaces.
    key: &'static str,
    /// Lines before this one are no name of the package.
    after: &'static str,
}

const fn manager(name: &'static str, file: &'static str, after: &'static str, key: &'static str) -> Manager {
    Manager {
        name,
        file,
        key,
        after,
    }
}

const MANAGERS: &[Manager] = &[
    manager("cargo", "Cargo.toml", "[package]", "name"),
    manager("composer", "composer.json", "", "\"name\""),
    manager("go", "go.mod", "", "module"),
    manager("gradle", "build.gradle", "", ""),
    manager("gradle", "build.gradle.kts", "", ""),
    manager("maven", "pom.xml", "", "<artifactId>"),
    manager("mix", "mix.exs", "", "app"),
    manager("npm", "package.json", "", "\"name\""),
    manager("python", "pyproject.toml", "", "name"),
    manager("python", "setup.py", "", ""),
    manager("swift", "Package.swift", "", "name"),
];

/// In the order of their paths.
pub fn packages(engine: &Engine) -> Result<Vec<Package>, EngineError> {
    let store = engine.open_store()?;
    let missing = || StoreError::Missing {
        path: engine.store_dir().to_owned(),
    };
    let snapshot = Snapshot::open(&store, engine.root())?.ok_or_else(missing)?;
    let files = snapshot.files()?;
    let mut found: Vec<Package> = Vec::new();
    for file in &files {
        let Some(manager) = MANAGERS
            .iter()
            .find(|manager| manager.file == file.path.file_name())
        else {
            continue;
        };
        // A file that went since has no name to give; its folder still has one.
        let text = engine
            .tree
            .read(&file.path)
            .map(|source| source.text)
            .unwrap_or_default();
        let folder = folder_of(&file.path);
        let Some(name) = name_in(&text, manager).or_else(|| last_part(engine, folder)) else {
            continue;
        };
        // A folder with two manifests is one package, by the one that comes first.
        if found.iter().all(|package| package.path != folder) {
            found.push(Package {
                name,
                path: folder.to_owned(),
                manager: manager.name,
                manifest: Some(file.path.to_string()),
                files: 0,
            });
        }
    }
    if found.iter().all(|package| !package.path.is_empty()) {
        found.push(Package {
            name: last_part(engine, "").unwrap_or_else(|| "root".to_owned()),
            path: String::new(),
            manager: "root",
            manifest: None,
            files: 0,
        });
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    for file in &files {
        // The deepest folder that holds it (PKG-7).
        let owner = found
            .iter_mut()
            .filter(|package| holds(&package.path, &file.path));
        if let Some(owner) = owner.max_by_key(|package| package.path.len()) {
            owner.files += 1;
        }
    }
    Ok(found)
}

/// The name that the manifest in a folder gives, as it was indexed.
pub(crate) fn manifest_name(snapshot: &Snapshot<'_>, folder: &str) -> Result<Option<String>, StoreError> {
    for manager in MANAGERS.iter().filter(|manager| !manager.key.is_empty()) {
        let path = match folder {
            "" => manager.file.to_owned(),
            folder => format!("{folder}/{}", manager.file),
        };
        let file = match RepoPath::new(path) {
            Ok(path) => snapshot.file(&path)?,
            Err(_) => None,
        };
        if let Some(parse) = file.and_then(|file| file.parse) {
            let text = snapshot.parse_text(parse)?;
            if let Some(name) = name_in(&text, manager) {
                return Ok(Some(name));
            }
        }
    }
    Ok(None)
}

/// The one that is meant: by its name, its path, the end of either; else an error that names the choices (PKG-5).
pub fn find_package(engine: &Engine, wanted: &str) -> Result<Package, EngineError> {
    let all = packages(engine)?;
    let wanted = wanted.trim().trim_matches('/');
    let tests: [&dyn Fn(&Package) -> bool; 4] = [
        &|package| package.name == wanted,
        &|package| package.path == wanted,
        &|package| {
            package.path.ends_with(&format!("/{wanted}")) || package.name.ends_with(&format!("/{wanted}"))
        },
        &|package| !wanted.is_empty() && (package.name.contains(wanted) || package.path.contains(wanted)),
    ];
    let named = |packages: &[&Package]| {
        let shown = packages
            .iter()
            .take(20)
            .map(|package| match package.path.as_str() {
                "" => package.name.clone(),
                path => format!("{} ({path})", package.name),
            });
        shown.collect::<Vec<String>>().join(", ")
    };
    for test in tests {
        let found: Vec<&Package> = all.iter().filter(|package| test(package)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok((*one).clone()),
            several => {
                return Err(EngineError::Invalid {
                    code: "PACKAGE_AMBIGUOUS",
                    message: format!("`{wanted}` may be any of {}", named(several)),
                });
            }
        }
    }
    Err(EngineError::Invalid {
        code: "PACKAGE_NOT_FOUND",
        message: format!(
            "no package `{wanted}`; there are {}",
            named(&all.iter().collect::<Vec<_>>())
        ),
    })
}

fn folder_of(path: &RepoPath) -> &str {
    path.as_str().rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn holds(folder: &str, path: &RepoPath) -> bool {
    folder.is_empty()
        || path
            .as_str()
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

fn last_part(engine: &Engine, folder: &str) -> Option<String> {
    match folder.rsplit('/').next() {
        Some("") | None => Some(engine.root().file_name()?.to_string_lossy().into_owned()),
        Some(name) => Some(name.to_owned()),
    }
}

fn name_in(text: &str, manager: &Manager) -> Option<String> {
    if manager.key.is_empty() {
        return None;
    }
    let from = text.find(manager.after)? + manager.after.len();
    text[from..]
        .lines()
        .take_while(|line| manager.after.is_empty() || !line.starts_with('['))
        .find_map(|line| {
            let rest = line.trim().strip_prefix(manager.key)?;
            if !manager.key.ends_with('>') && !rest.starts_with([' ', '\t', ':', '=']) {
                return None;
            }
            let rest = rest.trim_start_matches([' ', '\t', ':', '=', '"', '\'']);
            let end = rest
                .find(['"', '\'', ',', '<', ' ', '\t', '#'])
                .unwrap_or(rest.len());
            let name = &rest[..end];
            (!name.is_empty() && !name.contains(['{', '}', '$'])).then(|| name.to_owned())
        })
}
