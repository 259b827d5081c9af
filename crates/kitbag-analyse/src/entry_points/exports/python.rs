//! Python: the names of the `__init__.py` of a package and of the packages below it; of a module that is called like its project, its own.

use std::collections::BTreeSet;

use kitbag_types::{FactKind, Value};

use super::{Export, is_side};
use crate::code::modules::{joined, named_by, through_star};
use crate::code::{At, Code, folder_of};
use crate::packages::Package;

pub(super) fn find(code: &Code<'_>, package: &Package, found: &mut Vec<Export>) {
    let roots = [package.path.clone(), joined(&package.path, "src")];
    for (file, source) in code.files.iter().enumerate() {
        let path = source.path.as_str();
        if source.language != "python" || source.is_test || source.path.file_name() != "__init__.py" {
            continue;
        }
        let Some(module) = roots.iter().rev().find_map(|root| module_of(code, root, path)) else {
            continue;
        };
        tell(code, file, &module, found);
    }
    let own = package.name.to_lowercase().replace(['-', '.'], "_");
    let alone = roots
        .iter()
        .find_map(|root| code.file_at(&joined(root, &format!("{own}.py"))));
    if let Some(file) = alone {
        tell(code, file, &own, found);
    }
}

fn tell(code: &Code<'_>, file: usize, module: &str, found: &mut Vec<Export>) {
    for (name, at) in names_of(code, file, &mut BTreeSet::new()) {
        let module = module.to_owned();
        found.push(Export { module, name, at });
    }
}

/// `root/a/b/__init__.py` → `a.b`, if every folder on the way is a public package.
fn module_of(code: &Code<'_>, root: &str, path: &str) -> Option<String> {
    let inside = match root {
        "" => folder_of(path),
        root => folder_of(path).strip_prefix(root)?.strip_prefix('/')?,
    };
    let mut folder = root.to_owned();
    for part in inside.split('/') {
        folder = joined(&folder, part);
        let is_public = !part.is_empty() && !is_side(part) && part != "test";
        if !is_public || code.file_at(&joined(&folder, "__init__.py")).is_none() {
            return None;
        }
    }
    Some(inside.replace('/', "."))
}

/// What `from module import *` gives: `__all__`, else every name without an underscore that is defined or taken from the own package.
fn names_of(code: &Code<'_>, file: usize, seen: &mut BTreeSet<usize>) -> Vec<(String, At)> {
    let mut names: Vec<(String, At)> = Vec::new();
    if !seen.insert(file) {
        return names;
    }
    let said = code
        .children(file, None)
        .filter(|at| code.fact(*at).kind == FactKind::Bind && code.fact(*at).name == "__all__")
        .last();
    if let Some(said) = said {
        let listed = code.fact(said).arguments.iter().flat_map(texts);
        for name in listed {
            let through = || through_star(code, file, &name, &mut BTreeSet::new());
            let at = code.top_of(file, &name).or_else(through);
            // A module may hand on what it took from another one.
            let at = at.map_or(said, |at| code.settled(at).unwrap_or(at));
            names.push((name, at));
        }
        return names;
    }
    for at in code.children(file, None) {
        let fact = code.fact(at);
        if fact.name.starts_with('_') {
            continue;
        }
        match fact.kind {
            FactKind::Function | FactKind::Type => names.push((fact.name.clone(), at)),
            FactKind::Import if fact.name == "*" => {
                let (files, _) = named_by(code, at);
                names.extend(files.into_iter().flat_map(|file| names_of(code, file, seen)));
            }
            FactKind::Import if fact.annotation.starts_with('.') => {
                let target = code
                    .settled(at)
                    .filter(|target| matches!(code.fact(*target).kind, FactKind::Function | FactKind::Type));
                names.extend(target.map(|target| (fact.name.clone(), target)));
            }
            _ => {}
        }
    }
    names
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Text(text) => vec![text.clone()],
        Value::List(items) | Value::Joined(items) => items.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}
