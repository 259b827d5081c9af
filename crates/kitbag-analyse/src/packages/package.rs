//! What comes out: the packages of a tree in a fixed order, with the place of every fact.
//!
//! Plain data; positions in `Packages::list` stand for packages everywhere else. Which package a file belongs to is asked here
//! too, since the list alone decides it (PKG-7).

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use kitbag_types::{Note, RepoPath};

use super::imports::ImportRule;
use super::manifest::DependencyKind;
use super::{MANAGERS, places};

/// A note and the manifest that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedNote {
    pub path: RepoPath,
    pub note: Note,
}

/// Where a fact stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub path: RepoPath,
    /// From 1.
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub text: String,
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Package {
    /// As the manifest gives it, else the name of the folder.
    pub name: String,
    /// The folder, relative to the root of the repository; empty for the root itself.
    pub path: String,
    /// The name of a row of [`MANAGERS`], or [`super::ROOT`].
    pub manager: &'static str,
    pub language: Option<&'static str>,
    /// Where it is declared. `None`: nothing declares it, it is the whole repository.
    pub place: Option<Place>,
    pub version: Option<Fact>,
    pub description: Option<Fact>,
    /// It stands at the root of the repository or of its workspace.
    pub is_root: bool,
    /// One for each name, ordered by name; the strongest kind where several are stated.
    pub dependencies: Vec<PackageDependency>,
    /// How many files belong to it and to no package below it.
    pub n_files: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PackageDependency {
    /// The name of the package in the tree, else as the manifest spells it.
    pub name: String,
    pub kind: DependencyKind,
    pub requirement: Option<String>,
    pub place: Place,
    /// Its position in the list, if it is a package of the tree.
    pub package: Option<usize>,
}

impl Package {
    pub fn internal(&self) -> impl Iterator<Item = (usize, &PackageDependency)> {
        let dependencies = self.dependencies.iter();
        dependencies.filter_map(|dependency| Some((dependency.package?, dependency)))
    }

    /// Whether files with an extension name it to import it.
    pub fn is_imported_by_name(&self, extension: &str) -> bool {
        let row = MANAGERS.iter().find(|row| row.name == self.manager);
        row.is_some_and(|row| {
            row.family.speaks(extension) && matches!(row.family.imports, ImportRule::Name { .. })
        })
    }

    pub(super) fn may_import_undeclared(&self) -> bool {
        let row = MANAGERS.iter().find(|row| row.name == self.manager);
        row.is_none_or(|row| row.family.undeclared_imports)
    }

    pub fn external(&self) -> impl Iterator<Item = &PackageDependency> {
        self.dependencies
            .iter()
            .filter(|dependency| dependency.package.is_none())
    }
}

/// How much belongs to a package.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    pub n_files: u64,
    pub n_lines: u64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Packages {
    list: Vec<Package>,
    /// Positions by folder.
    folders: BTreeMap<String, Vec<usize>>,
}

impl Packages {
    /// Keeps the order of the list.
    pub fn new(list: Vec<Package>) -> Self {
        let mut folders: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, package) in list.iter().enumerate() {
            folders.entry(package.path.clone()).or_default().push(at);
        }
        Self { list, folders }
    }

    /// Ordered by path, then by manager as in [`MANAGERS`], then by name.
    pub fn list(&self) -> &[Package] {
        &self.list
    }

    pub(super) fn list_mut(&mut self) -> &mut [Package] {
        &mut self.list
    }

    /// The position of the package that a file belongs to: the deepest folder that holds it (PKG-7). Of several packages in
    /// one folder the one whose language the file is written in, else the first.
    pub fn of_file(&self, path: &RepoPath) -> Option<usize> {
        let extension = path.extension().unwrap_or_default();
        self.of_folder(path.folder(), extension)
    }

    pub(super) fn of_folder(&self, folder: &str, extension: &str) -> Option<usize> {
        let positions = places::upwards(folder).find_map(|folder| self.folders.get(folder))?;
        let speaks = |at: &&usize| {
            let manager = self.list[**at].manager;
            let row = MANAGERS.iter().find(|row| row.name == manager);
            row.is_some_and(|row| row.family.speaks(extension))
        };
        positions
            .iter()
            .find(speaks)
            .or_else(|| positions.first())
            .copied()
    }

    /// Files and lines of each package, in the order of the list.
    pub fn sizes(&self, files: &[(RepoPath, u64)]) -> Vec<Size> {
        let mut sizes = vec![Size::default(); self.list.len()];
        for (path, n_lines) in files {
            if let Some(at) = self.of_file(path) {
                sizes[at].n_files += 1;
                sizes[at].n_lines += n_lines;
            }
        }
        sizes
    }
}
