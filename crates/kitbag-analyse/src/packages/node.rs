//! npm, pnpm, Yarn and Bun: one manifest, four managers. `workspaces` in `package.json`, `packages` in `pnpm-workspace.yaml`.
//!
//! Which manager it is: what `packageManager` says, else the workspace file, else the nearest lockfile upwards, else npm.
//! A dependency belongs to the project when a package of the tree has its name, as all four link it then, or when it names a folder.

use super::manifest::{Dependency, DependencyKind, Manifest, Member, Project, Stated, Target};
use super::{Family, PackageManager};
use crate::formats::tree::{self, Node};

const FAMILY: Family = Family {
    name: "node",
    languages: &[
        ("javascript", &["js", "jsx", "mjs", "cjs", "vue", "svelte"]),
        ("typescript", &["ts", "tsx", "mts", "cts"]),
    ],
    language_files: &[("typescript", "tsconfig.json")],
    imports: super::ImportRule::Name {
        mark: "/",
        spelling: super::as_written,
    },
    ..Family::PLAIN
};

pub(super) const NPM: PackageManager = PackageManager {
    name: "npm",
    family: &FAMILY,
    manifests: &["package.json"],
    lockfiles: &["package-lock.json", "npm-shrinkwrap.json"],
    read: read_package,
};
pub(super) const PNPM: PackageManager = PackageManager {
    name: "pnpm",
    family: &FAMILY,
    manifests: &["pnpm-workspace.yaml"],
    lockfiles: &["pnpm-lock.yaml", "pnpm-workspace.yaml"],
    read: read_pnpm,
};
pub(super) const YARN: PackageManager = PackageManager {
    name: "yarn",
    family: &FAMILY,
    manifests: &[],
    lockfiles: &["yarn.lock"],
    read: read_package,
};
pub(super) const BUN: PackageManager = PackageManager {
    name: "bun",
    family: &FAMILY,
    manifests: &[],
    lockfiles: &["bun.lock", "bun.lockb"],
    read: read_package,
};

const SECTIONS: &[(&str, DependencyKind)] = &[
    ("dependencies", DependencyKind::Direct),
    ("peerDependencies", DependencyKind::Peer),
    ("optionalDependencies", DependencyKind::Optional),
    ("devDependencies", DependencyKind::Dev),
];

fn read_package(_: &str, text: &str) -> Manifest {
    let root = match tree::json(text) {
        Ok(root) => root,
        Err(note) => return Manifest::unread(note),
    };
    let mut project = Project::stated_in(&root);
    project.name = project.name.filter(|name| !name.text.is_empty());
    for (section, kind) in SECTIONS {
        for entry in root.get(section).map_or(&[][..], Node::entries) {
            project
                .dependencies
                .push(dependency(&entry.key, entry.node.text(), *kind, entry.line));
        }
    }
    let says_typescript = root.get("types").is_some()
        || root.get("typings").is_some()
        || project
            .dependencies
            .iter()
            .any(|dependency| dependency.name == "typescript");
    project.language = says_typescript.then_some("typescript");
    // A `package.json` that only says how the files of its folder are loaded (`{"type": "module"}`) is not a package.
    if project.name.is_none() && project.dependencies.is_empty() && root.get("workspaces").is_none() {
        project.standing = match root.get("scripts") {
            Some(_) => super::manifest::Standing::Likely,
            None => super::manifest::Standing::Part,
        };
    }
    let workspaces = root
        .get("workspaces")
        .map(|node| node.get("packages").unwrap_or(node));
    let named = Stated::under(&root, "packageManager");
    Manifest {
        projects: vec![project],
        members: workspaces.map(members),
        manager: named.and_then(|named| manager(named.text.split('@').next().unwrap_or_default())),
        ..Manifest::default()
    }
}

fn read_pnpm(_: &str, text: &str) -> Manifest {
    match tree::yaml(text) {
        Ok(root) => Manifest {
            // Without `packages` the file holds settings, and the root is the only package.
            members: Some(root.get("packages").map_or(Vec::new(), members)),
            manager: Some("pnpm"),
            ..Manifest::default()
        },
        Err(note) => Manifest::unread(note),
    }
}

fn members(list: &Node) -> Vec<Member> {
    let items = list.items().iter();
    let members = items.filter_map(|item| {
        let text = item.text()?;
        let (pattern, excludes) = match text.strip_prefix('!') {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        // Yarn and npm read `/packages/*` as starting at the workspace.
        Some(Member::new(pattern.trim_start_matches('/'), item.line, excludes))
    });
    members.collect()
}

fn manager(name: &str) -> Option<&'static str> {
    [NPM.name, PNPM.name, YARN.name, BUN.name]
        .into_iter()
        .find(|known| *known == name)
}

fn dependency(name: &str, requirement: Option<&str>, kind: DependencyKind, line: u32) -> Dependency {
    let wanted = requirement.unwrap_or_default();
    let path = ["file:", "link:", "portal:"]
        .iter()
        .find_map(|prefix| wanted.strip_prefix(prefix));
    let target = match path {
        Some(path) => Target::Path(path.to_owned()),
        // `npm:other@1` installs another package under this name.
        None if wanted.starts_with("npm:") && !wanted["npm:".len()..].starts_with(name) => Target::Outside,
        None => Target::Name,
    };
    Dependency::named(name, kind, line)
        .version(requirement)
        .to(target)
}
