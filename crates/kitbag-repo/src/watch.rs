//! Watches the tree for changes (IDX-50): events of the system in, "scan again" out.
//!
//! An event only means that something happened somewhere; `Tree::rescan` finds out what. So edits, branch switches, a queue that
//! overflowed and a machine that slept are all the same case. The folders of a scan are watched, one by one and not recursively:
//! ignored folders need no watch and cause no wake-ups. (macOS and Windows watch whole trees; there the root is watched and other
//! events are dropped here.) If the system has no watches left, [`Watch::wait`] makes the caller scan every few seconds instead,
//! and a note says so.

mod alarm;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kitbag_types::RepoPath;
use notify::{ErrorKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::folder::join;
use crate::{RepoError, Scan, Tree, Verdict, root};
use alarm::SeenEvents;

pub use alarm::Alarm;

/// The interval of scans where there are no events.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// The most new names that are checked one by one; with more, a scan of everything is cheaper.
const MAX_QUESTIONS: usize = 8;
/// A change of these may change the result for other files.
const RULES: &[&str] = &[".git", ".gitignore", ".contextignore", ".dockerignore"];
/// Whether the system can watch a whole tree.
const WHOLE_TREE: bool = cfg!(any(target_os = "macos", windows));

/// How long to wait for the end of a burst of events.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// After the last event.
    pub quiet: Duration,
    /// After the first, even if events keep coming.
    pub most: Duration,
}

/// Why [`Watch::wait`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeReason {
    /// Scan again.
    Changed,
    /// The time limit is over.
    Late,
    /// The root does not exist.
    RootGone,
    Stopped,
}

/// Watches one tree. Nothing is watched before the first [`Watch::follow`].
pub struct Watch<'t> {
    tree: &'t Tree,
    /// Changes below it are our own.
    store: PathBuf,
    alarm: Alarm,
    /// `None`: the system gives no events.
    watcher: Option<RecommendedWatcher>,
    watched: BTreeSet<PathBuf>,
    n_unwatched: usize,
    /// Files outside the scanned folders that affect the result: git's, and ignore files above the root.
    places: BTreeSet<PathBuf>,
    scan: Option<Scan>,
}

impl<'t> Watch<'t> {
    pub fn open(tree: &'t Tree, store: &Path, alarm: &Alarm) -> Self {
        let store = store.canonicalize().unwrap_or_else(|_| store.to_owned());
        let mut watch = Self {
            tree,
            store,
            alarm: alarm.clone(),
            watcher: None,
            watched: BTreeSet::new(),
            n_unwatched: 0,
            places: BTreeSet::new(),
            scan: None,
        };
        watch.begin();
        watch
    }

    /// Starts a new queue without watches.
    fn begin(&mut self) {
        let (alarm, store) = (self.alarm.clone(), self.store.clone());
        let heard = move |event| alarm.hear(event, &store);
        self.watcher = RecommendedWatcher::new(heard, notify::Config::default()).ok();
        self.watched.clear();
        self.n_unwatched = 0;
    }

    /// Adjusts the watches to a scan. `true`: some folders are watched only now, and changes in them since the scan were missed:
    /// scan again.
    pub fn follow(&mut self, scan: Scan) -> bool {
        for lost in self.alarm.take_lost() {
            self.forget(&lost);
        }
        self.places = places(self.tree, &scan);
        let wanted = self.wanted(&scan);
        self.scan = Some(scan);
        let stale: Vec<PathBuf> = self.watched.difference(&wanted).cloned().collect();
        let fresh: Vec<PathBuf> = wanted.difference(&self.watched).cloned().collect();
        self.n_unwatched = 0;
        let Some(watcher) = &mut self.watcher else {
            self.n_unwatched = fresh.len();
            return false;
        };
        for path in stale {
            // The watch may already be gone.
            let _ = watcher.unwatch(&path);
            self.watched.remove(&path);
        }
        let mut any_fresh = false;
        for (idx, path) in fresh.iter().enumerate() {
            let mode = if WHOLE_TREE && path == self.tree.root() {
                RecursiveMode::Recursive
            } else {
                RecursiveMode::NonRecursive
            };
            match watcher.watch(path, mode).map_err(|error| error.kind) {
                Ok(()) => {
                    self.watched.insert(path.clone());
                    any_fresh = true;
                }
                // Folders below it will not fit either.
                Err(ErrorKind::MaxFilesWatch) => {
                    self.n_unwatched += fresh.len() - idx;
                    break;
                }
                Err(ErrorKind::PathNotFound) => {}
                Err(ErrorKind::Io(error)) if is_harmless(&error) => {}
                Err(_) => self.n_unwatched += 1,
            }
        }
        any_fresh
    }

    /// Blocks until something changed that may affect the index, `limit` is over, or the alarm says stop. Uses no processor time
    /// meanwhile.
    pub fn wait(&mut self, patience: Patience, limit: Option<Duration>) -> WakeReason {
        let polled = (self.n_unwatched > 0).then_some(LOOK_EVERY);
        let end = |limit: Duration| Instant::now() + limit;
        let (late, look) = (limit.map(end), polled.map(end));
        let until = late.into_iter().chain(look).min();
        loop {
            let seen = match self.alarm.wait(patience, until) {
                Some(seen) => seen,
                None if self.alarm.is_stopped() => return WakeReason::Stopped,
                None if !self.tree.root().is_dir() => return WakeReason::RootGone,
                None if late.is_some_and(|late| Instant::now() >= late) => return WakeReason::Late,
                None => return WakeReason::Changed,
            };
            if !self.tree.root().is_dir() {
                return WakeReason::RootGone;
            }
            if self.matters(&seen) {
                return WakeReason::Changed;
            }
            self.alarm.settled();
        }
    }

    /// Blocks until the root exists (again): watches the nearest existing folder above it. `false`: the alarm says stop.
    pub fn wait_for_root(&mut self) -> bool {
        self.begin();
        while !self.tree.root().is_dir() {
            let above = nearest_folder(self.tree.root());
            if let (Some(watcher), Some(above)) = (&mut self.watcher, above) {
                let _ = watcher.watch(above, RecursiveMode::NonRecursive);
            }
            // The root, or a folder between, may have appeared before the watch was set.
            if self.tree.root().is_dir() || nearest_folder(self.tree.root()) != above {
                continue;
            }
            let at_once = Patience {
                quiet: Duration::ZERO,
                most: Duration::ZERO,
            };
            // A folder that was moved together with its parent gives no event, so check from time to time too.
            self.alarm.wait(at_once, Some(Instant::now() + LOOK_EVERY));
            if self.alarm.is_stopped() {
                return false;
            }
        }
        self.begin();
        true
    }

    /// A note for the user that some folders are not watched.
    pub fn note(&self) -> Option<String> {
        (self.n_unwatched > 0).then(|| {
            format!(
                "the system has no watches left for {} folders: they are looked at every {} s (on Linux, a higher \
                 fs.inotify.max_user_watches helps)",
                self.n_unwatched,
                LOOK_EVERY.as_secs()
            )
        })
    }

    /// Drops watches of a path and everything below it that are gone, or belong to folders that now have other names.
    fn forget(&mut self, lost: &Path) {
        let below: Vec<PathBuf> = self
            .watched
            .range(lost.to_owned()..)
            .take_while(|path| path.starts_with(lost))
            .cloned()
            .collect();
        for path in below {
            if let Some(watcher) = &mut self.watcher {
                let _ = watcher.unwatch(&path);
            }
            self.watched.remove(&path);
        }
    }

    fn wanted(&self, scan: &Scan) -> BTreeSet<PathBuf> {
        let root = self.tree.root();
        let folders = scan
            .folders
            .iter()
            .filter(|folder| !WHOLE_TREE || folder.path.is_empty())
            .map(|folder| self.tree.disk(&folder.path))
            .filter(|folder| !folder.starts_with(&self.store));
        let outside = self
            .places
            .iter()
            .filter_map(|place| place.parent())
            .filter(|folder| !(WHOLE_TREE && folder.starts_with(root)))
            .map(Path::to_owned);
        folders.chain(outside).collect()
    }

    /// Whether any of these events can affect the index. Ignored paths cannot, unless the rules change.
    fn matters(&self, seen: &SeenEvents) -> bool {
        let Some(scan) = &self.scan else { return true };
        let (paths, root) = match seen {
            SeenEvents::Paths(paths) if !self.tree.options().follow_symlinks => (paths, self.tree.root()),
            _ => return true,
        };
        let mut questions = Vec::new();
        for path in paths {
            if self.places.contains(path) || path == root {
                return true;
            }
            let inside = path.strip_prefix(root).ok().and_then(Path::to_str);
            let Some(inside) = inside.map(|path| path.replace(std::path::MAIN_SEPARATOR, "/")) else {
                continue;
            };
            let (folder, name) = inside.rsplit_once('/').unwrap_or(("", &inside));
            if !has_folder(scan, folder) {
                continue;
            }
            if RULES.contains(&name) || has_folder(scan, &inside) || has_file(scan, &inside) {
                return true;
            }
            questions.push(join(folder, name));
        }
        questions.len() > MAX_QUESTIONS || questions.into_iter().any(|path| self.is_in(path))
    }

    fn is_in(&self, path: String) -> bool {
        let Ok(path) = RepoPath::new(path) else {
            return false;
        };
        match self.tree.check(&path) {
            Ok(verdict) => matches!(verdict, Verdict::Indexed),
            // It was never known, and it is gone.
            Err(RepoError::NotFound { .. }) => false,
            Err(_) => true,
        }
    }
}

/// The nearest existing folder above `path`.
fn nearest_folder(path: &Path) -> Option<&Path> {
    path.ancestors().skip(1).find(|folder| folder.is_dir())
}

/// Files and folders outside the scan whose changes must be noticed, whether they exist yet or not.
fn places(tree: &Tree, scan: &Scan) -> BTreeSet<PathBuf> {
    let mut places: BTreeSet<PathBuf> = scan
        .consulted
        .iter()
        .map(|file| PathBuf::from(&file.path))
        .filter(|path| path.is_absolute())
        .collect();
    for repository in &scan.repositories {
        let git_dir = match repository.path.as_str() {
            "" => root::work_tree_around(tree.root()).map(|work_tree| work_tree.git_dir),
            path => root::git_dir_of(&tree.disk(path)),
        };
        let Some(git_dir) = git_dir else { continue };
        // Every commit and every switch adds a line to the log of HEAD.
        let names = ["HEAD", "index", "logs", "logs/HEAD", "info"];
        places.extend(names.map(|name| git_dir.join(name)));
    }
    places
}

fn has_folder(scan: &Scan, path: &str) -> bool {
    let found = scan
        .folders
        .binary_search_by(|folder| folder.path.as_str().cmp(path));
    found.is_ok()
}

fn has_file(scan: &Scan, path: &str) -> bool {
    let found = scan.files.binary_search_by(|file| file.path.as_str().cmp(path));
    found.is_ok()
}

/// Gone, or not readable for a scan either: its parent tells when that changes.
fn is_harmless(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | NotADirectory | PermissionDenied)
}

#[cfg(test)]
mod tests;
