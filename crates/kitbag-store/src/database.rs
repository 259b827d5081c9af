//! The files of a database: their names, how they are told apart, and how SQLite opens them.

use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::{StoreError, path_kind, schema};

/// Identifies a file at a path, and one content of it from the next.
pub(crate) type FileId = (u64, u64, u64, i64);

pub(crate) fn file_id(path: &Path, with_content: bool) -> Option<FileId> {
    let meta = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    let (device, inode) = {
        use std::os::unix::fs::MetadataExt;
        (meta.dev(), meta.ino())
    };
    #[cfg(not(unix))]
    let (device, inode) = (0, 0);
    if !with_content {
        return Some((device, inode, 0, 0));
    }
    let modified = meta.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some((device, inode, meta.len(), modified.as_nanos() as i64))
}

pub(crate) fn database(dir: &Path) -> PathBuf {
    dir.join("kitbag.db")
}

/// A database and what SQLite keeps beside it.
pub(crate) fn with_companions(database: &str) -> [String; 3] {
    ["", "-wal", "-shm"].map(|end| format!("{database}{end}"))
}

/// Checks that the path is a file: SQLite would wait for ever on a FIFO, and reports a folder as missing permission.
pub(crate) fn check_files(dir: &Path, database: &str) -> Result<(), StoreError> {
    for name in with_companions(database) {
        let path = dir.join(&name);
        if !path_kind::may_be_file(&path) {
            let what = format!("{name} is not a file");
            return Err(StoreError::Corrupt { path, what });
        }
    }
    Ok(())
}

pub(crate) fn folder_bytes(dir: &Path) -> u64 {
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

pub(crate) fn connect(path: &Path) -> Result<Connection, StoreError> {
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
    tune(&conn).map_err(fail)?;
    Ok(conn)
}

/// Statements are prepared once and kept. Without the stability guarantee SQLite prepares a kept statement again for every
/// new value bound to it, in case another plan were better, and that takes longer than the look-up itself.
fn tune(conn: &Connection) -> rusqlite::Result<()> {
    conn.set_prepared_statement_cache_capacity(64);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
        .map(|_| ())
}

/// Opens a database for reading, even if nothing can be written beside it.
pub(crate) fn connect_read_only(path: &Path) -> Result<Connection, StoreError> {
    let fail = |error| StoreError::sqlite(path, error);
    let try_open = |immutable: bool| -> rusqlite::Result<Connection> {
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(uri(path, immutable), flags)?;
        conn.busy_timeout(std::time::Duration::from_secs(10))?;
        schema::version(&conn)?;
        tune(&conn)?;
        Ok(conn)
    };
    // WAL needs a shared-memory file. If none can be made (no permission, no room), nobody can be writing either, so the database may
    // be read as it is.
    let no_place = |error: &rusqlite::Error| {
        use rusqlite::ErrorCode as Code;
        matches!(
            error.sqlite_error_code(),
            Some(
                Code::CannotOpen
                    | Code::ReadOnly
                    | Code::PermissionDenied
                    | Code::DiskFull
                    | Code::SystemIoFailure
            )
        )
    };
    match try_open(false) {
        Err(error) if no_place(&error) => try_open(true).map_err(fail),
        other => other.map_err(fail),
    }
}

pub(crate) fn uri(path: &Path, immutable: bool) -> String {
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
