//! Noticing that the tree changed (IDX-50): the system's events in, "look again" out.
//!
//! An event is believed in one thing only, that something happened somewhere; what happened is found by `Tree::rescan`. So
//! edits, branch switches, a queue that overflowed and a machine that slept are all the same case. Watched are the folders
//! that a scan listed, one by one and not recursively: what is ignored costs no watch and wakes nobody. (Where the system
//! watches whole trees, macOS and Windows, the root is watched and the rest passed over here.)
//! Where there are no watches left, [`Watch::wait`] lets the caller look every few seconds instead, and a note says so.

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

/// Where there is no event to wait for.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// Names that are new are asked about one by one, if they are few: a look at everything costs less than many questions.
const MAX_QUESTIONS: usize = 8;
/// A change of these may change the answer for other files.
const RULES: &[&str] = &[".git", ".gitignore", ".contextignore", ".dockerignore"];
/// The system can watch a tree as one.
const WHOLE_TREE: bool = cfg!(any(target_os = "macos", windows));

/// How long to wait for a burst to end.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// After the last event.
    pub quiet: Duration,
    /// After the first, however steady the writing is.
    pub most: Duration,
}

/// Why [`Watch::wait`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeReason {
    /// Look again.
    Changed,
    /// The time that was given is over.
    Late,
    /// The root is not there.
    RootGone,
    Stopped,
}

/// Watches over one tree. Nothing is watched before the first [`Watch::follow`].
pub struct Watch<'t> {
    tree: &'t Tree,
    /// Writes below it are our own.
    store: PathBuf,
    alarm: Alarm,
    /// `None`: the system gives no events at all.
    watcher: Option<RecommendedWatcher>,
    watched: BTreeSet<PathBuf>,
    n_unwatched: usize,
    /// Files outside the folders of the scan that have a say: git's, and ignore files above the root.
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

    /// Watches nothing, with a queue of its own.
    fn begin(&mut self) {
        let (alarm, store) = (self.alarm.clone(), self.store.clone());
        let heard = move |event| alarm.hear(event, &store);
        self.watcher = RecommendedWatcher::new(heard, notify::Config::default()).ok();
        self.watched.clear();
        self.n_unwatched = 0;
    }

    /// Brings what is watched in line with a scan. `true`: some folders are watched only now, and what happened in them
    /// since the scan went unseen: look again.
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
            // It may have gone by itself.
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
                // Whatever is below will not fit either.
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

    /// Blocks until something changed that may concern the index, `limit` is over, or the alarm says stop. Takes no time of a
    /// processor meanwhile.
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

    /// Blocks until the root is there (again): watches the nearest folder above it that is. `false`: the alarm says stop.
    pub fn wait_for_root(&mut self) -> bool {
        self.begin();
        while !self.tree.root().is_dir() {
            let above = nearest_folder(self.tree.root());
            if let (Some(watcher), Some(above)) = (&mut self.watcher, above) {
                let _ = watcher.watch(above, RecursiveMode::NonRecursive);
            }
            // The root, or a folder between, may have come before the watch did, and nobody saw it.
            if self.tree.root().is_dir() || nearest_folder(self.tree.root()) != above {
                continue;
            }
            let at_once = Patience {
                quiet: Duration::ZERO,
                most: Duration::ZERO,
            };
            // A folder that was moved away with what is above it says nothing, so look now and then too.
            self.alarm.wait(at_once, Some(Instant::now() + LOOK_EVERY));
            if self.alarm.is_stopped() {
                return false;
            }
        }
        self.begin();
        true
    }

    /// What the person should know: that some folders have no watch.
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

    /// Watches of a path and of all below it that are gone, or hang on folders that now have other names.
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

    /// Whether any of this can concern the index. What is ignored cannot, as long as the rules stay.
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

/// The nearest folder above `path` that is there.
fn nearest_folder(path: &Path) -> Option<&Path> {
    path.ancestors().skip(1).find(|folder| folder.is_dir())
}

/// Files and folders outside the scan whose change must be noticed, whether they are there yet or not.
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
        // Every commit and every switch is a line in the log of HEAD.
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

/// Gone, or not for us to list either: its parent tells when that changes.
fn is_harmless(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | NotADirectory | PermissionDenied)
}

#[cfg(test)]
mod tests;
