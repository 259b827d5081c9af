//! Opening a store: who may write, what is set aside, what is refused.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use crate::rows::ParseKey;
use crate::{SCHEMA_VERSION, StoreError, WriterLock, schema};

/// What the caller means to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenMode {
    /// Make the store if there is none; write if asked.
    Create,
    /// Leave no trace: a store on a read-only disk, or somebody else's.
    ReadOnly,
}

/// An open store. Cheap to make (a millisecond); one a thread.
pub struct Store {
    pub(crate) dir: PathBuf,
    pub(crate) conn: Connection,
    mode: OpenMode,
}

fn database(dir: &Path) -> PathBuf {
    dir.join("kitbag.db")
}

impl Store {
    pub fn open(dir: &Path, mode: OpenMode) -> Result<Self, StoreError> {
        let path = database(dir);
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
        Ok(Self {
            dir: dir.to_owned(),
            conn,
            mode,
        })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn is_read_only(&self) -> bool {
        self.mode == OpenMode::ReadOnly
    }

    /// The right to write. `wait`: queue behind the present writer, else [`StoreError::Busy`].
    pub fn lock_writer(&self, wait: bool) -> Result<WriterLock, StoreError> {
        if self.is_read_only() {
            return Err(StoreError::ReadOnly {
                path: self.dir.clone(),
            });
        }
        WriterLock::take(&self.dir, wait)
    }

    /// Moves a damaged database out of the way, into a numbered folder beside it, and says where. The text index goes:
    /// it can be made again. Does nothing if somebody else has mended the store in the meantime (`None`).
    pub fn set_aside(dir: &Path) -> Result<Option<PathBuf>, StoreError> {
        let _lock = WriterLock::take(dir, true)?;
        if Self::open(dir, OpenMode::ReadOnly)
            .and_then(|store| store.check())
            .is_ok()
        {
            return Ok(None);
        }
        let aside = (1..)
            .map(|n| dir.join(format!("damaged-{n}")))
            .find(|path| !path.exists());
        let aside = aside.expect("some number is free");
        std::fs::create_dir_all(&aside).map_err(|source| StoreError::io(&aside, source))?;
        for name in ["kitbag.db", "kitbag.db-wal", "kitbag.db-shm"] {
            let from = dir.join(name);
            if from.exists() {
                std::fs::rename(&from, aside.join(name)).map_err(|source| StoreError::io(&from, source))?;
            }
        }
        remove_text(dir)?;
        Ok(Some(aside))
    }

    /// Drops the text indexes of all trees; the next writer makes them again from rows.
    pub fn drop_text(dir: &Path) -> Result<(), StoreError> {
        let _lock = WriterLock::take(dir, true)?;
        remove_text(dir)
    }

    /// Reads the whole database through SQLite's own check. Slow: for `set_aside` and doctors only.
    pub fn check(&self) -> Result<(), StoreError> {
        let path = database(&self.dir);
        let verdict: String = self
            .conn
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
            .map_err(|error| StoreError::sqlite(&path, error))?;
        if verdict == "ok" {
            Ok(())
        } else {
            Err(StoreError::Corrupt { path, what: verdict })
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

fn remove_text(dir: &Path) -> Result<(), StoreError> {
    let text = dir.join("text");
    if text.exists() {
        std::fs::remove_dir_all(&text).map_err(|source| StoreError::io(&text, source))?;
    }
    Ok(())
}

fn folder_bytes(dir: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(meta) if meta.is_dir() => folder_bytes(&entry.path()),
            Ok(meta) => meta.len(),
            Err(_) => 0,
        })
        .sum()
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let fail = |error| StoreError::sqlite(path, error);
    let conn = Connection::open(path).map_err(fail)?;
    // Readers never wait in WAL mode; writers queue on our own lock, so this is for checkpoints and schema changes.
    conn.busy_timeout(std::time::Duration::from_secs(10))
        .map_err(fail)?;
    conn.execute_batch(
        "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
         PRAGMA cache_size = -16384; PRAGMA mmap_size = 268435456; PRAGMA wal_autocheckpoint = 2000;",
    )
    .map_err(fail)?;
    conn.set_prepared_statement_cache_capacity(64);
    Ok(conn)
}

fn connect_read_only(path: &Path) -> Result<Connection, StoreError> {
    let fail = |error| StoreError::sqlite(path, error);
    let try_open = |immutable: bool| -> rusqlite::Result<Connection> {
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(uri(path, immutable), flags)?;
        conn.busy_timeout(std::time::Duration::from_secs(10))?;
        schema::version(&conn)?;
        Ok(conn)
    };
    // WAL needs a shared-memory file. Where none can be made nobody can be writing either, so the database may be
    // read as it lies.
    try_open(false).or_else(|_| try_open(true)).map_err(fail)
}

fn uri(path: &Path, immutable: bool) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => uri.push(*byte as char),
            other => uri.push_str(&format!("%{other:02x}")),
        }
    }
    uri.push_str(if immutable { "?immutable=1" } else { "?mode=ro" });
    uri
}

#[cfg(test)]
mod tests;
