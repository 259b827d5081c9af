//! Imports, a statement each: relative or not, one name or several, type-only or not.

use std::collections::BTreeMap;

use kitbag_types::{FactKind, Value};

use super::reading::Reading;
use super::units::{UnitKind, Units};

pub(super) fn add(units: &mut Units, file: &Reading<'_>) {
    match file.source.language {
        "python" => python(units, file),
        "javascript" | "typescript" | "tsx" => scripts(units, file),
        _ => {}
    }
}

/// The names that one statement brings, by where it ends and what it names.
fn python(units: &mut Units, file: &Reading<'_>) {
    let mut statements: BTreeMap<(u32, &str), (u32, usize)> = BTreeMap::new();
    for (_, fact) in file.facts(FactKind::Import) {
        if matches!(fact.arguments.first(), Some(Value::Text(_))) {
            let known = statements.entry((fact.end_line, fact.annotation.as_str()));
            let (first, names) = known.or_insert((fact.line, 0));
            *first = (*first).min(fact.line);
            *names += 1;
        }
    }
    // Another statement in the grammar, so no fact.
    for (idx, line) in file.lines.iter().enumerate() {
        if line.starts_with("from __future__ import ") {
            let mut features = vec!["from".to_owned()];
            if !line.contains(',') {
                features.push("one-name".to_owned());
            }
            units.add(file.unit(UnitKind::Import, idx as u32 + 1, "__future__", features));
        }
    }
    let path = file.source.path.as_str();
    let package = file
        .known
        .package_of(path)
        .and_then(|folder| folder.rsplit('/').next());
    for ((_, module), (line, n_names)) in statements {
        let mut features = vec!["from".to_owned()];
        if n_names == 1 {
            features.push("one-name".to_owned());
        }
        let is_relative = module.starts_with('.');
        let is_own = module
            .split('.')
            .next()
            .is_some_and(|first| Some(first) == package);
        if is_relative || is_own {
            features.push("internal".to_owned());
            features.push(if is_relative { "relative" } else { "absolute" }.to_owned());
        }
        units.add(file.unit(UnitKind::Import, line, module, features));
    }
}

fn scripts(units: &mut Units, file: &Reading<'_>) {
    let mut last = (0, "");
    for (_, fact) in file.facts(FactKind::Import) {
        let module = fact.annotation.as_str();
        if last == (fact.end_line, module) {
            continue;
        }
        last = (fact.end_line, module);
        let mut features = vec!["from".to_owned()];
        if module.starts_with('.') {
            features.push("internal".to_owned());
            features.push("relative".to_owned());
            let is_up = module.starts_with("../../..");
            features.push(if is_up { "far" } else { "near" }.to_owned());
            let name = module.rsplit('/').next().unwrap_or(module);
            let has_extension = [".js", ".ts", ".mjs", ".tsx", ".jsx"]
                .iter()
                .any(|end| name.ends_with(end));
            features.push(
                if has_extension {
                    "with-extension"
                } else {
                    "without-extension"
                }
                .to_owned(),
            );
        } else if let Some(alias) = alias(module) {
            features.push("internal".to_owned());
            features.push(format!("alias={alias}"));
            features.push("aliased".to_owned());
        }
        if module.starts_with("node:") {
            features.push("node".to_owned());
            features.push("node-prefix".to_owned());
        } else if NODE.contains(&module) {
            features.push("node".to_owned());
        }
        units.add(file.unit(UnitKind::Import, fact.line, module, features));
    }
}

/// `@/x`, `~/x`, `#x`: names that a project gives its own folders.
fn alias(module: &str) -> Option<&'static str> {
    ["@/", "~/", "$lib/", "#"]
        .into_iter()
        .find(|alias| module.starts_with(alias))
}

const NODE: &[&str] = &[
    "assert",
    "buffer",
    "child_process",
    "crypto",
    "events",
    "fs",
    "fs/promises",
    "http",
    "https",
    "module",
    "net",
    "os",
    "path",
    "process",
    "querystring",
    "readline",
    "stream",
    "url",
    "util",
    "vm",
    "worker_threads",
    "zlib",
];
