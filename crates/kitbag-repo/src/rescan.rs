//! The quick check: what has changed since a scan, at the cost of one `stat` per file.
//!
//! Law: `rescan(old, now) == scan(now)`. The stamp of a file tells whether it changed; the stamp of a folder tells whether its list
//! of entries did, and only then is it listed again. What can change the result everywhere (an ignore file, what git tracks, the
//! options) leads to a full scan. Stamps that are too recent to be reliable count as changed (see `is_settled`). Where links are
//! followed, a change behind a link does not show in the folders that were walked: then every rescan is a full one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use kitbag_types::{RepoPath, Timestamp};
use rayon::prelude::*;

use crate::folder::{FolderContext, ScanContext, consulted_stamp, index_stamp};
use crate::judge::{Judgement, judge};
use crate::rules::EntryKind;
use crate::scan::{ConsultedFile, Repository, Scan, ScannedFile, ScannedFolder};
use crate::stamp::{file_stamp, folder_stamp};
use crate::tracked::Tracked;
use crate::tree::Tree;
use crate::walk::{self, Findings, Pending, list};
use crate::{RepoError, Skip, SkipReason, is_settled, root};

impl Tree {
    /// The same result as [`Tree::scan`], with only a `stat` for everything that has not changed since `old`.
    pub fn rescan(&self, old: &Scan, now: Timestamp) -> Result<Scan, RepoError> {
        rescan(self, old, now)
    }
}

fn rescan(tree: &Tree, old: &Scan, now: Timestamp) -> Result<Scan, RepoError> {
    if tree.options().follow_symlinks
        || old.boundary != tree.options().fingerprint()
        || !consulted_unchanged(tree, old)
        || !repositories_unchanged(tree, old)
    {
        return tree.scan(now);
    }
    let mut looked = look(tree, old);
    if looked.relist.iter().all(|relist| !relist) {
        // The stamps of index files may be new although the tracked files are the same.
        return Ok(unchanged(tree, old, looked, now));
    }
    match relist(tree, old, &mut looked, now)? {
        Some(scan) => Ok(scan),
        None => tree.scan(now),
    }
}

/// The current stamps, compared with the old scan.
struct StampChanges {
    /// Per folder of the old scan: whether to list it again.
    relist: Vec<bool>,
    /// Files and skipped entries of the folders that are not listed again.
    files: Vec<ScannedFile>,
    skipped: Vec<(String, Skip)>,
    repositories: Vec<Repository>,
}

fn unchanged(tree: &Tree, old: &Scan, looked: StampChanges, now: Timestamp) -> Scan {
    let found = Findings {
        files: looked.files,
        folders: old.folders.clone(),
        consulted: old.consulted.clone(),
        repositories: looked.repositories,
        skipped: looked.skipped,
        links: Vec::new(),
    };
    found.into_scan(tree, now)
}

fn consulted_unchanged(tree: &Tree, old: &Scan) -> bool {
    old.consulted.iter().all(|file| {
        let stamp = consulted_stamp(&tree.root().join(&file.path));
        let settled = stamp.is_none_or(|stamp| is_settled(stamp.mtime_ns, old.taken_at));
        settled && *file == ConsultedFile::new(file.path.clone(), stamp)
    })
}

fn repositories_unchanged(tree: &Tree, old: &Scan) -> bool {
    let outer = root::work_tree_around(tree.root());
    // The root's own repository is listed under `""`; there is none if the root is not in a repository.
    if outer.is_some()
        != old
            .repositories
            .first()
            .is_some_and(|repository| repository.path.is_empty())
    {
        return false;
    }
    old.repositories.iter().all(|repository| {
        let (work_tree, git_dir) = match (&outer, repository.path.as_str()) {
            (Some(outer), "") => (outer.folder.clone(), Some(outer.git_dir.clone())),
            (_, path) => (tree.disk(path), root::git_dir_of(&tree.disk(path))),
        };
        git_dir.is_some_and(|git_dir| tracks_the_same(repository, &work_tree, &git_dir, old.taken_at))
    })
}

fn tracks_the_same(repository: &Repository, work_tree: &Path, git_dir: &Path, taken_at: Timestamp) -> bool {
    let stamp = index_stamp(git_dir);
    if stamp == repository.index && stamp.is_none_or(|stamp| is_settled(stamp.mtime_ns, taken_at)) {
        return true;
    }
    Tracked::load(work_tree, git_dir, &root::common_dir_of(git_dir)).digest() == repository.tracked
}

/// Takes the stamps of everything that is known.
fn look(tree: &Tree, old: &Scan) -> StampChanges {
    let folder_idx = |path: &str| {
        old.folders
            .binary_search_by(|folder| folder.path.as_str().cmp(path))
            .ok()
    };
    let mut relist: Vec<bool> = old
        .folders
        .par_iter()
        .map(|folder| folder_changed(tree, folder, old.taken_at))
        .collect();
    let stays = |relist: &[bool], path: &str| folder_idx(path).is_some_and(|idx| !relist[idx]);

    // A file vanished from a folder whose stamp is unchanged: the tree is changing now. List the folder again.
    let before = relist.clone();
    let files: Vec<(&ScannedFile, Option<ScannedFile>)> = old
        .files
        .par_iter()
        .filter(|file| stays(&before, file.path.folder()))
        .map(|file| (file, restamp(tree, &file.path)))
        .collect();
    let too_large: Vec<(&String, Option<ScannedFile>)> = old
        .skipped
        .par_iter()
        .filter(|(path, skip)| skip.reason == SkipReason::TooLarge && stays(&before, parent(path)))
        .map(|(path, _)| {
            (
                path,
                RepoPath::new(path.clone())
                    .ok()
                    .and_then(|path| restamp(tree, &path)),
            )
        })
        .collect();
    let gone = files
        .iter()
        .filter(|(_, now)| now.is_none())
        .map(|(file, _)| file.path.folder());
    let gone = gone.chain(
        too_large
            .iter()
            .filter(|(_, now)| now.is_none())
            .map(|(path, _)| parent(path)),
    );
    for folder in gone {
        if let Some(idx) = folder_idx(folder) {
            relist[idx] = true;
        }
    }

    let mut looked = StampChanges {
        relist,
        files: Vec::new(),
        skipped: Vec::new(),
        repositories: Vec::new(),
    };
    for file in files
        .into_iter()
        .filter_map(|(_, now)| now)
        .chain(too_large.into_iter().filter_map(|(_, now)| now))
    {
        if !stays(&looked.relist, file.path.folder()) {
            continue;
        }
        match tree.rules().too_large(file.path.as_str(), file.stamp.size) {
            Some(skip) => looked.skipped.push((file.path.as_str().to_owned(), skip)),
            None => looked.files.push(file),
        }
    }
    for (path, skip) in &old.skipped {
        // A folder may be skipped for its content; then it was listed, and its own stamp is the one to check.
        let owner = if folder_idx(path).is_some() {
            path
        } else {
            parent(path)
        };
        if skip.reason != SkipReason::TooLarge && stays(&looked.relist, owner) {
            looked.skipped.push((path.clone(), skip.clone()));
        }
    }
    looked.repositories = old
        .repositories
        .iter()
        .map(|repository| restamp_index(tree, repository))
        .collect();
    looked
}

fn restamp_index(tree: &Tree, repository: &Repository) -> Repository {
    let git_dir = match repository.path.as_str() {
        "" => root::work_tree_around(tree.root()).map(|work_tree| work_tree.git_dir),
        path => root::git_dir_of(&tree.disk(path)),
    };
    Repository {
        index: git_dir.and_then(|git_dir| index_stamp(&git_dir)),
        ..repository.clone()
    }
}

fn folder_changed(tree: &Tree, folder: &ScannedFolder, taken_at: Timestamp) -> bool {
    match fs::symlink_metadata(tree.disk(&folder.path)) {
        Ok(now) if now.is_dir() => {
            folder_stamp(&now) != folder.stamp || !is_settled(folder.stamp.changed_ns, taken_at)
        }
        _ => true,
    }
}

/// The file as it is now, if it is still a file.
fn restamp(tree: &Tree, path: &RepoPath) -> Option<ScannedFile> {
    let now = fs::symlink_metadata(tree.disk(path.as_str())).ok()?;
    now.is_file().then(|| ScannedFile {
        path: path.clone(),
        stamp: file_stamp(&now),
    })
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Lists the changed folders again and drops everything whose folder is gone. `None`: something was found that may change the
/// result elsewhere.
fn relist(
    tree: &Tree,
    old: &Scan,
    looked: &mut StampChanges,
    now: Timestamp,
) -> Result<Option<Scan>, RepoError> {
    let scan_context = ScanContext::survey(tree)?;
    let mut contexts = Contexts {
        scan_context: &scan_context,
        known: BTreeMap::new(),
    };
    let mut found = Findings::default();
    // Folders in order, so that a parent's new list is known before its children are checked.
    let mut alive: BTreeMap<&str, bool> = BTreeMap::new();
    let mut listed: BTreeMap<String, Vec<Pending>> = BTreeMap::new();
    for (folder, relist) in old.folders.iter().zip(&looked.relist) {
        let path = folder.path.as_str();
        let above = parent(path);
        let is_alive = path.is_empty()
            || (alive.get(above) == Some(&true)
                && listed
                    .get(above)
                    .is_none_or(|below| below.iter().any(|pending| pending.path == path)));
        alive.insert(path, is_alive);
        if !is_alive {
            continue;
        }
        if !relist {
            found.folders.push(folder.clone());
            continue;
        }
        let Some(pending) = contexts.pending(path)? else {
            return Ok(None);
        };
        let (here, below) = list(&scan_context, &pending);
        // It is gone, although its parent still has it: the tree is changing now.
        if here.folders.is_empty() || !says_the_same(old, path, &here) {
            return Ok(None);
        }
        found.append(here);
        listed.insert(path.to_owned(), below);
    }
    let is_alive = |path: &str| alive.get(path) == Some(&true);
    let fresh: Vec<Pending> = listed
        .into_values()
        .flatten()
        .filter(|pending| !alive.contains_key(pending.path.as_str()))
        .collect();
    let fresh = walk::walk(&scan_context, fresh);
    let lost_repository = old
        .repositories
        .iter()
        .any(|repository| !is_alive(&repository.path) && !repository.path.is_empty());
    if !fresh.repositories.is_empty() || lost_repository {
        return Ok(None);
    }
    found.append(fresh);
    found.files.extend(
        std::mem::take(&mut looked.files)
            .into_iter()
            .filter(|file| is_alive(file.path.folder())),
    );
    found.skipped.extend(
        std::mem::take(&mut looked.skipped)
            .into_iter()
            .filter(|(path, _)| {
                is_alive(if alive.contains_key(path.as_str()) {
                    path
                } else {
                    parent(path)
                })
            }),
    );
    // Files outside the root have absolute paths, and they stay.
    found.consulted.extend(
        old.consulted
            .iter()
            .filter(|file| Path::new(&file.path).is_absolute() || is_alive(parent(&file.path)))
            .cloned(),
    );
    found.repositories = std::mem::take(&mut looked.repositories);
    Ok(Some(found.into_scan(tree, now)))
}

/// Whether a folder has the same ignore files and the same kind of repository as before.
fn says_the_same(old: &Scan, path: &str, here: &Findings) -> bool {
    let within = |file: &&ConsultedFile| !Path::new(&file.path).is_absolute() && parent(&file.path) == path;
    let mut before: Vec<&ConsultedFile> = old
        .consulted
        .iter()
        .filter(within)
        .filter(|file| file.path != ".dockerignore")
        .collect();
    let mut after: Vec<&ConsultedFile> = here.consulted.iter().filter(within).collect();
    before.sort();
    after.sort();
    let had = !path.is_empty() && old.repositories.iter().any(|repository| repository.path == path);
    before == after && had != here.repositories.is_empty()
}

/// Contexts of folders that were not walked this time, built from the root down when needed.
struct Contexts<'g, 't> {
    scan_context: &'g ScanContext<'t>,
    known: BTreeMap<String, Arc<FolderContext>>,
}

impl Contexts<'_, '_> {
    /// The context that the walker would have for this folder; `None` if it would not get here.
    fn pending(&mut self, path: &str) -> Result<Option<Pending>, RepoError> {
        if path.is_empty() {
            return Ok(Some(Pending {
                parent: None,
                path: String::new(),
                only_tracked: None,
            }));
        }
        let Some(above) = self.context(parent(path))? else {
            return Ok(None);
        };
        let name = path.rsplit('/').next().unwrap_or(path);
        let only_tracked = match judge(self.scan_context, &above, name, EntryKind::Folder) {
            Judgement::Out(_) => return Ok(None),
            Judgement::OnlyTracked(skip) => Some(skip),
            Judgement::In => None,
        };
        Ok(Some(Pending {
            parent: Some(above),
            path: path.to_owned(),
            only_tracked,
        }))
    }

    fn context(&mut self, path: &str) -> Result<Option<Arc<FolderContext>>, RepoError> {
        if let Some(known) = self.known.get(path) {
            return Ok(Some(Arc::clone(known)));
        }
        let Some(pending) = self.pending(path)? else {
            return Ok(None);
        };
        let Ok(names) = self.scan_context.tree.names(path) else {
            return Ok(None);
        };
        let entered = self
            .scan_context
            .enter(pending.parent.as_deref(), path, &names, pending.only_tracked);
        self.known.insert(path.to_owned(), Arc::clone(&entered.context));
        Ok(Some(entered.context))
    }
}

#[cfg(test)]
mod tests;
