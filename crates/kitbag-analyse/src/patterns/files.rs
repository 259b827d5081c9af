//! Files: what they are called, import, hold and avoid, and which other file goes with them.

use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::{FactKind, Value};

use super::functions::cases;
use super::reading::Reading;
use super::tuning::MAX_FEATURES;
use super::units::{UnitKind, Units};
use super::{Role, Source};
use crate::code::folder_of;

/// The paths of a tree, for what goes together.
pub(super) struct Known<'k> {
    paths: BTreeSet<&'k str>,
    /// Paths of tests by the name of what they test.
    tests: BTreeMap<String, Vec<&'k str>>,
    /// Folders that are Python packages.
    pub(super) packages: BTreeSet<&'k str>,
}

impl<'k> Known<'k> {
    pub(super) fn new(files: &'k [Source<'k>]) -> Self {
        let mut tests: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for file in files.iter().filter(|file| file.role == Role::Test) {
            let path = file.path.as_str();
            tests.entry(tested(path)).or_default().push(path);
        }
        let is_init = |file: &&Source<'_>| file.path.file_name() == "__init__.py";
        Self {
            paths: files.iter().map(|file| file.path.as_str()).collect(),
            tests,
            packages: files
                .iter()
                .filter(is_init)
                .map(|file| file.path.folder())
                .collect(),
        }
    }

    /// The folder of the outermost Python package around a file.
    pub(super) fn package_of(&self, path: &'k str) -> Option<&'k str> {
        let mut found = None;
        let mut folder = folder_of(path);
        while self.packages.contains(folder) {
            found = Some(folder);
            if folder.is_empty() {
                break;
            }
            folder = folder_of(folder);
        }
        found
    }
}

/// What a test is called after: `foo` of `test_foo.py`, `foo_test.go`, `Foo.spec.ts`, `FooTests.java`.
fn tested(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let bare = stem
        .strip_prefix("test_")
        .or_else(|| stem.strip_suffix("_test"))
        .or_else(|| stem.strip_suffix("_spec"))
        .or_else(|| stem.strip_suffix("Tests"))
        .or_else(|| stem.strip_suffix("Test"))
        .or_else(|| stem.strip_suffix("Spec"))
        .unwrap_or(stem);
    bare.to_lowercase()
}

pub(super) fn add(units: &mut Units, file: &Reading<'_>) {
    let path = file.source.path;
    let stem = path.file_name().split('.').next().unwrap_or_default();
    let mut features = Vec::new();
    cases(stem, &mut features);
    shape(file, &mut features);
    endings(path.file_name(), &mut features);
    companions(file, &mut features);
    holds(file, &mut features);
    avoids(file, &mut features);
    let mut modules: BTreeSet<String> = BTreeSet::new();
    for (_, fact) in file.facts(FactKind::Import) {
        let module = fact.annotation.trim();
        if module.is_empty() || module.len() > 80 || module.contains(['{', ' ', '*']) {
            continue;
        }
        let item = match fact.arguments.first() {
            Some(Value::Text(item)) => Some(item),
            _ => None,
        };
        if !module.starts_with('.') {
            modules.insert(format!("imports={module}"));
        }
        if let Some(item) = item.filter(|item| item.len() <= 60) {
            let module = if module.starts_with('.') { "" } else { module };
            modules.insert(format!("imports={module}#{item}"));
        }
    }
    features.extend(modules.into_iter().take(MAX_FEATURES));
    units.add(file.unit(UnitKind::File, 1, path.file_name(), features));
}

fn shape(file: &Reading<'_>, features: &mut Vec<String>) {
    let first = file.lines.first().map_or("", |line| line.trim());
    if first.starts_with("/*") || first.starts_with("// Copyright") || first.starts_with("# Copyright") {
        features.push("header".to_owned());
    }
    let has_functions = file.facts(FactKind::Function).next().is_some();
    if has_functions {
        features.push("has-functions".to_owned());
    }
    if file
        .lines
        .iter()
        .any(|line| line.starts_with("from __future__ import annotations"))
    {
        features.push("future-annotations".to_owned());
    }
    let strict = |line: &&str| line.contains("declare(strict_types=1)");
    if file.is(&["php"]) && file.lines.iter().take(12).any(strict) {
        features.push("strict-types".to_owned());
    }
    if file.is(&["ruby"]) && first.contains("frozen_string_literal: true") {
        features.push("frozen-strings".to_owned());
    }
    if file.is(&["rust"])
        && file
            .lines
            .first()
            .is_some_and(|line| line.starts_with("//!") || line.starts_with("/*!"))
    {
        features.push("module-doc".to_owned());
    }
    if file.is(&["python"])
        && ["\"\"\"", "r\"\"\"", "'''"]
            .iter()
            .any(|quote| first.starts_with(quote))
    {
        features.push("module-doc".to_owned());
    }
    if file.is_script() && first.trim_end_matches(';').trim_matches(['"', '\'']) == "use client" {
        features.push("use-client".to_owned());
    }
    if file
        .source
        .path
        .folder()
        .split('/')
        .any(|folder| folder == "__tests__")
    {
        features.push("in-tests-folder".to_owned());
    }
    if file.is(&["csharp"]) && file.lines.iter().any(|line| line.starts_with("namespace ")) {
        features.push("has-namespace".to_owned());
        if file
            .lines
            .iter()
            .any(|line| line.starts_with("namespace ") && line.trim_end().ends_with(';'))
        {
            features.push("file-scoped-namespace".to_owned());
        }
    }
}

/// How the name of the file ends: `.spec.ts`, `_test.go`, `Controller.php`.
fn endings(name: &str, features: &mut Vec<String>) {
    let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
    if extension.contains('.') {
        features.push(format!("ends=.{extension}"));
    }
    if let Some(word) = super::names::suffix(stem) {
        let joined = stem[..stem.len() - word.len()].chars().next_back();
        let mark = joined
            .filter(|c| !c.is_alphanumeric())
            .map_or(String::new(), String::from);
        features.push(format!("ends={mark}{word}.{extension}"));
    }
    if let Some(word) = super::names::prefix(stem).filter(|word| stem[word.len()..].starts_with('_')) {
        features.push(format!("begins={word}_"));
    }
    features.push(format!("is={name}"));
}

/// Tests beside sources, and sources beside tests.
fn companions(file: &Reading<'_>, features: &mut Vec<String>) {
    let path = file.source.path.as_str();
    let folder = folder_of(path);
    let name = file.source.path.file_name();
    let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
    let beside = |name: String| {
        let whole = if folder.is_empty() {
            name
        } else {
            format!("{folder}/{name}")
        };
        file.known.paths.contains(whole.as_str())
    };
    if file.is_test() {
        if let Some(source) = stem.strip_suffix("_test") {
            features.push("test-suffix".to_owned());
            if beside(format!("{source}.{extension}")) {
                features.push("beside-source".to_owned());
            }
        }
        if let Some(extension) = extension
            .strip_prefix("spec.")
            .or_else(|| extension.strip_prefix("test."))
        {
            features.push("test-suffix".to_owned());
            if beside(format!("{stem}.{extension}")) {
                features.push("beside-source".to_owned());
            }
        }
        return;
    }
    let tests = file.known.tests.get(&stem.to_lowercase());
    let same = |test: &&&str| test.rsplit('.').next() == path.rsplit('.').next();
    let tests = tests.map_or(&[][..], Vec::as_slice);
    if tests.iter().any(|test| same(&test)) {
        features.push("has-test".to_owned());
    }
    if tests.iter().any(|test| folder_of(test) == folder) {
        features.push("has-test-beside".to_owned());
    }
}

/// Tests and definitions inside.
fn holds(file: &Reading<'_>, features: &mut Vec<String>) {
    let is_test_mark = |name: &str| matches!(name, "test" | "Test" | "Fact" | "Theory" | "ParameterizedTest");
    let mut has_tests = file
        .facts(FactKind::Mark)
        .any(|(_, mark)| is_test_mark(crate::code::last_name(&mark.name)));
    if file.is(&["python"]) && file.is_test() {
        has_tests |= file
            .facts(FactKind::Function)
            .any(|(_, fact)| fact.name.starts_with("test"));
    }
    // Tests inside macros are no facts.
    if file.is(&["rust"]) {
        has_tests |= file.lines.iter().any(|line| line.trim() == "#[test]");
    }
    if file.is_script() {
        has_tests |= file.facts(FactKind::Call).any(|(_, call)| {
            call.receiver.is_none() && matches!(call.name.as_str(), "describe" | "it" | "test")
        });
    }
    if has_tests {
        features.push("has-tests".to_owned());
    }
    let in_module = |idx: u32, name: &str| {
        matches!(name, "tests" | "test") && file.marks(idx).any(|mark| mark.name == "cfg")
    };
    if file
        .facts(FactKind::Type)
        .any(|(idx, fact)| in_module(idx, &fact.name))
    {
        features.push("test-module".to_owned());
    }
    if file.is_script() && file.lines.iter().any(|line| line.starts_with("export default")) {
        features.push("default-export".to_owned());
    }
    if file.is(&["java", "kotlin", "csharp"]) {
        let stem = file.source.path.stem();
        for end in ["Tests", "Test", "IT", "Spec"] {
            if stem.ends_with(end) {
                features.push(format!("stem-ends={end}"));
                break;
            }
        }
    }
}

/// What a file could hold and does not. Language, name of the feature, and the texts of which none may stand in its code.
const AVOIDED: &[(&str, &str, &[&str])] = &[
    ("rust", "unsafe", &["unsafe"]),
    ("rust", "unwrap()", &[".unwrap()"]),
    ("rust", "println!/dbg!", &["println!", "dbg!"]),
    ("rust", "panic!", &["panic!"]),
    ("go", "panic()", &["panic("]),
    ("go", "fmt.Print", &["fmt.Print("]),
    ("go", "init()", &["func init()"]),
    ("python", "print()", &["print("]),
    ("python", "import *", &["import *"]),
    ("python", "global", &["global "]),
    ("javascript", "console.log", &["console.log"]),
    ("javascript", "var", &["var "]),
    ("javascript", "async/await", &["async", "await"]),
    ("typescript", "console.log", &["console.log"]),
    ("typescript", "async/await", &["async", "await"]),
    ("typescript", "any", &[": any", "as any", "<any>"]),
    ("typescript", "enum", &["enum "]),
    ("typescript", "export default", &["export default"]),
    ("javascript", "export default", &["export default"]),
    ("php", "env()", &["env("]),
    ("php", "dd()/dump()", &["dd(", "dump(", "var_dump("]),
    ("php", "the DB facade", &["DB::"]),
    ("java", "System.out", &["System.out"]),
    ("java", "printStackTrace()", &["printStackTrace("]),
    ("kotlin", "!!", &["!!"]),
    ("kotlin", "println()", &["println("]),
    ("csharp", "Console.WriteLine", &["Console.WriteLine"]),
    ("ruby", "puts", &["puts "]),
    ("elixir", "IO.inspect", &["IO.inspect"]),
    ("swift", "try!", &["try!"]),
    ("swift", "print()", &["print("]),
];

fn avoids(file: &Reading<'_>, features: &mut Vec<String>) {
    let language = match file.source.language {
        "tsx" => "typescript",
        other => other,
    };
    let mut open: Vec<&(&str, &str, &[&str])> = AVOIDED.iter().filter(|row| row.0 == language).collect();
    let mut in_comment = false;
    for line in &file.lines {
        let line = line.trim();
        // The tests of a Rust file stand at its end.
        if language == "rust" && line.starts_with("#[cfg(test)]") {
            break;
        }
        if in_comment {
            in_comment = !line.contains("*/");
            continue;
        }
        if line.starts_with("/*") {
            in_comment = !line.contains("*/");
            continue;
        }
        let code = without_texts(without_comment(line, language));
        let code = code.as_str();
        open.retain(|(_, _, texts)| !texts.iter().any(|text| holds_word(code, text)));
        if open.is_empty() {
            break;
        }
    }
    features.extend(open.iter().map(|(_, name, _)| format!("avoids={name}")));
}

/// The part of a line before `//` or `#`, if that does not stand in a string.
pub(super) fn without_comment<'l>(line: &'l str, language: &str) -> &'l str {
    let marks: &[&str] = match language {
        "python" | "ruby" | "elixir" => &["#"],
        "php" => &["//", "#", "*"],
        _ => &["//"],
    };
    if marks.iter().any(|mark| line.starts_with(mark)) && !line.starts_with("#[") || line.starts_with("* ") {
        return "";
    }
    let mark = marks[0];
    match line.find(mark) {
        Some(at)
            if at > 0
                && !line[..at].ends_with(':')
                && line[..at].matches(['"', '\'', '`']).count().is_multiple_of(2) =>
        {
            &line[..at]
        }
        _ => line,
    }
}

/// A line without what stands in quotes; a quote that is not closed on it is kept.
fn without_texts(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['"', '\'', '`']) {
        let quote = &rest[at..=at];
        let Some(end) = rest[at + 1..].find(quote) else {
            break;
        };
        out.push_str(&rest[..=at]);
        out.push_str(quote);
        rest = &rest[at + end + 2..];
    }
    out.push_str(rest);
    out
}

/// Whether a text stands in a line with no letter before it.
fn holds_word(line: &str, text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '\\';
    line.match_indices(text).any(|(at, _)| {
        let starts = text.starts_with(|c: char| !c.is_alphanumeric())
            || !line[..at].ends_with(is_part) && !line[..at].ends_with(['>', ':', '.']);
        let ends = !text.ends_with(char::is_alphanumeric)
            || !line[at + text.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        starts && ends
    })
}
