//! Gradle, in Groovy and in Kotlin: `include` and `projectDir` of the settings, dependencies of the build files.
//!
//! Both are programs, of which the literal parts are read. An `include` in a loop over literals counts for each of them; one
//! whose argument is computed counts for every folder beside the settings that has a build file. Conditions count as true.
//! Dependencies inside the tree are `project(":a:b")` and `projects.a.b`; `libs.…` is looked up in the version catalog.

mod settings;

use std::ops::Range;

use kitbag_types::RepoPath;

use super::manifest::{Dependency, DependencyKind, Manifest, Project, Standing, Stated, Target};
use super::{Family, Inheritance, PackageManager, places};
use crate::formats::script::{self, Kind, Script};
use crate::formats::tree::{self, Node};

const FAMILY: Family = Family {
    name: "gradle",
    languages: &[
        ("java", &["java"]),
        ("kotlin", &["kt"]),
        ("groovy", &["groovy"]),
        ("scala", &["scala"]),
    ],
    normalise: normalised,
    inheritance: Inheritance::Workspace,
    home,
    unnamed,
    imports: super::ImportRule::Path {
        mark: ".",
        roots: &[],
    },
    ..Family::PLAIN
};

pub(super) const GRADLE: PackageManager = PackageManager {
    name: "gradle",
    family: &FAMILY,
    manifests: &[
        "settings.gradle",
        "settings.gradle.kts",
        "build.gradle",
        "build.gradle.kts",
        "gradle.properties",
        "libs.versions.toml",
        "*.gradle",
        "*.gradle.kts",
    ],
    lockfiles: &["gradlew"],
    read,
};

/// `:core:data-test`, `projects.core.dataTest` and `core:data_test` are one project.
fn normalised(name: &str) -> String {
    let name = name.strip_prefix("projects.").unwrap_or(name);
    let parts = name
        .chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .map(|c| if c == ':' { '.' } else { c });
    parts
        .flat_map(char::to_lowercase)
        .collect::<String>()
        .trim_matches('.')
        .to_owned()
}

/// A project is called by its path in the build.
fn unnamed(folder: &str) -> String {
    format!(":{}", folder.replace('/', ":"))
}

/// The catalog stands in `gradle/` and belongs to the folder above.
fn home(path: &RepoPath) -> &str {
    match path.file_name() {
        "libs.versions.toml" => places::parent(path.folder()).unwrap_or_default(),
        _ => path.folder(),
    }
}

fn read(file_name: &str, text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    match file_name {
        "gradle.properties" => read_properties(text),
        "libs.versions.toml" => read_catalog(text),
        "settings.gradle" | "settings.gradle.kts" => settings::read(&Script::new(text, &script::GRADLE)),
        _ => read_build(file_name, &Script::new(text, &script::GRADLE)),
    }
}

fn read_properties(text: &str) -> Manifest {
    let mut manifest = Manifest::default();
    for (line_idx, line) in text.lines().enumerate() {
        if let Some((key, value)) = line.split_once('=')
            && !line.starts_with('#')
        {
            let value = Stated::new(value.trim(), line_idx as u32 + 1);
            manifest.shared.insert(key.trim().to_owned(), value);
        }
    }
    manifest
}

/// `[libraries]` of the version catalog: what `libs.a.b` stands for.
fn read_catalog(text: &str) -> Manifest {
    let root = match tree::toml(text) {
        Ok(root) => root,
        Err(note) => return Manifest::unread(note),
    };
    let mut manifest = Manifest::default();
    for entry in root.get("libraries").map_or(&[][..], Node::entries) {
        let of = |key: &str| entry.node.get(key).and_then(Node::text);
        let module = match (of("module").or(entry.node.text()), of("group"), of("name")) {
            (Some(module), ..) => coordinates(module).map(|(name, _)| name),
            (None, Some(group), Some(name)) => Some(format!("{group}:{name}")),
            _ => None,
        };
        if let Some(module) = module {
            let alias = entry.key.replace(['-', '_'], ".");
            manifest
                .shared
                .insert(format!("libs.{alias}"), Stated::new(module, entry.line));
        }
    }
    manifest
}

fn read_build(file_name: &str, script: &Script) -> Manifest {
    let is_build = matches!(file_name, "build.gradle" | "build.gradle.kts");
    let stem = file_name.split('.').next().unwrap_or_default();
    let mut main = Project {
        line: 1,
        version: Some(Stated::new("${version}", 1)),
        // A build file may have the name of its folder; other scripts are applied by somebody else.
        standing: if is_build {
            Standing::Declared
        } else {
            Standing::Part
        },
        name: (!is_build).then(|| Stated::new(stem, 1)),
        ..Project::default()
    };
    // Projects that a build file configures from above: `project(':a') { dependencies { … } }`.
    let mut others: Vec<Project> = Vec::new();
    let mut at = 0;
    // Where the block ends whose dependencies are of another project, and which: `None` is several that are not named.
    let mut owner: Vec<(usize, Option<usize>)> = Vec::new();
    let mut buildscript_end = 0;
    while at < script.tokens.len() {
        while owner.last().is_some_and(|(end, _)| at >= *end) {
            owner.pop();
        }
        let block = |open: usize| script.is_mark(open, '{').then(|| script.past(open));
        match script.word(at) {
            Some("project") if script.is_mark(at + 1, '(') => {
                let open = script.past(at + 1);
                if let (Some(end), Some(name)) = (block(open), script.text(at + 2)) {
                    let folder = name.trim_matches(':').replace(':', "/");
                    let other = Project {
                        folder,
                        line: script.line(at),
                        name: Some(Stated::new(
                            format!(":{}", name.trim_matches(':')),
                            script.line(at),
                        )),
                        ..Project::default()
                    };
                    others.push(other);
                    owner.push((end, Some(others.len() - 1)));
                }
            }
            Some("subprojects" | "allprojects" | "configure") => {
                let open = if script.is_mark(at + 1, '(') {
                    script.past(at + 1)
                } else {
                    at + 1
                };
                if let Some(end) = block(open) {
                    owner.push((end, None));
                }
            }
            Some("buildscript" | "pluginManagement") => {
                buildscript_end = block(at + 1).unwrap_or(buildscript_end);
            }
            Some("dependencies") => {
                if let Some(end) = block(at + 1) {
                    let found = read_dependencies(script, script.inside(at + 1), at < buildscript_end);
                    match owner.last() {
                        None => main.dependencies.extend(found),
                        Some((_, Some(other))) => others[*other].dependencies.extend(found),
                        Some((_, None)) => {}
                    }
                    at = end;
                    continue;
                }
            }
            Some(key @ ("version" | "description")) if owner.is_empty() && starts_line(script, at) => {
                let value = if script.is_mark(at + 1, '=') {
                    at + 2
                } else {
                    at + 1
                };
                if let Some(text) = script.text(value) {
                    let stated = Some(Stated::new(text, script.line(at)));
                    match key {
                        "version" => main.version = stated,
                        _ => main.description = stated,
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    Manifest {
        projects: std::iter::once(main).chain(others).collect(),
        ..Manifest::default()
    }
}

fn starts_line(script: &Script, at: usize) -> bool {
    at == 0 || script.tokens[at - 1].kind == Kind::LineEnd
}

fn read_dependencies(script: &Script, block: Range<usize>, is_buildscript: bool) -> Vec<Dependency> {
    let mut found = Vec::new();
    let mut kind = DependencyKind::Direct;
    let mut at = block.start;
    while at < block.end {
        let line = script.line(at);
        let first =
            at == block.start || matches!(script.tokens[at - 1].kind, Kind::LineEnd | Kind::Mark('{' | ';'));
        if first && let Some(word) = script.word(at) {
            kind = match is_buildscript {
                true => DependencyKind::Build,
                false => kind_of(word),
            };
        }
        match &script.tokens[at].kind {
            Kind::Word(word) if word == "project" && script.is_mark(at + 1, '(') => {
                let arguments = script.inside(at + 1);
                let path = script
                    .labelled_text(arguments.clone(), "path")
                    .map(|(text, _)| text);
                if let Some(path) = path.or_else(|| script.text(arguments.start)) {
                    found.push(Dependency::named(path, kind, line));
                }
                at = script.past(at + 1);
                continue;
            }
            Kind::Word(word) if matches!(word.as_str(), "projects" | "libs") && !follows_dot(script, at) => {
                let mut name = word.clone();
                let mut next = at + 1;
                while let Some(part) = script
                    .word(next + 1)
                    .filter(|_| script.is_mark(next, '.') && next < block.end)
                {
                    if !(part == "get" && script.is_mark(next + 2, '(')) {
                        name = format!("{name}.{part}");
                    }
                    next += 2;
                }
                let is_plugin = name.starts_with("libs.plugins.") || name.starts_with("libs.versions.");
                if next > at + 1 && !is_plugin {
                    found.push(match word.as_str() {
                        "projects" => Dependency::named(name, kind, line),
                        _ => Dependency::named(format!("${{{name}}}"), kind, line).to(Target::Outside),
                    });
                }
                at = next;
                continue;
            }
            Kind::Text(text) | Kind::Computed(text) => {
                if let Some((name, version)) = coordinates(text) {
                    let version = version.filter(|version| !version.contains('$'));
                    found.push(
                        Dependency::named(name, kind, line)
                            .version(version)
                            .to(Target::Outside),
                    );
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn follows_dot(script: &Script, at: usize) -> bool {
    at > 0 && script.is_mark(at - 1, '.')
}

/// `group:artifact:version`.
fn coordinates(text: &str) -> Option<(String, Option<&str>)> {
    let mut parts = text.split(':');
    let (group, artifact) = (parts.next()?, parts.next()?);
    let plain = |part: &str| !part.is_empty() && !part.contains(['/', ' ', '$']);
    (plain(group) && plain(artifact)).then(|| (format!("{group}:{artifact}"), parts.next()))
}

fn kind_of(configuration: &str) -> DependencyKind {
    let name = configuration.to_lowercase();
    match name.as_str() {
        name if name.contains("test") => DependencyKind::Dev,
        name if ["kapt", "ksp", "annotationprocessor", "classpath", "lint"]
            .iter()
            .any(|word| name.starts_with(word)) =>
        {
            DependencyKind::Build
        }
        name if name.contains("compileonly") || name.starts_with("provided") => DependencyKind::Peer,
        name if name.starts_with("optional") => DependencyKind::Optional,
        _ => DependencyKind::Direct,
    }
}
