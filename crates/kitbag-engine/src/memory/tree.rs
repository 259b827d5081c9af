//! The code of the working tree. Each file is read and taken apart at most once per look.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use kitbag_store::Snapshot;
use kitbag_types::RepoPath;
use kitbag_types::terms::fold;

use super::code::{Code, CodeFile, hex};
use crate::Engine;

/// Definitions of one name that are looked at; `__init__` is not followed everywhere.
const MOST_NAMED: usize = 60;
/// Files that one look takes apart (SEC-4). What is over the limit is not found anew, and says so by being called gone.
const MOST_FILES: usize = 400;

pub(crate) struct TreeCode<'a, 's> {
    engine: &'a Engine,
    /// Without one, what moved is not found.
    snapshot: Option<&'a Snapshot<'s>>,
    files: RefCell<BTreeMap<String, Option<Rc<CodeFile>>>>,
    commit: RefCell<Option<String>>,
}

impl<'a, 's> TreeCode<'a, 's> {
    pub(crate) fn new(engine: &'a Engine, snapshot: Option<&'a Snapshot<'s>>) -> Self {
        Self {
            engine,
            snapshot,
            files: RefCell::default(),
            commit: RefCell::default(),
        }
    }

    fn read(&self, path: &str) -> Option<Rc<CodeFile>> {
        let path = RepoPath::new(path).ok()?;
        if self.engine.tree.denied(&path).is_some() {
            return None;
        }
        let source = self.engine.tree.read(&path).ok()?;
        let clock = self.engine.options.clock;
        let file = CodeFile::new(path.as_str(), source.text, hex(&source.hash), clock);
        Some(Rc::new(file))
    }
}

impl Code for TreeCode<'_, '_> {
    fn file(&self, path: &str) -> Option<Rc<CodeFile>> {
        if let Some(known) = self.files.borrow().get(path) {
            return known.clone();
        }
        if self.files.borrow().len() >= MOST_FILES {
            return None;
        }
        let file = self.read(path);
        self.files.borrow_mut().insert(path.to_owned(), file.clone());
        file
    }

    fn hash(&self, path: &str) -> Option<String> {
        let repo_path = RepoPath::new(path).ok()?;
        if let Some(known) = self.files.borrow().get(path) {
            return known.as_ref().map(|file| file.hash.clone());
        }
        let row = self
            .snapshot
            .and_then(|snapshot| snapshot.file(&repo_path).ok().flatten());
        match row {
            Some(row) if self.engine.tree.stamp(&repo_path) == Some(row.stamp) => Some(hex(&row.hash)),
            _ => self.file(path).map(|file| file.hash.clone()),
        }
    }

    fn defining(&self, name: &str) -> Option<Vec<String>> {
        let snapshot = self.snapshot?;
        let found = snapshot.few_named(&fold(name), MOST_NAMED).ok()?;
        let mut paths: Vec<String> = found
            .into_iter()
            .filter(|symbol| symbol.name == name)
            .map(|symbol| symbol.path.to_string())
            .collect();
        paths.dedup();
        (!paths.is_empty()).then_some(paths)
    }

    fn with_hash(&self, hash: &str) -> Vec<String> {
        let files = self.snapshot.and_then(|snapshot| snapshot.files().ok());
        let has_it = |row: &kitbag_store::FileRow| hex(&row.hash) == hash;
        let rows = files.into_iter().flatten().filter(has_it);
        rows.map(|row| row.path.to_string()).collect()
    }

    fn commit(&self) -> String {
        let read = || kitbag_repo::head(self.engine.root()).unwrap_or_default();
        self.commit.borrow_mut().get_or_insert_with(read).clone()
    }
}
