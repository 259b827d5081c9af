//! The filter (IDX-7): one function from an entry of a folder to *indexed* or *skipped because …*. The walker, the
//! rescan and `check-file` all come here, so they cannot disagree.
//!
//! Order of power (IDX-3): what Kitbag brings along, the deny-list, git's ignore files, `.contextignore`, `.dockerignore`, the
//! user's patterns. A weaker layer only adds to what is out and negates its own lines, with one exception: `!pattern` in
//! `.contextignore` brings in what git ignores and what lies in a hidden folder. Content is not looked at here: binary files
//! under a text name are found when they are read.

use std::sync::Arc;

use crate::boundary::{BoundaryOptions, normal_extensions};
use crate::folder::{FolderContext, Ground, join};
use crate::pattern::IgnoreFile;
use crate::{RepoError, Skip, SkipReason, builtin};

/// The longest path that is taken in (SEC-4); systems stop at about this length too.
const MAX_PATH_BYTES: usize = 4096;

/// What a directory listing tells about an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    File { size: u64 },
    Folder,
    Symlink,
    Special,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    In,
    /// A folder that is out, but for what git tracks of it, or for what `.contextignore` brings in.
    OnlyTracked(Skip),
    Out(Skip),
}

/// The parts of the options that are compiled once.
#[derive(Debug)]
pub(crate) struct Rules {
    patterns: IgnoreFile,
    size_exceptions: IgnoreFile,
    denied_paths: IgnoreFile,
    allowed: Vec<String>,
    blocked: Vec<String>,
    /// Relative paths; one `""` for the whole root.
    watch: Vec<String>,
    max_file_bytes: u64,
    hidden: bool,
    use_gitignore: bool,
}

impl Rules {
    pub(crate) fn new(options: &BoundaryOptions, watch: Vec<String>) -> Result<Self, RepoError> {
        Ok(Self {
            patterns: compile("ignore_patterns", &options.ignore_patterns)?,
            size_exceptions: compile("size_exceptions", &options.size_exceptions)?,
            denied_paths: compile("denied_paths", &options.denied_paths)?,
            allowed: normal_extensions(&options.allowed_extensions),
            blocked: normal_extensions(&options.blocked_extensions),
            watch,
            max_file_bytes: options.max_file_bytes,
            hidden: options.hidden,
            use_gitignore: options.use_gitignore,
        })
    }

    pub(crate) fn denied_paths(&self) -> &IgnoreFile {
        &self.denied_paths
    }

    /// How many bytes of this file are taken in.
    pub(crate) fn size_limit(&self, path: &str) -> u64 {
        match self.size_exceptions.matched(path, false) {
            Some(pattern) if !pattern.negated => BoundaryOptions::EXCEPTION_BYTES.max(self.max_file_bytes),
            _ => self.max_file_bytes,
        }
    }

    pub(crate) fn too_large(&self, path: &str, size: u64) -> Option<Skip> {
        let limit = self.size_limit(path);
        (size > limit).then(|| {
            Skip::new(
                SkipReason::TooLarge,
                format!("{size} bytes, the limit is {limit}"),
            )
        })
    }

    /// Where a path stands to what is watched.
    pub(crate) fn watched(&self, path: &str) -> Watched {
        let inside = |path: &str, folder: &str| {
            path.strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        if self
            .watch
            .iter()
            .any(|watch| watch.is_empty() || inside(path, watch))
        {
            Watched::Inside
        } else if self.watch.iter().any(|watch| watch == path) {
            Watched::Itself
        } else if self.watch.iter().any(|watch| inside(watch, path)) {
            Watched::OnTheWay
        } else {
            Watched::Outside
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watched {
    Inside,
    Itself,
    OnTheWay,
    Outside,
}

fn compile(setting: &'static str, patterns: &[String]) -> Result<IgnoreFile, RepoError> {
    for pattern in patterns {
        if let Some(reason) = crate::pattern::Pattern::why_never(pattern) {
            return Err(RepoError::BadGlob {
                setting,
                pattern: pattern.clone(),
                reason,
            });
        }
    }
    Ok(IgnoreFile::parse(
        setting.to_owned(),
        String::new(),
        patterns.join("\n").as_bytes(),
    ))
}

/// See the module. `name` is an entry of `folder`.
pub(crate) fn judge(ground: &Ground<'_>, folder: &FolderContext, name: &str, kind: Kind) -> Judgement {
    let rules = ground.tree.rules();
    let path = join(&folder.path, name);
    let is_folder = matches!(kind, Kind::Folder);
    let out = |reason, detail: String| Judgement::Out(Skip::new(reason, detail));
    if path.len() > MAX_PATH_BYTES {
        return out(
            SkipReason::PathTooLong,
            format!("{} bytes, the limit is {MAX_PATH_BYTES}", path.len()),
        );
    }
    let watched = rules.watched(&path);
    if watched == Watched::Outside || (watched == Watched::OnTheWay && !is_folder) {
        return out(SkipReason::OutsideWatchPaths, "watch_paths".to_owned());
    }
    if let Some(skip) = built_in(ground, folder, name, &path, is_folder) {
        return Judgement::Out(skip);
    }
    let denied = match is_folder {
        true => ground.tree.denied_folder(&path),
        false => ground.tree.denied_file(&path),
    };
    if let Some(rule) = denied {
        return out(SkipReason::Denied, rule);
    }
    let brought = brought_in(ground, folder, &path, is_folder);
    let mut only_tracked = None;
    // Whoever names a hidden folder to be watched wants it.
    if !rules.hidden && watched == Watched::Inside {
        let parent = folder.path.rsplit('/').next().unwrap_or_default();
        let hidden = builtin::hidden_rule(parent, name, is_folder);
        only_tracked = hidden.map(|rule| Skip::new(SkipReason::HiddenFolder, rule));
    }
    let ignored = only_tracked.or_else(|| git_ignored(ground, folder, &path, is_folder));
    let only_tracked = match (ignored, brought) {
        (None, _) | (Some(_), Brought::Itself) => None,
        (Some(skip), Brought::Below) => Some(skip),
        (Some(skip), Brought::No) if is_tracked(ground, folder, &skip, &path, is_folder) => Some(skip),
        (Some(skip), Brought::No) => return Judgement::Out(skip),
    };
    if let Some(skip) = otherwise_ignored(ground, folder, &path, is_folder) {
        return Judgement::Out(skip);
    }
    match kind {
        Kind::Folder => only_tracked.map_or(Judgement::In, Judgement::OnlyTracked),
        Kind::Symlink => out(SkipReason::Symlink, "a symbolic link, not followed".to_owned()),
        Kind::Special => out(SkipReason::NotAFile, "a pipe, socket or device".to_owned()),
        Kind::File { size } => judge_file(rules, name, &path, size),
    }
}

/// Git tracks it, or something below it, whatever its ignore files say. What is hidden is out for another reason.
fn is_tracked(ground: &Ground<'_>, folder: &FolderContext, skip: &Skip, path: &str, is_folder: bool) -> bool {
    let full_path = ground.full_path(path);
    skip.reason == SkipReason::GitIgnore
        && folder.repo.as_ref().is_some_and(|repo| {
            if is_folder {
                repo.tracks_below(&full_path)
            } else {
                repo.tracks_file(&full_path)
            }
        })
}

/// What a `!pattern` of `.contextignore` does to an entry that would be out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Brought {
    Itself,
    /// Something below this folder, by its path.
    Below,
    No,
}

fn brought_in(ground: &Ground<'_>, folder: &FolderContext, path: &str, is_folder: bool) -> Brought {
    let full_path = ground.full_path(path);
    let mut nearest_first = folder.context.iter().rev();
    let decided = nearest_first.find_map(|file| file.matched(&full_path, is_folder));
    match decided {
        Some(pattern) if pattern.negated => Brought::Itself,
        _ if is_folder && folder.context.iter().any(|file| file.brings_below(&full_path)) => Brought::Below,
        _ => Brought::No,
    }
}

fn judge_file(rules: &Rules, name: &str, path: &str, size: u64) -> Judgement {
    let lower = name.to_ascii_lowercase();
    let extension = lower.rsplit_once('.').map(|(_, extension)| extension);
    let listed = |list: &[String]| {
        list.iter()
            .any(|item| Some(item.as_str()) == extension || *item == lower)
    };
    if !rules.allowed.is_empty() && !listed(&rules.allowed) {
        return Judgement::Out(Skip::new(SkipReason::Extension, "not in allowed_extensions"));
    }
    if listed(&rules.blocked) {
        return Judgement::Out(Skip::new(SkipReason::Extension, "in blocked_extensions"));
    }
    if let Some(extension) = builtin::binary_extension(name) {
        return Judgement::Out(Skip::new(SkipReason::Binary, format!("extension .{extension}")));
    }
    rules.too_large(path, size).map_or(Judgement::In, Judgement::Out)
}

fn built_in(
    ground: &Ground<'_>,
    folder: &FolderContext,
    name: &str,
    path: &str,
    is_folder: bool,
) -> Option<Skip> {
    if !is_folder {
        if let Some(rule) = builtin::never_rule(name) {
            return Some(Skip::new(SkipReason::Never, format!("never indexed: {rule}")));
        }
        // `.git` is a file in worktrees and submodules.
        let rule = if name == ".git" {
            Some(name.to_owned())
        } else {
            builtin::file_rule(name)
        };
        return rule.map(|rule| Skip::new(SkipReason::BuiltIn, format!("built-in: {rule}")));
    }
    if let Some(rule) = builtin::folder_rule(name) {
        return Some(Skip::new(SkipReason::BuiltIn, format!("built-in: {rule}")));
    }
    let output = builtin::is_output_folder(name) && (folder.path.is_empty() || folder.builds_here);
    if output
        && !folder
            .repo
            .as_ref()
            .is_some_and(|repo| repo.tracks_below(&ground.full_path(path)))
    {
        return Some(Skip::new(
            SkipReason::BuiltIn,
            format!("built-in: {name}, where builds put their output"),
        ));
    }
    None
}

/// Git's answer, tracked files aside: the nearest file with a matching line decides, then `info/exclude`, then the
/// user's global file.
fn git_ignored(ground: &Ground<'_>, folder: &FolderContext, path: &str, is_folder: bool) -> Option<Skip> {
    if let Some(skip) = &folder.only_tracked {
        return Some(skip.clone());
    }
    if !ground.tree.rules().use_gitignore {
        return None;
    }
    let full_path = ground.full_path(path);
    let exclude = folder.repo.as_ref().and_then(|repo| repo.exclude());
    let nearest_first = folder
        .git
        .iter()
        .rev()
        .map(Arc::as_ref)
        .chain(exclude)
        .chain(&ground.global);
    decide(nearest_first, &full_path, is_folder, SkipReason::GitIgnore)
}

fn otherwise_ignored(
    ground: &Ground<'_>,
    folder: &FolderContext,
    path: &str,
    is_folder: bool,
) -> Option<Skip> {
    let full_path = ground.full_path(path);
    let context = folder.context.iter().rev().map(Arc::as_ref);
    decide(context, &full_path, is_folder, SkipReason::ContextIgnore)
        .or_else(|| docker_ignored(ground, &full_path, is_folder))
        .or_else(|| {
            decide(
                [&ground.tree.rules().patterns],
                path,
                is_folder,
                SkipReason::IgnorePatterns,
            )
        })
}

fn decide<'f>(
    files: impl IntoIterator<Item = &'f IgnoreFile>,
    path: &str,
    is_folder: bool,
    reason: SkipReason,
) -> Option<Skip> {
    files.into_iter().find_map(|file| {
        let pattern = file.matched(path, is_folder)?;
        Some((!pattern.negated).then(|| Skip::new(reason, file.explain(pattern))))
    })?
}

/// Docker lets a line bring back a file whose folder is out, so folders are only passed over where no line does.
fn docker_ignored(ground: &Ground<'_>, full_path: &str, is_folder: bool) -> Option<Skip> {
    let docker = ground.docker.as_ref()?;
    if is_folder && docker.has_negated() {
        return None;
    }
    let mut path = full_path;
    let mut is_folder = is_folder;
    loop {
        if let Some(pattern) = docker.matched(path, is_folder) {
            return (!pattern.negated).then(|| Skip::new(SkipReason::DockerIgnore, docker.explain(pattern)));
        }
        path = path.rsplit_once('/')?.0;
        is_folder = true;
    }
}
