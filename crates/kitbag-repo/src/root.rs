//! Finds the root of the project and the place of its index from files alone: `git` is not started for what three `stat` calls
//! tell, and need not be installed.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::open;
use crate::places::why_refused;

/// Git's own pointers (`.git` files, `commondir`, `gitdir`, `HEAD`) contain one path.
const MAX_POINTER_BYTES: u64 = 16_384;
/// A user's git configuration.
const MAX_CONFIG_BYTES: u64 = 1_000_000;

/// Why a folder is the root (IDX-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    Git,
    Manifest,
    /// `src` and `tests`, or a README.
    Layout,
    /// Nothing was found: the folder in which the search began.
    Start,
}

const MANIFESTS: &[&str] = &[
    "package.json",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Cargo.toml",
    "pyproject.toml",
    "setup.py",
    "go.mod",
    "composer.json",
    "Package.swift",
    "deno.json",
];

/// The project around `start`: for each kind of marker in turn, the nearest folder upward that has it. The home folder, the folders
/// above it and the root of the file system are skipped, whatever is in them: they are refused as projects (IDX-2), and a stray
/// `~/package.json` must not turn every folder below it into one.
pub fn find_root(start: &Path, home: Option<&Path>) -> (PathBuf, RootKind) {
    nearest_root(start, home, &|folder| why_refused(folder, folder, None).is_some())
}

/// `is_refused`: folders that cannot be a root. A stray README in `/tmp` does not make it the root of a project below it.
fn nearest_root(
    start: &Path,
    home: Option<&Path>,
    is_refused: &dyn Fn(&Path) -> bool,
) -> (PathBuf, RootKind) {
    let start = start.canonicalize().unwrap_or_else(|_| start.to_owned());
    let home = home.map(|home| home.canonicalize().unwrap_or_else(|_| home.to_owned()));
    let candidates: Vec<&Path> = start
        .ancestors()
        .take_while(|folder| folder.parent().is_some() && Some(*folder) != home.as_deref())
        .filter(|folder| !is_refused(folder))
        .collect();
    let nearest = |sign: fn(&Path) -> bool| {
        candidates
            .iter()
            .find(|folder| sign(folder))
            .map(|folder| folder.to_path_buf())
    };
    if let Some(found) = nearest(is_git_root) {
        return (found, RootKind::Git);
    }
    if let Some(found) = nearest(has_manifest) {
        return (found, RootKind::Manifest);
    }
    if let Some(found) = nearest(has_layout) {
        return (found, RootKind::Layout);
    }
    (start, RootKind::Start)
}

fn is_git_root(folder: &Path) -> bool {
    git_dir_of(folder).is_some()
}

fn has_manifest(folder: &Path) -> bool {
    MANIFESTS.iter().any(|name| folder.join(name).is_file())
        || names(folder).any(|name| name.to_ascii_lowercase().ends_with(".sln"))
}

fn has_layout(folder: &Path) -> bool {
    (folder.join("src").is_dir() && folder.join("tests").is_dir())
        || names(folder).any(|name| {
            let name = name.to_ascii_lowercase();
            name == "readme" || name.starts_with("readme.")
        })
}

fn names(folder: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok())
}

/// A work tree and its git folder.
pub(crate) struct WorkTree {
    pub folder: PathBuf,
    pub git_dir: PathBuf,
}

/// The work tree that contains `folder`.
pub(crate) fn work_tree_around(folder: &Path) -> Option<WorkTree> {
    folder.ancestors().find_map(|folder| {
        Some(WorkTree {
            git_dir: git_dir_of(folder)?,
            folder: folder.to_owned(),
        })
    })
}

/// The git folder of a work tree: `.git` itself, or where a `.git` file points (worktrees, submodules).
pub(crate) fn git_dir_of(folder: &Path) -> Option<PathBuf> {
    let dot_git = folder.join(".git");
    let git_dir = if fs::metadata(&dot_git).ok()?.is_dir() {
        dot_git
    } else {
        let text = pointer(&dot_git)?;
        normalise(&folder.join(text.strip_prefix("gitdir:")?.trim()))
    };
    is_head(&git_dir.join("HEAD")).then_some(git_dir)
}

/// Whether this is a valid `HEAD`. As in git, an empty `.git` folder is not a repository. A `HEAD` that is a pipe or a device would
/// block git. A link is an old form of `HEAD`; its branch may not have a commit yet.
fn is_head(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(metadata) => metadata.is_file(),
        Err(_) => fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink()),
    }
}

/// The text of a small file of git. `None` if it cannot be read or is not a regular file.
pub(crate) fn pointer(path: &Path) -> Option<String> {
    String::from_utf8(open::read_small(path, MAX_POINTER_BYTES).ok()?).ok()
}

/// The git folder that all worktrees of a repository share. Git keeps the folder of a worktree at `worktrees/NAME` of the shared
/// one; a `commondir` that says anything else was not written by git and is ignored.
pub(crate) fn common_dir_of(git_dir: &Path) -> PathBuf {
    let shared = |text: String| {
        let common = normalise(&git_dir.join(text.trim()));
        let worktrees = git_dir.parent()?;
        (worktrees.file_name()? == "worktrees" && worktrees.parent()? == common).then_some(common)
    };
    pointer(&git_dir.join("commondir"))
        .and_then(shared)
        .unwrap_or_else(|| git_dir.to_owned())
}

/// The shared git folder of the repository that contains `root`.
pub fn git_common_dir(root: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let common = common_dir_of(&work_tree_around(&root)?.git_dir);
    Some(common.canonicalize().unwrap_or(common))
}

/// The folder for the index inside the git folder. A packed folder comes with its own `.git`, so one that leads out of it counts
/// only if its target points back: otherwise a stranger would decide where we write.
fn store_in_git(root: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let tree = work_tree_around(&root)?;
    let dot_git = tree.folder.join(".git");
    let kind = fs::symlink_metadata(&dot_git).ok()?.file_type();
    if kind.is_symlink() || (kind.is_file() && !points_back(&tree, &dot_git)) {
        return None;
    }
    let store = git_common_dir(&tree.folder)?.join("kitbag");
    let is_link = fs::symlink_metadata(&store).is_ok_and(|metadata| metadata.is_symlink());
    (!is_link).then_some(store)
}

/// Whether the git folder that a `.git` file names belongs to that work tree: it is a worktree's and names the `.git` file, or a
/// submodule's and is in the git folder of the repository around it.
fn points_back(tree: &WorkTree, dot_git: &Path) -> bool {
    let git_dir = tree
        .git_dir
        .canonicalize()
        .unwrap_or_else(|_| tree.git_dir.clone());
    if let Some(text) = pointer(&git_dir.join("gitdir")) {
        let named = normalise(&git_dir.join(text.trim()));
        return named.canonicalize().is_ok_and(|named| named == *dot_git);
    }
    let outer = tree.folder.parent().and_then(git_common_dir);
    outer.is_some_and(|outer| git_dir.starts_with(outer.join("modules")))
}

/// The place of the index of the project at `root` (IDX-30): never in the working tree.
pub fn default_store(root: &Path, cache_dir: &Path) -> PathBuf {
    if let Some(store) = store_in_git(root) {
        return store;
    }
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
    let name: String = root
        .file_name()
        .map_or_else(|| "root".into(), |name| name.to_string_lossy())
        .chars()
        .take(60)
        .collect();
    cache_dir.join("kitbag").join(format!("{name}-{}", &hash[..16]))
}

/// Git's ignore file for all repositories: `core.excludesFile` of the user's configuration, else `$XDG_CONFIG_HOME/git/ignore`. The
/// door passes the values of `HOME` and `XDG_CONFIG_HOME`.
pub fn global_ignore_path(home: Option<&Path>, xdg_config_home: Option<&Path>) -> Option<PathBuf> {
    let git_folder = match xdg_config_home {
        Some(folder) if !folder.as_os_str().is_empty() => Some(folder.join("git")),
        _ => home.map(|home| home.join(".config/git")),
    };
    let configs = [
        git_folder.as_ref().map(|folder| folder.join("config")),
        home.map(|home| home.join(".gitconfig")),
    ];
    // The later file wins, as in git.
    let named = configs
        .into_iter()
        .flatten()
        .filter_map(|path| open::read_small(&path, MAX_CONFIG_BYTES).ok())
        .filter_map(|bytes| excludes_file(&String::from_utf8_lossy(&bytes)))
        .next_back();
    match named {
        Some(value) => match (value.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => Some(home.join(rest)),
            _ => Some(PathBuf::from(value)),
        },
        None => git_folder.map(|folder| folder.join("ignore")),
    }
}

/// The last `excludesFile` of the `[core]` sections of a git configuration file.
fn excludes_file(config: &str) -> Option<String> {
    let mut in_core = false;
    let mut found = None;
    for line in config.lines() {
        let line = line.trim();
        if line.starts_with('[') {
            in_core = line.to_ascii_lowercase().starts_with("[core]");
        } else if let Some((key, value)) = line.split_once('=')
            && in_core
            && key.trim().eq_ignore_ascii_case("excludesfile")
        {
            found = Some(value.trim().trim_matches('"').to_owned());
        }
    }
    found
}

/// Removes `.` and `..` textually. Links are not resolved: git's own pointers do not go through them.
fn normalise(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests;
