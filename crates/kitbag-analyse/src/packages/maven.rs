//! Maven: `<modules>` recursively, those of profiles too, coordinates inherited from `<parent>`, properties.
//!
//! A dependency belongs to the project when group and artifact are those of a module. The parent counts as a dependency of
//! kind `build`: a change to it reaches every module below.

use super::manifest::{Dependency, DependencyKind, Manifest, Member, Project, Stated, Target};
use super::{Family, Inheritance, PackageManager};
use crate::formats::xml::{self, Element};

const FAMILY: Family = Family {
    name: "maven",
    languages: &[
        ("java", &["java"]),
        ("kotlin", &["kt", "kts"]),
        ("scala", &["scala"]),
        ("groovy", &["groovy"]),
    ],
    inheritance: Inheritance::Parent,
    imports: super::ImportRule::Path {
        mark: ".",
        roots: &[],
    },
    ..Family::PLAIN
};

pub(super) const MAVEN: PackageManager = PackageManager {
    name: "maven",
    family: &FAMILY,
    manifests: &["pom.xml"],
    lockfiles: &["mvnw"],
    read,
};

fn read(_: &str, text: &str) -> Manifest {
    let root = match xml::xml(text) {
        Ok(root) => root,
        Err(note) => return Manifest::unread(note),
    };
    if root.name != "project" {
        return Manifest::default();
    }
    let mut manifest = Manifest::default();
    let parent = root.child("parent");
    let fact = |key: &str| stated(&root, key);
    let of_parent = |key: &str| parent.and_then(|parent| stated(parent, key));
    let artifact = fact("artifactId");
    let group = fact("groupId").or_else(|| of_parent("groupId"));
    let version = fact("version").or_else(|| of_parent("version"));
    for property in root.all("properties").flat_map(|properties| &properties.children) {
        let value = Stated::new(property.text(), property.line);
        manifest.shared.insert(property.name.clone(), value);
    }
    for (key, value) in [
        ("artifactId", &artifact),
        ("groupId", &group),
        ("version", &version),
    ] {
        if let Some(value) = value {
            manifest.shared.insert(format!("project.{key}"), value.clone());
        }
    }
    for (key, value) in [
        ("groupId", of_parent("groupId")),
        ("version", of_parent("version")),
    ] {
        if let Some(value) = value {
            manifest.shared.insert(format!("project.parent.{key}"), value);
        }
    }
    let mut members = Vec::new();
    for modules in [root.below("modules"), root.below("subprojects")].concat() {
        for module in &modules.children {
            if matches!(module.name.as_str(), "module" | "subproject") && !module.text().is_empty() {
                members.push(Member::new(module.text(), module.line, false));
            }
        }
    }
    manifest.members = (!members.is_empty()).then_some(members);

    let mut project = Project {
        line: artifact.as_ref().map_or(root.line, |artifact| artifact.line),
        version,
        description: fact("description").or_else(|| fact("name")),
        ..Project::default()
    };
    if let (Some(group), Some(artifact)) = (&group, &artifact) {
        project.aliases.push(format!("{}:{}", group.text, artifact.text));
    }
    project.name = artifact;
    project.dependencies = dependencies(&root);
    if let Some(parent) = parent {
        let path = parent.child("relativePath");
        let line = path.map_or(parent.line, |path| path.line);
        let text = path.map_or("../pom.xml", Element::text);
        // An empty `<relativePath/>` says that the parent is not in the tree.
        if !text.is_empty() {
            manifest.parent = Some(Stated::new(text, line));
        }
        project
            .dependencies
            .extend(dependency(parent, DependencyKind::Build));
    }
    manifest.projects.push(project);
    manifest
}

/// Of the project, of its profiles and of what builds it.
fn dependencies(root: &Element) -> Vec<Dependency> {
    let mut found = Vec::new();
    let profiles = root.all("profiles").flat_map(|profiles| profiles.all("profile"));
    for scope in std::iter::once(root).chain(profiles) {
        let managed = scope
            .child("dependencyManagement")
            .and_then(|managed| managed.child("dependencies"));
        let direct = scope.child("dependencies");
        for element in direct.into_iter().flat_map(|list| list.all("dependency")) {
            let kind = match (
                element.child("scope").map(Element::text),
                element.child("optional"),
            ) {
                (Some("test"), _) => DependencyKind::Dev,
                (Some("provided" | "system"), _) => DependencyKind::Peer,
                (_, Some(optional)) if optional.text() == "true" => DependencyKind::Optional,
                _ => DependencyKind::Direct,
            };
            found.extend(dependency(element, kind));
        }
        // Only an imported list of versions is a dependency; the others only say which version would be taken.
        for element in managed.into_iter().flat_map(|list| list.all("dependency")) {
            if element
                .child("scope")
                .is_some_and(|scope| scope.text() == "import")
            {
                found.extend(dependency(element, DependencyKind::Build));
            }
        }
    }
    for plugin in root
        .child("build")
        .and_then(|build| build.child("plugins"))
        .into_iter()
        .flat_map(|list| list.all("plugin"))
    {
        found.extend(dependency(plugin, DependencyKind::Build));
        for element in plugin.all("dependencies").flat_map(|list| list.all("dependency")) {
            found.extend(dependency(element, DependencyKind::Build));
        }
    }
    found
}

fn dependency(element: &Element, kind: DependencyKind) -> Option<Dependency> {
    let artifact = element.child("artifactId")?;
    // Plugins without a group are Maven's own.
    let group = element
        .child("groupId")
        .map_or("org.apache.maven.plugins", Element::text);
    let name = format!("{group}:{}", artifact.text());
    let version = element.child("version").map(Element::text);
    Some(
        Dependency::named(name, kind, artifact.line)
            .version(version)
            .to(Target::Name),
    )
}

fn stated(element: &Element, key: &str) -> Option<Stated> {
    let child = element.child(key)?;
    (!child.text().is_empty()).then(|| Stated::new(child.text(), child.line))
}
