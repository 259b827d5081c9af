//! Where the project begins and where its index lives, found by looking at files alone: `git` is not started for what
//! three `stat` calls tell, and need not be installed.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// What made a folder the root (IDX-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    Git,
    Manifest,
    /// `src` and `tests`, or a README.
    Layout,
    /// Nothing was found: the folder one started in.
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

/// The project around `start`: for each kind of sign in turn, the nearest folder upward that has it. The home folder and
/// the root of the file system are passed over, whatever lies in them: they are refused as projects (IDX-2), and a stray
/// `~/package.json` must not make every folder below it one.
pub fn find_root(start: &Path, home: Option<&Path>) -> (PathBuf, RootKind) {
    let start = start.canonicalize().unwrap_or_else(|_| start.to_owned());
    let home = home.map(|home| home.canonicalize().unwrap_or_else(|_| home.to_owned()));
    let candidates: Vec<&Path> = start
        .ancestors()
        .filter(|folder| folder.parent().is_some() && Some(*folder) != home.as_deref())
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

/// The work tree that `folder` stands in.
pub(crate) fn work_tree_around(folder: &Path) -> Option<WorkTree> {
    folder.ancestors().find_map(|folder| {
        Some(WorkTree {
            git_dir: git_dir_of(folder)?,
            folder: folder.to_owned(),
        })
    })
}

/// The git folder of a work tree's top folder: `.git` itself, or where a `.git` file points (worktrees, submodules).
pub(crate) fn git_dir_of(folder: &Path) -> Option<PathBuf> {
    let dot_git = folder.join(".git");
    let metadata = fs::metadata(&dot_git).ok()?;
    let git_dir = if metadata.is_dir() {
        dot_git
    } else if metadata.is_file() && metadata.len() < 16_384 {
        let text = fs::read_to_string(&dot_git).ok()?;
        normalise(&folder.join(text.strip_prefix("gitdir:")?.trim()))
    } else {
        return None;
    };
    // An empty `.git` folder is not a repository, for git neither.
    fs::symlink_metadata(git_dir.join("HEAD"))
        .is_ok()
        .then_some(git_dir)
}

/// What all worktrees of a repository share.
pub(crate) fn common_dir_of(git_dir: &Path) -> PathBuf {
    match fs::read_to_string(git_dir.join("commondir")) {
        Ok(text) => normalise(&git_dir.join(text.trim())),
        Err(_) => git_dir.to_owned(),
    }
}

/// The common git folder of the repository that `root` stands in, at its top or below.
pub fn git_common_dir(root: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let common = common_dir_of(&work_tree_around(&root)?.git_dir);
    Some(common.canonicalize().unwrap_or(common))
}

/// Where the index of the project at `root` lives (IDX-30): never in the working tree.
pub fn default_store(root: &Path, cache_dir: &Path) -> PathBuf {
    if let Some(common) = git_common_dir(root) {
        return common.join("kitbag");
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

/// Git's file of ignore patterns for all repositories: `core.excludesFile` of the user's configuration, else
/// `$XDG_CONFIG_HOME/git/ignore`. The door passes the values of `HOME` and `XDG_CONFIG_HOME`.
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
        .filter_map(|path| fs::read_to_string(path).ok())
        .filter_map(|text| excludes_file(&text))
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

/// Takes `.` and `..` out by their text. Links are not resolved: git's own pointers do not go through them.
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
