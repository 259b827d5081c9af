//! Folders whose manifests are material of tests, templates, samples or copies of other people's code, known by their names.
//!
//! Only asked about manifests that no workspace lists: what a workspace lists is a package wherever it stands. A folder
//! that merely ends in `-tests` is not meant, since test projects of the project itself are called so.

#[cfg(test)]
mod tests;

/// Compared with whole parts of a path, in lower case. Sorted.
const FOLDERS: &[&str] = &[
    "__fixtures__",
    "__mocks__",
    "__snapshots__",
    "__testfixtures__",
    "__tests__",
    "_fixtures",
    "archetype-resources",
    "blueprints",
    "boilerplate",
    "boilerplates",
    "bower_components",
    "deps",
    "e2e",
    "external",
    "fixture",
    "fixtures",
    "goldens",
    "mock",
    "mocks",
    "node_modules",
    "pods",
    "resources",
    "scaffold",
    "scaffolding",
    "scaffolds",
    "skeleton",
    "skeletons",
    "snapshots",
    "spec",
    "specs",
    "stubs",
    "template",
    "templates",
    "test",
    "test-data",
    "test_data",
    "testcases",
    "testdata",
    "tests",
    "third-party",
    "third_party",
    "thirdparty",
    "vendor",
    "vendored",
    "vendors",
];

/// Copies of other people's code, whoever builds them. Sorted.
const VENDORED: &[&str] = &[
    "3rdparty",
    "deps",
    "extern",
    "external",
    "third-party",
    "third_party",
    "thirdparty",
    "vendor",
    "vendored",
    "vendors",
];

/// Words that say so anywhere in a part: `cli-fixtures`, `template-react`.
const WORDS: &[&str] = &["fixture", "fixtures", "template", "templates", "testdata"];

/// Folders of samples, documentation and tests (`tooling-tests/projects/a`): packages where nothing else is said, but not below
/// a workspace that leaves them out.
const SAMPLES: &[&str] = &[
    "benchmark",
    "benchmarks",
    "demo",
    "demos",
    "doc",
    "docs",
    "documentation",
    "example",
    "examples",
    "playground",
    "playgrounds",
    "sample",
    "samples",
    "snippets",
    "tutorial",
    "tutorials",
];

pub(super) fn is_sample(folder: &str) -> bool {
    folder.split('/').any(|part| {
        let part = part.to_lowercase();
        let is_test = |word: &str| matches!(word, "test" | "tests");
        SAMPLES.binary_search(&part.trim_start_matches('_')).is_ok()
            || part.split(['-', '_', '.']).any(is_test)
    })
}

pub(super) fn is_vendored(folder: &str) -> bool {
    let mut parts = folder.split('/');
    parts.any(|part| VENDORED.binary_search(&part.to_lowercase().as_str()).is_ok())
}

pub(super) fn is_fixture(folder: &str) -> bool {
    folder.split('/').any(|part| {
        let part = part.to_lowercase();
        FOLDERS.binary_search(&part.as_str()).is_ok()
            || part.split(['-', '_', '.']).any(|word| WORDS.contains(&word))
    })
}
