//! Go: `go.mod` is a package; `go.work` lists the modules that are worked on together.
//!
//! A required module belongs to the project when a `go.mod` of the tree has its path: with `replace` or a workspace that copy is
//! used, and without them it is still the same module.

use super::manifest::{Dependency, DependencyKind, Manifest, Member, Project, Stated, Target};
use super::{Family, PackageManager};
use crate::formats::tree;

const FAMILY: Family = Family {
    name: "go",
    languages: &[("go", &["go"])],
    // A module that `go.work` does not list is a module all the same.
    members_only: false,
    imports: super::ImportRule::Name {
        mark: "/",
        spelling: super::as_written,
    },
    ..Family::PLAIN
};

pub(super) const GO: PackageManager = PackageManager {
    name: "go",
    family: &FAMILY,
    manifests: &["go.mod", "go.work"],
    lockfiles: &["go.sum"],
    read,
};

fn read(file_name: &str, text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    let mut manifest = Manifest::default();
    let mut project = None;
    let mut dependencies = Vec::new();
    let mut members = Vec::new();
    // `require (` opens a block whose lines lack the word.
    let mut block = "";
    for (line_idx, raw) in text.lines().enumerate() {
        let line = line_idx as u32 + 1;
        let (code, comment) = raw.split_once("//").unwrap_or((raw, ""));
        let mut words = words(code).into_iter();
        let directive = match (block, words.as_slice()) {
            (_, []) => continue,
            (_, [")", ..]) => {
                block = "";
                continue;
            }
            ("", [directive, "("]) => {
                block = directive;
                continue;
            }
            ("", _) => words.next().unwrap_or_default(),
            (block, _) => block,
        };
        let words: Vec<&str> = words.collect();
        match (directive, words.as_slice()) {
            ("module", [name, ..]) => {
                let name = Stated::new(*name, line);
                project = Some(Project {
                    line,
                    name: Some(name),
                    ..Project::default()
                });
            }
            ("require", [name, version, ..]) => {
                let kind = match comment.trim().starts_with("indirect") {
                    true => DependencyKind::Indirect,
                    false => DependencyKind::Direct,
                };
                dependencies.push(Dependency::named(*name, kind, line).version(Some(version)));
            }
            ("use", [folder, ..]) => members.push(Member::new(*folder, line, false)),
            ("replace", words) => {
                let arrow = words.iter().position(|word| *word == "=>");
                if let (Some(name), Some(to)) = (words.first(), arrow.and_then(|at| words.get(at + 1)))
                    && (to.starts_with("./") || to.starts_with("../"))
                {
                    let redirect = Dependency::named(*name, DependencyKind::Direct, line);
                    manifest
                        .redirects
                        .push(redirect.to(Target::Path((*to).to_owned())));
                }
            }
            _ => {}
        }
    }
    if file_name == "go.work" {
        manifest.members = Some(members);
        return manifest;
    }
    match project {
        Some(project) => manifest.projects.push(Project {
            dependencies,
            ..project
        }),
        None => manifest.note(
            "manifest_incomplete",
            1,
            "there is no `module` line; the module is not counted".to_owned(),
        ),
    }
    manifest
}

/// Words, with quotes taken off.
fn words(code: &str) -> Vec<&str> {
    let words = code.split_whitespace().map(|word| word.trim_matches(['"', '`']));
    words.filter(|word| !word.is_empty()).collect()
}
