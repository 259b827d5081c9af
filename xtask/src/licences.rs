//! `cargo xtask licences`: what the program is made of and under which licences, from cargo's metadata to `THIRD_PARTY.md` (DLV-3).
//!
//! Every crate that ends up in the program must be usable under one of [`ALLOWED`]; of a choice the first allowed licence in that
//! order is taken. `tidy` calls [`check`], so a new dependency with another licence, or a stale file, fails the gate. Tools that also know
//! advisories (`cargo deny`) need a database from the network, which the gate does not have (decision 019): `deny.toml` says the same
//! rules for them.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, ParseMode};

use crate::command::output;

/// The file that is made.
const FILE: &str = "THIRD_PARTY.md";

/// Licences that allow what we do, the ones with the fewest duties first.
pub(crate) const ALLOWED: &[&str] = &[
    "CC0-1.0",
    "MIT-0",
    "MIT",
    "ISC",
    "Zlib",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Unicode-3.0",
    "Apache-2.0",
    "CDLA-Permissive-2.0",
];

/// Data inside crates that has another author than the crate.
const DATA: &[(&str, &str)] = &[
    (
        "vocabularies of o200k and cl100k (in `splintr`)",
        "MIT, Copyright (c) 2022 OpenAI, Shantanu Jain",
    ),
    (
        "SQLite (in `libsqlite3-sys`)",
        "public domain, by its authors' dedication",
    ),
];

/// A crate that ends up in the program.
#[derive(Debug, PartialEq)]
struct Part {
    name: String,
    version: String,
    licence: String,
    /// Lines of its licence files that claim a copyright; its authors where it has none.
    notices: Vec<String>,
}

/// Writes the file.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let text = text(&metadata(root)?)?;
    std::fs::write(root.join(FILE), text).map_err(|error| format!("{FILE}: {error}"))
}

/// What is wrong with licences, or with the file. `metadata`: of the whole graph.
pub(crate) fn check(root: &Path, metadata: &Value) -> Vec<String> {
    let made = match text(metadata) {
        Ok(made) => made,
        Err(problem) => return vec![problem],
    };
    let found = std::fs::read_to_string(root.join(FILE)).unwrap_or_default();
    if found == made {
        Vec::new()
    } else {
        vec![format!("{FILE} is stale: run `cargo xtask licences`")]
    }
}

/// Cargo's metadata of the whole graph, with dependencies.
pub(crate) fn metadata(root: &Path) -> Result<Value, String> {
    let text = output(
        Command::new("cargo")
            .args(["metadata", "--format-version", "1", "--locked"])
            .current_dir(root),
    )?;
    serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))
}

fn text(metadata: &Value) -> Result<String, String> {
    parts(metadata, &|folder| notices(Path::new(folder))).map(|parts| page(&parts))
}

/// The packages that `kitbag` is built from, our own among them. Build scripts and tests are not in the program.
pub(crate) fn in_program(metadata: &Value) -> Vec<&Value> {
    let list = |value: &'static str| metadata[value].as_array().into_iter().flatten();
    let id = |value: &Value| string(&value["id"]);
    let packages: BTreeMap<String, &Value> = list("packages").map(|package| (id(package), package)).collect();
    let nodes = metadata["resolve"]["nodes"].as_array().into_iter().flatten();
    let uses: BTreeMap<String, Vec<String>> = nodes
        .map(|node| {
            let is_normal = |used: &&Value| {
                let mut kinds = used["dep_kinds"].as_array().into_iter().flatten();
                kinds.any(|kind| kind["kind"].is_null())
            };
            let used = node["deps"].as_array().into_iter().flatten();
            (
                id(node),
                used.filter(is_normal).map(|used| string(&used["pkg"])).collect(),
            )
        })
        .collect();
    let own: BTreeSet<String> = list("workspace_members").map(string).collect();
    let program = packages
        .iter()
        .find(|(id, package)| own.contains(*id) && package["name"] == "kitbag");
    let mut waiting: Vec<&str> = program.map(|(id, _)| id.as_str()).into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if seen.insert(id) {
            waiting.extend(uses.get(id).into_iter().flatten().map(String::as_str));
        }
    }
    seen.iter().filter_map(|id| packages.get(*id).copied()).collect()
}

/// The crates of others in the program, by name and version.
fn parts(metadata: &Value, notices: &dyn Fn(&str) -> Vec<String>) -> Result<Vec<Part>, String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let own: BTreeSet<String> = list(&metadata["workspace_members"]).iter().map(string).collect();
    let mut found = Vec::new();
    let mut problems = Vec::new();
    let is_own = |package: &&Value| own.contains(&string(&package["id"]));
    for package in in_program(metadata)
        .into_iter()
        .filter(|package| !is_own(package))
    {
        let (name, version) = (string(&package["name"]), string(&package["version"]));
        let declared = string(&package["license"]);
        let Some(licence) = chosen(&declared) else {
            problems.push(format!("{name} {version}: no allowed licence in `{declared}`"));
            continue;
        };
        let manifest = string(&package["manifest_path"]);
        let folder = manifest.strip_suffix("Cargo.toml").unwrap_or(&manifest);
        let mut notices = notices(folder);
        if notices.is_empty() {
            let name = |author: &Value| string(author).split(" <").next().unwrap_or_default().to_owned();
            notices = list(&package["authors"]).iter().map(name).collect();
        }
        found.push(Part {
            name,
            version,
            licence,
            notices,
        });
    }
    found.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    if problems.is_empty() {
        Ok(found)
    } else {
        Err(problems.join("\n"))
    }
}

/// What an SPDX expression allows us to choose: the fewest licences, of those the first of [`ALLOWED`].
fn chosen(declared: &str) -> Option<String> {
    let mode = ParseMode {
        allow_slash_as_or_operator: true,
        ..ParseMode::LAX
    };
    let expression = Expression::parse_mode(declared, mode).ok()?;
    let fits = |allowed: &[&str]| {
        expression.evaluate(|wanted| {
            wanted.addition.is_none() && wanted.license.id().is_some_and(|id| allowed.contains(&id.name))
        })
    };
    let alone = ALLOWED.iter().find(|licence| fits(&[licence]));
    let pairs = || {
        ALLOWED
            .iter()
            .flat_map(|first| ALLOWED.iter().map(move |second| [*first, *second]))
            .find(|pair| fits(pair))
    };
    alone
        .map(|licence| (*licence).to_owned())
        .or_else(|| pairs().map(|[first, second]| format!("{first} AND {second}")))
}

/// Lines such as `Copyright (c) 2015 The Name` in the licence files of a crate, each once.
fn notices(folder: &Path) -> Vec<String> {
    let mut found = BTreeSet::new();
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in names {
        let name = entry.file_name().to_string_lossy().to_uppercase();
        let is_licence = [
            "LICENSE",
            "LICENCE",
            "COPYING",
            "COPYRIGHT",
            "NOTICE",
            "UNLICENSE",
        ]
        .iter()
        .any(|start| name.starts_with(start));
        if is_licence && let Ok(text) = std::fs::read_to_string(entry.path()) {
            found.extend(
                text.lines()
                    .map(str::trim)
                    .filter(|line| is_notice(line))
                    .map(str::to_owned),
            );
        }
    }
    found.into_iter().collect()
}

/// The texts of licences themselves have lines that begin so and name nobody.
fn is_notice(line: &str) -> bool {
    let lower = line.to_lowercase();
    lower.starts_with("copyright")
        && line.len() < 200
        && (lower.contains("(c)") || lower.contains('©') || line.chars().any(|c| c.is_ascii_digit()))
        && !["[yyyy]", "{yyyy}", "<year>", "[year]"]
            .iter()
            .any(|blank| lower.contains(blank))
}

fn page(parts: &[Part]) -> String {
    let mut page = String::from(
        "# Third-party software\n\n\
         What the `kitbag` program contains besides its own code, the licence under which each part is used, and who holds the\n\
         copyright. Made by `cargo xtask licences`; the gate checks that it is up to date.\n\n",
    );
    for (what, terms) in DATA {
        page.push_str(&format!("- {what}: {terms}\n"));
    }
    page.push_str("\n| crate | licence | copyright |\n| --- | --- | --- |\n");
    for part in parts {
        page.push_str(&format!(
            "| {} {} | {} | {} |\n",
            part.name,
            part.version,
            part.licence,
            part.notices.join("; ").replace('|', "\\|")
        ));
    }
    let used: BTreeSet<&str> = parts
        .iter()
        .flat_map(|part| part.licence.split(" AND "))
        .collect();
    page.push_str("\n## The licences\n");
    for id in ALLOWED
        .iter()
        .filter(|id| used.contains(**id))
        .filter_map(|id| spdx::license_id(id))
    {
        page.push_str(&format!(
            "\n### {}\n\n~~~text\n{}\n~~~\n",
            id.name,
            id.text().trim()
        ));
    }
    page
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
