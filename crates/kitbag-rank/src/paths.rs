//! Classifies files by path. This is the only classifier: tests, examples, vendored code and prose are recognised here and nowhere
//! else, by names alone, so that it costs nothing and can be explained. The names of tests come from the language rows, as an
//! argument.

use kitbag_types::{Conventions, RepoPath};

/// A class that affects the rank of a file. A file can have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathClass {
    Test,
    Example,
    Vendored,
    Legacy,
    Reexport,
    Declaration,
    Changelog,
    Docs,
    Config,
}

impl PathClass {
    /// The name of its factor.
    pub fn factor(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Example => "example",
            Self::Vendored => "vendored",
            Self::Legacy => "legacy",
            Self::Reexport => "reexport",
            Self::Declaration => "declaration",
            Self::Changelog => "changelog",
            Self::Docs => "docs",
            Self::Config => "config",
        }
    }
}

const EXAMPLE_FOLDERS: &[&str] = &[
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "docs_src",
    "playground",
];
const VENDORED_FOLDERS: &[&str] = &[
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    "thirdparty",
    "external",
    "_vendor",
    "generated",
    "single_include",
];
const BUILT_FOLDERS: &[&str] = &[
    "_build",
    "bower_components",
    "build",
    "dist",
    "node_modules",
    "out",
    "target",
];
/// Phoenix and others keep built scripts under version control here.
const BUILT_PLACES: &[&str] = &["/priv/static/", "/public/assets/", "/wwwroot/lib/"];
const BUILT_NAMES: &[&str] = &[
    ".bundle.",
    ".generated.",
    ".min.",
    ".pb.",
    "-bundle.",
    "_generated.",
    "_pb2.",
    "_pb2_grpc.",
    ".g.dart",
];
const LEGACY_FOLDERS: &[&str] = &["compat", "legacy", "deprecated", "_compat"];
/// Not `mod.rs` and `index.ts`: in many projects they explain a module and contain its main types.
const REEXPORTS: &[&str] = &["__init__.py", "package-info.java", "prelude.rs"];
const CHANGELOGS: &[&str] = &[
    "changelog",
    "changes",
    "history",
    "news",
    "releases",
    "release-notes",
    "license",
    "licence",
];
const PROSE: &[&str] = &["md", "markdown", "mdx", "rst", "txt", "adoc", "html", "htm"];
const DATA: &[&str] = &[
    "json", "yaml", "yml", "toml", "ini", "cfg", "xml", "csv", "lock", "svg", "po", "css", "scss",
];

/// The classes of a path, each once, in order.
pub fn classes(path: &RepoPath, conventions: &Conventions) -> Vec<PathClass> {
    let lower = path.as_str().to_lowercase();
    let (folders, name) = lower
        .rsplit_once('/')
        .map_or(("", lower.as_str()), |(folders, name)| (folders, name));
    let in_folder = |names: &[&str]| folders.split('/').any(|folder| names.contains(&folder));
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let stem = name.split('.').next().unwrap_or(name);
    let mut found = Vec::new();
    let mut add = |class: PathClass, holds: bool| {
        if holds {
            found.push(class);
        }
    };
    add(PathClass::Test, conventions.is_test(path));
    add(PathClass::Example, in_folder(EXAMPLE_FOLDERS));
    add(
        PathClass::Vendored,
        in_folder(VENDORED_FOLDERS) || name.contains(".generated.") || name.contains(".pb."),
    );
    add(PathClass::Legacy, in_folder(LEGACY_FOLDERS));
    add(PathClass::Reexport, REEXPORTS.contains(&name));
    add(
        PathClass::Declaration,
        name.ends_with(".d.ts") || extension == "pyi",
    );
    let changelog =
        CHANGELOGS.contains(&stem) && (extension.is_empty() || stem == name || PROSE.contains(&extension));
    add(PathClass::Changelog, changelog);
    add(PathClass::Docs, PROSE.contains(&extension) && !changelog);
    // Hidden folders describe the work on a project (workflows, hooks, containers), whatever the extension.
    let hidden = folders.split('/').any(|folder| folder.starts_with('.'));
    add(
        PathClass::Config,
        DATA.contains(&extension) || (hidden && !PROSE.contains(&extension)),
    );
    found
}

/// The order of definitions of the same name by their file: 0 code, 1 examples, 2 tests, 3 vendored code, 4 build output.
pub fn standing(path: &RepoPath, conventions: &Conventions) -> u8 {
    let classes = classes(path, conventions);
    let is = |class| classes.contains(&class);
    if is_built(path) {
        4
    } else if is(PathClass::Vendored) {
        3
    } else if is(PathClass::Test) {
        2
    } else if is(PathClass::Example) {
        1
    } else {
        0
    }
}

/// Whether a build writes this file. It only affects an order, so a folder of sources called `build` loses little.
fn is_built(path: &RepoPath) -> bool {
    let lower = path.as_str().to_lowercase();
    let (folders, name) = lower
        .rsplit_once('/')
        .map_or(("", lower.as_str()), |(folders, name)| (folders, name));
    let in_folder = folders.split('/').any(|folder| BUILT_FOLDERS.contains(&folder));
    in_folder
        || BUILT_PLACES
            .iter()
            .any(|place| format!("/{folders}/").contains(place))
        || BUILT_NAMES.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests;
