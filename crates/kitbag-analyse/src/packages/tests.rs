//! The loop over the fixtures: every manager has a tree and a snapshot of the packages that come of it. Adding a manager adds
//! no code here. What hostile manifests do is in `hostile`, what holds for any text in `laws` and `fuzz`.

mod fuzz;
mod hostile;
mod laws;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use kitbag_types::RepoPath;

use super::*;

/// The files of one text: each starts with a line `//- path`.
pub(super) fn files(tree: &str) -> Vec<(RepoPath, String)> {
    let mut files: Vec<(RepoPath, String)> = Vec::new();
    for line in tree.split_inclusive('\n') {
        match line.strip_prefix("//- ") {
            Some(path) => files.push((RepoPath::new(path.trim()).unwrap(), String::new())),
            None => files.last_mut().expect("a path comes first").1.push_str(line),
        }
    }
    files
}

pub(super) fn packages_of(files: &[(RepoPath, String)]) -> (Packages, Vec<PlacedNote>) {
    let paths: Vec<RepoPath> = files.iter().map(|(path, _)| path.clone()).collect();
    let manifests: Vec<(&RepoPath, Manifest)> = files
        .iter()
        .filter_map(|(path, text)| Some((path, read(path, text)?)))
        .collect();
    let manifests: Vec<(&RepoPath, &Manifest)> = manifests
        .iter()
        .map(|(path, manifest)| (*path, manifest))
        .collect();
    assemble(&paths, &manifests, "the-root")
}

/// Packages, facts and notes as lines of text.
pub(super) fn show((packages, notes): &(Packages, Vec<PlacedNote>)) -> String {
    let mut out = String::new();
    for package in packages.list() {
        let path = if package.path.is_empty() {
            "."
        } else {
            &package.path
        };
        let place = package.place.as_ref().map_or("nowhere".to_owned(), |place| {
            format!("{}:{}", place.path, place.line)
        });
        let language = package.language.unwrap_or("no language");
        let root = if package.is_root { ", root" } else { "" };
        let name = &package.name;
        let _ = writeln!(
            out,
            "{path}: {name} ({}, {language}{root}, {} files) at {place}",
            package.manager, package.n_files
        );
        for (what, fact) in [
            ("version", &package.version),
            ("description", &package.description),
        ] {
            if let Some(fact) = fact {
                let _ = writeln!(
                    out,
                    "    {what} {} at {}:{}",
                    fact.text, fact.place.path, fact.place.line
                );
            }
        }
        for dependency in &package.dependencies {
            let arrow = if dependency.package.is_some() { "->" } else { "--" };
            let requirement = dependency.requirement.as_deref().unwrap_or("any");
            let place = format!("{}:{}", dependency.place.path, dependency.place.line);
            let _ = writeln!(
                out,
                "    {arrow} {} {requirement} {} at {place}",
                dependency.name,
                dependency.kind.name()
            );
        }
    }
    for note in notes {
        let line = note.note.lines.map_or(0, |lines| lines.start());
        let _ = writeln!(
            out,
            "note {}:{line} {}: {}",
            note.path, note.note.code, note.note.message
        );
    }
    out
}

#[expect(
    clippy::disallowed_methods,
    reason = "fixtures are looked up by the table, so that a row needs no code"
)]
fn fixture(name: &str) -> String {
    let path = format!("{}/fixtures/packages/{name}.tree", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn pkg_1_every_manager_finds_the_packages_of_its_fixture() {
    let rows = MANAGERS.iter().map(|manager| manager.name);
    for name in rows.chain(["polyglot", ROOT]) {
        let found = packages_of(&files(&fixture(name)));
        let shown = show(&found);
        assert!(
            name == "polyglot" || found.0.list().iter().any(|package| package.manager == name),
            "no package of {name}:\n{shown}"
        );
        insta::assert_snapshot!(name, shown);
    }
}

#[test]
fn pkg_1_rows_have_their_own_names_and_manifests() {
    let names: BTreeSet<&str> = MANAGERS.iter().map(|manager| manager.name).collect();
    assert_eq!(names.len(), MANAGERS.len());
    let patterns: Vec<&str> = MANAGERS
        .iter()
        .flat_map(|manager| manager.manifests)
        .copied()
        .collect();
    let distinct: BTreeSet<&str> = patterns.iter().copied().collect();
    assert_eq!(distinct.len(), patterns.len());
}

#[test]
fn pkg_4_byte_order_marks_crlf_and_comments_are_read() {
    for (path, text) in [
        (
            "package.json",
            "\u{feff}{\r\n  // c\r\n  \"name\": \"odd\",\r\n}\r\n",
        ),
        ("Cargo.toml", "\u{feff}[package]\r\nname = \"odd\"\r\n"),
        ("pubspec.yaml", "\u{feff}# c\r\nname: odd\r\n"),
        (
            "pom.xml",
            "\u{feff}<?xml version=\"1.0\"?>\r\n<!-- c -->\r\n<project><artifactId>odd</artifactId></project>",
        ),
        ("go.mod", "\u{feff}// c\r\nmodule odd\r\n"),
        (
            "Package.swift",
            "\u{feff}/* c */\r\nlet p = Package(\r\n name: \"odd\")\r\n",
        ),
    ] {
        let found = packages_of(&[(RepoPath::new(path).unwrap(), text.to_owned())]);
        assert_eq!(found.0.list()[0].name, "odd", "{path}: {}", show(&found));
        assert!(found.1.is_empty(), "{path}: {}", show(&found));
    }
}

#[test]
fn pkg_2_projects_that_settings_only_mention_are_found_and_linked() {
    let found = packages_of(&files(
        "//- settings.gradle.kts\nplugins { id(\"other\") }\nprojects { server { +\"our-core\"\n +\"our-http\" } }\n\
         //- server/our-core/build.gradle.kts\n\
         //- server/our-http/build.gradle.kts\ndependencies { api(projects.ourCore) }\n\
         //- server/other/build.gradle.kts\n",
    ));
    let http = found.0.find("our-http").unwrap();
    let names: Vec<&str> = found.0.list()[http]
        .internal()
        .map(|(_, to)| to.name.as_str())
        .collect();
    assert_eq!(names, [":server:our-core"]);
    assert_eq!(found.0.list().len(), 2, "{}", show(&found));
}
