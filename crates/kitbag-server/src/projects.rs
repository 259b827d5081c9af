//! The projects of one server (MCP-7). Clients start `kitbag mcp` in any folder, often in the home folder or in `/`, so it
//! opens no project at the start. Each call determines its project: by its `project` argument, else by the client's roots,
//! else by the working folder. Projects stay open and watched, up to [`MOST_OPEN`]; then the least recently used one is
//! closed, which costs only the time to open it again.
//!
//! `kitbag serve` answers for one project: a client that can reach its port must not choose a folder of this machine.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kitbag_engine::{RootKind, Timestamp, find_root};
use serde_json::{Value, json};

use super::lenient::{PROJECT, understood};
use super::project::Running;
use super::{Call, Operation, OperationReply, Project};
use kitbag_door::env;
use kitbag_door::failure::Failure;
use kitbag_door::surroundings::Surroundings;

/// Each project costs two threads, an open store and the system's watches on its folders.
const MOST_OPEN: usize = 8;

pub struct Projects {
    reach: ProjectAccess,
}

enum ProjectAccess {
    /// Any project of this machine.
    Anywhere {
        around: Box<Surroundings>,
        open: Mutex<Vec<Opened>>,
    },
    /// Only this one, which the caller has started.
    Only(Arc<Project>),
}

/// An open project with its threads.
struct Opened {
    project: Arc<Project>,
    _running: Running,
}

impl Projects {
    /// Opens nothing. A `--root` that cannot be a project is refused at once: it is a mistake in the client's configuration.
    pub fn anywhere(around: Surroundings) -> Result<Projects, Failure> {
        let projects = Projects {
            reach: ProjectAccess::Anywhere {
                around: Box::new(around.clone()),
                open: Mutex::default(),
            },
        };
        if around.given.root.is_some() {
            Project::open(around, Vec::new())?;
        }
        Ok(projects)
    }

    pub(crate) fn only(project: Arc<Project>) -> Projects {
        Projects {
            reach: ProjectAccess::Only(project),
        }
    }

    /// Ends all background work, after usage is recorded.
    pub(crate) fn close(&self) {
        if let ProjectAccess::Anywhere { open, .. } = &self.reach {
            let closed = std::mem::take(&mut *open.lock().unwrap_or_else(PoisonError::into_inner));
            for one in &closed {
                one.project.end_jobs();
            }
            drop(closed);
        }
    }

    /// Whether the client's roots matter.
    pub(crate) fn asks_for_roots(&self) -> bool {
        matches!(&self.reach, ProjectAccess::Anywhere { around, .. } if around.given.root.is_none())
    }

    pub(crate) fn now(&self) -> Timestamp {
        match &self.reach {
            ProjectAccess::Anywhere { around, .. } => around.clock(),
            ProjectAccess::Only(project) => project.now(),
        }
    }

    /// Answers about the project that the call means. Every door uses this.
    pub(crate) fn answer(
        &self,
        operation: &Operation,
        arguments: Value,
        roots: &[PathBuf],
        asked: &Call<'_>,
    ) -> Result<OperationReply, Failure> {
        let mut arguments = understood(operation, arguments)?;
        let named = match arguments.remove(PROJECT) {
            None => None,
            Some(Value::String(path)) if !path.trim().is_empty() => Some(path),
            Some(other) => {
                let message = format!(
                    "{}: {PROJECT} must be the path of a folder, not {other}",
                    operation.name
                );
                return Err(Failure::wrong_use("INVALID_ARGUMENTS", message));
            }
        };
        let project = self.find(named.as_deref(), roots)?;
        let asked = Call {
            project: named.as_deref(),
            ..*asked
        };
        operation.answer(&project, Value::Object(arguments), &asked)
    }

    /// The project of a call: `named`, else the client's `roots`, else the one around the working folder.
    pub(crate) fn find(&self, named: Option<&str>, roots: &[PathBuf]) -> Result<Arc<Project>, Failure> {
        let (around, open) = match &self.reach {
            ProjectAccess::Anywhere { around, open } => (around, open),
            ProjectAccess::Only(project) => return only(project, named),
        };
        let reached = ReachableProjects { around, open, roots };
        match named {
            Some(named) => reached.named(named),
            None if around.given.root.is_some() => reached.opened(&around.root()),
            None => reached.around(),
        }
    }
}

fn only(project: &Arc<Project>, named: Option<&str>) -> Result<Arc<Project>, Failure> {
    let Some(named) = named else {
        return Ok(Arc::clone(project));
    };
    let canonical = |path: &Path| path.canonicalize().ok();
    let ours = canonical(project.root());
    if path_of(named).is_some_and(|path| path.is_absolute() && canonical(&path) == ours) {
        return Ok(Arc::clone(project));
    }
    let message = format!("this server answers about one project, and `{named}` is not it");
    Err(Failure::wrong_use("PATH_DENIED", message).with_hint(format!(
        "leave out `{PROJECT}`, or start a server there with `kitbag --root FOLDER serve`"
    )))
}

/// The projects that a call can choose from.
struct ReachableProjects<'p> {
    around: &'p Surroundings,
    open: &'p Mutex<Vec<Opened>>,
    roots: &'p [PathBuf],
}

impl ReachableProjects<'_> {
    fn named(&self, named: &str) -> Result<Arc<Project>, Failure> {
        let base = self.roots.first().unwrap_or(&self.around.cwd);
        let path = path_of(named).map(|path| match path.strip_prefix("~") {
            Ok(rest) => env::home(&self.around.variables).map_or(path.clone(), |home| home.join(rest)),
            Err(_) => base.join(&path),
        });
        let Some(path) = path
            .and_then(|path| path.canonicalize().ok())
            .filter(|path| path.is_dir())
        else {
            let message = format!("{PROJECT}: there is no folder `{named}`");
            return Err(Failure::wrong_use("PATH_NOT_FOUND", message).with_hint(HOW_TO_NAME));
        };
        let (root, kind) = self.root_around(&path);
        self.may_be_opened(&root)?;
        // A model chose this path. If neither the client nor a person opened it, it must look like a project.
        if kind == RootKind::Start && !self.is_given(&root) {
            let message = format!(
                "{} is not a project: it has no .git, manifest or README",
                root.display()
            );
            return Err(Failure::wrong_use("PATH_DENIED", message)
                .with_hint("a person can serve such a folder with `kitbag --root FOLDER mcp`"));
        }
        self.opened(&root)
    }

    /// Whether it is in a root of the client or in the working folder, not counting the home folder and system folders.
    fn is_given(&self, root: &Path) -> bool {
        let folders = self.roots.iter().chain([&self.around.cwd]);
        folders
            .filter_map(|folder| folder.canonicalize().ok())
            .any(|folder| root.starts_with(&folder) && self.may_be_opened(&folder).is_ok())
    }

    /// The roots decide if exactly one project is among them; if there is none, the working folder does.
    fn around(&self) -> Result<Arc<Project>, Failure> {
        let mut found: Vec<PathBuf> = Vec::new();
        for folder in self.roots.iter().filter_map(|root| root.canonicalize().ok()) {
            let root = self.root_around(&folder).0;
            if !found.contains(&root) && self.may_be_opened(&root).is_ok() {
                found.push(root);
            }
        }
        match found.as_slice() {
            [] => self.here(),
            [root] => self.opened(root),
            several => {
                let shown: Vec<String> = several.iter().map(|root| root.display().to_string()).collect();
                let message = format!("several projects are open: {}", shown.join(", "));
                let example = json!({ PROJECT: shown[0] });
                Err(Failure::wrong_use("NO_PROJECT", message)
                    .with_hint(format!("call again and name one, such as {example}")))
            }
        }
    }

    fn here(&self) -> Result<Arc<Project>, Failure> {
        let cwd = &self.around.cwd;
        let none = |why: String| {
            Failure::wrong_use("NO_PROJECT", format!("no project is named: {why}")).with_hint(HOW_TO_NAME)
        };
        let (root, kind) = self.root_around(cwd);
        if let Err(failure) = self.may_be_opened(&root) {
            return Err(match failure.code {
                "PATH_DENIED" | "PATH_NOT_FOUND" | "PATH_UNREADABLE" => none(format!(
                    "the server was started in {}, which is not a project",
                    cwd.display()
                )),
                _ => failure,
            });
        }
        if kind == RootKind::Start && is_bare(&root) {
            return Err(none(format!(
                "the server was started in {}, which is empty",
                cwd.display()
            )));
        }
        self.opened(&root)
    }

    fn root_around(&self, folder: &Path) -> (PathBuf, RootKind) {
        find_root(folder, env::home(&self.around.variables).as_deref())
    }

    /// Opening touches neither the index nor the files, so it can also serve as a check.
    fn may_be_opened(&self, root: &Path) -> Result<Arc<Project>, Failure> {
        let lock = self.lock();
        match lock.iter().find(|one| one.project.root() == root) {
            Some(one) => Ok(Arc::clone(&one.project)),
            None => Project::open(self.around.at(root), Vec::new()),
        }
    }

    /// The open project with this root, or a new one, which is indexed in the background.
    fn opened(&self, root: &Path) -> Result<Arc<Project>, Failure> {
        let mut open = self.lock();
        let closed = if let Some(idx) = open.iter().position(|one| one.project.root() == root) {
            let one = open.remove(idx);
            open.push(one);
            None
        } else {
            let project = Project::open(self.around.at(root), Vec::new())?;
            let running = project
                .start()
                .map_err(|error| Failure::trouble("INTERNAL_ERROR", format!("no threads: {error}")))?;
            open.push(Opened {
                project,
                _running: running,
            });
            (open.len() > MOST_OPEN).then(|| open.remove(0))
        };
        let project = open.last().map(|one| Arc::clone(&one.project));
        drop(open);
        // Closing waits for usage to be recorded; other calls should not wait.
        drop(closed);
        project.ok_or_else(|| Failure::trouble("INTERNAL_ERROR", "the project was closed"))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Opened>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const HOW_TO_NAME: &str =
    "call again with the absolute path of the repository, such as {\"project\": \"/home/me/repo\"}";

/// A path, or the URL of a folder as clients write roots: `file:///home/me/my%20shop`.
pub(crate) fn path_of(text: &str) -> Option<PathBuf> {
    let text = text.trim();
    let Some(rest) = text.strip_prefix("file://") else {
        return (!text.contains("://")).then(|| PathBuf::from(text));
    };
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let bytes = decoded(rest);
    let path = String::from_utf8(bytes).ok()?;
    // `file:///C:/shop` is `C:/shop`.
    let start = usize::from(cfg!(windows));
    path.starts_with('/').then(|| PathBuf::from(&path[start..]))
}

/// Decodes `%20` and similar.
fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|_| *first == b'%');
        let value = hex
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match value {
            Some(value) => {
                bytes.push(value);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

/// Whether a folder has only hidden entries.
fn is_bare(folder: &Path) -> bool {
    let hidden = |entry: std::fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.all(|entry| entry.is_ok_and(hidden)))
}

#[cfg(test)]
mod tests;
