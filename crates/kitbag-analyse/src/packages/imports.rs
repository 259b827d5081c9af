//! Which package an import means (PKG-6): the text of an import and the file it stands in, against the names of the packages and the files
//! of the tree. Each family says how its imports are written ([`ImportRule`]).
//!
//! Only what leaves no choice counts. An import that may mean several packages, or the importing one, means none, and so does every
//! rule that a compiler or bundler is configured with. A file of the target is not looked for: edges join packages.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::RepoPath;

use super::package::Packages;
use super::{Family, MANAGERS, places};

/// An import of one package by a file of another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    pub from: RepoPath,
    /// From 1.
    pub line: u32,
    /// As it is written.
    pub name: String,
    /// The position of the imported package.
    pub to: usize,
}

/// How imports of a family name what they mean.
#[derive(Clone, Copy)]
pub(super) enum ImportRule {
    /// In a way that is not read here.
    Unknown,
    /// By the name of the package, then this mark and more.
    Name {
        mark: &'static str,
        spelling: fn(&str) -> String,
    },
    /// By the way to a file or folder, in words with this mark between them. `roots`: the folders of a package that the way may start
    /// from, empty for its own; if there are none, from any.
    Path {
        mark: &'static str,
        roots: &'static [&'static str],
    },
}

/// Spelling of package names where code writes them as manifests do.
pub(super) fn as_written(name: &str) -> String {
    name.to_owned()
}

/// The imports between packages, each package's own left out; `imports` are (file, line, text).
pub fn imports<'i>(
    packages: &Packages,
    files: &[RepoPath],
    imports: impl Iterator<Item = (&'i RepoPath, u32, &'i str)>,
) -> Vec<Import> {
    let context = ImportContext::new(packages, files);
    let mut known: BTreeMap<(usize, &str, &str, &str), Option<usize>> = BTreeMap::new();
    let mut found = Vec::new();
    for (from, line, name) in imports {
        let Some(own) = packages.of_file(from) else {
            continue;
        };
        // Most files of a folder import the same few modules.
        let place = if is_relative(name) { from.folder() } else { "" };
        let extension = from.extension().unwrap_or_default();
        let key = (own, name, place, extension);
        let to = match known.get(&key) {
            Some(to) => *to,
            None => {
                let to = context.target(own, from.folder(), extension, name);
                known.insert(key, to);
                to
            }
        };
        if let Some(to) = to {
            found.push(Import {
                from: from.clone(),
                line,
                name: name.to_owned(),
                to,
            });
        }
    }
    found.sort();
    found
}

fn is_relative(import: &str) -> bool {
    import.starts_with("./") || import.starts_with("../")
}

struct ImportContext<'a> {
    packages: &'a Packages,
    /// By family and name, in the spelling of code.
    names: BTreeMap<(&'static str, String), Vec<usize>>,
    /// By family and last word: files without their extensions, and folders, with the package that they belong to.
    ends: BTreeMap<(&'static str, &'a str), Vec<(&'a str, usize)>>,
}

impl<'a> ImportContext<'a> {
    fn new(packages: &'a Packages, files: &'a [RepoPath]) -> Self {
        let mut names: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (at, package) in packages.list().iter().enumerate() {
            let row = MANAGERS.iter().find(|row| row.name == package.manager);
            let Some(family) = row.map(|row| row.family) else {
                continue;
            };
            if let ImportRule::Name { spelling, .. } = family.imports {
                let key = (family.name, spelling(&package.name));
                names.entry(key).or_default().push(at);
            }
        }
        let mut ends: BTreeMap<_, Vec<(&str, usize)>> = BTreeMap::new();
        let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
        let by_path: Vec<&Family> = families()
            .filter(|family| matches!(family.imports, ImportRule::Path { .. }))
            .collect();
        for path in files.iter().filter(|_| !by_path.is_empty()) {
            let extension = path.extension().unwrap_or_default();
            for family in by_path.iter().filter(|family| family.speaks(extension)) {
                let Some(at) = packages.of_file(path) else {
                    continue;
                };
                let stem = &path.as_str()[..path.as_str().len() - extension.len() - 1];
                let mut add = |end: &'a str| {
                    let last = places::last_part(end);
                    ends.entry((family.name, last)).or_default().push((end, at));
                };
                add(stem);
                for folder in places::upwards(path.folder()).filter(|folder| !folder.is_empty()) {
                    if !seen.insert((family.name, folder)) {
                        break;
                    }
                    if let Some(at) = packages.of_folder(folder, extension) {
                        ends.entry((family.name, places::last_part(folder)))
                            .or_default()
                            .push((folder, at));
                    }
                }
            }
        }
        Self {
            packages,
            names,
            ends,
        }
    }

    fn target(&self, own: usize, folder: &str, extension: &str, import: &str) -> Option<usize> {
        let mut spoken = families().filter(|family| family.speaks(extension));
        let found = if is_relative(import) {
            // A configuration file that another one extends is not code.
            spoken.next()?;
            let path = places::join(folder, import)?;
            self.packages.of_folder(&path, extension)
        } else {
            let import = import.strip_prefix("package:").unwrap_or(import);
            spoken.find_map(|family| self.named(family, own, import))
        };
        found.filter(|to| *to != own)
    }

    fn named(&self, family: &Family, own: usize, import: &str) -> Option<usize> {
        match family.imports {
            ImportRule::Unknown => None,
            ImportRule::Name { mark, spelling } => {
                let mut ends: Vec<usize> = import.match_indices(mark).map(|(at, _)| at).collect();
                ends.push(import.len());
                // The longest name that fits.
                let named = ends.into_iter().rev().find_map(|end| {
                    let name = spelling(&import[..end]);
                    self.names.get(&(family.name, name))
                })?;
                match named.as_slice() {
                    [one] => Some(*one),
                    _ => None,
                }
            }
            ImportRule::Path { mark, roots } => self.at_path(family, own, mark, roots, import),
        }
    }

    fn at_path(
        &self,
        family: &Family,
        own: usize,
        mark: &str,
        roots: &[&str],
        import: &str,
    ) -> Option<usize> {
        // A mark in front: from the package that the file is in (`.util`), or from the top of all names (`\App`).
        if !roots.is_empty() && import.starts_with(mark) {
            return None;
        }
        let import = import.trim_start_matches(mark);
        let words: Vec<&str> = import.split(mark).collect();
        // `java.util` is not a folder of ours, although sources stand in a folder `java`.
        let is_language = |word: &str| family.languages.iter().any(|(name, _)| *name == word);
        if words.iter().any(|word| word.is_empty()) || is_language(words[0]) {
            return None;
        }
        // The last words may be an item of a file and a member of that; fewer words than two may be anything's last.
        let least = match roots {
            [] => 2.max(words.len().saturating_sub(2)),
            _ => 1,
        };
        for n in (least..=words.len()).rev() {
            let Some(candidates) = self.ends.get(&(family.name, words[n - 1])) else {
                continue;
            };
            let way = words[..n].join("/");
            let fits = |(end, at): &&(&str, usize)| {
                let Some(before) = end.strip_suffix(way.as_str()) else {
                    return false;
                };
                let package = &self.packages.list()[*at].path;
                let between = before.strip_suffix('/').unwrap_or(before);
                let is_whole = before.is_empty() || before.ends_with('/');
                let between = match between.strip_prefix(package.as_str()) {
                    Some(between) => between.trim_start_matches('/'),
                    None => return false,
                };
                is_whole && (roots.is_empty() || roots.contains(&between))
            };
            let owners: BTreeSet<usize> = candidates.iter().filter(fits).map(|(_, at)| *at).collect();
            if owners.contains(&own) {
                return None;
            }
            if let Some(first) = owners.first() {
                return (owners.len() == 1).then_some(*first);
            }
        }
        None
    }
}

/// Every family once.
fn families() -> impl Iterator<Item = &'static Family> {
    let rows = MANAGERS.iter().enumerate();
    rows.filter(|(at, row)| {
        MANAGERS[..*at]
            .iter()
            .all(|other| other.family.name != row.family.name)
    })
    .map(|(_, row)| row.family)
}
