//! Mix: `project/0` of `mix.exs`, with `apps_path` for an umbrella; dependencies are tuples.
//!
//! A dependency belongs to the project by `in_umbrella: true` or `path:`, or when an application of the tree has its name.

use super::manifest::{Dependency, DependencyKind, Manifest, Member, Project, Stated, Target};
use super::{Family, PackageManager};
use crate::formats::script::{self, Script};
use crate::formats::tree;

const FAMILY: Family = Family {
    name: "mix",
    languages: &[("elixir", &["ex", "exs", "heex"]), ("erlang", &["erl", "hrl"])],
    path_members: true,
    ..Family::PLAIN
};

pub(super) const MIX: PackageManager = PackageManager {
    name: "mix",
    family: &FAMILY,
    manifests: &["mix.exs"],
    lockfiles: &["mix.lock"],
    read,
};

fn read(_: &str, text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    let script = Script::new(text, &script::RUBY);
    let mut manifest = Manifest::default();
    let mut project = Project {
        line: 1,
        ..Project::default()
    };
    for at in 0..script.tokens.len() {
        let line = script.line(at);
        let labels = script.is_mark(at + 1, ':');
        match script.word(at) {
            Some("app") if labels && script.is_mark(at + 2, ':') && project.name.is_none() => {
                project.name = script.word(at + 3).map(|name| Stated::new(name, line));
                project.line = line;
            }
            Some("apps_path") if labels => {
                let pattern = script.text(at + 2).map(|path| format!("{path}/*"));
                manifest.members = pattern.map(|pattern| vec![Member::new(pattern, line, false)]);
            }
            // `version: "1.0"` or `@version "1.0"`.
            Some(key @ ("version" | "description")) => {
                let is_attribute = at > 0 && script.is_mark(at - 1, '@');
                let value = if is_attribute { at + 1 } else { at + 2 };
                let value = script.text(value).filter(|_| labels || is_attribute);
                let slot = match key {
                    "version" => &mut project.version,
                    _ => &mut project.description,
                };
                if let (Some(value), None) = (value, &slot) {
                    *slot = Some(Stated::new(value, line));
                }
            }
            _ => {}
        }
        if script.is_mark(at, '{') && script.is_mark(at + 1, ':') && script.is_mark(at + 3, ',') {
            project.dependencies.extend(dependency(&script, at));
        }
    }
    if project.name.is_some() {
        manifest.projects.push(project);
    }
    manifest
}

/// `{:name, "~> 1.0", only: [:dev]}`. Other tuples have neither a version nor an option of a dependency.
fn dependency(script: &Script, open: usize) -> Option<Dependency> {
    let name = script.word(open + 2)?;
    let arguments = script.inside(open);
    let version = script.text(open + 4);
    let option = |key: &str| script.labelled(arguments.clone(), key);
    let is_umbrella = option("in_umbrella").is_some_and(|at| script.word(at) == Some("true"));
    let path = option("path").and_then(|at| script.text(at));
    let known = ["git", "github", "only", "optional", "runtime", "override"];
    if version.is_none() && !is_umbrella && path.is_none() && known.iter().all(|key| option(key).is_none()) {
        return None;
    }
    let only = option("only").map(|at| {
        if script.is_mark(at, '[') {
            script.inside(at)
        } else {
            at..at + 2
        }
    });
    let is_prod = |mut range: std::ops::Range<usize>| range.any(|at| script.word(at) == Some("prod"));
    let kind = match only {
        Some(only) if !is_prod(only.clone()) => DependencyKind::Dev,
        _ if option("optional").is_some_and(|at| script.word(at) == Some("true")) => DependencyKind::Optional,
        _ => DependencyKind::Direct,
    };
    let target = path.map_or(Target::Name, |path| Target::Path(path.to_owned()));
    Some(
        Dependency::named(name, kind, script.line(open))
            .version(version)
            .to(target),
    )
}
