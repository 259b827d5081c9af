//! Bundler: a `.gemspec` is a package; a `Gemfile` alone is one if Ruby stands beside it (a Rails application).
//!
//! Versions of gems are mostly constants of the program and stay unknown. A dependency belongs to the project when a gem of the
//! tree has its name, or by `path:`.

use super::manifest::{Dependency, DependencyKind, Manifest, Project, Standing, Stated, Target};
use super::{Family, PackageManager};
use crate::formats::script::{self, Kind, Script};
use crate::formats::tree;

const FAMILY: Family = Family {
    name: "bundler",
    languages: &[("ruby", &["rb", "rake", "erb"])],
    imports: super::ImportRule::Path {
        mark: "/",
        roots: &["lib"],
    },
    ..Family::PLAIN
};

pub(super) const BUNDLER: PackageManager = PackageManager {
    name: "bundler",
    family: &FAMILY,
    manifests: &["*.gemspec", "Gemfile"],
    lockfiles: &["Gemfile.lock"],
    read,
};

fn read(file_name: &str, text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    let script = Script::new(text, &script::RUBY);
    match file_name {
        "Gemfile" => read_gemfile(&script),
        _ => read_gemspec(file_name, &script),
    }
}

fn read_gemspec(file_name: &str, script: &Script) -> Manifest {
    let stem = file_name.trim_end_matches(".gemspec");
    let mut project = Project {
        line: 1,
        name: Some(Stated::new(stem, 1)),
        ..Project::default()
    };
    for at in 2..script.tokens.len() {
        let line = script.line(at);
        // Always `spec.something`, whatever the variable is called.
        let Some(word) = script.word(at).filter(|_| script.is_mark(at - 1, '.')) else {
            continue;
        };
        let assigned = script.text(at + 2).filter(|_| script.is_mark(at + 1, '='));
        match (word, assigned) {
            ("name", Some(text)) => {
                project.name = Some(Stated::new(text, line));
                project.line = line;
            }
            ("version", Some(text)) => project.version = Some(Stated::new(text, line)),
            ("summary", Some(text)) => project.description = Some(Stated::new(text, line)),
            ("add_dependency" | "add_runtime_dependency" | "add_development_dependency", _) => {
                let kind = match word {
                    "add_development_dependency" => DependencyKind::Dev,
                    _ => DependencyKind::Direct,
                };
                let arguments = script.arguments(at + 1);
                if let Some(name) = script.text(arguments.start) {
                    let version = script.text(arguments.start + 2);
                    project
                        .dependencies
                        .push(Dependency::named(name, kind, line).version(version));
                }
            }
            _ => {}
        }
    }
    Manifest::of(project)
}

fn read_gemfile(script: &Script) -> Manifest {
    let mut project = Project {
        line: 1,
        standing: Standing::Likely,
        ..Project::default()
    };
    // `group :test do … end`: a line that starts with `end` closes the last block.
    let mut blocks: Vec<bool> = Vec::new();
    for at in 0..script.tokens.len() {
        let starts_line = at == 0 || script.tokens[at - 1].kind == Kind::LineEnd;
        match script.word(at) {
            Some("do") => {
                let line = script.line(at);
                let head = (0..at).rev().take_while(|at| script.line(*at) == line);
                let mut dev = false;
                let mut is_group = false;
                for at in head.take(40) {
                    dev |= matches!(script.word(at), Some("test" | "development"));
                    is_group |= script.word(at) == Some("group");
                }
                blocks.push(is_group && dev);
            }
            Some("end") if starts_line => {
                blocks.pop();
            }
            Some("gem") if starts_line => {
                let arguments = script.arguments(at + 1);
                let Some(name) = script.text(arguments.start) else {
                    continue;
                };
                let path = script
                    .labelled_text(arguments.clone(), "path")
                    .map(|(path, _)| path);
                let kind = match blocks.contains(&true) {
                    true => DependencyKind::Dev,
                    false => DependencyKind::Direct,
                };
                let target = path.map_or(Target::Name, |path| Target::Path(path.to_owned()));
                let version = script
                    .text(arguments.start + 2)
                    .filter(|_| script.is_mark(arguments.start + 1, ','));
                let dependency = Dependency::named(name, kind, script.line(at)).version(version);
                project.dependencies.push(dependency.to(target));
            }
            _ => {}
        }
    }
    Manifest::of(project)
}
