//! What kind of file a path names. One classifier for the whole product: tests, examples, other people's code and prose
//! are told apart here and nowhere else, by names only, so that it costs nothing and can be explained.

use kitbag_types::RepoPath;

/// A class that changes how high a file may rise. A file can be of several.
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

const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "spec",
    "specs",
    "testing",
    "e2e",
    "fixtures",
    "testdata",
    "__mocks__",
    "mocks",
];
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
const LEGACY_FOLDERS: &[&str] = &["compat", "legacy", "deprecated", "_compat"];
/// Not `mod.rs` and `index.ts`: in many projects they are where a module is explained and its main types stand.
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
pub fn classes(path: &RepoPath) -> Vec<PathClass> {
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
    add(
        PathClass::Test,
        in_folder(TEST_FOLDERS) || is_test_name(path.file_name()),
    );
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
    // Hidden folders hold what describes the work on a project (workflows, hooks, containers), whatever its extension.
    let hidden = folders.split('/').any(|folder| folder.starts_with('.'));
    add(
        PathClass::Config,
        DATA.contains(&extension) || (hidden && !PROSE.contains(&extension)),
    );
    found
}

/// Is this a test by the name of its file: `test_x.py`, `x_test.go`, `x.test.ts`, `XTests.cs`, `x_spec.rb`, `tests.rs`?
fn is_test_name(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let lower = stem.to_lowercase();
    let by_word = lower
        .split(['_', '-', '.'])
        .any(|word| matches!(word, "test" | "tests" | "spec" | "specs"));
    // `FooTest`, `FooTests`, `FooSpec`: a capital keeps `latest` and `contest` out.
    by_word
        || ["Test", "Tests", "Spec", "TestCase"]
            .iter()
            .any(|end| stem.ends_with(end))
        || lower == "conftest"
}

#[cfg(test)]
mod tests;
