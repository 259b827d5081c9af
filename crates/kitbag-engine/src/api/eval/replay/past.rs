//! The code as it was in a commit: every code file is taken apart once, and again when a commit changes it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use kitbag_repo::OlderCommit;
use kitbag_types::{ChunkKind, RepoPath};

use crate::Engine;
use crate::memory::code::{Code, CodeFile, digest};

/// As in the working tree.
const MOST_NAMED: usize = 60;

pub(super) struct PastCode<'e> {
    engine: &'e Engine,
    commit: String,
    files: BTreeMap<String, Rc<CodeFile>>,
    /// Files by the names that they define.
    names: BTreeMap<String, BTreeSet<String>>,
}

impl<'e> PastCode<'e> {
    pub(super) fn at(engine: &'e Engine, commit: &str) -> Self {
        let mut code = Self {
            engine,
            commit: commit.to_owned(),
            files: BTreeMap::new(),
            names: BTreeMap::new(),
        };
        for path in kitbag_repo::files_at(engine.root(), commit).unwrap_or_default() {
            code.load(&path);
        }
        code
    }

    pub(super) fn paths(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }

    /// Goes to the next commit. Gives the files that it changed, as they were.
    pub(super) fn step(&mut self, commit: &OlderCommit) -> BTreeMap<String, Rc<CodeFile>> {
        self.commit = commit.id.clone();
        let mut before = BTreeMap::new();
        for change in &commit.changes {
            if let Some(old) = &change.old
                && let Some(file) = self.drop_file(old.as_str())
            {
                before.insert(old.to_string(), file);
            }
            if let Some(new) = change.new.as_ref().filter(|new| change.old.as_ref() != Some(new))
                && let Some(file) = self.drop_file(new.as_str())
            {
                before.insert(new.to_string(), file);
            }
        }
        for new in commit.changes.iter().filter_map(|change| change.new.as_ref()) {
            self.load(new);
        }
        before
    }

    fn drop_file(&mut self, path: &str) -> Option<Rc<CodeFile>> {
        let file = self.files.remove(path)?;
        for definition in &file.sense.definitions {
            if let Some(paths) = self.names.get_mut(&definition.name) {
                paths.remove(path);
            }
        }
        Some(file)
    }

    fn load(&mut self, path: &RepoPath) {
        let is_code = kitbag_syntax::language_of(path, "")
            .is_some_and(|language| language.kinds.callable == ChunkKind::CodeFunction);
        if !is_code {
            return;
        }
        let Some(text) = kitbag_repo::text_at(self.engine.root(), &self.commit, path) else {
            return;
        };
        let hash = digest(&text);
        let file = CodeFile::new(path.as_str(), text, hash, self.engine.options.clock);
        for definition in &file.sense.definitions {
            let paths = self.names.entry(definition.name.clone()).or_default();
            paths.insert(path.to_string());
        }
        self.files.insert(path.to_string(), Rc::new(file));
    }
}

impl Code for PastCode<'_> {
    fn file(&self, path: &str) -> Option<Rc<CodeFile>> {
        self.files.get(path).cloned()
    }

    fn hash(&self, path: &str) -> Option<String> {
        self.files.get(path).map(|file| file.hash.clone())
    }

    fn defining(&self, name: &str) -> Option<Vec<String>> {
        let paths = self.names.get(name)?;
        (paths.len() <= MOST_NAMED).then(|| paths.iter().cloned().collect())
    }

    fn with_hash(&self, hash: &str) -> Vec<String> {
        let same = self.files.values().filter(|file| file.hash == hash);
        same.map(|file| file.path.clone()).collect()
    }

    fn commit(&self) -> String {
        self.commit.clone()
    }
}
