//! Swift PM: `Package.swift` is a program, of which the literal arguments of `Package(…)` are read.
//!
//! A dependency by `path` is in the tree; one by `url` or `id` is from outside.

use super::manifest::{Dependency, DependencyKind, Manifest, Project, Stated, Target};
use super::{Family, PackageManager};
use crate::formats::script::{self, Script};
use crate::formats::tree;

const FAMILY: Family = Family {
    name: "swift",
    languages: &[("swift", &["swift"]), ("objective-c", &["m", "mm"])],
    by_name: false,
    ..Family::PLAIN
};

pub(super) const SWIFT: PackageManager = PackageManager {
    name: "swift",
    family: &FAMILY,
    manifests: &["Package.swift"],
    lockfiles: &["Package.resolved"],
    read,
};

fn read(_: &str, text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    let script = Script::new(text, &script::SWIFT);
    let is_call = |at: usize, name: &str| script.word(at) == Some(name) && script.is_mark(at + 1, '(');
    let mut project = Project {
        line: 1,
        ..Project::default()
    };
    if let Some(at) = (0..script.tokens.len()).find(|at| is_call(*at, "Package")) {
        project.line = script.line(at);
        let name = script.labelled_text(script.inside(at + 1), "name");
        project.name = name.map(|(name, line)| Stated::new(name, line));
    }
    for at in 0..script.tokens.len() {
        // `.package(` with a dot; the lists may be filled after the call (`package.dependencies.append(…)`).
        if !is_call(at, "package") || at == 0 || !script.is_mark(at - 1, '.') {
            continue;
        }
        let arguments = script.inside(at + 1);
        let text = |key: &str| script.labelled_text(arguments.clone(), key).map(|(text, _)| text);
        let line = script.line(at);
        let version = text("from").or_else(|| text("exact")).or_else(|| text("branch"));
        let dependency = match (text("path"), text("url").or_else(|| text("id"))) {
            (Some(path), _) => {
                let name = text("name").unwrap_or_else(|| last(path));
                Dependency::named(name, DependencyKind::Direct, line).to(Target::Path(path.to_owned()))
            }
            (None, Some(url)) => {
                let name = text("name").unwrap_or_else(|| last(url));
                Dependency::named(name, DependencyKind::Direct, line)
                    .version(version)
                    .to(Target::Outside)
            }
            _ => continue,
        };
        project.dependencies.push(dependency);
    }
    Manifest::of(project)
}

/// The last part of a path or an address, without `.git`.
fn last(path: &str) -> &str {
    let path = path.trim_end_matches('/').trim_end_matches(".git");
    path.rsplit('/').next().unwrap_or(path)
}
