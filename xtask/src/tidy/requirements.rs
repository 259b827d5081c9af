//! Ids of requirements: every id that code, tests or documents name has a line in `docs/requirements.md`, and every line there is
//! used. Without this an id in a test name tells a newcomer nothing.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::File;

const HOME: &str = "docs/requirements.md";

/// What ids begin with.
const AREAS: &[&str] = &[
    "CFG", "CLI", "DLV", "ENG", "ERR", "HTTP", "IDX", "INS", "LIB", "MCP", "MEM", "MET", "PACK", "PKG",
    "RET", "SEC", "WEB",
];

pub(super) fn check(files: &[File]) -> Vec<String> {
    let home = files.iter().find(|file| file.path == HOME);
    let mut defined: BTreeMap<String, usize> = BTreeMap::new();
    let mut problems = Vec::new();
    for (line_idx, line) in home.map_or("", |file| &file.text).lines().enumerate() {
        let Some((id, _)) = line.strip_prefix("- ").and_then(|line| line.split_once(": ")) else {
            continue;
        };
        if defined.insert(id.to_owned(), line_idx + 1).is_some() {
            problems.push(format!("{HOME}:{}: {id} stands here twice", line_idx + 1));
        }
    }
    let mut used: BTreeMap<String, String> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path != HOME) {
        for (line_idx, line) in file.text.lines().enumerate() {
            for id in ids(line, file.path.ends_with(".rs")) {
                used.entry(id)
                    .or_insert_with(|| format!("{}:{}", file.path, line_idx + 1));
            }
        }
    }
    for (id, place) in &used {
        if !defined.contains_key(id) {
            problems.push(format!("{place}: {id} has no line in {HOME}"));
        }
    }
    for (id, line_number) in &defined {
        if !used.contains_key(id) {
            problems.push(format!(
                "{HOME}:{line_number}: nothing names {id}; delete the line"
            ));
        }
    }
    problems
}

/// `SEC-4` anywhere; `sec_4_…` as the name of a test.
fn ids(line: &str, is_rust: bool) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut found = Vec::new();
    for word in line.split(|c: char| !is_part(c)) {
        found.extend(id(word, '-'));
    }
    let name = line.trim_start().strip_prefix("fn ").filter(|_| is_rust);
    if let Some(name) = name {
        let mut rest = name;
        // A test may be about several: `cfg_1_cli_3_…`.
        while let Some(id) = id(&rest.to_uppercase(), '_') {
            let n_bytes = id.len() + 1;
            found.push(id);
            rest = rest.get(n_bytes..).unwrap_or_default();
        }
    }
    found
}

/// The id at the beginning of a word, with a dash.
fn id(word: &str, between: char) -> Option<String> {
    let (area, rest) = word.split_once(between)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let ends = rest[digits..].is_empty() || (between == '_' && rest[digits..].starts_with('_'));
    (AREAS.contains(&area) && (1..=3).contains(&digits) && ends)
        .then(|| format!("{area}-{}", &rest[..digits]))
}
