//! sbt and Mill, as far as their builds are data: `lazy val core = (project in file("core"))` with `dependsOn`, and
//! `object core extends ScalaModule` with `moduleDeps`.
//!
//! Projects that a plugin or a loop makes are not seen.

use std::ops::Range;

use super::manifest::{Dependency, DependencyKind, Manifest, Member, Project, Stated, Target};
use super::{Family, PackageManager};
use crate::formats::script::{self, Kind, Script};
use crate::formats::tree;

const LANGUAGES: &[(&str, &[&str])] = &[
    ("scala", &["scala", "sc", "mill"]),
    ("java", &["java"]),
    ("kotlin", &["kt"]),
];

const SBT_FAMILY: Family = Family {
    name: "sbt",
    languages: LANGUAGES,
    imports: super::ImportRule::Path {
        mark: ".",
        roots: &[],
    },
    ..Family::PLAIN
};
const MILL_FAMILY: Family = Family {
    name: "mill",
    languages: LANGUAGES,
    imports: super::ImportRule::Path {
        mark: ".",
        roots: &[],
    },
    ..Family::PLAIN
};

pub(super) const SBT: PackageManager = PackageManager {
    name: "sbt",
    family: &SBT_FAMILY,
    manifests: &["build.sbt"],
    lockfiles: &[],
    read: read_sbt,
};
pub(super) const MILL: PackageManager = PackageManager {
    name: "mill",
    family: &MILL_FAMILY,
    manifests: &["build.mill", "build.sc", "package.mill"],
    lockfiles: &[],
    read: read_mill,
};

/// How deep Mill's objects may be nested.
const MAX_OBJECTS: usize = 16;

fn read_sbt(_: &str, text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    let script = Script::new(text, &script::SCALA);
    // `val x = …` at the start of a line is a definition; it reaches to the next one.
    let starts: Vec<usize> = (0..script.tokens.len())
        .filter(|at| script.word(*at) == Some("val") && line_start(&script, *at).is_some())
        .collect();
    let mut projects: Vec<Project> = Vec::new();
    let mut members = Vec::new();
    for (idx, start) in starts.iter().enumerate() {
        let end = starts.get(idx + 1).copied().unwrap_or(script.tokens.len());
        let head = *start..end.min(start + 40);
        let makes = |at: usize| {
            matches!(
                script.word(at),
                Some("project" | "crossProject" | "projectMatrix")
            )
        };
        // `val actor = ourModule("actor").settings(…)`: a function of the build makes the project in that folder.
        let named = script
            .text(start + 5)
            .filter(|_| script.is_mark(start + 2, '=') && script.is_mark(start + 4, '('));
        let configures =
            |at: usize| matches!(script.word(at), Some("settings" | "dependsOn" | "enablePlugins"));
        let named = named.filter(|_| (*start..end).any(configures));
        let Some(id) = script
            .word(start + 1)
            .filter(|_| named.is_some() || head.clone().any(makes))
        else {
            continue;
        };
        let folder = (*start..end).find(|at| script.word(*at) == Some("file") && script.is_mark(at + 1, '('));
        let folder = folder.and_then(|at| script.text(at + 2)).or(named).unwrap_or(id);
        let mut project = sbt_project(&script, *start..end);
        project.folder = folder.to_owned();
        project.line = script.line(*start);
        project.aliases.push(id.to_owned());
        project.name = project.name.or_else(|| Some(Stated::new(id, project.line)));
        members.push(Member::new(folder, project.line, false));
        projects.push(project);
    }
    let first = starts.first().copied().unwrap_or(script.tokens.len());
    let mut whole = sbt_project(&script, 0..first);
    whole.line = 1;
    // The root exists also when no `val` declares it, if the file says anything about it.
    let has_root = projects
        .iter()
        .any(|project| matches!(project.folder.as_str(), "." | "" | "./"));
    if !has_root && (projects.is_empty() || whole.name.is_some()) {
        projects.push(whole);
    }
    Manifest {
        members: (!members.is_empty()).then_some(members),
        projects,
        ..Manifest::default()
    }
}

/// The first token of the line, if only modifiers of a definition stand before.
fn line_start(script: &Script, at: usize) -> Option<usize> {
    let mut first = at;
    while first > 0 && script.tokens[first - 1].kind != Kind::LineEnd {
        first -= 1;
        matches!(
            script.word(first),
            Some("lazy" | "private" | "final" | "implicit")
        )
        .then_some(())?;
    }
    Some(first)
}

fn sbt_project(script: &Script, range: Range<usize>) -> Project {
    let mut project = Project::default();
    for at in range {
        let line = script.line(at);
        let assigned = || {
            let is_assignment = script.is_mark(at + 1, ':') && script.is_mark(at + 2, '=');
            script
                .text(at + 3)
                .filter(|_| is_assignment)
                .map(|text| Stated::new(text, line))
        };
        match script.word(at) {
            Some("name") => project.name = assigned().or(project.name),
            Some("version") => project.version = assigned().or(project.version),
            Some("description") => project.description = assigned().or(project.description),
            Some("dependsOn") if script.is_mark(at + 1, '(') => {
                for part in script.parts(script.inside(at + 1)) {
                    let is_test = part.clone().any(|at| {
                        script.word(at) == Some("Test")
                            || script.text(at).is_some_and(|text| text.starts_with("test"))
                    });
                    let kind = if is_test {
                        DependencyKind::Dev
                    } else {
                        DependencyKind::Direct
                    };
                    if let Some(id) = script.word(part.start) {
                        project.dependencies.push(Dependency::named(id, kind, line));
                    }
                }
            }
            _ => {}
        }
        // `"org" %% "name" % "version" % Test`
        if let Some(group) = script.text(at)
            && script.is_mark(at + 1, '%')
            && !(at > 0 && script.is_mark(at - 1, '%'))
        {
            let next = (at + 1..at + 4)
                .find(|at| !script.is_mark(*at, '%'))
                .unwrap_or(at);
            if let Some(artifact) = script.text(next) {
                let version = script.text(next + 2).filter(|_| script.is_mark(next + 1, '%'));
                let scope = script.word(next + 4).or_else(|| script.text(next + 4));
                let is_test = matches!(scope, Some("Test" | "test")) && script.is_mark(next + 3, '%');
                let kind = if is_test {
                    DependencyKind::Dev
                } else {
                    DependencyKind::Direct
                };
                let dependency = Dependency::named(format!("{group}:{artifact}"), kind, line);
                project
                    .dependencies
                    .push(dependency.version(version).to(Target::Outside));
            }
        }
    }
    project
}

fn read_mill(_: &str, text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    let script = Script::new(text, &script::SCALA);
    let mut projects: Vec<Project> = Vec::new();
    let mut members = Vec::new();
    // Names of the objects around, with where each ends, and whether it is a project.
    let mut around: Vec<(usize, &str, Option<usize>)> = Vec::new();
    for at in 0..script.tokens.len() {
        while around.last().is_some_and(|(end, ..)| at >= *end) {
            around.pop();
        }
        let line = script.line(at);
        match script.word(at) {
            Some("object") => {
                let Some(name) = script.word(at + 1).filter(|_| around.len() < MAX_OBJECTS) else {
                    continue;
                };
                // The head ends with the line, unless the next line goes on with what it extends.
                let goes_on = |at: usize| matches!(script.word(at + 1), Some("extends" | "with"));
                let head_end = (at..script.tokens.len()).take(60).find(|at| {
                    script.is_mark(*at, '{') || script.tokens[*at].kind == Kind::LineEnd && !goes_on(*at)
                });
                let head_end = head_end.unwrap_or(at + 2).max(at + 2);
                let open = script.is_mark(head_end, '{').then_some(head_end);
                let kinds: Vec<&str> = (at + 2..head_end).filter_map(|at| script.word(at)).collect();
                let is_module = kinds.iter().any(|kind| kind.ends_with("Module"))
                    && !kinds.iter().any(|kind| kind.contains("Test"))
                    && kinds.contains(&"extends");
                let path: Vec<&str> = around.iter().map(|(_, name, _)| *name).chain([name]).collect();
                let project = is_module.then(|| {
                    let name = Stated::new(path.join("."), line);
                    projects.push(Project {
                        folder: path.join("/"),
                        name: Some(name),
                        line,
                        ..Project::default()
                    });
                    members.push(Member::new(path.join("/"), line, false));
                    projects.len() - 1
                });
                if let Some(open) = open {
                    around.push((script.past(open), name, project));
                }
            }
            Some("moduleDeps") => {
                let Some(project) = around.iter().rev().find_map(|(.., project)| *project) else {
                    continue;
                };
                let open = (at..at + 8)
                    .find(|at| script.word(*at) == Some("Seq"))
                    .map_or(at, |at| at + 1);
                for part in script.parts(script.inside(open)) {
                    let words: Vec<&str> = part.filter_map(|at| script.word(at)).collect();
                    let name = words.join(".");
                    projects[project].dependencies.push(Dependency::named(
                        name,
                        DependencyKind::Direct,
                        line,
                    ));
                }
            }
            Some("ivy" | "mvn") => {
                let project = around.iter().rev().find_map(|(.., project)| *project);
                if let (Some(project), Some(text)) = (project, script.text(at + 1)) {
                    let mut parts = text.split(':').filter(|part| !part.is_empty());
                    let name = [parts.next(), parts.next()]
                        .into_iter()
                        .flatten()
                        .collect::<Vec<_>>()
                        .join(":");
                    let dependency =
                        Dependency::named(name, DependencyKind::Direct, line).version(parts.next());
                    projects[project]
                        .dependencies
                        .push(dependency.to(Target::Outside));
                }
            }
            _ => {}
        }
    }
    Manifest {
        members: (!members.is_empty()).then_some(members),
        projects,
        ..Manifest::default()
    }
}
