//! The context of a folder: the ignore files that apply to it, its repository, and the names in it. It is built once per folder
//! from the parent's context and its own list of names, and shared where nothing changes.

use std::path::Path;
use std::sync::Arc;

use kitbag_types::FileStamp;

use crate::pattern::IgnoreFile;
use crate::root::{self, WorkTree};
use crate::scan::{ConsultedFile, Repository};
use crate::stamp::file_stamp;
use crate::tracked::Tracked;
use crate::tree::Tree;
use crate::{RepoError, Skip, SkipReason, builtin, open};

/// Larger than any ignore file that a person wrote.
const MAX_IGNORE_BYTES: u64 = 5_000_000;

/// What the filter needs to know about a repository.
#[derive(Debug)]
pub(crate) struct RepoContext {
    /// The top folder of its work tree, as a path from the outermost folder.
    base: String,
    common_dir: std::path::PathBuf,
    exclude: Option<IgnoreFile>,
    tracked: Tracked,
}

impl RepoContext {
    fn inside<'p>(&self, full_path: &'p str) -> Option<&'p str> {
        match self.base.len() {
            0 => Some(full_path),
            n => full_path
                .strip_prefix(self.base.as_str())?
                .starts_with('/')
                .then(|| &full_path[n + 1..]),
        }
    }

    pub(crate) fn tracks_file(&self, full_path: &str) -> bool {
        self.inside(full_path)
            .is_some_and(|path| self.tracked.has_file(path))
    }

    pub(crate) fn tracks_below(&self, full_path: &str) -> bool {
        self.inside(full_path)
            .is_some_and(|path| self.tracked.has_below(path))
    }

    /// Whether git tracks a file below this folder whose name matches.
    pub(crate) fn tracks_named_below(&self, full_path: &str, fits: &dyn Fn(&str) -> bool) -> bool {
        self.inside(full_path)
            .is_some_and(|path| self.tracked.has_named_below(path, fits))
    }

    pub(crate) fn exclude(&self) -> Option<&IgnoreFile> {
        self.exclude.as_ref()
    }
}

/// The context of one folder.
#[derive(Clone, Debug)]
pub(crate) struct FolderContext {
    /// Relative to the root, `""` for the root.
    pub path: String,
    /// `.gitignore` files from the repository's top folder down to here.
    pub git: Arc<Vec<Arc<IgnoreFile>>>,
    /// The same for `.contextignore` files.
    pub context: Arc<Vec<Arc<IgnoreFile>>>,
    pub repo: Option<Arc<RepoContext>>,
    /// Whether there is a build manifest in this folder.
    pub builds_here: bool,
    /// Set inside a folder of which only what git tracks, or what `.contextignore` includes, is indexed: the reason for leaving out
    /// the rest.
    pub only_tracked: Option<Skip>,
}

/// What all folders of one scan share.
pub(crate) struct ScanContext<'t> {
    pub tree: &'t Tree,
    /// The path from the outermost folder (the repository's top, or the root) to the root: `""` or `packages/app/`.
    pub prefix: String,
    pub global: Option<IgnoreFile>,
    pub docker: Option<IgnoreFile>,
    outermost: FolderContext,
    pub consulted: Vec<ConsultedFile>,
    pub repository: Option<Repository>,
}

/// The result of entering a folder.
pub(crate) struct Entered {
    pub context: Arc<FolderContext>,
    pub consulted: Vec<ConsultedFile>,
    /// Set if a nested repository begins here.
    pub repository: Option<Repository>,
    /// Set if its content shows that nothing in it is source.
    pub skip: Option<Skip>,
}

impl<'t> ScanContext<'t> {
    /// Reads everything outside the root that affects the scan.
    pub(crate) fn survey(tree: &'t Tree) -> Result<Self, RepoError> {
        let root = tree.root();
        let mut consulted = Vec::new();
        let work_tree = root::work_tree_around(root);
        let outer = work_tree
            .as_ref()
            .map_or(root, |work_tree| work_tree.folder.as_path());
        let prefix = match root.strip_prefix(outer) {
            Ok(inner) if !inner.as_os_str().is_empty() => {
                format!("{}/", inner.to_string_lossy().replace('\\', "/"))
            }
            _ => String::new(),
        };
        let global = tree.options().global_ignore.as_ref().and_then(|path| {
            let shown = path.to_string_lossy().into_owned();
            load(path, shown.clone(), shown, String::new(), true, &mut consulted)
        });
        let docker = match tree.options().use_dockerignore {
            true => load_docker(root, prefix.trim_end_matches('/'), &mut consulted),
            false => None,
        };
        let mut outermost = FolderContext {
            path: String::new(),
            git: Arc::default(),
            context: Arc::default(),
            repo: None,
            builds_here: false,
            only_tracked: None,
        };
        let mut repository = None;
        if let Some(work_tree) = &work_tree {
            let (context, found) = open_repo(work_tree, String::new(), String::new(), &mut consulted);
            outermost.repo = Some(Arc::new(context));
            repository = Some(found);
        }
        // Folders above the root, outermost first; the root's own files are read when it is entered.
        let above: Vec<&Path> = root
            .ancestors()
            .skip(1)
            .take_while(|folder| folder.starts_with(outer))
            .collect();
        for folder in above.into_iter().rev() {
            let base = folder
                .strip_prefix(outer)
                .map(|path| path.to_string_lossy().into_owned())
                .unwrap_or_default();
            for (name, chain) in [
                (".gitignore", &mut outermost.git),
                (".contextignore", &mut outermost.context),
            ] {
                let path = folder.join(name);
                let shown = path.to_string_lossy().into_owned();
                if let Some(file) = load(&path, shown.clone(), shown, base.clone(), false, &mut consulted) {
                    Arc::make_mut(chain).push(Arc::new(file));
                }
            }
        }
        Ok(Self {
            tree,
            prefix,
            global,
            docker,
            outermost,
            consulted,
            repository,
        })
    }

    /// The path from the outermost folder, which patterns and tracked files use.
    pub(crate) fn full_path(&self, path: &str) -> String {
        match path {
            "" => self.prefix.trim_end_matches('/').to_owned(),
            _ => format!("{}{path}", self.prefix),
        }
    }

    /// Enters the folder `path` whose entries are `names`; `parent` is `None` for the root.
    pub(crate) fn enter(
        &self,
        parent: Option<&FolderContext>,
        path: &str,
        names: &[String],
        only_tracked: Option<Skip>,
    ) -> Entered {
        let parent = parent.unwrap_or(&self.outermost);
        let mut context = FolderContext {
            path: path.to_owned(),
            only_tracked,
            ..parent.clone()
        };
        let has = |name: &str| names.binary_search_by(|probe| probe.as_str().cmp(name)).is_ok();
        let folder = self.tree.disk(path);
        let (mut consulted, mut repository, mut skip) = (Vec::new(), None, None);
        context.builds_here = names.iter().any(|name| builtin::is_build_manifest(name));
        if !path.is_empty() && has(".git") {
            (repository, skip) = self.enter_repo(&mut context, &folder, &mut consulted);
        }
        for (name, chain) in [
            (".gitignore", &mut context.git),
            (".contextignore", &mut context.context),
        ] {
            if has(name) {
                let shown = join(path, name);
                let file = load(
                    &folder.join(name),
                    shown.clone(),
                    shown,
                    self.full_path(path),
                    false,
                    &mut consulted,
                );
                if let Some(file) = file.filter(|file| !file.is_empty()) {
                    Arc::make_mut(chain).push(Arc::new(file));
                }
            }
        }
        let marker = names.iter().find_map(|name| builtin::folder_marker(name));
        if let Some(marker) = marker
            && skip.is_none()
            && !path.is_empty()
            && !context
                .repo
                .as_ref()
                .is_some_and(|repo| repo.tracks_below(&self.full_path(path)))
        {
            skip = Some(Skip::new(
                SkipReason::BuiltIn,
                format!("built-in: a folder with {marker}"),
            ));
        }
        Entered {
            context: Arc::new(context),
            consulted,
            repository,
            skip,
        }
    }

    /// Enters a nested repository: git's rules of the outer one end here. Another worktree of the same repository is left out,
    /// because it would show every file twice.
    fn enter_repo(
        &self,
        context: &mut FolderContext,
        folder: &Path,
        consulted: &mut Vec<ConsultedFile>,
    ) -> (Option<Repository>, Option<Skip>) {
        let dot_git = join(&context.path, ".git");
        let pointer = std::fs::symlink_metadata(folder.join(".git"))
            .ok()
            .filter(|metadata| metadata.is_file());
        consulted.extend(pointer.map(|metadata| ConsultedFile::new(dot_git, Some(file_stamp(&metadata)))));
        let Some(git_dir) = root::git_dir_of(folder) else {
            return (None, None);
        };
        let common_dir = root::common_dir_of(&git_dir);
        let outer = self.outermost.repo.as_ref().map(|repo| repo.common_dir.as_path());
        if git_dir != common_dir && outer == Some(common_dir.as_path()) {
            return (
                None,
                Some(Skip::new(
                    SkipReason::BuiltIn,
                    "built-in: another worktree of this repository",
                )),
            );
        }
        let work_tree = WorkTree {
            folder: folder.to_owned(),
            git_dir,
        };
        let (repo, found) = open_repo(
            &work_tree,
            self.full_path(&context.path),
            context.path.clone(),
            consulted,
        );
        context.git = Arc::default();
        context.repo = Some(Arc::new(repo));
        context.only_tracked = None;
        (Some(found), None)
    }
}

pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

fn open_repo(
    work_tree: &WorkTree,
    base: String,
    path: String,
    consulted: &mut Vec<ConsultedFile>,
) -> (RepoContext, Repository) {
    let common_dir = root::common_dir_of(&work_tree.git_dir);
    let exclude_path = common_dir.join("info/exclude");
    let key = exclude_path.to_string_lossy().into_owned();
    let exclude = load(
        &exclude_path,
        key,
        ".git/info/exclude".to_owned(),
        base.clone(),
        true,
        consulted,
    );
    // The stamp first: if the index changes while it is read, the next scan sees another stamp.
    let index = index_stamp(&work_tree.git_dir);
    let tracked = Tracked::load(&work_tree.folder, &work_tree.git_dir, &common_dir);
    let repository = Repository {
        path,
        index,
        tracked: tracked.digest(),
    };
    (
        RepoContext {
            base,
            common_dir,
            exclude,
            tracked,
        },
        repository,
    )
}

pub(crate) fn index_stamp(git_dir: &Path) -> Option<FileStamp> {
    std::fs::metadata(git_dir.join("index"))
        .ok()
        .map(|metadata| file_stamp(&metadata))
}

/// Reads an ignore file and records that it was consulted. Like git, does not follow links named `.gitignore`.
fn load(
    path: &Path,
    key: String,
    shown: String,
    base: String,
    follow: bool,
    consulted: &mut Vec<ConsultedFile>,
) -> Option<IgnoreFile> {
    let stamp = consulted_stamp(path);
    consulted.push(ConsultedFile::new(key, stamp));
    stamp?;
    let bytes = open::read_regular(path, follow, MAX_IGNORE_BYTES).ok()?;
    Some(IgnoreFile::parse(shown, base, &bytes))
}

pub(crate) fn consulted_stamp(path: &Path) -> Option<FileStamp> {
    std::fs::metadata(path)
        .ok()
        .filter(std::fs::Metadata::is_file)
        .map(|metadata| file_stamp(&metadata))
}

/// `.dockerignore` patterns are all relative to the root, with or without a slash.
fn load_docker(root: &Path, base: &str, consulted: &mut Vec<ConsultedFile>) -> Option<IgnoreFile> {
    let path = root.join(".dockerignore");
    let stamp = consulted_stamp(&path);
    consulted.push(ConsultedFile::new(".dockerignore".to_owned(), stamp));
    let bytes = open::read_regular(&path, false, MAX_IGNORE_BYTES).ok()?;
    let mut lines = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii();
        if line.is_empty() || line[0] == b'#' {
            lines.push(b'\n');
            continue;
        }
        let (negated, line) = line.strip_prefix(b"!").map_or((false, line), |rest| (true, rest));
        let line = line.strip_prefix(b"./").unwrap_or(line);
        let line = line.strip_prefix(b"/").unwrap_or(line);
        lines.extend_from_slice(if negated { b"!/" } else { b"/" });
        lines.extend_from_slice(line.strip_suffix(b"/").unwrap_or(line));
        lines.push(b'\n');
    }
    Some(IgnoreFile::parse(
        ".dockerignore".to_owned(),
        base.to_owned(),
        &lines,
    ))
}
