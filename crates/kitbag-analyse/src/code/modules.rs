//! Which files an import names, by the rules of its language: relative paths and package folders of scripts, dotted modules of Python,
//! package folders of Go, module paths of Rust. Modules from outside of the project name none.

use std::collections::BTreeSet;

use kitbag_types::{FactKind, Value};

use super::{At, Code, folder_of, last_name};

/// The files of an import, and the name in them that is bound; `None`: the module itself.
pub fn named_by(code: &Code<'_>, import: At) -> (Vec<usize>, Option<String>) {
    let fact = code.fact(import);
    let item = fact.arguments.first().and_then(|value| match value {
        Value::Text(item) => Some(item.clone()),
        _ => None,
    });
    let path = code.source(import).path.as_str();
    let module = fact.annotation.as_str();
    match code.source(import).language.as_str() {
        "python" => python(code, path, module, item),
        "javascript" | "typescript" | "tsx" => {
            let is_plain = item.is_none();
            let item = item.or_else(|| is_plain.then(|| "default".to_owned()));
            (scripts(code, path, module), item)
        }
        "go" => (go(code, module), None),
        _ => {
            let name = last_name(module).to_owned();
            let files = code.types_named(&name).iter().map(|at| at.file);
            (files.collect(), Some(name))
        }
    }
}

fn python(code: &Code<'_>, path: &str, module: &str, item: Option<String>) -> (Vec<usize>, Option<String>) {
    let n_dots = module.chars().take_while(|c| *c == '.').count();
    let rest = module[n_dots..].replace('.', "/");
    let base = if n_dots == 0 {
        None
    } else {
        let mut folder = folder_of(path).to_owned();
        for _ in 1..n_dots {
            folder = folder_of(&folder).to_owned();
        }
        Some(folder)
    };
    let files_of = |module: &str| -> Vec<usize> {
        let exact = |whole: String| code.file_at(&whole);
        match &base {
            Some(folder) => {
                let whole = joined(folder, module);
                let as_file = exact(format!("{whole}.py")).filter(|_| !module.is_empty());
                as_file
                    .or_else(|| exact(joined(&whole, "__init__.py")))
                    .into_iter()
                    .collect()
            }
            None => nearest(
                code,
                path,
                &[format!("{module}.py"), format!("{module}/__init__.py")],
            ),
        }
    };
    if let Some(item) = &item {
        let inner = if rest.is_empty() {
            item.clone()
        } else {
            format!("{rest}/{item}")
        };
        let as_module = files_of(&inner);
        if !as_module.is_empty() {
            return (as_module, None);
        }
    }
    (files_of(&rest), item)
}

/// The file that a script names.
pub fn script(code: &Code<'_>, path: &str, module: &str) -> Option<usize> {
    scripts(code, path, module).first().copied()
}

fn scripts(code: &Code<'_>, path: &str, module: &str) -> Vec<usize> {
    const ENDINGS: [&str; 14] = [
        "",
        ".ts",
        ".tsx",
        ".js",
        ".jsx",
        ".mjs",
        ".cjs",
        ".mts",
        "/index.ts",
        "/index.tsx",
        "/index.js",
        "/index.mjs",
        "/index.mts",
        "/index.cjs",
    ];
    let found = |whole: &str| {
        let bare = whole
            .strip_suffix(".js")
            .or_else(|| whole.strip_suffix(".mjs"))
            .unwrap_or(whole);
        let exact = ENDINGS
            .iter()
            .find_map(|ending| code.file_at(&format!("{whole}{ending}")));
        exact.or_else(|| {
            ENDINGS
                .iter()
                .find_map(|ending| code.file_at(&format!("{bare}{ending}")))
        })
    };
    if module.starts_with('.') {
        return found(&relative(folder_of(path), module)).into_iter().collect();
    }
    // An alias of the source root: `@/lib/x`, `~/lib/x`, `src/lib/x`.
    let inner = ["@/", "~/", "#/", "$lib/", "@src/"]
        .iter()
        .find_map(|prefix| module.strip_prefix(prefix));
    let inner = inner.or_else(|| {
        module
            .contains('/')
            .then_some(module)
            .filter(|_| !module.starts_with('@'))
    });
    let Some(inner) = inner else { return Vec::new() };
    let mut folder = folder_of(path);
    loop {
        let roots = ["", "src", "app", "lib"].map(|root| joined(folder, root));
        if let Some(file) = roots.iter().find_map(|root| found(&joined(root, inner))) {
            return vec![file];
        }
        if folder.is_empty() {
            return Vec::new();
        }
        folder = folder_of(folder);
    }
}

/// The files of the package folder that an import path ends with.
fn go(code: &Code<'_>, module: &str) -> Vec<usize> {
    let parts: Vec<&str> = module.split('/').collect();
    for start in 0..parts.len() {
        let folder = parts[start..].join("/");
        let files: Vec<usize> = code
            .files_in(&folder)
            .iter()
            .copied()
            .filter(|file| code.files[*file].language == "go")
            .collect();
        if !files.is_empty() {
            return files;
        }
    }
    Vec::new()
}

/// The one file whose path ends like this, the nearest to `from` if there are several.
fn nearest(code: &Code<'_>, from: &str, endings: &[String]) -> Vec<usize> {
    let mut folder = folder_of(from);
    loop {
        let roots = [folder.to_owned(), joined(folder, "src")];
        for ending in endings {
            if let Some(file) = roots.iter().find_map(|root| code.file_at(&joined(root, ending))) {
                return vec![file];
            }
        }
        if folder.is_empty() {
            break;
        }
        folder = folder_of(folder);
    }
    for ending in endings {
        let stem = ending.strip_suffix("/__init__.py").map_or_else(
            || ending.rsplit('/').next().and_then(|name| name.split('.').next()),
            |_| Some("__init__"),
        );
        let Some(stem) = stem else { continue };
        let below = format!("/{ending}");
        let mut found = code
            .files_called(stem)
            .iter()
            .filter(|file| code.files[**file].path.as_str().ends_with(&below));
        if let (Some(only), None) = (found.next(), found.next()) {
            return vec![*only];
        }
    }
    Vec::new()
}

/// A name that a file hands on without naming it: `export * from './x'`, `from .x import *`.
pub fn through_star(code: &Code<'_>, file: usize, name: &str, seen: &mut BTreeSet<usize>) -> Option<At> {
    if name == "default" || !seen.insert(file) {
        return None;
    }
    let stars = code.children(file, None).filter(|at| {
        let fact = code.fact(*at);
        fact.kind == FactKind::Import && fact.name == "*"
    });
    let mut files = stars.flat_map(|at| named_by(code, at).0);
    files.find_map(|file| {
        let own = code.top_of(file, name);
        own.or_else(|| through_star(code, file, name, seen))
    })
}

/// What a script exports without a name: `export default`, `module.exports =`.
pub fn default_export(code: &Code<'_>, file: usize) -> Option<At> {
    let exported = |at: &At| {
        let fact = code.fact(*at);
        match fact.kind {
            FactKind::Bind => matches!(fact.name.as_str(), "default" | "module.exports"),
            FactKind::Function | FactKind::Type => fact.words.contains("default"),
            _ => false,
        }
    };
    let found = code.children(file, None).filter(exported).last()?;
    let fact = code.fact(found);
    match fact.arguments.first() {
        Some(Value::Name(name)) if fact.kind == FactKind::Bind => code.lookup(found, name).or(Some(found)),
        _ => Some(found),
    }
}

/// A member of what a file exports under a name: `controller.list` where `controller` is an object or a class.
pub fn member_of(code: &Code<'_>, file: usize, item: Option<&str>, name: &str) -> Option<At> {
    let exports = [format!("exports.{name}"), format!("module.exports.{name}")];
    if let Some(at) = exports.iter().find_map(|export| code.top_of(file, export)) {
        return Some(at);
    }
    item?;
    let mut inside = code.functions_named(name).iter().filter(|at| at.file == file);
    let only = inside.next()?;
    inside.next().is_none().then_some(*only)
}

/// A path of names without an import of its first: a Rust module or a type with a member.
pub fn by_path(code: &Code<'_>, from: At, names: &[&str]) -> Option<At> {
    let (last, module) = (names.last()?, names.len().checked_sub(2).map(|at| names[at])?);
    let source = code.source(from);
    if source.language == "rust" {
        let files = code.files_called(module).iter().copied();
        let folders = code
            .files_called("mod")
            .iter()
            .copied()
            .filter(|file| folder_of(code.files[*file].path.as_str()).rsplit('/').next() == Some(module));
        let near = folder_of(source.path.as_str());
        let mut found: Vec<At> = files
            .chain(folders)
            .filter(|file| code.files[*file].language == "rust")
            .filter_map(|file| code.top_of(file, last))
            .collect();
        found.sort_by_key(|at| !code.source(*at).path.as_str().starts_with(near));
        if let Some(first) = found.first() {
            return Some(*first);
        }
    }
    // `Type::member`, `Type.member`.
    let is_member = |at: &&At| code.type_of(**at).as_deref() == Some(module);
    let mut members = code.functions_named(last).iter().filter(is_member);
    let only = members.next()?;
    members.next().is_none().then_some(*only)
}

pub(crate) fn joined(folder: &str, rest: &str) -> String {
    match (folder.is_empty(), rest.is_empty()) {
        (true, _) => rest.to_owned(),
        (_, true) => folder.to_owned(),
        _ => format!("{folder}/{rest}"),
    }
}

fn relative(folder: &str, module: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in module.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
