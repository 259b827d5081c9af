//! Deno: `deno.json` and `deno.jsonc`, with `workspace` as a list or as `{"members": […]}`.
//!
//! Dependencies are the entries of `imports` that name a registry; a package of the tree is meant where it has the name.

use super::manifest::{Dependency, DependencyKind, Manifest, Member, Project, Target};
use super::{Family, PackageManager};
use crate::formats::tree::{self, Node};

const FAMILY: Family = Family {
    name: "deno",
    languages: &[
        ("typescript", &["ts", "tsx", "mts"]),
        ("javascript", &["js", "jsx", "mjs"]),
    ],
    imports: super::ImportRule::Name {
        mark: "/",
        spelling: super::as_written,
    },
    ..Family::PLAIN
};

pub(super) const DENO: PackageManager = PackageManager {
    name: "deno",
    family: &FAMILY,
    manifests: &["deno.json", "deno.jsonc"],
    lockfiles: &["deno.lock"],
    read,
};

fn read(_: &str, text: &str) -> Manifest {
    let root = match tree::json(text) {
        Ok(root) => root,
        Err(note) => return Manifest::unread(note),
    };
    let imports = root.get("imports").map_or(&[][..], Node::entries).iter();
    let dependencies = imports.filter_map(|entry| {
        let text = entry.node.text()?;
        if text.starts_with("./") || text.starts_with("../") {
            let folder = text.rsplit_once('/').map_or(text, |(folder, _)| folder);
            return Some(
                Dependency::named(&entry.key, DependencyKind::Direct, entry.line)
                    .to(Target::Path(folder.to_owned())),
            );
        }
        let (_, rest) = text
            .split_once(':')
            .filter(|(scheme, _)| matches!(*scheme, "jsr" | "npm"))?;
        let (name, version) = split_version(rest.trim_start_matches('/'));
        Some(Dependency::named(name, DependencyKind::Direct, entry.line).version(version))
    });
    let workspace = root
        .get("workspace")
        .map(|node| node.get("members").unwrap_or(node));
    let members = workspace.map(|list| {
        let items = list.items().iter();
        let members = items.filter_map(|item| {
            let text = item.text()?;
            let pattern = text.strip_prefix('!');
            Some(Member::new(pattern.unwrap_or(text), item.line, pattern.is_some()))
        });
        members.collect()
    });
    Manifest {
        members,
        ..Manifest::of(Project {
            dependencies: dependencies.collect(),
            ..Project::stated_in(&root)
        })
    }
}

/// `@std/assert@^1/equals` → the name and the version.
fn split_version(text: &str) -> (&str, Option<&str>) {
    let scope = if text.starts_with('@') { 1 } else { 0 };
    match text[scope..].find('@') {
        Some(at) => {
            let version = &text[scope + at + 1..];
            (&text[..scope + at], version.split('/').next())
        }
        None => {
            let parts = if scope == 1 { 2 } else { 1 };
            let end = text
                .match_indices('/')
                .nth(parts - 1)
                .map_or(text.len(), |(at, _)| at);
            (&text[..end], None)
        }
    }
}
