//! pip, Poetry, uv, Hatch and PDM: `pyproject.toml`, `setup.cfg`, `setup.py`, `Pipfile` and lists of requirements.
//!
//! Several of these in one folder describe one package. Which manager it is: the tool whose table or backend `pyproject.toml` has,
//! else the lockfile, else pip. A uv workspace has members and exclusions; a dependency belongs to the project when a package of
//! the tree has its name in PEP 503's spelling, or by a path.

use super::manifest::{Dependency, DependencyKind, Manifest, Member, Project, Standing, Stated, Target};
use super::{Family, PackageManager};
use crate::formats::script::{self, Script};
use crate::formats::tree::{self, Node};

const FAMILY: Family = Family {
    name: "python",
    languages: &[("python", &["py", "pyi", "pyx", "ipynb"])],
    normalise: normalised,
    imports: super::ImportRule::Path {
        mark: ".",
        roots: &["", "src", "lib", "python"],
    },
    ..Family::PLAIN
};

const fn row(
    name: &'static str,
    manifests: &'static [&'static str],
    lockfiles: &'static [&'static str],
) -> PackageManager {
    PackageManager {
        name,
        family: &FAMILY,
        manifests,
        lockfiles,
        read,
    }
}

pub(super) const PIP: PackageManager = row(
    "pip",
    &[
        "pyproject.toml",
        "setup.cfg",
        "setup.py",
        "Pipfile",
        "requirements.txt",
    ],
    &["Pipfile.lock"],
);
pub(super) const POETRY: PackageManager = row("poetry", &[], &["poetry.lock"]);
pub(super) const UV: PackageManager = row("uv", &[], &["uv.lock"]);
pub(super) const HATCH: PackageManager = row("hatch", &[], &["hatch.toml"]);
pub(super) const PDM: PackageManager = row("pdm", &[], &["pdm.lock"]);

/// PEP 503: case, `-`, `_` and `.` make no difference.
fn normalised(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.trim().chars() {
        match c {
            '-' | '_' | '.' if out.ends_with('-') => {}
            '-' | '_' | '.' => out.push('-'),
            c => out.extend(c.to_lowercase()),
        }
    }
    out
}

fn read(file_name: &str, text: &str) -> Manifest {
    match file_name {
        "pyproject.toml" => read_pyproject(text),
        "setup.py" => read_setup_py(text),
        "setup.cfg" => read_setup_cfg(text),
        "Pipfile" => read_pipfile(text),
        _ => read_requirements(text),
    }
}

fn read_pyproject(text: &str) -> Manifest {
    let root = match tree::toml(text) {
        Ok(root) => root,
        Err(note) => return Manifest::unread(note),
    };
    let poetry = root.at(&["tool", "poetry"]);
    let project = root.get("project");
    let workspace = root.at(&["tool", "uv", "workspace"]);
    let members = workspace.map(|workspace| {
        let list = |key: &str, excludes: bool| {
            let items = workspace.get(key).map_or(&[][..], Node::items).iter();
            let members = items.filter_map(move |item| Some(Member::new(item.text()?, item.line, excludes)));
            members.collect::<Vec<Member>>()
        };
        [list("members", false), list("exclude", true)].concat()
    });
    let mut manifest = Manifest {
        members,
        manager: manager(&root),
        built_by: built_by(&root),
        ..Manifest::default()
    };
    let fact = |key: &str| {
        let node = [project, poetry]
            .into_iter()
            .flatten()
            .find_map(|table| table.get(key))?;
        Some(Stated::new(node.text()?, node.line))
    };
    let name = fact("name");
    // A file that only configures tools, or the root of a workspace without a package of its own.
    if name.is_none() && (poetry.is_none() || manifest.members.is_some()) {
        if root.get("build-system").is_some() && manifest.members.is_none() {
            // The build backend knows the name (`setup.py`, `setup.cfg`).
            manifest.projects.push(Project {
                line: 1,
                standing: Standing::Likely,
                ..Project::default()
            });
        }
        return manifest;
    }
    let mut found = Project {
        line: name.as_ref().map_or(1, |name| name.line),
        name,
        version: fact("version"),
        description: fact("description"),
        ..Project::default()
    };
    // Poetry's own file for a project that is not a package (`package-mode = false`) may leave the name out.
    let sources = root.at(&["tool", "uv", "sources"]);
    let mut add = |list: &Node, kind: DependencyKind| {
        for item in list.items() {
            if let Some(text) = item.text() {
                found
                    .dependencies
                    .extend(requirement(text, kind, item.line, sources));
            }
        }
    };
    if let Some(list) = project.and_then(|project| project.get("dependencies")) {
        add(list, DependencyKind::Direct);
    }
    for (path, kind) in [
        (
            &["project", "optional-dependencies"][..],
            DependencyKind::Optional,
        ),
        (&["dependency-groups"][..], DependencyKind::Dev),
        (&["tool", "pdm", "dev-dependencies"][..], DependencyKind::Dev),
    ] {
        for group in root.at(path).map_or(&[][..], Node::entries) {
            add(&group.node, kind);
        }
    }
    // A hook of the build writes them into the package, with versions that it knows.
    let hooks = root.at(&["tool", "hatch", "metadata", "hooks"]);
    for hook in hooks.map_or(&[][..], Node::entries) {
        if let Some(list) = hook.node.get("dependencies") {
            add(list, DependencyKind::Direct);
        }
        let optional = hook.node.get("optional-dependencies");
        for group in optional.map_or(&[][..], Node::entries) {
            add(&group.node, DependencyKind::Optional);
        }
    }
    for (path, kind) in [
        (&["tool", "uv", "dev-dependencies"][..], DependencyKind::Dev),
        (&["build-system", "requires"][..], DependencyKind::Build),
    ] {
        if let Some(list) = root.at(path) {
            add(list, kind);
        }
    }
    if let Some(poetry) = poetry {
        read_poetry(poetry, &mut found.dependencies);
    }
    manifest.projects.push(found);
    manifest
}

fn read_poetry(poetry: &Node, into: &mut Vec<Dependency>) {
    let mut add = |table: Option<&Node>, kind: DependencyKind| {
        for entry in table.map_or(&[][..], Node::entries) {
            if entry.key == "python" {
                continue;
            }
            let of = |key: &str| entry.node.get(key);
            let kind = match of("optional").is_some_and(Node::is_true) {
                true => DependencyKind::Optional,
                false => kind,
            };
            let target = match of("path").and_then(Node::text) {
                Some(path) => Target::Path(path.to_owned()),
                None => Target::Name,
            };
            let version = entry.node.text().or_else(|| of("version").and_then(Node::text));
            into.push(
                Dependency::named(&entry.key, kind, entry.line)
                    .version(version)
                    .to(target),
            );
        }
    };
    add(poetry.get("dependencies"), DependencyKind::Direct);
    add(poetry.get("dev-dependencies"), DependencyKind::Dev);
    for group in poetry.get("group").map_or(&[][..], Node::entries) {
        add(group.node.get("dependencies"), DependencyKind::Dev);
    }
}

/// The tool that a `pyproject.toml` is written for.
fn manager(root: &Node) -> Option<&'static str> {
    let has = |tool: &str| root.at(&["tool", tool]).is_some();
    match backend(root) {
        _ if has("poetry") => Some(POETRY.name),
        _ if has("uv") => Some(UV.name),
        "poetry" => Some(POETRY.name),
        "pdm" => Some(PDM.name),
        _ if has("pdm") => Some(PDM.name),
        "uv_build" => Some(UV.name),
        _ => None,
    }
}

/// Hatch's backend is used with any manager, so a lockfile knows better.
fn built_by(root: &Node) -> Option<&'static str> {
    matches!(backend(root), "hatchling" | "hatch").then_some(HATCH.name)
}

/// The first word of the build backend.
fn backend(root: &Node) -> &str {
    let backend = root.at(&["build-system", "build-backend"]).and_then(Node::text);
    backend.unwrap_or_default().split('.').next().unwrap_or_default()
}

/// PEP 508: `name[extra]>=1 ; marker`, `name @ file:…`.
fn requirement(text: &str, kind: DependencyKind, line: u32, sources: Option<&Node>) -> Option<Dependency> {
    let text = text.trim();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        return None;
    }
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix('[') {
        Some(extras) => extras.split_once(']').map_or("", |(_, rest)| rest),
        None => rest,
    };
    let version = rest.split(';').next().unwrap_or_default().trim();
    let dependency = Dependency::named(name, kind, line).version(Some(version));
    let source = sources
        .map_or(&[][..], Node::entries)
        .iter()
        .find(|entry| normalised(&entry.key) == normalised(name));
    let path = source
        .and_then(|entry| entry.node.get("path"))
        .and_then(Node::text);
    Some(match path {
        Some(path) => dependency.to(Target::Path(path.to_owned())),
        None => dependency,
    })
}

/// `setup(name="…", version="…", install_requires=[…])`, as far as the arguments are literal.
fn read_setup_py(text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    let script = Script::new(text, &script::PYTHON);
    let call =
        (0..script.tokens.len()).find(|at| script.word(*at) == Some("setup") && script.is_mark(at + 1, '('));
    let mut project = Project {
        line: 1,
        ..Project::default()
    };
    let Some(call) = call else {
        project.standing = Standing::Likely;
        return Manifest::of(project);
    };
    let arguments = script.inside(call + 1);
    let fact = |key: &str| {
        let (text, line) = script.labelled_text(arguments.clone(), key)?;
        Some(Stated::new(text, line))
    };
    project.line = script.line(call);
    project.name = fact("name");
    project.version = fact("version");
    project.description = fact("description");
    for (key, kind) in [
        ("install_requires", DependencyKind::Direct),
        ("extras_require", DependencyKind::Optional),
        ("tests_require", DependencyKind::Dev),
        ("setup_requires", DependencyKind::Build),
    ] {
        let Some(at) = script
            .labelled(arguments.clone(), key)
            .filter(|at| script.is_mark(*at, '[') || script.is_mark(*at, '{'))
        else {
            continue;
        };
        for at in script.inside(at) {
            // In a table of extras the keys are texts too; they are followed by a colon.
            if let Some(text) = script.text(at).filter(|_| !script.is_mark(at + 1, ':')) {
                project
                    .dependencies
                    .extend(requirement(text, kind, script.line(at), None));
            }
        }
    }
    Manifest::of(project)
}

fn read_setup_cfg(text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    let mut project = Project {
        line: 1,
        standing: Standing::Likely,
        ..Project::default()
    };
    let (mut section, mut key) = ("", "");
    let mut has_metadata = false;
    for (line_idx, raw) in text.lines().enumerate() {
        let line = line_idx as u32 + 1;
        let trimmed = raw.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        if let Some(rest) = trimmed.strip_prefix('[') {
            section = rest.trim_end_matches(']');
            has_metadata |= matches!(section, "metadata" | "options");
            key = "";
            continue;
        }
        let value = match raw.starts_with([' ', '\t']) {
            true => trimmed,
            false => {
                let (found, value) = trimmed.split_once('=').unwrap_or((trimmed, ""));
                key = found.trim();
                value.trim()
            }
        };
        if value.is_empty() {
            continue;
        }
        let kind = match (section, key) {
            ("metadata", "name") => {
                project.name = Some(Stated::new(value, line));
                project.line = line;
                project.standing = Standing::Declared;
                continue;
            }
            ("metadata", "version") if !value.contains(':') => {
                project.version = Some(Stated::new(value, line));
                continue;
            }
            ("metadata", "description") => {
                project.description = Some(Stated::new(value, line));
                continue;
            }
            ("options", "install_requires") => DependencyKind::Direct,
            ("options", "setup_requires") => DependencyKind::Build,
            ("options", "tests_require") => DependencyKind::Dev,
            ("options.extras_require", _) => DependencyKind::Optional,
            _ => continue,
        };
        project.dependencies.extend(requirement(value, kind, line, None));
    }
    match has_metadata {
        true => Manifest::of(project),
        // Only tools are configured here.
        false => Manifest::default(),
    }
}

fn read_pipfile(text: &str) -> Manifest {
    let root = match tree::toml(text) {
        Ok(root) => root,
        Err(note) => return Manifest::unread(note),
    };
    let mut project = Project {
        line: 1,
        standing: Standing::Likely,
        ..Project::default()
    };
    for (section, kind) in [
        ("packages", DependencyKind::Direct),
        ("dev-packages", DependencyKind::Dev),
    ] {
        for entry in root.get(section).map_or(&[][..], Node::entries) {
            let path = entry.node.get("path").and_then(Node::text);
            let target = path.map_or(Target::Name, |path| Target::Path(path.to_owned()));
            let dependency = Dependency::named(&entry.key, kind, entry.line)
                .version(entry.node.text())
                .to(target);
            project.dependencies.push(dependency);
        }
    }
    Manifest::of(project)
}

fn read_requirements(text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    let mut project = Project {
        line: 1,
        standing: Standing::Likely,
        ..Project::default()
    };
    for (line_idx, raw) in text.lines().enumerate() {
        let line = line_idx as u32 + 1;
        let trimmed = raw.split(" #").next().unwrap_or_default().trim();
        let path = trimmed
            .strip_prefix("-e")
            .or_else(|| trimmed.strip_prefix("--editable"));
        let path = path
            .map(str::trim)
            .or_else(|| trimmed.starts_with('.').then_some(trimmed));
        if let Some(path) = path.filter(|path| !path.contains("://")) {
            let folder = path.split('[').next().unwrap_or_default();
            let name = folder
                .trim_end_matches('/')
                .rsplit('/')
                .next()
                .unwrap_or_default();
            let dependency = Dependency::named(name, DependencyKind::Direct, line);
            project
                .dependencies
                .push(dependency.to(Target::Path(folder.to_owned())));
        } else if !trimmed.starts_with(['#', '-']) && !trimmed.contains("://") {
            project
                .dependencies
                .extend(requirement(trimmed, DependencyKind::Direct, line, None));
        }
    }
    Manifest::of(project)
}
