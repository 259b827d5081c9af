//! Folders that are never a project (IDX-2): indexing them by accident would take hours and store files that are not source.

use std::path::{Path, PathBuf};

/// These and everything below them.
const TREES: &[&str] = &[
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib32",
    "/lib64",
    "/libx32",
    "/proc",
    "/sbin",
    "/sys",
    "/usr/bin",
    "/usr/sbin",
    "/private/etc",
    "/System",
];

/// Only these folders themselves: there are projects below them (`/var/www/shop`, `/usr/src/linux`, `/tmp/try`).
const FOLDERS: &[&str] = &[
    "/Applications",
    "/Library",
    "/Users",
    "/Volumes",
    "/home",
    "/lib",
    "/media",
    "/mnt",
    "/opt",
    "/private",
    "/private/tmp",
    "/private/var",
    "/run",
    "/snap",
    "/srv",
    "/tmp",
    "/usr",
    "/usr/include",
    "/usr/lib",
    "/usr/local",
    "/usr/local/bin",
    "/usr/local/lib",
    "/usr/share",
    "/var",
    "/var/lib",
    "/var/log",
    "/var/tmp",
];

/// Why this folder cannot be a root; `None` if it can. Checks both `given` and `canonical`, because `/bin` may be a link.
pub(crate) fn why_refused(given: &Path, canonical: &Path, home: Option<&Path>) -> Option<&'static str> {
    if canonical.parent().is_none() {
        return Some("the root of the file system");
    }
    for path in [given, canonical] {
        let system = TREES.iter().any(|tree| path.starts_with(tree))
            || FOLDERS.iter().any(|folder| path == Path::new(folder));
        if system || is_windows_folder(path) {
            return Some("a system folder");
        }
    }
    let home = home.map(|home| home.canonicalize().unwrap_or_else(|_| PathBuf::from(home)));
    (home.as_deref() == Some(canonical)).then_some("your home folder")
}

#[cfg(windows)]
fn is_windows_folder(path: &Path) -> bool {
    let text = path.to_string_lossy().to_ascii_lowercase();
    let text = text.trim_start_matches(r"\\?\");
    [r"c:\windows", r"c:\program files", r"c:\users"]
        .iter()
        .any(|folder| text == *folder)
        || text.starts_with(r"c:\windows\")
}

#[cfg(not(windows))]
fn is_windows_folder(_: &Path) -> bool {
    false
}
