//! Converts paths as people write them, relative to the current folder, to paths relative to the root of the project.

use std::path::{Component, Path, PathBuf};

use kitbag_door::failure::Failure;
use kitbag_engine::Engine;

use super::context::Context;

/// The path of the project that a person means: relative to the current folder if it exists there and is inside the project, else
/// relative to the root, because packs and hints have paths relative to the root. A path that does not exist is relative to the
/// current folder, or to the root if the current folder is outside. Every command with a path of the project uses this.
pub(crate) fn meant(root: &Path, cwd: &Path, path: &Path) -> PathBuf {
    let (here, from_root) = (cwd.join(path), root.join(path));
    let is_inside = |path: &Path| path.canonicalize().is_ok_and(|path| path.starts_with(root));
    if is_inside(&here) {
        here
    } else if from_root.exists() {
        from_root
    } else if here.exists() || is_inside(cwd) {
        here
    } else {
        from_root
    }
}

/// A path as the person wrote it, relative to the root. It need not exist; `None` if it leaves the project.
pub(crate) fn inside(root: &Path, cwd: &Path, path: &Path) -> Option<String> {
    let absolute = cwd.join(path);
    let plain = absolute.canonicalize().unwrap_or_else(|_| {
        let mut plain = PathBuf::new();
        for component in absolute.components() {
            match component {
                Component::CurDir => {}
                Component::ParentDir => {
                    plain.pop();
                }
                other => plain.push(other),
            }
        }
        plain
    });
    plain
        .strip_prefix(root)
        .ok()
        .and_then(Path::to_str)
        .filter(|inside| !inside.is_empty())
        .map(|inside| inside.replace(std::path::MAIN_SEPARATOR, "/"))
}

/// A file that a person names, as the index has it.
pub(crate) fn path_inside(context: &Context, engine: &Engine, path: &Path) -> Result<String, Failure> {
    let meant = meant(engine.root(), &context.around.cwd, path);
    inside(engine.root(), &context.around.cwd, &meant).ok_or_else(|| {
        let root = engine.root().display();
        let message = format!("{} is not a file inside the project {root}", path.display());
        Failure::wrong_use("PATH_DENIED", message)
    })
}

/// A place that a person names (`PATH`, `PATH:LINE`, `PATH:LINE-LINE` or a name), with its path as the index has it.
pub(crate) fn place_inside(context: &Context, engine: &Engine, place: &str) -> String {
    let is_lines =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let (path, lines) = match place.rsplit_once(':') {
        Some((path, lines)) if is_lines(lines) => (path, Some(lines)),
        _ => (place, None),
    };
    let (root, cwd) = (engine.root(), &context.around.cwd);
    let found = meant(root, cwd, Path::new(path));
    let is_path = lines.is_some() || found.exists();
    match inside(root, cwd, &found).filter(|_| is_path) {
        Some(path) => match lines {
            Some(lines) => format!("{path}:{lines}"),
            None => path,
        },
        None => place.to_owned(),
    }
}
