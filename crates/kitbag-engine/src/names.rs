//! Which definitions a name means, as the language of the project would write it (RET-11): a qualifier may be a container, a
//! module that follows folders and files, a package, or the name a file gives to a module that it passes on.
//!
//! The last qualifier must be the innermost container; the others must be further out, in the same order.
//! Levels of a path may be left out, because modules pass on what lies below them (`axum::Router` is defined in
//! `axum/src/routing/mod.rs`); only the innermost container may not.
//! Nothing is guessed: if no definition fits, the result is empty, and the caller says where the name is defined instead.

use std::collections::BTreeMap;

use kitbag_rank::query::{NameParts, split_name};
use kitbag_store::{Snapshot, StoreError, SymbolRow};
use kitbag_types::terms::fold;
use kitbag_types::{LinkKind, RepoPath, SymbolKind};

use crate::conventions::standing;
use crate::packages::stored;

/// What a name may mean.
pub(crate) struct NameCandidates {
    /// The definitions that fit: code first, then tests, then vendored and generated code; then the nearest to the
    /// qualifiers, then by path.
    pub fitting: Vec<SymbolRow>,
    /// If none fits: the definitions of that name elsewhere.
    pub elsewhere: Vec<SymbolRow>,
}

/// Files that represent their folder.
const FOLDER_FILES: &[&str] = &["__init__", "index", "lib", "main", "mod"];

/// The definitions that a qualified name means: those with the same spelling, else those that differ in style or case.
pub(crate) fn meant(snapshot: &Snapshot<'_>, asked: &str) -> Result<NameCandidates, StoreError> {
    let NameParts { qualifiers, name } = split_name(asked);
    let mut found = snapshot.symbols_named(&fold(name))?;
    if found.iter().any(|symbol| symbol.name == name) {
        found.retain(|symbol| symbol.name == name);
    }
    let fits = if qualifiers.is_empty() {
        vec![Some(0); found.len()]
    } else {
        fits(snapshot, &qualifiers, &found)?
    };
    let mut fitting: Vec<(usize, SymbolRow)> = Vec::new();
    let mut elsewhere = Vec::new();
    for (symbol, fit) in found.into_iter().zip(fits) {
        match fit {
            Some(distance) => fitting.push((distance, symbol)),
            None => elsewhere.push(symbol),
        }
    }
    fitting.sort_by_cached_key(|(distance, symbol)| {
        (standing(&symbol.path), *distance, symbol.path.clone(), symbol.idx)
    });
    elsewhere.sort_by_cached_key(|symbol| (standing(&symbol.path), symbol.path.clone(), symbol.idx));
    if !fitting.is_empty() {
        elsewhere.clear();
    }
    Ok(NameCandidates {
        fitting: fitting.into_iter().map(|(_, symbol)| symbol).collect(),
        elsewhere,
    })
}

/// Whether it is a name of one letter, which the text index does not have.
pub(crate) fn is_letter(name: &str) -> bool {
    name.len() == 1
}

/// A one-letter name in a sentence counts only if at most this many definitions have it at the top level of a source file.
const LETTERS: usize = 4;

/// The definitions of a one-letter name that a sentence may mean.
pub(crate) fn of_letter(mut symbols: Vec<SymbolRow>) -> Vec<SymbolRow> {
    symbols.retain(|symbol| {
        symbol.container.is_empty()
            && standing(&symbol.path) == 0
            && !matches!(symbol.kind, SymbolKind::Field | SymbolKind::Section)
    });
    if symbols.len() > LETTERS {
        symbols.clear();
    }
    symbols
}

/// How far each definition is from the qualifiers; `None` if it does not fit them. The first reading that
/// fits any definition is used.
fn fits(
    snapshot: &Snapshot<'_>,
    qualifiers: &[&str],
    found: &[SymbolRow],
) -> Result<Vec<Option<usize>>, StoreError> {
    let all =
        |fit: &dyn Fn(&SymbolRow) -> Option<usize>| -> Vec<Option<usize>> { found.iter().map(fit).collect() };
    let any = |fits: &[Option<usize>]| fits.iter().any(Option::is_some);
    let packages = packages(snapshot, found)?;
    let package_of = |symbol: &SymbolRow| -> Vec<&str> {
        let name = packages.get(symbol.path.as_str()).map_or("", String::as_str);
        words(name).collect()
    };
    // As written first: `Phoenix` is a module of Elixir, `phoenix` a folder of scripts.
    let readings: [fn(&str, &str) -> bool; 2] = [|a, b| a == b, same];
    for same in readings {
        let in_view = all(&|symbol| distance(qualifiers, symbol, &[], false, same));
        if any(&in_view) {
            return Ok(in_view);
        }
        let in_package = all(&|symbol| distance(qualifiers, symbol, &package_of(symbol), false, same));
        if any(&in_package) {
            return Ok(in_package);
        }
    }
    let passed_on = passed_on(snapshot, qualifiers[0])?;
    for at_module in [true, false] {
        let fits = all(&|symbol| {
            let inside = |module: &String| is_of_module(&symbol.path, module, at_module);
            let rest = &qualifiers[1..];
            let is_there = passed_on.iter().any(inside);
            is_there.then(|| match rest {
                [] => symbol.container.is_empty().then_some(0),
                _ => distance(rest, symbol, &[], false, same),
            })?
        });
        if any(&fits) {
            return Ok(fits);
        }
    }
    // A table or an object that a file gives away is called by the name of the file: `function M.open` in `store.lua`.
    Ok(all(&|symbol| {
        distance(qualifiers, symbol, &package_of(symbol), true, same)
    }))
}

/// How many levels lie between the names of the qualifiers. `by_file`: the file counts as the container.
fn distance(
    qualifiers: &[&str],
    symbol: &SymbolRow,
    package: &[&str],
    by_file: bool,
    same: fn(&str, &str) -> bool,
) -> Option<usize> {
    let container: Vec<&str> = if by_file {
        Vec::new()
    } else {
        words(&symbol.container).collect()
    };
    let folders = symbol.path.folder().split('/').filter(|part| !part.is_empty());
    let stem = symbol.path.stem();
    let speaks_for_folder = FOLDER_FILES.contains(&stem);
    let mut levels: Vec<&str> = package.iter().copied().chain(folders).collect();
    if !speaks_for_folder {
        levels.push(stem);
    }
    levels.extend(&container);
    // The innermost container, or the file in its place, cannot be left out.
    if (by_file || !container.is_empty()) && !same(levels.last()?, qualifiers.last()?) {
        return None;
    }
    let mut distance = 0;
    let mut skipped = 0;
    let mut left = qualifiers;
    for level in levels.iter().rev() {
        let Some((wanted, outer)) = left.split_last() else {
            break;
        };
        if same(level, wanted) {
            distance += skipped;
            skipped = 0;
            left = outer;
        } else {
            skipped += 1;
        }
    }
    left.is_empty().then_some(distance)
}

/// The words of a container or of the name of a package.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(['.', ':', '\\', '/', '@'])
        .filter(|part| !part.is_empty())
}

/// `axum_extra` and `axum-extra` are one name; so are `App` and the folder `app`.
fn same(a: &str, b: &str) -> bool {
    a == b || (a.eq_ignore_ascii_case(b) || fold(a) == fold(b)) && !fold(a).is_empty()
}

/// The name of the package that each of these definitions is in, by the path of its file.
fn packages(snapshot: &Snapshot<'_>, found: &[SymbolRow]) -> Result<BTreeMap<String, String>, StoreError> {
    let Some(known) = stored(snapshot)? else {
        return Ok(BTreeMap::new());
    };
    let name_of = |path: &RepoPath| {
        let at = known.packages.of_file(path)?;
        // A package without a manifest is named after its folder, a name that code never uses.
        let package = known.packages.list().get(at).filter(|one| one.place.is_some())?;
        Some((path.to_string(), package.name.clone()))
    };
    Ok(found.iter().filter_map(|symbol| name_of(&symbol.path)).collect())
}

/// The modules that files pass on under a name (`export * as z from "./external.js"`), as paths without an extension.
fn passed_on(snapshot: &Snapshot<'_>, name: &str) -> Result<Vec<String>, StoreError> {
    let mut modules = Vec::new();
    for symbol in snapshot.symbols_named(&fold(name))? {
        if symbol.kind != SymbolKind::Module || symbol.name != name {
            continue;
        }
        for link in snapshot.links_of(symbol.file, symbol.parse)? {
            let is_its = link.kind == LinkKind::Import && symbol.lines.contains(link.line);
            let module = is_its
                .then(|| relative(symbol.path.folder(), &link.name))
                .flatten();
            if let Some(module) = module.filter(|module| !modules.contains(module)) {
                modules.push(module);
            }
        }
    }
    Ok(modules)
}

/// `./v4/external.js` seen from `src` → `src/v4/external`. A path that is not relative belongs to another package.
fn relative(folder: &str, module: &str) -> Option<String> {
    if !module.starts_with('.') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in module.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    let last = parts.pop()?;
    parts.push(last.split_once('.').map_or(last, |(stem, _)| stem));
    Some(parts.join("/"))
}

/// Whether a path is the module or inside it. With `at_module` false: whether it is beside it, where most re-exports come
/// from.
fn is_of_module(path: &RepoPath, module: &str, at_module: bool) -> bool {
    let without_extension = match path.folder() {
        "" => path.stem().to_owned(),
        folder => format!("{folder}/{}", path.stem()),
    };
    let is_in = |folder: &str| {
        without_extension
            .strip_prefix(folder)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if at_module {
        is_in(module)
    } else {
        module.rsplit_once('/').is_some_and(|(folder, _)| is_in(folder))
    }
}

#[cfg(test)]
mod tests;
