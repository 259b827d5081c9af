//! JavaScript and TypeScript: what the files export that `package.json` names. A file that is built (`dist/index.js`) stands for the source
//! that it is built from, which is looked for by its name.

use std::collections::BTreeSet;

use kitbag_types::{Fact, FactKind, Value};

use super::{Export, MAX_STEPS};
use crate::code::modules::{self, joined};
use crate::code::{At, Code, last_name};
use crate::formats::tree::{self, Node};
use crate::packages::Package;

pub(super) fn find(code: &Code<'_>, package: &Package, text: Option<&str>, found: &mut Vec<Export>) {
    let Some(manifest) = text.and_then(|text| tree::json(text).ok()) else {
        return;
    };
    let mut doors = doors(&manifest);
    // A package that says nothing is entered by its index.
    let is_private = manifest.get("private").is_some_and(Node::is_true);
    if doors.is_empty() && !is_private {
        doors.push((".".to_owned(), Vec::new()));
    }
    for (subpath, targets) in doors {
        let index = || {
            code.file_at(&joined(&package.path, "index.js"))
                .filter(|_| targets.is_empty())
        };
        let Some(file) = source_of(code, &package.path, &subpath, &targets).or_else(index) else {
            continue;
        };
        let module = match subpath.trim_start_matches("./").trim_matches(['.', '/']) {
            "" => package.name.clone(),
            rest => format!("{}/{rest}", package.name),
        };
        for (name, at) in exports_of(code, file, &mut BTreeSet::new()) {
            let module = module.clone();
            found.push(Export { module, name, at });
        }
    }
}

/// Where a package can be imported: the subpath, and the files it may mean.
fn doors(manifest: &Node) -> Vec<(String, Vec<String>)> {
    let mut doors: Vec<(String, Vec<String>)> = Vec::new();
    let exports = manifest.get("exports");
    let by_path = exports.map(Node::entries).unwrap_or_default();
    let has_paths = by_path.iter().any(|entry| entry.key.starts_with('.'));
    for entry in by_path
        .iter()
        .filter(|entry| has_paths && !entry.key.contains('*'))
    {
        doors.push((entry.key.clone(), targets(&entry.node, 0)));
    }
    if has_paths {
        return doors;
    }
    let mut whole: Vec<String> = exports.map(|node| targets(node, 0)).unwrap_or_default();
    for key in ["source", "types", "typings", "module", "main", "browser"] {
        let said = manifest.get(key).and_then(Node::text);
        whole.extend(said.map(str::to_owned));
    }
    if !whole.is_empty() {
        doors.push((".".to_owned(), whole));
    }
    doors
}

fn targets(node: &Node, depth: u32) -> Vec<String> {
    if depth > MAX_STEPS {
        return Vec::new();
    }
    let own = node.text().map(str::to_owned).into_iter();
    let items = node.items().iter().flat_map(|item| targets(item, depth + 1));
    let entries = node
        .entries()
        .iter()
        .flat_map(|entry| targets(&entry.node, depth + 1));
    own.chain(items).chain(entries).collect()
}

/// Folders that builds write to; also the marks of formats in names of files.
const BUILT: &[&str] = &[
    "browser", "build", "cjs", "dist", "es", "esm", "lib", "module", "node", "out", "output", "prod",
    "types", "typings", "umd",
];

fn source_of(code: &Code<'_>, folder: &str, subpath: &str, targets: &[String]) -> Option<usize> {
    let at = |path: &str| modules::script(code, &joined(folder, "package.json"), &format!("./{path}"));
    for target in targets {
        let target = target.trim_start_matches("./").trim_start_matches('/');
        if let Some(file) = code.file_at(&joined(folder, target)) {
            return Some(file);
        }
        let (inner, name) = target.rsplit_once('/').unwrap_or(("", target));
        let stem = name.split('.').next().unwrap_or(name);
        let kept: Vec<&str> = inner
            .split('/')
            .skip_while(|part| BUILT.contains(part) || part.starts_with("dist"))
            .filter(|part| !part.is_empty())
            .collect();
        let rest = joined(&kept.join("/"), stem);
        let found = ["src", "", "source", "lib"]
            .iter()
            .find_map(|root| at(&joined(root, &rest)));
        if found.is_some() {
            return found;
        }
    }
    let own = subpath.trim_start_matches("./").trim_matches(['.', '/']);
    let is_built = targets.iter().any(|target| {
        let first = target
            .trim_start_matches("./")
            .split('/')
            .next()
            .unwrap_or_default();
        BUILT.contains(&first) || first.starts_with("dist")
    });
    let guesses = match own {
        "" => ["src/index".to_owned(), "index".to_owned()],
        own => [format!("src/{own}"), format!("src/{own}/index")],
    };
    guesses.iter().filter(|_| is_built).find_map(|guess| at(guess))
}

/// The names that a file exports, with their definitions.
fn exports_of(code: &Code<'_>, file: usize, seen: &mut BTreeSet<usize>) -> Vec<(String, At)> {
    let mut names = Vec::new();
    if !seen.insert(file) {
        return names;
    }
    for at in code.children(file, None) {
        let fact = code.fact(at);
        let is_exported = fact.words.split(' ').any(|word| word == "export");
        match fact.kind {
            FactKind::Function | FactKind::Type if is_exported => {
                let is_default = fact.words.split(' ').any(|word| word == "default");
                let name = if is_default { "default" } else { fact.name.as_str() };
                names.push((name.to_owned(), at));
            }
            FactKind::Import if is_exported && fact.name == "*" => {
                let files = modules::named_by(code, at).0;
                for file in files {
                    let inner = exports_of(code, file, seen);
                    names.extend(inner.into_iter().filter(|(name, _)| name != "default"));
                }
            }
            FactKind::Import if is_exported => {
                names.push((fact.name.clone(), code.settled(at).unwrap_or(at)));
            }
            FactKind::Bind => bound(code, at, fact, is_exported, &mut names),
            _ => {}
        }
    }
    names
}

fn bound(code: &Code<'_>, at: At, fact: &Fact, is_exported: bool, names: &mut Vec<(String, At)>) {
    let value = fact.arguments.first();
    let definition = |name: &str| code.meaning(at, name).filter(|found| *found != at).unwrap_or(at);
    let meant = |value: Option<&Value>| match value {
        Some(Value::Name(name)) => definition(name),
        _ => at,
    };
    match fact.name.as_str() {
        "default" => names.push(("default".to_owned(), meant(value))),
        "module.exports" => match value {
            Some(Value::List(items)) => {
                let members = items.iter().filter_map(|item| match item {
                    Value::Pair(key, value) => Some((key.clone(), meant(Some(value)))),
                    Value::Name(name) => Some((name.clone(), definition(name))),
                    _ => None,
                });
                names.extend(members);
            }
            value => names.push(("default".to_owned(), meant(value))),
        },
        name if name.starts_with("exports.") || name.starts_with("module.exports.") => {
            names.push((last_name(name).to_owned(), meant(value)));
        }
        name if is_exported && name.starts_with('{') => {
            let words = name.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
            names.extend(
                words
                    .filter(|word| !word.is_empty())
                    .map(|word| (word.to_owned(), at)),
            );
        }
        name if is_exported => {
            // `export { a }` names what is bound elsewhere in the file.
            let target = match value {
                Some(Value::Name(own)) if fact.words == "export" => definition(own),
                _ => at,
            };
            names.push((name.to_owned(), target));
        }
        _ => {}
    }
}
