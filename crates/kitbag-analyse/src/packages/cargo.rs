//! Cargo: `[workspace]` with `members` and `exclude`, path dependencies as members, inherited fields, `[patch]`.
//!
//! A dependency belongs to the project only if Cargo would take it from the tree: by `path`, by the path that the workspace
//! gives, or by a `[patch]` with a path. An equal name alone means the published crate.

use super::manifest::{Dependency, DependencyKind, Manifest, Member, Project, Stated, Target};
use super::{Family, Inheritance, PackageManager};
use crate::formats::tree::{self, Node};

const FAMILY: Family = Family {
    name: "cargo",
    languages: &[("rust", &["rs"])],
    by_name: false,
    path_members: true,
    inheritance: Inheritance::Workspace,
    imports: super::ImportRule::Name {
        mark: "::",
        spelling: |name| name.replace('-', "_"),
    },
    undeclared_imports: false,
    ..Family::PLAIN
};

pub(super) const CARGO: PackageManager = PackageManager {
    name: "cargo",
    family: &FAMILY,
    manifests: &["Cargo.toml"],
    lockfiles: &["Cargo.lock"],
    read,
};

const SECTIONS: &[(&str, DependencyKind)] = &[
    ("dependencies", DependencyKind::Direct),
    ("dev-dependencies", DependencyKind::Dev),
    ("dev_dependencies", DependencyKind::Dev),
    ("build-dependencies", DependencyKind::Build),
    ("build_dependencies", DependencyKind::Build),
];

fn read(_: &str, text: &str) -> Manifest {
    let root = match tree::toml(text) {
        Ok(root) => root,
        Err(note) => return Manifest::unread(note),
    };
    let mut manifest = Manifest::default();
    if let Some(workspace) = root.get("workspace") {
        read_workspace(workspace, &mut manifest);
    }
    for (registry, is_table) in [("patch", true), ("replace", false)] {
        let Some(table) = root.get(registry) else { continue };
        let inner: Vec<&Node> = match is_table {
            true => table.entries().iter().map(|entry| &entry.node).collect(),
            false => vec![table],
        };
        for table in inner {
            read_section(table, DependencyKind::Direct, &mut manifest.redirects);
        }
    }
    let package = root.get("package").or_else(|| root.get("project"));
    let Some(name) = package
        .and_then(|package| package.get("name"))
        .filter(|name| name.text().is_some())
    else {
        if let Some(package) = package {
            let message = "`[package]` has no `name`; the folder's name is used".to_owned();
            manifest.note("manifest_incomplete", package.line, message);
            manifest.projects.push(Project {
                line: package.line,
                ..Project::default()
            });
        }
        return manifest;
    };
    let package = package.expect("a name was found in it");
    let mut project = Project {
        name: stated(name),
        // Cargo's own default.
        version: inherited(package, "version").or_else(|| Some(Stated::new("0.0.0", package.line))),
        description: inherited(package, "description"),
        line: name.line,
        ..Project::default()
    };
    let targets = root.get("target").map_or(&[][..], Node::entries);
    for table in std::iter::once(&root).chain(targets.iter().map(|entry| &entry.node)) {
        for (section, kind) in SECTIONS {
            if let Some(section) = table.get(section) {
                read_section(section, *kind, &mut project.dependencies);
            }
        }
    }
    // `package.workspace` names the root of a member that does not stand below it.
    manifest.parent = package.get("workspace").and_then(stated);
    manifest.projects.push(project);
    manifest
}

fn read_workspace(workspace: &Node, manifest: &mut Manifest) {
    let list = |key: &str, excludes: bool| {
        let items = workspace.get(key).map_or(&[][..], Node::items);
        let members = items
            .iter()
            .filter_map(move |item| Some(Member::new(item.text()?, item.line, excludes)));
        members.collect::<Vec<Member>>()
    };
    // `exclude` takes away what a pattern adds, but not what is named outright; the last rule that fits decides.
    let (patterns, named): (Vec<Member>, Vec<Member>) = list("members", false)
        .into_iter()
        .partition(|member| member.pattern.contains(['*', '?', '[']));
    manifest.members = Some([patterns, list("exclude", true), named].concat());
    for entry in workspace.get("package").map_or(&[][..], Node::entries) {
        if let Some(value) = stated(&entry.node) {
            manifest.shared.insert(format!("workspace.{}", entry.key), value);
        }
    }
    if let Some(section) = workspace.get("dependencies") {
        read_section(section, DependencyKind::Direct, &mut manifest.shared_dependencies);
        // Members ask by the key, also where the package has another name.
        for (dependency, entry) in manifest.shared_dependencies.iter_mut().zip(section.entries()) {
            dependency.name.clone_from(&entry.key);
        }
    }
}

fn read_section(section: &Node, kind: DependencyKind, into: &mut Vec<Dependency>) {
    for entry in section.entries() {
        let text = |key: &str| entry.node.get(key).and_then(Node::text);
        let flag = |key: &str| entry.node.get(key).is_some_and(Node::is_true);
        let target = match text("path") {
            Some(path) => Target::Path(path.to_owned()),
            None if flag("workspace") => Target::Inherited,
            None => Target::Name,
        };
        let name = text("package").unwrap_or(&entry.key);
        let kind = match kind {
            DependencyKind::Direct if flag("optional") => DependencyKind::Optional,
            kind => kind,
        };
        let dependency = Dependency::named(name, kind, entry.line)
            .version(entry.node.text().or_else(|| text("version")))
            .to(target);
        into.push(dependency);
    }
}

fn inherited(package: &Node, key: &str) -> Option<Stated> {
    let node = package.get(key)?;
    match node.get("workspace") {
        Some(flag) => Some(Stated::new(format!("${{workspace.{key}}}"), flag.line)),
        None => stated(node),
    }
}

fn stated(node: &Node) -> Option<Stated> {
    Some(Stated::new(node.text()?, node.line))
}
