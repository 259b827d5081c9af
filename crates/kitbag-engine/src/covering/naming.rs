//! What test files are called: after the file that they test, in a folder like its folder. By names only.

use kitbag_types::RepoPath;

/// Files that stand for their folder.
const FOLDER_FILES: &[&str] = &["mod", "lib", "__init__", "index", "main", "init", "tests", "test"];
/// Folders that say nothing about what is in them.
const PLAIN_FOLDERS: &[&str] = &[
    "src",
    "lib",
    "test",
    "tests",
    "__tests__",
    "spec",
    "specs",
    "main",
    "java",
    "kotlin",
    "scala",
    "unit",
    "integration",
    "app",
    "pkg",
    "internal",
    "source",
    "t",
];
/// What a test adds to the name of what it tests.
const AFFIXES: &[&str] = &["testcase", "tests", "test", "specs", "spec"];

/// How much a test file is called after a file of code, 0 to 1.
pub(super) fn likeness(test: &RepoPath, code: &RepoPath) -> f64 {
    let (tested, code_name) = (stem(test, true), stem(code, false));
    if tested.len() < 2 || code_name.len() < 2 {
        return 0.0;
    }
    let alike = if tested == code_name {
        1.0
    } else if folder_names(test).any(|folder| folder == code_name) {
        0.6
    } else if code_name.len() >= 4 && tested.contains(&code_name) {
        0.5
    } else if tested.len() >= 4 && code_name.contains(&tested)
        || tested.len() >= 3 && folder_names(code).any(|folder| folder == tested)
    {
        0.4
    } else {
        return 0.0;
    };
    alike * (0.75 + 0.25 * nearness(test, code))
}

/// How much of the folders that say something they have in common, 0 to 1.
pub(super) fn nearness(test: &RepoPath, code: &RepoPath) -> f64 {
    let (a, b): (Vec<String>, Vec<String>) = (folder_names(test).collect(), folder_names(code).collect());
    if a.is_empty() && b.is_empty() {
        return 1.0;
    }
    let both = a.iter().filter(|folder| b.contains(folder)).count();
    let all = a.len() + b.len() - both;
    both as f64 / all.max(1) as f64
}

fn folder_names(path: &RepoPath) -> impl Iterator<Item = String> {
    let folders = path.folder().split('/').filter(|part| !part.is_empty());
    let told = folders
        .map(joined)
        .filter(|part| !PLAIN_FOLDERS.contains(&part.as_str()));
    told.map(|part| without_affixes(&part).to_owned())
        .filter(|part| !part.is_empty())
}

/// The name of a file in lower case without marks; of one that stands for its folder, the folder's; of a test, without what makes it one.
fn stem(path: &RepoPath, is_test: bool) -> String {
    let name = path.file_name();
    // `a.test.ts`, `a.spec.js`: everything up to the first dot, unless the name begins with it.
    let first = name.trim_start_matches('.').split('.').next().unwrap_or(name);
    let plain = joined(first);
    let told = if is_test {
        without_affixes(&plain).to_owned()
    } else {
        plain
    };
    if told.is_empty() || FOLDER_FILES.contains(&told.as_str()) {
        return folder_names(path).last().unwrap_or_default();
    }
    told
}

fn joined(text: &str) -> String {
    let plain: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
    if text.starts_with("__") {
        text.to_lowercase()
    } else {
        plain.to_lowercase()
    }
}

fn without_affixes(text: &str) -> &str {
    let mut text = text;
    for affix in AFFIXES {
        if let Some(rest) = text.strip_suffix(affix).or_else(|| text.strip_prefix(affix)) {
            text = rest;
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{likeness, nearness};
    use kitbag_types::RepoPath;

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    #[test]
    fn cli_6_tests_are_called_after_code_in_many_ways() {
        let pairs = [
            ("tests/test_parser.py", "src/pkg/parser.py"),
            ("parser_test.go", "parser.go"),
            ("src/parser.test.ts", "src/parser.ts"),
            ("src/parser/test.ts", "src/parser/index.ts"),
            ("spec/parser_spec.rb", "lib/parser.rb"),
            (
                "src/test/java/org/a/ParserTest.java",
                "src/main/java/org/a/Parser.java",
            ),
            ("src/parser/tests.rs", "src/parser.rs"),
            ("test/Parser.Tests/ParserSpecs.cs", "src/Parser/Parser.cs"),
        ];
        for (test, code) in pairs {
            assert!(likeness(&path(test), &path(code)) >= 0.6, "{test} {code}");
            assert_eq!(likeness(&path(test), &path("src/else/other.rs")), 0.0, "{test}");
        }
        let near = |a, b| nearness(&path(a), &path(b));
        assert!(
            near("tests/net/http_test.py", "src/net/http.py")
                > near("tests/db/http_test.py", "src/net/http.py")
        );
    }
}
