//! Composer: every `composer.json` is a package; a repository of them is one split into published parts.
//!
//! Platform packages (`php`, `ext-json`) are not dependencies. A dependency belongs to the project when a package of the tree has
//! its name.

use super::manifest::{Dependency, DependencyKind, Manifest, Project, Standing};
use super::{Family, PackageManager};
use crate::formats::tree::{self, Node};

const FAMILY: Family = Family {
    name: "composer",
    languages: &[("php", &["php", "phtml"])],
    normalise: str::to_lowercase,
    imports: super::ImportRule::Path {
        mark: "\\",
        roots: &[],
    },
    ..Family::PLAIN
};

pub(super) const COMPOSER: PackageManager = PackageManager {
    name: "composer",
    family: &FAMILY,
    manifests: &["composer.json"],
    lockfiles: &["composer.lock"],
    read,
};

fn read(_: &str, text: &str) -> Manifest {
    let root = match tree::json(text) {
        Ok(root) => root,
        Err(note) => return Manifest::unread(note),
    };
    let mut project = Project::stated_in(&root);
    for (section, kind) in [
        ("require", DependencyKind::Direct),
        ("require-dev", DependencyKind::Dev),
    ] {
        for entry in root.get(section).map_or(&[][..], Node::entries) {
            if entry.key.contains('/') {
                let dependency = Dependency::named(&entry.key, kind, entry.line).version(entry.node.text());
                project.dependencies.push(dependency);
            }
        }
    }
    if project.name.is_none() && project.dependencies.is_empty() && root.get("autoload").is_none() {
        project.standing = Standing::Likely;
    }
    Manifest::of(project)
}
