//! What can go wrong with a store: one variant per reaction of the caller.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process is writing. Wait, or read what is there.
    #[error("another process is writing to the store at {}", path.display())]
    Busy { path: PathBuf },
    /// Made by a later version of Kitbag. Refuse it, and keep it.
    #[error("the store at {} was made by a newer Kitbag (format {found}, this one knows {known})", path.display())]
    Newer { path: PathBuf, found: i64, known: i64 },
    /// Not a database, or a broken one. Set it aside and index again.
    #[error("the store at {} is damaged: {what}", path.display())]
    Corrupt { path: PathBuf, what: String },
    /// The text index is broken; the database is not. Drop it, and the next writer makes it again.
    #[error("the text index is damaged: {what}")]
    TextDamaged { what: String },
    /// The disk is full. Free some space; nothing is lost.
    #[error("no room left on the disk of {}", path.display())]
    Full { path: PathBuf },
    /// The disk refused a write without a reason. Most often it is full.
    #[error("writing to {} failed: {what}", path.display())]
    Unwritable { path: PathBuf, what: String },
    /// The folder cannot be written. Read what is there.
    #[error("the store at {} cannot be written", path.display())]
    ReadOnly { path: PathBuf },
    /// There is no store yet.
    #[error("there is no store at {}", path.display())]
    Missing { path: PathBuf },
    /// Another error of the operating system.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    /// Another error of SQLite.
    #[error("the store at {}: {what}", path.display())]
    Database { path: PathBuf, what: String },
}

impl StoreError {
    /// The stable code of ERR-1.
    pub fn code(&self) -> &'static str {
        "STORAGE_ERROR"
    }

    pub(crate) fn sqlite(path: &std::path::Path, error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Code;
        let path = path.to_owned();
        // A file that ends too early, or that the disk cannot read.
        let unread = [
            rusqlite::ffi::SQLITE_IOERR_READ,
            rusqlite::ffi::SQLITE_IOERR_SHORT_READ,
            rusqlite::ffi::SQLITE_IOERR_CORRUPTFS,
        ];
        if error
            .sqlite_error()
            .is_some_and(|error| unread.contains(&error.extended_code))
        {
            let what = error.to_string();
            return Self::Corrupt { path, what };
        }
        match error.sqlite_error_code() {
            // Our statements break no constraint of a sound database.
            Some(Code::DatabaseCorrupt | Code::NotADatabase | Code::ConstraintViolation) => Self::Corrupt {
                path,
                what: error.to_string(),
            },
            Some(Code::DiskFull) => Self::Full { path },
            Some(Code::SystemIoFailure) => Self::Unwritable {
                path,
                what: error.to_string(),
            },
            Some(Code::ReadOnly | Code::PermissionDenied | Code::CannotOpen) => Self::ReadOnly { path },
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => Self::Busy { path },
            _ if error.to_string().contains("no such ") => Self::Corrupt {
                path,
                what: error.to_string(),
            },
            _ => match &error {
                // A column that does not hold what we wrote there: the file was tampered with or torn.
                rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::Utf8Error(..) => Self::Corrupt {
                    path,
                    what: error.to_string(),
                },
                _ => Self::Database {
                    path,
                    what: error.to_string(),
                },
            },
        }
    }

    pub(crate) fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        use std::io::ErrorKind;
        let path = path.to_owned();
        match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                Self::Full { path }
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            _ => Self::Io { path, source },
        }
    }
}
