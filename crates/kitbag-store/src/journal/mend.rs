//! A damaged journal: what people asked to have remembered is saved from it as far as it can be read, the file is set aside,
//! and a new one begins. Sessions, usage and jobs are not worth the trouble: they are of yesterday.
//!
//! Damage is mostly met in the middle of something, where nothing can be done about it. Then it is noted in a file of its own,
//! and the next one to open the journal looks closer.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::{NAME, connect};
use crate::database::{check_files, uri, with_companions};
use crate::lock::ExclusiveLock;
use crate::path_kind::{self, PathKind, kind_at};
use crate::{StoreError, damaged};

const SUSPECT: &str = "journal.suspect";
/// Lies beside a journal in which a person had something kept: one that is gone or empty is then not a new one, but lost.
const KEPT: &str = "journal.kept";
/// What memories had from the beginning, and what they have had since they are checked (`memories::CHECKED`).
const COLUMNS: &str = "id, project, user, kind, content, files, tags, created";
const LATER: &str = "confidence, last_used, uses, archived, private, source, citations";

/// A journal that was damaged and is a new one now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MendedJournal {
    pub what: String,
    /// Where the damaged one went, if there was anything left of it.
    pub aside: Option<PathBuf>,
    /// Memories that could be read.
    pub n_saved: usize,
}

impl std::fmt::Display for MendedJournal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "the journal was damaged ({}) and is begun anew; memories that could be saved: {}",
            self.what, self.n_saved
        )?;
        match &self.aside {
            Some(aside) => write!(out, "; the damaged file is in {}", aside.display()),
            None => Ok(()),
        }
    }
}

/// Notes that something is wrong. If that cannot be written, the next one to meet it tries again.
pub(super) fn suspect(dir: &Path) {
    let _ = std::fs::write(dir.join(SUSPECT), "");
}

pub(super) fn is_suspect(dir: &Path) -> bool {
    kind_at(&dir.join(SUSPECT)) != PathKind::Nothing
}

/// Notes that a person had something kept. If that cannot be written, only the word about a loss is missing later.
pub(super) fn note_kept(dir: &Path) {
    let marker = dir.join(KEPT);
    if kind_at(&marker) == PathKind::Nothing {
        let _ = std::fs::write(marker, "");
    }
}

/// What was kept is gone: the file is not there, or has nothing in it. SQLite would take it for a new one.
pub(super) fn is_lost(dir: &Path) -> bool {
    let is_gone = match kind_at(&dir.join(NAME)) {
        PathKind::Nothing => true,
        PathKind::File => std::fs::metadata(dir.join(NAME)).is_ok_and(|file| file.len() == 0),
        _ => false,
    };
    is_gone && kind_at(&dir.join(KEPT)) != PathKind::Nothing
}

/// A journal that we may not even read, in a folder that we may write to: nobody can use it here, and moved aside it keeps all it has.
/// Asked only after SQLite could not open it.
pub(super) fn is_shut(dir: &Path) -> bool {
    with_companions(NAME).iter().any(|name| {
        match std::fs::File::open(dir.join(name)) {
            Err(error) => error.kind() == std::io::ErrorKind::PermissionDenied,
            Ok(file) => {
                // Closing it would release the locks that SQLite has on this file in this process.
                std::mem::forget(file);
                false
            }
        }
    })
}

pub(super) fn shut(path: PathBuf) -> StoreError {
    StoreError::Corrupt {
        path,
        what: "it may not be read".to_owned(),
    }
}

/// `None`: there is nothing wrong with it any more.
pub(super) fn mend(dir: &Path) -> Result<Option<MendedJournal>, StoreError> {
    let _lock = ExclusiveLock::take(&dir.join("journal.lock"))?;
    let mended = match check(dir) {
        Ok(()) => None,
        Err(StoreError::Corrupt { what, .. }) => {
            let saved = saved(dir);
            let is_there = kind_at(&dir.join(NAME)) != PathKind::Nothing;
            let aside = is_there.then(|| damaged::set_aside(dir, NAME, damaged::JOURNALS));
            let aside = aside.transpose()?;
            let n_saved = saved.len();
            let mut conn = connect(dir)?;
            let path = dir.join(NAME);
            keep(&mut conn, saved).map_err(|error| StoreError::sqlite(&path, error))?;
            if n_saved == 0 {
                let marker = dir.join(KEPT);
                path_kind::remove(&marker).map_err(|source| StoreError::io(&marker, source))?;
            }
            Some(MendedJournal { what, aside, n_saved })
        }
        Err(error) => return Err(error),
    };
    let suspect = dir.join(SUSPECT);
    path_kind::remove(&suspect).map_err(|source| StoreError::io(&suspect, source))?;
    Ok(mended)
}

pub(super) fn check(dir: &Path) -> Result<(), StoreError> {
    let path = dir.join(NAME);
    if is_lost(dir) {
        let what = match kind_at(&path) {
            PathKind::Nothing => "it is gone, and notes were kept in it",
            _ => "it is empty, and notes were kept in it",
        };
        return Err(StoreError::Corrupt {
            path,
            what: what.to_owned(),
        });
    }
    if kind_at(&path) == PathKind::Nothing {
        return Ok(());
    }
    check_files(dir, NAME)?;
    let fail = |error| match StoreError::sqlite(&path, error) {
        StoreError::ReadOnly { .. } if is_shut(dir) => shut(path.clone()),
        error => error,
    };
    let conn = read_only(&path, false).map_err(fail)?;
    let verdict: String = conn
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        .map_err(fail)?;
    if verdict != "ok" {
        return Err(StoreError::Corrupt { path, what: verdict });
    }
    // A table that is not there, or not as it should be, is damage that SQLite does not know of.
    let version: u32 = conn
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .map_err(fail)?;
    for table in ["sessions", "memories", "jobs", "usage_metrics"]
        .iter()
        .take(version as usize)
    {
        conn.prepare(&format!("SELECT * FROM {table}")).map_err(fail)?;
    }
    Ok(())
}

/// `alone`: without what SQLite keeps beside it.
fn read_only(path: &Path, alone: bool) -> rusqlite::Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let conn = Connection::open_with_flags(uri(path, alone), flags)?;
    conn.busy_timeout(std::time::Duration::from_secs(5))?;
    Ok(conn)
}

/// From the front and from the back, each until a page cannot be read.
fn saved(dir: &Path) -> BTreeMap<i64, Vec<Value>> {
    let mut saved = BTreeMap::new();
    let path = dir.join(NAME);
    if kind_at(&path) != PathKind::File {
        return saved;
    }
    // A FIFO in the place of the log would be waited for.
    let Ok(conn) = read_only(&path, check_files(dir, NAME).is_err()) else {
        return saved;
    };
    for order in ["ASC", "DESC"] {
        let read = |columns: &str| {
            conn.prepare(&format!(
                "SELECT {columns} FROM memories NOT INDEXED ORDER BY id {order}"
            ))
        };
        // A journal of an older form has only the first ones.
        let Ok(mut query) = read(&format!("{COLUMNS}, {LATER}")).or_else(|_| read(COLUMNS)) else {
            continue;
        };
        let n_columns = query.column_count();
        let Ok(mut rows) = query.query([]) else { continue };
        while let Ok(Some(row)) = rows.next() {
            let values = (0..n_columns)
                .map(|idx| row.get(idx))
                .collect::<Result<Vec<Value>, _>>();
            if let (Ok(id), Ok(values)) = (row.get(0), values) {
                saved.entry(id).or_insert(values);
            }
        }
    }
    saved
}

fn keep(conn: &mut Connection, saved: BTreeMap<i64, Vec<Value>>) -> rusqlite::Result<()> {
    let tx = conn.transaction()?;
    for values in saved.into_values() {
        let columns = match values.len() {
            8 => COLUMNS.to_owned(),
            _ => format!("{COLUMNS}, {LATER}"),
        };
        let places: Vec<String> = (1..=values.len()).map(|n| format!("?{n}")).collect();
        // What is not of the right type was not written by us.
        let _ = tx.execute(
            &format!("INSERT INTO memories ({columns}) VALUES ({})", places.join(", ")),
            params_from_iter(values),
        );
    }
    tx.commit()?;
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

#[cfg(test)]
mod tests;
