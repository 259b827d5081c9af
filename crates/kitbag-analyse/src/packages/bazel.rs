//! Bazel modules: `module()`, `bazel_dep()` and `local_path_override()` of `MODULE.bazel`.
//!
//! The targets of `BUILD` files are not packages here: a module is what has a name, a version and dependencies.

use super::manifest::{Dependency, DependencyKind, Manifest, Project, Stated, Target};
use super::{Family, PackageManager};
use crate::formats::script::{self, Script};
use crate::formats::tree;

const FAMILY: Family = Family {
    name: "bazel",
    // Bazel builds any language; the files say which.
    languages: &[
        ("cpp", &["cc", "cpp", "h", "hpp"]),
        ("java", &["java"]),
        ("go", &["go"]),
        ("python", &["py"]),
        ("rust", &["rs"]),
        ("starlark", &["bzl"]),
    ],
    ..Family::PLAIN
};

pub(super) const BAZEL: PackageManager = PackageManager {
    name: "bazel",
    family: &FAMILY,
    manifests: &["MODULE.bazel"],
    lockfiles: &["MODULE.bazel.lock"],
    read,
};

fn read(_: &str, text: &str) -> Manifest {
    let text = match tree::checked(text) {
        Ok(text) => text,
        Err(note) => return Manifest::unread(note),
    };
    let script = Script::new(text, &script::PYTHON);
    let mut manifest = Manifest::default();
    let mut project = Project {
        line: 1,
        ..Project::default()
    };
    for at in 0..script.tokens.len() {
        if !script.is_mark(at + 1, '(') {
            continue;
        }
        let arguments = script.inside(at + 1);
        let fact = |key: &str| script.labelled_text(arguments.clone(), key);
        let stated = |key: &str| fact(key).map(|(text, line)| Stated::new(text, line));
        let line = script.line(at);
        match script.word(at) {
            Some("module") => {
                project.name = stated("name");
                project.version = stated("version");
                project.line = line;
            }
            Some("bazel_dep") => {
                let dev = script.labelled(arguments.clone(), "dev_dependency");
                let kind = match dev.and_then(|at| script.word(at)) {
                    Some("True") => DependencyKind::Dev,
                    _ => DependencyKind::Direct,
                };
                if let Some((name, line)) = fact("name") {
                    let version = fact("version").map(|(version, _)| version);
                    project
                        .dependencies
                        .push(Dependency::named(name, kind, line).version(version));
                }
            }
            Some("local_path_override") => {
                if let (Some((name, _)), Some((path, _))) = (fact("module_name"), fact("path")) {
                    let redirect = Dependency::named(name, DependencyKind::Direct, line);
                    manifest
                        .redirects
                        .push(redirect.to(Target::Path(path.to_owned())));
                }
            }
            _ => {}
        }
    }
    manifest.projects.push(project);
    manifest
}
