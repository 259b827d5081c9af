//! An engine: one project, one store, one set of options. Holds no answers. Opening one costs a few system calls; a store
//! that was opened is kept for the next question, because preparing its statements takes longer than answering.

mod ask;
mod evidence;
mod provider;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use kitbag_embed::{EmbedError, Model, Source, Table};
use kitbag_repo::Tree;
use kitbag_store::{Fault, Journal, OpenMode, Snapshot, Store, StoreError};

use kitbag_types::Filter;

pub use ask::{Ask, Candidate, Row};
pub use evidence::Evidence;
pub(crate) use evidence::TextMatch;
pub(crate) use provider::AllowedFiles;
pub use provider::{Answer, Provider};

use crate::{EngineError, Options};

pub struct Engine {
    pub(crate) tree: Tree,
    pub(crate) store_dir: PathBuf,
    pub(crate) options: Options,
    /// A number for everything that decides what parsing a file yields.
    pub(crate) content: i64,
    /// A hash of the rules by which secrets are removed.
    pub(crate) secret_rules: String,
    /// In the order in which they are asked.
    pub(crate) providers: Vec<Box<dyn Provider>>,
    idle: Mutex<Vec<Store>>,
    /// The journal, open for the next question.
    idle_journal: Mutex<Option<Journal>>,
    /// Messages about the store that no answer has shown yet.
    notices: Mutex<Vec<String>>,
    /// Why the text index is not read although it opens: it failed during a question and could not be rebuilt at once.
    distrust: Mutex<Option<Fault>>,
    /// Opened when it is first needed: a transformer is 90 MB.
    pub(crate) model: OnceLock<Result<Model, EmbedError>>,
    built_in: OnceLock<Model>,
    /// What is known about the project, for the last state of the index that was asked about. Only `brief` knows its form.
    pub(crate) facts: Mutex<Option<Arc<dyn Any + Send + Sync>>>,
}

/// Most stores that are kept open for the next questions. Each holds up to 16 MB of pages; more than answer at the same time are
/// not needed.
const MOST_IDLE: usize = 4;

/// A store that goes back to its engine when it is no longer needed.
pub(crate) struct StoreGuard<'e> {
    engine: &'e Engine,
    store: Option<Store>,
}

impl Deref for StoreGuard<'_> {
    type Target = Store;

    fn deref(&self) -> &Store {
        self.store.as_ref().expect("it is there until it is dropped")
    }
}

impl DerefMut for StoreGuard<'_> {
    fn deref_mut(&mut self) -> &mut Store {
        self.store.as_mut().expect("it is there until it is dropped")
    }
}

impl Drop for StoreGuard<'_> {
    fn drop(&mut self) {
        // A read-only store may show an old state of the file, so it is opened anew each time.
        let store = self.store.take().filter(|store| !store.is_read_only());
        let mut idle = self.engine.idle();
        if idle.len() < MOST_IDLE {
            idle.extend(store);
        }
    }
}

impl Engine {
    /// An engine from the parts of an opened project. `rules`: the hash of the rules by which secrets are removed.
    pub(crate) fn new(
        tree: Tree,
        store_dir: PathBuf,
        options: Options,
        rules: &[u8; 32],
        providers: Vec<Box<dyn Provider>>,
    ) -> Self {
        Self {
            tree,
            store_dir,
            content: options.content_fingerprint(rules),
            options,
            secret_rules: blake3::hash(rules).to_hex()[..16].to_owned(),
            providers,
            idle: Mutex::new(Vec::new()),
            idle_journal: Mutex::new(None),
            notices: Mutex::new(Vec::new()),
            distrust: Mutex::new(None),
            model: OnceLock::new(),
            built_in: OnceLock::new(),
            facts: Mutex::new(None),
        }
    }

    /// The providers that answer: those that are switched on and that the filter does not leave out.
    pub(crate) fn providers_for(&self, filter: &Filter) -> impl Iterator<Item = &dyn Provider> {
        let is_left_out = |name: &str| filter.without.iter().any(|off| off == name);
        let providers = self.providers.iter().map(|provider| &**provider);
        providers.filter(move |provider| self.is_on(provider.name()) && !is_left_out(provider.name()))
    }

    /// Whether a provider is switched on. What it needs is made and kept only then.
    pub(crate) fn is_on(&self, provider: &str) -> bool {
        self.options.provider(provider).enabled
    }

    pub fn root(&self) -> &Path {
        self.tree.root()
    }

    /// The model that makes vectors: the chosen one, or the built-in one if that cannot be opened.
    pub(crate) fn model(&self) -> &Model {
        match self.chosen_model() {
            Ok(model) => model,
            Err(_) => self.built_in.get_or_init(|| Model::BuiltIn(Table::built_in())),
        }
    }

    /// Why the chosen model is not used.
    pub(crate) fn model_failure(&self) -> Option<&EmbedError> {
        self.chosen_model().err()
    }

    fn chosen_model(&self) -> Result<&Model, &EmbedError> {
        self.model
            .get_or_init(|| match &self.options.embedder {
                // A folder is relative to the project, wherever the command was started.
                Source::Folder(folder) => Model::open(&Source::Folder(self.root().join(folder))),
                other => Model::open(other),
            })
            .as_ref()
    }

    /// Number of threads for work that can be divided.
    pub(crate) fn n_workers(&self) -> usize {
        match self.options.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        }
    }

    pub fn store_dir(&self) -> &Path {
        &self.store_dir
    }

    /// Closes the stores that are kept open for the next questions, and frees their pages. The next question opens one again.
    pub fn rest(&self) {
        self.idle().clear();
        *lock(&self.idle_journal) = None;
        *lock(&self.facts) = None;
    }

    /// The store, for writing if that is possible, for reading if not.
    pub(crate) fn open_store(&self) -> Result<StoreGuard<'_>, StoreError> {
        let kept = self.idle().pop().filter(Store::is_current);
        let store = match kept {
            Some(store) => store,
            None => self.open_anew()?,
        };
        store.distrust_text(self.distrusted());
        Ok(StoreGuard {
            engine: self,
            store: Some(store),
        })
    }

    /// The index of this project as it is now; an error if it was never indexed.
    pub(crate) fn snapshot<'s>(&self, store: &'s Store) -> Result<Snapshot<'s>, StoreError> {
        Snapshot::open(store, self.root())?.ok_or_else(|| StoreError::Missing {
            path: self.store_dir.clone(),
        })
    }

    fn open_anew(&self) -> Result<Store, StoreError> {
        if self.host().is_some_and(|host| !host.is_dir()) {
            return Err(StoreError::Missing {
                path: self.store_dir.clone(),
            });
        }
        match Store::open(&self.store_dir, OpenMode::Create) {
            Ok(store) => {
                if self.store_dir.starts_with(self.tree.root()) && !self.is_inside_git() {
                    store.hide_from_git()?;
                }
                Ok(store)
            }
            Err(StoreError::ReadOnly { .. }) => Store::open(&self.store_dir, OpenMode::ReadOnly),
            // Reading needs no room on the disk. If there is nothing to read either, report that nothing can be written.
            Err(error @ (StoreError::Full { .. } | StoreError::Unwritable { .. })) => {
                Store::open_full(&self.store_dir).map_err(|second| match second {
                    StoreError::Corrupt { .. } | StoreError::Newer { .. } => second,
                    _ => error,
                })
            }
            Err(error) => Err(error),
        }
    }

    /// Runs `work` with the journal. If the journal is damaged, it is opened again, which sets the damaged one aside, and `work`
    /// runs once more.
    pub(crate) fn journal<T>(
        &self,
        mut work: impl FnMut(&mut Journal) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut with = |mut journal: Journal| {
            let done = work(&mut journal)?;
            *lock(&self.idle_journal) = Some(journal);
            Ok(done)
        };
        let first = match self.take_journal() {
            Some(journal) => with(journal),
            None => self.open_journal().and_then(&mut with),
        };
        match first {
            Err(StoreError::Corrupt { .. }) => self.open_journal().and_then(with),
            other => other,
        }
    }

    /// Reads from the journal; `None` if there is none.
    pub(crate) fn read_journal<T>(
        &self,
        read: impl FnOnce(&Journal) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let journal = match self.take_journal() {
            Some(journal) => Some(journal),
            None => self.existing_journal()?,
        };
        let Some(journal) = journal else { return Ok(None) };
        let found = read(&journal)?;
        *lock(&self.idle_journal) = Some(journal);
        Ok(Some(found))
    }

    fn take_journal(&self) -> Option<Journal> {
        lock(&self.idle_journal).take().filter(Journal::is_current)
    }

    /// The journal. If a damaged one was set aside, the next answer says so.
    pub(crate) fn open_journal(&self) -> Result<Journal, StoreError> {
        let journal = Journal::open(&self.store_dir, self.root())?;
        let mended = journal.mended().map(ToString::to_string);
        lock(&self.notices).extend(mended);
        Ok(journal)
    }

    /// The journal, if there is one.
    pub(crate) fn existing_journal(&self) -> Result<Option<Journal>, StoreError> {
        let journal = Journal::open_existing(&self.store_dir, self.root())?;
        let mended = journal
            .as_ref()
            .and_then(Journal::mended)
            .map(ToString::to_string);
        lock(&self.notices).extend(mended);
        Ok(journal)
    }

    /// Messages about the store for the next answer. Each is returned once.
    pub(crate) fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.notices))
    }

    /// Why the text index is not read.
    pub(crate) fn distrusted(&self) -> Option<Fault> {
        lock(&self.distrust).clone()
    }

    /// Reads the text index again from now on: a writer has checked all of it, and rebuilt it if necessary.
    pub(crate) fn trust_text(&self) {
        *lock(&self.distrust) = None;
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Store>> {
        lock(&self.idle)
    }

    /// Opens the store without making or changing anything.
    pub(crate) fn read_store(&self) -> Result<Store, StoreError> {
        Store::open(&self.store_dir, OpenMode::ReadOnly)
    }

    /// The folder that must be there before a store is made in it: while a checkout is being replaced, making `.git/kitbag`
    /// would make a root without files and a `.git` that is not a repository.
    fn host(&self) -> Option<&Path> {
        let git = |folder: &&Path| folder.file_name().is_some_and(|name| name == ".git");
        let inside = self.store_dir.starts_with(self.root());
        self.store_dir
            .ancestors()
            .find(git)
            .or_else(|| inside.then_some(self.root()))
    }

    fn is_inside_git(&self) -> bool {
        self.store_dir.components().any(|part| part.as_os_str() == ".git")
    }

    /// Runs `work(again = false)`. If the store turns out to be damaged, sets the database aside, or empties the text index, and
    /// runs `work(again = true)`, which must bring the index up to date first (IDX-30). A text index that cannot be made again
    /// now is left out of the answer (ENG-70). The second value says what was found and done.
    pub(crate) fn repairing<T>(
        &self,
        mut work: impl FnMut(bool) -> Result<T, EngineError>,
    ) -> Result<(T, Vec<String>), EngineError> {
        let mut warnings = Vec::new();
        // Once as it is, once after damage that SQLite reports, once after damage that only we detect.
        for attempt in 0..3 {
            let done = work(attempt > 0);
            if !matches!(done, Ok(_) | Err(EngineError::Cancelled)) {
                // The stores that are kept open may have the same fault.
                self.idle().clear();
            }
            match done {
                Err(EngineError::Store(StoreError::Corrupt { what, .. })) if attempt < 2 => {
                    let aside = Store::set_aside(&self.store_dir, attempt > 0)?;
                    warnings.extend(aside.map(|aside| {
                        format!(
                            "the store was damaged ({what}); it was set aside as {} and rebuilt",
                            aside.display()
                        )
                    }));
                }
                Err(EngineError::Store(StoreError::TextDamaged { what })) if attempt < 2 => {
                    match Store::drop_text(&self.store_dir) {
                        Ok(()) => {
                            warnings.push(format!("the text index was damaged ({what}) and was made again"));
                        }
                        Err(_) => *lock(&self.distrust) = Some(Fault::Damaged { what }),
                    }
                }
                other => {
                    warnings.extend(self.take_notices());
                    return other.map(|done| (done, warnings));
                }
            }
        }
        unreachable!("the last attempt returns")
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
