//! Packages of a repository: manifests in, packages with their facts and dependencies out (PKG-1 … PKG-9).
//!
//! Two steps, so that the first can be kept: [`read`] turns one manifest into what it says, [`assemble()`] puts all of a tree
//! together: who is a member of whose workspace, what is inherited, which dependency is a package of the tree. Then
//! [`Graph`] for questions about dependencies and [`draw`] for pictures. A manager is a row of [`MANAGERS`] and a file here;
//! what its manager does differently from the others stands in its [`Family`], not in `assemble.rs`.

mod assemble;
mod bazel;
mod bundler;
mod bytes;
mod cargo;
mod cmake;
mod composer;
mod dart;
mod deno;
pub mod draw;
mod fixture;
mod go;
mod gradle;
mod graph;
mod imports;
mod lookup;
mod manifest;
mod maven;
mod mix;
mod node;
mod nuget;
mod package;
mod places;
mod python;
mod scala;
mod swift;

#[cfg(test)]
mod tests;

use kitbag_types::RepoPath;

pub use assemble::assemble;
pub use graph::{Edge, Graph, Undeclared, weight};
pub use imports::{Import, imports};
use imports::{ImportRule, as_written};
pub use lookup::NotOne;
pub use manifest::{Dependency, DependencyKind, Manifest, Member, Project, Standing, Stated, Target};
pub use package::{Fact, Package, PackageDependency, Packages, Place, PlacedNote, Size};

/// A package manager: what it reads and how its presence is known.
pub struct PackageManager {
    pub name: &'static str,
    /// File names, or endings as `*.csproj`. No two rows share one. Earlier ones know a fact better.
    pub manifests: &'static [&'static str],
    /// Files beside a manifest that say that this manager is used there, and that the folder stands on its own.
    pub lockfiles: &'static [&'static str],
    /// Managers of one family read the same manifests and see one set of packages.
    family: &'static Family,
    /// From the file's name and text; of the path a manifest knows nothing.
    read: fn(&str, &str) -> Manifest,
}

/// Every manager. Of one family the first is used where nothing says which; lockfiles are asked in this order.
pub const MANAGERS: &[&PackageManager] = &[
    &cargo::CARGO,
    &node::NPM,
    &node::PNPM,
    &node::YARN,
    &node::BUN,
    &deno::DENO,
    &python::PIP,
    &python::POETRY,
    &python::UV,
    &python::PDM,
    &python::HATCH,
    &go::GO,
    &maven::MAVEN,
    &gradle::GRADLE,
    &composer::COMPOSER,
    &nuget::NUGET,
    &swift::SWIFT,
    &mix::MIX,
    &bundler::BUNDLER,
    &dart::PUB,
    &scala::SBT,
    &scala::MILL,
    &cmake::CMAKE,
    &bazel::BAZEL,
];

/// Bump when [`read`] or [`assemble()`] gives something else for the same files: what is stored of them is made again.
/// 1: first. 2: names that Gradle's settings give, dependencies from hooks of Hatch, no vendored CMake projects and no builds of Flutter.
/// 3: two gemspecs in one folder are two packages.
pub const VERSION: u32 = 3;

/// The manager of a project without any.
pub const ROOT: &str = "root";

/// How a family of managers differs from the others.
struct Family {
    name: &'static str,
    /// Languages and their extensions; the first is meant when no file tells.
    languages: &'static [(&'static str, &'static [&'static str])],
    /// A file beside the manifest that decides the language.
    language_files: &'static [(&'static str, &'static str)],
    /// Whether a dependency is taken from the tree because of its name alone.
    by_name: bool,
    /// Whether what a member reaches by a path is a member too.
    path_members: bool,
    /// Whether all manifests of a folder describe one package.
    one_per_folder: bool,
    /// Whether only members count below the root of a workspace.
    members_only: bool,
    /// Whether a build lists copies of other people's code as it lists its own parts.
    lists_vendored: bool,
    /// Folders of a package in which its tools keep builds by other managers that are no packages of their own.
    hosts: &'static [&'static str],
    /// The spelling in which two names are compared.
    normalise: fn(&str) -> String,
    inheritance: Inheritance,
    /// What a package is called that nothing names, by its folder below the root of its workspace.
    unnamed: fn(&str) -> String,
    /// The folder that a manifest speaks about.
    home: fn(&RepoPath) -> &str,
    imports: ImportRule,
    /// Whether an import works that no manifest declares. Where it does not, what looks like one means something else.
    undeclared_imports: bool,
}

/// Where facts come from that a manifest does not state itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inheritance {
    /// From the manifests of the folders above, the nearest first.
    Above,
    /// The same, but from none above the root of the workspace.
    Workspace,
    /// From the manifest that it names as its parent, and so on.
    Parent,
}

impl Family {
    const PLAIN: Self = Self {
        name: "",
        languages: &[],
        language_files: &[],
        by_name: true,
        path_members: false,
        one_per_folder: true,
        members_only: true,
        lists_vendored: false,
        hosts: &[],
        normalise: str::to_owned,
        inheritance: Inheritance::Above,
        unnamed: |folder| places::last_part(folder).to_owned(),
        home: RepoPath::folder,
        imports: ImportRule::Unknown,
        undeclared_imports: true,
    };

    /// Whether files with an extension are of one of its languages.
    fn speaks(&self, extension: &str) -> bool {
        let mut languages = self.languages.iter();
        languages.any(|(_, extensions)| extensions.contains(&extension))
    }
}

/// Whether a file is a manifest that [`read`] wants to see.
pub fn is_manifest(path: &RepoPath) -> bool {
    row_of(path.file_name()).is_some()
}

/// Whether [`assemble()`] looks at the presence of a file: when one comes or goes, the packages have to be assembled again.
pub fn is_lockfile(path: &RepoPath) -> bool {
    MANAGERS
        .iter()
        .any(|manager| manager.lockfiles.contains(&path.file_name()))
}

/// What a manifest says, from its file name and text alone; `None` for a file that is not a manifest.
pub fn read(path: &RepoPath, text: &str) -> Option<Manifest> {
    let (manager, _) = row_of(path.file_name())?;
    Some((manager.read)(path.file_name(), text))
}

/// The row that reads a file, and the place of its pattern: exact names before endings.
fn row_of(file_name: &str) -> Option<(&'static PackageManager, usize)> {
    let find = |fits: &dyn Fn(&str) -> bool| {
        MANAGERS.iter().find_map(|manager| {
            let rank = manager.manifests.iter().position(|pattern| fits(pattern))?;
            Some((*manager, rank))
        })
    };
    find(&|pattern| pattern == file_name).or_else(|| {
        find(&|pattern| {
            let ending = pattern.strip_prefix('*');
            ending.is_some_and(|ending| file_name.len() > ending.len() && file_name.ends_with(ending))
        })
    })
}

/// Whether a folder holds material of tests, templates or copies of other people's code, by its name.
pub fn is_material(folder: &str) -> bool {
    fixture::is_fixture(folder)
}
