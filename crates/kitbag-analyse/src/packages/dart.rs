//! Dart pub: `pubspec.yaml` with `workspace`, and Melos' list of packages.
//!
//! A dependency belongs to the project by `path:`, or when a package of the tree has its name: in a workspace pub takes that one.

use super::manifest::{Dependency, DependencyKind, Manifest, Member, Project, Target};
use super::{Family, PackageManager};
use crate::formats::tree::{self, Node};

const FAMILY: Family = Family {
    name: "pub",
    languages: &[("dart", &["dart"])],
    path_members: true,
    // What `flutter create` makes for each system that an app runs on.
    hosts: &["android", "ios", "linux", "macos", "windows"],
    imports: super::ImportRule::Name {
        mark: "/",
        spelling: super::as_written,
    },
    ..Family::PLAIN
};

pub(super) const PUB: PackageManager = PackageManager {
    name: "pub",
    family: &FAMILY,
    manifests: &["pubspec.yaml", "melos.yaml"],
    lockfiles: &["pubspec.lock"],
    read,
};

fn read(file_name: &str, text: &str) -> Manifest {
    let root = match tree::yaml(text) {
        Ok(root) => root,
        Err(note) => return Manifest::unread(note),
    };
    let list = |key: &str, excludes: bool| {
        let items = root.get(key).map_or(&[][..], Node::items).iter();
        let members = items.filter_map(move |item| Some(Member::new(item.text()?, item.line, excludes)));
        members.collect::<Vec<Member>>()
    };
    if file_name == "melos.yaml" {
        let members = Some([list("packages", false), list("ignore", true)].concat());
        return Manifest {
            members,
            ..Manifest::default()
        };
    }
    let mut project = Project::stated_in(&root);
    for (section, kind) in [
        ("dependencies", DependencyKind::Direct),
        ("dev_dependencies", DependencyKind::Dev),
    ] {
        for entry in root.get(section).map_or(&[][..], Node::entries) {
            let path = entry.node.get("path").and_then(Node::text);
            // `flutter: {sdk: flutter}` comes with the tools.
            let target = match (path, entry.node.get("sdk")) {
                (Some(path), _) => Target::Path(path.to_owned()),
                (None, Some(_)) => Target::Outside,
                (None, None) => Target::Name,
            };
            let dependency = Dependency::named(&entry.key, kind, entry.line).version(entry.node.text());
            project.dependencies.push(dependency.to(target));
        }
    }
    let members = root.get("workspace").map(|_| list("workspace", false));
    Manifest {
        members,
        ..Manifest::of(project)
    }
}
