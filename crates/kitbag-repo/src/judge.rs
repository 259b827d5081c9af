//! The filter (IDX-7): one function from an entry of a folder to *indexed* or *skipped because …*. The walker, the rescan and
//! `check-file` all use it, so they cannot disagree.
//!
//! The rules in order of precedence (IDX-3): the built-in rules, the deny-list, git's ignore files, `.contextignore`,
//! `.dockerignore`, the user's patterns. A weaker layer can only exclude more and negate its own lines, with one exception:
//! `!pattern` in `.contextignore` includes what git ignores and what is in a hidden folder. Content is not read here: binary files
//! with a text name are recognised when they are read.

use std::sync::Arc;

use crate::folder::{FolderContext, ScanContext, join};
use crate::pattern::IgnoreFile;
use crate::rules::{EntryKind, Rules, Watched};
use crate::{Skip, SkipReason, builtin};

/// The longest path that is indexed (SEC-4); systems have about the same limit.
const MAX_PATH_BYTES: usize = 4096;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    In,
    /// A folder of which only what git tracks, or what `.contextignore` includes, is indexed.
    OnlyTracked(Skip),
    Out(Skip),
}

/// Judges the entry `name` of `folder`.
pub(crate) fn judge(
    scan_context: &ScanContext<'_>,
    folder: &FolderContext,
    name: &str,
    kind: EntryKind,
) -> Judgement {
    let rules = scan_context.tree.rules();
    let path = join(&folder.path, name);
    let is_folder = matches!(kind, EntryKind::Folder);
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
    if let Some(skip) = built_in(scan_context, folder, name, &path, is_folder) {
        return Judgement::Out(skip);
    }
    let denied = match is_folder {
        true => scan_context.tree.denied_folder(&path),
        false => scan_context.tree.denied_file(&path),
    };
    if let Some(rule) = denied {
        return out(SkipReason::Denied, rule);
    }
    let reincluded = reinclusion(scan_context, folder, &path, is_folder);
    let mut only_tracked = None;
    // A hidden folder that is named as a watch path is wanted.
    if !rules.hidden && watched == Watched::Inside {
        let parent = folder.path.rsplit('/').next().unwrap_or_default();
        let hidden = builtin::hidden_rule(parent, name, is_folder);
        let hidden = hidden.filter(|_| !is_built_here(scan_context, folder, name, &path, is_folder));
        only_tracked = hidden.map(|rule| Skip::new(SkipReason::HiddenFolder, rule));
    }
    let ignored = only_tracked.or_else(|| git_ignored(scan_context, folder, &path, is_folder));
    let only_tracked = match (ignored, reincluded) {
        (None, _) | (Some(_), Reinclusion::Itself) => None,
        (Some(skip), Reinclusion::Below) => Some(skip),
        (Some(skip), Reinclusion::No) if is_tracked(scan_context, folder, &skip, &path, is_folder) => {
            Some(skip)
        }
        (Some(skip), Reinclusion::No) => return Judgement::Out(skip),
    };
    if let Some(skip) = otherwise_ignored(scan_context, folder, &path, is_folder) {
        return Judgement::Out(skip);
    }
    match kind {
        EntryKind::Folder => only_tracked.map_or(Judgement::In, Judgement::OnlyTracked),
        EntryKind::Symlink => out(SkipReason::Symlink, "a symbolic link, not followed".to_owned()),
        EntryKind::Special => out(SkipReason::NotAFile, "a pipe, socket or device".to_owned()),
        EntryKind::File { size } => judge_file(rules, name, &path, size),
    }
}

/// Whether git tracks it, or something below it, whatever its ignore files say. Hidden entries have a rule of their own.
fn is_tracked(
    scan_context: &ScanContext<'_>,
    folder: &FolderContext,
    skip: &Skip,
    path: &str,
    is_folder: bool,
) -> bool {
    let full_path = scan_context.full_path(path);
    skip.reason == SkipReason::GitIgnore
        && folder.repo.as_ref().is_some_and(|repo| {
            if is_folder {
                repo.tracks_below(&full_path)
            } else {
                repo.tracks_file(&full_path)
            }
        })
}

/// Whether git tracks a build manifest below a hidden folder. Then it holds a part of the project, such as a member of a workspace
/// (PKG-2): caches and private state are not committed with one. Of agents' folders only the listed parts count.
fn is_built_here(
    scan_context: &ScanContext<'_>,
    folder: &FolderContext,
    name: &str,
    path: &str,
    is_folder: bool,
) -> bool {
    is_folder
        && name.starts_with('.')
        && !builtin::is_agent_folder(name)
        && folder.repo.as_ref().is_some_and(|repo| {
            repo.tracks_named_below(&scan_context.full_path(path), &builtin::is_build_manifest)
        })
}

/// The effect of a `!pattern` in `.contextignore` on an entry that would be excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reinclusion {
    Itself,
    /// It includes something below this folder, by its path.
    Below,
    No,
}

fn reinclusion(
    scan_context: &ScanContext<'_>,
    folder: &FolderContext,
    path: &str,
    is_folder: bool,
) -> Reinclusion {
    let full_path = scan_context.full_path(path);
    let mut nearest_first = folder.context.iter().rev();
    let decided = nearest_first.find_map(|file| file.matched(&full_path, is_folder));
    match decided {
        Some(pattern) if pattern.negated => Reinclusion::Itself,
        _ if is_folder && folder.context.iter().any(|file| file.brings_below(&full_path)) => {
            Reinclusion::Below
        }
        _ => Reinclusion::No,
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
    scan_context: &ScanContext<'_>,
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
            .is_some_and(|repo| repo.tracks_below(&scan_context.full_path(path)))
    {
        return Some(Skip::new(
            SkipReason::BuiltIn,
            format!("built-in: {name}, where builds put their output"),
        ));
    }
    None
}

/// What git's ignore files say, apart from tracked files: the nearest file with a matching line decides, then `info/exclude`, then
/// the user's global file.
fn git_ignored(
    scan_context: &ScanContext<'_>,
    folder: &FolderContext,
    path: &str,
    is_folder: bool,
) -> Option<Skip> {
    if let Some(skip) = &folder.only_tracked {
        return Some(skip.clone());
    }
    if !scan_context.tree.rules().use_gitignore {
        return None;
    }
    let full_path = scan_context.full_path(path);
    let exclude = folder.repo.as_ref().and_then(|repo| repo.exclude());
    let nearest_first = folder
        .git
        .iter()
        .rev()
        .map(Arc::as_ref)
        .chain(exclude)
        .chain(&scan_context.global);
    decide(nearest_first, &full_path, is_folder, SkipReason::GitIgnore)
}

fn otherwise_ignored(
    scan_context: &ScanContext<'_>,
    folder: &FolderContext,
    path: &str,
    is_folder: bool,
) -> Option<Skip> {
    let full_path = scan_context.full_path(path);
    let context = folder.context.iter().rev().map(Arc::as_ref);
    decide(context, &full_path, is_folder, SkipReason::ContextIgnore)
        .or_else(|| docker_ignored(scan_context, &full_path, is_folder))
        .or_else(|| {
            decide(
                [&scan_context.tree.rules().patterns],
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

/// Docker lets a line include a file whose folder is excluded, so a folder is only skipped if no line does that.
fn docker_ignored(scan_context: &ScanContext<'_>, full_path: &str, is_folder: bool) -> Option<Skip> {
    let docker = scan_context.docker.as_ref()?;
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
