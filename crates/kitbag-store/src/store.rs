//! Opening a store: who may write, what is set aside, what is refused.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rusqlite::Connection;

use crate::database::{FileId, check_files, connect, connect_read_only, database, file_id, folder_bytes};
use crate::recent::RecentRows;
use crate::rows::{ParseKey, TreeId};
use crate::runs::{self, Fault, SeenUpTo};
use crate::text::{self, TextIndex, TextWriter};
use crate::vectors::{self, Vectors};
use crate::{SCHEMA_VERSION, StoreError, WriterLock, damaged, path_kind, schema, seal};

/// How a store is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenMode {
    /// Make the store if there is none; write if asked.
    Create,
    /// Change nothing: for a store on a read-only disk, or of somebody else.
    ReadOnly,
}

/// An open store, for one thread at a time. Making one costs milliseconds, mostly the preparing of statements, so whoever
/// asks often keeps it.
pub struct Store {
    pub(crate) dir: PathBuf,
    pub(crate) conn: Connection,
    mode: OpenMode,
    /// It is read-only because the disk is full.
    is_full: bool,
    /// Identifies the open database file. Another file may be at its path by now.
    file: Option<FileId>,
    text: RefCell<Option<OpenText>>,
    distrust: RefCell<Option<Fault>>,
    vectors: RefCell<Option<OpenVectors>>,
    pub(crate) recent: RefCell<RecentRows>,
}

/// A text index that was opened, and the list of its segments at that time.
struct OpenText {
    tree: TreeId,
    list: FileId,
    index: Arc<TextIndex>,
}

/// A file of vectors that was opened, and its state at that time.
struct OpenVectors {
    path: PathBuf,
    state: FileId,
    vectors: Arc<Vectors>,
}

impl Store {
    pub fn open(dir: &Path, mode: OpenMode) -> Result<Self, StoreError> {
        let path = database(dir);
        check_files(dir, "kitbag.db")?;
        let mut conn = match mode {
            OpenMode::Create => {
                std::fs::create_dir_all(dir).map_err(|source| StoreError::io(dir, source))?;
                connect(&path)?
            }
            OpenMode::ReadOnly => {
                if !path.exists() {
                    return Err(StoreError::Missing { path: dir.to_owned() });
                }
                connect_read_only(&path)?
            }
        };
        let fail = |error| StoreError::sqlite(&path, error);
        let found = schema::version(&conn).map_err(fail)?;
        if found > SCHEMA_VERSION {
            return Err(StoreError::Newer {
                path: dir.to_owned(),
                found,
                known: SCHEMA_VERSION,
            });
        }
        match mode {
            OpenMode::Create => schema::prepare(&mut conn).map_err(fail)?,
            OpenMode::ReadOnly if found < SCHEMA_VERSION => {
                return Err(StoreError::Missing { path: dir.to_owned() });
            }
            OpenMode::ReadOnly => {}
        }
        let file = file_id(&path, false);
        Ok(Self {
            dir: dir.to_owned(),
            conn,
            mode,
            is_full: false,
            file,
            text: RefCell::new(None),
            distrust: RefCell::new(None),
            vectors: RefCell::new(None),
            recent: RefCell::default(),
        })
    }

    /// A store on a full disk: it is read like one on a read-only disk, and writing fails with that reason.
    pub fn open_full(dir: &Path) -> Result<Self, StoreError> {
        let store = Self::open(dir, OpenMode::ReadOnly)?;
        Ok(Self {
            is_full: true,
            ..store
        })
    }

    /// Whether the database at its path is still the one that is open: not removed, not set aside.
    pub fn is_current(&self) -> bool {
        self.file.is_some() && self.file == file_id(&database(&self.dir), false)
    }

    /// Stops using the text index, for a reason that opening it does not show; `None` uses it again.
    pub fn distrust_text(&self, why: Option<Fault>) {
        *self.distrust.borrow_mut() = why;
    }

    /// The text index of a tree, opened again only if its list of segments has changed.
    pub(crate) fn text(&self, tree: TreeId) -> Arc<TextIndex> {
        if let Some(fault) = &*self.distrust.borrow() {
            return Arc::new(TextIndex::empty(Some(fault.clone())));
        }
        let folder = text::folder(&self.dir, tree);
        let list = file_id(&folder.join("meta.json"), true);
        let mut open = self.text.borrow_mut();
        if let Some(known) = open
            .as_ref()
            .filter(|known| known.tree == tree && Some(known.list) == list)
        {
            return Arc::clone(&known.index);
        }
        let index = Arc::new(TextIndex::open(&folder));
        *open = list.map(|list| OpenText {
            tree,
            list,
            index: Arc::clone(&index),
        });
        index
    }

    /// Whether this database has the change that something derived was made from. `last_seq`: the tree's last change.
    pub(crate) fn holds(&self, tree: TreeId, last_seq: i64, seen: SeenUpTo) -> Result<bool, StoreError> {
        runs::holds(&self.conn, tree, last_seq, seen).map_err(|error| self.fail(error))
    }

    /// The same, for somebody who reads an older state of the database: what was derived may be newer than that.
    fn holds_by_now(&self, tree: TreeId, last_seq: i64, seen: SeenUpTo) -> Result<bool, StoreError> {
        if seen.seq <= last_seq {
            return self.holds(tree, last_seq, seen);
        }
        let now = Self::open(&self.dir, OpenMode::ReadOnly)?;
        let last_seq = runs::last_seq(&now.conn, tree).map_err(|error| now.fail(error))?;
        now.holds(tree, last_seq, seen)
    }

    /// The vectors of a tree and a model, opened again only if their file has changed. `last_seq`: the last change that the
    /// caller sees of the tree.
    pub(crate) fn vectors(
        &self,
        tree: TreeId,
        last_seq: i64,
        model: &str,
        dims: usize,
    ) -> Option<Arc<Vectors>> {
        let path = vectors::file(&self.dir, tree, model);
        let state = file_id(&path, true)?;
        let mut open = self.vectors.borrow_mut();
        if let Some(known) = open
            .as_ref()
            .filter(|known| known.path == path && known.state == state)
        {
            return Some(Arc::clone(&known.vectors));
        }
        let holds = |seen| self.holds_by_now(tree, last_seq, seen).unwrap_or(false);
        let vectors = Arc::new(Vectors::open(&path, dims, &holds)?);
        // A file that goes with another state of the database may go with this one later.
        *open = (vectors.fault() != Some(&Fault::Astray)).then(|| OpenVectors {
            path,
            state,
            vectors: Arc::clone(&vectors),
        });
        Some(vectors)
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn is_read_only(&self) -> bool {
        self.mode == OpenMode::ReadOnly
    }

    /// The writer lock. `wait`: wait for the present writer, else [`StoreError::Busy`].
    pub fn lock_writer(&self, wait: bool) -> Result<WriterLock, StoreError> {
        let path = || self.dir.clone();
        if self.is_full {
            return Err(StoreError::Full { path: path() });
        }
        if self.is_read_only() {
            return Err(StoreError::ReadOnly { path: path() });
        }
        WriterLock::take(&self.dir, wait)
    }

    /// Waits for the present writer until `stop` is set; then `None`.
    pub fn lock_writer_unless(&self, stop: &AtomicBool) -> Result<Option<WriterLock>, StoreError> {
        WriterLock::take_unless(&self.dir, stop)
    }

    /// Moves a damaged database out of the way, into a numbered folder beside it, and says where. The text index goes:
    /// it can be made again. Does nothing if SQLite finds no fault (`None`): somebody else has mended the store in the meantime,
    /// or the fault is one that only we see; then `certain` takes the caller's word for it.
    pub fn set_aside(dir: &Path, certain: bool) -> Result<Option<PathBuf>, StoreError> {
        let _lock = WriterLock::take(dir, true)?;
        if !certain
            && Self::open(dir, OpenMode::ReadOnly)
                .and_then(|store| store.check())
                .is_ok()
        {
            return Ok(None);
        }
        let aside = damaged::set_aside(dir, "kitbag.db", damaged::DATABASES)?;
        for derived in ["text", "vectors"] {
            let derived = dir.join(derived);
            path_kind::remove(&derived).map_err(|source| StoreError::io(&derived, source))?;
        }
        Ok(Some(aside))
    }

    /// Empties the text indexes of all trees; the next writer fills them again from rows. Waits for nobody.
    pub fn drop_text(dir: &Path) -> Result<(), StoreError> {
        let _lock = WriterLock::take(dir, false)?;
        let text = dir.join("text");
        let trees: Vec<TreeId> = match std::fs::read_dir(&text) {
            Ok(entries) => entries
                .flatten()
                .filter_map(|entry| entry.file_name().to_str()?.parse().ok().map(TreeId))
                .collect(),
            Err(_) => return path_kind::remove(&text).map_err(|source| StoreError::io(&text, source)),
        };
        for tree in trees {
            TextWriter::recreate(dir, tree)?;
        }
        Ok(())
    }

    /// Checks the whole database: with SQLite's own check, and against the checksums of products. Slow; only on request.
    pub fn check(&self) -> Result<(), StoreError> {
        let path = database(&self.dir);
        let verdict: String = self
            .conn
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
            .map_err(|error| StoreError::sqlite(&path, error))?;
        if verdict != "ok" {
            return Err(StoreError::Corrupt { path, what: verdict });
        }
        match seal::n_broken(&self.conn).map_err(|error| StoreError::sqlite(&path, error))? {
            0 => Ok(()),
            n => Err(StoreError::Corrupt {
                path,
                what: format!("what is stored of {n} files is not what was written"),
            }),
        }
    }

    /// Whether a store in `dir` could be written, without writing: the database is opened for writing; if there is
    /// none, the nearest existing folder must not be read-only.
    pub fn check_writable(dir: &Path) -> Result<(), StoreError> {
        let path = database(dir);
        if path.exists() {
            let opened = std::fs::OpenOptions::new().append(true).open(&path);
            return opened.map(|_| ()).map_err(|source| StoreError::io(&path, source));
        }
        let nearest = dir.ancestors().find(|folder| folder.exists()).unwrap_or(dir);
        let metadata = std::fs::metadata(nearest).map_err(|source| StoreError::io(nearest, source))?;
        if metadata.is_dir() && !metadata.permissions().readonly() {
            Ok(())
        } else {
            Err(StoreError::ReadOnly {
                path: nearest.to_owned(),
            })
        }
    }

    /// Keeps a store that lies inside a working tree out of version control (IDX-30).
    pub fn hide_from_git(&self) -> Result<(), StoreError> {
        let path = self.dir.join(".gitignore");
        if path.exists() {
            return Ok(());
        }
        std::fs::write(&path, "*\n").map_err(|source| StoreError::io(&path, source))
    }

    /// The keys of all parse products, whichever tree they were made for.
    pub fn parse_keys(&self) -> Result<Vec<ParseKey>, StoreError> {
        let keys = || -> rusqlite::Result<Vec<ParseKey>> {
            self.conn
                .prepare("SELECT key FROM parses")?
                .query_map([], |row| row.get(0))?
                .collect()
        };
        keys().map_err(|error| self.fail(error))
    }

    /// Bytes on disk, everything included.
    pub fn bytes(&self) -> u64 {
        folder_bytes(&self.dir)
    }

    pub(crate) fn fail(&self, error: rusqlite::Error) -> StoreError {
        StoreError::sqlite(&database(&self.dir), error)
    }
}

#[cfg(test)]
mod tests;
