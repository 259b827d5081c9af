//! Languages are data in four places: a row, a query, a fixture, a snapshot. A language that has only three of them is
//! either untested or unreachable; this finds the missing one by file names.

#[cfg(test)]
mod tests;

use super::File;

const ROOM: &str = "crates/kitbag-syntax/";
const QUERY: &str = "/tags.scm";

pub(super) fn check(files: &[File]) -> Vec<String> {
    let inside: Vec<(&str, &str)> = files
        .iter()
        .filter_map(|file| {
            file.path
                .strip_prefix(ROOM)
                .map(|path| (path, file.text.as_str()))
        })
        .collect();
    let table: String = inside
        .iter()
        .filter(|(path, _)| *path == "src/languages.rs" || path.starts_with("src/languages/"))
        .map(|(_, text)| *text)
        .collect();

    let mut problems = Vec::new();
    for name in folders(&inside) {
        let has = |wanted: &dyn Fn(&str) -> bool| inside.iter().any(|(path, _)| wanted(path));
        let fixture = format!("fixtures/{name}.");
        let snapshot = |path: &str| {
            path.ends_with(".snap")
                && path
                    .rsplit('/')
                    .next()
                    .is_some_and(|file| words(file).any(|word| word == name))
        };
        let checks = [
            (
                has(&|path| path == format!("queries/{name}{QUERY}")),
                format!("queries/{name}{QUERY}"),
            ),
            (
                has(&|path| path.starts_with(&fixture)),
                format!("{fixture}<extension>"),
            ),
            (
                has(&snapshot),
                format!("a snapshot with {name} in its name (run its tests, review, keep the .snap)"),
            ),
            (
                table.contains(&format!("queries/{name}{QUERY}")),
                "a row in src/languages/table.rs".to_owned(),
            ),
        ];
        let missing = checks.into_iter().filter(|(there, _)| !there);
        problems.extend(missing.map(|(_, what)| format!("{ROOM}: language {name} lacks {what}")));
    }
    problems
}

/// The names of the folders under `queries/`, each once, in order.
fn folders<'a>(inside: &[(&'a str, &str)]) -> Vec<&'a str> {
    let mut names: Vec<&str> = inside
        .iter()
        .filter_map(|(path, _)| path.strip_prefix("queries/")?.split_once('/'))
        .map(|(name, _)| name)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// `kitbag_syntax__languages__tests__c_sharp.snap` → the file's words between `__`, `@` and `.`, so that `c` is not found in `css`.
fn words(file: &str) -> impl Iterator<Item = &str> {
    file.split("__").flat_map(|part| part.split(['@', '.']))
}
