//! What a library offers (INS-4): the functions and types that its users can name, each with the place of its definition.
//!
//! What counts is what the package itself says: the names of `__init__.py`, the files that `package.json` names, the public items that can be
//! reached from the root of a crate, the capitalised names of Go packages that others may import. A file that is only reachable by a deep
//! import is not part of it. Languages whose `public` says nothing about libraries (Java, C#, Kotlin) have none.

mod crates;
mod python;
mod scripts;

use std::collections::BTreeMap;

use kitbag_types::{FactKind, RepoPath};

pub(super) use crates::used;

use super::{EntryKind, EntryPoint};
use crate::code::{At, Code, folder_of};
use crate::packages::{Package, Packages};

/// A project that exports more is told of in part.
const MAX_EXPORTS: usize = 5_000;
/// Names that are handed on are followed through this many files.
const MAX_STEPS: u32 = 8;

/// One name of a public interface.
struct Export {
    /// The module as its users write it: `requests`, `hono/cors`, `axum::extract`.
    module: String,
    name: String,
    /// Its definition, or where it is handed on if the definition is elsewhere.
    at: At,
}

/// The public interfaces of the packages of a project, by path and line.
pub fn exports(code: &Code<'_>, packages: &Packages, texts: &[(RepoPath, String)]) -> Vec<EntryPoint> {
    let mut found = Vec::new();
    for package in packages.list() {
        if package.path.split('/').any(is_side) {
            continue;
        }
        let Some(place) = &package.place else { continue };
        let own = texts.iter().find(|(path, _)| *path == place.path);
        let text = own.map(|(_, text)| text.as_str());
        match place.path.file_name() {
            "pyproject.toml" | "setup.py" | "setup.cfg" => python::find(code, package, &mut found),
            "Cargo.toml" => crates::find(code, package, text, &mut found),
            "go.mod" => go(code, package, packages, &mut found),
            "package.json" => scripts::find(code, package, text, &mut found),
            _ => {}
        }
    }
    told(code, found)
}

/// Whether [`exports`] wants the text of a file.
pub(super) fn is_manifest(path: &RepoPath) -> bool {
    matches!(path.file_name(), "package.json" | "Cargo.toml")
}

/// Folders of what is shown or tried and not offered.
fn is_side(folder: &str) -> bool {
    const SIDE: &[&str] = &[
        "bench",
        "benches",
        "benchmarks",
        "demo",
        "demos",
        "docs",
        "example",
        "examples",
        "fixtures",
        "playground",
        "samples",
        "scripts",
        "testdata",
        "tests",
        "third_party",
        "vendor",
        "website",
    ];
    SIDE.contains(&folder) || folder.starts_with(['_', '.'])
}

/// A definition that has several names is told under the shortest.
fn told(code: &Code<'_>, found: Vec<Export>) -> Vec<EntryPoint> {
    let mut best: BTreeMap<(At, String), Export> = BTreeMap::new();
    for export in found {
        let rank = |export: &Export| (export.module.len(), export.module.clone());
        let known = best.entry((export.at, export.name.clone()));
        match known {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(export);
            }
            std::collections::btree_map::Entry::Occupied(mut place) => {
                if rank(&export) < rank(place.get()) {
                    place.insert(export);
                }
            }
        }
    }
    let mut list: Vec<EntryPoint> = best
        .into_values()
        .map(|export| EntryPoint {
            name: export.name,
            route: export.module,
            ..super::entry(code, export.at, EntryKind::Export, language(code, export.at))
        })
        .collect();
    list.sort_by(|a, b| (&a.path, a.line, a).cmp(&(&b.path, b.line, b)));
    list.truncate(MAX_EXPORTS);
    list
}

fn language(code: &Code<'_>, at: At) -> &'static str {
    match code.source(at).language.as_str() {
        "go" => "go",
        "python" => "python",
        "rust" => "rust",
        "javascript" => "javascript",
        _ => "typescript",
    }
}

/// Go: capitalised functions and types of every folder that is neither internal nor a program.
fn go(code: &Code<'_>, package: &Package, packages: &Packages, found: &mut Vec<Export>) {
    let below = |path: &str| match package.path.as_str() {
        "" => true,
        folder => path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/')),
    };
    let is_program = |folder: &str| {
        let mains = code.functions_named_all("main");
        mains.into_iter().any(|at| {
            code.fact(at).parent.is_none()
                && code.source(at).language == "go"
                && folder_of(code.source(at).path.as_str()) == folder
        })
    };
    let mut programs: BTreeMap<&str, bool> = BTreeMap::new();
    for (file, source) in code.files.iter().enumerate() {
        let path = source.path.as_str();
        let folder = folder_of(path);
        let inside = folder
            .strip_prefix(package.path.as_str())
            .unwrap_or(folder)
            .trim_matches('/');
        let is_open = inside.split('/').all(|part| part != "internal" && !is_side(part));
        let own = |path: &RepoPath| {
            let package_of = packages.of_file(path).and_then(|at| packages.list().get(at));
            package_of.is_none_or(|known| known.path == package.path)
        };
        if source.language != "go" || source.is_test || !below(path) || !is_open || !own(&source.path) {
            continue;
        }
        if *programs.entry(folder).or_insert_with(|| is_program(folder)) {
            continue;
        }
        let module = match inside {
            "" => package.name.clone(),
            inside => format!("{}/{inside}", package.name),
        };
        for at in code.children(file, None) {
            let fact = code.fact(at);
            let is_kind = match fact.kind {
                FactKind::Function => fact.receiver.is_none(),
                FactKind::Type => true,
                _ => false,
            };
            if is_kind && fact.name.starts_with(char::is_uppercase) {
                let (module, name) = (module.clone(), fact.name.clone());
                found.push(Export { module, name, at });
            }
        }
    }
}
