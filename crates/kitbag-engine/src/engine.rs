//! An engine: one project, one store, one set of options. Holds no answers and no caches; opening one costs a few
//! system calls.

use std::path::{Path, PathBuf};

use kitbag_repo::Tree;
use kitbag_repo::secrets::SecretRules;
use kitbag_store::{OpenMode, Store, StoreError};

use crate::{EngineError, Options};

pub struct Engine {
    pub(crate) tree: Tree,
    pub(crate) store_dir: PathBuf,
    pub(crate) options: Options,
}

impl Engine {
    /// Opens the project at `root` with its store in `store_dir`. Touches neither; a root that must not be indexed is
    /// refused here (IDX-2).
    pub fn open(root: &Path, store_dir: PathBuf, options: Options) -> Result<Self, EngineError> {
        let rules = if options.scrub_secrets {
            SecretRules::new(&options.secret_patterns)?
        } else {
            SecretRules::off()
        };
        let tree = Tree::open(root, options.boundary.clone(), rules)?;
        Ok(Self {
            tree,
            store_dir,
            options,
        })
    }

    pub fn root(&self) -> &Path {
        self.tree.root()
    }

    pub fn store_dir(&self) -> &Path {
        &self.store_dir
    }

    /// Opens the store for writing if that is possible, for reading if not.
    pub(crate) fn open_store(&self) -> Result<Store, StoreError> {
        match Store::open(&self.store_dir, OpenMode::Create) {
            Ok(store) => {
                if self.store_dir.starts_with(self.tree.root()) && !self.is_inside_git() {
                    store.hide_from_git()?;
                }
                Ok(store)
            }
            Err(StoreError::ReadOnly { .. }) => Store::open(&self.store_dir, OpenMode::ReadOnly),
            Err(error) => Err(error),
        }
    }

    /// Opens the store without making or changing anything.
    pub(crate) fn read_store(&self) -> Result<Store, StoreError> {
        Store::open(&self.store_dir, OpenMode::ReadOnly)
    }

    fn is_inside_git(&self) -> bool {
        self.store_dir.components().any(|part| part.as_os_str() == ".git")
    }

    /// Runs `work(again = false)`. If the store turns out to be damaged, sets the database aside, or drops the text index, and
    /// runs `work(again = true)`, which must bring the index up to date first (IDX-30). The second value says where a damaged
    /// database went; a text index is made again without a word.
    pub(crate) fn repairing<T>(
        &self,
        mut work: impl FnMut(bool) -> Result<T, EngineError>,
    ) -> Result<(T, Option<String>), EngineError> {
        let warning = match work(false) {
            Err(EngineError::Store(StoreError::Corrupt { what, .. })) => Store::set_aside(&self.store_dir)?
                .map(|aside| {
                    format!(
                        "the store was damaged ({what}); it was set aside as {} and rebuilt",
                        aside.display()
                    )
                }),
            Err(EngineError::Store(StoreError::TextDamaged { .. })) => {
                Store::drop_text(&self.store_dir)?;
                None
            }
            other => return other.map(|done| (done, None)),
        };
        work(true).map(|done| (done, warning))
    }
}
