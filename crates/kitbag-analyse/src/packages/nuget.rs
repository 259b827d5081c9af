//! .NET: solutions (`.sln`, `.slnx`) list projects (`.csproj`, `.fsproj`, `.vbproj`); `Directory.Build.props` and
//! `Directory.Packages.props` above a project give it properties and versions.
//!
//! A project is a package under its `PackageId`, else its `AssemblyName`, else the name of its file. Dependencies inside the tree are
//! project references. Conditions are not evaluated: what any of them may add counts, but a property keeps its first value.

use super::manifest::{Dependency, DependencyKind, Manifest, Member, Project, Stated, Target};
use super::{Family, PackageManager};
use crate::formats::tree;
use crate::formats::xml::{self, Element};

const FAMILY: Family = Family {
    name: "nuget",
    languages: &[
        ("csharp", &["cs", "razor", "cshtml"]),
        ("fsharp", &["fs", "fsi", "fsx"]),
        ("visualbasic", &["vb"]),
    ],
    by_name: false,
    path_members: true,
    one_per_folder: false,
    normalise: str::to_lowercase,
    imports: super::ImportRule::Name {
        mark: ".",
        spelling: super::as_written,
    },
    undeclared_imports: false,
    ..Family::PLAIN
};

pub(super) const NUGET: PackageManager = PackageManager {
    name: "nuget",
    family: &FAMILY,
    manifests: &[
        "*.csproj",
        "*.fsproj",
        "*.vbproj",
        "*.sln",
        "*.slnx",
        "Directory.Build.props",
        "Directory.Packages.props",
    ],
    lockfiles: &["packages.lock.json"],
    read,
};

const PROJECTS: &[(&str, &str)] = &[
    (".csproj", "csharp"),
    (".fsproj", "fsharp"),
    (".vbproj", "visualbasic"),
];

fn read(file_name: &str, text: &str) -> Manifest {
    match file_name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "sln" => read_sln(text),
        "slnx" => read_slnx(text),
        "props" => read_props(text),
        _ => read_project(file_name, text),
    }
}

/// `Project("{kind}") = "Name", "path\Name.csproj", "{id}"`.
fn read_sln(text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    let mut members = Vec::new();
    for (line_idx, line) in text.lines().enumerate() {
        if !line.trim_start().starts_with("Project(") {
            continue;
        }
        let path = line.split('"').nth(5).unwrap_or_default();
        if is_project(path) {
            members.push(Member::new(path.replace('\\', "/"), line_idx as u32 + 1, false));
        }
    }
    Manifest {
        members: Some(members),
        ..Manifest::default()
    }
}

fn read_slnx(text: &str) -> Manifest {
    let root = match xml::xml(text) {
        Ok(root) => root,
        Err(note) => return Manifest::unread(note),
    };
    let projects = root.below("Project").into_iter();
    let members = projects.filter_map(|project| {
        let path = project.attribute("Path").filter(|path| is_project(path))?;
        Some(Member::new(path.replace('\\', "/"), project.line, false))
    });
    Manifest {
        members: Some(members.collect()),
        ..Manifest::default()
    }
}

fn is_project(path: &str) -> bool {
    PROJECTS
        .iter()
        .any(|(ending, _)| path.to_ascii_lowercase().ends_with(ending))
}

fn read_props(text: &str) -> Manifest {
    let root = match xml::xml(text) {
        Ok(root) => root,
        Err(note) => return Manifest::unread(note),
    };
    let mut manifest = Manifest::default();
    read_properties(&root, &mut manifest);
    for element in root.below("PackageVersion") {
        if let Some(name) = element.attribute("Include") {
            let dependency = Dependency::named(name, DependencyKind::Direct, element.line);
            manifest
                .shared_dependencies
                .push(dependency.version(element.attribute("Version")));
        }
    }
    manifest
}

fn read_properties(root: &Element, manifest: &mut Manifest) {
    for property in root.all("PropertyGroup").flat_map(|group| &group.children) {
        if !property.text().is_empty() {
            let value = Stated::new(placeholders(property.text()), property.line);
            manifest.shared.entry(property.name.clone()).or_insert(value);
        }
    }
}

fn read_project(file_name: &str, text: &str) -> Manifest {
    let root = match xml::xml(text) {
        Ok(root) => root,
        Err(note) => return Manifest::unread(note),
    };
    let mut manifest = Manifest::default();
    read_properties(&root, &mut manifest);
    let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
    manifest
        .shared
        .insert("MSBuildProjectName".to_owned(), Stated::new(stem, 1));
    let assembly = manifest.shared.entry("AssemblyName".to_owned());
    let assembly = assembly.or_insert_with(|| Stated::new(stem, 1)).clone();
    let property = |key: &str| manifest.shared.get(key).cloned();
    let version = property("PackageVersion")
        .or_else(|| property("Version"))
        .or_else(|| property("VersionPrefix"));
    let mut project = Project {
        name: Some(property("PackageId").unwrap_or(assembly)),
        version: Some(version.unwrap_or_else(|| Stated::new("${Version}", root.line))),
        description: property("Description"),
        line: root.line,
        aliases: vec![stem.to_owned()],
        language: PROJECTS
            .iter()
            .find(|(ending, _)| file_name.ends_with(ending))
            .map(|(_, language)| *language),
        ..Project::default()
    };
    let is_test = property("IsTestProject").is_some_and(|value| value.text == "true");
    for element in root.below("ProjectReference") {
        let Some(path) = element.attribute("Include") else {
            continue;
        };
        for path in path.split(';').map(str::trim).filter(|path| !path.is_empty()) {
            let path = path.replace('\\', "/");
            let name = path.rsplit('/').next().unwrap_or(&path);
            let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            let kind = match element.attribute("OutputItemType") {
                Some("Analyzer") => DependencyKind::Build,
                _ => DependencyKind::Direct,
            };
            let dependency = Dependency::named(name, kind, element.line);
            project
                .dependencies
                .push(dependency.to(Target::Path(placeholders(&path))));
        }
    }
    for element in root.below("PackageReference") {
        let Some(name) = element.attribute("Include").filter(|name| !name.is_empty()) else {
            continue;
        };
        let version = element
            .attribute("Version")
            .or_else(|| element.child("Version").map(Element::text));
        let private = element
            .attribute("PrivateAssets")
            .or_else(|| element.child("PrivateAssets").map(Element::text));
        let kind = match private {
            _ if is_test => DependencyKind::Dev,
            Some(assets) if assets.eq_ignore_ascii_case("all") => DependencyKind::Build,
            _ => DependencyKind::Direct,
        };
        let target = match version {
            Some(_) => Target::Outside,
            None => Target::Inherited,
        };
        project.dependencies.push(
            Dependency::named(name, kind, element.line)
                .version(version)
                .to(target),
        );
    }
    manifest.projects.push(project);
    manifest
}

/// MSBuild writes `$(Key)`.
fn placeholders(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("$(") {
        let Some(end) = rest[start..].find(')') else { break };
        out.push_str(&rest[..start]);
        out.push_str("${");
        out.push_str(&rest[start + 2..start + end]);
        out.push('}');
        rest = &rest[start + end + 1..];
    }
    out.push_str(rest);
    out
}
