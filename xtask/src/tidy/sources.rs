//! Rules for Rust files: module docs, length, names and words, forgotten tests.
//!
//! Works on lines, not on syntax: the rules are about what a reader sees at a glance. Fixtures are input data of tests
//! and obey nothing.

#[cfg(test)]
mod tests;

use super::File;

/// Above this a file holds a second idea. Tests and tables may be long.
const MAX_LINES: usize = 800;
/// Above this a function does more than one thing.
const MAX_FUNCTION_LINES: usize = 100;
const TABLES: &[&str] = &["keys.rs", "languages.rs", "rules.rs", "table.rs", "tuning.rs"];

/// Forbidden text, when it applies, and what to do instead. Written in two parts, or this file would find itself.
const WORDS: &[(&str, &str)] = &[
    (concat!("FIX", "ME"), "mend it now or open an issue"),
    (concat!("to", "do!("), "build it or leave it out"),
    (concat!("unimpl", "emented!("), "build it or leave it out"),
    (
        concat!("#[ign", "ore"),
        "assert today's answer and say why it is wrong; slow tests run under KITBAG_SLOW=1",
    ),
];

pub(super) fn check(files: &[File]) -> Vec<String> {
    let rust = files
        .iter()
        .filter(|file| file.path.ends_with(".rs") && !is_fixture(&file.path));
    let mut problems: Vec<String> = rust.clone().flat_map(alone).collect();
    problems.extend(rust.filter_map(|file| forgotten_test(file, files)));
    problems
}

/// The rules that need one file only.
fn alone(file: &File) -> Vec<String> {
    let path = &file.path;
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut problems = Vec::new();
    if name == "mod.rs" {
        problems.push(format!(
            "{path}: `foo.rs` beside `foo/` instead of mod.rs; tabs and search results keep their names"
        ));
    }
    let is_test = name == "tests.rs" || path.contains("/tests/");
    if !is_test && name != "build.rs" && !file.text.starts_with("//!") {
        problems.push(format!(
            "{path}: must open with `//!`: what comes in, what goes out, why this way, what it refuses"
        ));
    }
    let n_lines = file.text.lines().count();
    if n_lines > MAX_LINES && !is_test && !TABLES.contains(&name) {
        problems.push(format!(
            "{path}: {n_lines} lines, over {MAX_LINES}; which second idea moved in?"
        ));
    }
    // The samples of the testkit are lists.
    if !is_test && !path.starts_with("crates/kitbag-testkit/") {
        for (line, n_lines) in long_functions(&file.text) {
            problems.push(format!(
                "{path}:{line}: a function of {n_lines} lines, over {MAX_FUNCTION_LINES}; name its parts"
            ));
        }
    }
    for (line_idx, line) in file.text.lines().enumerate() {
        for (word, advice) in WORDS {
            if line.contains(word) && !quoted(line, word) {
                problems.push(format!("{path}:{}: {word}: {advice}", line_idx + 1));
            }
        }
    }
    problems
}

/// Functions that do not fit on two screens, by their first line and how many they have.
fn long_functions(text: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &str| {
        let words = line.trim_start();
        let words = words.strip_prefix("pub").map_or(words, |rest| {
            let rest = rest
                .split_once(") ")
                .filter(|_| rest.starts_with('('))
                .map_or(rest, |(_, rest)| rest);
            rest.trim_start()
        });
        let words = words.strip_prefix("const ").unwrap_or(words);
        words.strip_prefix("async ").unwrap_or(words).starts_with("fn ")
    };
    let mut found = Vec::new();
    for (first, line) in lines.iter().enumerate().filter(|(_, line)| begins(line)) {
        let indent = &line[..line.len() - line.trim_start().len()];
        // A declaration without a body ends with its semicolon.
        let ends = |line: &&str| {
            let rest = line.strip_prefix(indent).unwrap_or(" ");
            rest.starts_with('}') || (!rest.starts_with(' ') && rest.ends_with(';'))
        };
        let n_lines = lines[first..].iter().position(ends).map_or(1, |at| at + 1);
        if n_lines > MAX_FUNCTION_LINES {
            found.push((first + 1, n_lines));
        }
    }
    found
}

/// A rule that looks for such words in users' code has to name them: a string literal is not a promise.
fn quoted(line: &str, word: &str) -> bool {
    let comment = line.find("//").unwrap_or(line.len());
    line.find(word)
        .is_some_and(|at| at < comment && line[..at].matches('"').count() % 2 == 1)
}

/// `foo/tests.rs` that `foo.rs` does not declare is never compiled, and looks like a test all the same.
fn forgotten_test(file: &File, files: &[File]) -> Option<String> {
    let folder = file.path.strip_suffix("/tests.rs")?;
    let parents = if folder.ends_with("/src") {
        vec![format!("{folder}/lib.rs"), format!("{folder}/main.rs")]
    } else {
        vec![format!("{folder}.rs")]
    };
    let declared = files
        .iter()
        .filter(|other| parents.contains(&other.path))
        .any(|other| other.text.lines().any(|line| line.trim() == "mod tests;"));
    (!declared).then(|| {
        format!(
            "{}: `mod tests;` is missing in {}",
            file.path,
            parents.join(" or ")
        )
    })
}

fn is_fixture(path: &str) -> bool {
    path.contains("/fixtures/") || path.starts_with("evals/")
}
