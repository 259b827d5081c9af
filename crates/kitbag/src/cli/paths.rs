//! Paths as people write them, from the folder they stand in, to paths as the project names its files.

use std::path::{Component, Path, PathBuf};

/// A path as the person wrote it, as a path from the root. It need not exist; `None`: it leads out of the project.
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
