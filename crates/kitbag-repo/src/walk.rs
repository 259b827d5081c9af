//! The walker: folders level by level, those of one level in parallel on all cores, each listed once.
//!
//! It is our own loop over `read_dir` instead of a library, because a rescan must be able to list one folder again in exactly the
//! same way. The order of threads does not matter: results are sorted at the end.

use std::fs;
use std::io;
use std::sync::Arc;

use kitbag_types::{Note, RepoPath, Timestamp};
use rayon::prelude::*;

use crate::folder::{FolderContext, ScanContext, join};
use crate::judge::{Judgement, judge};
use crate::rules::{EntryKind, kind_of};
use crate::scan::{ConsultedFile, Repository, Scan, ScannedFile, ScannedFolder};
use crate::stamp::{file_stamp, folder_stamp};
use crate::tree::Tree;
use crate::{Skip, SkipReason};

/// A folder that passed the filter and is to be listed.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub parent: Option<Arc<FolderContext>>,
    pub path: String,
    pub only_tracked: Option<Skip>,
}

/// The results of one or many folders.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub files: Vec<ScannedFile>,
    pub folders: Vec<ScannedFolder>,
    pub consulted: Vec<ConsultedFile>,
    pub repositories: Vec<Repository>,
    pub skipped: Vec<(String, Skip)>,
    /// Links to be followed, with their context.
    pub links: Vec<(Arc<FolderContext>, String)>,
}

impl Findings {
    pub(crate) fn append(&mut self, mut other: Self) {
        self.files.append(&mut other.files);
        self.folders.append(&mut other.folders);
        self.consulted.append(&mut other.consulted);
        self.repositories.append(&mut other.repositories);
        self.skipped.append(&mut other.skipped);
        self.links.append(&mut other.links);
    }

    pub(crate) fn into_scan(mut self, tree: &Tree, now: Timestamp) -> Scan {
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        self.folders.sort_by(|a, b| a.path.cmp(&b.path));
        self.consulted.sort();
        self.consulted.dedup();
        self.repositories.sort_by(|a, b| a.path.cmp(&b.path));
        self.skipped.sort();
        let notes = notes(tree, &self.files);
        Scan {
            taken_at: now,
            boundary: tree.options().fingerprint(),
            files: self.files,
            folders: self.folders,
            consulted: self.consulted,
            repositories: self.repositories,
            skipped: self.skipped,
            notes,
        }
    }
}

/// Lists folders and everything below them.
pub(crate) fn walk(scan_context: &ScanContext<'_>, mut level: Vec<Pending>) -> Findings {
    let mut found = Findings::default();
    while !level.is_empty() {
        let listed: Vec<(Findings, Vec<Pending>)> = level
            .par_iter()
            .map(|pending| list(scan_context, pending))
            .collect();
        level.clear();
        for (findings, pending) in listed {
            found.append(findings);
            level.extend(pending);
        }
    }
    found
}

/// Lists one folder: its files, and the folders below it that passed the filter.
pub(crate) fn list(scan_context: &ScanContext<'_>, pending: &Pending) -> (Findings, Vec<Pending>) {
    let mut found = Findings::default();
    let mut below = Vec::new();
    let path = pending.path.as_str();
    let disk = scan_context.tree.disk(path);
    // Stamped before it is listed: changes in between are seen next time. A folder that has vanished meanwhile is not an error; its
    // parent's stamp shows it.
    let follow = scan_context.tree.options().follow_symlinks;
    let metadata = if follow {
        fs::metadata(&disk)
    } else {
        fs::symlink_metadata(&disk)
    };
    let Some(metadata) = metadata.ok().filter(fs::Metadata::is_dir) else {
        return (found, below);
    };
    let entries = match fs::read_dir(&disk) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return (found, below),
        Err(error) => {
            found.folders.push(ScannedFolder {
                path: path.to_owned(),
                stamp: folder_stamp(&metadata),
            });
            let detail = format!("the folder cannot be listed: {}", error.kind());
            found
                .skipped
                .push((path.to_owned(), Skip::new(SkipReason::Unreadable, detail)));
            return (found, below);
        }
    };
    found.folders.push(ScannedFolder {
        path: path.to_owned(),
        stamp: folder_stamp(&metadata),
    });
    let mut named = Vec::new();
    for entry in entries.flatten() {
        match entry.file_name().into_string() {
            Ok(name) => named.push((name, entry)),
            Err(name) => found.skipped.push((
                join(path, &name.to_string_lossy()),
                Skip::new(SkipReason::NameNotUtf8, "the name is not UTF-8"),
            )),
        }
    }
    named.sort_by(|a, b| a.0.cmp(&b.0));
    let names: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
    let entered = scan_context.enter(
        pending.parent.as_deref(),
        path,
        &names,
        pending.only_tracked.clone(),
    );
    found.consulted = entered.consulted;
    found.repositories.extend(entered.repository);
    if let Some(skip) = entered.skip {
        found.skipped = vec![(path.to_owned(), skip)];
        return (found, below);
    }
    for (name, entry) in named {
        below.extend(take(scan_context, &entered.context, name, &entry, &mut found));
    }
    (found, below)
}

/// Handles one entry of a folder: a file, a skipped entry with the reason, or a folder to be listed.
fn take(
    scan_context: &ScanContext<'_>,
    context: &Arc<FolderContext>,
    name: String,
    entry: &fs::DirEntry,
    found: &mut Findings,
) -> Option<Pending> {
    // `DirEntry` distinguishes files from folders without a system call, and `metadata` does not follow links.
    let kind = match entry.file_type() {
        Ok(kind) if kind.is_dir() => EntryKind::Folder,
        Ok(kind) if kind.is_symlink() => EntryKind::Symlink,
        Ok(kind) if !kind.is_file() => EntryKind::Special,
        _ => EntryKind::File { size: 0 },
    };
    let (kind, stamp) = match kind {
        EntryKind::File { .. } => match entry.metadata() {
            Ok(metadata) => (kind_of(&metadata), Some(file_stamp(&metadata))),
            Err(_) => return None,
        },
        other => (other, None),
    };
    let inside = join(&context.path, &name);
    if matches!(kind, EntryKind::Symlink) && scan_context.tree.options().follow_symlinks {
        found.links.push((Arc::clone(context), name));
        return None;
    }
    match (judge(scan_context, context, &name, kind), kind) {
        (Judgement::Out(skip), _) => found.skipped.push((inside, skip)),
        (Judgement::OnlyTracked(skip), EntryKind::Folder) => {
            return Some(Pending {
                parent: Some(Arc::clone(context)),
                path: inside,
                only_tracked: Some(skip),
            });
        }
        (_, EntryKind::Folder) => {
            return Some(Pending {
                parent: Some(Arc::clone(context)),
                path: inside,
                only_tracked: None,
            });
        }
        _ => {
            if let (Some(stamp), Ok(path)) = (stamp, RepoPath::new(inside)) {
                found.files.push(ScannedFile { path, stamp });
            }
        }
    }
    None
}

/// Notes about large files, and those from opening the tree.
fn notes(tree: &Tree, files: &[ScannedFile]) -> Vec<Note> {
    let limit = tree.options().warn_file_bytes;
    let large = files
        .iter()
        .filter(|file| file.stamp.size > limit)
        .map(|file| Note {
            code: "large_file",
            lines: None,
            message: format!("{} has {} bytes", file.path, file.stamp.size),
        });
    tree.notes().iter().cloned().chain(large).collect()
}

#[cfg(test)]
mod tests;
