//! Naming conventions of files: which extensions exist, and which paths are tests. The engine fills them from the language
//! rows and passes them to every room that classifies files by name, so that no room keeps a list of its own. No file is
//! read.

use std::collections::BTreeMap;

use crate::RepoPath;

#[cfg(test)]
mod tests;

/// The naming conventions of one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Naming {
    pub language: &'static str,
    /// Lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names.
    pub filenames: &'static [&'static str],
    /// `dir/` matches a folder anywhere in the path; `*_test.go` and `test_*` match file names.
    pub test_paths: &'static [&'static str],
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Conventions {
    namings: Vec<Naming>,
    /// The index into the rows by extension.
    by_extension: BTreeMap<&'static str, usize>,
    /// Extensions of files that no language reads.
    plain_extensions: &'static [&'static str],
    /// Folders that hold tests in any language, lower case.
    test_folders: &'static [&'static str],
}

impl Conventions {
    /// `plain_extensions` are those of files that no language reads; `test_folders` hold tests in any language, lower case.
    pub fn new(
        namings: Vec<Naming>,
        plain_extensions: &'static [&'static str],
        test_folders: &'static [&'static str],
    ) -> Self {
        let rows = namings.iter().enumerate();
        Self {
            by_extension: rows
                .flat_map(|(idx, naming)| naming.extensions.iter().map(move |extension| (*extension, idx)))
                .collect(),
            namings,
            plain_extensions,
            test_folders,
        }
    }

    pub fn namings(&self) -> &[Naming] {
        &self.namings
    }

    pub fn is_language(&self, name: &str) -> bool {
        self.namings.iter().any(|naming| naming.language == name)
    }

    /// Whether a word with this extension is the name of a file.
    pub fn is_extension(&self, extension: &str) -> bool {
        let extension = extension.to_lowercase();
        self.by_extension.contains_key(extension.as_str()) || self.plain_extensions.contains(&&*extension)
    }

    /// Whether a file holds tests: by its folders, by its name, or by the conventions of its language.
    pub fn is_test(&self, path: &RepoPath) -> bool {
        let in_folder = |is_wanted: &dyn Fn(&str) -> bool| path.folder().split('/').any(is_wanted);
        let by_language = |pattern: &str| match pattern.strip_suffix('/') {
            Some(folder) => in_folder(&|part| part.eq_ignore_ascii_case(folder)),
            None => fits(pattern, path.file_name()),
        };
        let test_paths = self.naming_of(path).map_or(&[][..], |naming| naming.test_paths);
        in_folder(&|part| self.test_folders.contains(&&*part.to_lowercase()))
            || is_test_name(path.file_name())
            || test_paths.iter().any(|pattern| by_language(pattern))
    }

    fn naming_of(&self, path: &RepoPath) -> Option<&Naming> {
        let name = path.file_name();
        let by_name = || {
            self.namings
                .iter()
                .find(|naming| naming.filenames.contains(&name))
        };
        let extension = path.extension().map(str::to_lowercase);
        match extension.and_then(|extension| self.by_extension.get(extension.as_str())) {
            Some(idx) => Some(&self.namings[*idx]),
            None => by_name(),
        }
    }
}

/// Whether a file name matches a pattern with at most one `*`.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => name == pattern,
    }
}

/// Whether the name of the file is that of a test: `test_x.py`, `x_test.go`, `x.test.ts`, `XTests.cs`, `x_spec.rb`,
/// `tests.rs`.
fn is_test_name(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let lower = stem.to_lowercase();
    let by_word = lower
        .split(['_', '-', '.'])
        .any(|word| matches!(word, "test" | "tests" | "spec" | "specs"));
    // `FooTest`, `FooTests`, `FooSpec`: the capital excludes `latest` and `contest`.
    by_word
        || ["Test", "Tests", "Spec", "Specs", "TestCase"]
            .iter()
            .any(|end| stem.ends_with(end))
        || lower == "conftest"
}
